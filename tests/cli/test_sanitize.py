#!/usr/bin/env python3
"""sanitize: what was removed is nowhere in the store, and all else is the same (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import ctypes
import ctypes.util
import hashlib
import lzma
import os
import re
import shutil
import sqlite3
import sys
import zlib

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
NAMES = ['f-everything-z', 'd-bpf', 'k7-d-bpf', 'l-livepatch', 'w-witness', 'p-probe']
HALF, IMAGE, FIXED = 0xff00000000000000, 0xffffffff80000000, 0xffffffffff600000
# Columns in which names and addresses are, and so may differ. In all others nothing may.
NAMED = {'comm', 'occupant', 'symbol', 'for', 'programs', 'bpf_name', 'user', 'key', 'sentence', 'program', 'event',
         'replacement', 'called_from', 'purpose', 'found', 'reason', 'stack', 'name', 'target', 'before_instruction'}
KERNEL = {'kernel', 'module', 'stub', None}
ADDRESS = '0x[0-9a-f]{16}'
ADDRESSES = {'address', 'start', 'end', 'ip'}
CODE = {'old', 'new', 'bytes', 'before_bytes'}
KERNEL_TASKS = r'swapper|kthreadd|rcu_(preempt|sched)|k(swapd|compactd)\d+|khugepaged|(swapper|ksoftirqd|migration|cpuhp)/\d+|kworker/u?\d+:\d+H?'


def capture(name):
    return os.path.join(data, name + '.data')


def sanitize(w, name, *more):
    """The store and its copy."""
    w.run('import', capture(name), '-o', name + '.pentimento')
    got = w.run('sanitize', name + '.pentimento', '-o', name + '.clean.pentimento', *more)
    return w.path(name + '.pentimento'), w.path(name + '.clean.pentimento'), got.stderr.decode()


def ask(store, query):
    with sqlite3.connect('file:%s?immutable=1' % store, uri=True) as database:
        database.text_factory = lambda text: text.decode('utf-8', 'surrogateescape')
        return database.execute(query).fetchall()


# ---- all else is the same

class Pairs:
    """What each text and address has become: always the same, and nothing else became that."""

    def __init__(self):
        self.there, self.back, self.distances = {}, {}, set()

    def add(self, before, after):
        same(self.there.setdefault(before, after), after)
        same(self.back.setdefault(after, before), before)

    def add_address(self, before, after):
        x, y = int(before or '0', 16), int(after or '0', 16)
        if IMAGE <= x < FIXED:
            self.distances.add((y - x) % 2 ** 64)
        elif HALF <= x < IMAGE:
            self.add(x, y)
            assert HALF <= y < IMAGE and y % 4096 == x % 4096 and y != x, (hex(x), hex(y))
        else:
            same(y, x)


def compare(pairs, rows, others, what):
    same(len(others), len(rows))
    for one, other in zip(rows, others):
        # A reading may have lost bytes that are not known to be instructions.
        is_shorter = 'witness' in what[1] and len(other['bytes']) < len(one['bytes'])
        for column, before in one.items():
            after = other[column]
            if is_shorter and column in ('start', 'bytes'):
                continue
            if column not in ADDRESSES | CODE:
                for x, y in zip(re.findall(ADDRESS, before), re.findall(ADDRESS, after)):
                    pairs.add_address(x, y)
                before, after = (re.sub(ADDRESS, 'A', text) for text in (before, after))
            if column in ADDRESSES:
                pairs.add_address(before, after)
            elif column in CODE:
                same(len(after), len(before))
            elif column in NAMED:
                # A program may have a function of a name that the kernel has, too.
                pairs.add((one.get('kind') in KERNEL, before), (one.get('kind') in KERNEL, after))
            else:
                assert after == before, (what, column, one, other)


# In the order of their ids: among equals the command has them by name.
FUNCTIONS = ['sql', "SELECT symbol, kind, occupant, printf('0x%x', start) AS start, length, samples, period, changes, "
             "versions, pokes FROM function ORDER BY id"]
COMMANDS = [['samples'], FUNCTIONS, ['changes'], ['changes', '--batches'], ['causes'], ['causes', '--by=task'],
            ['cost'], ['cost', '--by=program'], ['occupants', '--programs'], ['witness'], ['misattribution']]


@case
def counts_causes_and_places_are_the_same(w):
    for name in NAMES:
        store, clean, _ = sanitize(w, name)
        pairs = Pairs()
        for words in COMMANDS:
            rows, others = (w.csv(words[0], path, *words[1:]) for path in (store, clean))
            # Among equals the name decides.
            for table in (rows, others):
                if words == ['cost', '--by=program']:
                    table.sort(key=lambda row: int(row['tenure'] or 0))
            compare(pairs, rows, others, (name, words))
        same(len(pairs.distances), 1)
        distance = pairs.distances.pop()
        assert distance % 4096 == 0 and distance, hex(distance)
        assert len(pairs.there) > 100


@case
def lists_have_the_same_counts(w):
    store, clean, _ = sanitize(w, 'k7-d-bpf')
    for words in (['functions'], ['functions', '--kind', 'dso'], ['functions', '--time', '30%,60%', '--changed']):
        before, after = ([tuple(value for key, value in row.items() if key not in NAMED | ADDRESSES)
                          for row in w.csv(words[0], path, *words[1:])] for path in (store, clean))
        assert len(before) > 2
        same(sorted(after), sorted(before))


@case
def buckets_of_the_kernel_are_the_same(w):
    """Also their builds and versions, by which they are added up over machines."""
    for name in ('l-livepatch', 'w-witness', 'd-bpf'):
        store, clean, _ = sanitize(w, name)
        before, after = (collections.Counter((row['build'], row['kind'], row['symbol'], row['offset'], row['version'],
                                              row['cause'], row['samples'], row['period'], row['seconds'])
                                             for row in w.csv('buckets', path) if row['kind'] in ('kernel', 'module'))
                         for path in (store, clean))
        same(after, before)
        assert len(before) > 50, len(before)


@case
def two_copies_are_moved_differently(w):
    distances = set()
    for _ in range(3):
        store, clean, _ = sanitize(w, 'd-bpf')
        pairs = Pairs()
        compare(pairs, w.csv('changes', store), w.csv('changes', clean), 'changes')
        distances |= pairs.distances
    assert len(distances) > 1


@case
def histories_and_texts_are_the_same(w):
    for name, places in (('f-everything-z', ['vfs_read', 'pipe_read', '__schedule', 'ksys_read+0xf']),
                         ('l-livepatch', ['vfs_read', '__x64_sys_getppid'])):
        store, clean, _ = sanitize(w, name)
        for place in places:
            pairs = Pairs()
            rows, others = (w.csv('history', path, place) for path in (store, clean))
            for row in rows + others:
                del row['instruction'], row['before_instruction']
            compare(pairs, rows, others, place)
            if '+' in place:
                continue
            rows, others = (w.csv('annotate', path, place) for path in (store, clean))
            same(len(others), len(rows))
            for one, other in zip(rows, others):
                # The same instruction, at the same place, leading to the same one.
                same((other['offset'], other['samples'], other['from'], other['evidence'], len(other['bytes'])),
                     (one['offset'], one['samples'], one['from'], one['evidence'], len(one['bytes'])))
                same(other['target'], one['target'])
                same(bare(other['instruction']), bare(one['instruction']))
            assert len(rows) > 5


def bare(instruction):
    """Without addresses and distances that move with the text."""
    return re.sub(r'-?0x[0-9a-f]{5,16}|\bffffffff[0-9a-f]{8}\b', 'N', instruction)


@case
def stacks_are_the_same(w):
    store, clean, _ = sanitize(w, 'f-everything-z')
    before, after = (w.csv('stacks', path) for path in (store, clean))
    key = lambda row: (int(row['samples']), int(row['period']), row['stack'].count('→'), row['stack'].count('\n'))
    same(collections.Counter(map(key, after)), collections.Counter(map(key, before)))
    # Frames of the kernel have their names.
    frames = [set(re.findall(r'\b(?:vfs|ksys|do_|__x64)_?\w+', ' '.join(row['stack'] for row in rows)))
              for rows in (before, after)]
    same(frames[1], frames[0])
    assert len(frames[0]) > 20


# ---- what was removed is nowhere

def read_zstd():
    library = ctypes.CDLL(ctypes.util.find_library('zstd') or 'libzstd.so.1')
    library.ZSTD_decompress.restype = ctypes.c_size_t

    def plain(octets, length):
        room = ctypes.create_string_buffer(length + 1)
        same(library.ZSTD_decompress(room, ctypes.c_size_t(length), octets, ctypes.c_size_t(len(octets))), length)
        return room.raw[:length]
    return plain


def unpack(blob, plain):
    """The content of a pack (docs/store.md, Packed columns); None: it is not one."""
    if len(blob) < 9 or zlib.crc32(blob[4:]) != int.from_bytes(blob[:4], 'little'):
        return None
    return plain(blob[9:], int.from_bytes(blob[5:9], 'little')) if blob[4] else blob[9:]


def contents(store):
    """The file, and its packs without their compression."""
    plain = read_zstd()
    with open(store, 'rb') as file:
        parts = [file.read()]
    tables = [name for name, in ask(store, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    packs = 0
    for table in tables:
        for row in ask(store, 'SELECT * FROM "%s"' % table):
            for blob in (value for value in row if isinstance(value, bytes)):
                content = unpack(blob, plain)
                packs += content is not None
                parts.append(content if content is not None else blob)
    assert packs > 2
    return b'\0'.join(parts)


def names_of(store):
    """What must go."""
    texts = set()
    for query in ("SELECT comm FROM thread UNION SELECT comm FROM task UNION SELECT comm FROM text_poke "
                  "UNION SELECT comm FROM ksymbol UNION SELECT comm FROM map",
                  "SELECT occupant FROM function WHERE kind IN ('dso', 'anon') UNION SELECT name FROM map WHERE NOT is_kernel",
                  "SELECT symbol FROM function WHERE kind IN ('dso', 'vdso', 'anon') UNION SELECT linkage_name FROM function",
                  "SELECT name FROM bpf_program", "SELECT path FROM source UNION SELECT path FROM name_file "
                  "UNION SELECT path FROM found_file UNION SELECT path FROM absent_file",
                  "SELECT file || text FROM bpf_line", "SELECT name FROM file", "SELECT text FROM note",
                  "SELECT path FROM source_file",
                  "SELECT value FROM capture WHERE key IN ('hostname', 'command_line', 'capture', 'capture_path')"):
        texts |= {text for text, in ask(store, query) if text}
    for path, in ask(store, "SELECT occupant FROM function WHERE kind IN ('dso', 'anon')"):
        texts.add(os.path.basename(path.removesuffix(' (deleted)')))
    ours = re.compile(r'\[.*\]|//anon|/dev/zero|zero|/SYSV.*|anon|%s' % KERNEL_TASKS)
    return {text for text in texts if len(text) > 3 and not ours.fullmatch(text)}


def is_name_of_kernel(store):
    """Words that are names of the kernel's own, too, or of the schema: they may stay."""
    plain = read_zstd()
    names = b'\0'.join(unpack(blob, plain) for blob, in ask(store, 'SELECT symbols FROM symbol_block'))
    schema = ' '.join(sql or '' for sql, in ask(store, 'SELECT sql FROM sqlite_schema'))
    kernel = {text for text, in ask(store, "SELECT symbol FROM function WHERE kind IN ('kernel', 'module', 'stub') AND symbol "
                                    "IS NOT NULL UNION SELECT occupant FROM tenure WHERE kind IN ('kernel', 'module', 'stub')")}
    words = ' '.join(kernel) + schema + ' '.join(value for value, in ask(store, "SELECT value FROM capture WHERE key IN "
                                                 "('pmus', 'caches', 'cpu_description', 'osrelease', 'wait_source', 'writer')"))
    words += ' '.join(name for name, in ask(store, 'SELECT name FROM event UNION SELECT name FROM record_count'))
    return lambda text: text.encode('utf-8', 'surrogateescape') in names or text in words


