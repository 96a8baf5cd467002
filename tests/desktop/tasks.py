# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that someone comes with: done with few actions, which are counted."""

import csv
import io
import subprocess

from gi.repository import Atspi

from harness import CLI

MOST = 5


class Person:
    """An action is a click, a chord of keys, a text that is typed or pasted, a menu item that is chosen."""

    def __init__(self, desktop):
        self.desktop, self.actions = desktop, 0

    def _count(self):
        self.actions += 1
        assert self.actions <= MOST, 'more than %d actions' % MOST

    def key(self, keys):
        self._count()
        self.desktop.key(keys)

    def type(self, text):
        self._count()
        self.desktop.type(text)

    def paste(self, name, text):
        """Into the text of that name, as assistive technology does."""
        self._count()
        entry = self.desktop.wait(lambda: self.desktop.find(name, ('text', 'entry')), name)
        assert Atspi.EditableText.set_text_contents(entry, text), name

    def choose(self, action):
        """A menu item, by what it does."""
        self._count()
        self.desktop.act(action)


def click_at(desktop, name):
    """In the middle of what has that name."""
    place, frame = (a.get_extents(Atspi.CoordType.WINDOW) for a in (desktop.find(name), desktop.root.get_child_at_index(0)))
    desktop.click((place.x + place.width / 2) / frame.width, (place.y + place.height / 2) / frame.height)


def ask(*words, **more):
    """What the command line answers."""
    text = subprocess.run([CLI, *words, '--format=csv'], check=True, capture_output=True, **more).stdout
    return list(csv.DictReader(io.StringIO(text.decode(), newline='')))


def short_name(row):
    """As lists name a program: without its tag, with its ID."""
    name = row['name']
    if row['kind'] == 'bpf' and name.count('_') > 2:
        name = name.split('_', 3)[3]
    offset = '' if row['offset'] in ('', '0x0') else '+' + row['offset']
    return name + offset + (' (id %s)' % row['bpf_id'] if row['bpf_id'] else '')
