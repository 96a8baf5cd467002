"""How the steps of pentimento-cli grow with a capture, for captures that are as bad as they can be.

Usage: test_steps.py CLI STEEP_CAPTURES READ_DEBUG [KIND…]

Steps are counted, not time: basic blocks that the process entered, as valgrind counts them. For each
kind of capture an import of N and one of 4 N records, less the steps of an import of none: n log n
makes them some 4.6 times as many, n squared 16 times. And an import of a few hundred kilobytes of any
kind takes no more memory than any import may, nor does one of records that use up their budget beside
samples and callchains that fill the tables that are left.

Debug information is read by another program: READ_DEBUG does what that does, and is counted beside the import.

Of some kinds commands, too: those for which the kind is the worst.

Every fourth kind, and the largest mixture, without PENTIMENTO_STEPS. PENTIMENTO_STEPS=all: each kind and mixture, and
2 N records, too. PENTIMENTO_STEPS=whole: four times as many records, and each command on the result, too: hours.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

CLI, GENERATOR, READ_DEBUG = (os.path.abspath(word) for word in sys.argv[1:4])
WHOLE = os.environ.get('PENTIMENTO_STEPS') == 'whole'
STRIDE = 1 if os.environ.get('PENTIMENTO_STEPS') else 4
SMALL = 4000 if WHOLE else 1000
SIZES = [SMALL, 2 * SMALL, 4 * SMALL] if STRIDE == 1 else [SMALL, 4 * SMALL]
FOR_MEMORY = 8000
# Of twice and four times as many records: n log n is 4 × (1 + 2 / log2 n), and tables double in size now and then.
BOUNDS = {2: 3.0, 4: 5.4}
# Below, growth is that of what is done once.
FEW = 400_000
MEMORY = 512 << 20
COUNTED = re.compile(r'scheduler: ([0-9,]+) event checks')
PLACES = [0xffffffff81000100, 0xffffffffc0000008, 0x7f0000000008]
# Each child has a copy of its parent's maps: n squared, up to a million copies. Only their memory counts.
CAPPED = {'forks_with_maps', 'forks_covered', 'forks_and_exits'}
# More of each than there is memory for; the largest first. Beside what is left out of them, an import says so.
CHAINS = ['random_chains', '600000']
FORKS = ['forks_covered', '8000']
MIXTURES = [[kind, n, *CHAINS] for kind, n in (
    ('forks_covered', '8000'), ('forks_with_maps', '8000'), ('pokes_overlapping', '500000'),
    ('forks_in_a_row', '550000'), ('maps_of_processes', '600000'), ('modules_nested', '400000'))]
MIXTURES += [['allocations', '1000000', *FORKS, *CHAINS], ['lost', '3000000', *FORKS, *CHAINS],
             ['samples_of_tasks', '2000000', *FORKS, *CHAINS], ['build_ids', '1500000', *FORKS, 'samples_of_tasks', '2000000'],
             ['attrs_with_ids', '2000000', *FORKS, *CHAINS], ['bpf_metadata', '300000', *FORKS, *CHAINS],
             ['allocations', '600000', 'lost', '600000', 'samples_of_tasks', '1000000', 'build_ids', '500000',
              'switches', '600000', *FORKS, *CHAINS]]
WORDS = {'allocations': 'too-many-module-events', 'lost': 'too-many-losses', 'samples_of_tasks': 'too-many-tasks',
         'build_ids': 'list-too-long', 'bpf_metadata': 'count-too-large'}
# Thousands of functions at one address, each of which has rows of its own.
ROWS_AT = ['annotate', hex(PLACES[1]), '--format=csv']
WORST = {'ksymbols_at_one_place': [ROWS_AT, ['export', '--to=firefox', '-o', 'OUT']],
         'ksymbols_again': [ROWS_AT], 'witness_places': [ROWS_AT],
         'ksymbols_in_turn': [['annotate', hex(PLACES[1])], ['compare', 'OTHER'], ['sanitize', '-o', 'OUT']],
         'ksymbols_of_other_times': [['annotate', hex(PLACES[1])]],
         'pokes_between_ksymbols': [['history', hex(PLACES[0])]],
         'modules_at_one_place': [['callers', hex(PLACES[1])], ['compare', 'OTHER']],
         'random_chains': [['stacks'], ['export', '--to=pprof', '-o', 'OUT']],
         'witness_readings': [['witness', '--format=csv']]}
# May be that nothing is at a place, and says so by its status.
MAY_FAIL = {'history', 'find', 'text', 'annotate', 'compare', 'callers', 'callees', 'render'}


def run(words, directory, counting, program=CLI):
    """Standard output, and the steps or the bytes of memory that it took."""
    env = dict(os.environ, XDG_CACHE_HOME=directory, HOME=directory, LC_ALL='C.UTF-8')
    for name in ('MALLOC_CHECK_', 'MALLOC_PERTURB_'):  # they write to all memory
        env.pop(name, None)
    env['G_DEBUG'] = ''
    tool = ['valgrind', '--tool=none', '--stats=yes'] if counting else []
    if counting and words[0] == 'render':  # becomes the program that draws
        tool.append('--trace-children=yes')
    with open(os.path.join(directory, 'out'), 'w+b') as out, \
            open(os.path.join(directory, 'err'), 'w+b') as err:
        process = subprocess.Popen([*tool, program, *words], env=env, stdout=out, stderr=err,
                                   stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        output, errors = (file.read().decode(errors='replace') for file in (out, err))
    assert process.returncode == 0 or words[0] in MAY_FAIL, '%s: exit status %d: %s' % (
        ' '.join(words), process.returncode, errors[-500:])
    if not counting:
        return output, usage.ru_maxrss << 10
    return output, int(COUNTED.search(errors).group(1).replace(',', ''))


def make(kind, n, directory, *more):
    """Returns the words that import it."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    subprocess.run([GENERATOR, kind, str(n), *more, directory], check=True)
    words = ['import', os.path.join(directory, 'perf.data'), '-o', store(directory)]
    return words + (['--perf-map=' + directory] if kind == 'perf_map' else [])


