#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task done from outside: where was most time off CPU? In at most five actions, with the command line's answer."""

import os
import re
import subprocess
import sys

from harness import case, main, open_capture
from tasks import Person, ask

OFF_CPU = '--measure=off-cpu'


def spoken_seconds(text):
    number, unit = re.search(r'([\d.]+)\s(s|ms|µs|ns)\b', text).groups()
    return float(number) * {'s': 1, 'ms': 1e-3, 'µs': 1e-6, 'ns': 1e-9}[unit]


def about(text, nanoseconds):
    """To within what the window rounds away."""
    return abs(spoken_seconds(text) - nanoseconds / 1e9) <= 0.01 * nanoseconds / 1e9


@case
def where_most_time_was_off_cpu(directory):
    subprocess.run([os.environ['PENTIMENTO_WAITING_CAPTURE'], directory], check=True)
    recording = os.path.join(directory, 'chains.data')
    rows = ask('functions', recording, OFF_CPU)
    total = sum(int(row['off_cpu']) for row in rows)
    longest = rows[0]
    desktop = open_capture(directory, recording)
    desktop.see(lambda text: re.search(r'^\d\s\d{3} samples$', text), 'its samples')
    person = Person(desktop)
    person.key('ctrl+2')
    desktop.wait(lambda: desktop.describe('Flame graph'), 'the stacks')
    person.click_at('How stacks are shown')
    desktop.see(lambda text: text == 'Time Off CPU', 'the choice of this recording')
    # Its mnemonic.
    person.key('f')
    row = desktop.wait(lambda: re.search('.* off CPU, .*', desktop.row_name('Functions', 0)), 'time off CPU').group()
    assert (longest['symbol'] or longest['occupant']) in row, (row, longest)
    assert about(row.split(',')[2], int(longest['off_cpu'])), (row, longest)
    # The stacks and the overview are of the same waits.
    stacks = desktop.wait(lambda: re.search('^All stacks, .* off CPU, 100.0', desktop.describe('Flame graph')), 'stacks').group()
    assert about(stacks, total), (stacks, total)
    shown = desktop.wait(lambda: re.search('; ([^;]*) off CPU shown', desktop.describe('Timeline')), 'the sum').group(1)
    assert about(shown, total), (shown, total)
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
