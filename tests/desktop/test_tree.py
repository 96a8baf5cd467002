#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What assistive technology is told of every page: roles, names, titles of columns.

usage: test_tree.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import re
import sys

from desktop import look_at
from harness import case, main, open_annotated

PAGES = ('Code', 'Callers', 'Text Map', 'Causes', 'Occupants', 'Recording')

# GTK 4.8 calls what has no name by its type.
TYPE = re.compile(r'^(Gtk|Adw|Pen)[A-Z]\w+$')

# What has the name of its type all the same, by role, and why nobody hears it.
UNHEARD = {
    'filler': 'what only holds others: screen readers pass over fillers',
    'label': 'a label without text',
    'image': 'an icon beside words that say the same',
    'table cell': 'the row says all of its cells',
    'scroll bar': 'no place of the focus',
    'table': 'the two columns of the import page, which cannot have the focus',
    'page tab list': 'the tabs have names',
}
# The same of types, and why they stay.
KEPT = {
    'GtkMenuButton': 'the button inside has the name and the focus',
    'GtkListView': 'the choices of a drop-down: the button has the name',
    'GtkSearchEntry': 'the search of a drop-down that shows none',
    'GtkListBox': 'a list inside of a row that unfolds, and a group of rows: its rows have names',
}
# Fillers that could have the focus, and why they never do.
NEVER_FOCUSED = {
    'GtkListItemWidget': "a drop-down's value, in a button that takes the focus",
    'Panes': 'two panes, whose divider keys move',
    'GtkPaned': 'two panes inside of a page that is made when it is shown',
}


def look(desktop):
    """Everything, once each page was shown."""
    for number, page in enumerate(PAGES, 1):
        desktop.key('ctrl+' + str(number))
        desktop.wait(lambda name=page: desktop.is_selected(name, ('page tab',)), 'the page ' + page)
    return list(look_at(desktop.root))


def tell(seen):
    return (seen.role, seen.name) + ((seen.parent.role, seen.parent.name) if seen.parent else ())


def check(everything):
    typed = [tell(a) for a in everything if TYPE.match(a.name) and a.role not in UNHEARD and a.name not in KEPT]
    assert not typed, typed

    idle = ('filler', 'unknown', 'invalid', 'redundant object')
    vague = [tell(a) for a in everything if a.role in idle and a.name not in NEVER_FOCUSED and a.is_focusable]
    assert not vague, vague

    # The list of a table and the view that is scrolled hand the focus on to what is in them; a choice of a drop-down,
    # which GTK makes, is said by its label.
    handing_on = ('list', 'scroll pane', 'panel', 'label')
    nameless = [tell(a) for a in everything
                if not a.name and a.role not in handing_on
                and not (a.role == 'list item' and a.parent.name == 'GtkListView') and a.is_focusable]
    assert not nameless, nameless

    # A mnemonic, or a name said twice.
    odd = [tell(a) for a in everything if re.search(r'^_|^(.+) \1$', a.name) and a.is_focusable]
    assert not odd, odd


@case
def every_page_has_roles_and_names(directory):
    desktop = open_annotated(directory)
    everything = look(desktop)
    assert len(everything) > 500, len(everything)
    check(everything)
    desktop.close()


@case
def every_dialog_has_roles_and_names(directory):
    desktop = open_annotated(directory)
    before = {tell(a) for a in look_at(desktop.root)}
    for keys, text in (('ctrl+comma', 'Instruction Syntax'), ('ctrl+shift+d', 'No Notes'), ('F1', 'Find in the manual'),
                       ('ctrl+k', 'Find'), ('ctrl+r', 'What to Record')):
        desktop.key(keys)
        desktop.see(lambda name, text=text: name.startswith(text), text)
        check([a for a in look_at(desktop.root) if tell(a) not in before])
        desktop.key('Escape')
        desktop.focus_window()
    desktop.close()


@case
def every_table_has_a_name_and_titles(directory):
    desktop = open_annotated(directory)
    tables = [a for a in look(desktop) if a.role == 'tree table']
    assert len(tables) >= 8, [tell(a) for a in tables]
    for table in tables:
        assert table.name and not TYPE.match(table.name), tell(table)
        titles = next((a for a in look_at(table.accessible, table.parent) if a.name == 'Column titles'), None)
        assert titles, tell(table)
        words = [a.name for a in look_at(titles.accessible) if a.role == 'label' and not TYPE.match(a.name)]
        assert len(words) >= 3, (table.name, words)
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
