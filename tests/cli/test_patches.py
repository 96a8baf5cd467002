#!/usr/bin/env python3
"""Patches that the recorder wrote beside perf: as if perf had recorded them (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import struct
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])

TEXT_POKE, LOST, SAMPLE, HEADER_ATTR, FINISHED_ROUND, FINISHED_INIT = 20, 2, 9, 64, 68, 82
USE_CLOCKID, HAS_POKES, CLOCK_MONOTONIC = 1 << 25, 1 << 33, 1
TABLES = (('samples',), ('changes', '--batches'), ('causes',), ('functions',), ('occupants',), ('buckets',))


def mark(kind):
    return struct.pack('<IHH', kind, 0, 8)


def use_clock(content):
    """Times of its events are of CLOCK_MONOTONIC."""
    each, at, size = struct.unpack_from('<QQQ', content, 16)
    for attr in range(at, at + size, each):
        flags, = struct.unpack_from('<Q', content, attr + 40)
        struct.pack_into('<Q', content, attr + 40, flags | USE_CLOCKID)
        struct.pack_into('<i', content, attr + 92, CLOCK_MONOTONIC)


def describe(content):
    """The record of a stream that describes the event with the patches."""
    each, at, size = struct.unpack_from('<QQQ', content, 16)
    for attr in range(at, at + size, each):
        length, = struct.unpack_from('<I', content, attr + 4)
        flags, = struct.unpack_from('<Q', content, attr + 40)
        if flags & HAS_POKES:
            ids, n = struct.unpack_from('<QQ', content, attr + each - 16)
            body = bytes(content[attr:attr + length]) + bytes(content[ids:ids + n])
            return struct.pack('<IHH', HEADER_ATTR, 0, 8 + len(body)) + body
    raise AssertionError('no event has patches')


def split(content):
    """Takes the patches out: the content without them, and they."""
    at, size = struct.unpack_from('<QQ', content, 40)
    end, rest, pokes = at + size, bytearray(), []
    while at < end:
        kind, _, length = struct.unpack_from('<IHH', content, at)
        record = bytes(content[at:at + length])
        at += length
        # In their place, what says nothing: the rest stays where it is.
        if kind == TEXT_POKE:
            pokes.append(record)
            rest += struct.pack('<IHH', FINISHED_INIT, 0, length) + bytes(length - 8)
        else:
            rest += record
    at, size = struct.unpack_from('<QQ', content, 40)
    return bytes(content[:at]) + bytes(rest) + bytes(content[at + size:]), pokes


def stream(content, records, end=mark(FINISHED_INIT)):
    return struct.pack('<8sQ', b'PERFILE2', 16) + describe(content) + b''.join(records) + end


class Recording:
    """Two copies of a recording: one as perf writes it, and one without its patches, which are to be beside it."""

    def __init__(self, w, name, clock=True):
        with open(os.path.join(data, name, 'data'), 'rb') as file:
            self.content = bytearray(file.read())
        if clock:
            use_clock(self.content)
        without, self.pokes = split(self.content)
        self.whole, self.split = w.path('whole.data'), w.path('split.data')
        for place, content in (self.whole, self.content), (self.split, without):
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(os.path.join(data, name), place)
            os.chmod(os.path.join(place, 'data'), 0o600)
            with open(os.path.join(place, 'data'), 'wb') as file:
                file.write(content)
        os.makedirs(os.path.join(self.split, 'pentimento'))
        self.patches = os.path.join(self.split, 'pentimento', 'patches')

    def write(self, content):
        with open(self.patches, 'wb') as file:
            file.write(content)


def table(w, capture, words):
    return w.run(words[0], capture, *words[1:], '--format=csv').stdout.decode()


def n_pokes(w, capture):
    return len([row for row in w.csv('changes', capture) if row['change'] == 'poke'])


def told(w, capture):
    return [line.split(None, 2)[2] for line in w.text('info', capture).splitlines() if line.startswith('text pokes')]


@case
def same_rows(w):
    """All tables are those of a recording that has them among its records."""
    for name in ('a-jump-labels.data', 'b-ftrace.data', 'c-kprobes.data', 'd-bpf.data', 'l-livepatch.data',
                 'k7-d-bpf.data'):
        recording = Recording(w, name)
        assert recording.pokes, name
        recording.write(stream(recording.content, recording.pokes))
        for words in TABLES:
            same(table(w, recording.split, words), table(w, recording.whole, words))


@case
def any_order(w):
    """CPUs come one after the other, and rounds end: times order them."""
    recording = Recording(w, 'b-ftrace.data')
    records = [part for poke in reversed(recording.pokes) for part in (poke, mark(FINISHED_ROUND))]
    recording.write(stream(recording.content, records))
    for words in TABLES:
        same(table(w, recording.split, words), table(w, recording.whole, words))


@case
def another_file(w):
    """An import of before the file was there, or was another, is not the answer."""
    recording = Recording(w, 'c-kprobes.data')
    same(n_pokes(w, recording.split), 0)
    recording.write(stream(recording.content, recording.pokes))
    n = len(recording.pokes)
    same(n_pokes(w, recording.split), n)
    same(n_pokes(w, recording.whole), n)
    recording.write(stream(recording.content, recording.pokes[:10]))
    same(n_pokes(w, recording.split), 10)


@case
def without_kcore(w):
    """As `record` makes it; by the name of the file inside, too. That patches were recorded is said."""
    recording = Recording(w, 'c-kprobes.data')
    shutil.rmtree(os.path.join(recording.split, 'kcore_dir'))
    with open(os.path.join(recording.split, 'data'), 'r+b') as file:
        content = bytearray(file.read())
        each, at, size = struct.unpack_from('<QQQ', content, 16)
        for attr in range(at, at + size, each):  # no event of perf's asks for them
            flags, = struct.unpack_from('<Q', content, attr + 40)
            struct.pack_into('<Q', content, attr + 40, flags & ~HAS_POKES)
        file.seek(0)
        file.write(content)
    assert told(w, recording.split) != ['recorded'], told(w, recording.split)
    recording.write(stream(recording.content, recording.pokes))
    for capture in recording.split, os.path.join(recording.split, 'data'):
        same(n_pokes(w, capture), len(recording.pokes))
        same(told(w, capture), ['recorded'])


@case
def another_clock(w):
    """Times of two clocks order nothing: it is not read."""
    recording = Recording(w, 'c-kprobes.data', clock=False)
    recording.write(stream(recording.content, recording.pokes))
    same(n_pokes(w, recording.split), 0)


@case
def cut_off(w):
    """The recorder was killed: patches after its last round may be missing, and that is said."""
    recording = Recording(w, 'c-kprobes.data')
    half = recording.pokes[:len(recording.pokes) // 2]
    whole = stream(recording.content, half)
    recording.write(whole)
    assert 'ended early' not in w.text('info', recording.split)
    for content in (stream(recording.content, half, b''), whole[:-8] + recording.pokes[-1][:20],
                    whole + recording.pokes[-1]):
        recording.write(content)
        facts = w.text('info', recording.split)
        assert 'The program that recorded patches ended early: later ones are missing' in facts, facts
        assert n_pokes(w, recording.split) in (len(half), len(half) + 1)
        losses = w.csv('sql', recording.split, "SELECT from_time, to_time FROM loss WHERE kind = 'truncated'")
        assert losses and int(losses[0]['from_time']) < int(losses[0]['to_time']), losses


@case
def lost(w):
    """Lost patches: between the one before on the CPU and the record of it."""
    recording = Recording(w, 'c-kprobes.data')
    last = recording.pokes[-1]
    time, = struct.unpack_from('<Q', last, len(last) - 24)  # before the CPU and the identifier
    body = struct.pack('<QQ', struct.unpack('<Q', last[-8:])[0], 17) + last[-32:]
    record = struct.pack('<IHH', LOST, 0, 8 + len(body)) + body
    recording.write(stream(recording.content, recording.pokes + [record]))
    rows = w.csv('sql', recording.split, "SELECT count, from_time, to_time FROM loss WHERE kind = 'records'")
    same([(row['count'], row['to_time']) for row in rows], [('17', str(time))])


@case
def what_others_wrote(w):
    """Anything may be in the file; nothing but a plain one is opened."""
    recording = Recording(w, 'c-kprobes.data')
    sample = struct.pack('<IHH', SAMPLE, 1, 64) + bytes(56)
    tracing = struct.pack('<IHHI', 66, 0, 12, 0xfffffff0)
    for content in (b'', b'PERFILE2', b'x' * 100, stream(recording.content, [])[:40],
                    stream(recording.content, [sample, tracing, bytes(8), b'\xff' * 64]),
                    stream(recording.content, 3 * [describe(recording.content)] + recording.pokes)):
        recording.write(content)
        rows = w.csv('samples', recording.split)
        same(len(rows), len(w.csv('samples', recording.whole)) + content.count(sample))
    os.remove(recording.patches)
    os.mkfifo(recording.patches)
    assert 'is not a regular file' in w.text('info', recording.split)
    os.remove(recording.patches)
    with open(w.path('elsewhere'), 'wb') as file:
        file.write(stream(recording.content, recording.pokes))
    os.symlink(w.path('elsewhere'), recording.patches)
    same(n_pokes(w, recording.split), 0)


main()
