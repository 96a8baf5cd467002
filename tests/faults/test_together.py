"""Processes write notes into one store, and read them, and are killed: each note that was said to be written is there.

PENTIMENTO_ROUNDS=N does so N times.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback

import scenes
from scenes import CLI, PROCESS, World

ROUNDS = int(os.environ.get('PENTIMENTO_ROUNDS', 8))
WORKERS = 3


def work(world, store, number, dice):
    """Returns: notes that were written."""
    processes = [subprocess.Popen([PROCESS, 'work', store, '%d-%d' % (number, worker)], env=world.env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) for worker in range(WORKERS)]
    for process in processes:
        time.sleep(dice.random() / 5)
        process.kill()
    written = set()
    for process in processes:
        said, wrong = process.communicate()
        assert process.returncode == -9, (process.returncode, wrong)
        # The last line may be cut.
        written.update(said.split('\n')[:-1])
    return written


def main(world):
    store, dice = world.path('out/x.pentimento'), random.Random()
    world.must(CLI, 'import', scenes.CAPTURE, '-o', store)
    written, journals = set(), 0
    for number in range(ROUNDS):
        written |= work(world, store, number, dice)
        journals += scenes.exists(store + '-journal')
        # Fewer than are read.
        if len(written) > 5000:
            break
        notes = world.must(CLI, 'notes', store, '--format=csv')
        there = {line.split(',')[5] for line in notes.splitlines()}
        assert written <= there, sorted(written - there)
        # One that nothing was written to yet is left to the next who writes.
        world.must(PROCESS, 'put', store, 'after %d' % number, '99999')
        assert not scenes.exists(store + '-journal')
        world.must(CLI, 'import', '--verify', store)
    print('# %d rounds, %d notes, %d journals were left' % (number + 1, len(written), journals))


print('1..1', flush=True)
with tempfile.TemporaryDirectory(prefix='pen-faults-', dir=scenes.PLACE) as place:
    try:
        main(World(os.path.realpath(place)))
        print('ok 1 - together')
    except Exception:  # pylint: disable=broad-except
        print('not ok 1 - together\n# ' + '\n# '.join(traceback.format_exc().splitlines()))
        sys.exit(1)
