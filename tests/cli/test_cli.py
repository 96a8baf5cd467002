#!/usr/bin/env python3
"""pentimento-cli from outside: exit statuses, formats, files, pipes (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import gzip
import json
import lzma
import os
import shutil
import sqlite3
import signal
import struct
import subprocess
import sys
import tempfile
import time

from harness import case, cli, main, same, some

data, damage = (os.path.abspath(path) for path in sys.argv[2:4])
FTRACE = os.path.join(data, 'b-ftrace.data')
KPROBES = os.path.join(data, 'c-kprobes.data')
BPF = os.path.join(data, 'd-bpf.data')
EVERYTHING = os.path.join(data, 'f-everything-z.data')
TABLES = ('info', 'samples', 'changes', 'occupants', 'functions')


def plain(cell):
    return cell[1:] if cell.startswith("'") else cell


# ---- usage ----

@case
def help_and_version(w):
    assert w.text('--version').startswith('pentimento-cli '), 'version'
    overall = w.text('--help')
    same(overall, w.text('help'))
    for command in ('import', 'annotate', 'history', 'text') + TABLES:
        assert '  %s ' % command in overall, command
        text = w.text(command, '--help')
        assert 'Examples:' in text and 'pentimento-cli %s' % command in text, command
        same(text, w.text('help', command))


@case
def wrong_usage(w):
    got = w.run(status=2)
    assert b'Usage:' in got.stderr and not got.stdout
    w.refused('nonsense', FTRACE, status=2, says='“nonsense”')
    w.refused('samples', status=2, says='missing recording')
    w.refused('samples', FTRACE, 'more', status=2, says='“more”')
    w.refused('annotate', FTRACE, status=2, says='missing symbol')
    w.refused('samples', FTRACE, '--nonsense', status=2, says='--nonsense')
    w.refused('samples', FTRACE, '--format=xml', status=2, says='xml')
    w.refused('annotate', FTRACE, 'vfs_read', '--syntax=masm', status=2, says='masm')
    w.refused('import', FTRACE, status=2, says='-o STORE')
    w.refused('annotate', FTRACE, '0xzz', status=2, says='0xzz')
    w.refused('history', FTRACE, 'vfs_read+zz', status=2, says='vfs_read+zz')


@case
def wrong_text_questions(w):
    w.refused('text', FTRACE, 'vfs_read', status=2, says='--at')
    for words, says in ((['--at', 'zz'], 'zz'), (['--at', '101%'], '101%'), (['--at', '-1'], '-1'),
                        (['--at', '1,2'], '1,2'), (['--at=5', '--length=0'], '--length'),
                        (['--at=5', '--length=-4'], '--length'), (['--at=5', '--length=0x'], '--length'),
                        (['--at=5', '--length=0x100001'], '1048577'),
                        (['--at=5', '--raw', '--format=csv'], '--raw')):
        w.refused('text', FTRACE, 'vfs_read', *words, status=2, says=says)
    w.refused('text', FTRACE, '0xzz', '--at=end', status=2, says='0xzz')
    w.refused('text', FTRACE, 'vfs_read+zz', '--at=end', status=2, says='vfs_read+zz')
    w.refused('text', FTRACE, 'vfs_reed', '--at=end', status=1, says='vfs_read')
    w.refused('text', FTRACE, 'vfs_read+0x10000', '--at=end', status=1, says='past the end')
    w.refused('text', FTRACE, '0x10', '--at=end', status=1, says='0x10')
    w.refused('text', FTRACE, '0x10', '--at=end', '--length=4', '--raw', status=1, says='0x10-0x14')


@case
def wrong_filters(w):
    for words in (['--time', '7,4'], ['--time', '4'], ['--time', '101%,'], ['--cpu', 'a'],
                  ['--cpu', '5-2'], ['--cpu', '0-4294967295'], ['--pid', '1,'], ['--tid', 'x'],
                  ['--kind', 'kernal'], ['--kind', '!'], ['--cpu', '!a'], ['--cause', 'magic'], ['--address', 'zz'],
                  ['--address', '2-1'], ['--address', '1-2-3']):
        w.refused('samples', FTRACE, *words, status=2, says=words[0])


@case
def missing_and_wrong_files(w):
    os.mkdir(w.path('directory'))
    open(w.path('empty'), 'w').close()
    with open(w.path('text'), 'w') as file:
        file.write('no capture\n' * 100)
    for name in ('missing', 'directory', 'empty', 'text'):
        w.refused('info', name, status=1, says=name)
    w.refused('info', '/dev/null', status=1, says='/dev/null')


@case
def damaged_store(w):
    w.run('import', FTRACE, '-o', 'good.pentimento')
    with open(w.path('good.pentimento'), 'rb') as file:
        content = file.read()
    with open(w.path('cut.pentimento'), 'wb') as file:
        file.write(content[:len(content) // 2])
    with open(w.path('header.pentimento'), 'wb') as file:
        file.write(content[:100])
    for name in ('cut.pentimento', 'header.pentimento'):
        w.refused('samples', name, status=1, says=name)


@case
def unknown_names(w):
    w.refused('annotate', FTRACE, 'vfs_reed', status=1, says='vfs_read')
    w.refused('history', FTRACE, '0x10', status=1, says='0x10')
    w.refused('history', FTRACE, 'vfs_read+0x10000', status=1, says='past the end')
    same(w.csv('samples', FTRACE, '--symbol', 'no_such_symbol'), [])


@case
def unreadable_file(w):
    capture = w.path('root.data')
    shutil.copy(os.path.join(FTRACE, 'data'), capture)
    os.chmod(capture, 0o600 if os.geteuid() == 0 else 0)
    os.chmod(w.directory, 0o755)
    become = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
    got = subprocess.run([cli, 'info', capture], env=dict(w.env, XDG_CACHE_HOME=w.path('none')),
                         preexec_fn=become, capture_output=True, timeout=60)
    same(got.returncode, 1)
    message = got.stderr.decode()
    assert 'sudo chown' in message and capture in message, message


@case
def cut_off(w):
    whole = os.path.join(FTRACE, 'data')
    with open(whole, 'rb') as file:
        content = file.read()
    with open(w.path('cut.data'), 'wb') as file:
        file.write(content[:len(content) // 2])
    for words, given in ((['cut.data'], None), (['-'], content[:len(content) // 2])):
        got = w.run('samples', *words, '--format=csv', input=given)
        message = got.stderr.decode()
        assert message.startswith('pentimento-cli: '), message
        assert 'ends at offset 0x%x' % (len(content) // 2) in message, message
        assert '%d samples are kept' % (got.stdout.count(b'\n') - 1) in message, message
        assert message.count('\n') == 1, message
    assert w.run('import', 'cut.data', '-o', 's.pentimento').stderr.count(b'ends at offset') == 1


# ---- streams and wrappers ----

def piped(w, content, *words):
    got = w.run(*words, input=content)
    same(got.stderr, b'')
    return got.stdout


def through_fifo(w, content, *words):
    fifo = w.path('fifo')
    os.mkfifo(fifo)
    child = subprocess.Popen([cli, *(fifo if word == '-' else word for word in words)], env=w.env,
                             stdout=subprocess.PIPE)
    with open(fifo, 'wb') as file:
        file.write(content)
    out = child.communicate(timeout=60)[0]
    same(child.returncode, 0)
    os.unlink(fifo)
    return out


@case
def streams_and_wrappers(w):
    w.env = dict(w.env, TMPDIR=w.path('tmp'))
    os.mkdir(w.path('tmp'))
    for source in (os.path.join(data, 'a-pipe.data'), os.path.join(FTRACE, 'data'),
                   os.path.join(data, 'f-everything-z.data', 'data')):
        shutil.copy(source, w.path('plain.data'))
        with open(source, 'rb') as file:
            content = file.read()
        wrapped = [content, gzip.compress(content), lzma.compress(content)]
        if shutil.which('zstd'):
            wrapped.append(subprocess.run(['zstd', '-qc'], input=content, check=True,
                                          capture_output=True).stdout)
        expected = w.run('samples', 'plain.data', '--format=csv').stdout
        cached = sorted(os.listdir(os.path.join(w.env['XDG_CACHE_HOME'], 'pentimento')))
        with open(source, 'rb') as file:
            same(w.run('samples', '-', '--format=csv', stdin=file).stdout, expected)
        for form in wrapped:
            same(piped(w, form, 'samples', '-', '--format=csv'), expected)
            same(through_fifo(w, form, 'samples', '-', '--format=csv'), expected)
        same(os.listdir(w.path('tmp')), [])
        same(sorted(os.listdir(os.path.join(w.env['XDG_CACHE_HOME'], 'pentimento'))), cached)
        for form in wrapped[1:]:
            with open(w.path('wrapped'), 'wb') as file:
                file.write(form)
            same(w.run('samples', 'wrapped', '--format=csv').stdout, expected)
        piped(w, content, 'functions', '-', '--strict')
        w.run('import', '-', '-o', 's.pentimento', input=content)
        same(w.run('samples', 's.pentimento', '--format=csv').stdout, expected)


@case
def streams_that_are_none(w):
    for content, says in ((b'', 'standard input'), (b'text\n' * 100, 'not a perf.data file'),
                          (gzip.compress(b'text'), 'gzip')):
        got = w.run('info', '-', status=1, input=content)
        message = got.stderr.decode()
        assert message.startswith('pentimento-cli: ') and says in message, message
    with open('/dev/null', 'rb') as null:
        w.run('info', '-', status=1, stdin=null)
    # the target and the stream in either order
    with open(os.path.join(FTRACE, 'data'), 'rb') as file:
        content = file.read()
    address = w.csv('samples', FTRACE, '--kind', 'kernel')[0]['address']
    same(piped(w, content, 'annotate', '-', address), piped(w, content, 'annotate', address, '-'))
    # standard input is a file that the output must not replace
    shutil.copy(os.path.join(FTRACE, 'data'), w.path('mine.data'))
    with open(w.path('mine.data'), 'rb') as file:
        w.run('samples', '-', '-o', 'mine.data', status=1, stdin=file)
    with open(w.path('mine.data'), 'rb') as file:
        same(file.read(), content)


def wait_until_heard(process, number):
    """Until then the signal would end it without a word: pentimento-cli blocks it, and a thread waits for it."""
    def is_blocked():
        with open('/proc/%d/status' % process.pid) as file:
            blocked = next(line for line in file if line.startswith('SigBlk:'))
        return int(blocked.split()[1], 16) >> (number - 1) & 1
    end = time.monotonic() + 120
    while not is_blocked():
        assert process.poll() is None and time.monotonic() < end, 'it does not listen'
        time.sleep(0.01)


@case
def interrupted_while_waiting(w):
    os.mkfifo(w.path('fifo'))
    for words, given in ((['info', 'fifo'], subprocess.DEVNULL), (['info', '-'], subprocess.PIPE)):
        child = subprocess.Popen([cli, *words], env=dict(w.env, TMPDIR=w.directory),
                                 cwd=w.directory, stdin=given, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        wait_until_heard(child, signal.SIGTERM)
        time.sleep(0.5)
        child.send_signal(signal.SIGTERM)
        try:
            same(child.wait(timeout=120), 1)
        finally:
            child.kill()
        message = child.stderr.read().decode()
        assert message.startswith('pentimento-cli: '), message
        if child.stdin:
            child.stdin.close()
        child.stdout.close()
        child.stderr.close()
        same(os.listdir(w.directory), ['fifo'])


# ---- text as of a time ----

def seconds(ns, behind=''):
    return '%d.%09d%s' % (int(ns) // 10**9, int(ns) % 10**9, behind)


@case
def text_beside_each_patch(w):
    """On the two sides of each patch of the bundled captures its old and its new bytes stand."""
    n = 0
    for capture in (FTRACE, KPROBES):
        pokes = [p for p in w.csv('changes', capture) if p['change'] == 'poke' and p['old'] and p['new']]
        for poke in pokes[::max(1, len(pokes) // 12)]:
            at = int(poke['time'])
            same_time = [p for p in pokes if p['time'] == poke['time'] and p['address'] == poke['address']]
            for behind, cell, beside in (('-', 'old', same_time[0]), ('', 'new', same_time[-1])):
                got = w.run('text', capture, poke['address'], '--length', str(len(poke[cell].split())),
                            '--at', seconds(at, behind), '--raw').stdout
                same(got.hex(' '), beside[cell])
            n += 1
    assert n >= 20, n


def lines_at(rows, at):
    """Of an annotation's rows those that stood then, as text shows them."""
    def stood(row):
        return (not row['from'] or int(row['from']) <= at) and (not row['to'] or at < int(row['to']))
    return [(row['address'], row['bytes'], row['instruction'], row['target']) for row in rows
            if row['bytes'] and stood(row)]


