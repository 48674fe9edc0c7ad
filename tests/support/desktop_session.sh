#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs one command inside a private desktop: its own home folder, session bus, secret service, screen and
# accessibility bus. Nothing of the person who runs the tests is seen or touched, and nothing outlives the command.
#
# usage: desktop_session.sh [OPTION ...] [--] COMMAND [ARG ...]
#   --no-display         no virtual screen and no accessibility bus; the command gets QT_QPA_PLATFORM=offscreen
#   --no-secret-service  nobody owns org.freedesktop.secrets on the bus
#   --locked-keyring     the keyring exists and is locked, and there is nobody to ask for its password
#   --frozen-keyring     the secret service owns its name and never answers (stopped with SIGSTOP)
#   --screen WxH         size of the virtual screen (1440x900)
#   --keep               leave the home folder behind and say where it is
#
# What the command finds in its environment:
#   HOME, XDG_{CONFIG,DATA,CACHE,STATE}_HOME, XDG_RUNTIME_DIR   empty folders of this session
#   DBUS_SESSION_BUS_ADDRESS                                     a bus that starts no service by itself
#   BOXDECK_TEST_KEYRING_PID, BOXDECK_TEST_KEYRING_DIR           the secret service and where it keeps its files
#   DISPLAY, QT_QPA_PLATFORM=xcb, QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1   with a display
set -euo pipefail

display=1 keyring=unlocked screen=1440x900 keep=''
while [ $# -gt 0 ]; do
  case "$1" in
    --no-display) display='' ;;
    --no-secret-service) keyring=none ;;
    --locked-keyring) keyring=locked ;;
    --frozen-keyring) keyring=frozen ;;
    --screen) screen=$2; shift ;;
    --keep) keep=1 ;;
    --) shift; break ;;
    -*) echo "desktop_session.sh: unknown option $1" >&2; exit 64 ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || { echo "desktop_session.sh: no command given" >&2; exit 64; }

session=$(mktemp -d "${TMPDIR:-/tmp}/boxdeck-desktop.XXXXXX")
logs=$session/log
helpers=()
command_pid=''
reaper_pid=''

