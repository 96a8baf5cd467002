#!/usr/bin/env python3
"""The program's sample table of captures that are made up, against sample_table.py (TAP).

PENTIMENTO_CONTRACT_RUNS: how many; PENTIMENTO_CONTRACT_SEED: the first one's seed. What they met is
said, and has to be something of each kind.
"""
import collections
import os
import subprocess
import sys
import tempfile

import sample_table

cli, _, maker = sys.argv[1:4]
RUNS = int(os.environ.get('PENTIMENTO_CONTRACT_RUNS', '40'))
SEED = int(os.environ.get('PENTIMENTO_CONTRACT_SEED', '1'))
met = collections.Counter()


def check(seed):
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, 'perf.data')
        env = dict(os.environ, XDG_CACHE_HOME=place, HOME=place)
        subprocess.run([maker, str(seed), place], check=True)
        run = subprocess.run([cli, 'samples', path, '--format=csv', '--symfs', place], env=env, text=True,
                             capture_output=True)
        if run.returncode:
            return ['exit status %d: %s' % (run.returncode, run.stderr)]
        for facts, _, _, _ in sample_table.table(path):
            time, event, kind, revision = facts[0], facts[1], facts[7], facts[9]
            late = time not in ('', 0, sample_table.TOP)
            met['timed %s' % kind if late else 'untimed %s' % kind] += 1
            met['off-CPU'] += event == 'offcpu-time'
            met['unknown with a revision'] += kind == 'unknown' and revision > 0
        return list(sample_table.compare(path, iter(run.stdout.splitlines(True))))


print('1..2', flush=True)
failed = 0
for seed in range(SEED, SEED + RUNS):
    problems = check(seed)
    for problem in problems[:3]:
        print('# seed %d: %s' % (seed, problem.replace('\n', ' ')))
    failed += bool(problems)
print('%s 1 - %d captures' % ('not ok' if failed else 'ok', RUNS))
wanted = ['%s %s' % (when, kind) for when in ('timed', 'untimed')
          for kind in ('kernel', 'module', 'bpf', 'stub', 'dso', 'unknown')]
wanted += ['off-CPU', 'unknown with a revision']
print('# %s' % ', '.join('%s: %d' % (what, met[what]) for what in wanted))
missing = [what for what in wanted if not met[what] and RUNS >= 40]
print('%s 2 - of each kind%s' % ('not ok' if missing else 'ok', ' '.join([''] + missing)))
sys.exit(1 if failed or missing else 0)
