#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: pictures.sh BUILD [NAME ...]      takes the pictures of resources/docs/pictures again, all when none is named
# Each is of the real app on a real boxdeck-host, driven by accessible names on a screen of its own.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- first-run empty work work-dark work-chinese transfer host-killed wrong-key
for name in "$@"; do
  "$here/../support/desktop_session.sh" --screen 1440x900 -- \
    /usr/bin/python3 "$here/pictures.py" "$build" "$here/../../resources/docs/pictures" "$name"
done
