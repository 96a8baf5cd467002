#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of a row, with the pointer in it while the list below changes. GTK may keep what is gone.

usage: test_row_menu.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import re
import subprocess
import sys
import time

from harness import DATA, case, main, open_capture

CAPTURE = os.path.join(DATA, 'd-bpf.data')
SIZE = 1600, 1000
TIMES = 3
# Of a menu: from where it opens, in pixels. Above its first item, which the pointer would choose.
INTO_MENU = 60, 4


def open_occupants(directory):
    desktop = open_capture(directory, CAPTURE)
    subprocess.run(['xdotool', 'windowsize', '--sync', desktop.window, *map(str, SIZE)], check=True)
    desktop.see(lambda text: re.search(r'^1\s564 samples$', text), 'its samples')
    desktop.key('ctrl+5')
    desktop.wait(lambda: desktop.is_selected('Occupants', ('page tab',)), 'the page')
    desktop.wait(lambda: desktop.row('Occupants', 12), 'the rows')
    return desktop


def open_menu(desktop):
    """With the pointer over it."""
    def ask():
        desktop.click(0.15, 0.6, button=3)
        end = time.monotonic() + 20  # one look takes seconds beside other work
        while not desktop.find('Only This') and time.monotonic() < end:
            time.sleep(0.05)
        return desktop.find('Only This')
    desktop.wait(ask, 'the menu of a row')
    subprocess.run(['xdotool', 'mousemove_relative', '--', *map(str, INTO_MENU)], check=True)


def narrow(desktop):
    """By key, while the pointer stays in the menu."""
    desktop.key('Return')
    desktop.see(lambda text: re.search(r'^occupant: ', text), 'what it may be narrowed to')
    time.sleep(1)  # the menu slides there
    desktop.key('Down', 'Return')
    desktop.see(lambda text: text.startswith('Filter: '), 'the chip')


@case
def a_list_changes_below_its_menu(directory):
    desktop = open_occupants(directory)
    for _ in range(TIMES):
        open_menu(desktop)
        narrow(desktop)
        time.sleep(2)
        desktop.key('ctrl+shift+l')
        desktop.see(lambda text: re.search(r'^1\s564 samples$', text), 'all samples')
        desktop.see_no(lambda text: text.startswith('Filter: '), 'the chip')
        desktop.wait(lambda: desktop.row('Occupants', 12), 'all rows')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
