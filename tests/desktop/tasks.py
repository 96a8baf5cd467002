# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that someone comes with: done with few actions, which are counted."""

import csv
import io
import subprocess

from gi.repository import Atspi

from desktop import walk
from harness import CLI

MOST = 5


class Person:
    """An action is a click, a chord of keys, a text that is typed or pasted, a menu item that is chosen."""

    def __init__(self, desktop):
        self.desktop, self.actions = desktop, 0

    def _count(self):
        self.actions += 1
        assert self.actions <= MOST, 'more than %d actions' % MOST

    def key(self, *keys):
        for _ in keys:
            self._count()
        self.desktop.key(*keys)

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

    def press(self, name):
        self._count()
        self.desktop.press(name)

    def select(self, name, position):
        """A click on a row."""
        self._count()
        self.desktop.select(name, position)

    def click(self, x, y, *modifiers, button=1):
        """@modifiers: keys that are held down."""
        self._count()
        for key in modifiers:
            subprocess.run(['xdotool', 'keydown', key], check=True)
        self.desktop.click(x, y, button)
        for key in modifiers:
            subprocess.run(['xdotool', 'keyup', key], check=True)

    def click_at(self, name):
        """In the middle of what has that name."""
        self.click(*middle_of(self.desktop, self.desktop.find(name)))

    def drag(self, *places):
        self._count()
        self.desktop.drag(*places)

    def expand(self, row):
        """A click on the arrow of a tree's row."""
        self._count()
        for accessible in walk(row):
            names = [accessible.get_action_name(i) for i in range(accessible.get_n_actions())] \
                if accessible.get_action_iface() else []
            if 'listitem.expand' in names:
                assert accessible.do_action(names.index('listitem.expand'))
                return
        raise AssertionError('no row can be opened')


def middle_of(desktop, accessible):
    """As parts of the window's width and height."""
    place, frame = (a.get_extents(Atspi.CoordType.WINDOW) for a in (accessible, desktop.root.get_child_at_index(0)))
    return (place.x + place.width / 2) / frame.width, (place.y + place.height / 2) / frame.height


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
