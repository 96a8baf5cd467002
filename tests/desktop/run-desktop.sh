#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command in a desktop session of its own: an X server, a session bus, and the bus of assistive
# technology, which is up before the command begins: a program that starts first may miss it. $SCREEN is the file
# that has what the X server shows.
#
# usage: run-desktop.sh [--screen=WIDTHxHEIGHT] COMMAND [ARGUMENT...]
set -euo pipefail

size=1280x800
if [[ ${1:-} == --screen=* ]]; then
  size=${1#*=}
  shift
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run" "$work/services" "$work/screen"
for launcher in /usr/libexec/at-spi-bus-launcher /usr/lib/at-spi2-core/at-spi-bus-launcher; do
  [[ -x $launcher ]] && break
done
if [[ ! -x $launcher ]]; then
  echo '1..0 # SKIP no bus of assistive technology: install at-spi2-core'
  exit 0
fi
printf '[D-BUS Service]\nName=org.a11y.Bus\nExec=%s\n' "$launcher" >"$work/services/org.a11y.Bus.service"
sed "s#@SERVICES@#$work/services#" "$here/session.conf.in" >"$work/session.conf"

export XDG_RUNTIME_DIR=$work/run HOME=$work XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
export GDK_BACKEND=x11 GSK_RENDERER=cairo GSETTINGS_BACKEND=memory GTK_A11Y=atspi GIO_USE_VFS=local ADW_DISABLE_PORTAL=1
export SCREEN=$work/screen/Xvfb_screen0
unset AT_SPI_BUS_ADDRESS NO_AT_BRIDGE WAYLAND_DISPLAY

# What the services of the session print is no output of the command. By its name: newer programs on the way to the
# command close what they do not know.
exec 3>&1 >&2
export OUTPUT=/proc/$$/fd/3
# shellcheck disable=SC2016 # for the shell inside
xvfb-run -a -s "-screen 0 ${size}x24 -fbdir $work/screen -nolisten tcp -noreset" dbus-run-session --config-file="$work/session.conf" -- \
  bash -euc '
    address=$(gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus \
      --method org.a11y.Bus.GetAddress | sed "s/^(.//; s/.,)\$//")
    gdbus call --address "$address" --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
      --method org.freedesktop.DBus.StartServiceByName org.a11y.atspi.Registry 0 >/dev/null
    exec "$@" >>"$OUTPUT"' desktop "$@"
