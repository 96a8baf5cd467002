#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One dialect, where .clang-format leaves two, and no hash that a capture can aim at: prints what is written
otherwise, and fails then."""

import re
import sys

# A pointer is a condition by itself; as a value, "p != NULL" makes a gboolean of it.
EQUAL = re.compile(r'== NULL\b')
UNEQUAL = re.compile(r'(?:if|while) \([^()]*(?:\([^()]*\))?[^()]* != NULL\)|!= NULL (?:&&|\|\||\?)|(?:&&|\|\|) [\w>.\[\]*-]+ != NULL')
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|//.*')
# A capture chooses the keys of nearly every table (src/history/pen-table-hash.h); the chunk has a table of its own.
GUESSED_HASH = re.compile(r'\bg_(?:str|int|int64|double|direct|bytes)_hash\b|g_hash_table_new(?:_full)? \(NULL'
                          r'|\bg_string_chunk_insert_const\b')
NO_TYPE = r'(?!(?:return|goto|break|continue|else|case|default)\b)'
DECLARATION = re.compile(
    r'\s*(?:(?:const|static|struct|enum|union|unsigned|volatile|G_GNUC_UNUSED|g_auto\w*)\b|' + NO_TYPE
    + r'[A-Za-z_]\w*(?:\s*\*+\s*(?:const\s+)?|\s+)[A-Za-z_]\w*\s*(?:\[.*\])?\s*(?:=|;|,|$))')


def starts_statement(line):
    line = line.rstrip()
    return not line or line.endswith((';', '{', '}', ':', '*/'))


def follows_declarations(lines, number):
    """Whether the statement that ends before line NUMBER declares something."""
    last = lines[number - 1].rstrip()
    if last.strip() == '};' or last.endswith(('*/', '\\')) or last.startswith('#'):
        return True
    if not last.endswith(';'):
        return False
    first = number - 1
    while first > 0 and not starts_statement(lines[first - 1]):
        first -= 1
    return bool(DECLARATION.match(lines[first]))


def check(path):
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    for number, line in enumerate(lines):
        code = TEXT.sub('""', line)
        if not code.lstrip().startswith('*') and (EQUAL.search(code) or UNEQUAL.search(code)):
            yield f'{path}:{number + 1}: a pointer is compared with NULL: {line.strip()}'
        if path.startswith('src/') and GUESSED_HASH.search(code):
            yield f'{path}:{number + 1}: a hash that everybody can compute (pen-table-hash.h, pen-names.h): {line.strip()}'
        if not line.strip() and number and number + 1 < len(lines) \
                and re.match(r'\s+return\b', lines[number + 1]) and not follows_declarations(lines, number):
            yield f'{path}:{number + 2}: a blank line before return'


def main():
    problems = [problem for path in sys.argv[1:] for problem in check(path)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
