#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The application from outside: a real pointer, real keys, and what assistive technology is told.

usage: test_desktop.py PENTIMENTO PENTIMENTO-CLI DATA
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from desktop import PATIENCE
from harness import CAPTURE, CLI, DATA, case, main, open_annotated, open_capture, open_endless


def is_time_chip(text):
    return re.search(r'^time \d', text)


def is_part(text):
    return re.search(r'^[\d\s]+ of 4\s570 samples$', text)


def shown(desktop):
    return re.match(r'([\d.]+) s to ([\d.]+) s shown', desktop.describe('Timeline')).groups()


@case
def drag_filters_and_can_be_undone(directory):
    desktop = open_annotated(directory)
    desktop.drag(0.3, 0.2, 0.6, 0.2)
    desktop.see(is_time_chip, 'the chip of the time')
    desktop.see(is_part, 'how many samples are left')
    desktop.key('Escape')
    desktop.see_no(is_time_chip, 'the chip')
    desktop.see(lambda text: re.search(r'^4\s570 samples$', text), 'all samples')
    desktop.key('alt+Left')
    desktop.see(is_time_chip, 'the chip, once more')
    desktop.key('alt+Right')
    desktop.see_no(is_time_chip, 'the chip')
    desktop.close()


@case
def wheel_zooms_at_the_pointer(directory):
    desktop = open_annotated(directory)
    whole = shown(desktop)

    def turn():
        """The first turn after the pointer came tells GTK only from where the wheel is turned."""
        desktop.click(0.5, 0.2, button=4)
        return shown(desktop) != whole
    desktop.wait(turn, 'the zoom')
    part = shown(desktop)
    assert float(part[0]) > float(whole[0]) and float(part[1]) < float(whole[1]), (whole, part)
    desktop.click(0.5, 0.2)
    desktop.key('0')
    desktop.wait(lambda: shown(desktop) == whole, 'the whole')
    desktop.close()


@case
def a_patched_line_tells_its_history(directory):
    desktop = open_annotated(directory)
    desktop.select('Annotation', 0)
    desktop.see(lambda text: re.search(r'^vfs_read\+0x0 · \d+ changes$', text), 'the heading of its history')
    desktop.see(lambda text: re.search(r'^by sh \[126\]', text), 'who did it')
    # The first card is of the text before all patches.
    desktop.press_nth('Details of this version', 1)
    desktop.see(lambda text: re.search(r'^A 5-byte nop at the entry of vfs_read became', text), 'the reason')
    desktop.close()


@case
def keys_step_through_the_changes(directory):
    desktop = open_annotated(directory)
    desktop.select('Annotation', 0)
    desktop.see(lambda text: text == 'At start of recording', 'the text at the start')
    before = desktop.row('Annotation', 0)
    assert any('nopl' in text for text in before), before
    desktop.key('alt+period')
    desktop.see(lambda text: re.search(r'^As of 5\.\d+ s$', text), 'the text after the first patch')
    desktop.wait(lambda: any('call' in text for text in desktop.row('Annotation', 0)), 'the call')
    desktop.press('Next change')
    desktop.see(lambda text: re.search(r'^As of 6\.\d+ s$', text), 'the text after the second patch')
    desktop.key('alt+comma')
    desktop.see(lambda text: re.search(r'^As of 5\.\d+ s$', text), 'the text after the first patch')
    desktop.close()


@case
def a_function_is_found_by_its_name(directory):
    desktop = open_annotated(directory)
    desktop.key('ctrl+f')
    desktop.type('read_zero')
    desktop.wait(lambda: 'read_zero' in desktop.row('Functions', 0), 'the list to hold it alone')
    desktop.select('Functions', 0)
    desktop.see(lambda text: re.search(r'^396 samples \(8\.7 %\)', text), 'its samples')
    desktop.close()


@case
def what_is_shown_is_exported(directory):
    desktop = open_annotated(directory)
    target = pathlib.Path(directory) / 'functions.csv'
    desktop.key('ctrl+e')
    desktop.see(lambda text: text == 'Export as CSV', 'the dialog')
    desktop.key('ctrl+a')
    desktop.type(str(target))
    desktop.key('Return')
    expected = subprocess.run([CLI, 'functions', CAPTURE, '--format=csv'], check=True, capture_output=True).stdout
    desktop.wait(lambda: target.exists() and target.read_bytes() == expected, 'the file')
    desktop.close()


