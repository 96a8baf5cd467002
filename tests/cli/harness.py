"""What the tests of pentimento-cli share: a world to run it in, cases, TAP.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import os
import subprocess
import sys
import tempfile
import traceback

cli = os.path.abspath(sys.argv[1])
tests = []


class Skip(Exception):
    """This case cannot be tried here; says why."""


def case(function):
    tests.append(function)
    return function


def same(a, b):
    assert a == b, '%r is not %r' % (a, b)


def some(rows, n):
    """The first N; of a build with sanitizers a quarter: that one looks at memory, and not at every answer."""
    return rows[:max(1, n // 4) if os.environ.get('PENTIMENTO_SANITIZED') else n]


def environment(cache, **more):
    """Nothing of this user's: no cache, no settings."""
    return dict(os.environ, XDG_CACHE_HOME=cache, HOME=cache, LC_ALL='C.UTF-8', **more)


class World:
    """A directory to work in, with a cache that the cases of a program share, that goes away."""

    def __init__(self, directory, cache):
        self.directory, self.env = directory, environment(cache)

    def path(self, name):
        return os.path.join(self.directory, name)

    def read(self, name):
        with open(self.path(name), 'rb') as file:
            return file.read()

    def run(self, *words, status=0, **more):
        got = subprocess.run([cli, *words], env=self.env, capture_output=True, cwd=self.directory,
                             timeout=120, **more)
        assert got.returncode == status, '%s: exit status %d, not %d: %s' % (
            ' '.join(words), got.returncode, status, got.stderr.decode())
        return got

    def text(self, *words, status=0):
        return self.run(*words, status=status).stdout.decode()

    def csv(self, *words):
        return list(csv.DictReader(io.StringIO(self.text(*words, '--format=csv'), newline='')))

    def refused(self, *words, status, says):
        got = self.run(*words, status=status)
        message = got.stderr.decode()
        assert message.startswith('pentimento-cli: '), message
        assert says in message, message
        assert got.stdout == b'', got.stdout
        return message


def main(world=World):
    """Runs all cases, each in a world of its own, and exits."""
    print('1..%d' % len(tests), flush=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix='pen-cache-') as cache:
        for number, test in enumerate(tests, 1):
            try:
                with tempfile.TemporaryDirectory(prefix='pen-cli-') as directory:
                    test(world(directory, cache))
                print('ok %d - %s' % (number, test.__name__), flush=True)
            except Skip as reason:
                print('ok %d - %s # SKIP %s' % (number, test.__name__, reason), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d - %s' % (number, test.__name__), flush=True)
                for line in traceback.format_exc().splitlines():
                    print('# %s' % line, flush=True)
    sys.exit(1 if failed else 0)
