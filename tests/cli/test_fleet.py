#!/usr/bin/env python3
"""export --fleet: files for a database, against the commands that answer the same of one recording (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import io
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import harness
from harness import Skip, case, cli, main, same

data = os.path.abspath(sys.argv[2])
CAPTURES = [os.path.join(data, name) for name in sorted(os.listdir(data)) if name.endswith('.data')]
FTRACE, BPF, KEYS, ALL, PIPE = (os.path.join(data, name + '.data') for name in (
    'b-ftrace', 'd-bpf', 'a-jump-labels', 'f-everything-z', 'a-pipe'))
TABLES = ['buckets', 'capture', 'causes', 'changes', 'occupants']
ZSTD = shutil.which('zstd')


def read(path):
    """Rows of one file: its frame is checked on the way."""
    if ZSTD is None:
        raise Skip('there is no zstd')
    text = subprocess.run([ZSTD, '-dc', path], capture_output=True, check=True).stdout.decode()
    return list(csv.DictReader(io.StringIO(text, newline='')))


class World(harness.World):
    def export(self, *captures, status=0):
        """The recordings' IDs, as they are told."""
        got = self.run('export', '--fleet=fleet', *captures, status=status)
        same(got.stdout, b'')
        return re.findall(r': ([0-9a-f]{16}): \d+ new file', got.stderr.decode())

    def table(self, name, identity):
        return read(self.path('fleet/%s-%s.csv.zst' % (name, identity)))

    def files(self):
        return sorted(os.listdir(self.path('fleet')))


def total(rows, name):
    return sum(int(row[name]) for row in rows)


# ---- files ----

@case
def a_file_per_recording_and_table(w):
    ids = w.export(*CAPTURES)
    same(len(set(ids)), len(CAPTURES))
    same(w.files(), sorted('%s-%s.csv.zst' % (table, identity) for table in TABLES for identity in ids))
    for identity in ids:
        for table in TABLES:
            assert all(row['capture'] == identity for row in w.table(table, identity))
        same(len(w.table('capture', identity)), 1)


@case
def what_is_there_is_not_made_again(w):
    identity = w.export(BPF)[0]
    before = {name: os.stat(w.path('fleet/' + name)) for name in w.files()}
    os.remove(w.path('fleet/changes-%s.csv.zst' % identity))
    got = w.run('export', '--fleet', 'fleet', BPF)
    assert b': 1 new file\n' in got.stderr, got.stderr
    for name in w.files():
        after = os.stat(w.path('fleet/' + name))
        same((after.st_ino, after.st_mtime_ns) == (before[name].st_ino, before[name].st_mtime_ns),
             not name.startswith('changes'))
    same(len(w.files()), len(TABLES))


@case
def its_name_stays(w):
    ids = w.export(FTRACE)
    shutil.copytree(FTRACE, w.path('moved'))
    w.run('import', 'moved', '-o', 'mine.pentimento')
    for other in ('moved', 'mine.pentimento'):
        same(w.export(other), ids)
    same(len(w.files()), len(TABLES))


@case
def one_that_cannot_be_read_does_not_stop_the_others(w):
    with open(w.path('bad.data'), 'wb') as file:
        file.write(b'PERFILE2' + bytes(1000))
    got = w.run('export', '--fleet=fleet', 'bad.data', BPF, 'nothing', FTRACE, status=1)
    message = got.stderr.decode()
    assert message.count('5 new files') == 2 and 'bad.data' in message and 'nothing' in message, message
    assert message.endswith('2 of 4 recordings were not exported\n'), message
    same(len(w.files()), 2 * len(TABLES))
    assert not any(name.startswith('.') for name in os.listdir(w.path('fleet')))


