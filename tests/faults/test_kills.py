"""Processes are killed at any moment: what was there stays, or what is new is there.

PENTIMENTO_KILLS=N kills N times, over all scenes, instead of some dozens. One that is killed finds what those before it
have left.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import random
import subprocess
import time

import scenes

KILLS = int(os.environ.get('PENTIMENTO_KILLS', 5 * len(scenes.SCENES)))
# After so many, all is put back.
IN_A_ROW = 5


def measure(world, scene):
    """How long the command takes: the shortest of some."""
    took = []
    for _ in range(3):
        world.put_back()
        begun = time.monotonic()
        assert world.run(scene.command()).returncode == 0
        took.append(time.monotonic() - begun)
    return min(took)


def kill(world, scene, after):
    """Returns: whether it was still there to be killed."""
    with subprocess.Popen(scene.command(), env=world.env, cwd=world.path('out'), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        time.sleep(after)
        process.kill()
    return process.returncode == -9


def check_end(world, scene, new, names):
    got = world.run(scene.command())
    assert got.returncode == 0, got.stderr.decode()
    assert scene.state() == new
    assert scene.names() == names, sorted(set(scene.names()) ^ set(names))


def kill_often(world, scene):
    old, new, names, _ = scenes.play(world, scene)
    took = measure(world, scene)
    dice = random.Random()
    killed = reached = 0
    wanted = (KILLS + len(scenes.SCENES) - 1) // len(scenes.SCENES)
    for number in range(wanted):
        if number % IN_A_ROW == 0:
            world.put_back()
        killed += kill(world, scene, dice.random() * 1.1 * took)
        state = scene.state()
        assert state in (old, new, *scene.between), state
        reached += state == new
        if number % IN_A_ROW == IN_A_ROW - 1 or number == wanted - 1:
            check_end(world, scene, new, names)
    return '%d kills, %d of them in time, %d times the new state' % (wanted, killed, reached)


scenes.main(kill_often)
