#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window shows, dragged with the pointer to another program."""

import os
import pathlib
import subprocess
import sys
import threading
import time

from gi.repository import Atspi

from desktop import PATIENCE
from harness import CAPTURE, CLI, case, directory_cleanups, main, open_annotated
from screen import take

APPLICATION = 'io.github.pentimento.Pentimento'
HERE = os.path.dirname(os.path.abspath(__file__))
# Beside the window, on the wider screen.
PLACE = (1300, 200)
SIZE = (300, 300)


class Program:
    """Another one, which says what it gets."""

    def __init__(self, name, *arguments):
        self.lines = []
        self.process = subprocess.Popen([os.path.join(HERE, name), *arguments], stdout=subprocess.PIPE, text=True)
        directory_cleanups.append(self.process.kill)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.split())

    def is_shown(self):
        return ['shown'] in self.lines


class Receiver(Program):
    def __init__(self, desktop):
        super().__init__('receiver.py', *map(str, SIZE))
        desktop.wait(self.is_shown, 'the other program')
        self.place()

    def find(self, n):
        """The n-th file: its path, and the length of what was in it."""
        dropped = [line for line in self.lines if line[0] == 'dropped']
        return (dropped[n][1], int(dropped[n][2])) if len(dropped) > n else None

    def place(self):
        window = subprocess.run(['xdotool', 'search', '--sync', '--onlyvisible', '--name', '^Receiver$'],
                                capture_output=True, text=True, check=True).stdout.split()[0]
        subprocess.run(['xdotool', 'windowmove', '--sync', window, *map(str, PLACE)], check=True)


def centre(desktop, name, part=0.5):
    """On the screen: where AT-SPI says it is in the window, which is at the screen's corner."""
    place, frame = (a.get_extents(Atspi.CoordType.WINDOW) for a in (desktop.find(name), desktop.root.get_child_at_index(0)))
    return place.x - frame.x + place.width * part, place.y - frame.y + place.height / 2


def drag(start, end, *last):
    """Some versions of GTK begin none within 100 ms, and a program says where it takes what before it is let go."""
    words = ['xdotool', 'mousemove', *map(str, map(int, start)), 'sleep', '0.1', 'mousedown', '1', 'sleep', '0.3']
    for step in range(1, 9):
        x, y = (a + (b - a) * step / 8 for a, b in zip(start, end))
        words += ['mousemove', str(int(x)), str(int(y)), 'sleep', '0.1']
    subprocess.run([*words, 'sleep', '0.5', *last, 'mouseup', '1'], check=True)


def over_receiver():
    return PLACE[0] + SIZE[0] / 2, PLACE[1] + SIZE[1] / 2


def find_dragged(directory):
    return pathlib.Path(directory, 'XDG_CACHE_HOME', 'pentimento', 'dragged')


def has_gone(directory):
    """It was there."""
    dragged = find_dragged(directory)
    return dragged.is_dir() and not list(dragged.iterdir())


def samples():
    """What is seen of the plot's upper half."""
    return [row[3 * 200:3 * 1200] for row in take().rows[130:170]]


@case
def table_and_overview_are_dropped_elsewhere(directory):
    desktop = open_annotated(directory)
    receiver = Receiver(desktop)
    # The other one has the focus, without a window manager.
    desktop.focus_window()
    desktop.key('ctrl+5')
    desktop.see(lambda text: text == '47 occupants', 'the occupants')
    printed = subprocess.run([CLI, 'occupants', CAPTURE, '--format=csv'], check=True, capture_output=True).stdout
    drag(centre(desktop, 'Export'), over_receiver())
    path, length = desktop.wait(lambda: receiver.find(0), 'the table')
    assert os.path.basename(path) == 'b-ftrace-data.occupants.csv' and length == len(printed), (path, length)
    # The menu did not open, and no page of the window took the drop.
    drag(centre(desktop, 'Timeline', 0.01), over_receiver())
    path, length = desktop.wait(lambda: receiver.find(1), 'the picture')
    assert os.path.basename(path) == 'b-ftrace-data.overview.png' and length > 1000, (path, length)
    assert pathlib.Path(path).read_bytes().startswith(b'\x89PNG')
    assert pathlib.Path(path).parent.stat().st_mode & 0o077 == 0
    # What was dropped just now may not have been opened.
    desktop.close()
    assert os.path.exists(path)


