"""How the steps of a recording that is imported in parts grow with the processes that ever started.

Usage: test_parts.py GENERATE_PROCESSES MEASURE_PARTS

As many parts for each process, and as many processes at a time: a part is to cost the same, however many processes
came before. Four times as many processes are four times as many parts, and some five times the steps, since a part has
up to 32,768 buckets of those before: were its history made of all processes, it would be twelve times.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import subprocess
import sys
import tempfile

GENERATOR, PARTS = (os.path.abspath(word) for word in sys.argv[1:3])
FEW = 2000
BOUND = 6
COUNTED = re.compile(r'scheduler: ([0-9,]+) event checks')


def count(processes, directory):
    """The steps of all parts, and how many there were."""
    path = os.path.join(directory, 'processes.data')
    subprocess.run([GENERATOR, str(processes), path], check=True)
    env = dict(os.environ, TMPDIR=directory, HOME=directory, XDG_CACHE_HOME=directory, LC_ALL='C.UTF-8', G_DEBUG='')
    for name in ('MALLOC_CHECK_', 'MALLOC_PERTURB_'):  # they write to all memory
        env.pop(name, None)
    result = subprocess.run(['valgrind', '--tool=none', '--stats=yes', PARTS, path, '1'], env=env, check=True,
                            capture_output=True, text=True)
    return int(COUNTED.search(result.stderr).group(1).replace(',', '')), len(result.stdout.splitlines())


with tempfile.TemporaryDirectory() as place:
    nothing, _ = count(1, place)
    few, parts = count(FEW, place)
    many, more = count(4 * FEW, place)
growth = (many - nothing) / (few - nothing)
print('1..1')
print('# %d parts: %.0f million steps; %d parts: %.0f' % (parts, few / 1e6, more, many / 1e6))
print('%s 1 - four times as many processes: %.2f times the steps' % ('ok' if parts > 20 and growth < BOUND else 'not ok', growth))
