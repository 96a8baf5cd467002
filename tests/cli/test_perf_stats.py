#!/usr/bin/env python3
"""What `perf report` counts and tells of a capture is in `info` (TAP). Skips without perf.

SPDX-License-Identifier: GPL-3.0-or-later
"""
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
    captures += sorted(glob.glob(os.path.join(more, '*', '*.data')) +
                       glob.glob(os.path.join(more, '*.data')))
perf = shutil.which('perf')

# name in perf's header → fact
HEADER = {
    'hostname': 'host', 'os release': 'kernel release', 'perf version': 'perf version',
    'arch': 'machine', 'nrcpus online': 'CPUs online', 'nrcpus avail': 'CPUs available',
    'cpudesc': 'processor', 'cpuid': 'processor id', 'total memory': 'memory',
    'cmdline': 'command line', 'time of first sample': 'first sample',
    'time of last sample': 'last sample', 'pmu mappings': 'PMUs',
}


def info(capture, env):
    got = subprocess.run([cli, 'info', capture, '--format=csv'], env=env, capture_output=True,
                         check=True, timeout=300)
    rows = csv.DictReader(io.StringIO(got.stdout.decode(), newline=''))
    return {row['fact']: row['value'] for row in rows}


def ask_perf(capture, *words):
    got = subprocess.run([perf, 'report', *words, '-i', capture], capture_output=True, timeout=300)
    return got.stdout.decode(errors='replace') if got.returncode == 0 else ''


def stats(capture):
    """{'records MMAP': n, …, 'event cpu-clock samples': n}, as info names them."""
    counts, event = {}, None
    for line in ask_perf(capture, '--stats').splitlines():
        head = re.fullmatch(r'(\S.*) stats:', line)
        row = re.fullmatch(r' *(\w+) events: +(\d+).*', line)
        if head:
            event = None if head[1] == 'Aggregated' else head[1]
        elif row and event is None:
            counts['records ' + row[1]] = int(row[2])
        elif row and row[1] == 'SAMPLE':
            counts['event %s samples' % event] = int(row[2])
    return counts


def header(capture):
    told = {}
    for line in ask_perf(capture, '--header-only', '-I').splitlines():
        row = re.fullmatch(r'# ([a-z ]+?) *: (.*)', line)
        if row and row[1] in HEADER:
            told.setdefault(HEADER[row[1]], row[2].strip())
        cache = re.fullmatch(r'# +(L\d+ \w+) +(\S+) (\[.*\])', line)
        if cache:
            told['caches'] = ', '.join(filter(None, [told.get('caches'), ' '.join(cache.groups())]))
    return told


def words_of(value):
    return sorted(re.split(r',\s*', value))


def differs(fact, told, ours):
    if fact in ('first sample', 'last sample'):
        # perf leaves them out where it does not know them, by writing 0
        return float(told) != 0 and abs(float(told) - float(ours or 0)) > 1e-6
    if fact == 'PMUs':
        return words_of(told) != words_of(ours or '')
    return told != ours


def compare(capture, env):
    ours = info(capture, env)
    wrong = []
    for fact, count in stats(capture).items():
        # perf takes what a witness wrote for samples of the profile.
        if ours.get(fact) == '0' and ours.get('witness readings') == str(count):
            continue
        if ours.get(fact) != str(count):
            wrong.append('%s: perf %d, info %s' % (fact, count, ours.get(fact)))
    for fact, told in header(capture).items():
        # Of what a witness wrote, perf tells the times, too.
        if fact in ('first sample', 'last sample') and ours.get('witness readings', '0') != '0':
            continue
        if differs(fact, told, ours.get(fact)):
            wrong.append('%s: perf “%s”, info “%s”' % (fact, told, ours.get(fact)))
    return wrong


if perf is None:
    print('1..0 # SKIP no perf here')
    sys.exit(0)
print('1..%d' % len(captures), flush=True)
failed = 0
with tempfile.TemporaryDirectory() as cache:
    environment = dict(os.environ, XDG_CACHE_HOME=cache, LC_ALL='C.UTF-8')
    for number, path in enumerate(captures, 1):
        name = os.path.relpath(path, data) if path.startswith(data) else path
        if not stats(path):
            print('ok %d - %s # SKIP this perf does not read it' % (number, name), flush=True)
            continue
        differences = compare(path, environment)
        failed += bool(differences)
        print('%sok %d - %s' % ('not ' if differences else '', number, name), flush=True)
        for difference in differences:
            print('# %s' % difference, flush=True)
sys.exit(1 if failed else 0)
