#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: which stacks ran in one stretch of a heat map? In at most five actions."""

import os
import re
import sys
import time
from decimal import Decimal

from gi.repository import Atspi
from harness import DATA, case, main, open_capture
from tasks import Person, ask

RECORDING = os.path.join(DATA, 'f-everything-z.data')
SECONDS = {'s': Decimal(1), 'ms': Decimal('0.001')}


def find_edge(shown, begin, row):
    """The edge of a cell, whose time is shown with fewer digits: the others are cut off."""
    digit = Decimal(1).scaleb(-len(shown.split('.')[1]))
    number = -((begin - Decimal(shown)) // row)
    found = [begin + n * row for n in range(int(number) - 2, int(number) + 3)
             if Decimal(shown) <= begin + n * row < Decimal(shown) + digit]
    assert len(found) == 1, (shown, found)
    return found[0]


@case
def which_stacks_ran_then(directory):
    begin = Decimal(next(row['value'] for row in ask('info', RECORDING) if row['fact'] == 'first time'))
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: re.search(r'^11\s564 samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+2')
    desktop.wait(lambda: desktop.describe('Flame graph'), 'the stacks')
    person.press('Heat Map')
    scale = desktop.wait(lambda: re.search(r'^[\d.]+ m?s a column, ([\d.]+) (m?s) a row; darkest: \d+ sample',
                                           desktop.describe('Heat map')), 'its scale')
    row = Decimal(scale[1]) * SECONDS[scale[2]]

    def place(x, y):
        """Where it is now: a chip above it takes room."""
        box, window = (Atspi.Component.get_extents(a, Atspi.CoordType.WINDOW)
                       for a in (desktop.find('Heat map'), desktop.root.get_child_at_index(0)))
        return (box.x - window.x + x * box.width) / window.width, (box.y - window.y + y * box.height) / window.height

    def at_rest(x, y):
        """Where it stays once the chip has its room."""
        seen = []

        def stays():
            seen.append(place(x, y))
            time.sleep(0.3)
            return seen[-1] if seen[-1] == place(x, y) else None
        return desktop.wait(stays, 'a heat map that stays')

    def cell():
        return re.search(r'^([\d.]+)–([\d.]+) s, ', desktop.describe('Heat map'))
    # The cell that is clicked is the one in which the drag begins.
    person.click(*place(0.4, 0.6))
    first = find_edge(desktop.wait(cell, 'a cell')[1], begin, row)
    desktop.see(lambda text: re.search(r'^time \d', text), 'the selected time')
    person.drag(*at_rest(0.4, 0.6), *place(0.6, 0.5))
    stacks = desktop.wait(lambda: re.search(r'^All stacks, (?!11564 )(\d{3,}) samples, ', desktop.describe('Flame graph')),
                          'its stacks')
    last = find_edge(cell()[2], begin, row)
    # The end of a filter's time is in it.
    then = ask('samples', RECORDING, '--time=%s,%s' % (first, last - Decimal('0.000000001')))
    assert 100 < len(then) < 11564 and int(stacks[1]) == len(then), (stacks[0], len(then), first, last)
    # Escape shows all again.
    person.key('Escape')
    desktop.wait(lambda: desktop.describe('Flame graph').startswith('All stacks, 11564 samples, '), 'all stacks')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