def store(directory):
    return os.path.join(directory, 'x.pentimento')


def commands(path):
    """Every question of the result: a name, and its words."""
    lists = [[word] for word in ('info', 'functions', 'changes', 'causes', 'occupants', 'samples', 'buckets',
                                 'misattribution', 'cost', 'notes', 'witness')]
    lists += [['stacks'], ['stacks', '--suffix=version,offset'], ['functions', '--changed'], ['samples', '--time=0,1'], ['changes', '--batches'],
              ['causes', '--by=task']]
    lists += [[word, '--measure=off-cpu'] for word in ('functions', 'stacks', 'samples', 'buckets')]
    words = [more + form for more in lists for form in ([], ['--format=csv'])]
    words += [[word, hex(place)] for word in ('history', 'find', 'compare', 'annotate', 'callers', 'callees')
              for place in PLACES]
    words += [['annotate', hex(place), '--format=csv'] for place in PLACES]
    words += [['find', 'bpf_prog_1'], ['text', hex(PLACES[0]), '--at=0.00001']]
    words += [['compare', 'OTHER'], ['compare', 'OTHER', hex(PLACES[1])], ['sanitize', '-o', 'OUT'],
              ['export', 'OTHER', '--fleet=OUT']]
    words += [['export', '--to=' + form, '-o', 'OUT'] for form in ('folded', 'pprof', 'firefox', 'speedscope')]
    words += [['render', '--view=' + view, '-o', 'OUT.svg', *more] for view in ('overview', 'map', 'flame', 'chart', 'heat')
              for more in ([], ['--measure=off-cpu'])]
    words += [['render', hex(place), '--view=annotation', '-o', 'OUT.svg'] for place in PLACES[:2]]
    words += [['sql', 'SELECT * FROM ' + table] for table in tables(path)]
    return words


