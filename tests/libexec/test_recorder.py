#!/usr/bin/env python3
"""pentimento-recorder, which may run as root, attacked as a local user would who may start it (TAP).

pkexec is left out: the recorder is started as root, with a socket that a user made.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import array
import contextlib
import fcntl
import os
import random
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import time

from harness import Skip, case, cli, main, same

recorder = os.path.abspath(sys.argv[2])
USER, OTHER = 65534, 65533
PARENT = '/var/tmp'
LOCK = '/run/pentimento-recorder.lock'

PLACE, BEGUN, LINE, LACK, DONE, FAILED = range(1, 7)
STOPPED, TIME, GONE, FULL, PERF = range(5)
REFUSED, BUSY, NO_SPACE, BROKEN = range(4)
SYSTEM, PROCESS, COMMAND = range(3)
MAGIC = 0x52545750


def request(target=SYSTEM, event=0, chains=0, witness=0, pid=0, rate=997, seconds=0, magic=MAGIC):
    return struct.pack('=IIIIIiII', magic, target, event, chains, witness, pid, rate, seconds)


@contextlib.contextmanager
def acting_as(uid):
    """Files are opened as that user."""
    if os.geteuid() != 0:
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(uid)
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def make_sockets(kind=socket.SOCK_SEQPACKET):
    with acting_as(USER):
        return socket.socketpair(socket.AF_UNIX, kind)


class Call:
    """One start of the recorder, and what it says."""
    started = []

    def __init__(self, sent=None, words=None, env=None, stdin=None, **more):
        self.socket, other = make_sockets()
        self.socket.settimeout(60)
        self.place, self.said = None, []
        self.process = subprocess.Popen(words or [recorder], stdin=other if stdin is None else stdin,
                                        env=env if env is not None else {}, **more)
        other.close()
        Call.started.append(self)
        if sent is not None:
            # It may have ended already.
            with contextlib.suppress(BrokenPipeError):
                self.socket.send(sent)

    def next(self):
        """(kind, value, text); None: it has ended."""
        try:
            got, with_it, _, _ = self.socket.recvmsg(8192, socket.CMSG_SPACE(4))
        except ConnectionResetError:
            # It ended before it read all that was sent; what it said comes after this.
            return self.next()
        if not got:
            return None
        for _, _, content in with_it:
            self.place = array.array('i', content)[0]
        said = struct.unpack('=II', got[:8]) + (got[8:].decode(),)
        self.said.append(said)
        return said

    def until(self, kind):
        while True:
            said = self.next()
            assert said, self.said
            if said[0] == kind:
                return said

    def stop(self):
        self.socket.send(b'stop')
        return self.end()

    def end(self):
        said = self.until(DONE)
        same(self.next(), None)
        same(self.process.wait(60), 0)
        return said[1]

    def fails(self, why):
        said = self.until(FAILED)
        same(said[1], why)
        same(self.process.wait(60), 1)
        return said[2]

    def path(self, *names):
        return os.path.join(os.readlink('/proc/self/fd/%d' % self.place), *names)

    def close(self):
        self.socket.close()
        self.process.wait(60)
        if self.place is not None:
            outer = os.path.dirname(self.path())
            os.close(self.place)
            self.place = None
            shutil.rmtree(outer, ignore_errors=True)


def begun(**how):
    call = Call(request(**how))
    call.until(BEGUN)
    return call


def needs_root():
    if os.geteuid() != 0 or shutil.which('perf') is None:
        raise Skip('recording for a user needs root and perf')


def places():
    return {name for name in os.listdir(PARENT) if name.startswith('pentimento-recorder-')}


def owners(path):
    return {(os.lstat(os.path.join(directory, name)).st_uid,
             stat.S_IMODE(os.lstat(os.path.join(directory, name)).st_mode))
            for directory, folders, names in os.walk(path) for name in folders + names + ['.']}


def children():
    """Of this test's recorders: perf, and its shell."""
    found = set()
    for name in os.listdir('/proc'):
        try:
            with open('/proc/%s/cmdline' % name, 'rb') as file:
                words = file.read().split(b'\0')
        except OSError:
            continue
        if b'-N' in words and b'--control=fd:3,4' in words:
            found.add(int(name))
    return found


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def is_free(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def world_case(function):
    """Whatever happens in it, nothing is left: no process, no file, no lock."""
    def run(w):
        before = places()
        try:
            function(w)
            wait_for(lambda: not children())
        finally:
            while Call.started:
                Call.started.pop().close()
        left = places() - before
        for name in left:
            shutil.rmtree(os.path.join(PARENT, name), ignore_errors=True)
        same(left, set())
        if os.geteuid() == 0 and os.path.exists(LOCK):
            # What was killed gives it back when it is taken apart, which a busy machine does later.
            with open(LOCK, 'rb') as file:
                wait_for(lambda: is_free(file))
    run.__name__ = function.__name__
    return case(run)


def attack(function):
    def run(w):
        needs_root()
        function(w)
    run.__name__ = function.__name__
    return world_case(run)


def opens(call, is_cut=False):
    """@is_cut: patches were still being recorded where perf has no kcore."""
    got = subprocess.run([cli, 'info', call.path('perf.data')], capture_output=True, check=False,
                         env={'XDG_CACHE_HOME': call.path(), 'HOME': call.path(), 'LC_ALL': 'C.UTF-8'})
    same(got.returncode, 0)
    assert got.stderr == b'' or is_cut and b'pentimento/patches ends at' in got.stderr, got.stderr
    shutil.rmtree(call.path('pentimento'), ignore_errors=True)


def is_handed_over(call):
    same(os.stat(os.path.dirname(call.path())).st_uid, USER)
    same(owners(call.path()), {(USER, 0o700), (USER, 0o600)})


# ---- what it is for ----

@attack
def recording_is_the_callers(w):
    call = Call(request(witness=1, chains=1, seconds=1))
    call.until(PLACE)
    same(os.stat(call.path()).st_uid, 0)
    same(stat.S_IMODE(os.stat(os.path.dirname(call.path())).st_mode), 0o700)
    same(call.end(), TIME)
    is_handed_over(call)
    opens(call)


@attack
def stop_ends_it(w):
    call = begun()
    time.sleep(0.2)
    same(call.stop(), STOPPED)
    is_handed_over(call)
    opens(call)


@attack
def command_ends_it(w):
    with subprocess.Popen(['cat'], stdin=subprocess.PIPE, user=USER, group=USER) as command:
        call = begun(target=COMMAND, pid=command.pid)
        command.stdin.close()
        same(call.end(), GONE)
        opens(call)


@attack
def process_ends_it(w):
    with subprocess.Popen(['sh', '-c', 'read go; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'],
                          stdin=subprocess.PIPE, user=USER, group=USER) as process:
        call = begun(target=PROCESS, pid=process.pid, witness=1)
        process.stdin.close()
        assert call.end() in (GONE, PERF)
        assert any(kind == LACK and value == 5 for kind, value, _ in call.said), call.said
        opens(call)


# ---- requests ----

@world_case
def requests_that_are_none(w):
    big = (1 << 32) - 1
    wrong = [b'', b'x', request()[:-1], request() + b'\0', b'\0' * 32, b'\xff' * 32, os.urandom(32), b'x' * 100000,
             request(magic=MAGIC + 1), request(target=3), request(target=big), request(event=8),
             request(event=big), request(chains=4), request(chains=big), request(witness=2),
             request(witness=big), request(rate=0), request(rate=100001), request(rate=big),
             request(seconds=604801), request(seconds=big), request(pid=1), request(pid=-1),
             request(target=PROCESS), request(target=PROCESS, pid=1), request(target=PROCESS, pid=-1),
             request(target=COMMAND, pid=-2**31)]
    for sent in wrong:
        Call(sent).fails(REFUSED)


@attack
def processes_that_are_none(w):
    for pid in (2**31 - 1, 4194304):
        Call(request(target=PROCESS, pid=pid)).fails(BROKEN)
    with subprocess.Popen(['true']) as gone:
        gone.wait()
        Call(request(target=COMMAND, pid=gone.pid)).fails(BROKEN)


@attack
def highest_rate(w):
    call = Call(request(rate=100000, chains=1, seconds=1))
    while call.next():
        pass
    assert call.said[-1][0] in (DONE, FAILED), call.said[-1]
    call.process.wait(60)


@attack
def descriptors_that_come_with_a_request(w):
    call = Call()
    victim = w.path('victim')
    with open(victim, 'wb') as file:
        socket.send_fds(call.socket, [request(seconds=1)], [file.fileno()] * 100)
    call.end()
    same(os.path.getsize(victim), 0)


# ---- who starts it, and how ----

@world_case
def standard_input_of_another_kind(w):
    with open('/dev/null', 'rb') as null:
        same(Call(stdin=null).process.wait(60), 2)
    with open(w.path('file'), 'wb') as file:
        same(Call(stdin=file).process.wait(60), 2)
    read, write = os.pipe()
    os.write(write, request())
    same(Call(stdin=read).process.wait(60), 2)
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        ends = make_sockets(kind)
        ends[0].send(request())
        same(Call(stdin=ends[1]).process.wait(60), 2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        same(Call(stdin=other).process.wait(60), 2)
    same(Call(preexec_fn=lambda: os.close(0)).process.wait(60), 2)
    same(os.path.getsize(w.path('file')), 0)


@attack
def socket_of_somebody_else(w):
    with acting_as(OTHER):
        mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    mine.send(request(seconds=1))
    same(Call(stdin=its, env={'PKEXEC_UID': str(USER)}).process.wait(60), 2)
    for name in ('', 'x', '-1', str(2**32 + USER), str(OTHER), '0x%x' % USER):
        same(Call(request(), env={'PKEXEC_UID': name}).process.wait(60), 2)
    call = Call(request(seconds=1), env={'PKEXEC_UID': str(USER)})
    same(call.end(), TIME)
    is_handed_over(call)


@attack
def environment_of_the_caller(w):
    os.mkdir(w.path('bin'))
    os.chmod(w.directory, 0o755)
    for name in ('perf', 'sh'):
        with open(w.path('bin/' + name), 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\ntouch %s\n' % w.path('was-run'))
        os.chmod(w.path('bin/' + name), 0o755)
    with open(w.path('config'), 'w', encoding='utf-8') as file:
        file.write('[record]\nbuild-id = mmap\n[buildid]\ndir = %s\n' % w.path('cache'))
    os.mkdir(w.path('home'))
    call = Call(request(seconds=1), env={
        'PATH': w.path('bin'), 'HOME': w.path('home'), 'PERF_CONFIG': w.path('config'),
        'TMPDIR': w.path('home'), 'XDG_CACHE_HOME': w.path('home'), 'XDG_RUNTIME_DIR': w.path('home'),
        'PERF_EXEC_PATH': w.path('bin'), 'DEBUGINFOD_URLS': 'http://127.0.0.1:9/', 'ENV': w.path('bin/sh'),
        'BASH_ENV': w.path('bin/sh'), 'IFS': '/', 'LC_ALL': '../../../tmp', 'PENTIMENTO_LIBEXEC': w.path('bin')})
    call.until(BEGUN)
    for pid in children():
        with open('/proc/%d/environ' % pid, 'rb') as file:
            names = {word.partition(b'=')[0] for word in file.read().split(b'\0')} - {b''}
        same(names, {b'PATH', b'HOME', b'PERF_CONFIG', b'LC_ALL'})
    same(call.end(), TIME)
    assert not os.path.exists(w.path('was-run'))
    same(os.listdir(w.path('home')), [])
    assert not os.path.exists(w.path('cache'))
    assert not os.path.exists('/nonexistent')
    opens(call)


@attack
def arguments_are_not_read(w):
    call = Call(request(seconds=1), words=['perf', '-o', w.path('out'), '--', 'touch', w.path('out')],
                executable=recorder)
    same(call.end(), TIME)
    assert not os.path.exists(w.path('out'))


@attack
def descriptors_of_the_caller(w):
    """perf is given numbers from 3 on; none of them is one of the caller's."""
    with open(w.path('victim'), 'wb') as file:
        def fill():
            for number in range(3, 40):
                os.dup2(file.fileno(), number)
            os.close(1)
            os.close(2)
        call = Call(request(seconds=1), preexec_fn=fill, close_fds=False)
        call.until(BEGUN)
        for pid in children() | {call.process.pid}:
            for name in os.listdir('/proc/%d/fd' % pid):
                assert os.readlink('/proc/%d/fd/%s' % (pid, name)) != w.path('victim')
        same(call.end(), TIME)
    same(os.path.getsize(w.path('victim')), 0)


@attack
def signals_of_the_caller(w):
    def set_up():
        for number in range(1, signal.NSIG):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
    call = Call(request(seconds=1), preexec_fn=set_up)
    same(call.end(), TIME)
    opens(call)


@attack
def limits_and_timers_of_the_caller(w):
    with open('/proc/self/status', encoding='utf-8') as file:
        rights = int(file.read().partition('CapEff:')[2].split()[0], 16)
    may_raise = rights & 1 << 24  # CAP_SYS_RESOURCE, which a container's root may lack

    def set_up():
        signal.setitimer(signal.ITIMER_REAL, 2)
        signal.setitimer(signal.ITIMER_PROF, 0.5)
        for limit, value in ((resource.RLIMIT_FSIZE, 4096), (resource.RLIMIT_NOFILE, 12), (resource.RLIMIT_CPU, 1)):
            resource.setrlimit(limit, (value, value if may_raise else resource.getrlimit(limit)[1]))
        os.umask(0)
        os.nice(19)
    call = Call(request(seconds=2), preexec_fn=set_up)
    call.until(BEGUN)
    same(resource.prlimit(call.process.pid, resource.RLIMIT_CORE), (0, 0))
    same(call.end(), TIME)
    is_handed_over(call)
    opens(call)


@attack
def directory_of_the_caller(w):
    """A link with the recording's name, in a working directory that is gone later."""
    os.chmod(w.directory, 0o777)
    os.mkdir(w.path('there'))
    os.mkdir(w.path('victim'))
    os.symlink(w.path('victim'), w.path('there/perf.data'))
    call = Call(cwd=w.path('there'))
    shutil.rmtree(w.path('there'))
    call.socket.send(request(seconds=1))
    same(call.end(), TIME)
    same(os.listdir(w.path('victim')), [])


# ---- while it records ----

@attack
def caller_can_read_and_not_write(w):
    call = begun()
    data = call.path('perf.data', 'data')
    with acting_as(USER):
        with open(data, 'rb') as file:
            same(file.read(8), b'PERFILE2')
        for attempt in (lambda: open(data, 'r+b'), lambda: os.truncate(data, 0), lambda: os.unlink(data),
                        lambda: os.symlink('/etc', call.path('perf.data', 'link')),
                        lambda: os.symlink('/etc', call.path('perf.data', 'pentimento', 'end')),
                        lambda: os.mkdir(call.path('perf.data', 'pentimento', 'end')),
                        lambda: os.rename(call.path('perf.data'), call.path('other')),
                        lambda: os.chmod(data, 0o666), lambda: os.chmod(call.path(), 0o777),
                        lambda: os.fchmod(call.place, 0o777)):
            try:
                attempt()
            except PermissionError:
                continue
            raise AssertionError('the caller may write')
    same(call.stop(), STOPPED)
    opens(call)


@attack
def others_do_not_get_in(w):
    call = begun()
    with acting_as(OTHER):
        for path in (call.path(), call.path('perf.data', 'data')):
            try:
                os.stat(path)
            except PermissionError:
                continue
            raise AssertionError('another user gets in')
    same(call.stop(), STOPPED)
    with acting_as(OTHER):
        assert not os.access(call.path('perf.data'), os.F_OK, effective_ids=True)


@attack
def links_in_place_of_the_directory(w):
    """The outer directory is the caller's, who moves what is in it; nothing is looked up there again."""
    os.makedirs(w.path('victim/perf.data/pentimento'))
    with open(w.path('victim/perf.data/data'), 'wb') as file:
        file.write(b'mine')
    call = begun()
    inner, outer = call.path(), os.path.dirname(call.path())
    with acting_as(USER):
        os.rename(inner, inner + '-moved')
        os.symlink(w.path('victim'), inner)
        os.rename(outer, outer + '-moved')
        os.symlink(w.path('victim'), outer)
    same(call.stop(), STOPPED)
    is_handed_over(call)
    same(owners(w.path('victim')), {(0, 0o755), (0, 0o644)})
    same(os.listdir(w.path('victim/perf.data/pentimento')), [])
    opens(call)
    os.unlink(outer)
    shutil.rmtree(outer + '-moved')


@attack
def links_while_it_is_given_away(w):
    """Somebody puts links wherever that is possible, all the time until the end."""
    victim = w.path('victim')
    with open(victim, 'wb'):
        pass
    call = begun()
    data = call.path('perf.data')
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)
        while os.getppid() != 1:
            for path in (data, data + '/data', data + '/pentimento/end', data + '/pentimento/end/kallsyms'):
                with contextlib.suppress(OSError):
                    os.rename(path, path + '-moved')
                    os.symlink(victim, path)
    call.stop()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    same(os.stat(victim).st_uid, 0)
    same(os.path.getsize(victim), 0)


@attack
def hard_links(w):
    with open('/proc/sys/fs/protected_hardlinks', encoding='utf-8') as file:
        if file.read().strip() != '1':
            raise Skip('hard links to files of others are allowed here')
    call = begun()
    with acting_as(USER):
        try:
            os.link(call.path('perf.data', 'data'), os.path.join(os.path.dirname(call.path()), 'link'))
        except PermissionError:
            pass
        else:
            raise AssertionError('the caller may keep a name')
    same(call.stop(), STOPPED)


@attack
def caller_cannot_reach_the_process(w):
    call = begun()
    with acting_as(USER):
        for name in ('mem', 'environ', 'fd/0'):
            try:
                os.close(os.open('/proc/%d/%s' % (call.process.pid, name), os.O_RDONLY))
            except PermissionError:
                continue
            raise AssertionError(name)
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)
        for victim in children() | {call.process.pid}:
            with contextlib.suppress(PermissionError):
                os.kill(victim, 0)
                os._exit(1)
        os._exit(0)
    same(os.waitpid(pid, 0)[1], 0)
    same(call.stop(), STOPPED)


@attack
def one_at_a_time(w):
    first = begun()
    with acting_as(USER):
        for flags in (os.O_RDONLY, os.O_RDWR):
            try:
                os.open(LOCK, flags)
            except PermissionError:
                continue
            raise AssertionError('somebody else can hold the lock')
    for _ in range(5):
        Call(request()).fails(BUSY)
    same(first.stop(), STOPPED)
    same(begun().stop(), STOPPED)


@attack
def keys_of_a_terminal(w):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        call = begun()
        for ignored in (signal.SIGTSTP, signal.SIGQUIT, signal.SIGPIPE):
            os.kill(call.process.pid, ignored)
        os.kill(call.process.pid, number)
        same(call.end(), STOPPED)
        is_handed_over(call)


@attack
def flood_of_messages(w):
    call = begun()
    with contextlib.suppress(OSError):
        call.socket.setblocking(False)
        for _ in range(10000):
            call.socket.send(request())
    call.socket.settimeout(60)
    same(call.until(DONE)[1], STOPPED)
    same(call.process.wait(60), 0)
    is_handed_over(call)


@attack
def caller_that_does_not_read(w):
    call = Call()
    call.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    call.socket.send(request(seconds=1, witness=1))
    same(call.process.wait(60), 0)
    while call.next():
        pass
    is_handed_over(call)


# ---- ends ----

@attack
def caller_goes_at_any_time(w):
    chance = random.Random(1)
    for seconds in [0, 0] + [chance.uniform(0, 1.2) for _ in range(5)]:
        before = places()
        call = Call(request(witness=1))
        time.sleep(seconds)
        call.socket.close()
        call.process.wait(60)
        wait_for(lambda: not children())
        for name in places() - before:
            inner = os.path.join(PARENT, name, 'recording')
            same(os.stat(inner).st_uid, USER)
            same(owners(inner), {(USER, 0o700), (USER, 0o600)})
            shutil.rmtree(os.path.dirname(inner))


@attack
def caller_that_asks_nothing(w):
    call = Call()
    call.socket.shutdown(socket.SHUT_WR)
    call.fails(REFUSED)


@attack
def caller_is_killed(w):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        call = begun(witness=1)
        os.write(write, call.path().encode())
        time.sleep(600)
    path = os.read(read, 4096).decode()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    wait_for(lambda: not children())
    wait_for(lambda: os.stat(path).st_uid == USER)
    same(owners(path), {(USER, 0o700), (USER, 0o600)})
    shutil.rmtree(os.path.dirname(path))


@attack
def perf_is_killed(w):
    call = begun(witness=1)
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    same(call.end(), PERF)
    is_handed_over(call)


@attack
def recorder_is_killed(w):
    call = begun(witness=1)
    call.process.kill()
    while call.next():
        pass
    wait_for(lambda: not children())
    with acting_as(USER):
        with open(call.path('perf.data', 'data'), 'rb') as file:
            same(file.read(8), b'PERFILE2')
    opens(call, is_cut=True)
    # The next one gives it to whom it was for.
    same(os.stat(call.path()).st_uid, 0)
    same(begun().stop(), STOPPED)
    is_handed_over(call)
    same(os.listxattr(call.path()), [])


@attack
def lock_outlives_a_recorder(w):
    """Until perf has ended, which goes on writing."""
    call = begun()
    call.process.kill()
    call.process.wait(60)
    with open(LOCK, 'rb') as file:
        wait_for(lambda: is_free(file))
        same(children(), set())
    same(os.stat(call.path()).st_uid, 0)


def take_as_user(path):
    os.chown(path, USER, USER)


@attack
def places_that_are_none(w):
    """Only what a recorder made is given away, and of it not what its user put there meanwhile."""
    made = os.path.join(PARENT, 'pentimento-recorder-01234567')
    link = os.path.join(PARENT, 'pentimento-recorder-12345678')
    victim = w.path('victim')
    try:
        os.makedirs(made + '/recording/perf.data')
        for path in (made + '/recording/secret', victim):
            with open(path, 'wb'):
                os.chmod(path, 0o600)
        take_as_user(made)
        with acting_as(USER):
            os.symlink(made, link)
        same(begun().stop(), STOPPED)
        same(owners(made + '/recording'), {(0, 0o755), (0, 0o600)})
        # One that was killed while it handed over: what the user has already may be anything.
        inner = made + '/recording'
        os.setxattr(inner, 'trusted.pentimento-recorder', b'%d %d' % (USER, USER))
        os.mkdir(inner + '/perf.data/start')
        take_as_user(inner + '/perf.data/start')
        with acting_as(USER):
            os.symlink(victim, inner + '/perf.data/start/link')
        os.link(victim, inner + '/perf.data/start/name')
        os.symlink(victim, inner + '/link')
        os.link(victim, inner + '/name')
        same(begun().stop(), STOPPED)
        same(os.stat(victim).st_uid, 0)
        same(os.stat(inner).st_uid, USER)
        same(os.stat(inner + '/secret').st_uid, USER)
        same(os.stat(inner + '/perf.data').st_uid, USER)
        # Marks that are none.
        for mark in (b'', b'x', b'%d' % USER, b'-1 %d' % USER, b'99999999999 1', b'1 2 3', b'1' * 100):
            os.chown(inner, 0, 0)
            os.setxattr(inner, 'trusted.pentimento-recorder', mark)
            same(begun().stop(), STOPPED)
            same((mark, os.stat(inner).st_uid), (mark, 0))
    finally:
        shutil.rmtree(made, ignore_errors=True)
        if os.path.islink(link):
            os.unlink(link)


# ---- the disk ----

def in_a_world_with(options, *then):
    """The recorder with a /var/tmp of its own."""
    got = subprocess.run(['unshare', '-m', 'mount', '-t', 'tmpfs', 'none', PARENT], check=False,
                         capture_output=True)
    if got.returncode != 0:
        raise Skip('nothing can be mounted here')
    script = 'mount -t tmpfs -o %s none %s && %s exec %s' % (options, PARENT, ' '.join(then), recorder)
    return ['unshare', '-m', '/bin/sh', '-c', script]


@attack
def disk_that_is_full(w):
    words = in_a_world_with('mode=1777,size=64m')
    Call(request(), words=words, env=dict(os.environ)).fails(NO_SPACE)
    Call(request(), words=in_a_world_with('mode=1777,size=600m,nr_inodes=4'), env=dict(os.environ)).fails(BROKEN)


@attack
def disk_that_fills(w):
    words = in_a_world_with('mode=1777,size=600m')
    call = Call(request(), words=words, env=dict(os.environ))
    call.until(BEGUN)
    # By the descriptor: the mount is not seen from here.
    filler = os.open('/proc/self/fd/%d/filler' % call.place, os.O_WRONLY | os.O_CREAT)
    os.posix_fallocate(filler, 0, 100 << 20)
    os.close(filler)
    same(call.end(), FULL)
    data = os.stat('/proc/self/fd/%d/perf.data/data' % call.place)
    same(data.st_uid, USER)
    os.close(call.place)
    call.place = None


@attack
def place_that_others_can_change(w):
    words = in_a_world_with('mode=0777,size=600m')
    Call(request(), words=words, env=dict(os.environ)).fails(BROKEN)
    words = in_a_world_with('mode=1777,size=600m,uid=%d' % OTHER)
    Call(request(), words=words, env=dict(os.environ)).fails(BROKEN)


main()
