#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The task: the samples of one load of a program that was loaded several times, as CSV.

usage: test_task_one_load.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import pathlib
import subprocess
import sys

from harness import CLI, DATA, case, main, open_capture
from tasks import Person

CAPTURE = os.path.join(DATA, 'd-bpf.data')


@case
def a_csv_of_one_load(directory):
    expected = subprocess.run([CLI, 'samples', CAPTURE, '--bpf=18', '--format=csv'], check=True,
                              capture_output=True).stdout
    os.chdir(directory)
    desktop = open_capture(directory, CAPTURE)
    desktop.see(lambda text: text == 'vfs_read', 'a function')
    person = Person(desktop)

    person.key('ctrl+l')
    person.type('bpf:18')
    person.key('Return')
    desktop.see(lambda text: text == 'bpf: 18', 'the chip')
    person.choose('win.export-samples')
    desktop.see(lambda text: text == 'Export as CSV', 'the dialog')
    person.key('Return')

    def written():
        return any(path.read_bytes() == expected for path in pathlib.Path(directory).glob('*.csv'))
    desktop.wait(written, 'the file')
    assert len(expected.splitlines()) == 1 + 9
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
