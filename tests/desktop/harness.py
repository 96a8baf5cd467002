# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the desktop share: a list of cases, each of which uses the application anew."""

import os
import pathlib
import re
import sys
import tempfile
import traceback

from desktop import Desktop

# A test may go to another directory.
PROGRAM, CLI, DATA = map(os.path.abspath, sys.argv[1:])
CAPTURE = os.path.join(DATA, 'b-ftrace.data')

cases = []
directory_cleanups = []


def case(function):
    cases.append(function)
    return function


def open_capture(directory, *paths):
    # Places of its own for each: every case sees an import, and nothing that another one left.
    for variable in ('XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'):
        os.environ[variable] = os.path.join(directory, variable)
    desktop = Desktop(PROGRAM, *(paths or [CAPTURE]))
    directory_cleanups.append(desktop.kill)
    return desktop


def open_endless(directory):
    """An import that waits for more. Returns the application, and what is to be closed when it may end."""
    path = os.path.join(directory, 'pipe')
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)
    os.write(writer, pathlib.Path(CAPTURE, 'data').read_bytes()[:16])
    desktop = open_capture(directory, path)
    desktop.see(lambda text: text == 'Importing pipe', 'the import')
    return desktop, writer


def open_annotated(directory):
    desktop = open_capture(directory)
    desktop.see(lambda text: text == 'vfs_read', 'the function that was patched most')
    desktop.see(lambda text: re.search(r'4 changes', text), 'its changes')
    return desktop


def main():
    print(f'1..{len(cases)}')
    failed = 0
    for number, test in enumerate(cases, 1):
        name = test.__name__.replace('_', '-')
        with tempfile.TemporaryDirectory(prefix='pen-desktop-') as directory:
            try:
                test(directory)
                print(f'ok {number} {name}', flush=True)
            except Exception:  # each case is told of, and the next one begins afresh
                failed += 1
                print(f'not ok {number} {name}', flush=True)
                for line in traceback.format_exc().splitlines():
                    print('# ' + line, flush=True)
            finally:
                while directory_cleanups:
                    directory_cleanups.pop()()
    return 1 if failed else 0
