#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Orca reads a patched line and its history: what it hands to the speech synthesizer, which is a dummy.

usage: test_orca.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from desktop import PATIENCE
from harness import case, directory_cleanups, main, open_annotated

SPOKEN = re.compile(r"SPEECH OUTPUT: '(.*?)' ?\{", re.S)
# The sound goes nowhere without a device either.
SPEECHD = '''LogLevel 0
AudioOutputMethod "libao"
AddModule "dummy" "sd_dummy" ""
DefaultModule dummy
Timeout 0
'''


class Orca:
    """A screen reader with a synthesizer of its own, which both end with the case."""

    def __init__(self, directory):
        self.log = pathlib.Path(directory, 'orca.log')
        settings = pathlib.Path(directory, 'speech')
        settings.mkdir()
        (settings / 'speechd.conf').write_text(SPEECHD, encoding='utf-8')
        self.processes = []
        directory_cleanups.append(self.end)
        self.start('speech-dispatcher', '--run-single', '--communication-method', 'unix_socket', '--config-dir', settings,
                   '--log-dir', directory)
        # Orca tries it once.
        self.wait(pathlib.Path(os.environ['XDG_RUNTIME_DIR'], 'speech-dispatcher/speechd.sock').exists, 'the synthesizer')
        self.start('orca', '--replace', f'--debug-file={self.log}', '--disable=braille', '--disable=braille-monitor')

    def start(self, *command):
        self.processes.append(subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL))

    def said(self):
        return SPOKEN.findall(self.log.read_text(encoding='utf-8', errors='replace')) if self.log.exists() else []

    @staticmethod
    def wait(look, what):
        end = time.monotonic() + PATIENCE
        while not look():
            assert time.monotonic() < end, 'waited in vain for ' + what
            time.sleep(0.2)

    def hear(self, pattern, since=0):
        def heard():
            # Orca writes what it logs a block at a time: a key that does nothing brings the next one.
            subprocess.run(['xdotool', 'key', 'Shift_L'], check=False)
            return next((words for words in self.said()[since:] if re.search(pattern, words)), None)
        self.wait(heard, 'Orca to say ' + pattern)
        return heard()

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@case
def a_patched_line_and_its_history_are_read(directory):
    desktop = open_annotated(directory)
    orca = Orca(directory)
    orca.hear('Screen reader on')
    # The line is chosen, then its list has the focus: Orca leaves out what has lost it again before it looks.
    desktop.select('Annotation', 0)
    heard = 0
    for key, pattern in (('F6', r'Timeline'),
                         ('F6', r'508 samples'),
                         ('F6', r'offset 0: nopl.*version 1 of 5, 4 samples'),
                         ('F6', r'Original'),
                         ('Down', r'Ftrace')):
        desktop.key(key)
        print('# %s: %s' % (key, orca.hear(pattern, heard).replace('\n', ' / ')), flush=True)
        heard = len(orca.said())
    desktop.close()


if __name__ == '__main__':
    for program in ('orca', 'speech-dispatcher'):
        if not shutil.which(program):
            print(f'1..0 # SKIP no {program}: install orca and speech-dispatcher')
            sys.exit(0)
    # It reads its settings where nobody has any.
    os.environ['XDG_CONFIG_HOME'] = os.environ['HOME']
    sys.exit(main())
