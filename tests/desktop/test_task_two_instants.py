#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task from outside: what differs in a function between two instants, and the samples of both.

usage: test_task_two_instants.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import re
import sys

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi  # noqa: E402

from desktop import walk
from harness import CAPTURE, case, main, open_annotated
from tasks import Person, ask

# Of a strip, in its column.
PADDING = 6


def text_at(one, other, *options):
    return ask('text', CAPTURE, 'vfs_read', '--at', one, '--at', other, *options)


def find_side(desktop, letter):
    """The line above the texts: "A 6.20123 s · 3 samples (2.7/s) · 5.8448–6.9568 s unchanged"."""
    pattern = re.compile(r'^%s ([\d.]+) s · (\d+) samples?' % letter)
    found = []

    def look():
        found[:] = [match.groups() for match in map(pattern.match, desktop.texts()) if match]
        return bool(found)
    desktop.wait(look, 'the instant ' + letter)
    return found[0]


def check(desktop, *options, at=None):
    """@at: where A is, if that has more digits than the window shows."""
    (a_time, a_samples), (b_time, b_samples) = (find_side(desktop, letter) for letter in 'AB')
    a_time = at or a_time
    rows = text_at(a_time, b_time, *options)
    everything = text_at(a_time, b_time, '--all')
    assert sum(int(row['a_samples'] or 0) for row in everything) == int(a_samples), (a_samples, everything)
    assert sum(int(row['b_samples'] or 0) for row in everything) == int(b_samples), (b_samples, everything)
    for position, row in enumerate(rows[:8]):
        def has_row(position=position, row=row):
            name = desktop.row_name('Text of Two Instants', position) or ''
            return ('offset +%x: ' % int(row['offset'], 16) in name
                    and all(row[key] in name for key in ('a_target', 'b_target') if row[key])
                    and 'A: ' + row['a_instruction'].split()[0] in name
                    and 'B: ' + row['b_instruction'].split()[0] in name)
        desktop.wait(has_row, 'row %d: %s' % (position, row))
    return rows


@case
def what_differs_between_two_instants(directory):
    desktop = open_annotated(directory)
    person = Person(desktop)
    person.click(0.45, 0.2)
    person.click(0.28, 0.2, 'shift')
    rows = check(desktop)
    assert [row['difference'] for row in rows] == ['changed'], rows
    assert (rows[0]['a_target'], rows[0]['b_target']) == ('ftrace_caller', 'ftrace_trampoline'), rows
    person.press('All Lines')
    assert len(check(desktop, '--all')) > 100
    person.key('Escape')
    desktop.wait(lambda: any('nopl' in text or 'call' in text for text in desktop.row('Annotation', 0)),
                 'one text again')
    desktop.close()


@case
def from_the_keyboard(directory):
    """B where the playhead is; then the playhead goes to the next change."""
    desktop = open_annotated(directory)
    desktop.select('Annotation', 0)
    person = Person(desktop)
    person.click(0.4, 0.75)
    person.key('b')
    person.key('alt+period')
    desktop.see(lambda text: re.search(r'^A 5\.8', text), 'the first change')
    first = min(int(row['a_to']) for row in text_at('start', 'start', '--all'))
    rows = check(desktop, at='%d.%09d' % divmod(first, 10 ** 9))
    assert [row['a_target'] for row in rows] == ['ftrace_trampoline'], rows
    assert rows[0]['b_instruction'].startswith('nopl'), rows
    desktop.close()


def find_strip(desktop):
    """Where the strip of the first instruction is, in parts of the window: left, width, middle."""
    def look():
        row = desktop.table('Annotation').get_child_at_index(0)
        return next((a for a in walk(row) if a.get_description().count('; ') == 4), None)
    line = desktop.wait(look, 'the line of five versions')
    # A row draws its strip itself, under the title of its column.
    title = desktop.wait(lambda: desktop.find('Over Time'), 'the title of the column').get_parent().get_parent()
    box = Atspi.Component.get_extents(line, Atspi.CoordType.WINDOW)
    column = Atspi.Component.get_extents(title, Atspi.CoordType.WINDOW)
    box.x, box.width = column.x + PADDING, column.width - 2 * PADDING
    window = Atspi.Component.get_extents(desktop.root.get_child_at_index(0), Atspi.CoordType.WINDOW)
    return (box.x / window.width, box.width / window.width, (box.y + box.height / 2) / window.height,
            line.get_description())


@case
def a_segment_is_a_place_to_go(directory):
    """A click on the strip goes to a version, Shift and a click compares it."""
    desktop = open_annotated(directory)
    left, width, middle, described = find_strip(desktop)
    assert re.match(r'original: nop, .*; patch 1: ftrace_trampoline, ', described), described
    person = Person(desktop)
    person.click(left + 0.45 * width, middle)
    desktop.see(lambda text: re.search(r'^As of [67]\.\d+ s$', text), 'the playhead in the third version')
    desktop.see(lambda text: re.search(r'^vfs_read\+0x0 · \d+ changes$', text), 'the history of the line')
    left, width, middle, _ = find_strip(desktop)  # below what is said of the change now
    person.click(left + 0.05 * width, middle, 'shift')
    rows = check(desktop)
    assert rows[0]['b_instruction'].startswith('nopl'), rows
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
