#!/usr/bin/env python3
"""compare of two recordings, against what the other commands print of each of them (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import json
import os
import re
import shutil
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
FTRACE, KPROBES, K7_KPROBES, BPF, K7_BPF = (os.path.join(data, name) for name in (
    'b-ftrace.data', 'c-kprobes.data', 'k7-c-kprobes.data', 'd-bpf.data', 'k7-d-bpf.data'))


def key(row):
    """As the manual says which functions are the same."""
    symbol, occupant = row['symbol'], row['occupant']
    if row['kind'] == 'bpf':
        symbol, occupant = (re.sub(r'^bpf_prog_[0-9a-f]{16}_(?=.)', '', name) for name in (symbol, occupant))
    elif row['kind'] == 'stub':
        symbol, occupant = (re.sub(r'^bpf_trampoline_.*', 'bpf_trampoline_*', name) for name in (symbol, occupant))
    elif row['kind'] == 'dso':
        occupant = os.path.basename(occupant)
    return row['kind'], occupant, symbol


def count(rows, column='samples'):
    counts = collections.Counter()
    for row in rows:
        if row[column] != '0':
            counts[key(row)] += int(row[column])
    return counts


@case
def rows_are_the_functions_of_both(w):
    for filters in ([], ['--kind', 'kernel'], ['--time', '20%,60%'], ['--cpu', '0', '--kind', 'dso'], ['--comm', 'sh']):
        for a, b in ((FTRACE, KPROBES), (BPF, K7_BPF)):
            rows = w.csv('compare', a, b, *filters)
            for side, capture in (('a', a), ('b', b)):
                got = count(rows, side + '_samples')
                # Programs of one name but of other functions have these in brackets.
                merged = collections.Counter()
                for (kind, occupant, symbol), n in got.items():
                    merged[kind, re.sub(r' \(.*\)$', '', occupant), re.sub(r' \(.*\)$', '', symbol)] += n
                same(merged, count(w.csv('functions', capture, *filters)))
                same(sum(got.values()), len(w.csv('samples', capture, *filters)))
            same(len(rows), len({key(row) for row in rows}))


@case
def a_recording_and_itself(w):
    """And a copy, and its store: nothing differs, and all ratios are 1."""
    shutil.copytree(FTRACE, w.path('again.data'))
    w.run('import', FTRACE, '-o', 'mine.pentimento')
    for other in ('again.data', 'mine.pentimento'):
        rows = w.csv('compare', FTRACE, other)
        assert len(rows) > 100
        for row in rows:
            same((row['verdict'], row['share_verdict'], row['a_samples'], row['factor'], row['obstacle']),
                 ('', '', row['b_samples'], '1.000000', ''))
            same((row['ratio'], row['p']), ('1.000', '1'))
            same((row['a_rate'], row['a_low'], row['a_high']), (row['b_rate'], row['b_low'], row['b_high']))
            assert row['text'] in ('same', 'unknown') and row['sites'] == row['b_symbol'] == '', row
            same(row['changed'], '0' if row['text'] == 'same' else '')
        assert {'kernel', 'dso', 'stub'} <= {row['kind'] for row in rows if row['text'] == 'same'}
        same(w.csv('compare', other, FTRACE), rows)


@case
def sides_are_turned(w):
    """B against A has the inverse of A against B, and the verdicts turned."""
    turned = {'slower': 'faster', 'faster': 'slower', 'new': 'gone', 'gone': 'new', '': ''}
    forth = {key(row): row for row in w.csv('compare', KPROBES, K7_KPROBES)}
    back = {key(row): row for row in w.csv('compare', K7_KPROBES, KPROBES)}
    same(set(forth), set(back))
    assert {'slower', 'faster', 'new', 'gone'} <= {row['verdict'] for row in forth.values()}
    for name, row in forth.items():
        same(turned[row['verdict']], back[name]['verdict'])
        same(row['a_samples'], back[name]['b_samples'])
        if row['verdict'] in ('slower', 'faster'):
            assert abs(float(row['ratio']) * float(back[name]['ratio']) - 1) < 0.1, (row, back[name])
            assert not float(row['ratio_low']) <= 1 <= float(row['ratio_high']), row


@case
def listing_and_json(w):
    rows = w.csv('compare', BPF, K7_BPF)
    lines = w.text('compare', BPF, K7_BPF).splitlines()
    assert lines[0].startswith('A  ') and lines[1].startswith('B  '), lines[:2]
    assert '6.1.0' in lines[0] and '7.2' in lines[1], lines[:2]
    assert 'divided by %.4g' % float(rows[0]['factor']) in lines[2], lines[2]
    assert lines[3].startswith('%d functions differ' % sum(row['verdict'] != '' for row in rows)), lines[3]
    same(len(lines), 5 + len(rows))
    for line, row in zip(lines[5:], rows):
        assert line.startswith(row['symbol'] or ' '), (line, row)
        cells = [row['verdict'], row['text'], row['changed'], row['sites'].replace(';', ', ')]
        assert line.split()[-sum(len(cell.split()) for cell in cells):] == ' '.join(cells).split() or not any(cells), (line, row)
    decided = [row['verdict'] != '' for row in rows]
    same(decided, sorted(decided, reverse=True))
    answer = json.loads(w.text('compare', BPF, K7_BPF, '--format=json'))
    same([row['b_samples'] for row in answer], [int(row['b_samples']) for row in rows])


@case
def lines_of_a_function(w):
    """Their samples are the function's on both sides, and those of the same text at the same offset."""
    rows = [row for row in w.csv('compare', FTRACE, KPROBES) if row['symbol'] and row['a_samples'] != '0' != row['b_samples']]
    symbols = ['vfs_read'] + [row['symbol'] for row in rows if row['text'] == 'same'][:6]
    for symbol in symbols:
        lines = w.csv('compare', FTRACE, KPROBES, symbol)
        for side, capture in (('a', FTRACE), ('b', KPROBES)):
            same(sum(int(line[side + '_samples']) for line in lines), len(w.csv('samples', capture, '--symbol', symbol)))
        whole = next(row for row in rows if row['symbol'] == symbol)
        differing = [line for line in lines if line['difference'] not in ('same', 'rest')]
        if whole['text'] == 'same':
            same(differing, [])
        assert all(line['symbol'] == symbol for line in lines)
    # At its entry, an instruction of one is that of the annotation.
    text = {(line['offset'], line['bytes']) for line in w.csv('annotate', FTRACE, symbols[1])}
    for line in w.csv('compare', FTRACE, KPROBES, symbols[1]):
        assert line['difference'] == 'rest' or (line['a_offset'], line['a_bytes']) in text, line
    w.refused('compare', FTRACE, KPROBES, 'no_such_function', status=1, says='no_such_function')
    intel = w.text('compare', FTRACE, KPROBES, symbols[1], '--syntax=intel')
    assert '%r' not in intel and intel.splitlines()[1].startswith('A  '), intel


@case
def usage(w):
    shutil.copytree(FTRACE, w.path('perf.data'))
    w.refused('compare', 'perf.data', FTRACE, '--phases', status=2, says='--phases is about one recording')
    w.refused('compare', 'perf.data', FTRACE, '--change', '1', status=2, says='--change')
    w.refused('compare', 'perf.data', FTRACE, '--kallsyms', 'x', status=2, says='--kallsyms')
    w.refused('compare', '-', '-', status=2, says='standard input')
    w.refused('compare', 'perf.data', 'nothing.data', status=1, says='nothing.data')
    w.refused('compare', 'perf.data', FTRACE, '--time', 'x', status=2, says='--time')
    with open(w.path('text'), 'w', encoding='utf-8') as file:
        file.write('no recording')
    w.refused('compare', 'perf.data', 'text', status=1, says='text')
    w.refused('compare', 'perf.data', FTRACE, '-o', 'perf.data', status=1, says='perf.data')
    # What only one of them lacks is named with it.
    message = w.run('compare', KPROBES, FTRACE, '--symbol', 'nothing_of_that_name').stderr.decode()
    assert 'c-kprobes.data' in message and 'b-ftrace.data' in message, message


main()
