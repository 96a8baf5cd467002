#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pot.py --check finds what is stale, fuzzy, untranslated or wrong (TAP).

usage: test_pot.py POT.PY
"""

import os
import pathlib
import subprocess
import sys
import tempfile

POT = os.path.realpath(sys.argv[1])
SOURCE = 'const char *a = _ ("One word"), *b = _ ("%u words");\n'
HEADER = ('msgid ""\nmsgstr "Language: de\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
          '"Content-Transfer-Encoding: 8bit\\n"\n"Project-Id-Version: some\\n"\n"PO-Revision-Date: 2026-01-01 00:00+0000\\n"\n'
          '"Last-Translator: some\\n"\n"Language-Team: some\\n"\n\n')
ONE = 'msgid "One word"\nmsgstr "Ein Wort"\n\n'
MANY = '#, c-format\nmsgid "%u words"\nmsgstr "%u Wörter"\n'
CASES = [
    ('complete', SOURCE, HEADER + ONE + MANY, None),
    ('fuzzy', SOURCE, HEADER + '#, fuzzy\n' + ONE + MANY, 'untranslated or fuzzy'),
    ('untranslated', SOURCE, HEADER + ONE.replace('Ein Wort', '') + MANY, 'untranslated or fuzzy'),
    ('not merged', SOURCE, HEADER + ONE, 'untranslated or fuzzy'),
    ('wrong format', SOURCE, HEADER + ONE + MANY.replace('%u Wörter', '%s Wörter'), 'format'),
    ('another language', SOURCE, (HEADER + ONE + MANY).replace('Language: de', 'Language: fr'), 'another language'),
    ('stale', SOURCE + 'const char *c = _ ("Later");\n', HEADER + ONE + MANY + '\nmsgid "Later"\nmsgstr "Danach"\n', 'is stale'),
]


def check(tree):
    return subprocess.run([sys.executable, POT, tree, '--check'], stdout=subprocess.PIPE, text=True, check=False)


def try_case(source, po, expected):
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory)
        (tree / 'po').mkdir()
        (tree / 'po/POTFILES').write_text('a.c\n')
        (tree / 'po/LINGUAS').write_text('de\n')
        (tree / 'po/de.po').write_text(HEADER + ONE + MANY, encoding='utf-8')
        (tree / 'a.c').write_text(SOURCE)
        made = subprocess.run([sys.executable, POT, tree, '--write'], stdout=subprocess.PIPE, text=True, check=False)
        if made.returncode == 77:
            print(f'1..0 # {made.stdout.strip()}')
            sys.exit(0)
        (tree / 'a.c').write_text(source)
        (tree / 'po/de.po').write_text(po, encoding='utf-8')
        got = check(tree)
        return (got.returncode == 0) if expected is None else (got.returncode == 1 and expected in got.stdout), got.stdout


def main():
    failed = 0
    results = [(name, *try_case(*case)) for name, *case in CASES]
    print(f'1..{len(CASES)}')
    for number, (name, is_right, told) in enumerate(results, 1):
        failed += not is_right
        print(f'{"ok" if is_right else "not ok"} {number} - {name}')
        if not is_right:
            print(f'# {told.strip()}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
