#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the help: valid, named in the build, to be reached from the index, without links to nowhere (TAP).

usage: test_help.py PENTIMENTO-CLI SOURCE MANUAL
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree

from harness import Skip, case, main, same

SOURCE, MANUAL = (pathlib.Path(path).resolve() for path in sys.argv[2:4])
PAGES = SOURCE / 'help' / 'C'
MALLARD = '{http://projectmallard.org/1.0/}'


def trees():
    """{name: the page}"""
    found = {path.stem: xml.etree.ElementTree.parse(path).getroot() for path in sorted(PAGES.glob('*.page'))}
    assert len(found) > 60, sorted(found)
    return found


def text(node):
    return re.sub(r'\s+', ' ', ''.join(node.itertext())).strip()


@case
def pages_are_valid(_):
    if not shutil.which('yelp-check'):
        raise Skip('no yelp-check')
    for command in ('validate', 'ids', 'links', 'orphans', 'media'):
        got = subprocess.run(['yelp-check', command, *map(str, sorted(PAGES.glob('*.page')))], capture_output=True, timeout=240,
                             cwd=PAGES)
        same((command, got.returncode, (got.stdout + got.stderr).decode()), (command, 0, ''))


@case
def pages_have_title_description_and_text(_):
    titles = {}
    for name, page in trees().items():
        same(page.get('id'), name)
        title, desc = page.find(MALLARD + 'title'), page.find('%sinfo/%sdesc' % (MALLARD, MALLARD))
        assert text(title), name
        assert 8 < len(text(desc)) < 80, (name, text(desc))
        assert not text(desc).endswith('.'), name
        assert text(title) not in titles, (name, titles[text(title)])
        titles[text(title)] = name
        if name != 'index':
            assert len(text(page)) > 120, name


@case
def one_command_records_everywhere(_):
    header = (SOURCE / 'src/app/pages/pen-record-command.h').read_text()
    commands = [''.join(re.findall(r'"([^"]*)"', words))
                for words in re.findall(r'#define PEN_RECORD_COMMAND\w*((?:\s|\\\n|"[^"]*")+)', header)]
    same(len(commands), 2)
    for file in ('README.md', 'docs/man/pentimento.1', 'help/C/record-perf.page'):
        shown = (SOURCE / file).read_text().replace('\\-', '-')
        for command in commands:
            assert command in shown, (file, command)
        assert shown.index(commands[0]) < shown.index(commands[1]), file


@case
def the_index_leads_to_each_page(_):
    pages = trees()
    groups = {section.get('id') for section in pages.pop('index').iter(MALLARD + 'section')}
    used = set()
    for name, page in pages.items():
        guides = [link.get('xref') for link in page.findall('%sinfo/%slink[@type="guide"]' % (MALLARD, MALLARD))]
        same((name, len(guides)), (name, 1))
        index, _, group = guides[0].partition('#')
        same((name, index, group in groups), (name, 'index', True))
        used.add(group)
    same(used, groups)


@case
def links_lead_somewhere(_):
    pages = trees()
    for name, page in pages.items():
        for link in page.iter(MALLARD + 'link'):
            assert (link.get('xref') or '').partition('#')[0] in pages, (name, link.attrib)
        for file in page.iter(MALLARD + 'file'):
            assert (SOURCE / file.text).is_file(), (name, file.text)
    for path in [SOURCE / 'README.md', SOURCE / 'CONTRIBUTING.md', *(SOURCE / 'docs').glob('*.md')]:
        for target in re.findall(r'\]\(([^)#]*\.page)\)', path.read_text(encoding='utf-8')):
            assert (path.parent / target).is_file(), (path, target)


@case
def the_build_names_each_page_and_picture(_):
    named = set(re.findall(r"'C/(\S+)'", (SOURCE / 'help' / 'meson.build').read_text(encoding='utf-8')))
    same(named, {str(path.relative_to(PAGES)) for path in PAGES.rglob('*') if path.is_file()})


@case
def each_view_has_a_page(_):
    """Where F1 leads; and each page of the window is among them."""
    pages = trees()
    source = (SOURCE / 'src/app/window/pen-window-help.c').read_text(encoding='utf-8')
    topics = set(re.findall(r'\] = "([a-z-]+)"', source))
    for words in re.findall(r'return [^;]*?"[^;]*;', source):
        topics |= set(re.findall(r'"([a-z-]+)"', words))
    assert {'annotation', 'callers', 'causes', 'changes', 'comparison', 'functions', 'heat-map', 'history', 'instants',
            'occupants', 'overview', 'recording', 'stacks-in-time', 'text-map'} <= topics, topics
    same(topics - set(pages), set())


def first_cells(page):
    return [[text(cell) for cell in row][:2] for row in page.iter(MALLARD + 'tr')][1:]


@case
def causes_and_evidence_are_those_of_the_program(_):
    pages = trees()
    palette = (SOURCE / 'src/draw/pixels/pen-palette.c').read_text(encoding='utf-8')
    causes = re.findall(r'NC_ \("cause", "([^"]+)"\), "(.)"', palette)
    assert len(causes) >= 9, causes
    same(sorted((name.lower(), letter) for name, letter in first_cells(pages['cause-words'])),
         sorted((name.lower(), letter) for name, letter in causes))
    words = (SOURCE / 'src/history/basics/pen-words.c').read_text(encoding='utf-8')
    evidence = set(re.findall(r'NC_ \("evidence", "([^"]+)"\)', words))
    assert len(evidence) >= 6, evidence
    same(evidence - {name for name, _ in first_cells(pages['evidence'])}, set())


@case
def one_text_has_all_pages(_):
    manual = MANUAL.read_text(encoding='utf-8')
    for name, page in trees().items():
        if name == 'index':
            continue
        same((name, manual.count('## %s {#%s}\n' % (text(page.find(MALLARD + 'title')), name))), (name, 1))
    assert not re.search(r'</?[a-z]+[ >/]', re.sub(r'`[^`]*`', '', manual))


@case
def pictures_are_shown_and_small(_):
    shown = {media.get('src') for page in trees().values() for media in page.iter(MALLARD + 'media')}
    files = {str(path.relative_to(PAGES)): path.read_bytes() for path in PAGES.glob('figures/*')}
    same(shown, set(files))
    assert sum(map(len, files.values())) < 1500000
    for name, held in files.items():
        assert held.startswith(b'\x89PNG'), name
        width, height = struct.unpack('>II', held[16:24])
        assert 600 <= width <= 1300 and 150 <= height <= 1000, (name, width, height)


main()
