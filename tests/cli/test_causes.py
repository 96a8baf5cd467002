#!/usr/bin/env python3
"""The command causes: its rows against changes, in three groupings and formats (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
FTRACE = os.path.join(data, 'b-ftrace.data')
KPROBES = os.path.join(data, 'c-kprobes.data')
EVERYTHING = os.path.join(data, 'f-everything-z.data')

PARTS = 'trampoline', 'handler', 'program'
COST = ['cost', 'cost_share'] + ['cost_' + part for part in PARTS]
COUNTS = ['cost'] + ['cost_' + part for part in PARTS]


def patches(w, capture, *words):
    """A fill or a clear has an empty side, and a poke that changes nothing has equal ones."""
    return [row for row in w.csv('changes', capture, '--batches', *words)
            if row['change'] == 'poke' and row['old'] and row['new'] and row['old'] != row['new']]


def count(rows, key):
    counts = {}
    for row in rows:
        counts[key(row)] = counts.get(key(row), 0) + 1
    return counts


@case
def flips_are_patches(w):
    for capture in (FTRACE, KPROBES, EVERYTHING):
        rows = w.csv('causes', capture)
        assert rows, capture
        flips = {row['cause']: int(row['flips']) for row in rows if row['level'] == '0'}
        same(flips, count(patches(w, capture), lambda row: row['cause']))
        assert list(flips.values()) == sorted(flips.values(), reverse=True), flips
        sites = {}
        for row in patches(w, capture):
            sites.setdefault(row['cause'], set()).add((row['address'], row['occupant']))
        for row in rows:
            if row['level'] == '0':
                assert int(row['sites']) >= len(sites[row['cause']]), row


@case
def each_row_adds_up(w):
    for by in ('key', 'task', 'function'):
        rows = w.csv('causes', EVERYTHING, '--by=' + by)
        for level in (0, 1):
            for i, row in enumerate(rows):
                if int(row['level']) != level:
                    continue
                below = []
                for other in rows[i + 1:]:
                    if int(other['level']) <= level:
                        break
                    if int(other['level']) == level + 1:
                        below.append(other)
                assert below, row
                same(int(row['flips']), sum(int(other['flips']) for other in below))
                same([other['cause'] for other in below], [row['cause']] * len(below))
                assert max(float(other['on_seconds']) for other in below) <= float(row['on_seconds']) + 1e-9, row


@case
def by_task_and_function(w):
    known = patches(w, EVERYTHING)
    tasks = {(row['cause'], row['for']): int(row['flips'])
             for row in w.csv('causes', EVERYTHING, '--by=task') if row['level'] == '1'}
    same(tasks, count(known, lambda row: (row['cause'], '%s [%s]' % (row['comm'], row['pid']))))
    functions = {(row['cause'], row['for']): int(row['flips'])
                 for row in w.csv('causes', EVERYTHING, '--by=function', '--cause=static-key') if row['level'] == '1'}
    same(functions, count([row for row in known if row['cause'] == 'static-key'],
                          lambda row: (row['cause'], row['symbol'])))


@case
def cost_is_that_of_cost(w):
    """By site, with several rows of one site added up, and by cause, in each grouping and under filters."""
    for words in ([], ['--time', '20%,60%'], ['--cpu', '1']):
        sites = {(row['cause'], row['address']): row for row in w.csv('cost', EVERYTHING, *words)}
        causes = {row['cause']: row for row in w.csv('cost', EVERYTHING, '--by=cause', *words)}
        for by in ('key', 'task', 'function'):
            found = {}
            for row in w.csv('causes', EVERYTHING, '--by=' + by, *words):
                if row['cause'] not in ('ftrace', 'bpf', 'kprobe', 'optprobe'):
                    same([row[column] for column in COST], [''] * len(COST))
                    continue
                same(int(row['cost']), sum(int(row['cost_' + part]) for part in PARTS))
                if row['level'] == '0' and row['cause'] in causes:
                    cause = causes[row['cause']]
                    same([row[column] for column in COST],
                         [cause[column] for column in ('samples', 'share') + PARTS])
                elif row['level'] == '0':
                    same(row['cost'], '0')
                elif row['level'] == '2':
                    key = row['cause'], row['address']
                    sums = found.setdefault(key, dict.fromkeys(COUNTS, 0))
                    for column in COUNTS:
                        sums[column] += int(row[column])
            assert found
            for key, sums in found.items():
                known = [int(sites[key][column]) if key in sites else 0 for column in ('samples',) + PARTS]
                if '--cpu' in words:
                    # Only what was patched on that CPU has a row.
                    assert all(n <= most for n, most in zip(sums.values(), known)), (key, sums, known)
                else:
                    same(list(sums.values()), known)
            for key, site in sites.items():
                assert not key[1] or site['samples'] == '0' or key in found or '--cpu' in words, site


@case
def cost_adds_up(w):
    for by in ('key', 'task', 'function'):
        parent = None
        for row in w.csv('causes', EVERYTHING, '--by=' + by, '--cause=bpf'):
            if row['level'] == '1':
                assert parent is None or parent == 0, parent
                parent = int(row['cost'])
            elif row['level'] == '2':
                parent -= int(row['cost'])
        same(parent, 0)


@case
def no_cost_without_callchains(w):
    for row in w.csv('causes', FTRACE):
        same([row[column] for column in COST], [''] * len(COST))


@case
def filters(w):
    rows = w.csv('causes', FTRACE, '--symbol', 'vfs_read')
    same(len(rows), len([row for row in rows if row['level'] != '2' or row['symbol'] == 'vfs_read']))
    first = w.csv('causes', FTRACE, '--cause', 'ftrace')[0]
    half = w.csv('causes', FTRACE, '--cause', 'ftrace', '--time', '0%,50%')[0]
    assert 0 < int(half['flips']) < int(first['flips']), (half, first)
    assert float(half['on_seconds']) < float(first['on_seconds']), (half, first)
    same(int(half['flips']), len(patches(w, FTRACE, '--cause', 'ftrace', '--time', '0%,50%')))
    same(w.csv('causes', FTRACE, '--pid', '99999'), [])


@case
def formats_agree(w):
    rows = w.csv('causes', KPROBES)
    same([row['for'] for row in rows],
         [row['for'] or '' for row in json.loads(w.text('causes', KPROBES, '--format=json'))])
    listing = w.text('causes', KPROBES).splitlines()
    same(len(listing), len(rows) + 1)
    assert listing[1].startswith(rows[0]['cause']), listing[1]
    assert listing[2].startswith('  ' + rows[1]['for']), listing[2]


@case
def wrong_grouping(w):
    w.refused('causes', FTRACE, '--by=cpu', status=2, says='“cpu”')


main()
