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
    'history PLACE', 'annotate PLACE', 'annotate PLACE --format=csv', 'annotate PLACE --all-loads',
    'compare PLACE', 'find PLACE', 'find bpf_prog_1', 'find symbol_1', 'callers PLACE', 'callees PLACE',
    'text PLACE --at=0.00001', 'render --view=overview', 'render --view=overview --cpus',
    'render --view=overview --processes', 'render --view=map', 'render --view=flame', 'render --view=chart',
    'render --view=heat', 'render PLACE --view=annotation')]
COMMANDS += [['sql', 'SELECT * FROM ' + table] for table in ('sample', 'change', 'occupant_total')]


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


def measure(words, directory, made=None):
    """Prints a line. @made: what a run that is not cancelled leaves, and a cancelled one does not"""
    status, gaps, _, errors = run(words, directory)
    if status not in (0, 3) and not gaps:
        return status, errors
    before = max([ms for look, ms in gaps if look == 0], default=0)
    tried = [(look, ms) for look, ms in gaps if look > 0 and ms > SHOWN_MS][:TRIED]
    found = []
    for look, _ in tried:
        if made and os.path.exists(made):
            os.unlink(made)
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
    chosen = [command for command in COMMANDS if ONLY.search(' '.join(command))]
    if not chosen or (run(words, directory)[0] != 0 and not os.path.exists(store)):
        return
    for command, *rest in chosen:
        rest = [choose_place(kind) if word == 'PLACE' else word for word in rest]
        picture = os.path.join(directory, 'x.png')
        more = ['-o', picture] if command == 'render' else []
        status, errors = measure([command, store, *rest, *more], directory)
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
