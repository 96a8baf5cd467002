#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What those hear who do not see the window, and what they reach without a pointer.

usage: test_spoken.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import pathlib
import re
import shutil
import sys

from desktop import PATIENCE, Atspi, walk
from harness import CAPTURE, case, main, open_annotated, open_capture, open_endless

PAGES = {'code': 'Code', 'callers': 'Callers', 'map': 'Text Map', 'causes': 'Causes', 'occupants': 'Occupants',
         'recording': 'Recording'}


def page_is(desktop, name):
    return desktop.is_selected(name, ('page tab',))


def go_to(desktop, page):
    desktop.key('ctrl+' + str(list(PAGES).index(page) + 1))
    desktop.wait(lambda: page_is(desktop, PAGES[page]), 'the page ' + page)


def chips(desktop):
    return [text for text in desktop.texts() if text.startswith('Filter: ')]


def add_filter(desktop, text, chip):
    desktop.key('ctrl+l')
    desktop.wait(lambda: (desktop.focused() or desktop.root).get_role_name() in ('text', 'entry'), 'the entry of filters')
    desktop.type(text)
    desktop.key('Return')
    desktop.wait(lambda: chip in chips(desktop), 'the chip ' + chip)
    desktop.focus_window()


# What GTK names after itself has no name. Frames, panes and the lists inside of tables take the focus for a moment
# only, on its way to what is in them.
UNNAMED = re.compile(r'^(Gtk|Adw|Pen)[A-Z]\w+$|^$')
PASSED_THROUGH = ('scroll pane', 'split pane', 'filler', 'panel', 'viewport', 'list', 'page tab list', 'label')


@case
def everything_that_takes_the_focus_has_a_name(directory):
    desktop = open_annotated(directory)
    for page in PAGES:
        go_to(desktop, page)
    nameless = []
    for accessible in walk(desktop.root):
        if not accessible.get_state_set().contains(Atspi.StateType.FOCUSABLE):
            continue
        role = accessible.get_role_name()
        if UNNAMED.match(accessible.get_name()) and role not in PASSED_THROUGH:
            nameless.append((role, accessible.get_name(), accessible.get_description()))
    assert not nameless, nameless
    desktop.close()


@case
def rows_say_what_they_show(directory):
    desktop = open_annotated(directory)
    desktop.wait(lambda: re.search(r'^\S+, \w+, 508 samples, 11\.1\s%', desktop.row_name('Functions', 0)), 'a function')
    desktop.select('Annotation', 0)
    desktop.wait(lambda: re.search(r'^offset 0: nopl.*, version 1 of 5, 4 samples', desktop.row_name('Annotation', 0)),
                 'a patched line')
    desktop.see(lambda text: re.search(r'^Original\n', text), 'the first card of its history')
    desktop.see(lambda text: re.search(r'^Ftrace\n(.*\n)*Whole function: .* no significant difference', text), 'a comparison')
    go_to(desktop, 'causes')
    desktop.wait(lambda: re.search(r'^Ftrace, 34 flips, 7 sites, on for 5\.266 s in \d+ stretches, off for .* s, '
                                   r'not significant, sh \[126\]$', desktop.row_name('Causes', 0)), 'a cause')
    desktop.wait(lambda: re.search(r'^5\.83283\d, patch, 2 sites, Ftrace, ', desktop.row_name('Changes', 0)), 'its changes')
    go_to(desktop, 'occupants')
    desktop.wait(lambda: re.search(r'^\[kernel\.kallsyms\], Kernel, 3937 samples, 86\.1\s%, 85 changes, Entire recording$',
                                   desktop.row_name('Occupants', 0)), 'an occupant')
    desktop.close()


@case
def the_state_of_a_line_is_said_as_it_changes(directory):
    desktop = open_annotated(directory)
    desktop.select('Annotation', 0)
    desktop.key('alt+period')
    desktop.wait(lambda: re.search(r'^offset 0: call.*, version 2 of 5', desktop.row_name('Annotation', 0)),
                 'the second version')
    desktop.wait(lambda: 'playhead at 5.8' in desktop.describe('Timeline'), 'the playhead')
    desktop.act('win.first-text')
    desktop.wait(lambda: re.search(r'^offset 0: nopl.*, version 1 of 5', desktop.row_name('Annotation', 0)),
                 'the first version')
    desktop.close()


@case
def chips_are_added_excluded_and_removed(directory):
    desktop = open_annotated(directory)
    add_filter(desktop, 'comm:hot', 'Filter: comm: hot')
    desktop.see(lambda text: re.search(r'^[\d\s]+ of 4\s570 samples$', text), 'how many are left')
    add_filter(desktop, '!kind:dso', 'Filter: not kind: dso')
    desktop.press('Filter: comm: hot')
    desktop.wait(lambda: chips(desktop) == ['Filter: not kind: dso'], 'one chip to go')
    add_filter(desktop, 'changed', 'Filter: changed text only')
    desktop.key('ctrl+shift+l')
    desktop.wait(lambda: not chips(desktop), 'all chips to go')
    desktop.see(lambda text: re.search(r'^4\s570 samples$', text), 'all samples')
    desktop.close()


