#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each item of a menu has a letter of its own, in English and in each language.

usage: test_mnemonics.py SOURCE
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(sys.argv[1])
# What programs put into a menu of a template: pen-window-fold.c, pen-window-actions.c
MORE = {'primary_menu': ['_Open', '_Export', 'Wall Cloc_k']}
# Menus that have no template.
MADE = {'chart': 'src/app/callers/pen-chart-menu.c', 'lanes': 'src/app/overview/pen-timeline.c',
        'row': 'src/app/rows/pen-row-menu.c'}
LABEL = re.compile(r'_ \("([^"]*_[^"]*)"\)')


def read_menu(menu, name):
    """Menus by name: submenus are menus of their own."""
    found = {name: []}
    for part in menu:
        if part.tag == 'submenu':
            below = read_menu(part, f'{name}, submenu {len(found)}')
            first = f'{name}, submenu {len(found)}'
            labels = [child for child in part if child.tag == 'attribute' and child.get('name') == 'label']
            found[name] += [child.text for child in labels]
            found.update({key: labels for key, labels in below.items() if key != first or labels})
        elif part.tag == 'section':
            for key, labels in read_menu(part, name).items():
                found.setdefault(key, []).extend(labels)
        elif part.tag == 'item':
            found[name] += [child.text for child in part if child.get('name') == 'label']
    return found


def read_menus():
    menus = {}
    for path in sorted((SOURCE / 'ui').rglob('*.ui')):
        for menu in ElementTree.parse(path).getroot().findall('menu'):
            for name, labels in read_menu(menu, menu.get('id')).items():
                menus[name] = labels + MORE.get(name, [])
    for name, path in MADE.items():
        menus[name] = LABEL.findall(pathlib.Path(SOURCE, path).read_text(encoding='utf-8'))
        assert len(menus[name]) > 1, name
    assert {'primary_menu', 'shown_menu', 'export_menu', 'export_menu, submenu 1'} <= set(menus), menus.keys()
    return menus


def read_translations(path):
    """As a program has them: none that is fuzzy."""
    with tempfile.NamedTemporaryFile(suffix='.mo') as file:
        subprocess.run(['msgfmt', '-o', file.name, path], check=True)
        plain = subprocess.run(['msgunfmt', '--no-wrap', file.name], stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(re.findall(r'(?m)^msgid "(.*)"\nmsgstr "(.*)"$', plain))


def find_letter(label):
    found = re.search(r'(?<!_)_([^_])', label)
    return found.group(1).lower() if found else None


def find_faults(menus, language, translations):
    for name, labels in menus.items():
        letters = {}
        for label in labels:
            shown = translations.get(label, label)
            letters.setdefault(find_letter(shown), []).append(shown)
        letters.pop(None, None)
        for letter, same in letters.items():
            if len(same) > 1:
                yield f'{language}: {name}: {letter} is that of {", ".join(same)}'


def main():
    menus = read_menus()
    faults = list(find_faults(menus, 'English', {}))
    for language in (SOURCE / 'po' / 'LINGUAS').read_text(encoding='utf-8').split():
        faults += find_faults(menus, language, read_translations(SOURCE / 'po' / f'{language}.po'))
    print('\n'.join(faults))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
