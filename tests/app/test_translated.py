#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the window is translated.

Makes two languages of the sources' own strings, in which every translation is ⟦longer and in
brackets~~~⟧: one of them is written from left to right (de), one from right to left (he). Runs
test-window-translated in each of them: it walks all views and lists text that is in no brackets.

arguments: the source tree, a directory to write to, and the command that runs the program
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, SCRATCH, *COMMAND = sys.argv[1:]
KEYWORDS = ('_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'g_dngettext:2,3', 'g_dpgettext2:2c,3')
PLURALS = {'de': 'nplurals=2; plural=(n != 1);', 'he': 'nplurals=2; plural=(n != 1);'}
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: {}\\nPlural-Forms: {}\\n"\n'


def extract(template):
    files = [name for name in pathlib.Path(SOURCE, 'po', 'POTFILES').read_text(encoding='utf-8').split()
             if name.startswith(('src/', 'ui/'))]
    subprocess.run(['xgettext', '--directory', SOURCE, '--from-code=UTF-8', '--force-po', '--no-location',
                    *(f'--keyword={keyword}' for keyword in KEYWORDS), '--output', template, *files], check=True)


def translate(quoted):
    """Lines of a PO string, as they are between quotes, in brackets and a third longer; a short one
    twice as long, as a word may be that other languages put together."""
    text = ''.join(line[1:-1] for line in quoted)
    start, middle, end = re.fullmatch(r'((?:\\n)*)(.*?)((?:\\n)*)', text).groups()
    more = len(middle) if len(middle) <= 10 else len(middle) // 3
    return f'"{start}⟦{middle}{"~" * more}⟧{end}"'


def make_entries(template):
    """Of each message of a template: msgctxt, msgid, msgid_plural, each the lines of a string."""
    for block in pathlib.Path(template).read_text(encoding='utf-8').split('\n\n')[1:]:
        fields = {}
        for line in block.splitlines():
            start = re.match(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) (".*")', line)
            if start:
                name = start[1]
                fields[name] = [start[2]]
            elif line.startswith('"'):
                fields[name].append(line)
        yield fields


def write(language, entries):
    folder = pathlib.Path(SCRATCH, language, 'LC_MESSAGES')
    folder.mkdir(parents=True)
    text = [HEADER.format(language, PLURALS[language])]
    for fields in entries:
        for name in ('msgctxt', 'msgid', 'msgid_plural'):
            if name in fields:
                text.append(name + ' ' + '\n'.join(fields[name]))
        if 'msgid_plural' in fields:
            text.append('msgstr[0] ' + translate(fields['msgid']))
            text.append('msgstr[1] ' + translate(fields['msgid_plural']))
        else:
            text.append('msgstr ' + translate(fields['msgid']))
        text.append('')
    catalogue = folder / 'pentimento.po'
    catalogue.write_text('\n'.join(text), encoding='utf-8')
    subprocess.run(['msgfmt', '--check-format', '-o', folder / 'pentimento.mo', catalogue], check=True)


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    pathlib.Path(SCRATCH).mkdir(parents=True)
    template = os.path.join(SCRATCH, 'pentimento.pot')
    extract(template)
    entries = list(make_entries(template))
    status = 0
    # glibc translates nothing where the locale is C, whatever its encoding, from 2.39 on: under another name.
    shutil.copytree('/usr/lib/locale/C.utf8', os.path.join(SCRATCH, 'en_XX.utf8'))
    for language in PLURALS:
        write(language, entries)
        env = {**os.environ, 'LC_ALL': 'en_XX.UTF-8', 'LOCPATH': SCRATCH, 'LANGUAGE': language, 'PENTIMENTO_LOCALE': SCRATCH}
        status |= subprocess.run(COMMAND, env=env, check=False).returncode
    return 1 if status else 0


if __name__ == '__main__':
    sys.exit(main())
