#!/usr/bin/env python3
"""For whom text was patched: lists of a recorder beside recordings of all kinds (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import os
import shutil
import struct
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])


TEXT_POKE = 20
SETS = (0xe8, 0xe9, 0xcc)  # call, jump, breakpoint


def let_stay(capture):
    """Nothing that was set in the end is taken away any more: those patches write what they find."""
    path = os.path.join(capture, 'data')
    with open(path, 'rb') as file:
        content = bytearray(file.read())
    at, size = struct.unpack_from('<QQ', content, 40)
    end, pokes = at + size, collections.defaultdict(list)
    while at < end:
        kind, _, length = struct.unpack_from('<IHH', content, at)
        if kind == TEXT_POKE:
            address, old, new = struct.unpack_from('<QHH', content, at + 8)
            if old == new:
                time, = struct.unpack_from('<Q', content, at + length - 24)  # before the CPU and the identifier
                pokes[address].append((time, at + 20, old))
        at += length
    for rows in pokes.values():
        rows.sort()  # each CPU has its own order
        while rows and content[rows[-1][1] + rows[-1][2]] not in SETS:
            _, start, length = rows.pop()
            content[start + length:start + 2 * length] = content[start:start + length]
    os.chmod(path, 0o600)
    with open(path, 'wb') as file:
        file.write(content)


USE_CLOCKID, CLOCK_MONOTONIC = 1 << 25, 1


def use_clock(capture):
    """Times of its events are of the clock that the recorder's lists have."""
    path = os.path.join(capture, 'data')
    os.chmod(path, 0o600)
    with open(path, 'r+b') as file:
        each, at, size = struct.unpack('<QQQ', file.read(40)[16:])
        for attr in range(at, at + size, each):
            file.seek(attr + 40)
            flags, = struct.unpack('<Q', file.read(8))
            file.seek(attr + 40)
            file.write(struct.pack('<Q', flags | USE_CLOCKID))
            file.seek(attr + 92)
            file.write(struct.pack('<i', CLOCK_MONOTONIC))


def record(w, name, stays=True, has_clock=True, **lists):
    """A copy of the recording with lists, as start_kprobes='…'. @stays: see let_stay()"""
    capture = w.path(name)
    shutil.copytree(os.path.join(data, name), capture)
    if has_clock:
        use_clock(capture)
    if stays:
        let_stay(capture)
    for key, text in lists.items():
        moment, _, name = key.rpartition('_') if key == 'lists' else key.partition('_')
        os.makedirs(os.path.join(capture, 'pentimento', moment), exist_ok=True)
        with open(os.path.join(capture, 'pentimento', moment, name), 'w', encoding='utf-8') as file:
            file.write(text)
    return capture


def purposes(w, capture, cause):
    return {row['for']: row['purpose'] for row in w.csv('causes', capture, '--cause', cause) if row['level'] == '1'}


@case
def probes(w):
    capture = record(w, 'c-kprobes.data',
                     end_kprobes='ffffffff8134cc6c  k  vfs_read+0x1c    [OPTIMIZED]\n',
                     end_kprobe_events='p:probes/slow vfs_read+28 count=%dx\np:probes/other vfs_write+28\n')
    for cause in 'kprobe', 'optprobe':
        found = purposes(w, capture, cause)
        same(found.pop('vfs_read+0x1c'), 'kprobe probes/slow')
        same(set(found.values()), {''})
    rows = w.csv('changes', capture, '--batches', '--address', '0xffffffff8134cc6c', '--cause', 'kprobe,optprobe')
    # The one that came and went before may have been another.
    same([row['purpose'] for row in rows], 4 * [''] + 4 * ['kprobe probes/slow'])
    assert rows[4]['sentence'].endswith(' For kprobe probes/slow (recorder\'s snapshot).'), rows[4]
    assert 'For kprobe probes/slow (recorder\'s snapshot).' in w.text('history', capture, '0xffffffff8134cc6c')
    assert 'vfs_read+0x1c (kprobe probes/slow)' in w.text('causes', capture)


@case
def gone_before_the_end(w):
    """What was taken away is not what the list of the end names; that of the start names nobody, either."""
    lists = {'kprobes': 'ffffffff8134cc6c  k  vfs_read+0x1c\n', 'kprobe_events': 'p:probes/slow vfs_read+28\n'}
    capture = record(w, 'c-kprobes.data', stays=False,
                     **{'%s_%s' % (moment, name): text for moment in ('start', 'end') for name, text in lists.items()})
    for cause in 'kprobe', 'optprobe':
        same(set(purposes(w, capture, cause).values()), {''})


ADDRESS = '0xffffffff8134cc6c'
# Of each of its two users, one after the other: the first patch and the last one.
FIRST, FIRST_GONE, SECOND, SECOND_GONE = 6230581114, 10237283251, 11952574226, 12872107581


def lists(*entries):
    """Of (begun, ended, list, lines); None: the same lines as before."""
    return ''.join('same %d %d %s\n' % entry[:3] if entry[3] is None else
                   'list %d %d %s %d\n%s' % (*entry[:3], entry[3].count('\n'), entry[3]) for entry in entries)


def probes_at(time, event):
    return [(time, time + 1000, 'kprobes', 'ffffffff8134cc6c  k  vfs_read+0x1c\n'),
            (time + 1000, time + 2000, 'kprobe_events', 'p:probes/%s vfs_read+28\n' % event)]


