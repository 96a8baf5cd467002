#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""manual.py INDEX PAGE...: the pages of the help as one text (Markdown), in the order of the index's groups.

The window shows it where there is no program for help, and the command line's package has it as a file. Pages are in the
order of the arguments within their group. Pictures are left out. A page's title has its name behind it: {#name}.
"""

import re
import sys
import xml.etree.ElementTree

MALLARD = '{http://projectmallard.org/1.0/}'
MARKS = {'code': '`', 'file': '`', 'gui': '*', 'em': '*'}


class Page:
    """A page, its name and the group of the index that it is in."""

    def __init__(self, path):
        self.root = xml.etree.ElementTree.parse(path).getroot()
        self.name = self.root.get('id')
        self.title = words(self.root.find(MALLARD + 'title'), {})
        guide = self.root.find('%sinfo/%slink[@type="guide"]' % (MALLARD, MALLARD))
        self.group = guide.get('xref').split('#')[1] if guide is not None else None


def plain(text):
    return re.sub(r'\s+', ' ', text or '')


def words(node, titles):
    """Text with its marks; @titles of pages, for links without text."""
    text = plain(node.text)
    for child in node:
        tag = child.tag.replace(MALLARD, '')
        inner = words(child, titles)
        if tag == 'keyseq':
            inner = '+'.join(key.text for key in child)
        elif tag == 'link':
            name = child.get('xref')
            inner = '[%s](#%s)' % (inner or titles[name], name)
        elif tag == 'em' and child.get('style') == 'strong':
            inner = '**%s**' % inner
        else:
            # A key that is a sign would be read as one: "." and ",".
            mark = MARKS.get(tag, '`' if len(inner) == 1 else '')
            inner = mark + inner + mark
        text += inner + plain(child.tail)
    return text


def rows(table, titles):
    """Rows of a table, the first of them of titles."""
    lines = []
    for row in table.iter(MALLARD + 'tr'):
        cells = [words(cell.find(MALLARD + 'p'), titles).strip() for cell in row]
        lines.append('| %s |' % ' | '.join(cells))
        if len(lines) == 1:
            if table.find(MALLARD + 'thead') is None:
                lines.insert(0, '|' + ' |' * len(cells))
            lines.insert(1, '|' + '---|' * len(cells))
    return lines


def blocks(parent, titles):
    """The lines of what is in a page or section, blocks apart by an empty one."""
    for node in parent:
        tag = node.tag.replace(MALLARD, '')
        if tag == 'p':
            yield words(node, titles).strip()
        elif tag == 'screen':
            yield from ('    ' + line for line in node.text.strip('\n').split('\n'))
        elif tag == 'list':
            numbered = node.get('type') == 'numbered'
            for number, item in enumerate(node, 1):
                mark = '%d. ' % number if numbered else '- '
                yield mark + words(item.find(MALLARD + 'p'), titles).strip()
        elif tag == 'table':
            yield from rows(node, titles)
        elif tag == 'section':
            yield '### ' + words(node.find(MALLARD + 'title'), titles)
            yield ''
            yield from blocks(node, titles)
            continue
        elif tag in ('info', 'title', 'media'):
            continue
        else:
            raise SystemExit('%s: no text is made of this' % tag)
        yield ''


def main():
    index = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    pages = [Page(path) for path in sys.argv[2:]]
    titles = {page.name: page.title for page in pages}
    for section in index.iter(MALLARD + 'section'):
        print('# %s\n' % words(section.find(MALLARD + 'title'), titles))
        for page in pages:
            if page.group == section.get('id'):
                print('## %s {#%s}\n' % (page.title, page.name))
                print('\n'.join(blocks(page.root, titles)))


if __name__ == '__main__':
    sys.stdout.reconfigure(encoding='utf-8')
    main()