@case
def text_is_the_annotation_of_that_time(w):
    for capture in (FTRACE, KPROBES, BPF):
        for function in some([f for f in w.csv('functions', capture, '--changed') if f['symbol']
                              and f['kind'] == 'kernel'], 6):
            rows = w.csv('annotate', capture, function['start'])
            times = sorted({int(row['from']) for row in rows if row['from']})
            for at in [times[0] - 1] + times[::max(1, len(times) // 4)] + [times[-1] + 1]:
                text = w.csv('text', capture, function['symbol'], '--at', seconds(at))
                got = [(row['address'], row['bytes'], row['instruction'], row['target']) for row in text
                       if row['bytes'] and not row['instruction'].startswith('.byte')]
                sampled = [line for line in lines_at(rows, at) if not line[2].startswith('.byte')]
                for a, b in zip(got + [None], sampled + [None]):
                    same(a and a[:3], b and b[:3])
                same([line[0] for line in got if not line[3]], [line[0] for line in sampled if not line[3]])


@case
def annotation_of_one_moment(w):
    rows = w.csv('annotate', FTRACE, 'vfs_read')
    times = sorted({int(row['from']) for row in rows if row['from']})
    for at in (times[0] - 1, times[0], times[-1]):
        same([row for row in w.csv('annotate', FTRACE, 'vfs_read', '--at', seconds(at)) if row['kind'] == 'kernel'],
             [row for row in rows if row['kind'] == 'kernel' and (not row['from'] or int(row['from']) <= at)
              and (not row['to'] or at < int(row['to']))])
    w.refused('annotate', FTRACE, 'vfs_read', '--at=zz', status=2, says='zz')


@case
def text_forms(w):
    rows = w.csv('text', FTRACE, 'vfs_read', '--at=end')
    same(rows[0]['offset'], '0x0')
    same(rows[0]['symbol'], 'vfs_read')
    start = int(rows[0]['address'], 16)
    raw = w.run('text', FTRACE, 'vfs_read', '--at=end', '--raw').stdout
    same(raw, bytes.fromhex(''.join(row['bytes'] for row in rows).replace(' ', '')))
    w.run('text', FTRACE, 'vfs_read', '--at=end', '--raw', '-o', 'code.bin')
    with open(w.path('code.bin'), 'rb') as file:
        same(file.read(), raw)
    # an address inside gives the whole; an offset what follows; a length so much
    same(w.csv('text', FTRACE, '0x%x' % (start + 6), '--at=end'), rows)
    same(w.csv('text', FTRACE, 'vfs_read+5', '--at=end'), rows[1:])
    same(w.csv('text', FTRACE, 'vfs_read+0x6', '--at=end', '--length=2'), rows[1:3])
    same(w.run('text', FTRACE, 'vfs_read', '--at=end', '--length=0x10', '--raw').stdout, raw[:16])
    intel = w.csv('text', FTRACE, 'vfs_read', '--at=end', '--syntax=intel')
    same([row['bytes'] for row in intel], [row['bytes'] for row in rows])
    assert [row['instruction'] for row in intel] != [row['instruction'] for row in rows]
    same([{k: as_csv(v) for k, v in row.items()}
          for row in json.loads(w.text('text', FTRACE, 'vfs_read', '--at=end', '--format=json'))],
         [{k: plain(v) for k, v in row.items()} for row in rows])
    table = w.text('text', FTRACE, 'vfs_read', '--at=50%')
    assert 'vfs_read' in table.splitlines()[0] and ' at ' in table.splitlines()[0], table
    # what is named only while it was there
    trampoline = w.refused('text', FTRACE, 'ftrace_trampoline', '--at=start', status=1, says='was not there')
    assert ' from ' in trampoline and ' to ' in trampoline, trampoline
    # a function without samples or changes: in its place, with or without bytes
    beside = w.csv('text', FTRACE, '0x%x' % (start - 16), '--at=end', '--length=32')
    same(sum(len(row['bytes'].split()) for row in beside if int(row['address'], 16) < start), 16)
    same(next(row['offset'] for row in beside if row['symbol'] == 'vfs_read'), '0x0')


@case
def text_of_programs_is_their_image(w):
    """Each function of a program, subprograms too, is the recorded image of just that function."""
    n = n_sources = 0
    for capture in (BPF, EVERYTHING):
        rows = w.csv('sql', capture, "SELECT printf('0x%x', f.address) AS address, f.length, hex(f.bytes) AS bytes,"
                     " t.from_time, f.number FROM bpf_function f JOIN tenure t ON t.id = f.tenure"
                     " WHERE f.bytes IS NOT NULL")
        for row in rows[:20]:
            # a poke of the program's entry is no part of its image
            at = 'start' if row['from_time'] == '0' else seconds(row['from_time'])
            raw = w.run('text', capture, row['address'], '--at', at, '--raw', '--length', row['length']).stdout
            same(raw.hex().upper(), row['bytes'])
            n += row['number'] != '0'
            sources = [r['source'] for r in w.csv('text', capture, row['address'], '--at', at, '--length', row['length'])]
            n_sources += any(sources)
    assert n > 0, 'no subprogram'
    assert n_sources > 0, 'no program tells its source'


@case
def text_on_another_machine(w):
    """A store says the same where there is nothing else: no capture, no home, another directory."""
    for capture in (FTRACE, KPROBES, BPF):
        asked = []
        for function in some([f for f in w.csv('functions', capture) if f['symbol'] and f['start'] != '0x0'], 12):
            asked += [('annotate', function['start']), ('history', function['start'])]
            if function['kind'] in ('kernel', 'module', 'bpf', 'stub'):
                asked += [('text', function['start'], '--length=64', '--at=end'),
                          ('text', function['start'], '--length=64', '--at=50%', '--syntax=intel')]
        shutil.copytree(capture, w.path('capture'))
        w.run('import', 'capture', '-o', 'here.pentimento')
        before = [w.run(words[0], 'here.pentimento', *words[1:]).stdout for words in asked]
        shutil.rmtree(w.path('capture'))
        with tempfile.TemporaryDirectory() as far:
            shutil.move(w.path('here.pentimento'), os.path.join(far, 'other.pentimento'))
            for words, expected in zip(asked, before):
                got = subprocess.run([cli, words[0], 'other.pentimento', *words[1:]], cwd=far, capture_output=True,
                                     env={'HOME': far, 'PATH': '/nowhere', 'LC_ALL': 'C.UTF-8'}, check=True)
                same(got.stdout, expected)


# ---- formats ----

TIMES = ('time', 'from', 'to', 'first', 'last')
BYTES = ('old', 'new', 'payload')


def as_csv(value):
    if isinstance(value, list):
        return ';'.join(v.replace('\\', '\\\\').replace(';', '\\;') for v in value)
    return '' if value is None else str(value)


def in_table(name, cell):
    """How a table shows a cell of csv; None where it has a form of its own."""
    if name in TIMES:
        return '%d.%09d' % divmod(int(cell), 10**9) if cell else None
    if name in BYTES and len(cell) > 3 * 16:
        return cell[:3 * 16] + '…'
    return ' ← '.join(cell.split(';')) if name == 'callchain' else plain(cell)


def assert_same_line(row, line):
    """Every cell is in the line, one behind the other."""
    at = 0
    for name, cell in row.items():
        shown = in_table(name, cell)
        if shown:
            found = line.find(shown, at)
            assert found >= 0, '%s: %r is not in %r' % (name, shown, line[at:])
            at = found + len(shown)


@case
def formats_agree(w):
    commands = [(c, FTRACE) for c in TABLES]
    commands += [('annotate', FTRACE, 'vfs_read'), ('history', FTRACE, 'vfs_read'),
                 ('samples', BPF), ('changes', KPROBES), ('functions', BPF, '--changed'),
                 ('samples', EVERYTHING, '--callchain', '--payload'), ('occupants', BPF)]
    for words in commands:
        rows = w.csv(*words)
        objects = json.loads(w.text(*words, '--format=json'))
        assert rows, words
        same(len(objects), len(rows))
        for row, entry in zip(rows, objects):
            same(list(row), list(entry))
            for key, value in entry.items():
                if isinstance(value, float):
                    same(float(row[key]), value)
                else:
                    same(plain(row[key]), as_csv(value))
        lines = w.text(*words).splitlines()
        if words[0] == 'info':
            sections = {line for line in lines if line and line == line.strip() and '  ' not in line}
            assert {'Recording', 'Machine', 'Time', 'Records', 'Lost', 'Damage'} <= sections, sections
            same(len(lines), len(rows) + 1 + 2 * lines.count(''))
        elif words[0] not in ('annotate', 'history'):
            same(len(lines), len(rows) + 1)
            same(lines[0].split(), list(rows[0]))
            for row, line in zip(rows, lines[1:]):
                assert_same_line(row, line)


@case
def listings_of_history_and_compare(w):
    rows, text = w.csv('history', FTRACE, 'vfs_read'), w.text('history', FTRACE, 'vfs_read')
    lines = text.splitlines()
    same(lines[0], 'vfs_read+0x0  kernel [kernel.kallsyms]')
    patches = [row for row in rows if row['cause']]
    assert len(patches) == 4, patches
    at = 0
    for row in patches:
        at = text.index('  %s (%s), by %s [%s] on CPU %s: %s' % (
            row['cause'], row['confidence'], row['comm'], row['tid'], row['cpu'], row['reason']), at)
        version = text[at:].splitlines()[1]
        assert_same_line({name: row[name] for name in ('from', 'to', 'revision', 'samples')}, version)
        assert row['bytes'] in version and row['instruction'] in version, version
        same('One of %s sites patched together.' % row['sites'] in text[at:].splitlines()[0], int(row['sites']) > 1)
    same(len(lines), 2 + len(rows) + 2 * len(patches))
    # Each occupant of the byte has a heading.
    reused = next(row['start'] for row in w.csv('occupants', BPF, '--kind', 'bpf') if int(row['samples']))
    rows = w.csv('history', BPF, reused)
    headed = [line for line in w.text('history', BPF, reused).splitlines() if 'program ' in line]
    same(len(headed), sum(row['kind'] == 'bpf' and row['revision'] == '0' for row in rows))

    rows, lines = w.csv('compare', FTRACE, 'vfs_read'), w.text('compare', FTRACE, 'vfs_read').splitlines()
    # The verdict, the heads, the cause as a whole, then each change.
    phases = w.csv('compare', FTRACE, 'vfs_read', '--phases')
    same(len(lines), 3 + 2 + len(rows))
    assert lines[0].startswith('Traced '), lines[0]
    assert_same_line({'cause': 'ftrace', 'off': phases[0]['samples'], 'on': phases[1]['samples'],
                      'ratio': phases[1]['ratio'], 'verdict': phases[1]['verdict']}, lines[2])
    same(lines[4], 'Change by change')
    for row, line in zip(rows, lines[5:]):
        assert_same_line({name: row[name] for name in ('change', 'time', 'cause', 'before', 'before_rate')}, line)
        assert '%s–%s' % (row['after_low'], row['after_high']) in line, line
        assert line.endswith(row['verdict']), line


@case
def callchains_begin_with_the_sample(w):
    rows = w.csv('samples', EVERYTHING, '--callchain')
    chains = 0
    for row in rows:
        places = row['callchain'].split(';')
        if row['callchain'] and row['symbol']:
            same(places[0].split(' ')[0], '%s+%s' % (row['symbol'], row['offset']))
        elif row['callchain'] and row['address']:
            same(places[0].split(' ')[0], row['address'])
        chains += len(places) > 1
    assert chains > len(rows) // 2, chains
    for row in rows:
        del row['callchain']
    same(rows, w.csv('samples', EVERYTHING))


@case
def csv_is_plain(w):
    raw = w.run('samples', FTRACE, '--format=csv').stdout
    assert b'\r' not in raw and raw.endswith(b'\n')
    same(raw.split(b'\n')[0],
         b'time,event,cpu,pid,tid,comm,address,kind,occupant,revision,symbol,offset,period')
    same(w.run('samples', FTRACE, '--format', 'csv').stdout, raw)


@case
def stores_and_captures_agree(w):
    w.run('import', FTRACE, '-o', 'f.pentimento')
    for words in (['samples'], ['changes'], ['functions']):
        same(w.text(*words, FTRACE, '--format=csv'), w.text(*words, 'f.pentimento', '--format=csv'))


# ---- what they say ----

@case
def samples_in_order(w):
    for capture in (FTRACE, KPROBES, BPF):
        times = [int(row['time']) for row in w.csv('samples', capture)]
        same(times, sorted(times))


@case
def functions_count_samples(w):
    os.mkdir(w.path('nothing'))
    for capture in (FTRACE, BPF):
        samples = w.csv('samples', capture, '--symfs=nothing')
        functions = w.csv('functions', capture, '--symfs=nothing')
        same(sum(int(f['samples']) for f in functions), len(samples))
        same(sum(int(f['period']) for f in functions), sum(int(s['period']) for s in samples))
        counts = [int(f['samples']) for f in functions]
        same(counts, sorted(counts, reverse=True))
        named = {}
        for s in samples:
            key = (s['symbol'], s['kind'], s['occupant'],
                   hex(int(s['address'], 16) - int(s['offset'], 16)) if s['symbol'] else '')
            named[key] = named.get(key, 0) + 1
        for f in functions:
            key = (f['symbol'], f['kind'], f['occupant'], f['start'] if f['symbol'] else '')
            same(named.get(key, 0), int(f['samples']))


@case
def annotation_counts_samples(w):
    samples = w.csv('samples', FTRACE, '--symbol', 'vfs_read')
    lines = w.csv('annotate', FTRACE, 'vfs_read')
    same(sum(int(line['samples']) for line in lines), len(samples))
    for line in lines:
        got = [s for s in samples if s['address'] == line['address']
               and s['revision'] == line['revision']]
        same(int(line['samples']), len(got))
    entry = [line for line in lines if line['offset'] == '0x0']
    assert len(entry) > 2, 'the entry of vfs_read was patched'
    same([line['version'] for line in entry], [str(i) for i in range(len(entry))])
    assert entry[0]['from'] == '' and entry[-1]['to'] == ''
    for before, after in zip(entry, entry[1:]):
        same(before['to'], after['from'])
    assert entry[0]['instruction'].startswith('nop') and \
        entry[1]['instruction'].startswith('call'), entry
    intel = w.csv('annotate', FTRACE, 'vfs_read', '--syntax=intel')
    same([line['bytes'] for line in intel], [line['bytes'] for line in lines])
    assert all('%' not in line['instruction'] for line in intel)


@case
def annotation_takes_either_order_and_addresses(w):
    text = w.text('annotate', FTRACE, 'vfs_read', '--format=csv')
    same(w.text('annotate', 'vfs_read', FTRACE, '--format=csv'), text)
    address = text.splitlines()[1].split(',')[0]
    same(w.text('annotate', FTRACE, address, '--format=csv'), text)
    listing = w.text('annotate', FTRACE, 'vfs_read')
    assert 'vfs_read' in listing.splitlines()[0] and ' ~ ' in listing
    assert '\x1b' not in listing, 'colour in a pipe'


@case
def history_tells_who(w):
    rows = w.csv('history', FTRACE, 'vfs_read')
    assert len(rows) > 2
    same(rows[0]['from'], '')
    same(rows[0]['before_instruction'], '')
    same(rows[-1]['to'], '')
    for before, after in zip(rows, rows[1:]):
        same(before['to'], after['from'])
        same(before['bytes'], after['before_bytes'])
        same(after['cause'], 'ftrace')
        same(after['comm'], 'sh')
        assert after['pid'] and after['reason'] and after['cpu'] != ''
        same(int(after['revision']), int(before['revision']) + 1)
    samples = w.csv('samples', FTRACE, '--symbol', 'vfs_read')
    same(sum(int(row['samples']) for row in rows), sum(s['offset'] == '0x0' for s in samples))
    same(w.csv('history', FTRACE, 'vfs_read+0x0'), rows)
    # the last byte of the same instruction has the same history
    last = w.csv('history', FTRACE, 'vfs_read+4')
    same([r['bytes'] for r in last], [r['bytes'] for r in rows])
    same([r['samples'] for r in last], [r['samples'] for r in rows])


@case
def before_and_after(w):
    samples = w.csv('samples', FTRACE, '--symbol', 'vfs_read')
    first, last = (f(int(s['time']) for s in w.csv('samples', FTRACE)) for f in (min, max))
    pokes = [int(c['time']) for c in w.csv('changes', FTRACE, '--symbol', 'vfs_read')
             if c['change'] == 'poke']
    rows = w.csv('compare', FTRACE, 'vfs_read')
    same([int(row['time']) for row in rows], pokes)
    edges = [first] + pokes + [last + 1]
    for i, row in enumerate(rows):
        for side, (begin, end) in (('before', edges[i:i + 2]), ('after', edges[i + 1:i + 3])):
            same(int(row[side]), sum(begin <= int(s['time']) < end for s in samples))
            assert abs(float(row[side + '_seconds']) - (end - begin) / 1e9) < 1e-6, row
            assert float(row[side + '_low']) <= float(row[side + '_rate']) <= float(row[side + '_high'])
        assert (float(row['p']) < 0.05) == (row['verdict'] in ('more', 'less')), row
    same(w.csv('compare', FTRACE, 'vfs_read', '--change', '2'), rows[1:2])
    w.refused('compare', FTRACE, 'vfs_read', '--change', '99', status=1, says='patched')
    w.refused('compare', FTRACE, 'vfs_read', '--change', '-1', status=2, says='--change')
    untouched = next(f['symbol'] for f in w.csv('functions', FTRACE, '--kind', 'kernel')
                     if f['symbol'] and f['changes'] == '0')
    w.refused('compare', FTRACE, untouched, status=1, says='not patched')


@case
def phases_of_a_cause(w):
    """On against off, summed once more from the samples and the pokes."""
    for capture, cause in (FTRACE, 'ftrace'), (KPROBES, 'kprobe'):
        samples = w.csv('samples', capture)
        times = [int(s['time']) for s in samples]
        pokes = [c for c in w.csv('changes', capture, '--symbol', 'vfs_read') if c['change'] == 'poke']
        edges = [min(times)] + [int(c['time']) for c in pokes] + [max(times) + 1]
        # What is there before each poke: an entry that is traced has a call, a probe a breakpoint or a jump.
        on = [c['old'][:2] in ('e8', 'cc', 'e9') for c in pokes] + [pokes[-1]['new'][:2] in ('e8', 'cc', 'e9')]
        rows = [row for row in w.csv('compare', capture, 'vfs_read', '--phases') if not row['comm']]
        same([row['phase'] for row in rows], ['off', 'on'])
        for row, state in zip(rows, (False, True)):
            parts = [edges[i:i + 2] for i in range(len(on)) if on[i] == state]
            inside = [s for s in samples if any(begin <= int(s['time']) < end for begin, end in parts)]
            counted = sum(s['symbol'] == 'vfs_read' for s in inside)
            seconds = sum(end - begin for begin, end in parts) / 1e9
            same((row['cause'], int(row['samples'])), (cause, counted))
            same(int(row['period']), sum(int(s['period']) for s in inside if s['symbol'] == 'vfs_read'))
            assert abs(float(row['seconds']) - seconds) < 1e-6, row
            assert abs(float(row['rate']) - counted / seconds) < 0.01, row
            assert abs(float(row['share']) - counted / len(inside)) < 1e-6, row
        off, on_row = rows
        assert abs(float(on_row['ratio']) - float(on_row['rate']) / float(off['rate'])) < 0.01, rows
        same((float(on_row['p']) < 0.05), on_row['verdict'] in ('more', 'less'))
        same(off['ratio'], '')
        # Its tasks have all of its samples, but for those of tasks with a few.
        tasks = [row for row in w.csv('compare', capture, 'vfs_read', '--phases') if row['comm'] and row['phase'] == 'on']
        assert 0 < sum(int(row['samples']) for row in tasks) <= int(on_row['samples']), tasks
    w.refused('compare', FTRACE, 'vfs_read', '--phases', '--change', '1', status=2, says='exclude each other')
    same(json.loads(w.text('compare', FTRACE, 'vfs_read', '--phases', '--format=json'))[1]['phase'], 'on')


@case
def misattributed_samples(w):
    """Every patched row, told once more from the samples and the pokes."""
    rows = [row for row in w.csv('misattribution', FTRACE) if row['reason'] == 'patched']
    assert rows
    for row in rows[:5]:
        start, end = (int(row['start'], 16), int(row['start'], 16) + int(row['length']))
        events = [(int(c['time']), 0, c) for c in w.csv('changes', FTRACE, '--symbol', row['symbol'])
                  if c['change'] == 'poke' and start <= int(c['address'], 16) < end]
        events += [(int(s['time']), 1, s) for s in w.csv('samples', FTRACE, '--symbol', row['symbol'])
                   if start <= int(s['address'], 16) < end]
        original, now, wrong, on_changed, total = {}, {}, 0, 0, 0
        for _, is_sample, event in sorted(events, key=lambda e: e[:2]):
            address = int(event['address'], 16)
            if is_sample:
                total += 1
                wrong += now != original
                on_changed += now.get(address) != original.get(address)
            else:
                old, new = (bytes.fromhex(event[key].replace(' ', '')) for key in ('old', 'new'))
                for i, (before, after) in enumerate(zip(old, new)):
                    original.setdefault(address + i, before)
                    now[address + i] = after
        same((int(row['samples']), int(row['misattributed'])), (total, wrong))
        assert int(row['on_changed']) >= on_changed, row
    facts = {row['fact']: row['value'] for row in w.csv('info', FTRACE)}
    everything = w.csv('misattribution', FTRACE)
    same(facts['misattribution in text that differed'].split()[0],
         str(sum(int(r['misattributed']) for r in everything if r['reason'] != 'no text')))


@case
def misattribution_without_pokes(w):
    """That no patch was recorded does not mean that there was none."""
    text_poke = 1 << 33
    with open(os.path.join(FTRACE, 'data'), 'rb') as file:
        data = bytearray(file.read())
    entry, attrs, length = struct.unpack_from('<QQQ', data, 16)
    for at in range(attrs, attrs + length, entry):
        flags, = struct.unpack_from('<Q', data, at + 40)
        struct.pack_into('<Q', data, at + 40, flags & ~text_poke)
    with open(w.path('unasked.data'), 'wb') as file:
        file.write(data)
    facts = {row['fact']: row['value'] for row in w.csv('info', 'unasked.data')}
    assert facts['misattribution in text that differed'].startswith('not known'), facts
    assert b'text pokes were not recorded' in w.run('misattribution', 'unasked.data').stderr
    assert b'recorded' not in w.run('misattribution', FTRACE).stderr


@case
def history_of_a_probe(w):
    changes = w.csv('changes', KPROBES, '--cause', 'optprobe', '--kind', 'kernel')
    rows = w.csv('history', KPROBES, changes[0]['address'])
    causes = {row['cause'] for row in rows}
    assert {'kprobe', 'optprobe'} <= causes, causes
    assert any(row['instruction'].startswith('int3') for row in rows)


@case
def history_of_a_used_address(w):
    program = next(f for f in w.csv('functions', BPF, '--kind', 'bpf') if int(f['versions']) > 1)
    rows = w.csv('history', BPF, program['start'])
    assert len({row['occupant'] for row in rows}) > 1, rows
    times = [int(row['from'] or 0) for row in rows]
    same(times, sorted(times))
    for before, after in zip(rows, rows[1:]):
        assert int(before['to']) <= int(after['from']), 'two tenures at once'
    at = [s for s in w.csv('samples', BPF, '--address', program['start'])]
    same(sum(int(row['samples']) for row in rows if row['bytes'] == '' or row['offset'] == '0x0'),
         sum(any(r['occupant'] == s['occupant'] and (r['bytes'] == '' or r['offset'] == '0x0')
                 for r in rows) for s in at))


# ---- notes ----

@case
def notes_of_a_store(w):
    w.run('import', FTRACE, '-o', 'noted.pentimento')
    same(w.csv('notes', 'noted.pentimento'), [])
    start = next(f for f in w.csv('functions', FTRACE) if f['symbol'] == 'vfs_read')['start']
    with sqlite3.connect(w.path('noted.pentimento')) as db:
        db.execute('INSERT INTO note VALUES (7, NULL, ?, ?, 0)',
                   (int(start, 16) + 4 - 2**64, 'a "line"\tand\nmore'))
        db.execute('INSERT INTO note VALUES (8, 5000000000, NULL, ?, 1000000)', ('=a time',))
    db.close()
    notes = w.csv('notes', 'noted.pentimento')
    same([(n['id'], n['time'], n['symbol'], n['offset']) for n in notes],
         [('8', '5000000000', '', ''), ('7', '', 'vfs_read', '0x4')])
    same(plain(notes[0]['text']), '=a time')
    same(notes[0]['written'], '1970-01-01T00:00:01Z')
    w.run('import', '--verify', 'noted.pentimento')


# ---- filters ----

@case
def filters_mean_the_same_everywhere(w):
    everything = w.csv('samples', FTRACE)
    middle = everything[len(everything) // 2]
    first, last = int(everything[0]['time']), int(middle['time'])
    seconds = '%d.%09d,%d.%09d' % (*divmod(first, 10**9), *divmod(last, 10**9))
    kernel = next(s for s in everything if s['kind'] == 'kernel')
    filters = [
        (['--time', seconds], lambda s: first <= int(s['time']) <= last),
        (['--cpu', '0'], lambda s: s['cpu'] == '0'),
        (['--cpu', '1-3,7'], lambda s: s['cpu'] in '1237'),
        (['--pid', middle['pid']], lambda s: s['pid'] == middle['pid']),
        (['--tid=0,%s' % middle['tid']], lambda s: s['tid'] in ('0', middle['tid'])),
        (['--comm', middle['comm']], lambda s: plain(s['comm']) == plain(middle['comm'])),
        (['--comm', 'sh', '--comm', 'swapper'], lambda s: s['comm'] in ('sh', 'swapper')),
        (['--event', everything[0]['event']], lambda s: s['event'] == everything[0]['event']),
        (['--kind', 'stub,dso'], lambda s: s['kind'] in ('stub', 'dso')),
        (['--occupant', '[kernel.kallsyms]'], lambda s: s['occupant'] == '[kernel.kallsyms]'),
        (['--symbol', kernel['symbol']], lambda s: s['symbol'] == kernel['symbol']),
        (['--address', '%s-%s' % (kernel['address'], kernel['address'])],
         lambda s: s['address'] == kernel['address']),
        (['--cpu', '!1-3'], lambda s: s['cpu'] not in ('1', '2', '3')),
        (['--pid', '!' + middle['pid']], lambda s: s['pid'] != middle['pid']),
        (['--comm', '!sh', '--comm', '!swapper'], lambda s: s['comm'] not in ('sh', 'swapper')),
        (['--event', '!none'], lambda s: True),
        (['--kind', '!dso,stub'], lambda s: s['kind'] not in ('stub', 'dso')),
        (['--occupant', '![kernel.kallsyms]'], lambda s: s['occupant'] != '[kernel.kallsyms]'),
        (['--symbol', '!' + kernel['symbol'], '--time', seconds],
         lambda s: s['symbol'] != kernel['symbol'] and first <= int(s['time']) <= last),
        (['--comm', 'sh', '--comm', '!sh'], lambda s: False),
        (['--comm', '\\!sh'], lambda s: s['comm'] == '!sh'),
        (['--kind', 'kernel', '--cpu', '1'], lambda s: s['kind'] == 'kernel' and s['cpu'] == '1'),
    ]
    for words, holds in filters:
        expected = [s for s in everything if holds(s)]
        same(w.csv('samples', FTRACE, *words), expected)
        same(sum(int(f['samples']) for f in w.csv('functions', FTRACE, *words)), len(expected))
    assert expected, 'the last filter leaves something'


@case
def per_cent_is_of_the_capture(w):
    everything = w.csv('samples', FTRACE)
    half = w.csv('samples', FTRACE, '--time', ',50%')
    other = w.csv('samples', FTRACE, '--time', '50%,')
    assert half and other
    same(half + other, everything)


@case
def band(w):
    everything = os.path.join(data, 'f-everything-z.data')
    patches = collections.defaultdict(list)
    for poke in w.csv('changes', everything):
        if poke['change'] == 'poke' and poke['old'] != poke['new']:
            for i in range(int(poke['length'])):
                patches[int(poke['address'], 16) + i].append(int(poke['time']))
    rows = w.csv('samples', everything, '--band')
    plain = w.csv('samples', everything)
    same([{name: row[name] for name in plain[0]} for row in rows], plain)
    seen = 0
    for row in rows:
        if row['occupant'] != '[kernel.kallsyms]':
            continue
        time, times = int(row['time']), patches[int(row['address'], 16)]
        same(row['since'], str(min((time - t for t in times if t <= time), default='')))
        same(row['until'], str(min((t - time for t in times if t > time), default='')))
        seen += bool(times)
    assert seen > 0
    assert any(row['since'] for row in rows if row['kind'] == 'bpf')
    assert not any(row['since'] or row['until'] for row in rows if row['kind'] == 'dso')


@case
def band_width(w):
    poke = next(c for c in w.csv('changes', FTRACE) if c['cause'] == 'ftrace' and c['symbol'])
    def near(*options):
        return [(row['near_from'], row['near_to'])
                for row in w.csv('history', FTRACE, poke['address'], *options)]
    def total(counts):
        return sum(int(n) for pair in counts for n in pair)
    same(near(), near('--band-width', '1000000'))
    assert total(near('--band-width', '0')) <= total(near()) <= total(near('--band-width', '1000000000'))
    w.run('history', FTRACE, poke['address'], '--band-width', '-1', status=2)


@case
def batches_of_changes(w):
    rows = w.csv('changes', FTRACE, '--batches')
    plain = w.csv('changes', FTRACE)
    same([{name: row[name] for name in plain[0]} for row in rows], plain)
    pokes = [row for row in rows if row['change'] == 'poke']
    assert all(row['confidence'] in ('certain', 'likely', 'guess', 'none') for row in pokes)
    assert all(row[name] == '' for row in rows if row['change'] != 'poke'
               for name in ('confidence', 'key', 'batch', 'sites', 'sentence'))
    sizes = collections.Counter(row['batch'] for row in pokes)
    assert max(sizes.values()) > 1
    for row in pokes:
        same(int(row['sites']), sizes[row['batch']])
        assert row['sentence'].endswith('.')
    for batch in sizes:
        same(len({(row['cause'], row['tid'], row['sentence']) for row in pokes
                  if row['batch'] == batch}), 1)
        same(len({row['address'] for row in pokes if row['batch'] == batch}), sizes[batch])
    names = {row['sentence'] for row in pokes if row['key'] == '__tracepoint_sched_switch'}
    assert any(' on at ' in name for name in names), names
    assert any(' off at ' in name for name in names), names


@case
def who_called_for_a_patch(w):
    pokes = [row for row in w.csv('changes', EVERYTHING, '--batches') if row['called_from']]
    path = 'sysctl_schedstats < proc_sys_call_handler < vfs_write'
    assert any(row['called_from'] == path and row['cause'] == 'static-key' for row in pokes)
    assert {row['called_from_evidence'] for row in pokes} == {'during', 'near'}
    assert all(row['called_from_samples'] == '1' for row in pokes if row['called_from_evidence'] == 'near')
    for row in pokes:
        same({other['called_from'] for other in pokes if other['batch'] == row['batch']}, {row['called_from']})
    poke = next(row for row in pokes if row['called_from'] == path)
    told = [row for row in w.csv('history', EVERYTHING, poke['address']) if row['batch'] == poke['batch']]
    same([row['called_from'] for row in told], [poke['called_from']])
    assert 'Called from ' + poke['called_from'] in w.text('history', EVERYTHING, poke['address'])


@case
def changed_and_cause(w):
    changed = {(f['symbol'], f['start']) for f in w.csv('functions', FTRACE)
               if int(f['versions']) > 1}
    same({(f['symbol'], f['start']) for f in w.csv('functions', FTRACE, '--changed')}, changed)
    for s in w.csv('samples', FTRACE, '--changed', '--kind', 'kernel'):
        assert s['symbol'] in {name for name, _ in changed}, s
    changes = w.csv('changes', FTRACE, '--cause', 'ftrace')
    assert changes and all(c['cause'] == 'ftrace' and c['change'] == 'poke' for c in changes)
    same(changes, [c for c in w.csv('changes', FTRACE) if c['cause'] == 'ftrace'])
    patched = {c['symbol'] for c in changes if c['symbol']}
    same({f['symbol'] for f in w.csv('functions', FTRACE, '--cause', 'ftrace', '--kind', 'kernel')},
         {f['symbol'] for f in w.csv('functions', FTRACE, '--kind', 'kernel')
          if f['symbol'] in patched})
    same(w.csv('changes', FTRACE, '--cause', '!ftrace'),
         [c for c in w.csv('changes', FTRACE) if c['cause'] != 'ftrace'])
    same({f['symbol'] for f in w.csv('functions', FTRACE, '--cause', '!ftrace', '--kind', 'kernel')},
         {f['symbol'] for f in w.csv('functions', FTRACE, '--kind', 'kernel')
          if f['symbol'] not in patched})


@case
def filtered_annotation(w):
    lines = w.csv('annotate', FTRACE, 'vfs_read', '--cpu', '0')
    samples = w.csv('samples', FTRACE, '--symbol', 'vfs_read', '--cpu', '0')
    same(sum(int(line['samples']) for line in lines), len(samples))
    same(len(lines), len(w.csv('annotate', FTRACE, 'vfs_read')))


@case
def info_tells_what_is_missing(w):
    facts = {row['fact']: row['value'] for row in w.csv('info', FTRACE)}
    same(facts['samples total'], str(len(w.csv('samples', FTRACE))))
    same(facts['text pokes'], 'recorded')
    assert 'better recorded with' not in facts, facts
    facts = {row['fact']: row['value'] for row in w.csv('info', os.path.join(data, 'a-pipe.data'))}
    if facts['text pokes'] != 'recorded' or not facts['kernel bytes'].startswith('present'):
        assert facts['better recorded with'].startswith('perf record --kcore -a'), facts


# ---- files, pipes, signals ----

@case
def output_file(w):
    text = w.run('samples', FTRACE, '--format=csv').stdout
    with open(w.path('out.csv'), 'w') as file:
        file.write('old')
    os.chmod(w.path('out.csv'), 0o640)
    same(w.run('samples', FTRACE, '--format=csv', '-o', 'out.csv').stdout, b'')
    with open(w.path('out.csv'), 'rb') as file:
        same(file.read(), text)
    same(os.stat(w.path('out.csv')).st_mode & 0o777, 0o640)
    os.symlink('out.csv', w.path('link.csv'))
    w.run('info', FTRACE, '-o', 'link.csv')
    assert os.path.islink(w.path('link.csv'))
    w.run('info', FTRACE, '-o', '/dev/null')
    assert os.path.exists('/dev/null') and not os.path.isfile('/dev/null')
    same(w.run('info', FTRACE, '-o', '-').stdout, w.run('info', FTRACE).stdout)
    w.refused('info', FTRACE, '-o', 'no/such/place', status=1, says='no/such/place')
    # a failed command leaves what was there, and nothing beside it
    w.refused('annotate', FTRACE, 'no_such_symbol', '-o', 'out.csv', status=1, says='no_such_symbol')
    with open(w.path('out.csv'), 'rb') as file:
        assert file.read().startswith(b'fact'), 'replaced by nothing'
    same(sorted(os.listdir(w.directory)), ['link.csv', 'out.csv'])


@case
def never_over_the_capture(w):
    shutil.copytree(FTRACE, w.path('mine.data'))
    before = sorted(os.listdir(w.path('mine.data')))
    for output in ('mine.data/data', 'mine.data/new.csv', 'mine.data/kcore_dir/kallsyms'):
        w.refused('samples', 'mine.data', '-o', output, status=1, says=output)
        w.refused('import', 'mine.data', '-o', output, status=1, says=output)
    w.refused('import', 'mine.data', '-o', 'mine.data', status=1, says='mine.data')
    os.symlink('mine.data/data', w.path('alias'))
    w.refused('samples', 'mine.data', '-o', 'alias', status=1, says='alias')
    same(sorted(os.listdir(w.path('mine.data'))), before)
    w.run('import', 'mine.data', '-o', 'mine.pentimento')
    w.refused('samples', 'mine.pentimento', '-o', 'mine.pentimento', status=1, says='mine.pentimento')
    w.refused('import', 'mine.pentimento', '-o', 'more.pentimento', status=1, says='mine.pentimento')


@case
def import_summary(w):
    got = w.run('import', FTRACE, '-o', 'f.pentimento')
    same(got.stdout, b'')
    summary = got.stderr.decode()
    samples = len(w.csv('samples', 'f.pentimento'))
    for words in ('%d samples' % samples, 'repaired 0', 'set aside 0', 'lost 0'):
        assert words in summary, summary
    same(os.listdir(w.directory), ['f.pentimento'])


@case
def a_changed_capture_is_imported_anew(w):
    shutil.copytree(FTRACE, w.path('mine.data'))
    before = len(w.csv('samples', 'mine.data'))
    shutil.rmtree(w.path('mine.data'))
    shutil.copytree(KPROBES, w.path('mine.data'))
    assert len(w.csv('samples', 'mine.data')) != before


@case
def strict(w):
    w.run('info', FTRACE, '--strict')
    shutil.copytree(FTRACE, w.path('cut.data'))
    path = w.path('cut.data/data')
    with open(path, 'r+b') as file:
        file.truncate(os.path.getsize(path) // 2)
    w.run('samples', 'cut.data')
    got = w.run('samples', 'cut.data', '--strict', status=3)
    assert got.stdout and b'cut.data' in got.stderr
    w.run('import', 'cut.data', '-o', 'cut.pentimento', '--strict', status=3)


@case
def strict_with_each_kind_of_damage(w):
    subprocess.run([damage, w.directory], check=True)
    expected = {'clean': 0, 'repaired': 3, 'lost': 3, 'lost-samples': 3, 'unwanted': 0,
                'set-aside': 3, 'unknown-type': 0}
    facts = {}
    for name, status in expected.items():
        capture = name + '.data'
        plain_run = w.run('samples', capture, '--format=csv')
        strict_run = w.run('samples', capture, '--format=csv', '--strict', status=status)
        same(strict_run.stdout, plain_run.stdout)
        same(plain_run.stdout.count(b'\n'), 3)
        same(b'info' in strict_run.stderr, status == 3)
        same(plain_run.stderr != b'', name == 'set-aside')
        w.run('import', capture, '-o', name, '--strict', status=status)
        facts[name] = {row['fact']: row['value'] for row in w.csv('info', capture)}
        same(facts[name]['records repaired'] != '0', name == 'repaired')
        same(facts[name]['records set aside'] != '0', name == 'set-aside')
        same(facts[name]['lost records or samples'], '7' if name.startswith('lost') else '0')
        same(facts[name]['records SAMPLE'], '2')
    same(facts['unwanted']['lost dropped by a filter'], '7, as was wanted')
    same(facts['unknown-type']['records type 60'], '1')
    w.run('samples', 'unterminated.data')
    w.refused('samples', 'no-such.data', '--strict', status=1, says='no-such.data')
    w.refused('samples', 'lost.data', '--strict', '--kind', 'x', status=2, says='--kind')


@case
def broken_pipe(w):
    for capture in (FTRACE, BPF):
        for form in ('table', 'csv', 'json'):
            process = subprocess.Popen([cli, 'samples', capture, '--format', form], env=w.env,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.readline()
            process.stdout.close()
            errors = process.stderr.read()
            process.stderr.close()
            same(process.wait(), 0)
            same(errors, b'')


@case
def full_device(w):
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'wb') as full:
            got = subprocess.run([cli, 'samples', FTRACE], env=w.env, stdout=full,
                                 stderr=subprocess.PIPE)
        same(got.returncode, 1)
        assert got.stderr.startswith(b'pentimento-cli: '), got.stderr


@case
def interrupt(w):
    # Nobody reads: it blocks with a full pipe until the signal comes.
    process = subprocess.Popen([cli, 'samples', FTRACE, '--format=csv'], env=w.env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    same(len(os.read(process.stdout.fileno(), 1)), 1)
    process.send_signal(signal.SIGINT)
    try:
        same(process.wait(timeout=120), 1)
    finally:
        process.kill()
    errors = process.stderr.read()
    assert errors.startswith(b'pentimento-cli: '), errors
    process.stdout.close()
    process.stderr.close()
    process.wait()


@case
def names_of_any_bytes(w):
    odd = os.fsencode(w.directory) + b'/caf\xe9 \xff.data'
    shutil.copytree(os.fsencode(FTRACE), odd)
    got = subprocess.run([os.fsencode(cli), b'info', odd], env=w.env, capture_output=True)
    same(got.returncode, 0)
    got.stdout.decode()
    got = subprocess.run([os.fsencode(cli), b'info', odd + b'.not'], env=w.env, capture_output=True)
    same(got.returncode, 1)
    got.stderr.decode()


main()
