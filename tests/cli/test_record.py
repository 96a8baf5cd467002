#!/usr/bin/env python3
"""record: with a stand-in for perf, which needs no rights; and, where these are, with perf and the kernel (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time

from harness import Skip, case, cli, main, same

data = os.path.abspath(sys.argv[2])
CAPTURE = os.path.join(data, 'b-ftrace.data', 'data')

# As perf 6.1 has it.
FORBIDDEN = """Error:
Access to performance monitoring and observability operations is limited.
Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open
access to performance monitoring and observability operations for processes
without CAP_PERFMON, CAP_SYS_PTRACE or CAP_SYS_ADMIN Linux capability.
More information can be found at 'Perf events and tool security' document:
https://www.kernel.org/doc/html/latest/admin-guide/perf-security.html
perf_event_paranoid setting is 2:
  -1: Allow use of (almost) all events by all users
"""

# Answers orders as perf does, and writes down what they were. Its file is cut off until it ends.
STAND_IN = r'''#!%(python)s
import os, select, shutil, signal, subprocess, sys
if sys.argv[1] == '--version':
    print('perf version 6.1.0')
    sys.exit()
words = sys.argv[2:]
cut = words.index('--')
if '--nonsense' in words:
    sys.stderr.write("  Error: unknown option `nonsense'\n\n Usage: perf record [<options>]\n    -a\n")
    sys.exit(129)
if '--forbidden' in words:
    sys.stderr.write(%(forbidden)r)
    sys.exit(255)
out = words[:cut][-1]
standard = os.dup(1)
if out != '-' and not out.endswith('/data'):
    os.mkdir(out, 0o700)
    out += '/data'
with open(%(capture)r, 'rb') as file:
    capture = file.read()
def write(content):
    if out == '-':
        if content == capture:
            with open(standard, 'wb') as file:
                file.write(content)
        return
    with open(os.open(out, os.O_WRONLY | os.O_CREAT, 0o600), 'wb') as file:
        file.write(content)
write(capture[:len(capture) // 2])
command = subprocess.Popen(words[cut + 1:], close_fds=False)
ended_read, ended_write = os.pipe()
os.set_blocking(ended_write, False)
signal.set_wakeup_fd(ended_write, warn_on_full_buffer=False)
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.signal(signal.SIGINT, lambda *_: command.terminate())
watched = [3, ended_read]
while command.poll() is None:
    ready = select.select(watched, [], [], 1)[0]
    if ended_read in ready:
        os.read(ended_read, 64)
    if 3 in ready:
        orders = os.read(3, 64).decode().split()
        if not orders:
            sys.stderr.write('Thread and evlist pollfd index mismatch\n')
            command.terminate()
            sys.exit(234)
        for order in orders:
            if order != 'ping':
                sys.stderr.write('Events ' + order + 'd\n')
                with open('orders', 'a') as file:
                    file.write(order + '\n')
            os.write(4, b'ack\n\0')
if '-v' in words:
    sys.stderr.write('a warning \033[2J\n')
sys.stderr.write('[ perf record: Woken up 1 times to write data ]\n')
write(capture)
sys.exit(command.returncode if command.returncode >= 0 else 128 - command.returncode)
'''


def stand_in(w):
    os.mkdir(w.path('bin'))
    with open(w.path('bin/perf'), 'w', encoding='utf-8') as file:
        file.write(STAND_IN % {'python': sys.executable, 'capture': CAPTURE, 'forbidden': FORBIDDEN})
    os.chmod(w.path('bin/perf'), 0o755)
    w.env['PATH'] = '%s:%s' % (w.path('bin'), w.env['PATH'])
    w.env.pop('SUDO_USER', None)


def start(w, *words):
    """Without a terminal's Ctrl-C; its output is read when it is wanted."""
    return subprocess.Popen([cli, 'record', *words], env=w.env, cwd=w.directory, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(what, seconds=30):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def children(pid):
    found = []
    for name in os.listdir('/proc'):
        try:
            with open('/proc/%s/stat' % name, encoding='utf-8') as file:
                if name.isdigit() and int(file.read().rpartition(')')[2].split()[1]) == pid:
                    found.append(int(name))
        except OSError:
            pass
    return found


def is_gone(pid):
    try:
        with open('/proc/%d/stat' % pid, encoding='utf-8') as file:
            return file.read().rpartition(')')[2].split()[0] in 'ZX'
    except OSError:
        return True


def modes(path):
    return {stat.S_IMODE(os.lstat(os.path.join(directory, name)).st_mode)
            for directory, folders, names in os.walk(path) for name in names}


SAMPLE, TEXT_POKE, LOST, HEADER_ATTR, HEADER_TRACING_DATA, FINISHED_ROUND = 9, 20, 2, 64, 66, 68
ATTR_TEXT_POKE = 33  # of the flags
ALONE = ('-p', str(os.getpid()))  # needs no rights, and has no witness


# ---- the stand-in ----

@case
def stream_is_all_of_standard_output(w):
    stand_in(w)
    got = w.run('record', *ALONE, '-k', 'mono_raw', '-o', '-', '--', 'sh', '-c', 'echo mine; cat orders; exit 3',
                status=3)
    with open(CAPTURE, 'rb') as file:
        assert got.stdout == file.read()
    said = got.stderr.decode().splitlines()
    same(said[:3], ['mine', 'disable', 'enable'])
    assert said[3].endswith('the recording is complete'), said
    assert said[4].startswith("  missing: no copy of the kernel's text"), said
    assert said[5].startswith('  missing: no patches of kernel text: in a stream'), said
    same(sorted(os.listdir(w.directory)), ['bin', 'orders'])


def split_stream(data):
    """The records of a stream, each with what follows it."""
    assert data[:8] == b'PERFILE2', data[:16]
    records, at = [], 16
    while at < len(data):
        kind, _, size = struct.unpack_from('=IHH', data, at)
        more = 0
        if kind == HEADER_TRACING_DATA:
            more = (struct.unpack_from('=I', data, at + 8)[0] + 7) & ~7
        records.append((kind, data[at:at + size + more]))
        at += size + more
    same(at, len(data))
    return records


@case
def stream_that_nobody_reads(w):
    """It ends, and so does perf."""
    stand_in(w)
    recorder = start(w, *ALONE, '-o', '-', '--', 'sleep', '1')
    recorder.stdout.buffer.read(1)
    recorder.stdout.close()
    recorder.stderr.read()
    recorder.wait(60)
    wait_for(lambda: not children(recorder.pid))


@case
def command_runs_between_the_events(w):
    stand_in(w)
    got = w.run('record', *ALONE, '--', 'sh', '-c', 'cat orders; echo mine >&2; exit 3', status=3)
    same(got.stdout, b'disable\nenable\n')
    said = got.stderr.decode().splitlines()
    same(said[0], 'mine')
    assert said[1].startswith('perf.data: ') and said[1].endswith(' 0 lost'), said
    assert not any('Events' in line or 'perf record' in line for line in said), said
    same(said[-1], '  pentimento perf.data')
    same(w.run('info', 'perf.data', '--strict').returncode, 0)
    # Without kcore, patches too, if events of all CPUs may be had.
    same(sorted(set(os.listdir(w.path('perf.data/pentimento'))) - {'patches'}), ['end', 'lists', 'start'])
    for moment in ('start', 'end'):
        begun, ended = (int(line.split()[1]) for line in
                        w.read('perf.data/pentimento/%s/times' % moment).decode().splitlines())
        assert begun < ended <= time.monotonic_ns(), (begun, ended)
    assert len(w.read('perf.data/pentimento/start/kallsyms')) > 1000
    same(modes(w.path('perf.data')), {0o600})


@case
def command_has_nothing_of_ours(w):
    stand_in(w)
    got = w.run('record', *ALONE, '--', 'sh', '-c', 'ls /proc/self/fd; grep -E "^Sig(Blk|Ign)" /proc/self/status')
    lines = got.stdout.decode().split()
    same(lines[:4], ['0', '1', '2', '3'])  # the directory that is read
    same(lines[4:6], ['SigBlk:', '0' * 16])
    same(int(lines[7], 16) & 1 << (signal.SIGPIPE - 1), 0)


@case
def words_of_perf(w):
    stand_in(w)
    said = w.run('record', *ALONE, '-v', '--', 'true').stderr.decode()
    assert 'perf: a warning ' in said and '\033' not in said, said


@case
def recordings_before(w):
    stand_in(w)
    for _ in range(3):
        w.run('record', *ALONE, '--', 'true')
    same(sorted(os.listdir(w.directory)), ['bin', 'orders', 'perf.data', 'perf.data.old'])
    w.run('info', 'perf.data.old')
    # What does not begin leaves them as they are.
    message = w.refused('record', *ALONE, '--nonsense', '--', 'true', status=1, says="unknown option `nonsense'")
    assert 'Usage' not in message and len(message.splitlines()) == 1, message
    w.run('info', 'perf.data', '--strict')
    message = w.refused('record', *ALONE, '--forbidden', '--', 'true', status=1, says='CAP_PERFMON')
    assert 'operations is limited. It needs root (sudo)' in message and 'Consider' not in message, message
    w.refused('record', *ALONE, '--', 'no-such-program', status=1, says='no-such-program')
    w.run('info', 'perf.data', '--strict')
    # Nor is anything else moved.
    os.mkdir(w.path('mine'))
    with open(w.path('mine/letter'), 'w', encoding='utf-8') as file:
        file.write('dear')
    w.refused('record', *ALONE, '-o', 'mine', '--', 'true', status=1, says='letter')
    same(w.read('mine/letter'), b'dear')


@case
def ends_at_an_interrupt(w):
    stand_in(w)
    process = start(w, *ALONE, '-o', 'out')
    assert 'out: recording' in process.stderr.readline()
    perf, = children(process.pid)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    same(process.returncode, 0)
    assert 'out: ' in said and ' samples in ' in said, said
    assert is_gone(perf)
    w.run('info', 'out', '--strict')
    assert os.path.exists(w.path('out/pentimento/end/times'))


@case
def interrupt_ends_the_command(w):
    stand_in(w)
    process = start(w, *ALONE, '--', 'sh', '-c', 'echo $$; exec sleep 600')
    command = int(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    same(process.returncode, 128 + signal.SIGTERM)
    assert is_gone(command)
    w.run('info', 'perf.data', '--strict')


def kill(w, who, *words):
    """One of the three parts; waits until none of them runs."""
    process = start(w, *words, '--', 'sh', '-c', 'echo $$; exec sleep 600')
    command = int(process.stdout.readline())
    perf, = children(process.pid)
    time.sleep(0.5)
    os.kill({'us': process.pid, 'perf': perf, 'command': command}[who], signal.SIGKILL)
    if who == 'us':
        # The command goes on, and is recorded to its end.
        process.wait(timeout=30)
        time.sleep(0.2)
        assert not is_gone(perf) and not is_gone(command)
        os.kill(command, signal.SIGTERM)
    process.communicate(timeout=60)
    wait_for(lambda: is_gone(perf) and is_gone(command))
    return process.returncode


@case
def each_part_may_be_killed(w):
    stand_in(w)
    same(kill(w, 'us', *ALONE), -signal.SIGKILL)
    w.run('info', 'perf.data', '--strict')
    same(kill(w, 'command', *ALONE), 128 + signal.SIGKILL)
    w.run('info', 'perf.data', '--strict')
    same(kill(w, 'perf', *ALONE), 128 + signal.SIGKILL)
    said = w.run('info', 'perf.data').stderr.decode()
    assert 'perf.data' in said, said  # it is cut off


@case
def killed_without_a_command(w):
    stand_in(w)
    process = start(w, *ALONE)
    assert 'recording' in process.stderr.readline()
    perf, = children(process.pid)
    process.kill()
    process.communicate(timeout=60)
    wait_for(lambda: is_gone(perf))
    w.run('info', 'perf.data', '--strict')


@case
def refused_words(w):
    for words, says in ((['-D', '5'], '-D'), (['sleep', '10'], '“sleep”'),
                        (['--control=fd:9'], '--control')):
        w.refused('record', *words, status=2, says=says)
    same(os.listdir(w.directory), [])


# ---- perf, and the kernel ----

def attached():
    tool = shutil.which('bpftool', path='%s:/usr/sbin' % os.environ.get('PATH', ''))
    if tool is None:
        raise Skip('there is no bpftool')
    return {(kind, one['id'], one.get('name')) for kind in ('prog', 'link') for one in json.loads(subprocess.run(
        [tool, '-j', kind, 'show'], stdout=subprocess.PIPE, check=True).stdout or '[]')}


def need_perf():
    if os.geteuid() != 0 or shutil.which('perf') is None:
        raise Skip('recording needs root and perf')


@case
def few_samples_are_written_soon(w):
    """perf alone would write them when a buffer is half full: after half a minute."""
    need_perf()
    process = start(w, '-e', 'cpu-clock', '-F', '99', '--', 'sleep', '600')
    wait_for(lambda: os.path.exists(w.path('perf.data/pentimento/start/times')))
    time.sleep(1)
    sizes = []
    for _ in range(4):
        sizes.append(os.path.getsize(w.path('perf.data/data')))
        time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert all(former < latter for former, latter in zip(sizes, sizes[1:])), sizes


@case
def filters_are_of_their_event(w):
    """Those of events and cgroups: perf applies them to the event before them."""
    need_perf()
    got = w.run('record', '-e', 'sched:sched_switch', '--filter', 'prev_pid == 1 && prev_pid == 2', '--exclude-perf',
                '-e', 'cpu-clock', '-F', '499', '--', 'sh', '-c', BUSY)
    assert b'no events of modules' not in got.stderr, got.stderr
    events = subprocess.run(['perf', 'script', '-i', 'perf.data', '-F', 'event'], cwd=w.directory, env=w.env,
                            capture_output=True, timeout=120, check=True).stdout.decode().split()
    assert 'cpu-clock:' in events, set(events)
    assert 'sched:sched_switch:' not in events, set(events)


@case
def cgroup_is_of_the_profile(w):
    """Not of the witness: this one sees all."""
    need_witness(w)
    if not os.path.isdir('/sys/fs/cgroup'):
        raise Skip('there are no cgroups')
    got = subprocess.run([cli, 'record', '-e', 'cpu-clock', '-G', '/', '-o', 'perf.data', '--', 'sh', '-c', BUSY],
                         env=w.env, cwd=w.directory, capture_output=True, timeout=120)
    if got.returncode != 0 and b'cgroup' in got.stderr:
        raise Skip(got.stderr.decode().strip())
    same(got.returncode, 0)
    assert b'witness: ' in got.stderr and b'no witness' not in got.stderr, got.stderr
    assert readings(w)


def need_witness(w):
    need_perf()
    w.env.pop('SUDO_USER', None)
    got = subprocess.run([cli, 'record', '-F', '99', '-o', 'first', '--', 'true'], env=w.env, cwd=w.directory,
                         capture_output=True, timeout=120)
    if b'witness: ' not in got.stderr:
        raise Skip('there is no witness here: %s' % ' '.join(got.stderr.decode().split()))


def readings(w):
    """The witness's, as recorded. Programs that are loaded are copied into the recording, with the magic of anybody's."""
    content = w.read('perf.data/data')
    at, size = struct.unpack_from('=QQ', content, 40)
    end, found = at + size, []
    while at < end:
        kind, _, length = struct.unpack_from('=IHH', content, at)
        if kind == SAMPLE and (start := content.find(b'PWIT\x01', at, at + length)) > 0:
            found.append(content[start:at + length])
        at += length
    return found


BUSY = 'end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do cat /proc/self/status >/dev/null; done'


@case
def witness_is_written(w):
    need_witness(w)
    before = attached()
    got = w.run('record', '-e', 'cpu-clock', '-F', '997', '--', 'sh', '-c', BUSY)
    wait_for(lambda: attached() <= before)
    assert 'no witness' not in got.stderr.decode(), got.stderr
    counts = dict(line.split() for line in w.read('perf.data/pentimento/witness').decode().splitlines())
    counts = {name: int(value) for name, value in counts.items()}
    same(counts['version'], 1)
    same(counts['lost'], 0)
    assert counts['firsts'] > 10, counts
    same(counts['runs'], sum(counts[name] for name in ('same', 'firsts', 'changes', 'lost', 'skipped')))
    # One of 64 runs is timed, on each CPU; the summary has what they come to.
    assert counts['runs'] // 64 - os.cpu_count() <= counts['timed'] <= counts['runs'] // 64, counts
    assert counts['timed'] > 0 and counts['time'] > 0, counts
    assert '  cost of the witness: %.2f µs a sample, ' % (
        counts['time'] / counts['timed'] / 1e3) in got.stderr.decode(), got.stderr
    # perf has as many of them, and the event of the profile loses nothing to the witness.
    events = subprocess.run(['perf', 'script', '-i', 'perf.data', '-F', 'event'], cwd=w.directory, env=w.env,
                            capture_output=True, timeout=120, check=True).stdout.decode().split()
    same(events.count('witness:'), counts['firsts'] + counts['changes'])
    same(events.count('look:'), 0)
    assert events.count('cpu-clock:') > 0.5 * counts['runs'], (events.count('cpu-clock:'), counts)
    # Each has 88 bytes that begin with the magic.
    same(len(readings(w)), counts['firsts'] + counts['changes'])
    same(modes(w.path('perf.data')), {0o600})


@case
def stream_has_patches(w):
    """Their event comes after those of perf, their records before the end of a round; perf opens it."""
    need_perf()
    got = w.run('record', '-e', 'cpu-clock', '-F', '499', '-o', '-', '--', 'sh', '-c', BUSY)
    said = got.stderr.decode()
    if 'no patches of kernel text' in said:
        raise Skip(said.partition('no patches of kernel text: ')[2].splitlines()[0])
    records = split_stream(got.stdout)
    kinds = [kind for kind, _ in records]
    flags = [struct.unpack_from('=Q', record, 8 + 40)[0] for kind, record in records if kind == HEADER_ATTR]
    same([flag >> ATTR_TEXT_POKE & 1 for flag in flags], [0] * (len(flags) - 1) + [1])
    assert kinds.count(FINISHED_ROUND) > 0, kinds
    for at in (at for at, kind in enumerate(kinds) if kind == TEXT_POKE):
        following = [kind for kind in kinds[at:] if kind not in (TEXT_POKE, LOST)]
        assert not following or following[0] == FINISHED_ROUND, (at, following[:3])
    with open(w.path('stream.data'), 'wb') as file:
        file.write(got.stdout)
    told = w.run('info', 'stream.data', '--strict').stdout.decode()
    same([line.split()[-1] for line in told.splitlines() if line.startswith('text pokes')], ['recorded'])
    perf = subprocess.run(['perf', 'script', '-i', 'stream.data', '-F', 'time'], cwd=w.directory, capture_output=True,
                          check=True)
    same(len(perf.stdout.splitlines()), len(w.run('samples', 'stream.data', '--format=csv').stdout.splitlines()) - 1)


SWITCH = '/proc/sys/kernel/bpf_stats_enabled'
PATCHING = 'old=$(cat %s); sleep 0.3; echo $((1 - old)) >%s; sleep 0.3; echo $old >%s; sleep 0.3' % (SWITCH, SWITCH, SWITCH)


@case
def patches_of_the_kernel(w):
    """A switch is turned while it is recorded: with kcore perf records it, else we do; the lists of then are kept."""
    need_perf()
    if not os.access(SWITCH, os.W_OK) or os.uname().machine != 'x86_64':
        raise Skip('no switch to turn, or a machine whose kernels record no patches')
    got = w.run('record', '-e', 'cpu-clock', '-F', '99', '--no-witness', '--', 'sh', '-c', PATCHING)
    if 'no patches of kernel text' in got.stderr.decode():
        raise Skip(got.stderr.decode())
    own = w.path('perf.data/pentimento/patches')
    same(os.path.exists(own), not os.path.exists(w.path('perf.data/kcore_dir')))
    facts = w.text('info', 'perf.data')
    same([line.split()[-1] for line in facts.splitlines() if line.startswith('text pokes')], ['recorded'])
    assert 'ended early' not in facts, facts
    same(modes(w.path('perf.data')), {0o600})
    pokes = [row for row in w.csv('changes', 'perf.data') if row['change'] == 'poke']
    if not pokes:
        raise Skip('this kernel records no patches')
    rows = [row for row in pokes if row['comm'] == 'sh']
    assert rows, pokes
    same({row['purpose'] for row in rows if 'bpf_stats' in row['key']} - {'sysctl kernel.bpf_stats_enabled'}, set())
    if os.path.exists(own):
        told = subprocess.run(['perf', 'script', '-D', '-i', own], env=w.env, capture_output=True, check=True).stdout
        assert told.count(b'PERF_RECORD_TEXT_POKE') >= len(rows)


@case
def lists_of_programs(w):
    """BPF programs that are gone before the end are in the lists of the time when they came."""
    need_witness(w)
    # Another recorder's witness is such a program.
    got = w.run('record', '-e', 'cpu-clock', '-F', '99', '--no-witness', '--', cli, 'record', '-e', 'cpu-clock', '-F', '99',
                '-o', 'inner', '--', 'sleep', '0.5')
    inner = dict(line.split() for line in w.read('inner/pentimento/witness').decode().splitlines())
    lines = w.read('perf.data/pentimento/lists').decode().splitlines()
    assert any(line.startswith('{"id":%s,' % inner['program']) for line in lines), (got.stderr, inner, lines[:20])
    at = 0
    while at < len(lines):
        words = lines[at].split()
        assert words[0] in ('list', 'same') and int(words[1]) <= int(words[2]), lines[at]
        at += 1 + (int(words[4]) if words[0] == 'list' else 0)
    same(at, len(lines))


@case
def only_the_kernel_unless_asked(w):
    need_witness(w)
    w.run('record', '-e', 'cpu-clock', '-F', '499', '--', 'sh', '-c', BUSY)
    flags = [reading[6] for reading in readings(w)]
    assert flags and not any(flag & 1 for flag in flags)
    got = w.run('record', '-e', 'cpu-clock', '--no-witness', '--', 'true')
    assert b'witness' not in got.stderr, got.stderr
    # Not by its bytes: perf copies programs that are loaded, and another recorder's witness may be one.
    same(len(w.run('witness', 'perf.data', '--format=csv').stdout.splitlines()), 1)
    assert not os.path.exists(w.path('perf.data/pentimento/witness'))
    w.run('record', '-e', 'cpu-clock', '-F', '499', '--witness-user', '--', 'sh', '-c', BUSY)
    assert any(reading[6] & 1 for reading in readings(w))


@case
def nothing_stays_attached(w):
    need_witness(w)
    before = attached()
    for who in ('us', 'command', 'perf'):
        kill(w, who, '-e', 'cpu-clock', '-F', '499')
        wait_for(lambda: attached() <= before)
        facts = w.text('info', 'perf.data')
        same((who, 'The recorder did not come to its end' in facts), (who, who == 'perf'))
    process = start(w, '-e', 'cpu-clock')
    assert 'recording' in process.stderr.readline()
    assert any(name == 'witness' for _, _, name in attached() - before), attached()
    process.kill()
    process.communicate(timeout=60)
    wait_for(lambda: attached() <= before)
    w.run('info', 'perf.data')


@case
def one_cpu_alone(w):
    need_witness(w)
    if os.cpu_count() < 2:
        raise Skip('there is one CPU')
    last = max(os.sched_getaffinity(0))
    got = w.run('record', '-e', 'cpu-clock', '-F', '499', '-C', str(last), '--', 'taskset', '-c', str(last), 'sh',
                '-c', BUSY)
    assert 'no witness' not in got.stderr.decode(), got.stderr
    counts = dict(line.split() for line in w.read('perf.data/pentimento/witness').decode().splitlines())
    same(counts['lost'], '0')
    assert int(counts['firsts']) > 0, counts


main()
