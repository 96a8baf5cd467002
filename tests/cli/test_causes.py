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
