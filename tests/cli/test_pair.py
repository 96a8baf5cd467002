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
FTRACE, KPROBES, K7_KPROBES, BPF, K7_BPF, EVERYTHING = (os.path.join(data, name) for name in (
    'b-ftrace.data', 'c-kprobes.data', 'k7-c-kprobes.data', 'd-bpf.data', 'k7-d-bpf.data', 'f-everything-z.data'))


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
def one_store_is_as_its_copy(w):
    """Texts of one store are not read twice where they are the same whatever they are: the answer is the same."""
    for capture in (FTRACE, EVERYTHING):
        w.run('import', capture, '-o', 'one.pentimento')
        shutil.copy(w.path('one.pentimento'), w.path('copy.pentimento'))
        for times in ([], ['--time', '10%,40%', '--time', '60%,90%'], ['--time', '30%,', '--time', ',80%']):
            rows = w.csv('compare', 'one.pentimento', 'one.pentimento', *times)
            same(rows, w.csv('compare', 'one.pentimento', 'copy.pentimento', *times))
            assert any(row['text'] == 'same' for row in rows)
        os.remove(w.path('one.pentimento'))
        os.remove(w.path('copy.pentimento'))


@case
def sides_are_turned(w):
    """B against A has the inverse of A against B, and the verdicts turned."""
    turned = {'slower': 'faster', 'faster': 'slower', 'new': 'gone', 'gone': 'new', '': ''}
    forth = {key(row): row for row in w.csv('compare', KPROBES, K7_KPROBES)}
    # By the name in KPROBES, its B: what the compiler appends to a name differs.
    back = {key(dict(row, symbol=row['b_symbol'] or row['symbol'], occupant=row['b_occupant'] or row['occupant'])): row
            for row in w.csv('compare', K7_KPROBES, KPROBES)}
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


def plain(name):
    """A frame as it is called in any recording."""
    name = re.sub(r'^bpf_prog_[0-9a-f]{16}_(?=.)', '', name)
    return re.sub(r'^bpf_trampoline_.*', 'bpf_trampoline_*', re.sub(r' \(.*\)$', '', name))


def read_paths(rows, side):
    """Names from the outermost frame, and how many samples go through them, and end there."""
    through, own, path = collections.Counter(), collections.Counter(), []
    for row in rows:
        depth = int(row['depth'])
        name = plain(row['symbol']) or (row['kind'] == 'unknown' and '[unknown]') or row['occupant'] and (
            row['occupant'] if row['occupant'].startswith('[') else '[%s]' % os.path.basename(row['occupant'])) or '[callers unknown]'
        path[max(depth - 1, 0):] = [name] if depth else []
        through[tuple(path)] += int(row[side + '_samples'])
        own[tuple(path)] += int(row[side + '_own'])
    return +through, +own


@case
def call_paths_are_the_stacks_of_both(w):
    for filters in ([], ['--time', '20%,60%', '--kind', 'kernel']):
        rows = w.csv('compare', EVERYTHING, BPF, '--by=path', '--least=0', *filters)
        for side, capture in (('a', EVERYTHING), ('b', BPF)):
            expected, ends = collections.Counter(), collections.Counter()
            for row in w.csv('stacks', capture, *filters):
                path = tuple(plain(name) for name in row['stack'].split(';'))
                ends[path] += int(row['samples'])
                for i in range(len(path) + 1):
                    expected[path[:i]] += int(row['samples'])
            same(read_paths(rows, side), (expected, ends))
    rows = w.csv('compare', EVERYTHING, EVERYTHING, '--by=path')
    assert len(rows) > 50 and max(int(row['depth']) for row in rows) > 5, len(rows)
    for row in rows:
        same((row['verdict'], row['ratio'], row['a_rate'], row['a_low']), ('', '1.000', row['b_rate'], row['b_low']))
        assert float(row['a_share']) >= 0.001, row


