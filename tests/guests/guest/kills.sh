# shellcheck shell=dash
# Sourced by scenes.sh: recordings of which one part is killed at some moment. A line for each in /out/kills:
# number, part, tenths of a second, whether the command had begun, and what was left.
# SPDX-License-Identifier: GPL-3.0-or-later
state=$SEED

# Sets $drawn: 0 to $1 - 1
draw() {
  state=$(((state * 1103515245 + 12345) % 2147483648))
  drawn=$((state / 65536 % $1))
}

is_alive() { [ -d "/proc/$1" ] && ! grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null; }

wait_gone() { # SECONDS PID...
  limit=$(($1 * 10))
  shift
  while [ $limit -gt 0 ]; do
    alive=
    for pid; do ! is_alive "$pid" || alive=1; done
    [ -n "$alive" ] || return 0
    sleep 0.1
    limit=$((limit - 1))
  done
  return 1
}

# The first process whose command line begins with these words.
find_process() {
  for directory in /proc/[0-9]*; do
    words=$( (tr '\0' ' ' <"$directory/cmdline") 2>/dev/null)
    case $words in "$1"*) echo "${directory#/proc/}"; return ;; esac
  done
}

pause() { sleep "$(($1 / 10)).$(($1 % 10))"; }

# The part is killed that many tenths of a second after perf was started, or after the command began.
kill_one() { # NUMBER PART TENTHS starting|begun
  out=/out/kill-$1
  note "kills $2, $4 for $3 tenths of a second"
  attached >/tmp/before
  pentimento-cli record -e cpu-clock -F 499 -o "$out" -- guest-work calls 8 >/tmp/killed 2>&1 &
  recorder=$!
  perf=
  command=
  while [ -z "$perf" ]; do perf=$(find_process '/usr/bin/perf record'); done
  while [ "$4" = begun ] && [ -z "$command" ] && [ -d /proc/$recorder ]; do command=$(find_process 'guest-work calls 8'); done
  pause "$3"
  [ -n "$command" ] || command=$(find_process 'guest-work calls 8')
  had=$4
  [ -z "$command" ] || had=begun
  left=
  case $2 in
    recorder) victim=$recorder ;;
    perf) victim=$perf ;;
    command) victim=$command ;;
  esac
  kill -9 "${victim:-none}" 2>/dev/null || had=absent
  wait_gone 200 "$recorder" "$perf" ${command:+"$command"} || left="$left processes"
  command=$(find_process 'guest-work calls 8')
  [ -z "$command" ] || wait_gone 60 "$command" || left="$left command"
  # A program goes some time after its last user.
  tries=0
  attached >/tmp/after
  while ! cmp -s /tmp/before /tmp/after && [ $tries -lt 50 ]; do
    sleep 0.2
    attached >/tmp/after
    tries=$((tries + 1))
  done
  [ $tries -lt 50 ] || left="$left attached"
  echo "$1 $2 $3 $had ${left:-nothing}" >>/out/kills
}

number=0
while [ $number -lt "$KILLS" ]; do
  for part in recorder perf command; do
    [ $number -lt "$KILLS" ] || break
    draw 40
    if [ $((number / 3 % 2)) = 0 ]; then kill_one $number $part "$drawn" begun; else kill_one $number $part "$drawn" starting; fi
    number=$((number + 1))
  done
done
