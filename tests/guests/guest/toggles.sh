# shellcheck shell=dash
# Text of the kernel that toggles. Sourced for its functions; with "run" or "brief", it is the recorded command.
# SPDX-License-Identifier: GPL-3.0-or-later
tracing=/sys/kernel/tracing
sysctls=/proc/sys/kernel

put() { echo "$1" >"$2"; }
note() { echo "guests: $*" >/dev/console; echo "$(cut -d' ' -f1 /proc/uptime) $*"; }
lacks() { echo "$*" >>/out/lacks; }

# What is there now is in two lists that guest-look takes.
settle() { guest-look settle /run/lists; }

# ---- static keys and static calls ----

keys() {
  note keys
  put 1 $sysctls/sched_schedstats
  put 1 $sysctls/bpf_stats_enabled
  put 1 $tracing/events/sched/sched_switch/enable
  put 1 $tracing/events/raw_syscalls/sys_enter/enable
  sleep 0.4
  put 0 $tracing/events/raw_syscalls/sys_enter/enable
  put 0 $tracing/events/sched/sched_switch/enable
  put 0 $sysctls/bpf_stats_enabled
  put 0 $sysctls/sched_schedstats
  sleep 0.2
}

# ---- the function tracer ----

tracers() {
  note tracers
  put vfs_read $tracing/set_ftrace_filter
  put ksys_read $tracing/set_ftrace_filter
  echo vfs_read >>$tracing/set_ftrace_filter
  put function $tracing/current_tracer
  settle
  mkdir $tracing/instances/other
  put vfs_read $tracing/instances/other/set_ftrace_filter
  echo ksys_write >>$tracing/instances/other/set_ftrace_filter
  put function $tracing/instances/other/current_tracer
  settle
  put nop $tracing/instances/other/current_tracer
  rmdir $tracing/instances/other
  sleep 0.2
  put nop $tracing/current_tracer
  put '' $tracing/set_ftrace_filter
  sleep 0.2
}

# ---- probes ----

probe() { # NAME PLACE [KIND]
  echo "${3:-p}:guests/$1 $2" >>$tracing/kprobe_events && put 1 "$tracing/events/guests/$1/enable"
}

unprobe() {
  put 0 "$tracing/events/guests/$1/enable"
  echo "-:guests/$1" >>$tracing/kprobe_events
}

# The first offset in a function at which the kernel makes a jump of the probe's breakpoint, or else a breakpoint.
find_offset() { # FUNCTION
  accepted=
  offset=12
  while [ $offset -lt 120 ]; do
    if probe try "$1+$offset" 2>/dev/null; then
      [ -n "$accepted" ] || accepted=$offset
      sleep 0.3
      if grep -q "$1+0x$(printf %x $offset) .*OPTIMIZED" /sys/kernel/debug/kprobes/list; then
        unprobe try
        echo $offset
        return
      fi
      unprobe try
    fi
    offset=$((offset + 1))
  done
  lacks "no optimized probe in $1"
  echo "$accepted"
}

probes() {
  note probes
  probe inside "vfs_read+$inside"
  probe entry vfs_write
  probe return ksys_write r
  sleep 0.5
  put 0 /proc/sys/debug/kprobes-optimization
  sleep 0.3
  put 1 /proc/sys/debug/kprobes-optimization
  sleep 0.3
  for name in return entry inside; do unprobe $name; done
  sleep 0.2
}

# ---- BPF programs: most at the addresses of earlier ones ----

# Ends when it is loaded.
begin_program() { # run|attach NAME LENGTH
  rm -f /run/program # the name of the one before
  guest-bpf "$@" >/run/program &
  bpf=$!
  while [ ! -s /run/program ] && [ -d /proc/$bpf ]; do sleep 0.1; done
}

end() { kill "$@" 2>/dev/null && wait "$@" 2>/dev/null; }

program() {
  begin_program "$@"
  settle
  end $bpf || [ $? -gt 128 ] || lacks "no BPF program: $*"
  sleep 0.1
}

programs() {
  note programs
  program run short_$n 100
  program attach enters_$n $((100 + n % 2 * 100))
  program run long_$n 250
}

# ---- modules ----

load() { insmod "/guest/modules/$1.ko"; }

unload() {
  tries=0
  while ! rmmod "$1" 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { lacks "$1 does not go"; return; }
    sleep 0.1
  done
}

