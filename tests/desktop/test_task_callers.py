#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: who calls this since the patch? In at most five actions, with the command line's answer."""

import os
import re
import sys

from harness import DATA, case, main, open_capture
from tasks import Person, ask

RECORDING = os.path.join(DATA, 'f-everything-z.data')
FUNCTION = 'ftrace_regs_call'


def spoken(row):
    """As a row of callers is named: who, how often, and since which text."""
    text = ', %s %s' % (row['cause'].capitalize(), row['revision']) if row['cause'] else ''
    samples = int(row['samples'])
    share = '< 0.1' if float(row['share']) < 0.001 else '%.1f' % (100 * float(row['share']))
    return '%s, %s, %d sample%s, %s\u202f%%%s' % (row['symbol'], row['kind'].capitalize(), samples,
                                                  's' * (samples != 1), share, text)


def plain(text):
    return re.sub(r'\s', ' ', text)


@case
def who_calls_it_since_the_patch(directory):
    rows = ask('callers', RECORDING, FUNCTION, '--versions')
    assert len(rows) > 1 and all(row['cause'] == 'ftrace' for row in rows), rows
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: re.search(r'^11\s564 samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+k')
    person.type(FUNCTION)
    desktop.see(lambda text: FUNCTION in text, 'what was found')
    person.key('Return')
    desktop.see(lambda text: text == FUNCTION, 'its code')
    person.key('ctrl+2')
    for number, row in enumerate(rows):
        wanted = plain(spoken(row))
        desktop.wait(lambda: plain(desktop.row_name('Callers', number)) == wanted, wanted)
    # Whom it calls is beside it, and all stacks are a tree that can be walked.
    callees = ask('callees', RECORDING, FUNCTION, '--versions')
    desktop.wait(lambda: desktop.row_name('Callees', 0), 'those that it calls')
    assert callees
    desktop.close()


@case
def stacks_are_a_tree(directory):
    """The flame graph as rows: names, levels, numbers."""
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: re.search(r'^11\s564 samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+2')
    desktop.wait(lambda: desktop.describe('Flame graph'), 'the picture')
    assert re.search(r'^All stacks, 11564 samples, 100\.0', desktop.describe('Flame graph'))
    person.press('Table of stacks')
    name = desktop.wait(lambda: 'level 1' in desktop.row_name('Stacks', 1) and desktop.row_name('Stacks', 1), 'a frame')
    stacks = ask('stacks', RECORDING)
    most = {}
    for row in stacks:
        outermost = row['stack'].split(';')[0]
        most[outermost] = most.get(outermost, 0) + int(row['samples'])
    assert ', %d samples, ' % max(most.values()) in name, (name, max(most.items(), key=lambda item: item[1]))
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
