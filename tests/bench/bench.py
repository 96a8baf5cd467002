#!/usr/bin/env python3
"""bench.py BUILD [--samples N[,N…]] [--depth D[,D…]] [--clicks] [--pairs] [CAPTURE…]: pentimento-cli against perf.

Each pair of commands runs in turn, A B A B …, after one warm-up, so that a machine whose speed drifts
slows both; a ratio is the median of the ratios of the pairs. Without CAPTURE: the bundled ones, those
that PENTIMENTO_CAPTURES holds, two that perf records (searches, a build) where it may, and generated ones
(--samples, --depth: of their callchains; 20r: callers at random). The tables are Markdown: docs/performance.md keeps them.
"""
import argparse
import glob
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPORT = ['perf', 'report', '-f', '--stdio', '--no-children', '-g', 'none', '--sort', 'sym,dso', '-i']
SCRIPT = ['perf', 'script', '-f', '-F', 'comm,tid,time,ip,sym,dso', '-i']
MIB = 1048576


def run(command, env):
    """Seconds, exit status, largest memory in MiB."""
    start = time.perf_counter()
    child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return time.perf_counter() - start, status, usage.ru_maxrss / 1024


def compare(ours, theirs, env, pairs):
    """Medians: our seconds, their seconds, the ratio of each pair; our largest memory. None: ours failed."""
    if pairs > 1:
        run(ours, env)
        run(theirs, env)
    rows = []
    for _ in range(pairs):
        a, status, memory = run(ours, env)
        if status:
            return None
        b, status, _ = run(theirs, env)
        rows.append((a, b if not status else None, memory))
    mine = statistics.median(r[0] for r in rows)
    memory = max(r[2] for r in rows)
    if any(b is None for _, b, _ in rows):
        return mine, None, None, memory
    return mine, statistics.median(r[1] for r in rows), statistics.median(r[0] / r[1] for r in rows), memory


def count_cpu(command, env):
    """Least seconds of CPU of three runs after a warm-up; lines on standard output."""
    took = []
    for _ in range(4):
        child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = sum(1 for _ in child.stdout)
        child.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status:
            return None, 0
        took.append(usage.ru_utime + usage.ru_stime)
    return min(took[1:]), lines


def cell(number, form='%.2f'):
    return form % number if number is not None else '–'


def row(*cells):
    print('| ' + ' | '.join(cells) + ' |', flush=True)


def name_depth(depth):
    if depth == '0':
        return ''
    return ', chains of %s%s' % (depth.rstrip('r'), ' at random' if depth.endswith('r') else '')