def found_at(w, capture):
    return [row['purpose'] for row in w.csv('changes', capture, '--batches', '--address', ADDRESS, '--cause',
                                            'kprobe,optprobe')]


@case
def came_and_went(w):
    """Each of two that came and went at one place is named by the list of its time."""
    capture = record(w, 'c-kprobes.data', stays=False, lists=lists(
        *probes_at(FIRST + 1000000, 'first'),
        (FIRST_GONE - 3000, FIRST_GONE - 2000, 'kprobes', None),
        (FIRST_GONE - 2000, FIRST_GONE - 1000, 'kprobe_events', None),
        (FIRST_GONE + 1000, FIRST_GONE + 2000, 'kprobes', ''),
        (FIRST_GONE + 2000, FIRST_GONE + 3000, 'kprobe_events', ''),
        *probes_at(SECOND + 1000000, 'second')))
    same(found_at(w, capture), 4 * ['kprobe probes/first'] + 4 * ['kprobe probes/second'])
    assert 'For kprobe probes/first (recorder\'s snapshot).' in w.text('history', capture, ADDRESS)
    same(w.text('info', capture).count('lines that cannot be read'), 0)


@case
def of_another_time(w):
    """Lists from before they came, between both, and over the edge name nobody."""
    capture = record(w, 'c-kprobes.data', stays=False, lists=lists(
        *probes_at(FIRST - 1000000, 'before'),
        *probes_at(FIRST_GONE - 1500, 'edge'),
        *probes_at(FIRST_GONE + 1000000, 'between'),
        *probes_at(SECOND_GONE + 1000000, 'after')))
    same(found_at(w, capture), 8 * [''])
    shutil.rmtree(capture)
    capture = record(w, 'c-kprobes.data', stays=False, has_clock=False,
                     lists=lists(*probes_at(FIRST + 1000000, 'first')))
    same(found_at(w, capture), 8 * [''])


@case
def damaged_lists(w):
    """What cannot be read ends them; what was before counts. Times of another order count nothing."""
    good = lists(*probes_at(FIRST + 1000000, 'first'))
    later = lists(*probes_at(SECOND + 1000000, 'second'))
    for bad in ('list 1 2\n', 'list %d 99999999999 kprobes 4294967295\nx\n' % SECOND, 'x\n', '\0\n',
                'same 5 4 kprobes\n'):
        capture = record(w, 'c-kprobes.data', stays=False, lists=good + bad + later)
        same(found_at(w, capture), 4 * ['kprobe probes/first'] + 4 * [''])
        assert 'lines that cannot be read were left out: 1' in w.text('info', capture), bad
        shutil.rmtree(capture)
    capture = record(w, 'c-kprobes.data', stays=False, lists=later + good)
    same(found_at(w, capture), 4 * [''] + 4 * ['kprobe probes/second'])
    shutil.rmtree(capture)
    # A list that is not known is passed over; so is the end of a recording that was killed.
    capture = record(w, 'c-kprobes.data', stays=False,
                     lists=lists((1, 2, 'other', 'x\ny\n')) + good + 'list 10239000000 ')
    same(found_at(w, capture), 4 * ['kprobe probes/first'] + 4 * [''])


@case
def tracers(w):
    capture = record(w, 'b-ftrace.data',
                     end_tracers='/sys/kernel/tracing/current_tracer function\n'
                                 '/sys/kernel/tracing/instances/a/current_tracer function_graph\n')
    found = purposes(w, capture, 'ftrace')
    same(found['function_trace_call'], 'tracer function')
    same(found['ftrace_ops_list_func'], '')


@case
def live_patches(w):
    capture = record(w, 'l-livepatch.data',
                     end_livepatch='/sys/kernel/livepatch/penlp/enabled 1\n'
                                   '/sys/kernel/livepatch/penlp/vmlinux/cmdline_proc_show,1 \n')
    rows = [row for row in w.csv('changes', capture, '--batches') if row['cause'] == 'livepatch' and row['purpose']]
    assert rows
    same({row['symbol'] for row in rows}, {'cmdline_proc_show'})
    same({row['purpose'] for row in rows}, {'livepatch penlp'})


@case
def links(w):
    """The trampoline's number has that of its function."""
    capture = record(w, 'd-bpf.data',
                     end_programs='[\n{"id":7,"type":"tracing","name":"reader","tag":"00"}\n]\n',
                     end_links='[\n{"id":3,"type":"tracing","prog_id":7,"attach_type":"trace_fentry",'
                               '"target_obj_id":1,"target_btf_id":41303}\n]\n')
    found = purposes(w, capture, 'bpf')
    same(found.pop('bpf_trampoline_6442492247'), 'trace_fentry reader (id 7)')
    same(set(found.values()), {''})


@case
def nothing_of_it_is_followed(w):
    """A list that is a device, or says nothing, is no list."""
    capture = record(w, 'c-kprobes.data', end_kprobe_events='p:probes/x \n', end_kprobes='?\n')
    os.mkfifo(os.path.join(capture, 'pentimento', 'end', 'links'))
    same(set(purposes(w, capture, 'kprobe').values()), {''})
    assert 'lines that cannot be read were left out: 1' in w.text('info', capture)


main()
