# SPDX-License-Identifier: GPL-3.0-or-later
"""A person before the screen: sees what assistive technology is told, uses a real pointer and real keys.

Where things are is taken from the window, never from assistive technology: GTK 4.8 tells places inside of the
window only, without its border, and later ones tell them partly wrong.
"""

import functools
import os
import subprocess
import time
import warnings

import gi

warnings.simplefilter('ignore', DeprecationWarning)
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = int(os.environ.get('PATIENCE', '180'))  # seconds: the machine may be busy, and sanitizers are slow


def children(accessible):
    for i in range(accessible.get_child_count()):
        child = accessible.get_child_at_index(i)
        if child is not None:
            yield child


# At the window's edge, where nothing has a tooltip: a part of its width and height.
NOWHERE = (0.002, 0.5)

# Rows of tables are many, and each look at one is a call over the bus.
MANY = 40


class Seen:
    """Something, and in what it is. Each question is a call over the bus: it is asked once."""

    def __init__(self, accessible, parent):
        self.accessible = accessible
        self.parent = parent

    @functools.cached_property
    def name(self):
        return self.accessible.get_name()

    @functools.cached_property
    def role(self):
        return self.accessible.get_role_name()

    @functools.cached_property
    def is_focusable(self):
        return self.accessible.get_state_set().contains(Atspi.StateType.FOCUSABLE)


def look_at(accessible, parent=None):
    """Everything but the insides of long lists. Of what has few inside, nobody asks the role."""
    seen = Seen(accessible, parent)
    yield seen
    count = accessible.get_child_count()
    if count > MANY and seen.role == 'list':
        return
    for i in range(count):
        child = accessible.get_child_at_index(i)
        if child is not None:
            yield from look_at(child, seen)


def walk(accessible):
    return (seen.accessible for seen in look_at(accessible))