modules() {
  note modules
  while read -r module hash; do
    load "$module" || continue
    guest-work hash "$hash" 600 &
    hashes=$!
    settle
    end $hashes
    unload "$module"
  done </guest/modules/hashes
}

# ---- a live patch ----

patches() {
  [ -e /guest/modules/livepatch_sample.ko ] || return 0
  note patches
  load livepatch_sample || { lacks "the live patch could not be loaded"; return 0; }
  settle
  put 0 /sys/kernel/livepatch/livepatch_sample/enabled
  unload livepatch_sample
}

# ---- a change that no record tells of: the debugger of the emulator writes ----

other_nop=660f1f0400

unannounced() {
  found=$(guest-look nop __x64_sys_getppid __do_sys_getppid) || { lacks "no entry to write to"; return; }
  address=${found% *}
  nop=${found#* }
  note "writes $address"
  # A slow machine takes few samples: most of them are to be there.
  asks=
  for _ in 1 2 3; do
    guest-work getppid 600 &
    asks="$asks $!"
  done
  sleep 1
  echo "guests: write $address $other_nop" >/dev/console
  if ! guest-look wait "$address" $other_nop 30; then
    lacks "the debugger did not write"
    # shellcheck disable=SC2086 # three of them
    end $asks
    return
  fi
  sleep 6
  echo "guests: write $address $nop" >/dev/console
  guest-look wait "$address" "$nop" 30 || lacks "the debugger did not write again"
  sleep 6
  # shellcheck disable=SC2086 # three of them
  end $asks
}

# ---- around the recording ----

prepare() {
  inside=$(find_offset vfs_read)
  echo "inside=$inside" >>/guest/settings
  while read -r module; do load "${module%.ko}"; done </guest/modules/hashing
}

# Users that the recorder lists at its end.
stay() {
  note stay
  put 1 $sysctls/sched_schedstats
  put ksys_read $tracing/set_ftrace_filter
  put function $tracing/current_tracer
  probe stays "ksys_write"
  probe inside "vfs_read+$inside"
  [ ! -e /guest/modules/livepatch_sample.ko ] || load livepatch_sample
  begin_program attach stays 100
  echo $bpf >/run/stay
  settle
  sleep 1
}

tidy() {
  put nop $tracing/current_tracer
  put '' $tracing/set_ftrace_filter
  put 0 $sysctls/sched_schedstats
  unprobe stays
  unprobe inside
  if [ -e /sys/kernel/livepatch/livepatch_sample ]; then
    put 0 /sys/kernel/livepatch/livepatch_sample/enabled
    unload livepatch_sample
  fi
  kill "$(cat /run/stay)"
  sleep 1
}

if [ "${1:-}" = run ]; then
  . /guest/settings
  guest-look lists /out/lists /run/lists &
  look="$!"
  guest-look bytes /out/bytes 60 vfs_read vfs_write ksys_read ksys_write pipe_read pipe_write __x64_sys_sched_yield \
    try_to_wake_up schedule pick_next_task_fair update_rq_clock do_syscall_64 kmem_cache_free &
  look="$look $!"
  guest-work calls 600 &
  work=$!
  guest-work pipe 600 &
  work="$work $!"
  settle
  n=0
  while [ $n -lt "$ROUNDS" ]; do
    keys
    tracers
    probes
    programs
    modules
    patches
    n=$((n + 1))
  done
  unannounced
  stay
  # shellcheck disable=SC2086 # two of each
  end $work $look
  note end
fi

# /proc/kcore becomes a device that is not there.
hide_kcore() {
  mknod /run/none c 240 99
  mount -o bind /run/none /proc/kcore
}

if [ "${1:-}" = beside ]; then
  pentimento-cli record -e cpu-clock -F 97 -o - -- sh /guest/toggles.sh brief >/out/stream.data 2>/out/stream.err
  hide_kcore
  pentimento-cli record --no-witness -e cpu-clock -F 97 -o /out/plain -- sh /guest/toggles.sh brief 2>/out/plain.err
  umount /proc/kcore
fi

if [ "${1:-}" = brief ]; then
  sleep 0.3
  keys
  probe entry vfs_write
  sleep 0.5
  unprobe entry
  sleep 0.5
  note end
fi
