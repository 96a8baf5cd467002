#!/usr/bin/env python3
"""The command sql, the extension in SQLite's own shell, and stores that someone has changed (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import harness
from harness import Skip, case, cli, main, same

data, extension, shell = (os.path.abspath(path) if path else '' for path in sys.argv[2:5])
CAPTURES = [os.path.join(data, name) for name in ('b-ftrace.data', 'd-bpf.data', 'f-everything-z.data')]
CONTRACT = 'time,event,cpu,pid,tid,comm,address,kind,occupant,revision,symbol,offset,period'


class World(harness.World):
    """With a cache and stores of its own."""

    def __init__(self, directory, _cache):
        super().__init__(directory, os.path.join(directory, 'cache'))

    def store(self, capture=CAPTURES[0], name='a.pentimento'):
        self.run('import', capture, '-o', name)
        return self.path(name)

    def ask(self, store, query, *options):
        text = self.run('sql', store, query, '--format=json', *options).stdout.decode()
        return json.loads(text)

    def refused(self, store, query, *options, says, status=2):
        super().refused('sql', store, query, *options, status=status, says=says)


# ---- answers ----

def contract_rows(text):
    """The sample table with its addresses as numbers, as SQL has them."""
    rows = []
    for row in csv.DictReader(io.StringIO(text, newline='')):
        for name in ('address', 'offset'):
            if row[name]:
                number = int(row[name], 16)
                row[name] = str(number - (1 << 64) if number >> 63 else number)
        rows.append({name: cell[1:] if cell.startswith("'") else cell for name, cell in row.items()})
    return rows


def sql_rows(text):
    rows = csv.DictReader(io.StringIO(text, newline=''))
    return [{name: cell[1:] if cell.startswith("'") else cell for name, cell in row.items()} for row in rows]


@case
def samples_are_rows(w):
    for capture in CAPTURES:
        expected = contract_rows(w.run('samples', capture, '--format=csv').stdout.decode())
        query = 'SELECT %s FROM sample' % CONTRACT
        got = w.run('sql', capture, query, '--format=csv').stdout.decode()
        assert len(expected) > 1000
        same(sql_rows(got), expected)


@case
def samples_of_a_stream(w):
    with open(os.path.join(CAPTURES[0], 'data'), 'rb') as file:
        content = file.read()
    got = w.run('sql', '-', 'SELECT count(*) AS n FROM sample', '--format=csv', input=content)
    same(got.stdout, b'n\n4570\n')


@case
def tables_agree(w):
    store = w.store(CAPTURES[2])
    same(w.ask(store, 'SELECT symbol, samples FROM function_total WHERE samples > 0 AND symbol IS NOT NULL'
                      ' ORDER BY function_total.samples DESC, symbol'),
         w.ask(store, 'SELECT symbol, count(*) AS samples FROM sample WHERE symbol IS NOT NULL'
                      ' GROUP BY function ORDER BY 2 DESC, 1'))
    same(w.ask(store, 'SELECT kind, occupant, samples FROM occupant_total WHERE samples > 0'),
         w.ask(store, 'SELECT kind, occupant, sum(samples) AS samples FROM occupant_second'
                      ' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2'))
    same(w.ask(store, 'SELECT sum(samples) AS n FROM version_total'),
         w.ask(store, 'SELECT count(*) AS n FROM sample'))
    patches = w.ask(store, 'SELECT sum(patches) AS n, min(first) AS first FROM patch_total')
    same(patches, w.ask(store, 'SELECT sum(patches) AS n, min(first) AS first FROM patcher_total'))
    assert patches[0]['n'] > 100, patches
    same(w.ask(store, 'SELECT count(*) AS n FROM tenure t WHERE samples <>'
                      ' (SELECT ifnull(sum(samples), 0) FROM bucket WHERE tenure = t.id)'), [{'n': 0}])


@case
def callchains_and_payloads(w):
    capture = CAPTURES[2]
    rows = w.run('samples', capture, '--callchain', '--format=json').stdout.decode()
    chains = [row['callchain'] for row in json.loads(rows)]
    depths = w.ask(capture, 'SELECT (SELECT count(*) FROM callchain(s.callchain)) AS n FROM sample s')
    found = [(len(chain), row['n']) for chain, row in zip(chains, depths) if chain]
    for printed, stored in found:
        assert printed in (stored, stored + 1), (printed, stored)
    same(len(depths), len(chains))


@case
def values(w):
    store = w.store()
    row = w.ask(store, "SELECT 0.1 AS a, 1e300 AS b, 9e999 AS c, NULL AS d, x'00ff' AS e, -5 AS f,"
                       " 'a' || char(0) || 'b' AS g, 9223372036854775807 AS h, x'' AS i, 1 AS a")
    same(row, [{'a': 0.1, 'b': 1e300, 'c': None, 'd': None, 'e': '00 ff', 'f': -5, 'g': 'a\ufffdb',
                'h': 9223372036854775807, 'i': None, 'a:1': 1}])
    row = w.ask(store, 'SELECT 1 AS "a""\\\n"')
    same(row, [{'a"\\\n': 1}])
    table = w.run('sql', store, 'SELECT zeroblob(40) AS "\x1b[31m", char(27) AS b').stdout.decode()
    assert '\x1b' not in table and '\\x1b[31m' in table and '…' in table, table
    same(w.run('sql', store, 'SELECT 1 AS a WHERE 0', '--format=csv').stdout, b'a\n')
    w.run('sql', store, 'SELECT 7 AS a', '-o', 'out.csv', '--format=csv')
    with open(w.path('out.csv'), 'rb') as file:
        same(file.read(), b'a\n7\n')
    w.run('sql', 'SELECT 7 AS a', store)  # in either order, as with other commands


# ---- nothing but reading ----

@case
def only_one_query_that_reads(w):
    store = w.store()
    with open(store, 'rb') as file:
        before = file.read()
    for query in ('DELETE FROM tenure_row', 'UPDATE tenure_row SET id = 1', "INSERT INTO capture VALUES ('a', 'b')",
                  'DROP TABLE tenure_row', 'DROP VIEW tenure', 'CREATE TABLE x (a)', 'CREATE TEMP TABLE x (a)',
                  'CREATE TEMP VIEW x AS SELECT 1', 'BEGIN', 'COMMIT', 'SAVEPOINT a', 'VACUUM',
                  "VACUUM INTO 'copy'", "ATTACH 'other' AS other", 'DETACH main', 'REINDEX', 'ANALYZE',
                  'ALTER TABLE tenure_row RENAME TO x', 'PRAGMA journal_mode = wal',
                  'PRAGMA writable_schema = 1', 'PRAGMA user_version = 9', 'PRAGMA hard_heap_limit = 0',
                  "PRAGMA temp_store_directory = '/'", 'PRAGMA trusted_schema = 1',
                  'CREATE VIRTUAL TABLE temp.x USING fts5 (a)'):
        w.refused(store, query, says='can only read' if not query.startswith('PRAGMA') else 'PRAGMA')
    w.refused(store, 'UPDATE sqlite_schema SET sql = 1', says='may not be modified')
    w.refused(store, 'DELETE FROM sample', says='')
    w.refused(store, "SELECT load_extension('x')", says='load_extension')
    w.refused(store, "SELECT fts3_tokenizer('x')", says='fts3_tokenizer')
    w.refused(store, 'SELECT 1; SELECT 2', says='one query at a time')
    w.refused(store, 'SELECT 1; nonsense', says='one query at a time')
    for query in ('', ' ', '/* only a comment */', ';'):
        w.refused(store, query, says='empty')
    w.refused(store, 'SELECT :a', says=':a')
    w.refused(store, 'SELEC', says='syntax error')
    w.refused(store, 'SELECT * FROM nowhere', says='sample, bucket')
    w.refused(store, 'SELECT nowhat FROM sample', says='nowhat')
    same(sorted(os.listdir(w.directory)), ['a.pentimento'])
    with open(store, 'rb') as file:
        same(file.read(), before)


@case
def what_describes_is_allowed(w):
    store = w.store()
    same(w.ask(store, 'PRAGMA user_version'), w.ask(store, 'SELECT user_version FROM pragma_user_version'))
    names = [row['name'] for row in w.ask(store, 'PRAGMA table_info(tenure)')]
    assert 'occupant' in names, names
    same([row['name'] for row in w.ask(store, "SELECT name FROM pragma_table_info('tenure')")], names)
    columns = [row['name'] for row in w.ask(store, 'PRAGMA table_info(sample)')]
    same(','.join(columns[:13]), CONTRACT)
    same(w.ask(store, 'SELECT 1 AS a; -- and a comment'), [{'a': 1}])
    same(w.ask(store, "SELECT value AS v FROM json_each('[1,2]')"), [{'v': 1}, {'v': 2}])
    assert w.ask(store, 'EXPLAIN QUERY PLAN SELECT * FROM sample')


@case
def wrong_words(w):
    store = w.store()
    for words, says in ((['sql'], 'missing recording'), (['sql', store], 'missing query'),
                        (['sql', store, 'SELECT 1', 'x'], '“x”'),
                        (['sql', store, 'SELECT 1', '--timeout=-1'], '--timeout'),
                        (['sql', store, 'SELECT 1', '--timeout=x'], 'timeout'),
                        (['samples', store, '--timeout=1'], '--timeout')):
        message = w.run(*words, status=2).stderr.decode()
        assert says in message, message


@case
def bounds(w):
    store = w.store()
    w.refused(store, 'SELECT count(*) FROM sample a, sample b, sample c', '--timeout=1', status=1,
              says='stopped after 1 s')
    w.refused(store, 'SELECT %s' % ', '.join(['randomblob(16000000)'] * 20), status=1, says='256 MiB')
    w.refused(store, 'SELECT randomblob(100000000)', status=1, says='too big')
    w.refused(store, 'SELECT %s' % '+'.join(['1'] * 1000), says='')
    same(w.ask(store, 'SELECT 1 AS a', '--timeout=0'), [{'a': 1}])


# Hours within one function: SQLite can stop between two of them only.
TEXT = "replace(hex(zeroblob(7000000)), '0', 'a')"
UNFOUND = "substr(%s, 1, 6000000) || 'b'" % TEXT
ENDLESS = ('SELECT instr(%s, %s)' % (TEXT, UNFOUND), "SELECT length(replace(%s, %s, ''))" % (TEXT, UNFOUND))


@case
def one_function_is_stopped_by_the_timeout(w):
    store = w.store()
    for query in ENDLESS:
        w.refused(store, query, '--timeout=1', '-o', 'out.csv', status=1, says='stopped after 1 s')
        same(sorted(os.listdir(w.directory)), ['a.pentimento'])


def has_thread(process, name):
    tasks = '/proc/%d/task' % process.pid
    for task in os.listdir(tasks):
        with open(os.path.join(tasks, task, 'comm'), encoding='ascii') as file:
            if file.read().strip() == name:
                return True
    return False


@case
def one_function_is_interrupted(w):
    store = w.store()
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen([cli, 'sql', store, ENDLESS[0], '--timeout=0', '-o', 'out.csv'], env=w.env,
                              cwd=w.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while not has_thread(process, 'query watch'):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(number)
            output, errors = process.communicate(timeout=120)
        same((process.returncode, output), (1, b''))
        assert errors.startswith(b'pentimento-cli: ') and b'Cancelled' in errors, errors
        same(sorted(os.listdir(w.directory)), ['a.pentimento'])


@case
def long_cells_are_bounded(w):
    """Fifty of 14 MB, one after another, in each format: together they are more than the bound."""
    store = w.store()
    query = 'SELECT %s AS a FROM (SELECT id FROM sample LIMIT 50)' % TEXT
    for form in ('csv', 'json', 'table'):
        with open(os.devnull, 'wb') as nothing:
            process = subprocess.Popen([cli, 'sql', store, query, '--format=' + form], env=w.env, stdout=nothing)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        same(process.returncode, 0)
        assert usage.ru_maxrss < 512 << 10, (form, usage.ru_maxrss)


# ---- SQLite's own shell ----

@case
def in_the_shell(w):
    if not shell:
        raise Skip('sqlite3 is not installed')
    store = w.store(CAPTURES[2])
    before = os.stat(store)
    query = 'SELECT %s FROM sample WHERE time > 0 ORDER BY id' % CONTRACT
    words = [shell, '-readonly', '-csv', '-header', '-nullvalue', '', '-cmd', '.load ' + extension, store]
    got = subprocess.run([*words, query], capture_output=True, timeout=60)
    same((got.returncode, got.stderr), (0, b''))
    expected = sql_rows(w.run('sql', store, query, '--format=csv').stdout.decode())
    same(list(csv.DictReader(io.StringIO(got.stdout.decode(), newline=''))), expected)
    got = subprocess.run([*words, 'SELECT sum(samples) AS n FROM thread_total'], capture_output=True, timeout=60)
    same((got.stdout.split(), got.stderr), ([b'n', b'11564'], b''))
    got = subprocess.run([*words[:-1], w.path('none'), 'SELECT * FROM sample'], capture_output=True, timeout=60)
    assert got.returncode != 0 and got.stderr, got
    same(os.stat(store).st_mtime_ns, before.st_mtime_ns)


@case
def one_name_is_exported(w):
    nm = shutil.which('nm')
    if not nm:
        raise Skip('nm is not installed')
    got = subprocess.run([nm, '-D', '--defined-only', extension], capture_output=True, check=True)
    names = [line.split()[-1] for line in got.stdout.decode().splitlines()]
    same([name for name in names if not name.startswith(('__asan', '__odr', '__ubsan'))],
         ['sqlite3_pentimentosqlite_init'])
    got = subprocess.run([nm, '-D', '--undefined-only', extension], capture_output=True, check=True)
    assert b'sqlite3_' not in got.stdout, got.stdout


# ---- stores from elsewhere ----

def change(path, *statements):
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


def changed(w, name, *statements):
    path = w.path(name)
    shutil.copy(w.path('a.pentimento'), path)
    change(path, *statements)
    return path


@case
def hostile_schema(w):
    w.store()
    stores = [
        changed(w, 'trigger', 'CREATE TRIGGER t AFTER INSERT ON tenure_row BEGIN SELECT 1; END'),
        changed(w, 'virtual', 'CREATE VIRTUAL TABLE v USING fts5 (a)'),
        changed(w, 'virtual-sample', 'CREATE VIRTUAL TABLE sample USING rtree (id, a, b)'),
        changed(w, 'view', 'ALTER TABLE loss RENAME TO l2', 'CREATE VIEW loss AS SELECT * FROM l2'),
        changed(w, 'other-view', 'DROP VIEW function', 'CREATE VIEW function AS SELECT * FROM function_row'),
        changed(w, 'lie', 'CREATE TABLE x (a)', 'PRAGMA writable_schema = 1',
                "UPDATE sqlite_master SET sql = 'CREATE  VIRTUAL TABLE x USING fts5 (a)' WHERE name = 'x'"),
        changed(w, 'gone', 'DROP TABLE loss'),
    ]
    for store in stores:
        for words in (['sql', store, 'SELECT 1'], ['info', store], ['samples', store]):
            got = w.run(*words, status=1)
            assert store.encode() in got.stderr and got.stdout == b'', (store, got)


@case
def views_that_lie_or_never_end(w):
    w.store()
    bomb = ('WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'
            ' SELECT count(*) AS time FROM n')
    store = changed(w, 'bomb', 'CREATE VIEW sample AS ' + bomb, 'DROP VIEW change', 'CREATE VIEW change AS ' + bomb)
    for table in ('sample', 'change', 'thread_total'):
        got = w.run('sql', store, 'SELECT * FROM ' + table, '--timeout=1', status=1 if table != 'thread_total' else 2)
        same(got.stdout, b'')
    same(len(w.run('samples', store, '--format=csv').stdout.splitlines()), 4571)
    assert w.run('changes', store, '--format=csv').stdout
    reaching = changed(w, 'reaching', "CREATE VIEW v AS SELECT load_extension('/tmp/x.so')")
    w.refused(reaching, 'SELECT * FROM v', says='load_extension')
    mine = changed(w, 'mine', 'CREATE TABLE my_note (address, text)', 'CREATE INDEX my_note_address ON my_note (address)',
                   'CREATE VIEW busy AS SELECT symbol, count(*) AS n FROM sample GROUP BY 1')
    same(len(w.ask(mine, 'SELECT * FROM busy LIMIT 3')), 3)


main(World)
