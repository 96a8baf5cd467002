#!/usr/bin/env python3
"""annotate and text beside what perf annotate printed of the same captures (TAP).

Where no patch was, the instructions are the same; where one was, perf has one of them and we have all.
Needs PENTIMENTO_CAPTURES: a directory of captures, with perf's output in its folder peer.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import glob
import io
import os
import re
import subprocess
import sys
import tempfile

cli = os.path.abspath(sys.argv[1])
captures = os.environ.get('PENTIMENTO_CAPTURES')
LINE = re.compile(r'^\s*[0-9.]+ :\s+([0-9a-f]{8,16}):\s+(.*)$')
ONE = re.compile(r'^((?:sh|sa|ro|rc)[lr][bwlq]?) (?:\$0x1,)')


def normal(text):
    text = re.sub(r'\s*<[^>]*>', '', text.split('#')[0])
    text = re.sub(r'\s+', ' ', text).strip()
    text = re.sub(r'^((?:\w+ )*(?:call|j\w+) )([0-9a-f]{8,16})$', r'\g<1>0x\2', text)
    return ONE.sub(r'\1 ', text)


def of_perf(path):
    with open(path) as file:
        found = [LINE.match(line.rstrip('\n')) for line in file]
    return {int(m[1], 16): normal(m[2]) for m in found if m}


def of_ours(env, *words):
    out = subprocess.run([cli, *words, '--format=csv'], env=env, capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(io.StringIO(out, newline='')))


def compare(env, path):
    """Returns: how many instructions were compared, how many of them were patched, what is wrong."""
    name = os.path.basename(path)
    capture = next(c for c in sorted(os.listdir(captures), key=len, reverse=True)
                   if name.startswith('annotate-%s-' % c))
    symbol = name[len('annotate-%s-' % capture):].rsplit('-', 1)[0]
    theirs = of_perf(path)
    versions = {}
    for row in of_ours(env, 'annotate', os.path.join(captures, capture, 'perf.data'), symbol):
        if row['kind'] == 'kernel' and row['bytes']:
            versions.setdefault(int(row['address'], 16), []).append(normal(row['instruction']))
    wrong, patched = [], 0
    for address, text in theirs.items():
        mine = versions.get(address, [])
        patched += len(mine) > 1
        if text not in mine:
            wrong.append('0x%x: perf has %r, not among %r' % (address, text, mine))
    for address in versions:
        if address not in theirs and min(theirs) <= address <= max(theirs) and len(versions[address]) == 1:
            wrong.append('0x%x: perf has no %r' % (address, versions[address]))
    return len(theirs), patched, wrong


def main():
    peers = sorted(glob.glob(os.path.join(captures or '', 'peer', 'annotate-*-kcore.txt'))) if captures else []
    if not peers:
        print('1..0 # SKIP PENTIMENTO_CAPTURES has no output of perf annotate')
        return 0
    print('1..%d' % len(peers))
    status = 0
    with tempfile.TemporaryDirectory() as cache:
        env = dict(os.environ, XDG_CACHE_HOME=cache, LC_ALL='C.UTF-8')
        for number, path in enumerate(peers, 1):
            n, patched, wrong = compare(env, path)
            good = n > 20 and not wrong
            status |= not good
            print('%sok %d - %s' % ('' if good else 'not ', number, os.path.basename(path)))
            print('# %d instructions, %d of them patched' % (n, patched))
            for line in wrong[:20]:
                print('# ' + line)
    return status


if __name__ == '__main__':
    sys.exit(main())
