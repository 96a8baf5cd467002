"""How much pentimento-cli works before it looks again whether it is cancelled.

Usage: test_looks.py CLI STEEP_CAPTURES COUNT_LOOKS [KIND…]

For captures that are as bad as they can be: it is cancelled after each of those
looks after which it worked longest. Its steps from there to its end, as callgrind counts them, with all
that it frees, stay below a bound, for an import and for commands on what was imported; it says that it
was cancelled, and leaves nothing behind. After the last look it may also be done.

Without PENTIMENTO_STEPS, after one look each, for two kinds, and of some others the commands for which they are the
worst; each kind with it, and with a fourth of the records, too.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

CLI, GENERATOR, COUNT_LOOKS = (os.path.abspath(word) for word in sys.argv[1:4])
ALL = bool(os.environ.get('PENTIMENTO_STEPS'))
SIZES = [4000, 16000] if ALL else [16000]
LOOKS = 2 if ALL else 1
# Some 30 ms of a processor of today; 100 ms are allowed.
BOUND = 100_000_000
KINDS = ['modules_nested', 'ksymbols_nested']
KERNEL, PROGRAM = '0xffffffff81000100', '0xffffffffc0000008'
COMMANDS = [['annotate', PROGRAM, '--format=csv'], ['samples', '--format=csv']]
# Thousands at one place, at one time or one after the other.
WORST = {
    'modules_at_one_place': [['history', PROGRAM], ['find', PROGRAM]],
    'ksymbols_at_one_place': [['history', PROGRAM], ['annotate', PROGRAM, '--format=csv']],
    'ksymbols_in_turn': [['annotate', PROGRAM], ['history', PROGRAM]],
    'pokes_between_ksymbols': [['history', KERNEL]],
    'pokes_of_all_lengths': [['history', KERNEL]],
    'pokes_at_one_place': [['annotate', KERNEL]],
}
if ALL:
    COMMANDS += [['misattribution'], ['functions'], ['causes'], ['stacks'], ['occupants', '--format=csv']]
STEPS = re.compile(r'refs: +([0-9,]+)')


def run(words, directory, cancel=None):
    """Exit status, standard error, and the looks, the first of which is their number."""
    looks = os.path.join(directory, 'looks')
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(directory, 'cache'), HOME=directory, LC_ALL='C.UTF-8',
               LD_PRELOAD=COUNT_LOOKS, PEN_LOOKS_TO=looks, G_DEBUG='')
    for name in ('MALLOC_CHECK_', 'MALLOC_PERTURB_'):
        env.pop(name, None)
    tool = []
    if cancel is not None:
        env['PEN_LOOKS_CANCEL'] = str(cancel)
        # Before the cancel, nothing is counted: that takes most of the time.
        tool = ['valgrind', '--tool=callgrind', '--instr-atstart=no', '--callgrind-out-file=/dev/null']
    process = subprocess.run([*tool, CLI, *words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, check=False)
    with open(looks, encoding='utf-8') as file:
        lines = [int(line.split()[0]) for line in file]
    return process.returncode, process.stderr.decode(errors='replace'), lines


def try_words(words, directory, store):
    """Returns what failed, and the most steps after a look. @store: what a cancelled import leaves out"""
    status, errors, (n_looks, *looks) = run(words, directory)
    if status != 0:
        return ['exit status %d: %s' % (status, errors[-300:])], 0
    before = sorted(os.listdir(directory))
    faults, most = [], 0
    for look in [look for look in looks if 0 < look < n_looks + (store is None)][:LOOKS]:
        if store and os.path.exists(store):
            os.unlink(store)
        status, errors, _ = run(words, directory, look)
        if (status == 0 and look < n_looks) or (status != 0 and 'cancelled' not in errors.lower()):
            faults.append('look %d of %d: exit status %d: %s' % (look, n_looks, status, errors[-300:]))
            continue
        steps = int(STEPS.search(errors).group(1).replace(',', ''))
        most = max(most, steps)
        if steps > BOUND:
            faults.append('look %d of %d: %d steps after it' % (look, n_looks, steps))
        left = sorted(os.listdir(directory) + ([os.path.basename(store)] if store else []))
        if left != before:
            faults.append('look %d: left %s' % (look, ' '.join(left)))
    return faults, most


def try_kind(kind, directory):
    """Returns what failed, and a line of figures."""
    faults, figures = [], []
    for n in SIZES:
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        subprocess.run([GENERATOR, kind, str(n), directory], check=True)
        store = os.path.join(directory, 'x.pentimento')
        words = ['import', os.path.join(directory, 'perf.data'), '-o', store]
        if kind == 'perf_map':
            words.append('--perf-map=' + directory)
        if ALL or kind in KINDS:
            found, most = try_words(words, directory, store)
            faults += ['import of %d: %s' % (n, fault) for fault in found]
            figures.append('%d: import %.1f' % (n, most / 1e6))
        if n < SIZES[-1] or run(words, directory)[0] != 0:
            continue
        for command, *rest in WORST.get(kind, []) + (COMMANDS if ALL or kind in KINDS else []):
            if run([command, store, *rest], directory)[0] != 0:
                continue
            found, most = try_words([command, store, *rest], directory, None)
            faults += ['%s: %s' % (command, fault) for fault in found]
            figures.append('%s %.1f' % (command, most / 1e6))
    return faults, ', '.join(figures) + ' million steps'


def main():
    if not shutil.which('valgrind'):
        print('1..0 # SKIP valgrind is not installed')
        return 0
    every = subprocess.run([GENERATOR], check=True, capture_output=True, text=True).stdout.split()
    kinds = sys.argv[4:] or (every if ALL else [*KINDS, *WORST])
    failed = 0
    print('1..%d' % len(kinds), flush=True)
    with tempfile.TemporaryDirectory(prefix='pen-looks-') as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tries = [pool.submit(try_kind, kind, os.path.join(top, kind)) for kind in kinds]
        for number, (kind, each) in enumerate(zip(kinds, tries), 1):
            faults, figures = each.result()
            failed += len(faults) > 0
            print('%s %d - %s # %s' % ('not ok' if faults else 'ok', number, kind, figures), flush=True)
            for fault in faults:
                print('# ' + fault, flush=True)
    return failed > 0


sys.exit(main())