def tables(path):
    """Every table and view that SQL can ask for."""
    out = run(['sql', path, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", '--format=csv'],
              os.path.dirname(path), False)[0]
    return sorted(set(out.split()[1:] + ['sample', 'bucket', 'sample, callchain(sample.callchain)']))


def ask(words, directory):
    """Steps of a command on the store. OTHER: a copy of it; OUT: a path for what is written"""
    out, other = os.path.join(directory, 'written'), os.path.join(directory, 'other.pentimento')
    shutil.rmtree(out, ignore_errors=True)
    if os.path.exists(out + '.svg'):
        os.unlink(out + '.svg')
    if 'OTHER' in words and not os.path.exists(other):
        shutil.copyfile(store(directory), other)
    command, *rest = [other if word == 'OTHER' else word.replace('OUT', out) for word in words]
    return run([command, store(directory), *rest], directory, True)[1]


def read_debug(n, directory):
    """Steps of the program that reads debug information for an import: it is killed there when it is done."""
    lines, steps = run([os.path.join(directory, 'program'), str(n)], directory, True, READ_DEBUG)
    assert int(lines) >= n, '%d functions: %s lines' % (n, lines)
    return steps


def measure(kind, n, directory):
    """Steps of an import, and of each command on what it made."""
    steps = {'import': run(make(kind, n, directory), directory, True)[1]}
    if kind.startswith('dwarf'):
        steps['read-debug'] = read_debug(n, directory)
        told = run(['sql', store(directory), 'SELECT count(*) FROM source_lines', '--format=csv'], directory, False)[0]
        assert int(told.split()[1]) > 0, '%s: no lines' % kind
    for words in commands(store(directory)) if WHOLE else WORST.get(kind, []):
        steps[' '.join(words)] = ask(words, directory)
    return steps


def try_kind(kind, base, directory):
    """Returns what failed, and a line of figures."""
    _, memory = run(make(kind, FOR_MEMORY, directory), directory, False)
    faults = ['%d MiB' % (memory >> 20)] if memory > MEMORY else []
    if kind in CAPPED:
        return faults, '%d MiB' % (memory >> 20)
    measured = [(n, measure(kind, n, directory)) for n in SIZES]
    worst = (0, 0, '')
    for (few, small), (many, large) in itertools.combinations(measured, 2):
        for name, steps in large.items():
            before, after = (each - base.get(name, base['functions']) for each in (small[name], steps))
            ratio = after / max(before, FEW)
            bound = BOUNDS[many // few]
            worst = max(worst, (ratio / bound, ratio, name))
            if ratio > bound:
                faults.append('%s: %d steps, then %d for %d times as many, %.1f times as many' % (
                    name, before, after, many // few, ratio))
    return faults, 'import ×%.2f, %d MiB; most: %s ×%.2f' % (
        (measured[-1][1]['import'] - base['import']) / max(measured[0][1]['import'] - base['import'], FEW),
        memory >> 20, worst[2], worst[1])


def try_mixture(words, directory):
    """Returns what failed, and a line of figures."""
    kind, n, *more = words
    _, memory = run(make(kind, n, directory, *more), directory, False)
    faults = ['%d MiB' % (memory >> 20)] if memory > MEMORY else []
    said = run(['sql', store(directory), 'SELECT reason FROM problem', '--format=csv'], directory, False)[0]
    if kind in WORDS and WORDS[kind] not in said:
        faults.append('%s is not said' % WORDS[kind])
    return faults, '%d MiB' % (memory >> 20)


def main():
    if not shutil.which('valgrind'):
        print('1..0 # SKIP valgrind is not installed')
        return 0
    every = subprocess.run([GENERATOR], check=True, capture_output=True, text=True).stdout.split()
    kinds = sys.argv[4:] or [kind for number, kind in enumerate(every)
                             if number % STRIDE == 0 or kind in WORST]
    mixtures = [] if sys.argv[4:] else MIXTURES if STRIDE == 1 else MIXTURES[:1]
    failed = 0
    print('1..%d' % (len(kinds) + len(mixtures)), flush=True)
    with tempfile.TemporaryDirectory(prefix='pen-steps-') as top, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        base = measure('samples_at_one_place', 0, os.path.join(top, 'base'))
        base.setdefault('functions', ask(['functions'], os.path.join(top, 'base')))  # as much as any command begins with
        make('dwarf_lines', 1, os.path.join(top, 'base'))
        base['read-debug'] = read_debug(1, os.path.join(top, 'base'))
        tries = [pool.submit(try_kind, kind, base, os.path.join(top, kind)) for kind in kinds]
        tries += [pool.submit(try_mixture, words, os.path.join(top, '+'.join(words[::2]))) for words in mixtures]
        kinds += ['+'.join(words[::2]) for words in mixtures]
        for number, (kind, each) in enumerate(zip(kinds, tries), 1):
            faults, figures = each.result()
            failed += len(faults) > 0
            print('%s %d - %s # %s' % ('not ok' if faults else 'ok', number, kind, figures), flush=True)
            for fault in faults:
                print('# ' + fault, flush=True)
            shutil.rmtree(os.path.join(top, kind), ignore_errors=True)
    return failed > 0


sys.exit(main())
