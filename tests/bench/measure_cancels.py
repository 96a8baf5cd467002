"""How long pentimento-cli works after a cancel, natively: captures that are as bad as they can be.

Usage: measure_cancels.py CLI STEEP_CAPTURES COUNT_LOOKS N [KIND…]

Of each kind of capture with N records, an import and each command are run once, to find the looks at the
cancellable after which they work longest; then they are cancelled after those. Printed are ms of processors
from the cancel to the end of the process, the most of each command, for all that take more than SHOWN_MS (default: 20). ONLY: a regular expression of commands.
What a command does after its last look counts, too; what comes before its first look is in a column of its own.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

CLI, GENERATOR, COUNT_LOOKS = (os.path.abspath(word) for word in sys.argv[1:4])
N = sys.argv[4]
TRIED = 2
ONLY = re.compile(os.environ.get('ONLY', ''))
SHOWN_MS = float(os.environ.get('SHOWN_MS', '20'))
# Of the kernel, of modules and programs, of processes; and which kinds have records at the first two.
PLACES = ['0xffffffff81000100', '0xffffffffc0000008', '0x7f0000000008']
OF_KERNEL = re.compile('poke|symbols_a|kcore|trampolines|samples|chains|witness_readings|lost')
OF_PROGRAMS = re.compile('ksymbols|bpf|module|witness_places')
COMMANDS = [words.split() for words in (
    'info', 'functions', 'functions --changed', 'samples', 'samples --format=csv', 'witness', 'changes',
    'changes --batches', 'causes', 'causes --by=task', 'cost', 'occupants', 'occupants --programs', 'buckets',
    'stacks', 'stacks --format=folded', 'stacks --batch=1', 'misattribution', 'notes',
    'compare OTHER', 'compare OTHER PLACE', 'compare OTHER --format=csv',
    'export --to=folded -o OUT', 'export --to=pprof -o OUT', 'export --to=firefox -o OUT', 'export --to=speedscope -o OUT',
    'export --to=pprof --measure=off-cpu -o OUT', 'export OTHER --fleet=OUT', 'sanitize -o OUT', 'buckets --format=csv',
    'history PLACE', 'annotate PLACE', 'annotate PLACE --format=csv', 'annotate PLACE --all-loads',
    'compare PLACE', 'find PLACE', 'find bpf_prog_1', 'find symbol_1', 'callers PLACE', 'callees PLACE',
    'text PLACE --at=0.00001', 'render --view=overview', 'render --view=overview --cpus',
    'render --view=overview --processes', 'render --view=map', 'render --view=flame', 'render --view=chart',
    'render --view=heat', 'render PLACE --view=annotation')]
# Beside those that the schema of a store names.
VIRTUAL_TABLES = ['sample', 'bucket', 'sample, callchain(sample.callchain)']


def choose_place(kind):
    return PLACES[0 if OF_KERNEL.search(kind) else 1 if OF_PROGRAMS.search(kind) else 2]


def run(words, directory, cancel=None):
    """Exit status, the list of looks with their ms of work, and ms of work and of the clock after the cancel."""
    looks = os.path.join(directory, 'looks')
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(directory, 'cache'), HOME=directory, LC_ALL='C.UTF-8',
               LD_PRELOAD=COUNT_LOOKS, PEN_LOOKS_TO=looks)
    if words[0] == 'render':
        env['PEN_LOOKS_PROGRAM'] = 'pentimento-render'
    if cancel is not None:
        env['PEN_LOOKS_CANCEL'] = str(cancel)
    if os.path.exists(looks):
        os.unlink(looks)
    process = subprocess.run([CLI, *words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, check=False)
    if not os.path.exists(looks):
        return process.returncode, [], (0, 0, 0), process.stderr
    with open(looks, encoding='utf-8') as file:
        rows = [[float(word) for word in line.split()] for line in file]
    return process.returncode, rows[1:], rows[0], process.stderr


def forget(path):
    if path and os.path.isdir(path):
        shutil.rmtree(path)
    elif path and os.path.exists(path):
        os.unlink(path)


def tables(store):
    """Every table and view that SQL can ask for."""
    out = subprocess.run([CLI, 'sql', store, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", '--format=csv'],
                         capture_output=True, text=True, check=True).stdout
    return sorted(set(out.split()[1:] + VIRTUAL_TABLES))


def measure(words, directory, made=None):
    """Prints a line. @made: what a run that is not cancelled leaves, and a cancelled one does not"""
    forget(made)
    status, gaps, _, errors = run(words, directory)
    if status not in (0, 3) and not gaps:
        return status, errors
    before = max([ms for look, ms in gaps if look == 0], default=0)
    tried = [(look, ms) for look, ms in gaps if look > 0 and ms > SHOWN_MS][:TRIED]
    found = []
    for look, _ in tried:
        forget(made)
        _, _, (_, work, clock), _ = run(words, directory, int(look))
        found.append((work, clock, int(look)))
    if found:
        work, clock, look = max(found)
        print('  %-44s %7.0f ms of work, %.0f ms, after look %d; gaps %s' % (
            ' '.join(word for word in words if directory not in word), work, clock, look,
            ' '.join('%d:%.0f' % (look, ms) for look, ms in tried)), flush=True)
    if before > 60:
        print('  %-44s %7.0f ms of work before the first look' % (
            ' '.join(word for word in words if directory not in word), before), flush=True)
    return status, errors


def measure_kind(kind, directory):
    subprocess.run([GENERATOR, kind, N, directory], check=True)
    store = os.path.join(directory, 'x.pentimento')
    words = ['import', os.path.join(directory, 'perf.data'), '-o', store]
    if kind == 'perf_map':
        words.append('--perf-map=' + directory)
    print('%s %s: %d bytes' % (kind, N, os.path.getsize(words[1]) if os.path.isfile(words[1]) else 0), flush=True)
    if ONLY.search('import'):
        measure(words, directory, store)
    if run(words, directory)[0] != 0 and not os.path.exists(store):
        return
    other = os.path.join(directory, 'other.pentimento')
    shutil.copyfile(store, other)
    made = os.path.join(directory, 'out')
    meant = {'PLACE': choose_place(kind), 'OTHER': other, 'OUT': made, '--fleet=OUT': '--fleet=' + made}
    for command, *rest in COMMANDS + [['sql', 'SELECT * FROM ' + table] for table in tables(store)]:
        if not ONLY.search(' '.join([command, *rest])):
            continue
        rest = [meant.get(word, word) for word in rest]
        picture = os.path.join(directory, 'x.png')
        more = ['-o', picture] if command == 'render' else []
        status, errors = measure([command, store, *rest, *more], directory, made if made in ' '.join(rest) else None)
        if status == 2:
            print('  %s: %s' % (' '.join([command, *rest]), errors.decode(errors='replace')[-200:]), flush=True)


def main():
    every = subprocess.run([GENERATOR], check=True, capture_output=True, text=True).stdout.split()
    with tempfile.TemporaryDirectory(prefix='pen-cancels-') as top:
        for kind in sys.argv[5:] or every:
            directory = os.path.join(top, kind)
            os.makedirs(directory)
            measure_kind(kind, directory)
            shutil.rmtree(directory)


sys.exit(main())