@case
def call_paths_of_a_function(w):
    """From it to its callers: its samples and those of what it called, and each direct caller's."""
    rows = w.csv('compare', EVERYTHING, BPF, 'vfs_read', '--by=path', '--least=0')
    same([row['symbol'] for row in rows if row['depth'] == '1'], ['vfs_read'])
    callers = collections.Counter()
    for row in w.csv('callers', EVERYTHING, 'vfs_read'):
        callers[plain(row['symbol'])] += int(row['samples'])
    got = collections.Counter()
    for row in rows:
        if row['depth'] == '2':
            got[row['symbol']] += int(row['a_samples'])
    same(+got, +callers)
    same(int(rows[0]['a_samples']), sum(callers.values()))


@case
def lines_of_source(w):
    """Their samples are the function's; a program's lines were recorded with it."""
    symbols = {row['symbol']: row for row in w.csv('compare', BPF, K7_BPF, '--kind', 'bpf')}
    known = 0
    for symbol, row in symbols.items():
        lines = w.csv('compare', BPF, K7_BPF, symbol, '--by=line')
        text = w.csv('compare', BPF, K7_BPF, symbol)
        for side in 'ab':
            same(sum(int(line[side + '_samples']) for line in lines), sum(int(line[side + '_samples']) for line in text))
            assert {line[side + '_source'] for line in text} - {''} <= {line[side + '_source'] for line in lines}
            same(sum(int(line[side + '_instructions']) for line in lines), sum(line[side + '_offset'] != '' for line in text))
        same(sum(int(line['changed']) for line in lines), sum(line['difference'] in ('changed', 'added', 'removed', 'unknown') for line in text))
        known += sum(line['a_source'] != '' and line['a_source'] == line['b_source'] for line in lines)
    assert known > 3, known


@case
def lines_of_source_of_all_functions(w):
    """Each function's are those that it has by itself; sure differences are first."""
    rows = w.csv('compare', BPF, K7_BPF, '--by=line')
    for side in 'ab':
        functions = collections.Counter()
        for row in w.csv('compare', BPF, K7_BPF):
            functions[row['kind'], row['occupant'], row['symbol']] += int(row[side + '_samples'])
        lines = collections.Counter()
        for row in rows:
            lines[row['kind'], row['occupant'], row['symbol']] += int(row[side + '_samples'])
        same(+lines, +functions)
    decided = [row['verdict'] != '' for row in rows]
    same(decided, sorted(decided, reverse=True))
    assert any(decided)
    own = [row for row in w.csv('compare', BPF, K7_BPF, 'raw_a', '--by=line') if row['a_samples'] != '0' or row['b_samples'] != '0']
    place = ('a_source', 'b_source', 'a_instructions', 'b_instructions', 'a_samples', 'b_samples', 'changed')
    same(sorted([row[name] for name in place] for row in rows if row['symbol'] == 'raw_a'),
         sorted([row[name] for name in place] for row in own))
    lines = w.text('compare', BPF, K7_BPF, '--by=line').splitlines()
    same(len(lines), 4 + len(rows))


@case
def stacks_are_the_ends_of_paths(w):
    for a, b, filters in ((EVERYTHING, BPF, []), (EVERYTHING, EVERYTHING, ['--time', '0%,50%', '--time', '50%,100%'])):
        rows = w.csv('compare', a, b, '--by=stack', '--least=0', *filters)
        paths = w.csv('compare', a, b, '--by=path', '--least=0', *filters)
        for side in 'ab':
            got = collections.Counter()
            for row in rows:
                got[tuple(plain(name) for name in row['stack'].split(';'))] += int(row[side + '_samples'])
            same(+got, read_paths(paths, side)[1])
        decided = [row['verdict'] != '' for row in rows]
        same(decided, sorted(decided, reverse=True))
        same(any(decided), a == b)
    fewer = w.csv('compare', a, b, '--by=stack', '--least=2', *filters)
    assert fewer and all(max(float(row['a_share']), float(row['b_share'])) >= 0.02 for row in fewer), fewer
    w.refused('compare', a, b, 'vfs_read', '--by=stack', status=2, says='--symbol=vfs_read')


