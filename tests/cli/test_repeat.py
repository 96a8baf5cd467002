#!/usr/bin/env python3
"""An import gives the same store each time, byte for byte, on all processors and on one (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys

from harness import case, main

generator = os.path.abspath(sys.argv[2])


def import_twice(w, samples, depth):
    subprocess.run([generator, str(samples), depth, w.path('capture')], check=True)
    w.run('import', 'capture', '-o', 'one.pentimento')
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    try:
        w.run('import', 'capture', '-o', 'other.pentimento')
    finally:
        os.sched_setaffinity(0, processors)
    assert w.read('one.pentimento') == w.read('other.pentimento')


@case
def repeated_callchains(w):
    import_twice(w, 100000, '16')


@case
def callchains_that_hardly_repeat(w):
    """More than are remembered: which are forgotten is the same, too."""
    import_twice(w, 150000, '20r')


main()
