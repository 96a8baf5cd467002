#!/usr/bin/env python3
"""--measure=off-cpu: every view has the same waits, and those that perf's own output has (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import os
import re
import shutil
import subprocess
import sys

import harness
from harness import Skip, case, main, same

data = os.path.abspath(sys.argv[2])
write_captures = os.path.abspath(sys.argv[3])
CHAINS, SWITCHES, PATCHED = 'chains.data', 'switches.data', 'patched.data'
PLAIN = os.path.join(data, 'b-ftrace.data')
OFF_CPU = '--measure=off-cpu'
FILTERS = [[], ['--time', '30%,60%'], ['--comm', 'odd'], ['--cpu', '1'], ['--event', 'offcpu-time'],
           ['--kind', 'module'], ['--comm', 'even', '--time', '0,10%'], ['--event', 'no-such-event']]


class World(harness.World):
    def __init__(self, directory, cache):
        super().__init__(directory, cache)
        subprocess.run([write_captures, directory], check=True)


def add_up(rows, *keys):
    """Of rows with the same KEYS: how many waits, and how long."""
    sums = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        one = sums[tuple(row[key] for key in keys)]
        one[0] += int(row.get('waits') or 1)
        one[1] += int(row['off_cpu'] or 0)
    return dict(sums)


@case
def views_have_the_same_waits(w):
    for filters in FILTERS:
        waits = w.csv('samples', CHAINS, OFF_CPU, *filters)
        same(len(waits) > 0, 'no-such-event' not in filters)
        total = add_up(waits).get((), [0, 0])
        functions = [row for row in w.csv('functions', CHAINS, OFF_CPU, *filters) if row['waits'] != '0']
        same(add_up(functions, 'kind', 'occupant'), add_up(waits, 'kind', 'occupant'))
        lengths = [int(row['off_cpu']) for row in functions]
        same(lengths, sorted(lengths, reverse=True))
        stacks = w.csv('stacks', CHAINS, OFF_CPU, *filters)
        same(add_up(stacks, 'comm'), add_up(waits, 'comm'))
        folded = w.text('stacks', CHAINS, OFF_CPU, '--format=folded', *filters)
        same([int(line.rsplit(' ', 1)[1]) for line in folded.splitlines()], [int(row['off_cpu']) for row in stacks])
        for command in ('callers', 'callees'):
            if waits and '--kind' not in filters:
                place = next(row['address'] for row in waits if row['kind'] == 'module')
                rows = w.csv(command, CHAINS, place, OFF_CPU, *filters)
                same(sum(int(row['waits']) for row in rows), sum(row['address'] == place for row in waits))
                shares = [float(row['share']) for row in rows]
                same(shares, sorted(shares, reverse=True))
                assert abs(sum(shares) - 1) < 1e-4, shares
        same([total[0], total[1]], [len(waits), sum(int(row['off_cpu']) for row in waits)])


@case
def occupants_have_the_same_waits(w):
    for filters in [], ['--comm', 'odd'], ['--cpu', '1'], ['--kind', 'module']:
        waits = w.csv('samples', CHAINS, OFF_CPU, *filters)
        rows = [row for row in w.csv('occupants', CHAINS, OFF_CPU, *filters) if row['waits'] != '0']
        same(add_up(rows, 'kind', 'occupant'), add_up(waits, 'kind', 'occupant'))
    assert 'period' not in w.csv('occupants', CHAINS)[0]


@case
def the_history_of_a_byte_has_them(w):
    waits = w.csv('samples', CHAINS, OFF_CPU)
    for address in sorted({row['address'] for row in waits}):
        there = [row for row in waits if row['address'] == address]
        rows = w.csv('history', CHAINS, address, OFF_CPU)
        same(add_up(rows), add_up(there))
        same(sum(float(row['share']) for row in rows), 1.0)
    assert 'off_cpu' in w.text('history', CHAINS, address, OFF_CPU)


@case
def a_patch_parts_waits(w):
    rows = w.csv('history', PATCHED, '0xffffffffc0000000', OFF_CPU)
    same([(row['waits'], row['off_cpu'], row['near_from'], row['share'], row['cause']) for row in rows],
         [('2', '2000000000', '0', '0.5000', ''), ('2', '2000000000', '1', '0.5000', rows[1]['cause'])])
    same(rows[1]['before_instruction'], rows[0]['instruction'])
    rows = w.csv('annotate', PATCHED, '0xffffffffc0000000', OFF_CPU)
    found = {(row['offset'], row['version']): (row['waits'], row['off_cpu']) for row in rows if row['waits'] != '0'}
    same(found, {('0x0', '0'): ('2', '2000000000'), ('0x0', '1'): ('2', '2000000000'),
                 ('0x5', '0'): ('1', '400000000'), ('0x10', '0'): ('1', '1600000000')})


@case
def causes_part_waits(w):
    """By when they began: 2 s of a program before its patch, 2 s of it and 2 s of its other lines after."""
    waits = [row for row in w.csv('samples', PATCHED, OFF_CPU) if row['kind'] == 'bpf']
    rows = w.csv('causes', PATCHED, OFF_CPU)
    patch = int(rows[-1]['first'])
    parts = add_up([dict(row, when=int(row['time']) >= patch) for row in waits], 'when')
    same(len(rows) > 2, True)
    for row in rows:
        found = {True: [int(row['on_waits']), int(row['on_off_cpu'])], False: [int(row['off_waits']), int(row['off_off_cpu'])]}
        same({(when,): count for when, count in found.items()}, parts)
        same((row['on_low'], row['on_high'], row['ratio_low'], row['p'], row['verdict']), ('', '', '', '', 'unknown'))
        on, off = float(row['on_rate']), float(row['off_rate'])
        assert abs(on - int(row['on_off_cpu']) / 1e9 / float(row['on_seconds'])) < 1e-3, row
        assert abs(off - int(row['off_off_cpu']) / 1e9 / float(row['off_seconds'])) < 1e-3, row
        assert abs(float(row['ratio']) - on / off) < 0.01, row


@case
def instants_part_waits(w):
    words = [PATCHED, '0xffffffffc0000000', '--at=start', '--at=end', '--all', OFF_CPU]
    waits = [row for row in w.csv('samples', PATCHED, OFF_CPU) if row['kind'] == 'bpf']
    rows = w.csv('text', *words)
    listing = w.text('text', *words)
    patch = int(w.csv('causes', PATCHED)[-1]['first'])
    for side, is_after in ('a', False), ('b', True):
        meant = [row for row in waits if (int(row['time']) >= patch) == is_after]
        time = sum(int(row['off_cpu']) for row in meant)
        same([sum(int(row[side + '_waits'] or 0) for row in rows), sum(int(row[side + '_off_cpu'] or 0) for row in rows)],
             [len(meant), time])
        assert len(meant) > 1 and f'{len(meant)} waits, {time} ns off CPU' in listing, listing
    assert 'samples' not in listing and 'a_samples' not in rows[0], listing


@case
def annotations_have_the_same_waits(w):
    """As a table, too: with time off CPU in ns, and shares of it."""
    waits = [row for row in w.csv('samples', CHAINS, OFF_CPU) if row['kind'] == 'bpf']
    number, time = add_up(waits)[()]
    rows = w.csv('annotate', CHAINS, waits[0]['occupant'], OFF_CPU)
    same(add_up(row for row in rows if row['waits'] != '0'), {(): [number, time]})
    listing = w.text('annotate', CHAINS, waits[0]['occupant'], OFF_CPU)
    total = sum(int(row['off_cpu']) for row in w.csv('samples', CHAINS, OFF_CPU))
    assert f'{time} of {total} ns off CPU' in listing, listing
    assert 'samples' not in listing, listing
    found = re.findall(r'^ *(\d+) +(\d+) +(\d+\.\d\d) ', listing, re.M)
    same([sum(int(row[0]) for row in found), sum(int(row[1]) for row in found)], [number, time])
    for row in found:
        assert abs(float(row[2]) - 100 * int(row[1]) / time) < 0.006, row


@case
def programs_cost_waits(w):
    """Of a program: those whose stack it is in; its own: those that began in it."""
    waits = w.csv('samples', CHAINS, OFF_CPU, '--callchain')
    through = [row for row in waits if 'bpf_prog_' in row['callchain'] or row['kind'] == 'bpf']
    row, = w.csv('cost', CHAINS, OFF_CPU, '--by=program')
    same((int(row['waits']), int(row['off_cpu'])), (len(through), sum(int(one['off_cpu']) for one in through)))
    same(int(row['own']), sum(int(one['off_cpu']) for one in through if one['kind'] == 'bpf'))
    assert abs(float(row['share']) - int(row['off_cpu']) / sum(int(one['off_cpu']) for one in waits)) < 1e-5, row
    same((row['rate_low'], row['rate_high'], row['p']), ('', '', ''))
    assert len(through) > 100 and float(row['rate']) > 0, row


@case
def samples_stay_what_they_are(w):
    rows = w.csv('functions', CHAINS)
    assert 'samples' in rows[0] and 'waits' not in rows[0], rows[0]
    same(w.csv('functions', CHAINS, '--measure=samples'), rows)


@case
def info_adds_them_up(w):
    facts = {row['fact']: row['value'] for row in w.csv('info', SWITCHES)}
    waits = w.csv('samples', SWITCHES, OFF_CPU)
    same(facts['off-cpu source'], 'switches')
    same(int(facts['off-cpu waits']), len(waits))
    same(int(facts['off-cpu waits without a recorded end']), sum(not row['off_cpu'] for row in waits))
    same(float(facts['off-cpu waiting'].removesuffix(' s')), sum(int(row['off_cpu'] or 0) for row in waits) / 1e9)
    assert not any(row['fact'].startswith('off-cpu') for row in w.csv('info', PLAIN))


def read_switches(w):
    """Of perf script: time, task, whether it goes off CPU, whether it could go on; in order."""
    text = subprocess.run(['perf', 'script', '-i', SWITCHES, '--show-switch-events', '--ns', '-F', 'tid,cpu,time'],
                          env=w.env, cwd=w.directory, capture_output=True, check=True).stdout.decode()
    found = re.findall(r'^\s*(?:\S+\s+)?(-?\d+)\s+\[\d+\]\s+(\d+)\.(\d{9}):\s+PERF_RECORD_SWITCH_CPU_WIDE\s+(IN|OUT)'
                       r'( preempt)?', text, re.M)
    switches = [(int(seconds + ns), int(tid), way == 'OUT', bool(could)) for tid, seconds, ns, way, could in found]
    return sorted(switches, key=lambda switch: switch[0])


@case
def waits_are_those_of_perf(w):
    if not shutil.which('perf'):
        raise Skip('no perf')
    switches = read_switches(w)
    same(len(switches), 20000)
    waits, off = [], {}
    for time, tid, is_out, could in switches:
        if tid in off:
            begin, is_wait = off.pop(tid)
            if is_wait:
                waits.append((begin, tid, '' if is_out else str(time - begin)))
        if is_out and tid != 0:
            off[tid] = (time, not could)
    waits += [(begin, tid, '') for tid, (begin, is_wait) in off.items() if is_wait]
    rows = w.csv('samples', SWITCHES, OFF_CPU)
    same(sorted((int(row['time']), int(row['tid']), row['off_cpu']) for row in rows), sorted(waits))


@case
def pictures_are_drawn(w):
    for view in 'flame', 'overview', 'heat', 'map', 'chart', 'annotation':
        w.run('render', CHAINS, '--view=' + view, OFF_CPU, '-o', 'waits.svg')
        w.run('render', CHAINS, '--view=' + view, '-o', 'samples.svg')
        assert w.read('waits.svg') != w.read('samples.svg'), view
    for rows in '--cpus', '--processes':
        w.run('render', CHAINS, OFF_CPU, '-o', 'plain.svg')
        w.run('render', CHAINS, rows, OFF_CPU, '-o', 'rows.svg')
        assert w.read('rows.svg') != w.read('plain.svg'), rows


@case
def times_are_those_of_samples(w):
    """A share of the recording is the same stretch of it, whatever is counted."""
    whole = [int(row['time']) for row in w.csv('samples', SWITCHES, OFF_CPU)]
    half = [int(row['time']) for row in w.csv('samples', SWITCHES, OFF_CPU, '--time', '0%,50%')]
    assert 0 < len(half) < len(whole), (len(half), len(whole))


@case
def stores_can_be_verified(w):
    w.run('import', CHAINS, '-o', 'chains.pentimento')
    w.run('import', '--verify', 'chains.pentimento')
    same(w.csv('samples', 'chains.pentimento', OFF_CPU), w.csv('samples', CHAINS, OFF_CPU))


@case
def what_has_no_meaning_is_refused(w):
    w.refused('stacks', PLAIN, OFF_CPU, status=1, says='no time off CPU')
    w.refused('render', PLAIN, '--view=flame', OFF_CPU, '-o', 'x.svg', status=1, says='no time off CPU')
    w.refused('text', PATCHED, '0xffffffffc0000000', '--at=end', OFF_CPU, status=2, says='two --at')
    w.refused('compare', CHAINS, '0xffffffffa0000010', OFF_CPU, status=2, says='waits do not come at random')
    w.refused('misattribution', CHAINS, OFF_CPU, status=2, says='perf annotate shows samples')
    w.refused('functions', CHAINS, '--measure=period', status=2, says='neither samples nor off-cpu')
    w.refused('stacks', CHAINS, OFF_CPU, '--before=1,2', '--after=2,3', status=2, says='samples only')
    w.refused('samples', CHAINS, OFF_CPU, '--payload', status=2, says='no payload')


main(World)