@case
def what_was_killed_leaves_no_half(w):
    """Each file is whole, and the next call removes what was left and makes the rest."""
    os.mkdir(w.path('fleet'))
    for _ in range(3):
        process = subprocess.Popen([cli, 'export', '--fleet=fleet', *CAPTURES], env=w.env, cwd=w.directory,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(name.startswith('buckets') for name in w.files()):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for name in w.files():
            if re.fullmatch(r'[a-z]+-[0-9a-f]{16}\.csv\.zst', name):
                read(w.path('fleet/' + name))
    w.export(*CAPTURES)
    same(len(w.files()), len(CAPTURES) * len(TABLES))
    assert all(re.fullmatch(r'[a-z]+-[0-9a-f]{16}\.csv\.zst', name) for name in w.files()), w.files()


@case
def usage(w):
    for words, says in (((), 'missing recordings'), ((BPF, '--to=pprof'), '--to exclude'), ((BPF, '-o', 'x'), '-o exclude'),
                        ((BPF, '--kind=bpf'), 'without filters'), ((BPF, '--time=1,2'), 'without filters'),
                        ((BPF, '--measure=off-cpu'), '--measure exclude'), ((BPF, '--duckdb'), 'unexpected argument'),
                        (('--duckdb', '--clickhouse'), 'exclude each other')):
        w.refused('export', '--fleet=fleet', *words, status=2, says=says)
    w.refused('export', '--duckdb', status=2, says='--fleet=DIR')
    w.refused('export', BPF, status=2, says='--fleet=DIR')
    shutil.copytree(BPF, w.path('perf.data'))
    w.refused('export', '--fleet=perf.data', 'perf.data', status=1, says='is the input or part of it')
    with open(w.path('file'), 'wb'):
        pass
    w.refused('export', '--fleet=file', BPF, status=1, says='file')


@case
def tables_of_databases(w):
    sql = w.text('export', '--clickhouse')
    same(sorted(re.findall(r'^CREATE TABLE IF NOT EXISTS (\w+) \(', sql, re.M)), TABLES)
    assert 'Nullable' not in ' '.join(re.findall(r'^  (?:build|offset|version|samples) .*', sql, re.M))
    os.mkdir(w.path("it's [1]*"))
    views = w.text('export', "--fleet=it's [1]*", '--duckdb')
    same(sorted(re.findall(r'^CREATE OR REPLACE VIEW (\w+) ', views, re.M)), TABLES)
    assert "/it''s [[]1][*]/buckets-*.csv.zst'" in views, views
    w.run('export', '--clickhouse', '-o', 'x.sql')
    same(w.read('x.sql').decode(), sql)


# ---- rows ----

@case
def rows_add_up_to_the_commands(w):
    for capture in CAPTURES:
        identity = w.export(capture)[0]
        samples, changes, occupants, causes = (w.csv(word, capture) for word in (
            'samples', 'changes', 'occupants', 'causes'))
        mine = {table: w.table(table, identity) for table in TABLES}
        head = mine['capture'][0]
        same((int(head['samples']), int(head['changes'])), (len(samples), len(changes)))
        same((total(mine['buckets'], 'samples'), total(mine['buckets'], 'period')),
             (len(samples), sum(int(row['period'] or 0) for row in samples)))
        same(total(mine['changes'], 'changes'), len(changes))
        for name in ('samples', 'changes'):
            same(total(mine['occupants'], name), total(occupants, name))
        same(total(mine['occupants'], 'tenures'), len(occupants))
        for name in ('flips', 'sites'):
            same(total(mine['causes'], name), total([row for row in causes if row['level'] == '1'], name))
        patches = collections.Counter(row['cause'] for row in changes if row['old'] and row['new'] and row['old'] != row['new'])
        found = collections.Counter()
        for row in mine['changes']:
            if row['effect'] == 'patch':
                found[row['cause']] += int(row['changes'])
        same(found, patches)


@case
def the_recording_itself(w):
    for capture in (FTRACE, PIPE):
        row = w.table('capture', w.export(capture)[0])[0]
        facts = {fact['fact']: fact['value'] for fact in w.csv('info', capture)}
        same(row['kernel'], facts.get('kernel release', ''))
        same(row['host'], facts.get('host', ''))
        times = [int(sample['time']) for sample in w.csv('samples', capture)]
        assert abs(float(row['seconds']) - (max(times) - min(times)) / 1e9) < .0006
        same((row['text_pokes'], row['lost']), ('1', '0'))


@case
def dates(w):
    """In UTC: perf's clock and the day's, read at one moment."""
    with_dates = [capture for capture in CAPTURES if 'began' in {row['fact'] for row in w.csv('info', capture)}]
    for capture in with_dates:
        row = w.table('capture', w.export(capture)[0])[0]
        began = {fact['fact']: fact['value'] for fact in w.csv('info', capture)}['began']
        same(row['started'][:10], began[:10])
    for capture in set(CAPTURES) - set(with_dates):
        row = w.table('capture', w.export(capture)[0])[0]
        same((row['started'], row['boot']), ('', ''))


@case
def a_clock_of_the_day_tells_no_boot(w):
    """That of CLOCK_REALTIME began in 1970."""
    for clock, has_boot in ((1, True), (4, True), (7, True), (0, False), (11, False)):
        w.run('import', CAPTURES[0], '-o', 'a.pentimento')
        with sqlite3.connect(w.path('a.pentimento')) as database:
            database.execute("DELETE FROM capture WHERE key IN ('wall_clock_offset_ns', 'clock_id')")
            database.executemany('INSERT INTO capture VALUES (?, ?)', [('wall_clock_offset_ns', '1700000000123456789'),
                                                                       ('clock_id', str(clock))])
        shutil.rmtree(w.path('fleet'), ignore_errors=True)
        row = w.table('capture', w.export('a.pentimento')[0])[0]
        same(row['boot'], '2023-11-14 22:13:20.123' if has_boot else '')
        assert row['started'] >= '2023-11-14 22:13:20.123', row


@case
def no_address_is_in_it(w):
    for identity in w.export(*CAPTURES):
        for table in TABLES:
            for row in w.table(table, identity):
                assert not any(re.search(r'0xf[0-9a-f]{7}|18446[0-9]{15}', value or '') for value in row.values()), row


@case
def texts_of_changes_are_those_of_samples(w):
    """The version that a patch brings is the one that samples on it have, and the next patch's version before."""
    n = 0
    for capture in (ALL, KEYS, FTRACE):
        identity = w.export(capture)[0]
        changes = [row for row in w.table('changes', identity) if row['effect'] == 'patch']
        brought = {(row['symbol'], row['offset'], row['cause'], row['version']) for row in changes}
        texts = {(row['symbol'], row['offset']): set() for row in changes}
        for row in changes:
            texts[row['symbol'], row['offset']] |= {row['version'], row['before']}
        for row in w.table('buckets', identity):
            place = row['symbol'], row['offset']
            if row['cause'] and place in texts:
                assert place + (row['cause'], row['version']) in brought, row
                n += 1
            elif row['kind'] == 'kernel' and place in texts:
                assert row['version'] in texts[place], row
                n += 1
    assert n > 10, n


@case
def times_of_texts(w):
    """All texts of a site together stood for as long as it was recorded."""
    identity = w.export(KEYS)[0]
    whole = float(w.table('capture', identity)[0]['seconds'])
    sites = collections.defaultdict(float)
    for row in w.table('changes', identity):
        if row['seconds']:
            sites[row['symbol'], row['offset']] += float(row['seconds'])
    assert len(sites) > 50
    assert all(0 <= seconds < whole + .01 for seconds in sites.values()), sites
    # Of a site that was patched twice and more, the first text's time is missing.
    assert max(sites.values()) > whole / 3


main(World)
