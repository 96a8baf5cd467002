#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The task: an oops from the log. Who was at each of its addresses then, and who else?

usage: test_task_oops.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import re
import sys

from harness import DATA, case, main, open_capture
from tasks import Person, ask, short_name

CAPTURE = os.path.join(DATA, 'd-bpf.data')
OOPS = """\
[    5.100003] CPU: 1 PID: 132 Comm: bpfcycle Not tainted 6.1.0-13-amd64 #1  Debian 6.1.55-1
[    5.100004] RIP: 0010:bpf_prog_dcd45494952b77d4_sock_a+0x20/0x60
[    5.100006] RSP: 0018:ffffc90000123e00 EFLAGS: 00010246
[    5.100008] Call Trace:
[    5.100011]  vfs_read+0x1c/0x310
[    5.100013]  ksys_read+0x5f/0xe0
[    5.100014]  entry_SYSCALL_64_after_hwframe+0x63/0xcd
"""


@case
def an_oops_is_pasted(directory):
    desktop = open_capture(directory, CAPTURE)
    desktop.see(lambda text: text == 'vfs_read', 'a function')
    person = Person(desktop)
    expected = ask('find', CAPTURE, '-', input=OOPS.encode())

    person.key('ctrl+k')
    person.paste('Find', OOPS)
    desktop.see(lambda text: text == 'Trace of 4 Places', 'the trace')
    desktop.see(lambda text: text.startswith('As of 5.100'), 'the time of the log')
    texts = desktop.texts()
    for row in expected:
        assert row['text'] in texts, row
        if row['tenure']:
            assert short_name(row) in texts, (short_name(row), texts)
    assert len([text for text in texts if text == 'Unknown']) == 1, texts
    desktop.see(lambda text: text.startswith('0xf0 bytes long, 0xe0 in the trace'), 'the length that differs')

    # Each is a step away, and the trace stays.
    person.key('Down')
    person.key('Return')
    desktop.see(lambda text: text == 'bpf_prog_dcd45494952b77d4_sock_a (id 5)', 'the code of the first')
    # The trace says so, and the code.
    desktop.wait(lambda: len([text for text in desktop.texts() if re.match(r'As of 5\.10*\b', text)]) > 1,
                 'the time of the log')
    desktop.see(lambda text: text == 'Trace of 4 Places', 'the trace, still')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
