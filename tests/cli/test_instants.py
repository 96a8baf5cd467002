#!/usr/bin/env python3
"""text with two moments, against what the other commands print of each of them (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
FTRACE, KPROBES, BPF = (os.path.join(data, name) for name in ('b-ftrace.data', 'c-kprobes.data', 'd-bpf.data'))


def seconds(ns):
    return '%d.%09d' % divmod(ns, 10 ** 9)


def stood(row, at):
    return (not row['from'] or int(row['from']) <= at) and (not row['to'] or at < int(row['to']))


def find_stretch(rows, at):
    """Of the function's lines at that time: since the last change of any of them, until the next."""
    now = [row for row in rows if stood(row, at)]
    since = [int(row['from']) for row in now if row['from']]
    until = [int(row['to']) for row in now if row['to']]
    return max(since, default=0), min(until, default=1 << 64)


def count(samples, lines, stretch):
    """Samples of each line: at its own bytes, while it was there. Unknown bytes are one line up to the next."""
    counts = [0] * len(lines)
    ends = [int(line['address'], 16) for line in lines[1:]] + [1 << 64]
    for sample in samples:
        address = int(sample['address'], 16) if sample['address'] else 0
        if not stretch[0] <= int(sample['time']) < stretch[1]:
            continue
        for i, line in enumerate(lines):
            start = int(line['address'], 16)
            end = start + len(line['bytes'].split()) if line['bytes'] else ends[i]
            if start <= address < end and sample['occupant'] == line['occupant']:
                counts[i] += 1
    return counts


def twin(texts, counts):
    """The rows that there have to be: by address, what stood there at A and at B."""
    sides = [{line['address']: (line, n) for line, n in zip(text, side)} for text, side in zip(texts, counts)]
    for address in sorted(set(sides[0]) | set(sides[1])):
        (a, n_a), (b, n_b) = (side.get(address, (None, None)) for side in sides)
        if a and b:
            difference = 'same' if a['instruction'] == b['instruction'] else 'changed'
            assert (a['bytes'] == b['bytes']) == (difference == 'same') and (a['bytes'] != '') == (b['bytes'] != '')
        else:
            difference = 'removed' if a else 'added'
        yield (address, difference, a and (a['bytes'], a['instruction'], a['target'], str(n_a)),
               b and (b['bytes'], b['instruction'], b['target'], str(n_b)))


def told(row):
    def side(letter):
        cells = tuple(row[letter + name] for name in ('_bytes', '_instruction', '_target', '_samples'))
        return cells if cells[3] else None
    return row['address'], row['difference'], side('a'), side('b')


@case
def two_moments_are_each_moment(w):
    n = 0
    for capture in (FTRACE, KPROBES, BPF):
        for function in [f for f in w.csv('functions', capture, '--changed') if f['symbol'] and f['kind'] == 'kernel'
                         and f['start']][:4]:
            history = [row for row in w.csv('annotate', capture, function['start']) if row['kind'] == 'kernel']
            times = sorted({int(row['from']) for row in history if row['from']})
            if not times:
                continue
            samples = w.csv('samples', capture, '--symbol', function['symbol'])
            for pair in ((times[0] - 1, times[0]), (times[-1], times[0] - 1), (times[len(times) // 2], times[-1] + 1000)):
                words = [word for at in pair for word in ('--at', seconds(at))]
                texts = [w.csv('text', capture, function['symbol'], '--at', seconds(at)) for at in pair]
                stretches = [find_stretch(history, at) for at in pair]
                counts = [count(samples, text, stretch) for text, stretch in zip(texts, stretches)]
                rows = w.csv('text', capture, function['symbol'], '--all', *words)
                expected = list(twin(texts, counts))
                for row, wanted in zip(rows, expected):
                    same(told(row), wanted)
                same(len(rows), len(expected))
                same([told(row) for row in w.csv('text', capture, function['symbol'], *words)],
                     [row for row in expected if row[1] != 'same'])
                for row in rows:
                    for letter, (since, until) in zip('ab', stretches):
                        same((row[letter + '_from'], row[letter + '_to']),
                             (str(since) if since else '', str(until) if until < 1 << 64 else ''))
                n += 1
    assert n >= 20, n


@case
def forms(w):
    at = ('--at', 'start', '--at', '6.2')
    rows = w.csv('text', FTRACE, 'vfs_read', *at)
    same(len(rows), 1)
    same(rows[0]['a_instruction'].split()[0], 'nopl')
    same(rows[0]['b_target'], 'ftrace_trampoline')
    table = w.text('text', FTRACE, 'vfs_read', *at)
    assert '1 of 172 lines differ' in table and 'ftrace_trampoline' in table, table
    same([{key: str(value) if value is not None else '' for key, value in row.items()}
          for row in json.loads(w.text('text', FTRACE, 'vfs_read', *at, '--format=json'))],
         [{key: value[1:] if value.startswith("'") else value for key, value in row.items()} for row in rows])
    # what has a name at one of them only
    rows = w.csv('text', FTRACE, 'ftrace_trampoline', '--at=start', '--at=7')
    same({row['difference'] for row in rows}, {'occupant'})
    same({(row['a_occupant'], row['b_occupant']) for row in rows}, {('', 'ftrace_trampoline')})
    w.refused('text', FTRACE, 'ftrace_trampoline', '--at=start', '--at=5', status=1, says='was not there')
    # fewer samples, the same text
    whole = w.csv('text', FTRACE, 'vfs_read', '--all', *at)
    some = w.csv('text', FTRACE, 'vfs_read', '--all', *at, '--cpu=0')
    other = w.csv('text', FTRACE, 'vfs_read', '--all', *at, '--cpu=1')
    for all_row, row, rest in zip(whole, some, other):
        same(row['b_instruction'], all_row['b_instruction'])
        same(int(row['b_samples']) + int(rest['b_samples']), int(all_row['b_samples']))
        same(int(row['a_samples']) + int(rest['a_samples']), int(all_row['a_samples']))
    assert 0 < sum(int(row['a_samples']) for row in some), some


@case
def wrong_usage(w):
    for words, says in ((['--at=1', '--at=2', '--at=3'], '--at'), (['--at=1', '--at=2', '--raw'], '--raw'),
                        (['--at=1', '--all'], '--all'), (['--at=1', '--cpu=0'], 'filters'),
                        (['--at=1', '--at=zz'], 'zz')):
        w.refused('text', FTRACE, 'vfs_read', *words, status=2, says=says)
    w.refused('annotate', FTRACE, 'vfs_read', '--at=1', '--at=2', status=2, says='--at')


main()
