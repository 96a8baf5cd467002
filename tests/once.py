#!/usr/bin/env python3
"""Which tests `./dev test` runs in which build.

usage: once.py needed BUILD SUITE...    the targets that the tests of these suites need
       once.py left PLAIN SANITIZED     tests that neither build runs, and exit status 1 if there are any

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys

# In the sanitized build, what this suite has is left out; in the plain one, everything else.
PLAIN = 'plain'


def introspect(build, what):
    return json.loads(subprocess.run(['meson', 'introspect', '--' + what, build], check=True, capture_output=True).stdout)


def suites(test):
    """As they were written: Meson puts the project before them."""
    return {suite.split(':')[-1] for suite in test['suite']}


def needed(build, wanted):
    """Files below BUILD, as ninja names them."""
    ids = {one for test in introspect(build, 'tests') if suites(test) & wanted for one in test['depends']}
    files = {name for target in introspect(build, 'targets') if target['id'] in ids for name in target['filename']}
    return sorted(os.path.relpath(name, os.path.abspath(build)) for name in files)


def left(plain, sanitized):
    run = {test['name'] for test in introspect(sanitized, 'tests') if PLAIN not in suites(test)}
    return sorted(test['name'] for test in introspect(plain, 'tests')
                  if PLAIN not in suites(test) and test['name'] not in run)


def main(command, *words):
    if command == 'needed':
        print('\n'.join(needed(words[0], set(words[1:]))))
        return 0
    names = left(*words)
    for name in names:
        print('neither build runs the test %s: it belongs to suite plain' % name, file=sys.stderr)
    return 1 if names else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
