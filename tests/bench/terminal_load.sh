#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: terminal_load.sh FILE ANSWER [stay]      (inside the terminal that is measured)
# Writes the file to the terminal and asks it where the cursor is. The reply can only come once the terminal has put
# everything before the question on its grid. Saves the microseconds between to ANSWER.
# stay: waits for ANSWER.go before it begins, and does not end by itself, so that the terminal's CPU time can be read.
set -eu
if [ "${3:-}" = stay ]; then
  touch "$2.started"
  until [ -e "$2.go" ]; do sleep 0.02; done
fi
saved=$(stty -g)
stty raw -echo
start=$EPOCHREALTIME
cat "$1"
printf '\033[0m\033[6n'
IFS= read -rsdR _
end=$EPOCHREALTIME
stty "$saved"
# EPOCHREALTIME has six decimals; without its point it counts microseconds.
echo $((${end/[.,]/} - ${start/[.,]/})) >"$2.part"
mv "$2.part" "$2"
printf '\033[2J\033[Hbench done\r\n'
[ "${3:-}" != stay ] || sleep 600
