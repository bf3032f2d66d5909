#!/bin/sh
# Waits for a line, then prints $1 numbered lines as fast as it can, and the line "count over". Then it waits for ever.
stty -echo
echo ready-to-count
read -r _
i=0
while [ "$i" -lt "$1" ]; do
  i=$((i + 1))
  echo "line $i of what every client has to see, whole and in order"
done
echo "count over"
exec sleep 1000000
