#!/usr/bin/env python3
"""buckets against the rows that they add up: samples, annotate, history, occupants (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import os
import subprocess
import sys

from harness import case, main, same

data, waiting = (os.path.abspath(path) for path in sys.argv[2:4])
CAPTURES = [os.path.join(data, name) for name in sorted(os.listdir(data)) if name.endswith('.data')]
FTRACE, BPF, KEYS, ALL, WITNESS = (os.path.join(data, name + '.data') for name in (
    'b-ftrace', 'd-bpf', 'a-jump-labels', 'f-everything-z', 'w-witness'))
COLUMNS = 'samples period seconds kind build occupant symbol offset version cause event'.split()
PLACE = ('kind', 'occupant', 'symbol', 'event')
KERNEL = ('kernel', 'module', 'bpf', 'stub')


def add_up(rows, key, count):
    sums = collections.Counter()
    for row in rows:
        sums[key(row)] += count(row)
    return sums


def by_place(row):
    # Without a symbol, the offset is one in a file, which samples has not.
    return tuple(row[name] for name in PLACE) + (row['offset'] if row['symbol'] else '',)


# ---- the same samples ----

@case
def as_many_as_samples(w):
    for capture in CAPTURES:
        for words in ((), ('--kind', 'kernel'), ('--time', '20%,60%'), ('--changed',), ('--comm', '!hot'),
                      ('--cause', 'ftrace,static-key'), ('--kind', 'bpf,stub', '--cpu', '0')):
            buckets, samples = (w.csv(word, capture, *words) for word in ('buckets', 'samples'))
            same(sum(int(row['samples']) for row in buckets), len(samples))
            same(sum(int(row['period']) for row in buckets), sum(int(row['period'] or 0) for row in samples))
            same(add_up(buckets, by_place, lambda row: int(row['samples'])),
                 add_up(samples, by_place, lambda row: 1))
            same(+add_up(buckets, by_place, lambda row: int(row['samples']) if row['cause'] else 0),
                 +add_up(samples, by_place, lambda row: 1 if row['revision'] != '0' else 0))


@case
def most_samples_first_and_each_row_once(w):
    for capture in CAPTURES:
        rows = w.csv('buckets', capture)
        same(list(rows[0]), COLUMNS)
        counts = [int(row['samples']) for row in rows]
        same(counts, sorted(counts, reverse=True))
        assert 0 not in counts
        keys = [tuple(row[name] for name in COLUMNS[3:]) for row in rows]
        same(len(set(keys)), len(keys))


# ---- versions ----

def read_lines(w, capture, symbol):
    """Instructions of a function that have samples, each with its samples and time: by offset and bytes."""
    lines = collections.defaultdict(lambda: [0, 0.0])
    times = [int(row['time']) for row in w.csv('samples', capture)]
    for row in w.csv('annotate', capture, symbol):
        if row['samples'] != '0':
            line = lines[row['offset'], row['bytes'], row['revision'] != '0']
            line[0] += int(row['samples'])
            line[1] += max(0, min(int(row['to'] or 1 << 63), max(times)) - max(int(row['from'] or 0), min(times))) / 1e9
    return lines


@case
def texts_as_annotate_has_them(w):
    n = 0
    for capture in (FTRACE, KEYS, ALL):
        patched = {row['symbol'] for row in w.csv('buckets', capture, '--kind', 'kernel')
                   if row['cause'] and row['symbol']}
        for symbol in sorted(patched):
            lines = read_lines(w, capture, symbol)
            rows = w.csv('buckets', capture, '--symbol', symbol)
            same(len({(row['offset'], row['version'], row['cause'] != '') for row in rows}), len(lines))
            same(add_up(rows, lambda row: (row['offset'], row['cause'] != ''), lambda row: int(row['samples'])),
                 add_up(lines.items(), lambda item: (item[0][0], item[0][2]), lambda item: item[1][0]))
            near = sorted((row['offset'], row['cause'] != '', float(row['seconds'])) for row in rows)
            for found, line in zip(near, sorted((key[0], key[2], seconds) for key, (_, seconds) in lines.items())):
                same(found[:2], line[:2])
                assert abs(found[2] - line[2]) < .002, (symbol, found, line)
                n += 1
    assert n > 10, n


@case
def causes_as_history_has_them(w):
    n = 0
    for row in w.csv('buckets', ALL, '--kind', 'kernel'):
        if row['cause']:
            causes = {each['cause'] for each in w.csv('history', ALL, '%s+%s' % (row['symbol'], row['offset']))}
            assert row['cause'] in causes, (row, causes)
            n += 1
    assert n > 3, n


@case
def one_text_has_one_version_in_each_boot(w):
    """Of one kernel, wherever it and its modules lie; another instruction has another version."""
    versions = collections.defaultdict(set)
    for capture in CAPTURES:
        for row in w.csv('buckets', capture, '--kind', 'kernel'):
            if row['version'] and not row['cause']:
                versions[row['build'], row['symbol'], row['offset']].add(row['version'])
    assert len(versions) > 100, len(versions)
    same([place for place, found in versions.items() if len(found) > 1], [])
    assert len({tuple(found) for found in versions.values()}) > 50


@case
def versions_of_what_is_known(w):
    rows = w.csv('buckets', WITNESS)
    assert any(row['version'] for row in rows)
    for row in rows:
        assert not row['version'] or (row['kind'] in KERNEL + ('unknown',) and len(row['version']) == 16), row
        same(bool(row['seconds']), row['kind'] != 'unknown' or bool(row['version']) or bool(row['symbol']))


# ---- builds ----

@case
def builds(w):
    releases = {}
    for capture in CAPTURES:
        release = releases[capture] = {row['fact']: row['value'] for row in w.csv('info', capture)}.get('kernel release', '')
        for row in w.csv('buckets', capture):
            if row['kind'] == 'bpf':
                assert len(row['build']) == 16, row
            elif row['kind'] in ('kernel', 'stub', 'module'):
                assert row['build'] == release or len(row['build']) == 40, row
    assert len(set(releases.values())) > 1


@case
def programs_have_their_tags(w):
    tags = {row['occupant']: row['bpf_tag'] for row in w.csv('occupants', BPF, '--programs') if row['bpf_tag']}
    rows = w.csv('buckets', BPF, '--kind', 'bpf')
    assert rows
    for row in rows:
        same(row['build'], tags[row['occupant']])


# ---- time off CPU ----

@case
def waits(w):
    subprocess.run([waiting, w.directory], check=True)
    capture = w.path('chains.data')
    rows = w.csv('buckets', capture, '--measure=off-cpu')
    same(list(rows[0])[:2], ['waits', 'off_cpu'])
    others = w.csv('functions', capture, '--measure=off-cpu')
    for name in ('waits', 'off_cpu'):
        same(sum(int(row[name]) for row in rows), sum(int(row[name]) for row in others))
    lengths = [int(row['off_cpu']) for row in rows]
    same(lengths, sorted(lengths, reverse=True))


main()
