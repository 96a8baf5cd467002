#!/usr/bin/env python3
"""Where names and bytes come from: debuginfod, nothing without it, other machines (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import ctypes
import http.server
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import harness
from harness import Skip, case, cli, main, same

data, maker, recorder = (os.path.abspath(path) for path in sys.argv[2:5])
window = [os.path.abspath(path) for path in sys.argv[5:7]]
FTRACE = os.path.join(data, 'b-ftrace.data')
TEXT = 0xffffffff9b000000
COMMANDS = (['info'], ['samples'], ['changes'], ['occupants'], ['functions'], ['annotate', 'hot'],
            ['history', 'hot+0x6'], ['text', 'hot', '--at', '0.0000015'])


class Server(http.server.ThreadingHTTPServer):
    """Serves files by build-id, as debuginfod does."""
    daemon_threads = True

    def __init__(self, files, delay=0):
        super().__init__(('127.0.0.1', 0), Handler)
        self.files, self.delay, self.asked = files, delay, []
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = 'http://127.0.0.1:%d' % self.server_port

    def __exit__(self, *args):
        self.shutdown()
        super().__exit__(*args)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        time.sleep(self.server.delay)
        content = self.server.files.get(self.path)
        self.send_response(200 if content else 404)
        self.send_header('Content-Length', str(len(content or b'')))
        self.end_headers()
        self.wfile.write(content or b'')

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass


class World(harness.World):
    """With a home of its own, and a kernel that was made here."""

    def __init__(self, directory, _cache):
        super().__init__(directory, None)
        self.home = os.path.join(directory, 'home')
        os.mkdir(self.home)
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(('DEBUGINFOD_', 'XDG_', 'http_proxy', 'HTTP_PROXY'))}
        self.env.update(HOME=self.home, XDG_CACHE_HOME=self.home + '/cache', LC_ALL='C.UTF-8',
                        DEBUGINFOD_CACHE_PATH=self.home + '/debuginfod', no_proxy='127.0.0.1')
        made = subprocess.run([maker, directory], capture_output=True, check=False)
        if made.returncode == 77:
            raise Skip('no tools to make a kernel with')
        assert made.returncode == 0, made.stderr
        self.build_id = made.stdout.decode().strip()
        self.capture, self.vmlinux = self.path('perf.data'), self.path('vmlinux')

    def run(self, *words, status=0, **env):
        got = subprocess.run([cli, *words], env=dict(self.env, **env), capture_output=True,
                             cwd=self.directory, timeout=120, check=False)
        assert got.returncode == status, '%s: exit status %d, not %d: %s' % (
            ' '.join(words), got.returncode, status, got.stderr.decode())
        return got

    def csv(self, *words, **env):
        text = self.run(*words, '--format=csv', **env).stdout.decode()
        return list(csv.DictReader(io.StringIO(text, newline='')))

    def kernel_file(self):
        with open(self.vmlinux, 'rb') as file:
            return file.read()


def same(a, b):
    assert a == b, '%r is not %r' % (a, b)


def has_debuginfod():
    try:
        ctypes.CDLL('libdebuginfod.so.1')
    except OSError as error:
        raise Skip('libdebuginfod is not there') from error


def symbols(rows):
    return sorted(row['symbol'] for row in rows if row['symbol'])


SOURCES = 'SELECT what, found, evidence, gives FROM source'


@case
def a_server_is_asked_for_the_kernel(w):
    has_debuginfod()
    key = '/buildid/%s/debuginfo' % w.build_id
    with Server({key: w.kernel_file()}) as server:
        asked = ['--debuginfod']
        same(symbols(w.csv('functions', w.capture, *asked, DEBUGINFOD_URLS=server.url)), ['cold', 'hot'])
        same(server.asked, [key])
        same(w.csv('sql', w.capture, SOURCES, *asked, DEBUGINFOD_URLS=server.url),
             [{'what': 'vmlinux', 'found': 'debuginfod', 'evidence': 'file', 'gives': 'names, bytes, sites'}])
        # What was found is in the store: nobody is asked again.
        same(server.asked, [key])


@case
def a_server_may_not_know_or_lie(w):
    has_debuginfod()
    wrong = w.kernel_file().replace(bytes.fromhex(w.build_id), bytes(20))
    keys = ['/buildid/%s/%s' % (w.build_id, kind) for kind in ('debuginfo', 'executable')]
    with Server({}) as server:
        same(symbols(w.csv('functions', w.capture, '--debuginfod', DEBUGINFOD_URLS=server.url)), [])
        same(server.asked, keys)
    shutil.rmtree(w.home + '/cache')
    shutil.rmtree(w.home + '/debuginfod', ignore_errors=True)
    with Server({keys[0]: wrong, keys[1]: b'not an ELF file'}) as server:
        same(symbols(w.csv('functions', w.capture, '--debuginfod', DEBUGINFOD_URLS=server.url)), [])
        same(server.asked, keys)


@case
def a_server_that_is_not_there_is_told(w):
    has_debuginfod()
    with Server({}) as server:
        url = server.url
    got = w.run('info', w.capture, '--debuginfod', DEBUGINFOD_URLS=url)
    assert 'cannot be reached' in got.stdout.decode(), got.stdout.decode()
    shutil.rmtree(w.home + '/cache')
    got = w.run('info', w.capture, '--debuginfod')
    assert 'set DEBUGINFOD_URLS' in got.stdout.decode(), got.stdout.decode()


@case
def a_slow_server_can_be_left(w):
    has_debuginfod()
    with Server({}, delay=600) as server:
        child = subprocess.Popen([cli, 'info', w.capture, '--debuginfod'], cwd=w.directory,
                                 env=dict(w.env, DEBUGINFOD_URLS=server.url),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while not server.asked and child.poll() is None:
                time.sleep(0.05)
            child.send_signal(signal.SIGTERM)
            same(child.wait(timeout=60), 1)
        finally:
            child.kill()
            child.stderr.close()


def recorded(w, words, **env):
    log = w.path('connects')
    if os.path.exists(log):
        os.remove(log)
    preloads = ' '.join(name for name in (w.env.get('LD_PRELOAD'), recorder) if name)
    options = ':'.join(o for o in (w.env.get('ASAN_OPTIONS'), 'verify_asan_link_order=0') if o)
    got = subprocess.run(words, cwd=w.directory, capture_output=True, timeout=300, check=False,
                         env=dict(w.env, CONNECTS=log, LD_PRELOAD=preloads, ASAN_OPTIONS=options, **env))
    assert got.returncode == 0, got.stderr.decode()
    if not os.path.exists(log):
        return []
    with open(log, encoding='utf-8') as file:
        return file.read().split()


@case
def nothing_is_asked_unless_the_user_says_so(w):
    has_debuginfod()
    with Server({'/buildid/%s/debuginfo' % w.build_id: w.kernel_file()}) as server:
        for command, *more in COMMANDS:
            if command in ('annotate', 'history', 'text'):
                more += ['--vmlinux=vmlinux']
            same(recorded(w, [cli, command, w.capture, *more], DEBUGINFOD_URLS=server.url), [])
        same(recorded(w, [cli, 'info', FTRACE], DEBUGINFOD_URLS=server.url), [])
        same(recorded(w, [cli, 'import', w.capture, '-o', 'here.pentimento'], DEBUGINFOD_URLS=server.url), [])
        same(server.asked, [])
        # The recorder does see who asks.
        assert 'connect' in recorded(w, [cli, 'info', w.capture, '--debuginfod'], DEBUGINFOD_URLS=server.url)
        same(len(server.asked), 1)


@case
def the_window_asks_nobody(w):
    if len(window) < 2:
        raise Skip('no window, or no display for it')
    with Server({}) as server:
        asked = recorded(
            w, [window[1], '-a', '-s', '-screen 0 1600x1000x24 -nolisten tcp', window[0],
                '--screenshot=' + w.path('window.png'), w.capture],
            DEBUGINFOD_URLS=server.url, GDK_BACKEND='x11', GSK_RENDERER='cairo', GTK_A11Y='none',
            GSETTINGS_BACKEND='memory', XDG_RUNTIME_DIR=w.home)
        same(server.asked, [])
        same(asked, [])
        assert os.path.getsize(w.path('window.png')) > 0


def answers(w, capture, commands):
    return [w.run(command, capture, *more, '--format=csv').stdout for command, *more in commands]


@case
def a_store_says_the_same_on_another_machine(w):
    """What an answer needs is in the store, not beside it."""
    elsewhere = w.path('elsewhere.pentimento')
    w.run('import', w.capture, '-o', 'here.pentimento', '--vmlinux=vmlinux')
    before = answers(w, 'here.pentimento', COMMANDS)
    assert b'static-key' in before[2] and b'hot' in before[4], before
    for answer in before[5:]:
        assert b'file (vmlinux)' in answer or b'file, unchecked (vmlinux)' in answer or b'recorded' in answer, answer
    assert b'file (vmlinux)' in before[5] and b'file, unchecked (vmlinux)' in before[5], before[5]
    os.rename(w.path('here.pentimento'), elsewhere)
    os.remove(w.capture)
    os.remove(w.vmlinux)
    shutil.rmtree(w.home)
    os.mkdir(w.home)
    same(answers(w, elsewhere, COMMANDS), before)


@case
def a_recorded_directory_too(w):
    moved, copy = w.path('moved.data'), w.path('copy.data')
    shutil.copytree(FTRACE, copy)
    w.run('import', copy, '-o', 'here.pentimento')
    names = [row['symbol'] for row in w.csv('functions', 'here.pentimento')
             if row['symbol'] and row['kind'] in ('kernel', 'stub') and int(row['samples'])][:6]
    commands = [[c] for c in ('info', 'changes', 'occupants', 'functions')]
    commands += [[c, name] for name in names for c in ('annotate', 'history')]
    before = answers(w, 'here.pentimento', commands)
    os.rename(copy, moved)
    shutil.rmtree(moved)
    os.mkdir(w.path('far'))
    os.rename(w.path('here.pentimento'), w.path('far/there.pentimento'))
    same(answers(w, 'far/there.pentimento', commands), before)


@case
def a_file_of_another_kernel_is_refused_with_both_ids(w):
    other = w.path('other')
    with open(other, 'wb') as file:
        file.write(w.kernel_file().replace(bytes.fromhex(w.build_id), bytes.fromhex('bb' * 20)))
    got = w.run('info', w.capture, '--vmlinux', other, status=1).stderr.decode()
    for word in (other, 'bb' * 20, w.build_id):
        assert word in got, got


@case
def a_changed_source_is_read_anew(w):
    same(symbols(w.csv('functions', w.capture)), [])
    same(symbols(w.csv('functions', w.capture, '--vmlinux=vmlinux')), ['cold', 'hot'])
    content = w.kernel_file().replace(b'\0cold\0', b'\0warm\0')
    with open(w.vmlinux, 'wb') as file:
        file.write(content)
    same(symbols(w.csv('functions', w.capture, '--vmlinux=vmlinux')), ['hot', 'warm'])


@case
def info_tells_the_sources(w):
    text = w.run('info', w.capture, '--vmlinux=vmlinux').stdout.decode()
    assert 'present (vmlinux)' in text, text
    assert 'vmlinux (given): file, moved by 0x1a000000; gave names, bytes, sites' in text, text


main(World)