# Programs that outlive the command: whatever still carries this session's home folder in its environment.
# shellcheck disable=SC2317 # called by the trap below
end_strays() {
  local strays signal
  for signal in TERM KILL; do
    for _ in $(seq 40); do
      mapfile -t strays < <(env -i grep -lsaF "HOME=$session/home" /proc/[0-9]*/environ 2>/dev/null)
      [ ${#strays[@]} -gt 0 ] || return 0
      strays=("${strays[@]#/proc/}")
      strays=("${strays[@]%/environ}")
      kill "-$signal" "${strays[@]}" 2>/dev/null || true
      sleep 0.05
    done
  done
}

# shellcheck disable=SC2317 # called by the traps below
finish() {
  local status=$? pid
  trap - EXIT INT TERM HUP
  kill -KILL "$reaper_pid" 2>/dev/null || true
  [ -z "$command_pid" ] || kill -TERM "$command_pid" 2>/dev/null || true
  for ((i = ${#helpers[@]} - 1; i >= 0; i--)); do
    pid=${helpers[i]}
    kill -CONT "$pid" 2>/dev/null || true
    kill -TERM "$pid" 2>/dev/null || true
  done
  for pid in "${helpers[@]}"; do wait "$pid" 2>/dev/null || true; done
  end_strays
  if [ -n "$keep" ]; then echo "desktop_session.sh: kept $session" >&2; else rm -rf "$session" || true; fi
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The helper dies with this script even if the script is killed outright (a ctest timeout sends SIGKILL).
helper() {
  local log=$logs/$1
  shift
  setpriv --pdeathsig KILL "$@" >"$log" 2>&1 &
  helpers+=($!)
}

# Some helpers start programs of their own, and a killed script leaves its folder: the reaper sees to both.
mkdir -m 700 "$logs" "$session"/{home,runtime}
mkfifo "$session/never"
# shellcheck disable=SC2016 # expanded by the reaper
setpriv --pdeathsig TERM bash -c '
  trap "sleep 0.2; pkill -KILL -f \"\$1/\"; rm -rf \"\$1\"; exit" TERM
  while :; do read -r _ <>"$1/never"; done' reaper "$session" 2>/dev/null &
reaper_pid=$!
disown "$reaper_pid"

give_up() {
  echo "desktop_session.sh: $1" >&2
  [ -z "${2:-}" ] || sed 's/^/    /' "$logs/$2" >&2 || true
  exit 70
}

# wait_until WHAT LOG COMMAND…: polls, because none of these programs says when it is ready in a common way.
wait_until() {
  local what=$1 log=$2
  shift 2
  for _ in $(seq 200); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.05
  done
  give_up "$what did not come up within 10 s" "$log"
}

# shellcheck disable=SC2317 # called through wait_until
bus_has() {
  dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner "string:$1" |
    grep -q 'boolean true'
}

export HOME=$session/home
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
export XDG_STATE_HOME=$HOME/.local/state XDG_RUNTIME_DIR=$session/runtime
mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME"
unset DISPLAY WAYLAND_DISPLAY XAUTHORITY SESSION_MANAGER GNOME_KEYRING_CONTROL AT_SPI_BUS_ADDRESS
unset XDG_CURRENT_DESKTOP XDG_SESSION_TYPE E2B_API_KEY E2B_API_URL E2B_SANDBOX_URL E2B_DOMAIN

# A bus without service folders: what is absent stays absent instead of being started on demand.
cat >"$session/bus.conf" <<BUS
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=$session/runtime/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
BUS
helper bus dbus-daemon --nofork --nopidfile --config-file "$session/bus.conf"
export DBUS_SESSION_BUS_ADDRESS=unix:path=$session/runtime/bus
wait_until "the session bus" bus dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
  org.freedesktop.DBus.GetId

# shellcheck disable=SC2317 # called through wait_until
xprop_says_managed() { xprop -root _NET_SUPPORTING_WM_CHECK | grep -q 'window id'; }

start_keyring() { # start_keyring PASSWORD: an empty one leaves the keyring as it is
  local feed=/dev/null
  local arguments=(--foreground --components=secrets "--control-directory=$session/runtime/keyring")
  if [ -n "$1" ]; then
    printf '%s\n' "$1" >"$session/runtime/password"
    feed=$session/runtime/password
    arguments+=(--unlock)
  fi
  setpriv --pdeathsig KILL gnome-keyring-daemon "${arguments[@]}" <"$feed" >"$logs/keyring" 2>&1 &
  keyring_pid=$!
  wait_until "gnome-keyring-daemon" keyring bus_has org.freedesktop.secrets
  [ -z "$1" ] || wait_until "the login keyring" keyring test -e "$XDG_DATA_HOME/keyrings/login.keyring"
  rm -f "$session/runtime/password"
}

if [ "$keyring" != none ]; then
  mkdir -m 700 "$XDG_DATA_HOME/keyrings" "$session/runtime/keyring"
  start_keyring "boxdeck tests"
  if [ "$keyring" = locked ]; then
    kill "$keyring_pid"
    wait "$keyring_pid" 2>/dev/null || true
    start_keyring ""
  fi
  helpers+=("$keyring_pid")
  [ "$keyring" != frozen ] || kill -STOP "$keyring_pid"
  export BOXDECK_TEST_KEYRING_PID=$keyring_pid BOXDECK_TEST_KEYRING_DIR=$XDG_DATA_HOME/keyrings
fi

if [ -n "$display" ]; then
  exec 9>"$session/display"
  helper screen Xvfb -displayfd 9 -screen 0 "${screen}x24" -nolisten tcp -noreset
  exec 9>&-
  wait_until "the virtual screen" screen test -s "$session/display"
  DISPLAY=:$(cat "$session/display")
  export DISPLAY QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
  # Without a window manager nobody gives the focus back when a dialog closes. Ours draws nothing of its own.
  cat >"$session/openbox.xml" <<'OPENBOX'
<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><focusLast>yes</focusLast></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <applications><application class="*"><decor>no</decor></application></applications>
</openbox_config>
OPENBOX
  helper windows openbox --sm-disable --config-file "$session/openbox.xml"
  wait_until "the window manager" windows xprop_says_managed
  # The bus must be there before the application: Qt asks for it once, at start.
  for launcher in /usr/libexec/at-spi-bus-launcher /usr/lib/at-spi2-core/at-spi-bus-launcher; do
    if [ -x "$launcher" ]; then
      helper accessibility "$launcher" --launch-immediately
      wait_until "the accessibility bus" accessibility bus_has org.a11y.Bus
      break
    fi
  done
else
  export QT_QPA_PLATFORM=offscreen
fi

setpriv --pdeathsig TERM "$@" &
command_pid=$!
status=0
wait "$command_pid" || status=$?
command_pid=''
exit "$status"
