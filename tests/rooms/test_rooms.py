#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each room keeps its inner rooms to itself: read from the commands that compile the sources."""

import json
import os
import re
import sys

BUILD, SOURCE = (os.path.realpath(path) for path in sys.argv[1:])
# The data's way: a room may see the face of those before it.
ROOMS = ['reasons', 'perfoptions', 'perfdata', 'history', 'text', 'store', 'import', 'query', 'export', 'sanitize', 'draw', 'record', 'cli',
         'libexec', 'app']


def place_of(path):
    """("store", "read") for a path in src/store/read; ("store", "") for one in src/store."""
    parts = os.path.relpath(path, os.path.join(SOURCE, 'src')).split(os.sep)
    if parts[0] not in ROOMS:
        return None
    return parts[0], parts[1] if len(parts) > 1 else ''


def read_sights():
    """Which folders of src the sources of each folder see."""
    sights = {}
    with open(os.path.join(BUILD, 'compile_commands.json'), encoding='utf-8') as file:
        commands = json.load(file)
    for command in commands:
        path = os.path.realpath(os.path.join(command['directory'], command['file']))
        place = place_of(os.path.dirname(path))
        output = os.path.basename(os.path.dirname(command['output']))
        # The extension for SQLite compiles the store as one piece.
        if not place or 'sqlite' in output:
            continue
        for word in re.findall(r"(?:^|\s)'?-I(\S+?)'?(?=\s|$)", command['command']):
            seen = place_of(os.path.realpath(os.path.join(command['directory'], word)))
            if seen:
                sights.setdefault(place, set()).add(seen)
    return sights


def check_private(sights):
    for (room, inner), seen in sights.items():
        for other, other_inner in seen:
            if other_inner and other != room:
                yield f'src/{room}/{inner} sees src/{other}/{other_inner}'


def check_direction(sights):
    for (room, inner), seen in sights.items():
        for other, _ in seen:
            if ROOMS.index(other) > ROOMS.index(room):
                yield f'src/{room}/{inner} sees src/{other}'


def check_circles(sights):
    for (room, inner), seen in sights.items():
        for other, other_inner in seen:
            if other != room or not inner or not other_inner or inner >= other_inner:
                continue
            pair = f'{room}/{inner}', f'{room}/{other_inner}'
            if (room, inner) in sights.get((room, other_inner), ()):
                yield f'{pair[0]} and {pair[1]} see each other'


def check_names(_):
    """A name with a folder in it would reach past the face of a room."""
    for directory, _, names in os.walk(os.path.join(SOURCE, 'src')):
        for name in names:
            if name.endswith(('.c', '.h')):
                path = os.path.join(directory, name)
                with open(path, encoding='utf-8') as file:
                    for line in file:
                        if re.match(r'#include "[^"]*/', line):
                            yield f'{os.path.relpath(path, SOURCE)}: {line.strip()}'


def check_guide(_):
    """Each file that CONTRIBUTING.md names is there, below whatever folder the sentence is about."""
    with open(os.path.join(SOURCE, 'CONTRIBUTING.md'), encoding='utf-8') as file:
        guide = file.read().partition('## Where a change goes')[2].partition('\n## ')[0]
    paths = []
    for directory, folders, names in os.walk(SOURCE):
        folders[:] = [name for name in folders if name[0] not in '._']
        paths += ['/' + os.path.relpath(os.path.join(directory, name), SOURCE) for name in folders + names]
    for word in re.findall(r'`([\w./-]+)`', guide):
        is_path = '/' in word or word.startswith('pen-') or re.search(r'\.(c|h|py|ui|xml|md|build)$', word)
        if is_path and not re.search('[A-Z]{4}', word):
            end = '/' + word.rstrip('/')
            if not any(path.endswith(end) or path.endswith((end + '.c', end + '.h')) for path in paths):
                yield f'CONTRIBUTING.md names {word}'


def main():
    checks = [check_private, check_direction, check_circles, check_names, check_guide]
    sights = read_sights()
    print(f'1..{len(checks) + 1}')
    failed = 0
    found = len(sights) > 20
    print(f'{"ok" if found else "not ok"} 1 commands')
    for number, check in enumerate(checks, 2):
        problems = sorted(set(check(sights)))
        name = check.__name__.replace('check_', '')
        print(f'{"not ok" if problems else "ok"} {number} {name}')
        for problem in problems:
            print(f'# {problem}')
        failed += bool(problems)
    return 1 if failed or not found else 0


if __name__ == '__main__':
    sys.exit(main())