class Bench:
    def __init__(self, build, scratch):
        self.cli = os.path.join(build, 'src/cli/pentimento-cli')
        self.generator = os.path.join(build, 'tests/bench/generate-capture')
        self.asker = os.path.join(build, 'tests/bench/measure-store')
        self.scratch = scratch
        self.store = os.path.join(scratch, 'store.pentimento')
        self.env = dict(os.environ, XDG_CACHE_HOME=os.path.join(scratch, 'cache'))
        self.framer = os.path.join(build, 'tests/bench/measure-frames')
        self.frames = {}  # name of the capture → case → (median, longest, over an empty one, process) ms
        self.clicker = os.path.join(build, 'tests/bench/measure-clicks')
        self.clicks = {}  # name of the capture → case → (CPU until shown, shown after, CPU in all; and longest) ms
        self.answers = {}  # name of the capture → question → (median, longest) ms
        self.stacker = os.path.join(build, 'tests/bench/measure-stacks')
        self.stacks = {}  # name of the capture → question → (median, longest, all threads) ms of CPU

    def count_samples(self):
        out = subprocess.run([self.cli, 'info', self.store, '--format=csv'], env=self.env,
                             stdout=subprocess.PIPE, text=True, check=True).stdout
        return next((int(line.split(',')[1]) for line in out.splitlines() if line.startswith('samples total,')), 0)

    def ask(self, name):
        out = subprocess.run([self.asker, self.store], env=self.env, stdout=subprocess.PIPE, text=True)
        if out.returncode == 0:
            self.answers[name] = {question: (float(median), float(longest)) for question, median, longest
                                  in (line.split('\t') for line in out.stdout.splitlines())}
        out = subprocess.run([self.stacker, self.store], env=self.env, stdout=subprocess.PIPE, text=True)
        if out.returncode == 0:
            self.stacks[name] = {question: [float(cell) for cell in cells] for question, *cells
                                 in (line.split('\t') for line in out.stdout.splitlines())}

    def draw(self, name):
        """Frames of the timelines, on a display of their own."""
        if not shutil.which('xvfb-run') or not os.path.exists(self.framer):
            return
        env = dict(self.env, GDK_BACKEND='x11', GSK_RENDERER='cairo', GTK_A11Y='none', GSETTINGS_BACKEND='memory')
        out = subprocess.run(['xvfb-run', '-a', '-s', '-screen 0 1700x1000x24', self.framer, self.store], env=env,
                             stdout=subprocess.PIPE, text=True)
        if out.returncode == 0:
            self.frames[name] = {case: [float(cell) for cell in cells] for case, *cells
                                 in (line.split('\t') for line in out.stdout.splitlines())}

    def click(self, name):
        """What the window's own thread takes, on a display of its own."""
        if not shutil.which('xvfb-run') or not os.path.exists(self.clicker):
            return
        env = dict(self.env, GDK_BACKEND='x11', GSK_RENDERER='cairo', GTK_A11Y='none', GSETTINGS_BACKEND='memory',
                   GIO_USE_VFS='local', ADW_DISABLE_PORTAL='1', XDG_STATE_HOME=self.scratch)
        out = subprocess.run(['xvfb-run', '-a', '-s', '-screen 0 2000x1200x24', self.clicker, self.store], env=env,
                             stdout=subprocess.PIPE, text=True)
        if out.returncode == 0:
            self.clicks[name] = {case: cells for case, *cells in (line.split('\t') for line in out.stdout.splitlines())}

    def measure_clicks(self, name, capture):
        subprocess.run([self.cli, 'import', capture, '-o', self.store], env=self.env, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.click(name)
        os.unlink(self.store)

    def measure(self, name, capture, pairs):
        imported = compare([self.cli, 'import', capture, '-o', self.store], REPORT + [capture], self.env, pairs)
        if imported is None:
            row(name, *['failed'] + ['–'] * 6)
            return
        seconds, perf, ratio, memory = imported
        samples = compare([self.cli, 'samples', self.store, '--format=csv'], SCRIPT + [capture], self.env,
                          min(pairs, 3))
        n = self.count_samples()
        size = os.path.getsize(self.store)
        row(name, cell(ratio), cell(seconds, '%.3f'), cell(seconds / n * 1e9 if n else None, '%.0f'),
            cell(memory, '%.0f'), cell(size / n if n else None, '%.1f'),
            cell(1 / samples[2] if samples and samples[2] else None, '%.1f'))
        self.ask(name)
        self.draw(name)
        self.click(name)
        os.unlink(self.store)

    def measure_pair(self, names, captures):
        """Functions of two recordings, and what stands differently: from their stores in the cache, with all text."""
        cells = []
        for words in ([], ['--by=cause']):
            seconds, lines = count_cpu([self.cli, 'compare', *captures, '--format=csv', *words], self.env)
            rows = max(lines - 1, 1)
            cells += [str(rows), cell(seconds, '%.3f'), cell(seconds and 1e3 * seconds / rows)]
        row(' and '.join(names), *cells[:3], *cells[3:5])

    def measure_pairs(self, captures):
        row('recordings', 'functions', '`compare`, s of CPU', 'ms a function', 'things', '`--by=cause`, s of CPU')
        row(*['---'] * 6)
        names = [os.path.basename(os.path.dirname(c) if os.path.basename(c) == 'perf.data' else c) for c in captures]
        for i in range(len(captures) - 1):
            self.measure_pair(names[i:i + 2], captures[i:i + 2])

    def record(self, work, *options):
        """A capture of this machine at work, where perf may make one."""
        path = os.path.join(self.scratch, 'live.data')
        if not shutil.which('perf'):
            return None
        done = subprocess.run(['perf', 'record', '-q', '-a', '-g', *options, '-o', path, 'sh', '-c', work],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path if done.returncode == 0 and os.path.exists(path) else None

    def record_build(self):
        """The same while this project is built: about a million samples."""
        seconds = math.ceil(1000000 / 9999 / (os.cpu_count() or 1))
        build = shlex.quote(os.path.join(self.scratch, 'build'))
        return self.record('meson setup %s %s; CCACHE_DISABLE=1 timeout %d ninja -C %s; true'
                           % (build, shlex.quote(ROOT), seconds, build), '-F', '9999', '-m', '16M')

    def generate_function(self):
        """One of 30 000 instructions, with 500 versions to open."""
        path = os.path.join(self.scratch, 'function')
        subprocess.run([os.path.join(os.path.dirname(self.generator), 'generate-function'), '30000', '250', path],
                       check=True)
        return path

    def generate(self, n, depth):
        path = os.path.join(self.scratch, 'generated')
        subprocess.run([self.generator, str(n), str(depth), path], check=True)
        return path

    def print_frames(self):
        names = list(self.frames)
        if not names:
            return
        print('\nMilliseconds of CPU for a frame of 1600 × 900: what the window\'s thread takes over an empty one, and '
              'its longest of twenty.\n')
        row('frame', *names)
        row(*['---'] * (len(names) + 1))
        for case in self.frames[names[0]]:
            row(case, *['%.1f, %.1f' % (self.frames[name][case][2], self.frames[name][case][1]) for name in names])

    def print_clicks(self):
        names = list(self.clicks)
        if not names:
            return
        print('\nMilliseconds of CPU of the window\'s thread until the new state is on the screen, 1900 × 1150: median, '
              'longest; until then: median, longest; and of CPU with all that is made after that: median.\n')
        row('click', *names)
        row(*['---'] * (len(names) + 1))
        for case in dict.fromkeys(case for name in names for case in self.clicks[name]):
            row(case, *['%s, %s; %s, %s; %s' % tuple(self.clicks[name][case][:5]) if case in self.clicks[name] else '–'
                        for name in names])

    def print_answers(self):
        names = list(self.answers)
        if not names:
            return
        print('\nMilliseconds: median, longest. “open” questions begin with opening the store.\n')
        row('question', *names)
        row(*['---'] * (len(names) + 1))
        for question in self.answers[names[0]]:
            row(question, *['%.1f, %.1f' % self.answers[name][question] for name in names])

    def print_stacks(self):
        names = list(self.stacks)
        if not names:
            return
        print('\nMilliseconds of CPU of the thread that is waited for: median, longest; of all threads: median. “open” '
              'questions begin with opening the store.\n')
        row('stacks', *names)
        row(*['---'] * (len(names) + 1))
        for question in dict.fromkeys(question for name in names for question in self.stacks[name]):
            row(question, *['%.1f, %.1f; %.1f' % tuple(self.stacks[name][question])
                            if question in self.stacks[name] else '–' for name in names])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--samples', default='1000000,10000000')
    parser.add_argument('--depth', default='0,16,20r')
    parser.add_argument('--clicks', action='store_true', help='what clicks cost, and nothing else')
    parser.add_argument('--pairs', action='store_true', help='what it costs to compare each two in a row, and nothing else')
    parser.add_argument('captures', nargs='*')
    options = parser.parse_intermixed_args()
    if not options.clicks and not options.pairs and not shutil.which('perf'):
        sys.exit('bench: perf is not installed, there is nothing to compare with')
    large = os.environ.get('PENTIMENTO_CAPTURES')
    with tempfile.TemporaryDirectory(dir=os.environ.get('TMPDIR', '/var/tmp')) as scratch:
        bench = Bench(options.build, scratch)
        if options.pairs:
            bench.measure_pairs([capture.rstrip('/') for capture in options.captures]
                                or sorted(glob.glob(os.path.join(ROOT, 'tests/data/[bdf]-*.data'))))
            return
        if options.clicks:
            for capture in options.captures or [os.path.join(ROOT, 'tests/data/f-everything-z.data')]:
                bench.measure_clicks(os.path.basename(capture.rstrip('/')), capture)
            if not options.captures:
                if large:
                    bench.measure_clicks('m-lost', os.path.join(large, 'm-lost', 'perf.data'))
                bench.measure_clicks('1 000 000 samples', bench.generate(1000000, 8))
                live = bench.record_build()
                if live:
                    bench.measure_clicks('a build, live', live)
                    os.unlink(live)
                else:
                    print('bench: perf may not record this machine: no live recording', file=sys.stderr)
                bench.measure_clicks('30 000 instructions', bench.generate_function())
            bench.print_clicks()
            return
        row('capture', 'import ÷ perf report', 'import, s', 'ns per sample', 'MiB of memory', 'bytes per sample',
            'rows per second of `samples`, × perf script')
        row(*['---'] * 7)
        for capture in options.captures:
            bench.measure(os.path.basename(capture.rstrip('/')), capture, 7)
        if not options.captures:
            for capture in sorted(glob.glob(os.path.join(ROOT, 'tests/data/[bdf]-*.data'))):
                bench.measure(os.path.basename(capture), capture, 7)
            for name in ('b-ftrace', 'd-bpf', 'f-everything-nocomp', 'm-lost') if large else ():
                bench.measure(name, os.path.join(large, name, 'perf.data'), 15)
            live = bench.record('for i in 1 2 3 4 5 6; do find /usr -xdev -type f | md5sum; done', '-F', '20000')
            if live:
                bench.measure('this machine, live', live, 5)
                os.unlink(live)
            live = bench.record_build()
            if live:
                bench.measure('a build, live', live, 5)
                os.unlink(live)
            for n in (int(n) for n in options.samples.split(',')):
                for depth in options.depth.split(','):
                    path = bench.generate(n, depth)
                    bench.measure('%s samples%s' % (f'{n:,}'.replace(',', ' '), name_depth(depth)),
                                  path, 5 if n <= 1000000 else 3 if n <= 10000000 else 1)
                    shutil.rmtree(path)
        if not options.captures:
            bench.measure_clicks('30 000 instructions', bench.generate_function())
        bench.print_answers()
        bench.print_stacks()
        bench.print_frames()
        bench.print_clicks()


main()
