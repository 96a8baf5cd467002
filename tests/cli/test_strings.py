#!/usr/bin/env python3
"""Recorded strings do nothing to a terminal, a spreadsheet or a parser (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import json
import os
import pty
import subprocess
import sys
import threading
import tty
import unicodedata

import harness
from harness import case, main, same

write_capture = os.path.abspath(sys.argv[2])


class World(harness.World):
    def __init__(self, directory, _cache):
        super().__init__(directory, os.path.join(directory, 'cache'))
        subprocess.run([write_capture, directory + '/h.data'], check=True)

    def rows(self, *words):
        text = self.run(*words, '--format=csv').stdout.decode()
        return list(csv.reader(io.StringIO(text, newline='')))

    def on_terminal(self, *words, status=0):
        """What is written if standard output is a terminal, which changes nothing of it."""
        control, terminal = pty.openpty()
        tty.setraw(terminal)
        pieces = []

        def listen():
            try:
                while piece := os.read(control, 65536):
                    pieces.append(piece)
            except OSError:  # the last that had it open is gone
                pass

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            got = subprocess.run([harness.cli, *words], env=dict(self.env, NO_COLOR='1'), cwd=self.directory,
                                 stdout=terminal, stderr=subprocess.PIPE, timeout=120, check=False)
        finally:
            os.close(terminal)
            listener.join()
            os.close(control)
        assert got.returncode == status, got.stderr.decode()
        return b''.join(pieces), got.stderr.decode()


def assert_harmless(data, where):
    """Nothing in it moves a cursor, sets a colour or turns a direction."""
    for c in data.decode():  # and it is UTF-8
        assert c == '\n' or unicodedata.category(c) not in ('Cc', 'Cf', 'Cs', 'Co', 'Cn', 'Zl', 'Zp'), \
            '%r in %r' % (c, where)


COMMANDS = [('info',), ('samples',), ('samples', '--callchain'), ('changes',), ('occupants',),
            ('functions',), ('annotate', '0xffffffffc0001000'), ('annotate', '=1+1'),
            ('history', '0xffffffffc0001040')]


def command(words, *more):
    return (words[0], 'h.data', *words[1:], *more)


@case
def tables_are_harmless(w):
    for words in COMMANDS:
        got = w.run(*command(words))
        assert_harmless(got.stdout, words)
        assert_harmless(got.stderr, words)
    shown = w.run('samples', 'h.data').stdout.decode()
    for text in ('\\x1b[31mred', '\\u{202e}moc.exe', '\\xff\\xfe', 'new\\nline', '\\u{9b}2J',
                 '\\xed\\xa0\\x80half'):
        assert text in shown, text


@case
def terminals_get_harmless_csv_and_json(w):
    w.run('info', 'h.data')  # imports
    sql = "SELECT char(27) || '[31m' || char(8238) || char(917505), 1 AS \"\x1b\u202e\""
    for words in [*COMMANDS, ('sql', sql)]:
        for kind in ('table', 'csv', 'json'):
            seen, messages = w.on_terminal(*command(words, '--format=' + kind))
            assert_harmless(seen, (words, kind))
            assert_harmless(messages.encode(), (words, kind))
    # … while files and pipes have what was recorded.
    for kind, raw in (('csv', '\x1b[31mred'), ('csv', '\u202emoc.exe'), ('json', '\u202emoc.exe')):
        assert raw in w.run('samples', 'h.data', '--format=' + kind).stdout.decode(), raw
    w.on_terminal('samples', 'h.data', '--format=csv', '-o', 'out.csv')
    assert b'\x1b[31mred' in w.read('out.csv')
    # CSV has the same escapes as the table, JSON the same values as in a pipe.
    seen, _ = w.on_terminal('samples', 'h.data', '--format=csv')
    head, *rows = csv.reader(io.StringIO(seen.decode(), newline=''))
    comms = [row[head.index('comm')] for row in rows]
    for shown in ('\\x1b[31mred', '\\u{202e}moc.exe', 'new\\nline', '\\u{9b}2J', "'=1+1", '\\t-tab'):
        assert shown in comms, (shown, comms)
    for words in [*COMMANDS, ('sql', sql)]:
        seen, _ = w.on_terminal(*command(words, '--format=json'))
        piped = w.run(*command(words, '--format=json')).stdout
        same(json.loads(seen), json.loads(piped))


@case
def raw_bytes_are_not_for_terminals(w):
    words = ('text', 'h.data', '0xffffffffc0001000', '--at=end', '--length=5', '--raw')
    same(w.run(*words).stdout, bytes.fromhex('e800000000'))
    seen, message = w.on_terminal(*words, status=2)
    same(seen, b'')
    assert 'not written to a terminal' in message, message
    w.on_terminal(*words, '-o', 'bytes')
    same(w.read('bytes'), bytes.fromhex('e800000000'))


@case
def messages_are_harmless(w):
    odd = '\x1b[31m\u202e\x07'
    for words, status in ((('info', odd), 1), ((odd,), 2), (('samples', 'h.data', '--' + odd), 2),
                          (('annotate', 'h.data', odd), 1), (('samples', 'h.data', '--kind', odd), 2),
                          (('samples', 'h.data', '--time', odd), 2), (('samples', 'h.data', odd), 2),
                          (('history', 'h.data', '0x' + odd), 2),
                          (('samples', 'h.data', '--format', odd), 2),
                          (('samples', 'h.data', '-o', odd + '/x'), 1),
                          (('info', 'h.data', '--kallsyms', odd), 1),
                          (('import', 'h.data', '-o', odd + '/x'), 1), (('help', odd), 2)):
        assert_harmless(w.run(*words, status=status).stderr, words)
    # the name of a capture that is cut off, of one that is imported, and of one that is not there
    with open(w.directory + '/h.data', 'rb') as file:
        content = file.read()
    with open(w.directory + '/' + odd, 'wb') as file:
        file.write(content[:len(content) // 2])
    got = w.run('samples', odd, '--strict', status=3)
    assert got.stderr.count(b'\n') >= 2, got.stderr
    assert_harmless(got.stderr, 'cut')
    assert_harmless(w.run('import', odd, '-o', 's.pentimento').stderr, 'import')
    got = w.run('annotate', 'h.data', 'moc.exe', status=1)
    assert_harmless(got.stderr, 'what is near')


@case
def csv_runs_nothing(w):
    for words in COMMANDS:
        head, *rows = w.rows(*command(words))
        for row in rows:
            assert len(row) == len(head), row
            for name, cell in zip(head, row):
                number = cell[1:].isdigit() and name in ('pid', 'tid')
                assert cell[:1] not in ('=', '+', '-', '@', '\t', '\r') or number, (words, row)


@case
def csv_and_json_agree(w):
    for words in COMMANDS:
        head, *rows = w.rows(*command(words))
        objects = json.loads(w.run(*command(words, '--format=json')).stdout.decode())
        assert len(rows) == len(objects), words
        for row, entry in zip(rows, objects):
            assert list(entry) == head
            for cell, (name, value) in zip(row, entry.items()):
                if isinstance(value, float):
                    continue
                if isinstance(value, list):
                    value = ';'.join(v.replace('\\', '\\\\').replace(';', '\\;') for v in value)
                recorded = cell[1:] if cell.startswith("'") else cell
                assert recorded == ('' if value is None else str(value)), (words, name, cell, value)


@case
def csv_keeps_what_is_valid(w):
    head, *rows = w.rows('samples', 'h.data')
    comms = [row[head.index('comm')] for row in rows]
    for recorded in ('\x1b[31mred', "'=1+1", '\u202emoc.exe', '\ufffd\ufffd\ufffd\ufffd', 'new\nline',
                     "''quoted", "'@SUM(A1)", "'\t-tab", '\x9b2J', "'-2+3", 'a;b\\c', 'x\r\ny,"z"'):
        assert recorded in comms, (recorded, comms)
    occupants = {row[head.index('occupant')] for row in rows}
    assert '\'=HYPERLINK("http://example.org","x")' in occupants, occupants
    assert '/bad\ufffd\ufffd\ufffd\ufffd.so' in occupants, occupants


@case
def callchains_can_be_taken_apart(w):
    objects = json.loads(w.run('samples', 'h.data', '--callchain', '--format=json').stdout.decode())
    chains = [entry['callchain'] for entry in objects if entry['callchain']]
    assert len(chains) >= 10
    assert any('/semi;colon,comma"quote\\' in place for chain in chains for place in chain), chains


@case
def folded_stacks_can_be_taken_apart(w):
    n = len(w.rows('samples', 'h.data')) - 1
    for more in ([], ['--suffix=occupant,version,offset'], ['--by=occupant']):
        data = w.run('stacks', 'h.data', '--format=folded', *more).stdout
        assert_harmless(data, 'folded')
        lines = data.decode().split('\n')
        same(lines.pop(), '')
        same(sum(int(line.rsplit(' ', 1)[1]) for line in lines), n)
        same(w.on_terminal('stacks', 'h.data', '--format=folded', *more), (data, ''))
        stacks = [entry['stack'] for entry in json.loads(w.run('stacks', 'h.data', '--format=json', *more).stdout)]
        # Names that differ by what is escaped, or by ; and :, are one in folded lines.
        assert {line.count(';') for line in lines} <= {len(stack) for stack in stacks}
        assert not any(' ' in line.split(';')[0] for line in lines), lines


main(World)
