"""The statements of docs/fleet.md.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re

STATEMENT = re.compile(r'(?:[^;\']|\'[^\']*\')+;')


def read_document(docs):
    """[(heading, words after sql, statement)], in their order."""
    with open(os.path.join(docs, 'fleet.md'), encoding='utf-8') as file:
        text = file.read()
    found = []
    for part in re.split(r'^#+ ', text, flags=re.M)[1:]:
        heading = part.split('\n')[0]
        for words, body in re.findall(r'^```sql(.*?)\n(.*?)^```$', part, re.M | re.S):
            found += [(heading, words.split(), each.strip()) for each in STATEMENT.findall(body) if each.strip()]
    return found
