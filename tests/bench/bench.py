#!/usr/bin/env python3
"""bench.py CLI [CAPTURE...]: pentimento-cli against perf on the same captures, as ratios.

Each pair of commands runs in turn, A B A B …, after one warm-up, so that a machine whose speed drifts
slows both; the figure is the median of the ratios of the pairs. Absolute times are for orientation.
Without CAPTURE: the captures that PENTIMENTO_CAPTURES holds, or the bundled ones.
"""
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = 7
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(command, env):
    start = time.perf_counter()
    done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start, done.returncode


def pairs(ours, theirs, env):
    """Medians of our seconds, their seconds, and the ratio of each pair."""
    run(ours, env)
    run(theirs, env)
    times = []
    for _ in range(PAIRS):
        a, status = run(ours, env)
        if status:
            return None
        b, status = run(theirs, env)
        times.append((a, b if status == 0 else float('nan')))
    return (statistics.median(a for a, _ in times), statistics.median(b for _, b in times),
            statistics.median(a / b for a, b in times))


def main():
    cli, captures = sys.argv[1], sys.argv[2:]
    large = os.environ.get('PENTIMENTO_CAPTURES')
    if not captures and large:
        captures = [os.path.join(large, name, 'perf.data')
                    for name in ('b-ftrace', 'd-bpf', 'f-everything-nocomp', 'm-lost')]
    captures = [c for c in captures if os.path.exists(c)] or \
        sorted(glob.glob(os.path.join(ROOT, 'tests/data/*.data')))
    if not shutil.which('perf'):
        sys.exit('bench: perf is not installed, there is nothing to compare with')
    print('%-28s %-30s %9s %9s %7s' % ('capture', 'what', 'ours, s', 'perf, s', 'ratio'))
    with tempfile.TemporaryDirectory() as scratch:
        env = dict(os.environ, XDG_CACHE_HOME=os.path.join(scratch, 'cache'))
        for capture in captures:
            name = os.path.relpath(capture, large or ROOT)
            store = os.path.join(scratch, 'store.pentimento')
            rows = [
                ('import | report',
                 [cli, 'import', capture, '-o', store],
                 ['perf', 'report', '-f', '--stdio', '--no-children', '-g', 'none',
                  '--sort', 'sym,dso', '-i', capture]),
                ('samples of a store | script',
                 [cli, 'samples', store, '--format=csv'],
                 ['perf', 'script', '-f', '-F', 'comm,tid,time,ip,sym,dso', '-i', capture]),
                ('functions of a store | report',
                 [cli, 'functions', store, '--format=csv'],
                 ['perf', 'report', '-f', '--stdio', '--no-children', '-g', 'none',
                  '--sort', 'sym,dso', '-i', capture]),
            ]
            for what, ours, theirs in rows:
                result = pairs(ours, theirs, env)
                if result is None:
                    print('%-28s %-30s failed' % (name, what))
                else:
                    print('%-28s %-30s %9.3f %9.3f %7.2f' % (name, what, *result))


main()
