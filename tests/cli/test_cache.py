#!/usr/bin/env python3
"""The command cache, its limit, and import --verify (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import harness
from harness import case, cli, main, same

data = os.path.abspath(sys.argv[2])
NAMES = ('b-ftrace.data', 'c-kprobes.data', 'd-bpf.data')
CAPTURES = [os.path.join(data, name) for name in NAMES]
LARGE = os.path.join(data, 'f-everything-z.data')


class World(harness.World):
    """With a cache and settings of its own."""

    def __init__(self, directory, _cache):
        super().__init__(directory, os.path.join(directory, 'cache'))
        self.cache = os.path.join(directory, 'cache', 'pentimento')
        self.settings = os.path.join(directory, 'config', 'pentimento', 'settings.ini')
        self.env['XDG_CONFIG_HOME'] = os.path.join(directory, 'config')

    def table(self):
        """Sizes have a space in them that does not break."""
        return self.run('cache').stdout.decode().replace('\xa0', ' ')

    def list(self):
        return json.loads(self.run('cache', '--format=json').stdout.decode())

    def captures(self):
        return [os.path.basename(row['capture']) for row in self.list()]

    def fill(self):
        """The first one was used longest ago."""
        for capture in CAPTURES:
            self.run('info', capture)
        for row in self.list():
            age = 1000 * (len(CAPTURES) - NAMES.index(os.path.basename(row['capture'])))
            os.utime(row['store'], (time.time(), time.time() - age))

    def set(self, text):
        os.makedirs(os.path.dirname(self.settings), exist_ok=True)
        with open(self.settings, 'w', encoding='utf-8') as file:
            file.write(text)


class Reader:
    """A process that has a capture's store open, until it is left."""

    def __init__(self, w, capture):
        self.process = subprocess.Popen([cli, 'samples', capture, '--format=csv'], env=w.env,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def __enter__(self):
        self.process.stdout.read(10)  # it writes, so it is open; and then the pipe is full
        return self

    def __exit__(self, *_):
        self.process.stdout.close()
        self.process.wait(timeout=60)


# ---- cache ----

@case
def says_what_it_holds(w):
    same(w.list(), [])
    w.fill()
    rows = w.list()
    same([row['capture'] for row in rows], [os.path.realpath(capture) for capture in reversed(CAPTURES)])
    for row in rows:
        same((row['state'], row['size']), ('complete', os.path.getsize(row['store'])))
        same(os.path.dirname(row['store']), w.cache)
    table = w.table()
    head = table.splitlines()[0]
    assert w.cache in head and '3 imports' in head and '10.0 GB' in head, head
    assert 'b-ftrace.data' in table
    same(w.run('cache', '--format=csv').stdout.count(b'\n'), 4)
    w.run('info', CAPTURES[0])  # used again: not imported, and first
    same(w.captures(), ['b-ftrace.data', 'd-bpf.data', 'c-kprobes.data'])
    os.chdir(data)
    got = subprocess.run([cli, 'info', 'e-modules.data'], env=w.env, capture_output=True, check=True)
    assert got.stdout
    same(w.list()[0]['capture'], os.path.realpath(os.path.join(data, 'e-modules.data')))


@case
def limit_keeps_what_was_used_last(w):
    w.fill()
    sizes = {os.path.basename(row['capture']): row['size'] for row in w.list()}
    got = w.run('cache', '--limit=%dB' % (sizes['c-kprobes.data'] + sizes['d-bpf.data']))
    assert b'1 import removed' in got.stderr, got.stderr
    same(w.captures(), ['d-bpf.data', 'c-kprobes.data'])
    w.run('cache', '--limit=%dB' % (sizes['d-bpf.data'] + 1))
    same(w.captures(), ['d-bpf.data'])
    w.run('cache', '--limit=none')
    w.fill()
    same(len(w.captures()), 3)


@case
def an_import_keeps_the_limit(w):
    w.fill()
    w.set('# mine\n[other]\nkey=value\n\n[cache]\nlimit=1.2MB\n')
    w.run('info', LARGE)
    same(w.captures(), ['f-everything-z.data'])  # more than the limit, but it is the one asked for
    w.run('info', CAPTURES[0])  # both were used just now: whoever asked may not have them open yet
    same(w.captures(), ['b-ftrace.data', 'f-everything-z.data'])
    os.utime(w.list()[1]['store'], (0, 1000000))
    w.run('info', CAPTURES[1])
    same(w.captures(), ['c-kprobes.data', 'b-ftrace.data'])
    w.run('cache', '--limit=3GiB')
    with open(w.settings, encoding='utf-8') as file:
        text = file.read()
    assert '# mine' in text and 'key=value' in text and 'limit=3221225472B' in text, text
    assert '3.2 GB' in w.table().splitlines()[0]


@case
def what_is_in_use_stays(w):
    w.fill()
    w.run('info', LARGE)
    with Reader(w, LARGE):
        states = {os.path.basename(row['capture']): row['state'] for row in w.list()}
        same(states, dict.fromkeys(NAMES, 'complete') | {'f-everything-z.data': 'complete, in use'})
        got = w.run('cache', '--clear')
        assert b'3 imports removed' in got.stderr and b'1 left' in got.stderr, got.stderr
        assert b'in use' in got.stderr, got.stderr
        w.run('cache', '--limit=1B')
        same(w.captures(), ['f-everything-z.data'])
    got = w.run('cache', '--clear')
    assert b'1 import removed' in got.stderr and b'in use' not in got.stderr, got.stderr
    same(os.listdir(w.cache), [])


@case
def what_cannot_be_used(w):
    w.fill()
    newer, damaged, kept = (row['store'] for row in w.list())
    with open(newer, 'r+b') as file:
        file.seek(60)
        file.write((99).to_bytes(4, 'big'))
    with open(damaged, 'r+b') as file:
        file.truncate(5000)
    part = os.path.join(w.cache, '.0-1.pentimento.00000000.part')
    lock = os.path.join(w.cache, '0.importing')
    for path in (part, lock):
        shutil.copy('/dev/null', path)
    with open(os.path.join(w.cache, 'notes.txt'), 'w', encoding='utf-8') as file:
        file.write('not an import')
    os.symlink(w.settings, os.path.join(w.cache, 'link.pentimento'))
    os.mkdir(os.path.join(w.cache, 'directory.pentimento'))
    same({row['store']: row['state'] for row in w.list()},
         {newer: 'other version', damaged: 'damaged', kept: 'complete', part: 'left behind'})
    w.run('cache', '--clear')
    same(sorted(os.listdir(w.cache)), ['directory.pentimento', 'link.pentimento', 'notes.txt'])


@case
def wrong_words_and_settings(w):
    for size in ('5', 'x', '', '-1GB', '1XB', '1GBs', '1e300GB', 'nanGB', '0.5.5GB', '9999999PB'):
        message = w.run('cache', '--limit=' + size, status=2).stderr.decode()
        assert '--limit' in message and 'unit' in message, message
    assert not os.path.exists(w.settings)
    for size in ('500kB', '500K', '2 GiB', '0', '1.5TB', '7B'):
        w.run('cache', '--limit=' + size)
    w.run('cache', 'x', status=2)
    w.run('cache', '--kcore=x', status=2)
    w.run('info', CAPTURES[0], '--clear', status=2)
    w.set('[cache]\nlimit=lots\n')
    message = w.run('cache', status=1).stderr.decode()
    assert 'lots' in message and w.settings in message, message
    w.set('no settings')
    assert w.settings in w.run('cache', status=1).stderr.decode()
    w.run('info', CAPTURES[0])  # and nothing was removed: it cannot be known what to keep to
    w.run('info', CAPTURES[1])
    os.unlink(w.settings)
    same(len(w.list()), 2)


# ---- import --verify ----

def check(w, store, *says):
    got = w.run('import', '--verify', store, status=1)
    message = got.stderr.decode()
    for words in says:
        assert words in message, message
    same(got.stdout, b'')


@case
def a_whole_store(w):
    for capture in CAPTURES + [LARGE, os.path.join(data, 'a-pipe.data')]:
        w.run('import', capture, '-o', 'a.pentimento')
        with open(w.path('a.pentimento'), 'rb') as file:
            before = file.read()
        message = w.run('import', '--verify', 'a.pentimento').stderr.decode()
        assert 'is intact' in message, message
        with open(w.path('a.pentimento'), 'rb') as file:
            same(file.read(), before)


@case
def every_kind_of_block(w):
    w.run('import', LARGE, '-o', 'a.pentimento')
    db = sqlite3.connect(w.path('a.pentimento'))
    columns = db.execute("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE"
                         " m.type = 'table' AND c.type = 'BLOB' AND (m.name LIKE '%block' OR m.name LIKE 'span%')")
    tables = columns.fetchall()
    assert len(tables) >= 6, tables
    tried = 0
    for table, column in tables:
        row = db.execute('SELECT max(rowid) FROM ' + table).fetchone()[0]
        if row is None:
            continue
        tried += 1
        path = w.path('damaged.pentimento')
        shutil.copy(w.path('a.pentimento'), path)
        other = sqlite3.connect(path)
        pack = bytearray(other.execute('SELECT %s FROM %s WHERE rowid = ?' % (column, table), (row,)).fetchone()[0])
        pack[-1] ^= 1
        with other:
            other.execute('UPDATE %s SET %s = ? WHERE rowid = ?' % (table, column), (bytes(pack), row))
        other.close()
        check(w, path, '%s %d, %s: its checksum does not fit' % (table, row, column), path)
    assert tried >= 5, tried
    db.close()


@case
def other_damage(w):
    w.run('import', LARGE, '-o', 'a.pentimento')
    with open(w.path('a.pentimento'), 'rb') as file:
        content = file.read()
    db = sqlite3.connect(w.path('a.pentimento'))
    page_size = db.execute('PRAGMA page_size').fetchone()[0]
    index = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'text_poke_site'").fetchone()[0]
    db.close()
    torn = bytearray(content)
    torn[(index - 1) * page_size + 3] ^= 0xff  # how many cells the index's root has
    for name, bytes_ in (('torn', torn), ('short', content[:-3 * page_size])):
        with open(w.path(name), 'wb') as file:
            file.write(bytes_)
        check(w, w.path(name), w.path(name))
    for statement in ('DELETE FROM sample_block', 'DELETE FROM bucket_block', 'DELETE FROM function_row WHERE id = 3',
                      'DELETE FROM thread WHERE id = 0', "UPDATE capture SET value = 1 WHERE key = 'samples'"):
        shutil.copy(w.path('a.pentimento'), w.path('less'))
        db = sqlite3.connect(w.path('less'))
        with db:
            db.execute(statement)
        db.close()
        check(w, w.path('less'), 'damaged')


@case
def what_is_no_store(w):
    check(w, CAPTURES[0], 'not a Pentimento store')
    check(w, 'none', 'none')
    w.run('import', '--verify', status=2)
    w.run('import', '--verify', '-', status=2)
    w.run('import', '--verify', CAPTURES[0], '-o', 'x', status=2)


main(World)