class Desktop:
    """One run of the application."""

    # How lines end that are no fault of the application. Nothing else may be on standard error.
    HARMLESS = ()

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, *arguments], stderr=subprocess.PIPE, text=True)
        self.kept = {}
        self.root = self.wait(self._find_application, 'the application')
        self.window = self.wait(self._find_window, 'its window')

    @staticmethod
    def _find_application():
        for application in children(Atspi.get_desktop(0)):
            if application.get_name() == 'pentimento' and application.get_child_count() > 0:
                return application
        return None

    def _windows(self):
        return subprocess.run(['xdotool', 'search', '--onlyvisible', '--pid', str(self.process.pid)],
                              capture_output=True, text=True, check=False).stdout.split()

    def _size(self, window):
        shell = subprocess.run(['xdotool', 'getwindowgeometry', '--shell', window], capture_output=True, text=True,
                               check=False).stdout
        geometry = dict(line.split('=') for line in shell.split())
        return int(geometry.get('WIDTH', 0)), int(geometry.get('HEIGHT', 0))

    def other_window(self):
        """A dialog with a window of its own, which is larger than a tooltip."""
        return next((window for window in self._windows()
                     if window != self.window and min(self._size(window)) > 200), None)

    def _find_window(self):
        found = self._windows()
        if not found:
            return None
        # Tooltips lie above it.
        subprocess.run(['xdotool', 'windowfocus', found[0]], check=False)
        return found[0]

    def wait(self, look, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError('the application ended: ' + self.process.stderr.read())
            start = time.monotonic()
            try:
                seen = look()
            except (GLib.Error, LookupError):  # something went while it was looked at
                seen = None
            if seen:
                return seen
            # Half of the time is left to the application: a look takes a second, and much of it is the application's.
            time.sleep(max(0.05, min(time.monotonic() - start, 1)))
        raise AssertionError('waited in vain for ' + what)

    # ---- what is seen ----

    def texts(self):
        """Everything that has a name. GTK 4.8 does not tell what of it is in sight: ask for what is nowhere else."""
        return [name for name in (a.get_name() for a in walk(self.root)) if name]

    def find(self, name, roles=None):
        for accessible in walk(self.root):
            if accessible.get_name() == name:
                if roles is None or accessible.get_role_name() in roles:
                    return accessible
        return None

    def see(self, test, what):
        """Waits until a text in sight passes the test, and returns it."""
        return self.wait(lambda: next((name for name in (a.get_name() for a in walk(self.root)) if name and test(name)),
                                      None), what)

    def see_no(self, test, what):
        self.wait(lambda: not any(test(text) for text in self.texts()), what + ' to go')

    def keep(self, look, *key):
        """What was found once stays found while it is there: to find it takes thousands of calls."""
        try:
            if key in self.kept and self.kept[key].get_parent():
                return self.kept[key]
        except GLib.Error:
            pass
        self.kept[key] = self.wait(look, key[0])
        return self.kept[key]

    def describe(self, name, roles=None):
        """What is told of something beside its name."""
        return self.keep(lambda: self.find(name, roles), name, roles).get_description()

    def table(self, name):
        """The list inside of a table."""
        def look():
            table = self.find(name, ('tree table', 'table'))
            return table and next((a for a in walk(table) if a.get_role_name() == 'list'), None)
        return self.keep(look, name, 'list')

    def _row(self, name, position):
        row = self.table(name).get_child_at_index(position)
        if row is None:
            raise LookupError(name + ' has no such row')
        return row

    def row(self, name, position):
        """The words of a row."""
        row = self._row(name, position)
        return [a.get_name() for a in walk(row) if a.get_role_name() == 'label' and a.get_name()]

    def row_name(self, name, position):
        """What is said of a row when the focus comes to it."""
        return self._row(name, position).get_name()

    def is_selected(self, name, roles):
        found = self.find(name, roles)
        return found is not None and found.get_state_set().contains(Atspi.StateType.SELECTED)

    def focused(self):
        return next((a for a in walk(self.root) if a.get_state_set().contains(Atspi.StateType.FOCUSED)), None)

    # ---- what is done ----

    def select(self, name, position):
        assert Atspi.Selection.select_child(self.table(name), position)

    def key(self, *keys):
        subprocess.run(['xdotool', 'key', '--clearmodifiers', *keys], check=True)

    def type(self, text):
        subprocess.run(['xdotool', 'type', '--delay', '20', text], check=True)

    def press(self, name):
        """As a screen reader presses a button."""
        button = self.wait(lambda: self.find(name, ('push button', 'button', 'toggle button', 'page tab')), name)
        assert button.do_action(0), name

    def press_nth(self, name, position):
        """The same of one of several with that name."""
        def look():
            found = [a for a in walk(self.root) if a.get_name() == name]
            return found[position] if position < len(found) else None
        assert self.wait(look, name).do_action(0), name

    def act(self, action):
        """What the window can do by its name, as assistive technology may ask for."""
        frame = self.root.get_child_at_index(0)
        names = [frame.get_action_name(i) for i in range(frame.get_n_actions())]
        assert action in names, names
        assert frame.do_action(names.index(action)), action

    def focus_window(self):
        """Without a window manager, the focus goes nowhere when a dialog closes."""
        subprocess.run(['xdotool', 'windowfocus', '--sync', self.window], check=False)

    def _place(self, x, y):
        shell = subprocess.run(['xdotool', 'getwindowgeometry', '--shell', self.window],
                               capture_output=True, text=True, check=True).stdout
        geometry = dict(line.split('=') for line in shell.split())
        return (str(int(geometry['X']) + int(x * int(geometry['WIDTH']))),
                str(int(geometry['Y']) + int(y * int(geometry['HEIGHT']))))

    def click(self, x, y, button=1):
        """At a part of the window's width and height."""
        subprocess.run(['xdotool', 'mousemove', *self._place(x, y), 'click', str(button)], check=True)

    def point(self, x, y):
        subprocess.run(['xdotool', 'mousemove', *self._place(x, y)], check=True)

    def drag(self, x, y, to_x, to_y):
        # A tooltip of an earlier place may lie over the first one, and would take the press.
        self.point(*NOWHERE)
        self.wait(lambda: len(self._windows()) == 1, 'tooltips to go')
        subprocess.run(['xdotool', 'mousemove', *self._place(x, y), 'mousedown', '1'], check=True)
        for step in range(1, 6):
            part = step / 5
            where = self._place(x + (to_x - x) * part, y + (to_y - y) * part)
            subprocess.run(['xdotool', 'mousemove', *where, 'sleep', '0.05'], check=True)
        subprocess.run(['xdotool', 'mouseup', '1'], check=True)

    def picture(self, path):
        subprocess.run(['import', '-window', 'root', path], check=False)

    def close(self):
        """Ctrl+Q; whatever was said on the way there is a failure."""
        self.focus_window()
        self.key('ctrl+q')
        try:
            said = self.process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            raise AssertionError('the application did not end') from error
        assert self.process.returncode == 0, (self.process.returncode, said)
        assert not [line for line in said.splitlines() if line and not line.endswith(self.HARMLESS)], said

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
