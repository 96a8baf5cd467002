"""A disk that keeps only what was synced: what may be on it when the power goes.

Content and names are lost independently: of each file, writes that were not synced may be there, or not, or some of
their pages; of each directory, names that were made, changed or removed since it was synced may be as before. This is
less than any file system promises, and all that POSIX does.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os

PAGE = 4096


def write(content, offset, data):
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset:offset + len(data)] = data


class File:
    def __init__(self, content=b''):
        self.synced = bytes(content)
        self.pending = []

    def make(self, choose):
        """@choose: whether a page that was written is there; cuts and growth are where any is."""
        content = bytearray(self.synced)
        for kind, offset, data in self.pending:
            if kind == 'T':
                if choose():
                    if len(content) > offset:
                        del content[offset:]
                    else:
                        content.extend(bytes(offset - len(content)))
                continue
            for at in range(0, len(data), PAGE):
                if choose():
                    write(content, offset + at, data[at:at + PAGE])
        return bytes(content)

    def sync(self):
        self.synced = self.make(lambda: True)
        self.pending = []


class Disk:
    def __init__(self, root):
        self.root = root
        self.files, self.names, self.pending = {}, {}, []
        self.directories = {root}
        for place, directories, names in os.walk(root):
            self.directories.update(os.path.join(place, name) for name in directories)
            for name in names:
                path = os.path.join(place, name)
                inode = os.stat(path).st_ino
                with open(path, 'rb') as file:
                    self.files[inode] = File(file.read())
                self.names[path] = inode

    def current(self, names, directories, pending):
        for what, a, b, inode in pending:
            if what == 'M':
                directories.add(a)
            elif what == 'U':
                names.pop(a, None)
                directories.discard(a)
            elif what == 'R':
                names.pop(a, None)
                names[b] = inode
            else:
                names[a] = inode
        return names, directories

    def get(self, path):
        return self.current(dict(self.names), set(self.directories), self.pending)[0][path]

    def call(self, what, inode, a, b, offset, data):
        """As the library has written it down."""
        if what == 'C':
            # A number may be used again, once its file is gone.
            self.files[inode] = File()
            self.pending.append(('C', a, '', inode))
        elif what == 'R':
            self.pending.append(('R', a, b, self.get(a)))
        elif what in 'UML':
            self.pending.append((what, a, '', inode))
        elif what in 'WT' and inode in self.files:
            self.files[inode].pending.append((what, offset, data))
        elif what == 'S' and inode in self.files:
            self.files[inode].sync()
        elif what == 'D':
            here = [name for name in self.pending if os.path.dirname(name[1]) == a]
            self.pending = [name for name in self.pending if os.path.dirname(name[1]) != a]
            self.names, self.directories = self.current(self.names, self.directories, here)

    def left(self, keeps, choose):
        """Files as they are found. @keeps: of the pending names, by number; @choose: see File.make()."""
        kept = [name for number, name in enumerate(self.pending) if keeps(number)]
        names, directories = self.current(dict(self.names), set(self.directories), kept)
        found = {}
        for path, inode in names.items():
            place = os.path.dirname(path)
            while place in directories and place != self.root:
                place = os.path.dirname(place)
            # Nobody looks into what is unfinished.
            if place == self.root:
                found[path] = b'' if path.endswith('.part') else self.files[inode].make(choose)
        return found, {place for place in directories if self.has_parents(place, directories)}

    def has_parents(self, place, directories):
        while place != self.root:
            place = os.path.dirname(place)
            if place not in directories:
                return False
        return True
