#!/usr/bin/env python3
"""watch: what it prints of this machine's kernel, where rights are; and what it says where they are not (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import ctypes
import io
import json
import os
import platform
import signal
import struct
import subprocess
import time

from harness import Skip, case, cli, main, same

BPF_SYSCALL = {'x86_64': 321, 'aarch64': 280, 'riscv64': 280, 'ppc64le': 361}.get(platform.machine())
PROG_LOAD, SOCKET_FILTER = 5, 1
libc = ctypes.CDLL(None, use_errno=True)


def load_program():
    """A descriptor of a program that returns 0; the kernel announces it where it is compiled."""
    code = ctypes.create_string_buffer(struct.pack('<BBhi', 0xb7, 0, 0, 0) + struct.pack('<BBhi', 0x95, 0, 0, 0))
    text = ctypes.create_string_buffer(b'GPL')
    attr = ctypes.create_string_buffer(struct.pack('=IIQQIIQI', SOCKET_FILTER, 2, ctypes.addressof(code),
                                                   ctypes.addressof(text), 0, 0, 0, 0), 128)
    if BPF_SYSCALL is None:
        raise Skip('no number of the system call bpf is known here')
    program = libc.syscall(BPF_SYSCALL, PROG_LOAD, attr, 128)
    if program < 0:
        raise Skip('bpf: %s' % os.strerror(ctypes.get_errno()))
    return program


class Watch:
    """Runs, with its events open, until it is ended; then it prints all that is not printed yet."""

    def __init__(self, w, *words):
        self.process = subprocess.Popen([cli, 'watch', *words], env=w.env, cwd=w.directory,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.says = self.process.stderr.readline().decode()
        if not self.says.startswith('watching '):
            self.process.wait()
            raise Skip('watching needs rights: %s' % self.says.strip())

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        same(self.process.returncode, 0)
        return out.decode(), self.says + err.decode()


def load_once(watch):
    program = load_program()
    os.close(program)
    return watch.end()


@case
def program_is_a_line(w):
    out, says = load_once(Watch(w, '--format=json'))
    rows = [json.loads(line) for line in out.splitlines()]
    own = [row for row in rows if row['pid'] == os.getpid()]
    if not own:
        raise Skip('the kernel does not compile BPF programs')
    registered = [row for row in own if row['change'] == 'register']
    same(len(registered), 1)
    row = registered[0]
    same((row['kind'], row['evidence'], row['cause']), ('bpf', 'recorded', None))
    assert row['symbol'].startswith('bpf_prog_') and row['bpf_id'] > 0 and row['length'] > 0, row
    with open('/proc/self/comm', encoding='utf-8') as file:
        same(row['comm'], file.read().strip())
    assert row['date'].endswith('Z') and abs(row['time'] / 1e9 - time.monotonic()) < 60, row
    assert 'Ctrl-C' in says, says


@case
def lines_come_while_it_runs(w):
    watch = Watch(w, '--format=csv')
    program = load_program()
    head = watch.process.stdout.readline().decode()
    line = watch.process.stdout.readline().decode()
    os.close(program)
    assert head.startswith('time,change,address,length,kind,occupant,symbol,offset,cause,old,new,'), head
    same(len(next(csv.reader(io.StringIO(line)))), len(head.split(',')))
    watch.end(signal.SIGTERM)


@case
def lines_are_added_to_a_file(w):
    for _ in range(2):
        out, _ = load_once(Watch(w, '--format=json', '-o', 'log'))
        same(out, '')
    rows = [json.loads(line) for line in w.read('log').decode().splitlines()]
    times = [row['time'] for row in rows if row['pid'] == os.getpid() and row['change'] == 'register']
    if not times:
        raise Skip('the kernel does not compile BPF programs')
    same(len(times), 2)
    assert times == sorted(times)
    same(os.stat(w.path('log')).st_mode & 0o777, 0o600)


@case
def reader_that_goes_away_ends_it(w):
    watch = Watch(w, '--format=json')
    watch.process.stdout.close()
    os.close(load_program())
    same(watch.process.wait(timeout=60), 0)
    watch.process.stderr.close()


@case
def without_rights_it_names_them(w):
    if os.geteuid() != 0:
        raise Skip('only root can give up rights')
    if int(open('/proc/sys/kernel/perf_event_paranoid', encoding='utf-8').read()) < 1:
        raise Skip('everyone may open events here')
    os.chmod(w.directory, 0o755)
    got = subprocess.run([cli, 'watch'], env=w.env, cwd='/', user=65534, group=65534, capture_output=True, timeout=60)
    same(got.returncode, 1)
    assert b'CAP_PERFMON' in got.stderr and b'CAP_SYSLOG' in got.stderr, got.stderr
    same(got.stdout, b'')


@case
def words_are_refused(w):
    w.refused('watch', 'perf.data', status=2, says='perf.data')
    w.refused('watch', '--format=xml', status=2, says='xml')
    w.refused('watch', '-o', 'no/such/folder/log', status=1, says='log')


main()