@case
def no_name_is_left(w):
    for name in NAMES:
        store, clean, _ = sanitize(w, name)
        may_stay = is_name_of_kernel(store)
        before, after = contents(store), contents(clean)
        secrets = {text for text in names_of(store) if not may_stay(text)}
        assert len(secrets) > 40, secrets
        for text in secrets:
            octets = text.encode('utf-8', 'surrogateescape')
            assert octets not in after, (name, text, after[max(0, after.find(octets) - 40):][:100])
        # Most of them can be found at all.
        found = sum(text.encode('utf-8', 'surrogateescape') in before for text in secrets)
        assert found > len(secrets) * 0.7, (found, len(secrets))


def addresses_of(store):
    places = set()
    for query in ("SELECT start FROM tenure", "SELECT address FROM text_poke", "SELECT address FROM ksymbol",
                  "SELECT start FROM function", "SELECT address FROM bpf_function", "SELECT start FROM reading"):
        places |= {place % 2 ** 64 for place, in ask(store, query)}
    return {place for place in places if HALF <= place < FIXED}


def numbers_of(store):
    """All that ordinary columns have."""
    numbers = set()
    for table, in ask(store, "SELECT name FROM sqlite_schema WHERE type = 'table'"):
        for row in ask(store, 'SELECT * FROM "%s"' % table):
            numbers.update(value % 2 ** 64 for value in row if isinstance(value, int))
    return numbers


