#!/usr/bin/env python3
"""In the place of pentimento-recorder: says what it says, and records a copy of a bundled capture.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import select
import shutil
import socket
import struct
import sys
import tempfile
import time

PLACE, BEGUN, LINE, LACK, DONE, FAILED = range(1, 7)
caller = socket.socket(fileno=0)
role = os.environ.get('FAKE_RECORDER', '')
directory = os.environ['FAKE_DIRECTORY']


def tell(kind, value=0, text='', descriptors=()):
    socket.send_fds(caller, [struct.pack('=II', kind, value) + text.encode()], descriptors)


asked = caller.recv(64)
with open(os.path.join(directory, 'request'), 'wb') as file:
    file.write(asked)
_, target, _, _, _, pid, _, seconds = struct.unpack('=IIIIIiII', asked)
if role == 'falls':
    sys.exit(3)
if role == 'busy':
    tell(FAILED, 1)
    sys.exit(1)
if role == 'broken':
    tell(FAILED, 3, 'perf does not record: no such \033[2Jevent')
    sys.exit(1)
place = os.path.join(tempfile.mkdtemp(dir=os.environ.get('FAKE_PLACE', directory)), 'recording')
os.mkdir(place)
with open(os.path.join(directory, 'place'), 'w', encoding='utf-8') as file:
    file.write(place)
tell(PLACE, descriptors=[os.open(place, os.O_RDONLY | os.O_DIRECTORY)])
if role == 'slow':
    caller.recv(64)
    sys.exit(1)
shutil.copytree(os.environ['FAKE_CAPTURE'], os.path.join(place, 'perf.data'))
if target == 2:
    ended = os.pidfd_open(pid)
    with open('/proc/%d/comm' % pid, encoding='utf-8') as file, open(os.path.join(directory, 'comm'), 'w',
                                                                     encoding='utf-8') as kept:
        kept.write(file.read())
tell(BEGUN)
if role == 'killed-at-once':
    sys.exit(9)
tell(LINE, 0, 'a line')
end = 1
if target == 2:
    select.select([ended, caller], [], [])
    end = 2
elif seconds == 0:
    caller.recv(64)
    end = 0
else:
    time.sleep(0.1)
if role == 'killed':
    sys.exit(9)
tell(LACK, 0, 'Permission denied')
tell(DONE, 3 if role == 'full' else end)
