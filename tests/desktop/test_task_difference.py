#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: what did this patch change? In at most five actions, with the command line's answer."""

import os
import re
import sys

from harness import DATA, case, main, open_capture
from tasks import Person, ask, middle_of

RECORDING = os.path.join(DATA, 'f-everything-z.data')

VERDICTS = {'more': 'More often after', 'less': 'Less often after', 'alike': 'No significant difference'}


def spoken(row, name):
    level = ', level %s' % row['depth'] if row['depth'] != '0' else ''
    return '%s%s, %s samples before, %s after, %s' % (name, level, row['before'], row['after'], VERDICTS[row['verdict']])


@case
def what_a_patch_changed(directory):
    """From a change in its list to the frames that part."""
    cause = ask('causes', RECORDING)[0]['cause']
    patch = ask('changes', RECORDING, '--batches', '--cause', cause)[0]
    rows = ask('stacks', RECORDING, '--batch', patch['batch'])
    assert any(row['verdict'] == 'more' for row in rows)
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: re.search(r'^11\s564 samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+4')
    desktop.wait(lambda: desktop.row_name('Changes', 0), 'the changes of the first cause')
    _, y = middle_of(desktop, desktop.table('Changes').get_child_at_index(0))
    person.click(0.3, y, button=3)
    # The mnemonic of “Compare Stacks Before and After”.
    desktop.see(lambda text: text == 'Compare Stacks Before and After', 'the menu of the change')
    person.key('b')
    desktop.see(lambda text: text.startswith('Before ') and ', by %s [%s]' % (patch['comm'], patch['tid']) in text, 'what is compared')
    wanted = spoken(rows[0], 'All stacks')
    desktop.wait(lambda: desktop.describe('Flame graph') == wanted, wanted)
    # As a table, frame by frame.
    person.press('Table of stacks')
    desktop.wait(lambda: desktop.row_name('Stacks', 0) == wanted, wanted)
    first = desktop.row_name('Stacks', 1)
    assert first.endswith(', level 1, %s samples before, %s after, %s' % (
        rows[1]['before'], rows[1]['after'], VERDICTS[rows[1]['verdict']])), (first, rows[1])
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
