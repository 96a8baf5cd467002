#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task from outside: who patched vfs_read, and did it cost? In at most five actions.

usage: test_task_vfs_read.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import re
import subprocess
import sys

from harness import CLI, DATA, case, main, open_capture
from tasks import Person, ask

RECORDING = os.path.join(DATA, 'c-kprobes.data')


def tell(*words):
    """The command line, as a person reads it."""
    return subprocess.run([CLI, *words], check=True, capture_output=True, text=True).stdout


@case
def who_patched_vfs_read_and_did_it_cost(directory):
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: re.search(r'^5\s049 samples$', text), 'its samples')

    person = Person(desktop)
    person.key('ctrl+f')
    person.type('vfs_read')
    desktop.wait(lambda: 'vfs_read' in desktop.row('Functions', 0), 'the list to hold it')
    person.select('Functions', 0)
    said = desktop.see(lambda text: re.search(r'^Traced \d+ % of the time\. .*Patched by ', text), 'the verdict')

    # In the words of the command line, and by its numbers.
    assert said == tell('compare', RECORDING, 'vfs_read').splitlines()[0], said
    rows = ask('compare', RECORDING, 'vfs_read', '--phases')
    row = next(row for row in rows if row['phase'] == 'on' and not row['comm'])
    assert (row['cause'], row['verdict']) == ('kprobe', 'more'), row
    assert '%.1f× samples per second while the kprobe was active (%.1f–%.1f)' % tuple(
        float(row[name]) for name in ('ratio', 'ratio_low', 'ratio_high')) in said, (said, row)
    people = {'%s [%s]' % (change['comm'], change['pid'])
              for change in ask('changes', RECORDING, '--symbol', 'vfs_read')
              if change['change'] == 'poke' and not change['comm'].startswith('kworker')}
    assert said.endswith('Patched by %s.' % ', '.join(sorted(people))), (said, people)

    # The first patched line is chosen: its cards say when, and by whom.
    desktop.see(lambda text: re.search(r'^vfs_read\+0x1c · \d+ changes$', text), 'the history of the patched line')
    desktop.see(lambda text: re.search(r'^by sh \[127\]', text), 'who patched it')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
