#!/bin/bash
# What the well-known plugin that restores tmux does after a reboot, from files that are there already: $1 holds `list`
# (window, pane, directory, title) and one text per pane, packed. For each pane it asks whether the pane, its window and
# its session exist, makes what is missing, shows the kept text and starts a shell; then it sets layouts and titles.
tmux() { command tmux -L bench -f /dev/null "$@"; }
texts=$(mktemp -d "$1/texts.XXXXXX")
tar -xzf "$1/texts.tar.gz" -C "$texts"
session=restored
while IFS=$'\t' read -r window pane directory title; do
  start="cat '$texts/$window.$pane.txt'; exec sh"
  if tmux list-panes -t "$session:$window" -F '#{pane_index}' 2>/dev/null | grep -qx "$pane"; then continue; fi
  if tmux list-windows -t "$session" -F '#{window_index}' 2>/dev/null | grep -qx "$window"; then
    tmux split-window -t "$session:$window" -c "$directory" "$start"
    tmux resize-pane -t "$session:$window" -U 999 # or there would soon be no space for another pane
  elif tmux has-session -t "$session" 2>/dev/null; then
    tmux new-window -d -t "$session:$window" -c "$directory" "$start"
  else
    tmux new-session -d -s "$session" -x 240 -y 80 -c "$directory" "$start"
  fi
  tmux select-pane -t "$session:$window.$pane" -T "$title"
done < "$1/list"
for window in $(cut -f1 "$1/list" | sort -nu); do
  tmux select-layout -t "$session:$window" tiled
  tmux set-option -w -t "$session:$window" automatic-rename off
done
