#!/bin/sh
# Prints the last $1 lines of the file $2, then the word $3, and stays.
tail -n "$1" "$2"
echo "$3"
exec cat