@case
def a_filter_that_means_nothing_is_said_to(directory):
    desktop = open_annotated(directory)
    desktop.key('ctrl+l')
    desktop.wait(lambda: (desktop.focused() or desktop.root).get_role_name() in ('text', 'entry'), 'the entry of filters')
    desktop.type('cpu:many')
    desktop.key('Return')
    desktop.see(lambda text: 'many' in text and text != 'cpu:many', 'what is wrong')
    desktop.key('Escape', 'Escape')
    desktop.focus_window()
    assert not chips(desktop)
    desktop.close()


@case
def places_are_gone_back_to(directory):
    desktop = open_annotated(directory)
    # Steps of one kind that follow each other closely are one place: these are of two.
    go_to(desktop, 'causes')
    add_filter(desktop, 'comm:hot', 'Filter: comm: hot')
    desktop.key('alt+Left')
    desktop.wait(lambda: not chips(desktop), 'the filter to go')
    assert page_is(desktop, 'Causes')
    assert desktop.describe('Back').startswith('Back to: '), desktop.describe('Back')
    desktop.press('Back')
    desktop.wait(lambda: page_is(desktop, 'Code'), 'the first page')
    desktop.press('Forward')
    desktop.wait(lambda: page_is(desktop, 'Causes'), 'the page after it')
    desktop.close()


@case
def a_note_is_written_and_found(directory):
    desktop = open_annotated(directory)
    desktop.select('Annotation', 0)
    desktop.see(lambda text: re.search(r'^vfs_read\+0x0', text), 'the heading of its history')
    desktop.key('ctrl+d')
    desktop.see(lambda text: text == 'Add Note', 'the dialog')
    desktop.wait(lambda: (desktop.focused() or desktop.root).get_name() == 'Note', 'its entry')
    desktop.type('why twice')
    desktop.key('Return')
    desktop.see_no(lambda text: text == 'Add Note', 'the dialog')
    desktop.focus_window()
    desktop.wait(lambda: 'Note: why twice' in desktop.row_name('Annotation', 0), 'the line to tell of it')
    desktop.key('ctrl+shift+d')
    desktop.see(lambda text: text == 'why twice', 'the list of notes')
    desktop.close()


@case
def the_text_map_is_walked_by_keys(directory):
    desktop = open_annotated(directory)
    go_to(desktop, 'map')
    def held():
        return desktop.describe('Text Map', ('image', 'graphic'))
    desktop.wait(lambda: re.search(r'\d+ samples', held()), 'what the map holds')
    whole = held()
    desktop.click(0.5, 0.2)
    desktop.key('F6')
    desktop.wait(lambda: (desktop.focused() or desktop.root).get_name() == 'Text Map', 'the map to have the focus')
    desktop.key('plus')
    desktop.wait(lambda: held() != whole, 'the zoom')
    desktop.key('0')
    desktop.wait(lambda: held() == whole, 'the whole')
    before = desktop.describe('Timeline')
    desktop.key('period')
    desktop.wait(lambda: desktop.describe('Timeline') != before, 'the next change')
    desktop.close()


@case
def a_line_is_found_in_the_code(directory):
    desktop = open_annotated(directory)
    desktop.click(0.5, 0.75)
    desktop.key('ctrl+f')
    desktop.wait(lambda: (desktop.focused() or desktop.root).get_role_name() in ('text', 'entry'), 'the entry to find in')
    desktop.type('push')
    desktop.see(lambda text: re.search(r'^\d+ of \d+$', text), 'how many there are')
    desktop.key('Escape')
    desktop.see_no(lambda text: re.search(r'^\d+ of \d+$', text), 'the count')
    desktop.close()


@case
def keys_are_listed_and_help_opens(directory):
    desktop = open_annotated(directory)
    desktop.key('ctrl+question')
    desktop.see(lambda text: text == 'Previous pane', 'the keys')
    desktop.key('Escape')
    desktop.focus_window()
    desktop.key('F1')
    desktop.see(lambda text: text.startswith('Find in the manual'), 'the manual')
    desktop.key('Escape')
    desktop.close()


@case
def an_empty_file_is_told_and_tried_again(directory):
    path = os.path.join(directory, 'perf.data')
    pathlib.Path(path).write_bytes(b'')
    desktop = open_capture(directory, path)
    desktop.see(lambda text: 'is empty' in text, 'what is wrong')
    desktop.see(lambda text: 'Record again' in text, 'what to do')
    os.remove(path)
    shutil.copytree(CAPTURE, path)
    desktop.press('Try Again')
    desktop.see(lambda text: text == 'vfs_read', 'what is there now')
    desktop.close()


@case
def a_missing_file_is_told(directory):
    desktop = open_capture(directory, os.path.join(directory, 'gone.data'))
    desktop.see(lambda text: 'gone.data' in text and 'No such file' in text, 'what is wrong')
    desktop.see(lambda text: text.startswith('Check the name'), 'what to do')
    desktop.close()


@case
def an_import_is_cancelled_by_its_button(directory):
    desktop, writer = open_endless(directory)
    desktop.see(lambda text: text == 'Progress of this stage', 'how far it is')
    desktop.press('Cancel')
    desktop.wait(lambda: desktop.root.get_child_at_index(0).get_name() == 'Pentimento', 'the start page')
    os.close(writer)
    desktop.close()


@case
def a_window_of_two_closes_during_its_import(directory):
    desktop, writer = open_endless(directory)
    desktop.act('window.close')
    assert desktop.process.wait(timeout=PATIENCE) == 0
    os.close(writer)


if __name__ == '__main__':
    sys.exit(main())
