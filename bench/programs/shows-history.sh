#!/bin/sh
# Prints the last $1 lines of the file $2, which may end inside a sequence, then the word $3 on a line of its own, and stays.
tail -n "$1" "$2"
printf '\030\033[m\n%s\n' "$3"
exec cat
