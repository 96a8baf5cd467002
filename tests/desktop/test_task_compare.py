#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: what got slower in another recording? In at most five actions, with the command line's answer."""

import os
import subprocess
import sys

from harness import CLI, DATA, case, main, open_capture
from tasks import Person, ask

RECORDING = os.path.join(DATA, 'b-ftrace.data')
OTHER = os.path.join(DATA, 'c-kprobes.data')

TABLE = 'Functions of both recordings'
TEXT = 'Text of both recordings'


@case
def what_got_slower(directory):
    """From the main menu through the file dialog to the list, and to the text of one of its functions."""
    desktop = open_capture(directory, RECORDING)
    desktop.see(lambda text: text == 'vfs_read', 'the function that was patched most')
    # A recording of one file: into a directory the dialog would go.
    other = os.path.join(directory, 'other.pentimento')
    subprocess.run([CLI, 'import', OTHER, '-o', other], check=True, capture_output=True)
    rows = ask('compare', RECORDING, other)
    person = Person(desktop)
    person.choose('win.compare-with')
    dialog = desktop.wait(desktop.other_window, 'the dialog')
    subprocess.run(['xdotool', 'windowfocus', '--sync', dialog], check=False)
    person.type(other)
    person.key('Return')
    desktop.wait(lambda: not desktop.other_window(), 'the dialog to go')
    desktop.focus_window()
    desktop.wait(lambda: desktop.row(TABLE, 0), 'what got slower')
    for position, row in enumerate(rows[:2]):
        words = desktop.row(TABLE, position)
        assert row['symbol'] in words and row['verdict'] and row['verdict'].capitalize() in words, (words, row)
        assert not row['text'] or row['text'].capitalize() in words, (words, row)
    position = next(i for i, row in enumerate(rows) if row['text'] in ('same', 'patched', 'differs') and row['symbol'])
    lines = ask('compare', RECORDING, other, rows[position]['symbol'])
    person.select(TABLE, position)
    instructions = {line['a_instruction'] for line in lines} | {line['b_instruction'] for line in lines}
    desktop.wait(lambda: instructions & set(desktop.row(TEXT, 0)), 'the text of ' + rows[position]['symbol'])
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
