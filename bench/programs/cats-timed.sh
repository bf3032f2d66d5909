#!/bin/sh
# Says that it is ready, on the screen and by the file $3.ready; waits for a word on the fifo $1; prints the file $2; and
# writes when it began and ended (ns) to $3.
echo ready-to-cat
: > "$3.ready"
read -r word < "$1"
began=$(date +%s%N)
cat "$2"
ended=$(date +%s%N)
echo "$began $ended" > "$3.partial"
mv "$3.partial" "$3"
exec sleep 100000