@case
def given_through_the_portal(directory):
    portal = Program('portal.py')
    end = time.monotonic() + PATIENCE
    while not portal.is_shown() and time.monotonic() < end:
        time.sleep(0.1)
    desktop = open_annotated(directory)
    receiver = Receiver(desktop)
    drag(centre(desktop, 'Export'), over_receiver())
    path, length = desktop.wait(lambda: receiver.find(0), 'the table')
    assert os.path.basename(path) == 'b-ftrace-data.vfs_read.annotation.csv' and length > 100, (path, length)
    assert ['given', path] in portal.lines, portal.lines
    desktop.close()


@case
def dropped_nowhere_nothing_is_left(directory):
    desktop = open_annotated(directory)
    # On the window itself: it takes recordings of others only.
    drag(centre(desktop, 'Export'), (640, 500))
    desktop.wait(lambda: has_gone(directory), 'the file to go')
    find_dragged(directory).rmdir()
    drag(centre(desktop, 'Export'), (640, 500), 'key', 'Escape', 'sleep', '0.2')
    desktop.wait(lambda: has_gone(directory), 'the file to go')
    find_dragged(directory).rmdir()
    drag(centre(desktop, 'Timeline', 0.01), (1500, 700))
    desktop.wait(lambda: has_gone(directory), 'the file to go')
    # The same window, with the same recording.
    desktop.see(lambda text: text == 'vfs_read', 'what was shown')
    desktop.close()


@case
def closed_while_it_is_dragged(directory):
    desktop = open_annotated(directory)
    x, y = map(int, centre(desktop, 'Export'))
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'sleep', '0.1', 'mousedown', '1', 'sleep', '0.3',
                    'mousemove', str(x), str(y + 40), 'sleep', '0.1', 'mousemove', str(x), str(y + 80), 'sleep', '0.3'], check=True)
    subprocess.run(['gdbus', 'call', '--session', '--dest', APPLICATION, '--object-path', '/' + APPLICATION.replace('.', '/'),
                    '--method', 'org.gtk.Actions.Activate', 'quit', '[]', '{}'], check=True, stdout=subprocess.DEVNULL)
    said = desktop.process.communicate(timeout=PATIENCE)[1]
    subprocess.run(['xdotool', 'mouseup', '1'], check=True)
    assert desktop.process.returncode == 0 and not said, (desktop.process.returncode, said)
    assert has_gone(directory)


@case
def a_click_is_no_drag(directory):
    desktop = open_annotated(directory)
    x, y = map(int, centre(desktop, 'Export'))
    # Not quite still.
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'sleep', '0.1', 'mousedown', '1', 'sleep', '0.3', 'mousemove', str(x + 3),
                    str(y + 2), 'sleep', '0.1', 'mouseup', '1'], check=True)
    desktop.wait(lambda: desktop.find('Functions…'), 'the menu')
    desktop.key('Escape')
    # The samples fold: what is below moves up.
    x, y = map(int, centre(desktop, 'Timeline', 0.02))
    subprocess.run(['xdotool', 'mousemove', str(x), str(y), 'sleep', '1'], check=True)
    before = samples()
    subprocess.run(['xdotool', 'mousemove', str(x), str(y - 60), 'click', '1', 'sleep', '0.5', 'mousemove', str(x), str(y)], check=True)
    desktop.wait(lambda: samples() != before, 'the lane to fold')
    assert not find_dragged(directory).exists()
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
