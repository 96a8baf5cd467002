"""Each call that writes fails, one after the other: what was there stays, or what is new is there.

PENTIMENTO_FAULTS=1 tries every call of every scene; without it, some of them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import scenes
from scenes import WHOLE

KINDS = (('EIO', {}), ('ENOSPC', {'on': 1}), ('SHORT', {}), ('KILLED', {}))
# Of each kind and scene, unless all are wanted.
SOME = 2


def choose(calls, number):
    """All, or one from each part of them, another for each kind; and the last, where names are taken."""
    if WHOLE or calls <= SOME:
        return range(1, calls + 1)
    part = calls / SOME
    return sorted({min(calls, 1 + int(part * (i + number / len(KINDS)))) for i in range(SOME)} | {calls - number})


def check(world, scene, got, kind, old, new, names):
    state = scene.state()
    assert state in (old, new, *scene.between), state
    if got.returncode == 0:
        assert state == new or kind == 'KILLED', 'it says that it is done'
    elif kind != 'KILLED':
        message = got.stderr.decode()
        assert any(word in message for word in scene.says), message
    # And the next time it succeeds, and cleans up.
    got = world.run(scene.command())
    assert got.returncode == 0, got.stderr.decode()
    assert scene.state() == new
    assert scene.names() == names, sorted(set(scene.names()) ^ set(names))


def fail_each(world, scene):
    old, new, names, log = scenes.play(world, scene)
    calls = len(log)
    tried = failed = 0
    problems = []
    for number, (kind, more) in enumerate(KINDS):
        for at in choose(calls, number):
            world.put_back()
            got = world.run(scene.command(), at=at, kind=kind, **more)
            tried += 1
            failed += got.returncode != 0
            try:
                check(world, scene, got, kind, old, new, names)
            except AssertionError as problem:
                problems.append('%s of call %d: exit status %d: %s' % (kind, at, got.returncode,
                                                                       problem))
    assert not problems, '%d of %d:\n%s' % (len(problems), tried, '\n'.join(problems))
    return '%d calls, %d faults, %d of them fatal' % (calls, tried, failed)


scenes.main(fail_each)
