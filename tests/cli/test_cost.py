#!/usr/bin/env python3
"""The command cost: its rows against samples with their callchains (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import re
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
BPF = os.path.join(data, 'd-bpf.data')
EVERYTHING = os.path.join(data, 'f-everything-z.data')
NAME = re.compile(r'(bpf_prog_[0-9a-f]{16}(?:_\w+)?)\+')


def name_of(occupant):
    """A subprogram belongs to its program."""
    name = occupant.split('_', 3)[-1]
    return 'sock_sub' if name == 'sub_mix' else name


@case
def programs_are_those_of_the_stacks(w):
    """Each sample counts once for each program in its stack."""
    found = {}
    own = {}
    total = 0
    for sample in w.csv('samples', EVERYTHING, '--callchain'):
        frames = sample['callchain'].split(';') if sample['callchain'] else [sample['symbol'] + '+0x0']
        total += 1
        programs = {name_of(match.group(1)) for match in map(NAME.match, frames) if match}
        for program in programs:
            found[program] = found.get(program, 0) + 1
        if sample['kind'] == 'bpf':
            name = name_of(sample['occupant'])
            own[name] = own.get(name, 0) + 1
    assert found and own
    rows = w.csv('cost', EVERYTHING, '--by=program')
    sums, alone = {}, {}
    for row in rows:
        sums[row['program']] = sums.get(row['program'], 0) + int(row['samples'])
        alone[row['program']] = alone.get(row['program'], 0) + int(row['own'])
        assert abs(float(row['share']) - int(row['samples']) / total) < 1e-6, row
    same({name: n for name, n in sums.items() if n}, found)
    same({name: n for name, n in alone.items() if n}, own)
    for before, row in zip(rows, rows[1:]):
        if before['program'] == row['program']:
            same(row['previous_bpf_id'], before['bpf_id'])
            assert int(before['from']) <= int(row['from']), row


@case
def sites_add_up(w):
    rows = w.csv('cost', EVERYTHING)
    causes = w.csv('cost', EVERYTHING, '--by=cause')
    assert causes
    for cause in causes:
        of_cause = [row for row in rows if row['cause'] == cause['cause']]
        for column in ('samples', 'period', 'trampoline', 'handler', 'program'):
            same(sum(int(row[column]) for row in of_cause), int(cause[column]))
        same(int(cause['samples']),
             sum(int(cause[part]) for part in ('trampoline', 'handler', 'program')))
    assert any(row['cause'] == 'ftrace' and int(row['samples']) > 0 and row['symbol'] for row in rows), rows
    patched = {(row['cause'], row['address']) for row in w.csv('changes', EVERYTHING)}
    for row in rows:
        if row['address']:
            assert (row['cause'], row['address']) in patched, row
            assert float(row['rate_low']) <= float(row['rate']) <= float(row['rate_high']), row
    same(rows, sorted(rows, key=lambda row: -int(row['samples'])))


@case
def filters_apply(w):
    whole = w.csv('cost', EVERYTHING, '--by=cause')
    parts = [w.csv('cost', EVERYTHING, '--by=cause', '--cpu', cpu) for cpu in ('0', '1')]
    for row in whole:
        same(int(row['samples']), sum(int(other['samples']) for part in parts for other in part
                                      if other['cause'] == row['cause']))
    same(w.csv('cost', EVERYTHING, '--time', '0,1'), [])
    half = w.csv('cost', EVERYTHING, '--time', '0%,50%')
    seconds = {(row['cause'], row['address']): float(row['seconds']) for row in half if row['address']}
    for row in w.csv('cost', EVERYTHING):
        if (row['cause'], row['address']) in seconds:
            assert seconds[row['cause'], row['address']] <= float(row['seconds']), row


@case
def without_callchains(w):
    """Only what stands in a program or trampoline itself is known."""
    rows = w.csv('cost', BPF, '--by=program')
    assert any(int(row['own']) > 0 for row in rows)
    assert all(row['samples'] == row['own'] for row in rows), rows
    same(len(json.loads(w.text('cost', BPF, '--by=program', '--format=json'))), len(rows))


@case
def refusals(w):
    w.run('cost', EVERYTHING, '--by=sunset', status=2)
    w.run('cost', EVERYTHING, 'vfs_read', status=2)


main()