@case
def functions_without_samples_that_stand_differently(w):
    """They are last, and their texts differ as those of others do."""
    jump_labels = os.path.join(data, 'a-jump-labels.data')
    for words in ((jump_labels, FTRACE), (FTRACE, FTRACE, '--time', '0%,40%', '--time', '0%,75%')):
        rows = w.csv('compare', *words)
        silent = [row for row in rows if row['a_samples'] == row['b_samples'] == '0']
        assert silent and rows[-len(silent):] == silent, silent
        for row in silent:
            assert row['text'] in ('patched', 'differs') and int(row['changed']) > 0, row
            same((row['verdict'], row['ratio'], row['p']), ('', '', '1'))
        # Those that one recording alone has samples of are compared, too.
        single = [row for row in rows if '0' in (row['a_samples'], row['b_samples']) and row not in silent]
        assert any(row['text'] in ('same', 'patched', 'differs') for row in single), single
    same([row for row in w.csv('compare', FTRACE, FTRACE) if row['a_samples'] == '0'], [])


@case
def what_stands_differently(w):
    """Flips, times and samples are those that other commands print of each recording."""
    found = collections.Counter()
    for a, b, filters in ((EVERYTHING, BPF, []), (BPF, K7_BPF, []), (KPROBES, FTRACE, ['--time', '10%,70%'])):
        rows = w.csv('compare', a, b, '--by=cause', *filters)
        for side, capture in (('a', a), ('b', b)):
            told = w.csv('causes', capture, *filters)
            # ftrace's own memory is no place.
            flips = collections.Counter()
            for row in told:
                if row['level'] == '2' and not (row['cause'] == 'ftrace' and row['kind'] == 'stub'):
                    flips[row['cause']] += int(row['flips'])
            got = collections.Counter()
            for row in rows:
                if row['cause'] != 'program':
                    got[row['cause']] += int(row[side + '_flips'])
            same(+got, +flips)
            seconds = {(row['cause'], row['for']): float(row['on_seconds']) for row in told if row['level'] == '1'}
            # Of text that was there all the time.
            whole = max(sum(float(row[name + '_seconds']) for name in ('on', 'off', 'unknown')) for row in told)
            for row in rows:
                if row['cause'] in ('static-key', 'static-call', 'kprobe') and row[side + '_known_by'] == 'patches' \
                        and (row['cause'], row['for']) in seconds:
                    on = float(row[side + '_on']) * whole
                    assert abs(on - seconds[row['cause'], row['for']]) < 0.001, (row, whole, seconds)
                    found[row['cause']] += 1
            if not filters:
                programs = {plain(row['occupant']) for row in w.csv('occupants', capture, '--kind', 'bpf')}
                got = {plain(row['for']) for row in rows if row['cause'] == 'program' and row[side + '_sites'] != '0'}
                assert got and got <= programs, (got, programs)
            for row in [row for row in rows if row['symbol'] == 'vfs_read' and row['cause'] in ('kprobe', 'ftrace')]:
                same(int(row[side + '_samples']), len(w.csv('samples', capture, '--symbol', 'vfs_read', *filters)))
        ranks = [row['difference'] and (row['difference'] == 'unknown') + 1 or 3 for row in rows]
        same(ranks, sorted(ranks))
        for row in rows:
            found[row['difference']] += 1
            if row['difference'] == 'new':
                assert row['a_state'] in ('off', 'absent') and row['b_state'] in ('on', 'both'), row
            if row['difference'] == 'gone':
                assert row['b_state'] in ('off', 'absent') and row['a_state'] in ('on', 'both'), row
        lines = w.text('compare', a, b, '--by=cause', *filters).splitlines()
        assert lines[3].startswith('%d of %d things' % (sum(rank == 1 for rank in ranks), len(rows))), lines[3]
        same(len(lines), 5 + len(rows))
    assert {'new', 'gone', 'more', 'less', 'static-key', 'static-call', 'kprobe'} <= set(found), found
    for row in w.csv('compare', EVERYTHING, EVERYTHING, '--by=cause'):
        same([row['a' + name] for name in ('_state', '_on', '_flips', '_sites', '_samples', '_known_by')],
             [row['b' + name] for name in ('_state', '_on', '_flips', '_sites', '_samples', '_known_by')])
        assert row['difference'] == row['verdict'] == '', row


