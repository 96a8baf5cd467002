#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The task: all programs that one address had.

usage: test_task_one_address.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import re
import sys

from harness import DATA, case, main, open_capture
from tasks import Person, ask, short_name

CAPTURE = os.path.join(DATA, 'd-bpf.data')
ADDRESS = 'ffffffffc0000c10'  # as a kernel prints it


@case
def all_programs_that_one_address_had(directory):
    desktop = open_capture(directory, CAPTURE)
    desktop.see(lambda text: text == 'vfs_read', 'a function')
    person = Person(desktop)
    expected = [short_name(row) for row in ask('find', CAPTURE, ADDRESS, '--at=start') if row['tenure']]
    assert len(expected) > 4, expected

    person.key('ctrl+k')
    person.type(ADDRESS)
    desktop.see(lambda text: text == expected[-1], 'the last of them')
    seen = [text for text in desktop.texts() if text in expected]
    assert seen == expected, (seen, expected)

    person.key('Return')
    desktop.see(lambda text: re.search(r'^bpf_prog_.*_raw_a \(id 16\)$', text), 'the first of them, in the code')
    desktop.see(lambda text: text.startswith('As of 4.41'), 'when it was there')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
