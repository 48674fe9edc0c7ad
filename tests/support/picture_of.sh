#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: picture_of.sh FILE.png SECONDS COMMAND [ARG ...]
# Starts the command on the screen that is there, saves what the screen shows after a while, ends the command.
# Fails when the command ends before its picture was taken.
set -euo pipefail
picture=$1 seconds=$2
shift 2

"$@" &
app=$!
trap 'kill "$app" 2>/dev/null || true' EXIT
for ((i = 0; i < seconds * 10; i++)); do
  kill -0 "$app" 2>/dev/null || { wait "$app" && status=0 || status=$?; echo "$1 ended with $status before its picture" >&2; exit 1; }
  sleep 0.1
done
mkdir -p "$(dirname "$picture")"
import -silent -window root "$picture"
echo "Picture saved: $(readlink -f "$picture")"