@case
def no_address_is_left(w):
    for name in NAMES:
        store, clean, _ = sanitize(w, name)
        after = contents(clean)
        # One of the copy's own may by chance be one that was there.
        places = addresses_of(store) - addresses_of(clean)
        assert len(places) > 50
        for place in places:
            forms = (place.to_bytes(8, 'big'), place.to_bytes(8, 'little'), b'%x' % place, b'%X' % place)
            assert not any(form in after for form in forms), (name, hex(place))
        # SQLite keeps numbers in as few bytes as they need.
        same(numbers_of(clean) & places, set())
        assert len(numbers_of(store) & places) == len(places)


def move_away(w, name):
    """A copy none of whose places was one of the original's, by chance."""
    w.run('import', capture(name), '-o', 'a.pentimento')
    places = [place % 2 ** 64 for place, in ask(w.path('a.pentimento'), "SELECT start FROM tenure WHERE space = 0 "
                                                "AND start < 0 ORDER BY id")]
    while True:
        w.run('sanitize', 'a.pentimento', '-o', 'b.pentimento')
        moved = [place % 2 ** 64 for place, in ask(w.path('b.pentimento'), "SELECT start FROM tenure WHERE space = 0 "
                                                   "AND start < 0 ORDER BY id")]
        distance = next(y - x for x, y in zip(places, moved) if x >= IMAGE)
        ranges = [(min(part), max(part) + (1 << 26)) for part in
                  ([x for x in places if x < IMAGE + (1 << 29)], [x for x in places if x >= IMAGE + (1 << 29)]) if part]
        if not any(x < b + distance and a + distance < y for x, y in ranges for a, b in ranges):
            return w.path('a.pentimento'), w.path('b.pentimento')


