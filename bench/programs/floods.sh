#!/bin/sh
# Prints the file $2 again and again while the file $1 exists, and counts each time by one byte more in $3.
echo ready-to-flood
while :; do
  if [ -e "$1" ]; then
    cat "$2"
    printf . >> "$3"
  else
    sleep 0.05
  fi
done
