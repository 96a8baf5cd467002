#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: what does a probe cost? In at most five actions, with the answer of the command line."""

import itertools
import os
import re
import sys

from desktop import children
from harness import DATA, case, main, open_capture
from tasks import Person, ask

RECORDING = os.path.join(DATA, 'f-everything-z.data')
FUNCTION = 'ksys_read'


def plain(text):
    return re.sub(r'\s', ' ', text)


def find_row(desktop, start):
    """Below the first one."""
    table = desktop.table('Causes')
    names = [row.get_name() for row in itertools.islice(children(table), 4)]
    return next((i for i, name in enumerate(names) if i > 0 and name.startswith(start)), None)


@case
def what_does_the_probe_cost(directory):
    sites = {row['cause']: row for row in ask('cost', RECORDING) if row['symbol'] == FUNCTION}
    site = sites['optprobe']
    assert int(site['samples']) > 0, sites
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: re.search(r'^11\s564 samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+4')
    desktop.wait(lambda: 'flips' in desktop.row_name('Causes', 0), 'the causes')
    person.key('ctrl+f')
    person.type(FUNCTION)
    number = desktop.wait(lambda: find_row(desktop, 'Optprobe'), 'what was found')
    person.expand(desktop.table('Causes').get_child_at_index(number))
    wanted = 'cost %s samples (%.1f %%)' % (site['samples'], 100 * float(site['share']))
    name = desktop.wait(lambda: find_row(desktop, FUNCTION) and plain(desktop.row_name('Causes', number + 1)), 'the probe')
    assert wanted in name, (name, wanted)
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