@case
def texts_of_two_kernels(w):
    """6.1 without landings, 7.2 with: programs and short functions of one source are the same."""
    for a, b, names in ((BPF, K7_BPF, ('raw_a', 'raw_b', 'sock_a', 'sock_b', 'sock_sub', 'sub_mix')),
                        (KPROBES, K7_KPROBES, ('__x64_sys_read', '__x64_sys_write'))):
        texts = {row['symbol']: row['text'] for row in w.csv('compare', a, b)}
        same({name: texts[name] for name in names}, dict.fromkeys(names, 'same'))


@case
def versions_are_those_of_the_function(w):
    """Of a name that one function has, what the list of functions says."""
    rows = w.csv('compare', FTRACE, KPROBES)
    for side, capture in (('a', FTRACE), ('b', KPROBES)):
        told = collections.defaultdict(list)
        for row in w.csv('functions', capture):
            told[key(row)].append(row['versions'])
        found = {key(row): row[side + '_versions'] for row in rows if row[side + '_samples'] != '0' and not row['b_symbol']}
        single = {name: versions for name, versions in found.items() if len(told[name]) == 1}
        same(single, {name: told[name][0] for name in single})
        assert len(set(single.values())) > 1, set(single.values())


@case
def two_times_of_one_recording(w):
    """--time twice: the first is A's, the second B's, each on its own clock."""
    both = w.csv('compare', FTRACE, FTRACE, '--time', '10%,40%', '--time', '60%,90%')
    for side, time in (('a', '10%,40%'), ('b', '60%,90%')):
        expected = count(w.csv('functions', FTRACE, '--time', time))
        same(count(both, side + '_samples'), expected)
    assert any(row['verdict'] for row in both)
    lines = w.csv('compare', FTRACE, FTRACE, 'vfs_read', '--time', '10%,40%', '--time', '60%,90%')
    for side, time in (('a', '10%,40%'), ('b', '60%,90%')):
        same(sum(int(line[side + '_samples']) for line in lines), len(w.csv('samples', FTRACE, '--symbol', 'vfs_read', '--time', time)))
    same(w.csv('compare', FTRACE, KPROBES, '--time', '20%,60%', '--time', '20%,60%'), w.csv('compare', FTRACE, KPROBES, '--time', '20%,60%'))
    w.refused('compare', FTRACE, KPROBES, '--time', '1%,2%', '--time', '1%,2%', '--time', '1%,2%', status=2, says='one for each')
    w.refused('functions', FTRACE, '--time', '1%,2%', '--time', '1%,2%', status=2, says='more than one')


@case
def usage(w):
    w.refused('compare', FTRACE, KPROBES, '--by=word', status=2, says='“word”')
    w.refused('compare', FTRACE, 'vfs_read', '--by=path', status=2, says='two recordings')
    w.refused('compare', FTRACE, KPROBES, '--least=3', status=2, says='--least needs --by=path')
    w.refused('compare', FTRACE, KPROBES, '--by=path', '--least=x', status=2, says='--least')
    w.refused('compare', FTRACE, KPROBES, 'vfs_read', '--by=function', status=2, says='--by=function')
    w.refused('compare', FTRACE, KPROBES, 'vfs_read', '--by=cause', status=2, says='--symbol=vfs_read')
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
