#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: which source files is the time in? In at most five actions, with the command line's answer."""

import os
import re
import subprocess
import sys

from harness import case, main, open_capture
from tasks import Person, ask


@case
def which_source_files_the_time_is_in(directory):
    made = subprocess.run([os.environ['PENTIMENTO_FILED_CAPTURE'], directory], check=False).returncode
    if made == 77:
        print('# no compiler')
        return
    recording = os.path.join(directory, 'perf.data')
    row, = ask('stacks', recording, '--by=file')
    files = row['stack'].split(' → ') if ' → ' in row['stack'] else row['stack'].split(';')
    assert [os.path.basename(file) for file in files] == ['start.c', '[unknown file of program]', 'middle.c', 'leaf.c'], files
    desktop = open_capture(directory, recording)
    desktop.see(lambda text: re.search(r'^50 samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+2')
    desktop.wait(lambda: desktop.describe('Flame graph'), 'the stacks')
    person.click_at('Frames that are merged')
    desktop.see(lambda text: text == 'By Source File', 'the choice')
    person.key('End')
    person.key('Return')
    person.press('Table of stacks')
    desktop.wait(lambda: re.search(r'begin/start\.c, .*level 1, 50 samples', desktop.row_name('Stacks', 1)), 'the outermost file')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
