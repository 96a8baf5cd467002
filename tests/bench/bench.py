#!/usr/bin/env python3
"""bench.py BUILD [--samples N[,N…]] [CAPTURE…]: pentimento-cli against perf on the same captures.

Each pair of commands runs in turn, A B A B …, after one warm-up, so that a machine whose speed drifts
slows both; the figure is the median of the ratios of the pairs. Seconds are for orientation. Without
CAPTURE: the bundled ones, those that PENTIMENTO_CAPTURES holds, and generated ones of one million
samples (--samples for others), without and with callchains.
"""
import argparse
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPORT = ['perf', 'report', '-f', '--stdio', '--no-children', '-g', 'none', '--sort', 'sym,dso', '-i']
SCRIPT = ['perf', 'script', '-f', '-F', 'comm,tid,time,ip,sym,dso', '-i']


def run(command, env):
    start = time.perf_counter()
    child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return time.perf_counter() - start, status, usage.ru_maxrss / 1024


def compare(ours, theirs, env, pairs):
    """Medians: our seconds, their seconds, the ratio of each pair; our largest memory, MiB."""
    run(ours, env)
    run(theirs, env)
    rows = []
    for _ in range(pairs):
        a, status, memory = run(ours, env)
        if status:
            return None
        b, status, _ = run(theirs, env)
        rows.append((a, b, memory, status))
    if any(status for *_, status in rows):
        return statistics.median(r[0] for r in rows), None, None, max(r[2] for r in rows)
    return (statistics.median(r[0] for r in rows), statistics.median(r[1] for r in rows),
            statistics.median(r[0] / r[1] for r in rows), max(r[2] for r in rows))


def measure(name, capture, cli, scratch, env, pairs):
    store = os.path.join(scratch, 'store.pentimento')
    for what, ours, theirs in (
            ('import | perf report', [cli, 'import', capture, '-o', store], REPORT + [capture]),
            ('samples | perf script', [cli, 'samples', store, '--format=csv'], SCRIPT + [capture]),
            ('functions | perf report', [cli, 'functions', store, '--format=csv'], REPORT + [capture])):
        result = compare(ours, theirs, env, pairs)
        if result is None:
            print('%-28s %-24s failed' % (name, what))
            continue
        mine, perf, ratio, memory = result
        print('%-28s %-24s %8.3f %8s %6s %7.0f' % (
            name, what, mine, '%.3f' % perf if perf else 'failed',
            '%.2f' % ratio if ratio else '-', memory), flush=True)
    if os.path.exists(store):
        print('%-28s store: %.1f MiB' % (name, os.path.getsize(store) / 1048576))
        os.unlink(store)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--samples', default='1000000')
    parser.add_argument('captures', nargs='*')
    options = parser.parse_args()
    if not shutil.which('perf'):
        sys.exit('bench: perf is not installed, there is nothing to compare with')
    cli = os.path.join(options.build, 'src/cli/pentimento-cli')
    generate = os.path.join(options.build, 'tests/bench/generate-capture')
    large = os.environ.get('PENTIMENTO_CAPTURES')
    print('%-28s %-24s %8s %8s %6s %7s' % ('capture', 'what', 'ours, s', 'perf, s', 'ratio', 'MiB'))
    with tempfile.TemporaryDirectory() as scratch:
        env = dict(os.environ, XDG_CACHE_HOME=os.path.join(scratch, 'cache'))
        captures = [(os.path.basename(c.rstrip('/')), c, 7) for c in options.captures]
        if not captures:
            captures = [(os.path.basename(c), c, 7)
                        for c in sorted(glob.glob(os.path.join(ROOT, 'tests/data/[bdf]-*.data')))]
            for name in ('b-ftrace', 'd-bpf', 'f-everything-nocomp', 'm-lost') if large else ():
                captures.append((name, os.path.join(large, name, 'perf.data'), 7))
        for capture in captures:
            measure(*capture[:2], cli, scratch, env, capture[2])
        for n in options.samples.split(',') if not options.captures else ():
            for depth in ('0', '16'):
                path = os.path.join(scratch, 'generated')
                subprocess.run([generate, n, depth, path], check=True)
                measure('%s samples, chains of %s' % (n, depth), path, cli, scratch, env, 3)
                shutil.rmtree(path)


main()
