#!/bin/sh
# Says "ready", then leaves the echo of every key to the kernel: the shortest way there is.
echo ready-to-echo
exec cat
