"""The power goes at any time: what was not synced is lost, or not. The old state is there, or the new one.

PENTIMENTO_FAULTS=1 tries more of what may be left at each time.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import hashlib
import os
import random
import shutil

import scenes
from disk import Disk
from scenes import WHOLE

# Times at random, at each call.
AT_RANDOM = 12 if WHOLE else 1


def lost(_=None):
    return False


def kept(_=None):
    return True


def ways(disk, dice):
    """What of names and what of content is there."""
    def some(_=None):
        return dice.random() < .5

    yield from ((names, content) for names in (lost, kept) for content in (lost, kept, some))
    for number in range(len(disk.pending)):
        yield lambda n, number=number: n != number, lost
        yield lambda n, number=number: n != number, kept
        yield lambda n, number=number: n <= number, some
    yield from ((some, some) for _ in range(AT_RANDOM))


def summarise(left):
    files, directories = left
    return tuple(sorted((path, hashlib.sha256(content).digest()) for path, content in files.items())), \
        tuple(sorted(directories))


def write_down(world, left):
    files, directories = left
    shutil.rmtree(world.root)
    for place in sorted(directories):
        os.mkdir(place)
    for path, content in files.items():
        with open(path, 'wb') as file:
            file.write(content)


def check(scene, old, new, names):
    state = scene.state()
    assert state in (old, new, *scene.between), state
    got = scene.world.run(scene.command())
    assert got.returncode == 0, got.stderr.decode()
    assert scene.state() == new
    assert scene.names() == names, sorted(set(scene.names()) ^ set(names))
    return state


def cut_power(world, scene):
    old, new, names, _ = scenes.play(world, scene)
    disk = Disk(world.root)
    os.unlink(world.log)
    got = world.run(scene.command(), log=world.log)
    assert got.returncode == 0, got.stderr.decode()
    there = {world.path(name): digest for name, digest in world.files().items()}
    log = scenes.read_log(world.log)

    dice, seen, problems = random.Random(1), {}, []
    for number, call in enumerate([None, *log]):
        if call:
            disk.call(*call)
        for keeps, choose in ways(disk, dice):
            left = disk.left(keeps, choose)
            # The last time, all must be there, if that was said.
            key = summarise(left), number == len(log)
            if key in seen:
                continue
            seen[key] = number
            write_down(world, left)
            try:
                state = check(scene, old, new, names)
                assert number < len(log) or not scene.is_lasting or state == new, 'it was said to be written'
            except AssertionError as problem:
                problems.append('after call %d, %s: %s: %s' % (number, call and call[0],
                                                               sorted(map(os.path.basename, left[0])), problem))
    # It is what has happened.
    files, _ = disk.left(kept, kept)
    assert set(files) == set(there), sorted(set(files) ^ set(there))
    for path, content in files.items():
        assert hashlib.sha256(content).hexdigest() == there[path], path
    assert not problems, '%d of %d:\n%s' % (len(problems), len(seen), '\n'.join(problems))
    return '%d calls, %d states of the disk' % (len(log), len(seen))


scenes.main(cut_power)