def symbols_beside(name):
    path = os.path.join(os.path.dirname(capture(name)), 'kallsyms.after.xz')
    if not os.path.exists(path):
        return set()
    with lzma.open(path, 'rt') as file:
        return {int(line.split()[0], 16) for line in file}


@case
def no_code_names_a_place_where_it_was(w):
    """Whatever symbol it is: a trampoline has the address of its ftrace_ops, of which no table knows."""
    large = os.environ.get('PENTIMENTO_CAPTURES')
    for name in NAMES + ([os.path.join(large, name, 'perf') for name in ('a61', 'd73', 'e61')] if large else []):
        if not os.path.exists(capture(name)):
            continue
        store, clean = move_away(w, name)
        places = addresses_of(store) | symbols_beside(name)
        places |= {int(row['address'] or '0', 16) for row in w.csv('samples', store)}
        places = {place for place in places if IMAGE <= place < FIXED}
        content = contents(clean)
        words = {int.from_bytes(content[at.start() - 4:at.start() + 4], 'little')
                 for at in re.finditer(rb'(?=\xff\xff\xff\xff)', content)}
        assert len(words) > 1 and len(places) > 50, (name, len(words), len(places))
        same({hex(place) for place in places & words}, set())


def edit_reading(store, octets, at):
    """One reading has these bytes, in which its sample landed at AT, and nothing else is known there."""
    with sqlite3.connect(store) as database:
        output, address, tenure = database.execute(
            "SELECT output.id, address, output.tenure FROM reading JOIN output ON output.id = reading.output "
            "WHERE output.kind IN ('kernel', 'module') AND length(bytes) = 64 AND address < 0 LIMIT 1").fetchone()
        database.execute('DELETE FROM text')
        database.execute('UPDATE reading SET start = ?, bytes = ? WHERE output = ?', (address - at, octets, output))
    return output


