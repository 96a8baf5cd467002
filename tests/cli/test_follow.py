#!/usr/bin/env python3
"""--follow: recordings that grow while they are read, in files and through pipes, with and without a terminal (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

from harness import case, cli, main, same

DATA = os.path.abspath(sys.argv[2])
FTRACE = os.path.join(DATA, 'b-ftrace.data')
PIPE = os.path.join(DATA, 'a-pipe.data')
# Of perf.data: where the header says how long the records are; perf writes it last.
AT_SIZE, AT_FEATURES, SIZE = 48, 72, struct.Struct('<Q')
HEADER = struct.Struct('<IHH')
FINISHED_ROUND = HEADER.pack(68, 0, 8)
RECORDS_OF_ROUND = 50
LONG = 60


def contents(path):
    with open(path, 'rb') as file:
        return file.read()


def with_rounds(records):
    """perf marks when it has emptied the buffers of all CPUs: here, after so many records."""
    result, at, n = bytearray(), 0, 0
    while at < len(records):
        length = HEADER.unpack_from(records, at)[2]
        result += records[at:at + length]
        at, n = at + length, n + 1
        if n % RECORDS_OF_ROUND == 0:
            result += FINISHED_ROUND
    return bytes(result)


def moved(features, header, distance):
    """They begin with their offsets and sizes, one for each bit of the header."""
    result = bytearray(features)
    for i in range(sum(bits.bit_count() for bits in struct.unpack_from('<4Q', header, AT_FEATURES))):
        offset, = SIZE.unpack_from(result, 16 * i)
        SIZE.pack_into(result, 16 * i, offset + distance)
    return bytes(result)


class Recorder:
    """Writes a recording as perf record --kcore does: what is beside the records is there before them."""

    def __init__(self, w, name):
        self.whole = contents(os.path.join(FTRACE, 'data'))
        self.begin, self.size = struct.unpack('<QQ', self.whole[AT_SIZE - 8:AT_SIZE + 8])
        records = with_rounds(self.whole[self.begin:self.begin + self.size])
        features = moved(self.whole[self.begin + self.size:], self.whole, len(records) - self.size)
        self.whole = self.whole[:self.begin] + records + features
        self.size = len(records)
        os.mkdir(w.path(name))
        shutil.copytree(os.path.join(FTRACE, 'kcore_dir'), os.path.join(w.path(name), 'kcore_dir'))
        self.file = open(os.path.join(w.path(name), 'data'), 'wb', buffering=0)
        self.done = 0

    def write(self, share):
        end = self.begin + int(self.size * share)
        piece = bytearray(self.whole[self.done:end])
        if self.done == 0:
            piece[AT_SIZE:AT_SIZE + 8] = SIZE.pack(0)
        self.file.write(piece)
        self.done = end

    def end(self):
        """Records, features, and then the header."""
        self.file.write(self.whole[self.done:])
        self.file.seek(AT_SIZE)
        self.file.write(SIZE.pack(self.size))
        self.file.close()


class Terminal:
    """Runs pentimento-cli on a terminal of its own."""

    def __init__(self, w, *words):
        self.master, other = pty.openpty()
        self.process = subprocess.Popen([cli, *words], env=dict(w.env, TERM='xterm'), cwd=w.directory, stdin=other,
                                        stdout=other, stderr=other, start_new_session=True)
        os.close(other)
        self.shown = b''

    def read(self):
        if not select.select([self.master], [], [], LONG)[0]:
            raise AssertionError('nothing is shown')
        try:
            got = os.read(self.master, 65536)
        except OSError:  # it has ended
            got = b''
        self.shown += got
        return got

    def wait_for(self, text):
        while text not in self.shown:
            assert self.read(), self.shown
        self.shown = self.shown[self.shown.index(text) + len(text):]

    def end(self):
        while self.read():
            pass
        os.close(self.master)
        return self.process.wait(timeout=LONG)


@case
def a_growing_file_is_printed_when_it_has_ended(w):
    recorder = Recorder(w, 'perf.data')
    recorder.write(0.5)
    for name, words in (('table', ()), ('csv', ('--format=csv',)), ('json', ('--format=json',))):
        with open(w.path(name), 'wb') as output:
            setattr(recorder, name, subprocess.Popen([cli, 'functions', 'perf.data', '--follow', *words], env=w.env,
                                                     cwd=w.directory, stdout=output))
    time.sleep(1)
    recorder.write(0.8)
    same(recorder.csv.poll(), None)
    recorder.end()
    for name, words in (('table', ()), ('csv', ('--format=csv',)), ('json', ('--format=json',))):
        same(getattr(recorder, name).wait(timeout=LONG), 0)
        same(w.read(name), w.run('functions', FTRACE, *words).stdout)


@case
def a_terminal_shows_the_part_that_is_there(w):
    recorder = Recorder(w, 'perf.data')
    recorder.write(0.5)
    terminal = Terminal(w, 'functions', 'perf.data', '--follow')
    terminal.wait_for(b'perf.data: recording, ')
    terminal.wait_for(b'symbol')
    recorder.write(0.8)
    terminal.wait_for(b'perf.data: recording, ')
    recorder.end()
    same(terminal.end(), 0)
    # What is left on the screen is the whole table.
    table = terminal.shown[terminal.shown.rindex(b'\033[J') + 3:].replace(b'\r\n', b'\n')
    plain = w.run('functions', FTRACE).stdout
    for row in plain.split(b'\n'):
        assert row.strip() in table, row


@case
def an_interrupt_on_a_terminal_ends_the_view(w):
    recorder = Recorder(w, 'perf.data')
    recorder.write(0.5)
    terminal = Terminal(w, 'causes', 'perf.data', '--follow')
    terminal.wait_for(b'perf.data: recording, ')
    terminal.process.send_signal(signal.SIGINT)
    same(terminal.end(), 0)
    recorder.end()


@case
def what_is_not_there_yet_is_waited_for(w):
    recorder = Recorder(w, 'perf.data')
    recorder.write(0.2)
    terminal = Terminal(w, 'annotate', 'perf.data', 'no_such_function', '--follow')
    terminal.wait_for(b'perf.data: recording, ')
    terminal.wait_for(b'no_such_function')
    recorder.end()
    # In the end, it is an error.
    same(terminal.end(), 1)


@case
def a_killed_recorder_leaves_what_there_is(w):
    recorder = Recorder(w, 'perf.data')
    recorder.write(0.5)
    process = subprocess.Popen([cli, 'info', 'perf.data', '--follow'], env=w.env, cwd=w.directory,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    same(process.poll(), None)
    recorder.file.close()
    out, err = process.communicate(timeout=LONG)
    same(process.returncode, 0)
    assert b'perf.data' in out, out
    assert b'ends at offset' in err, err


@case
def a_pipe_is_shown_while_it_is_open(w):
    whole = contents(PIPE)
    master, other = pty.openpty()
    process = subprocess.Popen([cli, 'functions', '-', '--follow'], env=w.env, cwd=w.directory, stdin=subprocess.PIPE,
                               stdout=other, stderr=subprocess.PIPE, bufsize=0)
    os.close(other)
    process.stdin.write(whole[:len(whole) * 3 // 4])
    shown = b''
    while b'standard input: recording, ' not in shown:
        assert select.select([master], [], [], LONG)[0], shown
        shown += os.read(master, 65536)
    process.stdin.write(whole[len(whole) * 3 // 4:])
    process.stdin.close()
    while select.select([master], [], [], LONG)[0]:
        try:
            got = os.read(master, 65536)
        except OSError:
            break
        shown += got
    same(process.wait(timeout=LONG), 0)
    plain = w.run('functions', PIPE).stdout
    table = shown[shown.rindex(b'\033[J') + 3:].replace(b'\r\n', b'\n')
    for row in plain.split(b'\n'):
        assert row.strip() in table, row


@case
def what_is_complete_is_printed_at_once(w):
    for words in (('functions',), ('samples', '--format=csv'), ('causes', '--format=json'), ('stacks',)):
        same(w.run(*words, FTRACE, '--follow').stdout, w.run(*words, FTRACE).stdout)


@case
def commands_without_a_list_do_not_follow(w):
    for words in (('import', FTRACE), ('sql', FTRACE, 'SELECT 1'), ('render', FTRACE), ('cache',)):
        w.refused(*words, '--follow', status=2, says='--follow')


main()
