#!/usr/bin/env python3
"""stacks, callers and callees: against each sample's callchain, and against perf's own (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys

from harness import Skip, case, main, same

data, write_capture = (os.path.abspath(path) for path in sys.argv[2:4])
CHAINS, PLAIN = (os.path.join(data, name) for name in ('f-everything-z.data', 'b-ftrace.data'))
UNKNOWN = '[callers unknown]'
FILTERS = [[], ['--time', '30%,60%'], ['--kind', 'bpf,stub'], ['--comm', 'hot'], ['--cpu', '0', '--changed'],
           ['--symbol', 'vfs_read'], ['--event', 'no-such-event']]


def read_folded(text):
    stacks = collections.Counter()
    for line in text.splitlines():
        stack, n = line.rsplit(' ', 1)
        assert stack not in stacks, stack
        stacks[stack] = int(n)
    return stacks


def fold_comm(comm):
    return (comm or '[unknown]').replace(' ', '_').replace(';', ':')


def name_of(place):
    """The name that a place of --callchain has in a stack: occupants of text without symbols are all there is."""
    if place == '[unknown]':
        return place
    symbol = re.fullmatch(r'(.*)\+0x[0-9a-f]+(?: \[.*)?', place)
    if symbol:
        return symbol[1]
    occupant = re.fullmatch(r'0x[0-9a-f]+ \[(.*)\]', place)[1]
    kinds = {'unknown': '[unknown]', 'guest': '[unknown]'}
    return kinds.get(occupant, '[%s]' % os.path.basename(occupant))


def read_samples(w, *filters):
    """Of each sample its comm, period, and the places of its stack, the outermost first."""
    rows = []
    for row in json.loads(w.text('samples', CHAINS, '--callchain', '--format=json', *filters)):
        if row['callchain']:
            places = row['callchain'][::-1]
        else:
            leaf = '[unknown]'
            if row['symbol']:
                leaf = '%s+%s' % (row['symbol'], row['offset'])
            elif row['occupant']:
                leaf = '%s [%s]' % (row['address'], row['occupant'].strip('[]'))
            places = [UNKNOWN, leaf]
        rows.append((row['comm'], row['period'] or 0, places))
    return rows


def fold(samples, measure=lambda period: 1):
    stacks = collections.Counter()
    for comm, period, places in samples:
        names = [place if place == UNKNOWN else name_of(place).replace(';', ':') for place in places]
        stacks[';'.join([fold_comm(comm), *names])] += measure(period)
    return stacks


@case
def folded_stacks_are_the_samples_callchains(w):
    for filters in FILTERS:
        samples = read_samples(w, *filters)
        same(read_folded(w.text('stacks', CHAINS, '--format=folded', *filters)), fold(samples))
        if not filters:
            assert len(samples) > 10000 and len(fold(samples)) > 500
            same(read_folded(w.text('stacks', CHAINS, '--format=folded', '--measure=period')),
                 fold(samples, lambda period: period))


@case
def totals_are_those_of_samples(w):
    for capture in (CHAINS, PLAIN):
        for filters in FILTERS:
            n = len(w.csv('samples', capture, *filters))
            rows = w.csv('stacks', capture, *filters)
            same(sum(int(row['samples']) for row in rows), n)
            same(sum(int(row['samples']) for row in w.csv('stacks', capture, '--by=occupant', *filters)), n)
            counts = [int(row['samples']) for row in rows]
            same(counts, sorted(counts, reverse=True))


@case
def every_format_has_the_same_stacks(w):
    folded = w.text('stacks', CHAINS, '--format=folded').splitlines()
    rows = json.loads(w.text('stacks', CHAINS, '--format=json'))
    same([';'.join([fold_comm(row['comm']), *row['stack']]) + ' %d' % row['samples'] for row in rows], folded)
    text = w.text('stacks', CHAINS, '--symbol', 'vfs_read')
    assert ' ksys_read → vfs_read\n' in text and '←' not in text, text[:500]
    table = w.csv('stacks', CHAINS)
    same([(row['comm'], row['samples'], row['period']) for row in table],
         [(row['comm'], str(row['samples']), str(row['period'])) for row in rows])


@case
def what_has_no_callchain_says_so(w):
    for line in w.text('stacks', PLAIN, '--format=folded').splitlines():
        assert re.fullmatch(r'[^;]*;\[callers unknown\];[^;]* \d+', line), line
    for row in w.csv('callers', PLAIN, 'vfs_read'):
        same((row['relation'], row['symbol'], row['occupant']), ('unknown', '', ''))


@case
def suffixes(w):
    plain = read_folded(w.text('stacks', CHAINS, '--format=folded'))
    more = read_folded(w.text('stacks', CHAINS, '--format=folded', '--suffix=offset,version,occupant'))
    assert len(more) > len(plain)
    assert any(re.search(r';vfs_read\+0x[0-9a-f]+@\d+ \[kernel\.kallsyms\];', stack) for stack in more)
    stripped = collections.Counter()
    for stack, n in read_folded(w.text('stacks', CHAINS, '--format=folded', '--suffix=version')).items():
        stripped[re.sub(r'@\d+(?=;|$)', '', stack)] += n
    same(stripped, plain)


# ---- perf's own ----


def perf_samples():
    """Of each sample its time and stack, as stackcollapse-perf.pl would fold it."""
    if not shutil.which('perf'):
        raise Skip('there is no perf')
    got = subprocess.run(['perf', 'script', '-i', CHAINS, '--ns', '-F', 'comm,time,ip,sym,dso'],
                         capture_output=True, check=False)
    samples = []
    for block in got.stdout.decode(errors='replace').split('\n\n'):
        lines = [line for line in block.splitlines() if line.strip()]
        head = re.match(r'\s*(.*?)\s+(\d+)\.(\d{9}):\s*(.*)', lines[0]) if lines else None
        if not head:
            continue
        names = []
        for line in lines[1:]:
            ip = re.match(r'\s*[0-9a-f]+ (.*) \((.*)\)$', line)
            if not ip:
                continue
            name = ip[1] if ip[1] != '[unknown]' else '[%s]' % os.path.basename(ip[2]).strip('[]')
            names.append(name.replace(';', ':'))
        stack = ';'.join([fold_comm(head[1]), *names[::-1]]) if names else None
        samples.append((int(head[2]) * 10**9 + int(head[3]), stack))
    if not samples:
        raise Skip('perf does not read the recording: %s' % got.stderr.decode(errors='replace')[:80])
    return samples


@case
def folded_stacks_are_perfs_where_names_are(w):
    theirs = dict(perf_samples())
    rows = json.loads(w.text('samples', CHAINS, '--callchain', '--format=json'))
    ours = {row['time']: stack for row, stack in
            zip(rows, (next(iter(fold([sample]))) for sample in read_samples(w)))}
    same(len(rows), len(perf_samples()))
    differing = set()
    for time, stack in ours.items():
        if theirs.get(time) != stack:
            differing |= {stack, theirs.get(time)}
    folded = read_folded(w.text('stacks', CHAINS, '--format=folded'))
    alike = collections.Counter(stack for _, stack in perf_samples() if stack not in differing)
    assert sum(alike.values()) > 5000, sum(alike.values())
    same({stack: folded[stack] for stack in alike}, dict(alike))


# ---- callers and callees ----


def neighbours(samples, symbol, is_caller):
    """Who stands next to the innermost (of callees: outermost) frame of a symbol, with the samples."""
    counts = collections.Counter()
    for _, _, places in samples:
        names = [place if place == UNKNOWN else name_of(place) for place in places]
        if symbol not in names:
            continue
        if is_caller:
            at = len(names) - 1 - names[::-1].index(symbol)
            near = names[at - 1] if at > 0 else 'outermost'
        else:
            at = names.index(symbol)
            near = names[at + 1] if at + 1 < len(names) else 'itself'
        counts[near] += 1
    return counts


def near_of(row):
    if row['relation'] == 'unknown':
        return UNKNOWN
    if row['relation'] in ('outermost', 'itself'):
        return row['relation']
    return row['symbol'] or ('[%s]' % os.path.basename(row['occupant']).strip('[]') if row['occupant'] else '[unknown]')


def sum_up(rows):
    counts = collections.Counter()
    for row in rows:
        counts[near_of(row)] += int(row['samples'])
    return counts


@case
def callers_and_callees_are_the_callchains(w):
    for filters in ([], ['--time', '30%,60%'], ['--comm', 'hot']):
        samples = read_samples(w, *filters)
        for symbol in ('vfs_read', 'do_syscall_64', 'schedule', 'memcpy_orig', '__schedule'):
            for command in ('callers', 'callees'):
                expected = neighbours(samples, symbol, command == 'callers')
                rows = w.csv(command, CHAINS, symbol, *filters)
                same(sum_up(rows), expected)
                same(len(rows), len({(near_of(row), row['kind'], row['occupant']) for row in rows}))
                if expected:
                    same(round(sum(float(row['share']) for row in rows), 3), 1)


@case
def versions_part_the_rows_by_the_text_of_the_call(w):
    patches = {row['time'] for row in w.csv('changes', CHAINS, '--symbol', 'vfs_read') if row['change'] == 'poke'}
    plain = sum_up(w.csv('callees', CHAINS, 'vfs_read'))
    rows = w.csv('callees', CHAINS, 'vfs_read', '--versions')
    same(sum_up(rows), plain)
    patched = [row for row in rows if row['since']]
    assert patched, rows
    for row in patched:
        assert row['since'] in patches, row
        assert row['cause'] and int(row['revision']) > 0, row
    # A call is where it is from the patch on that brought it: within the band in which it may be seen before.
    for row in patched:
        assert int(row['first']) >= int(row['since']) - 20_000_000, row
    same(sum_up(w.csv('callers', CHAINS, 'ftrace_trampoline', '--versions')),
         sum_up(w.csv('callers', CHAINS, 'ftrace_trampoline')))


@case
def one_revision_of_a_place(w):
    rows = w.csv('callees', CHAINS, 'vfs_read', '--versions')
    numbers = sorted({int(row['revision']) for row in rows})
    assert len(numbers) > 2, rows
    for number in numbers:
        same(w.csv('callees', CHAINS, 'vfs_read', '--versions', '--revision=%d' % number)[0]['revision'], str(number))
        # The outermost frame of the function is the one that counts: of that revision, or one that is.
        counted = sum_up(w.csv('callees', CHAINS, 'vfs_read', '--revision=%d' % number))
        expected = sum_up(row for row in rows if int(row['revision']) == number)
        assert all(counted[near] >= n for near, n in expected.items()), (counted, expected)
    same(w.csv('callees', CHAINS, 'vfs_read', '--revision=1000'), [])
    w.refused('callees', CHAINS, 'vfs_read', '--revision=-2', status=2, says='not a revision')


@case
def lines_are_places_too(w):
    poke = next(row for row in w.csv('changes', CHAINS, '--symbol', 'vfs_read', '--cause', 'ftrace') if row['new'])
    start = int(poke['offset'], 16)
    end = start + len(poke['new'].split())
    n = leaves = 0
    for _, _, places in read_samples(w):
        at = [re.fullmatch(r'vfs_read\+0x([0-9a-f]+) \[kernel\.kallsyms\]', place) for place in places]
        offsets = [int(place[1], 16) if place else -1 for place in at]
        # A call returns to the byte after it.
        calls = any(start < offset <= end for offset in offsets[:-1])
        leaves += not calls and start <= offsets[-1] < end
        n += calls or start <= offsets[-1] < end
    rows = w.csv('callees', CHAINS, 'vfs_read+%s' % poke['offset'])
    same(sum(int(row['samples']) for row in rows), n)
    same(sum(int(row['samples']) for row in rows if row['relation'] == 'itself'), leaves)
    assert n > leaves, (n, leaves)
    same(w.csv('callees', CHAINS, poke['address']), rows)


def seconds(time):
    return '%d.%09d' % divmod(time, 1_000_000_000)


@case
def callers_as_of_a_time_are_those_of_the_text_of_that_time(w):
    start, end = (int(w.csv('samples', CHAINS)[i]['time']) for i in (0, -1))
    for symbol, patched in (('vfs_read', True), ('do_syscall_64', False)):
        changes = w.csv('changes', CHAINS, '--symbol', symbol)
        edges = sorted({int(row['time']) for row in changes if row['change'] == 'poke'})
        assert (len(edges) > 5) == patched, edges
        times = [start] + edges + [edge + 1000 for edge in edges] + [edge - 1 for edge in edges] + [end]
        for time in times[::3] + times[-1:]:
            first = max([edge for edge in edges if edge <= time], default=start)
            last = min([edge - 1 for edge in edges if edge > time], default=end)
            for command in ('callers', 'callees'):
                rows = w.csv(command, CHAINS, symbol, '--versions', '--at', seconds(time))
                within = w.csv(command, CHAINS, symbol, '--versions', '--time', '%s,%s' % (seconds(first), seconds(last)))
                key = ('relation', 'symbol', 'samples', 'share', 'first', 'last', 'revision')
                same([[row[name] for name in key] for row in rows], [[row[name] for name in key] for row in within])
    # A filter of time goes on to hold, and the place has to stand somewhere then.
    same(w.csv('callers', CHAINS, 'vfs_read', '--at', 'start', '--time', '90%,100%'), [])
    line = w.csv('callees', CHAINS, 'vfs_read+0x0', '--at=end')
    assert sum_up(line) <= sum_up(w.csv('callees', CHAINS, 'vfs_read+0x0')), line
    program = next(row for row in w.csv('occupants', CHAINS) if row['kind'] == 'bpf' and row['from'])
    w.refused('callers', CHAINS, program['occupant'], '--at=start', status=1, says='at that time')
    w.refused('callers', CHAINS, 'vfs_read', '--at=soon', status=2, says='soon')


@case
def wrong_words_are_refused(w):
    w.refused('stacks', CHAINS, '--by=task', status=2, says='function, occupant, file')
    w.refused('stacks', CHAINS, '--format=svg', status=2, says='table, csv, json, folded')
    w.refused('stacks', CHAINS, '--suffix=offset,line', status=2, says='“line”')
    w.refused('callers', CHAINS, 'vfs_read', '--measure=time', status=2, says='not one of samples, period, off-cpu')
    w.refused('callers', CHAINS, status=2, says='missing symbol')
    w.refused('callees', CHAINS, 'no_such_function', status=1, says='no_such_function')
    w.refused('samples', CHAINS, '--format=folded', status=2, says='table, csv, json')


@case
def frames_are_merged_by_file(w):
    """Also of functions that have no samples of their own; unknown files are shown as unknown."""
    made = subprocess.run([write_capture, w.directory], check=False).returncode
    if made == 77:
        raise Skip('no compiler')
    same(made, 0)
    folded = read_folded(w.text('stacks', 'perf.data', '--by=file', '--format=folded'))
    same(folded, {'program;begin/start.c;[unknown file of program];a/long/way/down/middle.c;end/leaf.c': 50})
    row, = w.csv('callers', 'perf.data', 'leaf', '--by=file')
    same((row['file'], row['kind'], row['samples']), ('a/long/way/down/middle.c', 'dso', '50'))
    row, = w.csv('callers', 'perf.data', 'middle', '--by=file')
    same((row['file'], os.path.basename(row['occupant'])), ('', 'program'))
    rows = w.csv('stacks', 'perf.data', '--by=file', '--before=0%,50%', '--after=50%,100%')
    same([row['file'] for row in rows if row['depth'] != '0'], ['begin/start.c', '', 'a/long/way/down/middle.c', 'end/leaf.c'])
    row, = w.csv('callers', 'perf.data', 'leaf')
    same((row['symbol'], 'file' in row), ('middle', False))
    # Without debug information: by kind and occupant, under another name.
    by_occupant = read_folded(w.text('stacks', CHAINS, '--by=occupant', '--format=folded'))
    by_file = read_folded(w.text('stacks', CHAINS, '--by=file', '--format=folded'))
    same(sorted(by_file.values()), sorted(by_occupant.values()))
    assert all('[unknown file of ' in stack or '[unknown]' in stack or UNKNOWN in stack for stack in by_file), by_file


main()