@case
def a_reading_keeps_what_follows_its_sample(w):
    def value(number):
        return (number % 2 ** 32).to_bytes(4, 'little')
    w.run('import', capture('w-witness'), '-o', 'a.pentimento')
    start, = (place for place, in ask(w.path('a.pentimento'),
                                      "SELECT start FROM tenure WHERE occupant = '[kernel.kallsyms]' LIMIT 1"))
    secret = start + 0x123456
    move = b'\x48\xc7\xc7' + value(secret)                       # mov $secret,%rdi
    load = b'\x65\x8b\x05' + value(0x1fb80 - start)               # mov %gs:…(%rip),%eax: of a known place
    ends = [(b'', b''), (b'\xcc' + move[1:], b'\xcc'), (move[:6], b''), (b'\x06' + move, b''), (b'\xc3\xcc' + move, None)]
    for end, left in ends:
        front = move[2:] + load[3:]
        middle = b'\x90' + move + b'\x55'
        shutil.copy(w.path('a.pentimento'), w.path('c.pentimento'))
        output = edit_reading(w.path('c.pentimento'), front + middle + end, len(front))
        said = w.run('sanitize', 'c.pentimento', '-o', 'd.pentimento').stderr.decode()
        assert 'bytes of code left out' in said, said
        (first, octets), = ask(w.path('d.pentimento'), 'SELECT start, bytes FROM reading WHERE output = %d' % output)
        (base,), = ask(w.path('d.pentimento'), "SELECT start FROM tenure WHERE occupant = '[kernel.kallsyms]' LIMIT 1")
        (address,), = ask(w.path('d.pentimento'), 'SELECT address FROM output WHERE id = %d' % output)
        moved = move[:3] + value(base + 0x123456)
        same(first, address)
        same(octets, b'\x90' + moved + b'\x55' + (b'\xc3\xcc' + moved if left is None else left))


@case
def other_machines_are_refused(w):
    w.run('import', capture('d-bpf'), '-o', 'a.pentimento')
    for arch in ('aarch64', 'i686', 's390x', 'ppc64le'):
        with sqlite3.connect(w.path('a.pentimento')) as database:
            same(database.execute("UPDATE capture SET value = ? WHERE key = 'arch'", (arch,)).rowcount, 1)
        w.refused('sanitize', 'a.pentimento', '-o', 'b.pentimento', status=1, says='“%s”' % arch)
        assert not os.path.exists(w.path('b.pentimento'))


@case
def the_copy_is_intact_and_the_input_as_it_was(w):
    for name in NAMES:
        w.run('import', capture(name), '-o', 'a.pentimento')
        with open(w.path('a.pentimento'), 'rb') as file:
            before = hashlib.sha256(file.read()).digest()
        w.run('sanitize', 'a.pentimento', '-o', 'b.pentimento')
        with open(w.path('a.pentimento'), 'rb') as file:
            same(hashlib.sha256(file.read()).digest(), before)
        assert b'intact' in w.run('import', '--verify', 'b.pentimento').stderr
        # What was cleaned once can be cleaned again.
        w.run('sanitize', 'b.pentimento', '-o', 'c.pentimento')
        assert b'intact' in w.run('import', '--verify', 'c.pentimento').stderr


@case
def names_can_be_kept(w):
    store, clean, _ = sanitize(w, 'f-everything-z', '--keep=tasks,symbols,paths,programs,events')
    for words in COMMANDS:
        if words[0] != 'causes' or '--by=task' in words:
            rows, others = (w.csv(words[0], path, *words[1:]) for path in (store, clean))
            for table in (rows, others):
                for row in table:
                    for key in row:
                        row[key] = '' if key in ADDRESSES | CODE else re.sub(ADDRESS, 'A', row[key])
            same(others, rows)
    _, clean, _ = sanitize(w, 'f-everything-z', '--keep=tasks')
    comms = {row['comm'] for row in w.csv('samples', clean)}
    assert {'hot', 'bpfcycle', 'sh'} <= comms
    assert not any('/tmp/job' in row['occupant'] for row in w.csv('samples', clean))


@case
def what_is_left_out_is_told(w):
    _, _, said = sanitize(w, 'w-witness')
    assert re.search(r'replaced names: \d+ tasks, \d+ files', said), said
    assert re.search(r'rows left out: capture \d+, .*bpf_line \d+', said), said


@case
def a_capture_is_imported_first(w):
    w.run('sanitize', capture('d-bpf'), '-o', 'd.pentimento')
    same(len(w.csv('samples', 'd.pentimento')), len(w.csv('samples', capture('d-bpf'))))


@case
def wrong_words(w):
    w.refused('sanitize', capture('d-bpf'), status=2, says='-o STORE')
    w.refused('sanitize', capture('d-bpf'), '-o', 'x', '--keep=hosts', status=2, says='“hosts”')
    w.run('import', capture('d-bpf'), '-o', 'a.pentimento')
    w.refused('sanitize', 'a.pentimento', '-o', 'a.pentimento', status=1, says='is the input')
    assert not os.path.exists(w.path('x'))


main()
