#!/usr/bin/env python3
"""Readings of a witness against a plain model of the kernel's text: kcore, then pokes in time order (TAP).

One bundled capture, and large ones, which are not part of the sources: those with a witness in PENTIMENTO_CAPTURES.
"""
import csv
import glob
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

cli = sys.argv[1]

# Verdicts, and kernel samples that agree, differ, are known by readings alone, and have none. The model
# (kcore and pokes alone) knows nothing of images of BPF programs: its d73 is told more often.
EXPECTED = {
    'w-witness': ({'agrees': 96, 'int3': 2}, (252, 3, 0, 617), 964),
    'a61': ({'agrees': 2556, 'int3': 2}, (35339, 3, 0, 8), 39110),
    'e61': ({'agrees': 3389, 'told': 143, 'unannounced': 1}, (45111, 14, 5230, 0), 63262),
    'd73': ({'agrees': 1860, 'told': 3}, (20393, 0, 40, 10), 22318),
}


def run(env, *arguments):
    return subprocess.run([cli, *arguments], env=env, text=True, capture_output=True, check=True).stdout


def find_readings(path):
    """What stands in the file: start, address and bytes of each."""
    with open(path, 'rb') as f:
        b = f.read()
    at = b.find(b'PWIT\1')
    while at >= 0:
        n, _flags, start, address = struct.unpack_from('<BHQQ', b, at + 5)
        if b[at - 4:at] == struct.pack('<I', 92) and n <= 64 and start == address & ~31:
            yield start, address, b[at + 24:at + 24 + n].hex()
        at = b.find(b'PWIT\1', at + 1)


def check(name, path):
    verdicts, counts, samples = EXPECTED[name]
    with tempfile.TemporaryDirectory() as cache:
        env = dict(os.environ, XDG_CACHE_HOME=cache, HOME=cache)
        rows = list(csv.DictReader(io.StringIO(run(env, 'witness', path, '--format=csv'))))
        info = {row['fact']: row['value'] for row in json.loads(run(env, 'info', path, '--format=json'))}
        changes = list(csv.DictReader(io.StringIO(run(env, 'changes', path, '--format=csv', '--cause', 'unannounced'))))
        listed = len(run(env, 'samples', path, '--format=csv').splitlines()) - 1
        named = len(run(env, 'samples', path, '--format=csv', '--event', 'witness').splitlines()) - 1
    got = {}
    for row in rows:
        got[row['verdict']] = got.get(row['verdict'], 0) + 1
    agree, differ, told, unread = counts
    wanted = '%d of %d samples agree with what the kernel saw' % (agree, agree + differ)
    read = sorted((int(r['start'], 16), int(r['ip'], 16), r['bytes'].replace(' ', '')) for r in rows)
    for what, one, other in (
            ('verdicts', got, verdicts), ('agreement', info['witness agreement'], wanted),
            ('told', int(info.get('witness samples whose text only it knows', 0)), told),
            ('unread', int(info.get('witness kernel samples without a reading', 0)), unread),
            ('samples', listed, samples), ('samples of the event', named, sum(verdicts.values())),
            ('readings', read, sorted(find_readings(os.path.join(path, 'data')))),
            ('changes', bool(changes), 'unannounced' in verdicts),
            # Nobody is known to hold the text that changed in e61.
            ('alarm', 'witness unannounced changes' in info, False),
            ('no alarm', 'witness changes of unknown text' in info, 'unannounced' in verdicts)):
        if one != other:
            yield '%s: %.300s, not %.300s' % (what, one, other)


large = os.environ.get('PENTIMENTO_CAPTURES')
cases = [('w-witness', os.path.join(sys.argv[2], 'w-witness.data'))]
cases += [(name, path) for name in EXPECTED for path in glob.glob(os.path.join(large or '', name, 'perf.data')) if large]
print('1..%d' % len(cases), flush=True)
failed = 0
for number, (name, path) in enumerate(cases, 1):
    problems = list(check(name, path))
    failed += bool(problems)
    for problem in problems:
        print('# ' + problem)
    print('%s %d - %s' % ('not ok' if problems else 'ok', number, name), flush=True)
sys.exit(1 if failed else 0)
