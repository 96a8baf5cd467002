#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""POTFILES lists the files that have something to translate, and no others."""

import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
# A call or an attribute that xgettext looks for.
MARKS = {
    '.c': re.compile(r'\b(?:_|C_|N_|NC_|ngettext|g_dngettext|g_dpgettext2)\s*\('),
    '.h': re.compile(r'\b(?:_|C_|N_|NC_|ngettext)\s*\('),
    '.ui': re.compile(r'translatable="(?:yes|1|true)"'),
}


def main():
    listed = (SOURCE / 'po' / 'POTFILES').read_text(encoding='utf-8').split()
    found = ['data/io.github.pentimento.Pentimento.desktop', 'data/io.github.pentimento.Pentimento.metainfo.xml',
             'data/io.github.pentimento.Pentimento.xml',
             'src/libexec/io.github.pentimento.Pentimento.policy.in']
    for room in ('src', 'ui'):
        for path in (SOURCE / room).rglob('*'):
            mark = MARKS.get(path.suffix)
            if mark and mark.search(path.read_text(encoding='utf-8')):
                found.append(str(path.relative_to(SOURCE)))
    for path in sorted(set(found) - set(listed)):
        print(f'po/POTFILES lacks {path}')
    for path in sorted(set(listed) - set(found)):
        print(f'po/POTFILES lists {path}, which has nothing to translate')
    if listed != sorted(listed):
        print('po/POTFILES is not sorted')
    return 0 if listed == sorted(found) else 1


if __name__ == '__main__':
    sys.exit(main())
