#!/usr/bin/env python3
"""Recorded strings do nothing to a terminal, a spreadsheet or a parser (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import json
import os
import subprocess
import sys
import unicodedata

import harness
from harness import case, main

write_capture = os.path.abspath(sys.argv[2])


class World(harness.World):
    def __init__(self, directory, _cache):
        super().__init__(directory, os.path.join(directory, 'cache'))
        subprocess.run([write_capture, directory + '/h.data'], check=True)

    def rows(self, *words):
        text = self.run(*words, '--format=csv').stdout.decode()
        return list(csv.reader(io.StringIO(text, newline='')))


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


main(World)
