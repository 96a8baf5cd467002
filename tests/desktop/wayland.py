# SPDX-License-Identifier: GPL-3.0-or-later
"""The application under Wayland: Weston has the X server for its screen, and its pointer and keys come from there."""

import os
import pathlib
import subprocess
import time

from desktop import PATIENCE, Desktop
from screen import HEIGHT, WIDTH


class Weston:
    """A compositor with one screen of WIDTH×HEIGHT units, at a scale."""

    def __init__(self, scale):
        run = pathlib.Path(os.environ['XDG_RUNTIME_DIR'])
        self.scale, self.name = scale, f'desktop-{scale}'
        self.log = run / (self.name + '.log')
        self.process = subprocess.Popen(
            ['weston', '--no-config', '--backend=x11-backend.so', '--use-pixman', '--shell=kiosk-shell.so', '--idle-time=0',
             f'--width={WIDTH}', f'--height={HEIGHT}', f'--scale={scale}', '--socket=' + self.name, f'--log={self.log}'])
        end = time.monotonic() + PATIENCE
        while not (run / self.name).exists():
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise AssertionError('Weston does not start:\n' + self.log.read_text(encoding='utf-8'))
            time.sleep(0.1)

    def kill(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()


class WaylandDesktop(Desktop):
    """One run of the application, which has all of the screen. It is started and ended with its compositor."""

    # Of a tooltip or a menu that is still there when the window goes.
    HARMLESS = ('Tried to unmap the parent of a popup',)

    def __init__(self, scale, program, *arguments):
        self.weston = Weston(scale)
        os.environ.update(WAYLAND_DISPLAY=self.weston.name, GDK_BACKEND='wayland')
        try:
            super().__init__(program, *arguments)
        except BaseException:
            self.weston.kill()
            raise

    # The X server knows one window, Weston's.
    def _windows(self):
        return ['weston']

    def _find_window(self):
        return 'weston'

    def focus_window(self):
        """Weston does so itself."""

    def _place(self, x, y):
        scale = self.weston.scale
        return str(int(x * WIDTH * scale)), str(int(y * HEIGHT * scale))

    def close(self):
        super().close()
        self.weston.kill()

    def kill(self):
        super().kill()
        self.weston.kill()