@case
def a_file_that_is_no_recording_is_told(directory):
    path = os.path.join(directory, 'picture.data')
    pathlib.Path(path).write_bytes(b'\x89PNG\r\n\x1a\n' + bytes(200))
    desktop = open_capture(directory, path)
    desktop.see(lambda text: 'picture.data' in text and 'not a' in text, 'what is wrong')
    desktop.close()


@case
def an_import_is_cancelled(directory):
    desktop, writer = open_endless(directory)
    desktop.key('Escape')
    desktop.wait(lambda: desktop.root.get_child_at_index(0).get_name() == 'Pentimento', 'the start page')
    os.close(writer)
    desktop.close()


@case
def a_window_closes_during_an_import(directory):
    desktop, writer = open_endless(directory)
    desktop.key('ctrl+w')
    assert desktop.process.wait(timeout=PATIENCE) == 0
    os.close(writer)


@case
def a_file_that_is_no_recording_gets_a_page(directory):
    path = os.path.join(directory, 'notes.data')
    pathlib.Path(path).write_text('what I did today')
    desktop = open_capture(directory, path)
    desktop.see(lambda text: text == '“notes.data” Is Not a Recording', 'the title of the page')
    desktop.see(lambda text: 'has no perf.data signature' in text, 'what is wrong with it')
    desktop.see(lambda text: text.startswith(('sudo perf record', 'sudo pentimento-cli record')), 'a command that records')
    # It was the wrong file, under the right name.
    shutil.copy(os.path.join(DATA, 'a-pipe.data'), path)
    desktop.press('Try Again')
    desktop.see(lambda text: re.search(r'^[\d\s]+ samples$', text), 'its samples')
    desktop.close()


@case
def a_recording_without_samples_gets_a_page(directory):
    path = os.path.join(directory, 'cut.data')
    pathlib.Path(path).write_bytes(pathlib.Path(DATA, 'a-pipe.data').read_bytes()[:3000])
    desktop = open_capture(directory, path)
    desktop.see(lambda text: text == 'Nothing to Show in “cut.data”', 'the title of the page')
    desktop.see(lambda text: 'ends before the first sample' in text, 'why')
    desktop.press('Show Recording')
    desktop.see(lambda text: text == 'Recording Quality', 'what there is of it')
    desktop.close()


@case
def a_menu_that_chose_leaves_nothing_behind(directory):
    desktop = open_capture(directory, os.path.join(DATA, 'd-bpf.data'))
    desktop.see(lambda text: re.search(r'^1\s564 samples$', text), 'its samples')
    desktop.key('ctrl+5')
    desktop.wait(lambda: desktop.is_selected('Occupants', ('page tab',)), 'the page')
    desktop.wait(lambda: desktop.row('Occupants', 12), 'the rows')

    def ask():
        """The page may be there, and not yet where the pointer is."""
        desktop.click(0.15, 0.6, button=3)
        end = time.monotonic() + 20  # one look takes seconds beside other work
        while not desktop.find('Only This') and time.monotonic() < end:
            time.sleep(0.05)
        return desktop.find('Only This')
    desktop.wait(ask, 'the menu of a row')
    desktop.key('Return')
    desktop.see(lambda text: re.search(r'^occupant: ', text), 'what it may be narrowed to')
    time.sleep(1)  # the menu slides there
    # At once, so that GTK has the pointer in a menu that is closed.
    desktop.key('Down', 'Return')
    desktop.see(lambda text: text.startswith('Filter: '), 'the chip')
    time.sleep(2)
    desktop.key('ctrl+shift+l')
    desktop.see(lambda text: re.search(r'^1\s564 samples$', text), 'all samples')
    desktop.see_no(lambda text: text.startswith('Filter: '), 'the chip')
    desktop.close()


if __name__ == '__main__':
    sys.exit(main())
