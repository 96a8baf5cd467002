#!/usr/bin/env python3
"""What `perf script` names a sample in the kernel, `samples` does (TAP). Skips without perf.

Where they differ for a reason is told in docs/compared-with-perf.md, and left out here.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

cli, data = (os.path.abspath(path) for path in sys.argv[1:3])
captures = sorted(glob.glob(os.path.join(data, '*.data')))
more = os.environ.get('PENTIMENTO_CAPTURES')
if more:
    captures += sorted(glob.glob(os.path.join(more, '*', '*.data')))
# Without the capture's own kallsyms perf takes this machine's, whatever it is.
captures = [path for path in captures if os.path.exists(os.path.join(path, 'kcore_dir', 'kallsyms'))]
perf = shutil.which('perf')
# perf has the same sources for these: kallsyms of the capture, and the symbols that it recorded.
KINDS = ('kernel', 'module', 'bpf')
WANTED = 99.9


def ask_perf(capture):
    """{(time, address): [(symbol, offset), …]}"""
    got = subprocess.run([perf, 'script', '-i', capture, '--ns', '-G', '-F', 'time,ip,sym,symoff,dso'],
                         capture_output=True, timeout=300, check=False)
    names = collections.defaultdict(list)
    if b'failed to process' in got.stderr:
        return names  # it stops there, and what it said before is wrong
    for line in got.stdout.decode(errors='replace').splitlines():
        row = re.match(r'\s*(\d+)\.(\d{9}):\s+([0-9a-f]+) (.*?)(?:\+0x([0-9a-f]+))? \((.*)\)$', line)
        if row:
            symbol = '' if row[4] == '[unknown]' else row[4]
            names[int(row[1]) * 10**9 + int(row[2]), int(row[3], 16)].append(
                (symbol, int(row[5] or '0', 16) if symbol else 0))
    return names


def compare(capture, env):
    names = ask_perf(capture)
    got = subprocess.run([cli, 'samples', capture, '--format=csv'], env=env, capture_output=True,
                         check=True, timeout=300)
    rows = csv.DictReader(io.StringIO(got.stdout.decode(errors='replace'), newline=''))
    alike, others = 0, collections.Counter()
    for row in rows:
        here = names.get((int(row['time'] or 0), int(row['address'] or '0', 16)))
        # Where perf knows nothing, it has no source: it stops at a record, or removed a map.
        if row['kind'] not in KINDS or not here:
            continue
        theirs = here.pop(0)
        ours = (row['symbol'], int(row['offset'] or '0', 16) if row['symbol'] else 0)
        if theirs == ours:
            alike += 1
        elif theirs[0]:
            others[row['kind'], ours, theirs] += 1
    return alike, others


if perf is None:
    print('1..0 # SKIP perf is not there')
    sys.exit(0)
print('1..%d' % len(captures), flush=True)
failed = 0
with tempfile.TemporaryDirectory() as cache:
    environment = dict(os.environ, XDG_CACHE_HOME=cache, HOME=cache, LC_ALL='C.UTF-8')
    for number, path in enumerate(captures, 1):
        name = os.path.relpath(path, data) if path.startswith(data) else path
        agreed, differing = compare(path, environment)
        total = agreed + sum(differing.values())
        share = 100 * agreed / total if total else 100
        good = share >= WANTED
        failed += not good
        print('%s %d - %s: %d of %d alike' % ('ok' if good else 'not ok', number, name, agreed, total), flush=True)
        for other, count in differing.most_common(5):
            print('# %d: %s' % (count, other), flush=True)
sys.exit(1 if failed else 0)
