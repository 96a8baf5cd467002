#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window under Wayland, at scales 1 and 2: a pointer, keys, and what the screen shows.

usage: test_wayland.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import pathlib
import re
import shutil
import sys
import time

import screen
from desktop import PATIENCE, Atspi
from harness import DATA, PROGRAM, case, directory_cleanups, main
from wayland import WaylandDesktop

# With stacks, so that no page is empty.
CAPTURE = os.path.join(DATA, 'f-everything-z.data')
PAGES = ('Code', 'Callers', 'Text Map', 'Causes', 'Occupants', 'Recording')
SCALES = (1, 2)
CELL = 16  # units


def open_wayland(directory, scale):
    for variable in ('XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'):
        os.environ[variable] = os.path.join(directory, str(scale), variable)
    desktop = WaylandDesktop(scale, PROGRAM, CAPTURE)
    directory_cleanups.append(desktop.kill)
    desktop.see(lambda text: re.search(r'^[\d\s]+ samples$', text), 'the samples')
    desktop.see(lambda text: re.search(r'\d+ changes', text), 'a function')
    return desktop


def still():
    """The screen, once it stays the same for a second: pages come in with a movement."""
    last, since, end = None, time.monotonic(), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        now = screen.take()
        if not last or now.rows != last.rows:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > 1:
            return now
        time.sleep(0.2)
    raise AssertionError('the screen does not come to rest')


def go_to(desktop, number, name):
    desktop.key(f'ctrl+{number}')
    desktop.wait(lambda: desktop.is_selected(name, ('page tab',)), 'the page ' + name)


def pages(directory, scale):
    """Name → picture."""
    desktop = open_wayland(directory, scale)
    found = {}
    for number, name in enumerate(PAGES, 1):
        go_to(desktop, number, name)
        # In the header bar, where nothing lights up.
        desktop.point(0.33, 0.03)
        found[name] = still()
    desktop.close()
    return found


def crop(picture, scale):
    width, height = screen.WIDTH * scale, screen.HEIGHT * scale
    return screen.Picture(width, height, [row[:3 * width] for row in picture.rows[:height]])


# What we draw, not GTK: the overview, and the page below it. Parts of the picture: left, top, right, bottom.
DRAWN = {'overview': (0.1, 0.14, 0.99, 0.35), 'page': (0.01, 0.44, 0.99, 0.99)}


def odd_edges(picture, part):
    """Steps from one pixel to the next at odd places in a row. A picture that was drawn at half the size and enlarged
    has none that are sharp."""
    left, top, right, bottom = part
    count = 0
    for row in picture.rows[int(top * picture.height):int(bottom * picture.height):3]:
        green = row[1::3][2 * int(left * picture.width / 2):int(right * picture.width)]
        count += sum(abs(a - b) > 100 for a, b in zip(green[1::2], green[2::2]))
    return count


@case
def pages_are_laid_out_alike_at_both_scales(directory):
    shown = {scale: pages(directory, scale) for scale in SCALES}
    for name in PAGES:
        one, two = crop(shown[1][name], 1), crop(shown[2][name], 2)
        far = total = 0
        for small, large in zip(one.means(CELL), two.means(2 * CELL)):
            total += len(small)
            far += sum(abs(a - b) > 24 for a, b in zip(small, large))
        edges = {where: odd_edges(two, part) for where, part in DRAWN.items()}
        print(f'# {name}: {far} of {total} squares differ; sharp edges inside of units: {edges}')
        assert far <= total // 50, (name, far, total)
        assert all(count > 200 for count in edges.values()), (name, edges)
    # Of each page, not the same one six times.
    assert len({b''.join(shown[2][name].rows[800:]) for name in PAGES}) == len(PAGES)


@case
def a_drag_begins_and_is_dropped_on_its_own_window(directory):
    desktop = open_wayland(directory, 1)
    place, frame = (a.get_extents(Atspi.CoordType.WINDOW) for a in (desktop.find('Export'), desktop.root.get_child_at_index(0)))
    dragged = pathlib.Path(directory, '1', 'XDG_CACHE_HOME', 'pentimento', 'dragged')
    desktop.drag((place.x + place.width / 2) / frame.width, (place.y + place.height / 2) / frame.height, 0.5, 0.6)
    desktop.wait(lambda: dragged.is_dir() and not list(dragged.iterdir()), 'the file to come and go')
    desktop.see(lambda text: re.search(r'\d+ changes', text), 'what was shown')
    # After a drag, Weston has keys go nowhere until a click.
    desktop.click(0.33, 0.03)
    desktop.close()


def in_popover(desktop, use, what):
    """A popover has a surface of its own that the compositor places. Weston, on a busy machine, may give it the keys
    and neither show it nor pass them on, until a click: then it is opened again."""
    def look():
        # In the header bar, where nothing is to be clicked.
        desktop.click(0.33, 0.03)
        return use()
    desktop.wait(look, what)


def soon(test):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if test():
            return True
        time.sleep(0.1)
    return False


def type_filter(desktop, text):
    def typed():
        entry = desktop.focused()
        if entry is None or entry.get_role_name() not in ('text', 'entry'):
            return None
        return Atspi.Text.get_text(entry, 0, Atspi.Text.get_character_count(entry))

    def use():
        desktop.key('ctrl+l')
        if not soon(lambda: typed() is not None):
            return False
        # Weston may lose a key while the machine is busy.
        desktop.key('ctrl+a')
        desktop.type(text)
        return soon(lambda: typed() == text)
    in_popover(desktop, use, 'what was typed')


def open_menu(desktop):
    """Returns what it looks like."""
    shown = []

    def use():
        before = still()
        desktop.key('F10')
        shown[:] = [still()]
        return shown[0].rows != before.rows
    in_popover(desktop, use, 'the main menu')
    return shown[0]


def uses_pointer_and_keys(directory, scale):
    desktop = open_wayland(directory, scale)
    samples = desktop.see(lambda text: re.search(r'^[\d\s]+ samples$', text), 'all samples')
    desktop.drag(0.3, 0.2, 0.6, 0.2)
    desktop.see(lambda text: re.search(r'^time \d', text), 'the chip of the time')
    desktop.see(lambda text: text.endswith(' of ' + samples), 'how many samples are left')
    desktop.key('Escape')
    desktop.see_no(lambda text: re.search(r'^time \d', text), 'the chip')
    whole = desktop.describe('Timeline')

    def turn():
        desktop.click(0.5, 0.2, button=4)
        return desktop.describe('Timeline') != whole
    desktop.wait(turn, 'the zoom')
    type_filter(desktop, 'kind:kernel')
    desktop.key('Return')
    desktop.see(lambda text: text == 'Filter: kind: kernel', 'the chip of the kind')
    opened = open_menu(desktop)
    desktop.key('Escape')
    desktop.wait(lambda: still().rows != opened.rows, 'the main menu to go')
    desktop.close()


@case
def pointer_and_keys_at_scale_1(directory):
    uses_pointer_and_keys(directory, 1)


@case
def pointer_and_keys_at_scale_2(directory):
    uses_pointer_and_keys(directory, 2)


if __name__ == '__main__':
    if not shutil.which('weston'):
        print('1..0 # SKIP no compositor: install weston')
        sys.exit(0)
    sys.exit(main())
