"""An emulated machine: its memory's first files, its console, and a debugger that writes into it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import select
import shutil
import socket
import stat
import subprocess
import tempfile
import time

MEMORY_MIB = 4096
DISK_BYTES = 8 << 30
WRITE = re.compile(r'guests: write (0x[0-9a-f]+) ([0-9a-f]+)')


# ---- files of the start ----

class Archive:
    """A cpio archive (newc), which the kernel unpacks into its first file system."""

    def __init__(self, path):
        self.file = open(path, 'wb')
        self.seen = set()
        self.number = 0

    def _member(self, name, mode, content=b''):
        self.number += 1
        name = name.lstrip('/')
        header = '070701' + ''.join('%08X' % n for n in (
            self.number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0))
        for part in (header.encode() + name.encode() + b'\0', content):
            self.file.write(part + b'\0' * (-len(part) % 4))

    def _directories(self, name):
        parts = name.strip('/').split('/')[:-1]
        for n in range(1, len(parts) + 1):
            directory = '/'.join(parts[:n])
            if directory not in self.seen:
                self.seen.add(directory)
                self._member(directory, stat.S_IFDIR | 0o755)

    def add(self, name, content, mode=0o755):
        if name in self.seen:
            return
        self._directories(name)
        self.seen.add(name)
        self._member(name, stat.S_IFREG | mode, content)

    def add_file(self, path, name=None):
        with open(path, 'rb') as file:
            self.add(name or path, file.read())

    def add_program(self, path, name):
        """A program, and the libraries that it is linked with, where they are on this machine."""
        self.add_file(path, name)
        got = subprocess.run(['ldd', path], capture_output=True, text=True, check=False)
        for library in re.findall(r'(/[^ ()]+) \(0x', got.stdout):
            self.add_file(library)

    def close(self):
        self._member('TRAILER!!!', 0)
        self.file.close()


# ---- debugger ----

class Debugger:
    """Writes into memory by the protocol of gdb, which stops the machine meanwhile."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)

    def ask(self, words):
        self.socket.sendall(b'$%s#%02x' % (words, sum(words) & 0xff))
        got = b''
        while not re.search(rb'\$([^#]*)#..', got):
            part = self.socket.recv(4096)
            if not part:
                raise OSError('the emulator has ended')
            got += part
        self.socket.sendall(b'+')
        return re.search(rb'\$([^#]*)#..', got)[1]

    def write(self, address, content):
        """Whether it could be written."""
        self.ask(b'?')
        try:
            return self.ask(b'M%x,%x:%s' % (address, len(content), content.hex().encode())) == b'OK'
        finally:
            self.ask(b'D')
            self.socket.close()


# ---- the machine ----

class Machine:
    def __init__(self, kernel, archive, directory):
        self.directory = directory
        self.kernel, self.archive = kernel, archive
        self.disk = os.path.join(directory, 'disk')
        self.console = os.path.join(directory, 'console')
        self.place = tempfile.mkdtemp(prefix='pentimento-guest-')  # the path of a socket may have 107 bytes
        self.debug = os.path.join(self.place, 'debug')
        self.written = []

    def command(self):
        # With a thread for each processor, QEMU 7.2 can keep the breakpoint of a patch that is over, and hang.
        return ['nice', '-n', '10', 'qemu-system-x86_64', '-nodefaults', '-no-reboot', '-machine', 'q35', '-accel',
                'tcg,thread=single', '-cpu', 'max', '-smp', '2', '-m', str(MEMORY_MIB), '-display', 'none',
                '-kernel', self.kernel.image, '-initrd', self.archive,
                '-append', 'console=ttyS0 panic=-1 log_buf_len=1M',
                '-drive', 'file=%s,format=raw,if=virtio' % self.disk, '-serial', 'stdio',
                '-chardev', 'socket,id=debug,path=%s,server=on,wait=off' % self.debug, '-gdb', 'chardev:debug']

    def write(self, address, content):
        for _ in range(20):
            if Debugger(self.debug).write(address, content):
                self.written.append((address, content))
                return
            time.sleep(0.05)  # a task's own table of pages need not have it

    def run(self, seconds, tell):
        """Until the machine is off. Returns: whether it ended by itself. @tell: gets each line that the guest means for it"""
        with open(self.disk, 'wb') as file:
            file.truncate(DISK_BYTES)
        limit = time.monotonic() + seconds
        line = b''
        process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        try:
            with open(self.console, 'wb') as console:
                while time.monotonic() < limit:
                    if not select.select([process.stdout], [], [], 1)[0]:
                        continue
                    part = os.read(process.stdout.fileno(), 65536)
                    if not part:
                        return process.wait() == 0
                    console.write(part)
                    console.flush()
                    *lines, line = (line + part).split(b'\n')
                    for one in lines:
                        self.hear(one.decode(errors='replace').strip(), tell)
            return False
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            shutil.rmtree(self.place, ignore_errors=True)

    def hear(self, line, tell):
        if 'guests: ' not in line:
            return
        wanted = WRITE.search(line)
        if wanted:
            self.write(int(wanted[1], 16), bytes.fromhex(wanted[2]))
        tell(line.partition('guests: ')[2])

    def unpack(self):
        """Into the directory; whether there was anything."""
        got = subprocess.run(['tar', '-xf', self.disk, '-C', self.directory, '--no-same-owner'],
                             capture_output=True, check=False)
        os.unlink(self.disk)
        return got.returncode == 0


def which(program):
    return shutil.which(program, path='%s:/usr/sbin:/sbin' % os.environ.get('PATH', ''))
