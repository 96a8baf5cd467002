#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thumbnails: of what is a recording or a store a picture, of what is none an exit status.

usage: test_thumbnailer.py PENTIMENTO-CLI PENTIMENTO-THUMBNAILER DATA
"""

import os
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import zlib

from harness import Skip, World, case, main, same

THUMBNAILER, DATA = (os.path.realpath(path) for path in sys.argv[2:4])
CAPTURES = sorted(pathlib.Path(DATA).glob('*.data/data')) + [pathlib.Path(DATA, 'a-pipe.data')]
# The process that reads is killed by its own deadline long before.
TIMEOUT_S = 60


class Shelf(World):
    def call(self, *words):
        return subprocess.run([THUMBNAILER, *words], env=self.env, capture_output=True, cwd=self.directory,
                              timeout=TIMEOUT_S)

    def make(self, path, size=128):
        got = self.call('-s', str(size), path, 'picture.png')
        assert got.returncode == 0, '%s: %d: %s' % (path, got.returncode, got.stderr.decode())
        same(got.stderr, b'')
        same(os.stat(self.path('picture.png')).st_mode & 0o777, 0o600)
        picture = self.read('picture.png')
        os.unlink(self.path('picture.png'))
        return Picture(picture)

    def none(self, path):
        """No picture, nothing beside it, and a reason."""
        before = sorted(os.listdir(self.directory))
        got = self.call('-s', '128', path, 'picture.png')
        same(got.returncode, 1)
        assert got.stderr.startswith(b'pentimento-thumbnailer: '), got.stderr
        same(sorted(os.listdir(self.directory)), before)
        return got.stderr.decode()

    def write(self, name, held):
        pathlib.Path(self.path(name)).write_bytes(held)
        return name

    def store(self):
        self.run('import', os.path.join(DATA, 'f-everything-z.data'), '-o', self.path('some.pentimento'))
        return 'some.pentimento'


class Picture:
    """Of 8-bit RGB without a filter that this does not know: what cairo writes."""

    def __init__(self, held):
        assert held.startswith(b'\x89PNG\r\n\x1a\n'), held[:8]
        self.width, self.height, depth, colours = struct.unpack('>IIBB', held[16:26])
        same((depth, colours), (8, 2))
        packed, at = b'', 8
        while at < len(held):
            length, kind = struct.unpack('>I4s', held[at:at + 8])
            packed += held[at + 8:at + 8 + length] if kind == b'IDAT' else b''
            at += 12 + length
        self.rows = self.unfilter(zlib.decompress(packed))

    def unfilter(self, held):
        stride, rows, above = 3 * self.width, [], bytes(3 * self.width)
        for y in range(self.height):
            kind, row = held[y * (stride + 1)], bytearray(held[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for x in range(stride):
                left, up, corner = row[x - 3] if x > 2 else 0, above[x], above[x - 3] if x > 2 else 0
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                row[x] = row[x] + (0, left, up, (left + up) // 2, near)[kind] & 255
            rows.append(bytes(row))
            above = row
        return rows

    def count(self, colour):
        return sum(row[x:x + 3] == colour for row in self.rows for x in range(0, len(row), 3))


KERNEL = bytes.fromhex('3584e4')
STATIC_KEY = bytes.fromhex('1a5fb4')
NO_CAUSE = bytes.fromhex('5e5c64')


@case
def each_recording_has_one(world):
    assert len(CAPTURES) > 10, CAPTURES
    for path in CAPTURES:
        picture = world.make(str(path))
        same((picture.width, picture.height), (128, 96))
        assert picture.count(KERNEL) > 100, path


@case
def a_store_shows_causes(world):
    picture = world.make(world.store(), 256)
    same((picture.width, picture.height), (256, 192))
    assert picture.count(KERNEL) > 1000
    assert picture.count(STATIC_KEY) > 10
    # Records alone do not say why.
    sketch = world.make(os.path.join(DATA, 'f-everything-z.data/data'), 256)
    same(sketch.count(STATIC_KEY), 0)
    assert sketch.count(NO_CAUSE) > 10
    # The samples are the same.
    assert abs(sketch.count(KERNEL) - picture.count(KERNEL)) < picture.count(KERNEL) / 4


@case
def any_size_that_is_asked_for(world):
    for size, shown in ((1, 16), (16, 16), (17, 17), (512, 512), (1024, 1024), (65535, 2048)):
        same(world.make(str(CAPTURES[0]), size).width, shown)


@case
def wrong_words(world):
    for words in ([], ['-s', '0', 'a', 'b'], ['-s', 'x', 'a', 'b'], ['-s', '-5', 'a', 'b'], ['-s', '128', 'a']):
        got = world.call(*words)
        same(got.returncode, 2)
        assert b'usage' in got.stderr


@case
def what_is_neither_has_none(world):
    world.none(world.write('empty', b''))
    world.none(world.write('text', b'some words\n' * 100))
    world.none('absent')
    world.none('.')
    world.none('/dev/zero')
    os.mkfifo(world.path('fifo'))
    world.none('fifo')
    database = sqlite3.connect(world.path('foreign'))
    database.executescript('PRAGMA application_id = 7; CREATE TABLE some (thing)')
    database.close()
    world.none('foreign')
    database = sqlite3.connect(world.path('like'))
    database.executescript('PRAGMA application_id = 0x50454e54; CREATE TABLE some (thing)')
    database.close()
    world.none('like')


@case
def sizes_that_a_file_cannot_have(world):
    world.none(world.write('huge', struct.pack('<8s12Q', b'PERFILE2', 104, 136, *[2 ** 63 - 8] * 10)))
    world.none(world.write('ones', b'PERFILE2' + b'\xff' * 400))
    world.none(world.write('swapped', b'2ELIFREP' + b'\xff' * 400))
    world.none(world.write('pipe', struct.pack('<8sQ', b'PERFILE2', 16)))


@case
def reasons_are_in_the_reader_s_language(world):
    """Also that of the process in the sandbox, which opens no catalogue."""
    if not shutil.which('msgfmt') or not os.path.isdir('/usr/lib/locale/C.utf8'):
        raise Skip('no msgfmt, or no locale C.UTF-8')
    reason = 'nothing in it has a time'
    empty = world.write('pipe', struct.pack('<8sQ', b'PERFILE2', 16))
    assert reason in world.none(empty)
    # glibc translates nothing where the locale is C: under another name.
    shutil.copytree('/usr/lib/locale/C.utf8', world.path('locale/en_XX.utf8'))
    os.makedirs(world.path('locale/de/LC_MESSAGES'))
    world.write('some.po', ('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
                            'msgid "%s"\nmsgstr "nichts hat eine Zeit: ü"\n' % reason).encode())
    subprocess.run(['msgfmt', '-o', 'locale/de/LC_MESSAGES/pentimento.mo', 'some.po'], cwd=world.directory, check=True)
    world.env.update(LC_ALL='en_XX.UTF-8', LOCPATH=world.path('locale'), LANGUAGE='de',
                     PENTIMENTO_LOCALE=world.path('locale'))
    assert 'nichts hat eine Zeit: ü' in world.none(empty)


@case
def a_part_of_one_shows_what_it_has(world):
    held = CAPTURES[-1].read_bytes()
    whole = world.make(world.write('part', held)).count(KERNEL)
    cut = world.make(world.write('part', held[:len(held) * 3 // 4]))
    assert 100 < cut.count(KERNEL) and whole > 100
    for length in (1, 8, 15, 16, 17, 100, 1000):
        world.none(world.write('part', held[:length]))


def damage(world, name, held, n):
    """Changed bytes end with a picture or without one, by themselves."""
    dice = random.Random(7)
    for _ in range(n):
        changed = bytearray(held)
        for _ in range(dice.choice((1, 8, 64))):
            changed[dice.randrange(min(len(held), dice.choice((200, 4000, len(held)))))] = dice.randrange(256)
        world.write(name, bytes(changed))
        got = world.call('-s', '64', name, 'picture.png')
        assert got.returncode in (0, 1), got
        # Killed by the sandbox, or broken.
        assert b'could not be read' not in got.stderr, got.stderr


@case
def damaged_recordings(world):
    for path in CAPTURES[0], CAPTURES[-1]:
        damage(world, 'some.data', path.read_bytes(), 25)


@case
def damaged_stores(world):
    world.store()
    damage(world, 'other.pentimento', pathlib.Path(world.path('some.pentimento')).read_bytes(), 25)


@case
def where_it_cannot_be_written(world):
    got = world.call('-s', '128', str(CAPTURES[0]), 'absent/picture.png')
    same(got.returncode, 1)
    assert b'absent/picture.png' in got.stderr


main(Shelf)
