#!/usr/bin/env python3
"""Kernels in emulated machines are recorded while their text toggles; the recordings are compared with what the
machines read of their own memory.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import shutil
import signal
import sys
import time

import checks
import kernels
from machine import Archive, Machine, which

HERE = os.path.dirname(os.path.abspath(__file__))
# For the disk that results are written to.
START = ('virtio_pci', 'virtio_blk')
# Hashes that are modules in some kernels, by the names of algorithms.
HASHING = ('algif_hash',)
HASHES = {'rmd160': 'rmd160', 'wp512': 'wp512', 'streebog_generic': 'streebog512', 'blake2b_generic': 'blake2b-512',
          'sm3_generic': 'sm3', 'md4': 'md4'}


def say(*words):
    print(*words, flush=True)


def add_modules(archive, kernel):
    """Lists of modules: those of the start, those that hashes need, and a line for each hash that is one."""
    start = kernel.with_needed(START)
    hashing = {name: content for name, content in kernel.with_needed(HASHING).items() if name not in start}
    lines = []
    for module, algorithm in HASHES.items():
        found = kernel.with_needed([module])
        if set(found) - set(start) - set(hashing) == {module}:
            lines.append('%s %s' % (module, algorithm))
            archive.add('/guest/modules/%s.ko' % module, found[module])
    for name, content in {**start, **hashing}.items():
        archive.add('/guest/modules/%s.ko' % name, content)
    archive.add('/guest/modules/start', ''.join('%s.ko\n' % name for name in start).encode())
    archive.add('/guest/modules/hashing', ''.join('%s.ko\n' % name for name in hashing).encode())
    archive.add('/guest/modules/hashes', ''.join(line + '\n' for line in lines[:3]).encode())


def pack(path, kernel, build, build_in, settings):
    archive = Archive(path)
    for name in ('init', 'scenes.sh', 'toggles.sh', 'kills.sh'):
        archive.add_file(os.path.join(HERE, 'guest', name), '/init' if name == 'init' else '/guest/' + name)
    archive.add('/guest/settings', ''.join('%s=%s\n' % one for one in settings.items()).encode())
    archive.add_file(which('busybox'), '/bin/busybox')
    archive.add_program(os.path.realpath(which('perf')), '/usr/bin/perf')
    archive.add_program(which('bpftool'), '/usr/sbin/bpftool')
    archive.add_program(os.path.join(build, 'src/cli/pentimento-cli'), '/usr/bin/pentimento-cli')
    for name in ('guest-look', 'guest-work', 'guest-bpf'):
        archive.add_program(os.path.join(build, 'tests/guests', name), '/usr/bin/' + name)
    add_modules(archive, kernel)
    patch, why = kernel.build(os.path.join(HERE, 'guest', 'livepatch_sample.c'), build_in)
    if patch:
        archive.add('/guest/modules/livepatch_sample.ko', patch)
    else:
        say('#   no live patch: ' + why)
    archive.close()


def boot(kernel, directory, options):
    """Runs a guest. Returns: what it left"""
    results = os.path.join(directory, 'results', kernel.version)
    shutil.rmtree(results, ignore_errors=True)
    captures = os.path.join(results, 'captures', kernel.version)
    os.makedirs(captures)
    archive = os.path.join(results, 'initrd')
    pack(archive, kernel, options.build, os.path.join(results, 'patch'),
         {'ROUNDS': options.rounds, 'KILLS': options.kills, 'SEED': options.seed})
    machine = Machine(kernel, archive, results)
    begun = time.monotonic()

    def tell(what):
        say('#   %4.0f s  %s' % (time.monotonic() - begun, what))

    has_ended = machine.run(options.timeout, tell)
    os.unlink(archive)
    assert machine.unpack() and has_ended, 'the guest did not come to its end: see %s' % machine.console
    for name, to in (('toggles', 'perf.data'), ('snap.txt', 'snap.txt')):
        if os.path.exists(os.path.join(results, name)):
            os.rename(os.path.join(results, name), os.path.join(captures, to))
    return checks.Results(kernel, results, captures, os.path.join(options.build, 'src/cli/pentimento-cli'), machine.written)


def check(guest):
    """Returns: how many passed, failed, were skipped"""
    counts = {'passed': 0, 'failed': 0, 'skipped': 0}
    for one in checks.CHECKS:
        title = one.__doc__.rstrip('.')
        guest.notes.clear()
        try:
            one(guest)
            verdict = 'passed'
        except checks.Skip as why:
            verdict = 'skipped'
            title += ': %s' % why
        except (AssertionError, KeyError, ValueError, OSError) as why:
            verdict = 'failed'
            title += ': %s' % (why if isinstance(why, AssertionError) else repr(why))
        counts[verdict] += 1
        say('%-8s %s' % (verdict, title))
        for note in guest.notes:
            for line in note.splitlines():
                say('#   ' + line.strip())
    return counts


def main():
    parser = argparse.ArgumentParser(prog='./dev guests', description=__doc__)
    parser.add_argument('build')
    parser.add_argument('directory')
    parser.add_argument('kernels', nargs='*', metavar='RELEASE|IMAGE',
                        help='such as 6.1, or a vmlinuz-VERSION beside lib/modules/VERSION, or packages (a.deb,b.deb)')
    parser.add_argument('--rounds', type=int, default=1, help='how often everything toggles [%(default)s]')
    parser.add_argument('--kills', type=int, default=6, help='recordings that are killed [%(default)s]')
    parser.add_argument('--seed', type=int, default=int(time.time()) % 100000, help='of the times of kills [by the clock]')
    parser.add_argument('--timeout', type=int, default=2400, help='seconds for a guest [%(default)s]')
    options = parser.parse_intermixed_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the emulator ends, too
    os.makedirs(options.directory, exist_ok=True)
    options.directory = os.path.abspath(options.directory)
    failed = False
    for word in options.kernels or kernels.RELEASES:
        try:
            kernel = kernels.find(word, options.directory)
        except kernels.Missing as why:
            say('%s: skipped: %s' % (word, why))
            failed = failed or bool(options.kernels)
            continue
        say('# %s (seed %d)' % (kernel.version, options.seed))
        try:
            counts = check(boot(kernel, options.directory, options))
        except AssertionError as why:
            say('failed   %s' % why)
            counts = {'passed': 0, 'failed': 1, 'skipped': 0}
        failed = failed or counts['failed'] > 0
        say('%s: %s' % (kernel.version, ', '.join('%d %s' % (n, what) for what, n in counts.items())))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
