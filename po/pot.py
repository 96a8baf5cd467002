#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the program for translators: po/pentimento.pot and what the languages have of it.

  pot.py SOURCE --write   make pentimento.pot anew, and merge it into each language
  pot.py SOURCE --check   say what is stale or wrong; the exit status is 1 then
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# As GLib's functions take them: https://docs.gtk.org/glib/i18n.html
ARGUMENTS = [
    '--from-code=UTF-8', '--add-comments', '--add-location=file', '--package-name=pentimento',
    '--copyright-holder=The Pentimento developers',
    '--keyword=_', '--keyword=N_', '--keyword=C_:1c,2', '--keyword=NC_:1c,2', '--keyword=ngettext:1,2',
    '--keyword=g_dgettext:2', '--keyword=g_dngettext:2,3', '--keyword=g_dpgettext2:2c,3',
    '--flag=N_:1:pass-c-format', '--flag=C_:2:pass-c-format', '--flag=NC_:2:pass-c-format',
    '--flag=ngettext:1:pass-c-format', '--flag=ngettext:2:pass-c-format', '--flag=_:1:pass-c-format',
    '--flag=g_strdup_printf:1:c-format', '--flag=g_print:1:c-format', '--flag=g_printerr:1:c-format',
    '--flag=g_string_append_printf:2:c-format', '--flag=g_string_printf:2:c-format',
    '--flag=g_set_error:4:c-format', '--flag=g_error_new:3:c-format', '--flag=g_prefix_error:2:c-format',
    '--flag=g_markup_printf_escaped:1:c-format',
]
# How gettext reads the metadata of data/: it comes with appstream. Rules for a policy and for types of files are in po/its.
RULES = '/usr/share/gettext/its/metainfo.its'
MADE_AT = re.compile(r'^"POT-Creation-Date: .*\n', re.M)


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)


def make(source, pot):
    os.environ['GETTEXTDATADIRS'] = str(source / 'po')
    made = run('xgettext', *ARGUMENTS, f'--directory={source}', f'--files-from={source}/po/POTFILES', '-o', pot)
    if made.returncode != 0:
        sys.exit(f'xgettext: {made.stderr}')


def without_date(path):
    """Nor where lines are broken, which differs between versions of xgettext."""
    return MADE_AT.sub('', path.read_text(encoding='utf-8')).replace('"\n"', '')


def languages(folder):
    names = (folder / 'LINGUAS').read_text(encoding='utf-8').split('\n')
    return [name for name in names if name and not name.startswith('#')]


def write(source):
    folder = source / 'po'
    pot = folder / 'pentimento.pot'
    with tempfile.TemporaryDirectory() as temporary:
        new = pathlib.Path(temporary) / 'pentimento.pot'
        make(source, new)
        if not pot.exists() or without_date(new) != without_date(pot):
            pot.write_text(new.read_text(encoding='utf-8'), encoding='utf-8')
    for language in languages(folder):
        merged = run('msgmerge', '--quiet', '--update', '--backup=none', '--previous', folder / f'{language}.po', pot)
        if merged.returncode != 0:
            sys.exit(f'msgmerge: {merged.stderr}')
    return 0


def find_missing(po, pot):
    """Texts that @po does not have, has untranslated, or has from an earlier text: fuzzy."""
    compared = run('msgcmp', po, pot)
    if compared.returncode == 0:
        return []
    lines = [line for line in compared.stderr.split('\n') if 'this message' in line]
    return [f'po/{po.name}: {len(lines)} texts are untranslated or fuzzy, the first: {lines[0] if lines else compared.stderr}']


def find_faults(source):
    folder = source / 'po'
    pot = folder / 'pentimento.pot'
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        new = pathlib.Path(temporary) / 'pentimento.pot'
        make(source, new)
        if not pot.exists() or without_date(new) != without_date(pot):
            faults.append('po/pentimento.pot is stale: run ./dev pot')
        for language in languages(folder):
            po = folder / f'{language}.po'
            # Formats, plurals, mnemonics.
            checked = run('msgfmt', '--check', '--check-accelerators=_', '-o', '/dev/null', po)
            if checked.returncode != 0:
                faults.append(f'po/{language}.po: {checked.stderr.strip()}')
            faults += find_missing(po, new)
            if f'Language: {language}\\n' not in po.read_text(encoding='utf-8'):
                faults.append(f'po/{language}.po is of another language')
    return faults


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    if not pathlib.Path(RULES).exists():
        print(f'SKIP: there is no {RULES} (package appstream)')
        return 77
    if sys.argv[2] == '--write':
        return write(source)
    faults = find_faults(source)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
