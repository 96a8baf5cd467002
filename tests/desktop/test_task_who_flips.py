#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: who flips most? In at most five actions, with the command line's answer."""

import re
import sys

from harness import CAPTURE, case, main, open_annotated
from tasks import Person, ask

def words_of(row):
    flips, sites = int(row['flips']), int(row['sites'])
    return '%d flip%s, %d site%s, ' % (flips, 's' * (flips != 1), sites, 's' * (sites != 1))


@case
def who_flips_most(directory):
    # As the window has them: a cause, and the first row below it.
    rows = ask('causes', CAPTURE)
    desktop = open_annotated(directory)
    person = Person(desktop)
    person.key('ctrl+4')
    name = desktop.wait(lambda: 'flips' in desktop.row_name('Causes', 0) and desktop.row_name('Causes', 0), 'the causes')
    assert name.lower().startswith('%s, %s' % (rows[0]['cause'], words_of(rows[0]))), (name, rows[0])
    assert name.endswith('%s [%s]' % (rows[0]['comm'], rows[0]['pid'])), (name, rows[0])
    # It is open, and the first row below it says what for.
    name = desktop.row_name('Causes', 1)
    assert name.startswith('%s, %s' % (rows[1]['for'], words_of(rows[1]))), (name, rows[1])
    # Its changes are listed below, without being asked for.
    desktop.see(lambda text: re.search(r'^%s of ' % rows[0]['flips'], text), 'its changes')
    # The first site is two keys further.
    person.select('Causes', 1)
    desktop.wait(lambda: desktop.see(lambda text: re.search(r'^%s of ' % rows[1]['flips'], text), 'those of the row'), 'them')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
