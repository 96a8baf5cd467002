#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The help in other languages: help/LANGUAGE/LANGUAGE.po, for the languages of po/LINGUAS.

  translate.py build RULES PO TREE MANUAL PAGE...   write the pages of a language below TREE, and their text to MANUAL
  translate.py SOURCE --write                       merge what there is to be translated into each language
  translate.py SOURCE --check                       say what is missing or wrong; the exit status is 1 then

itstool reads and writes the pages. What terminals print is left as it is (help.its), and so are pictures. A text that a
language lacks stays English.
"""

import collections
import gettext
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TAGS = re.compile(r'<[^>]*>')
CODE = re.compile(r'<(code|file)>(.*?)</\1>', re.S)
HEADER = '''# Translation of the help of Pentimento.
#
msgid ""
msgstr ""
"Project-Id-Version: pentimento help\\n"
"Language: %s\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
'''


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit('%s: %s' % (command[0], done.stdout))
    return done.stdout


def build(rules, po, tree, manual, *pages):
    """Links of the pages to others and to pictures stay as they are: pictures are those of the English pages."""
    into = pathlib.Path(tree) / 'pentimento'
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        catalogue = pathlib.Path(temporary) / 'pages.mo'
        run('msgfmt', '-o', catalogue, po)
        run('itstool', '--strict', '-i', rules, '-m', catalogue, '--lang', pathlib.Path(po).stem, '-o', into, *pages)
    text = run(sys.executable, HERE / 'manual.py', *[into / pathlib.Path(page).name for page in pages])
    pathlib.Path(manual).write_text(text, encoding='utf-8')
    return 0


def make_template(source, pot):
    """Without the sums of pictures, and the names of translators, which itstool asks for."""
    run('itstool', '-i', source / 'help' / 'help.its', '-o', pot, *sorted((source / 'help' / 'C').glob('*.page')))
    messages = pot.read_text(encoding='utf-8').replace('#: %s/' % source, '#: ').split('\n\n')
    pot.write_text('\n\n'.join(message for message in messages if '\nmsgctxt "_"\n' not in message) + '\n', encoding='utf-8')


def languages(source):
    names = (source / 'po' / 'LINGUAS').read_text(encoding='utf-8').split('\n')
    return [name for name in names if name and not name.startswith('#')]


def catalogue_of(source, language):
    return source / 'help' / language / ('%s.po' % language)


def merge(po, language, pot, *options):
    if not po.exists():
        po.parent.mkdir(exist_ok=True)
        po.write_text(HEADER % language, encoding='utf-8')
    run('msgmerge', '--quiet', '--previous', '--no-location', *options, po, pot)


def write(source):
    with tempfile.TemporaryDirectory() as temporary:
        pot = pathlib.Path(temporary) / 'help.pot'
        make_template(source, pot)
        for language in languages(source):
            merge(catalogue_of(source, language), language, pot, '--update', '--backup=none')
    return 0


def texts(po, temporary):
    """{text: its translation}, of those that are used"""
    compiled = pathlib.Path(temporary) / 'texts.mo'
    run('msgfmt', '--check', '-o', compiled, po)
    with compiled.open('rb') as file:
        found = gettext.GNUTranslations(file)._catalog  # pylint: disable=protected-access
    return {text: translation for text, translation in found.items() if text}


def faults_of(name, text, translation):
    if collections.Counter(TAGS.findall(text)) != collections.Counter(TAGS.findall(translation)):
        yield '%s: other marks: %s' % (name, translation)
    elif collections.Counter(CODE.findall(text)) != collections.Counter(CODE.findall(translation)):
        yield '%s: code is translated: %s' % (name, translation)


def find_faults(source):
    with tempfile.TemporaryDirectory() as temporary:
        pot = pathlib.Path(temporary) / 'help.pot'
        make_template(source, pot)
        for language in languages(source):
            po, merged = catalogue_of(source, language), pathlib.Path(temporary) / 'merged.po'
            if not po.exists():
                yield '%s is missing' % po.relative_to(source)
                continue
            merge(po, language, pot, '-o', merged)
            for kind, option in (('is not translated', '--untranslated'), ('has to be looked at', '--only-fuzzy')):
                left = run('msgattrib', option, '--no-obsolete', '--no-wrap', merged)
                for line in re.findall(r'^msgid ("..*)', left, re.M):
                    yield '%s: %s: %s' % (po.relative_to(source), kind, line)
            for text, translation in texts(merged, temporary).items():
                yield from faults_of(po.relative_to(source), text, translation)


def main():
    if sys.argv[1] == 'build':
        return build(*sys.argv[2:])
    source = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] == ['--write']:
        return write(source)
    faults = list(find_faults(source))
    for fault in faults:
        print(fault)
    if faults:
        print('%d faults: ./dev pot merges what is new' % len(faults))
    return 1 if faults else 0


sys.exit(main())
