#!/usr/bin/env python3
"""docs/fleet.md: each of its statements in ClickHouse and DuckDB, and their answers against the command line's (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import io
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

from fleet_document import STATEMENT, read_document
from harness import Skip, case, main, same

data, docs = (os.path.abspath(path) for path in sys.argv[2:4])
CAPTURES = [os.path.join(data, name) for name in sorted(os.listdir(data)) if name.endswith('.data')]
TABLES = ('buckets', 'changes', 'occupants', 'causes', 'capture')
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'ask-database.js')
# Two hosts that ran the same as the one of a recording; one of them has another text at one place.
TWIN, OTHER = '0000000000000123', 'feedfacefeedface'


def peer(name):
    root = os.environ.get('PENTIMENTO_PEERS')
    if not root:
        raise Skip('PENTIMENTO_PEERS is not set; ./dev peers fetches readers of others')
    for path in (os.path.join(root, 'node'), os.path.join(root, 'node_modules', *name.split('/'))):
        if not os.path.exists(path):
            raise Skip(path + ' is missing; ./dev peers fetches it')
    if shutil.which('zstd') is None:
        raise Skip('there is no zstd')
    return os.path.join(root, 'node'), os.path.join(root, 'node_modules')


def ask(w, engine, statements):
    node, modules = peer({'clickhouse': 'chdb', 'duckdb': '@duckdb/node-api'}[engine])
    got = subprocess.run([node, SCRIPT, modules, engine], input=json.dumps(statements).encode(), capture_output=True,
                         cwd=w.directory, env=w.env, timeout=240, check=False)
    assert got.returncode == 0, got.stderr.decode()
    return json.loads(got.stdout)


# ---- the same by the command line ----

class Capture:
    """What commands say of a recording."""

    def __init__(self, w, path, identity):
        self.id = identity
        info = {row['fact']: row['value'] for row in w.csv('info', path)}
        self.host, self.kernel = info.get('host', ''), info.get('kernel release', '')
        self.samples = w.csv('samples', path, '--callchain')
        self.buckets = w.csv('buckets', path)
        self.changes = w.csv('changes', path)
        self.occupants = w.csv('occupants', path, '--programs')
        self.causes = [row for row in w.csv('causes', path) if row['level'] == '1']
        self.programs = w.csv('cost', path, '--by=program')
        self.functions = w.csv('functions', path)
        self.patches = [row for row in self.changes if row['old'] and row['new'] and row['old'] != row['new']]
        self.has_chains = any(row['callchain'] for row in self.samples)
        times = [int(row['time']) for row in self.samples if row['time']]
        self.first, self.last = min(times), max(times)
        if identity in (TWIN, OTHER):
            self.host = identity
        if identity == OTHER:
            for row in self.buckets:
                if is_altered(row['kind'], row['symbol'], row['version'], row['cause']):
                    row['version'] = ALTERED


ALTERED = '0000000000000012'


def is_altered(kind, symbol, version, cause):
    """All instructions of a function that is sampled often."""
    return kind == 'kernel' and symbol == '__text_poke' and version and not cause


def make_host(w, identity, copied):
    """The files of one more host."""
    for table in TABLES:
        path = w.path('fleet/%s-%s.csv.zst' % (table, copied))
        text = subprocess.run(['zstd', '-dc', path], capture_output=True, check=True).stdout.decode()
        rows = list(csv.DictReader(io.StringIO(text, newline='')))
        out = io.StringIO(newline='')
        writer = csv.DictWriter(out, rows[0].keys() if rows else text.strip().split(','), lineterminator='\n')
        writer.writeheader()
        for row in rows:
            row['capture'] = identity
            if table == 'capture':
                row['host'] = identity
            if identity == OTHER and table == 'buckets' and is_altered(row['kind'], row['symbol'], row['version'], row['cause']):
                row['version'] = ALTERED
            writer.writerow(row)
        subprocess.run(['zstd', '-q', '-f', '-o', w.path('fleet/%s-%s.csv.zst' % (table, identity))],
                       input=out.getvalue().encode(), check=True)


def load(w):
    got = w.run('export', '--fleet=fleet', *CAPTURES).stderr.decode()
    ids = re.findall(r': ([0-9a-f]{16}): 5 new files\n', got)
    same(len(ids), len(CAPTURES))
    for identity in (TWIN, OTHER):
        make_host(w, identity, ids[-1])
    return [Capture(w, path, identity) for path, identity in
            zip(CAPTURES + 2 * CAPTURES[-1:], ids + [TWIN, OTHER])]


class Anything:
    """What rounding leaves nothing of."""


def rate(n, seconds):
    return n / seconds if seconds >= .4 else Anything


class Sums(dict):
    """Groups of rows: numbers by name, and the recordings and hosts that they are from."""

    def add(self, key, capture, **numbers):
        group = self.setdefault(key, collections.defaultdict(float, captures=set(), hosts=set()))
        group['captures'].add(capture.id)
        group['hosts'].add(capture.host)
        for name, number in numbers.items():
            group[name] += number


def number(text):
    return float(text) if text else 0.0


def patched_functions(captures):
    sums = Sums()
    for capture in captures:
        for row in capture.samples:
            if row['revision'] != '0':
                sums.add((row['symbol'], row['occupant']), capture, n=1)
    rows = [(symbol, occupant, len(group['hosts']), len(group['captures']), group['n'])
            for (symbol, occupant), group in sums.items()]
    return sorted(rows, key=lambda row: (-row[4], row[:2]))[:50]


def versions_of_a_line(captures):
    sums = Sums()
    for capture in captures:
        for row in capture.buckets:
            if row['symbol'] == 'vfs_read' and row['offset'] == '0x0':
                sums.add((capture.kernel, row['version'], row['cause']), capture, n=number(row['samples']),
                         stood=number(row['seconds']))
    rows = [key + (len(group['captures']), group['n'], group['stood']) for key, group in sums.items()]
    return sorted(rows, key=lambda row: (row[0], -row[4], row[1:3]))


def list_loads(captures):
    """(capture, tag, name, id) of each load: samples, seconds, beginning."""
    for capture in captures:
        tags = {row['bpf_id']: row['bpf_tag'] for row in capture.occupants if row['bpf_id']}
        names = {row['bpf_id']: row['bpf_name'] for row in capture.occupants if row['bpf_id']}
        for row in capture.programs:
            if row['bpf_id']:
                began = max(0, int(row['from'] or 0) - capture.first) / 1e9
                yield (capture, tags[row['bpf_id']], names[row['bpf_id']], int(row['bpf_id']), number(row['own']),
                       number(row['seconds']), began)


def programs_by_tag(captures):
    sums, names = Sums(), {}
    for capture, tag, name, _, own, seconds, _ in list_loads(captures):
        sums.add(tag, capture, own=own, seconds=seconds, loads=1)
        names[tag] = max(names.get(tag, ''), name)
    rows = [(tag, names[tag], group['loads'], len(group['captures']), group['own'], group['seconds'],
             rate(group['own'], group['seconds'])) for tag, group in sums.items()]
    return sorted(rows, key=lambda row: (-row[4], row[0]))[:50]


def programs_by_load(captures):
    rows = sorted((capture.id, name, began, bpf_id, tag, own, seconds)
                  for capture, tag, name, bpf_id, own, seconds, began in list_loads(captures) if name)
    answer, before = [], None
    for capture, name, _, bpf_id, tag, own, seconds in rows:
        is_next = before and before[:2] == (capture, name)
        answer.append((capture, name, bpf_id, tag, own, seconds, rate(own, seconds),
                       before[2] if is_next else None))
        before = capture, name, tag
    return answer


# The upper limit of a Poisson count of none.
MOST_OF_NONE = 3.688879


def recorded(row, state):
    """Seconds that the rate of a state is of."""
    samples, per_second, high = (number(row[state + name]) for name in ('', '_rate', '_high'))
    if per_second:
        return samples / per_second
    return MOST_OF_NONE / high if high else 0.0


def keys(captures):
    sums = Sums()
    for capture in captures:
        for row in capture.causes:
            if row['cause'] == 'static-key' and row['for'] and not row['for'].startswith('0x'):
                sums.add(row['for'], capture, flips=int(row['flips']), on=number(row['on_seconds']),
                         off=number(row['off_seconds']), on_samples=number(row['on']), off_samples=number(row['off']),
                         on_recorded=recorded(row, 'on'), off_recorded=recorded(row, 'off'))
    rows = [(name, group['flips'], len(group['captures']), group['on'], group['off'],
             *(rate(group[state + '_samples'], group[state + '_recorded']) if group[state + '_recorded'] else None
               for state in ('on', 'off'))) for name, group in sums.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:50]


def other_texts(captures):
    texts = collections.defaultdict(lambda: collections.defaultdict(set))
    for capture in captures:
        for row in capture.buckets:
            if row['kind'] in ('kernel', 'module') and not row['cause'] and row['version'] and row['symbol']:
                place = row['build'], row['symbol'], int(row['offset'], 16)
                texts[place][row['version']].add((capture.host, capture.id))
    rows = []
    for place, versions in texts.items():
        most = max(map(len, versions.values()))
        rows += [place + (version,) + holder for version, holders in versions.items() if len(holders) < most
                 for holder in holders]
    return sorted(rows)


def hottest(captures):
    shares = collections.defaultdict(list)
    for capture in captures:
        sums = collections.Counter()
        for row in capture.functions:
            if row['symbol'] and row['samples'] != '0':
                sums[row['symbol'], row['occupant']] += int(row['samples'])
        for key, n in sums.items():
            shares[key].append(n / len(capture.samples))
    rows = [key + (len(each), statistics.median(each), max(each)) for key, each in shares.items()]
    return sorted(rows, key=lambda row: (-row[4], row[:2]))[:50]


def patchers(captures):
    sums = Sums()
    for capture in captures:
        for row in capture.patches:
            sums.add((row['comm'], row['cause']), capture, n=1)
    rows = [key + (group['n'], len(group['captures'])) for key, group in sums.items()]
    return sorted(rows, key=lambda row: (-row[2], row[:2]))


def entries(captures):
    sums = Sums()
    for capture in captures:
        sites = collections.defaultdict(list)
        for row in capture.patches:
            sites[row['address']].append(row)
        for rows in sites.values():
            for row, after in zip(rows, rows[1:] + [None]):
                if (row['offset'] == '0x0' and row['kind'] == 'kernel' and row['cause'] in ('ftrace', 'bpf', 'livepatch')
                        and row['new'].startswith('e8')):
                    until = int(after['time']) if after else capture.last
                    stood = min(until, capture.last) - max(int(row['time']), capture.first)
                    sums.add((row['symbol'], row['cause']), capture, stood=max(0, stood) / 1e9)
    rows = [key + (len(group['captures']), group['stood']) for key, group in sums.items()]
    return sorted(rows, key=lambda row: (-round(row[3], 2), row[:2]))[:50]


def instrumentation(captures):
    sums = Sums()
    whole = sum(len(capture.samples) for capture in captures if capture.has_chains)
    for capture in captures:
        for row in capture.causes:
            if number(row['cost']) > 0:
                name = row['for'] if not row['for'].startswith('0x') else ''
                sums.add((row['cause'], name), capture, cost=int(row['cost']))
    rows = [key + (group['cost'], group['cost'] / whole) for key, group in sums.items()]
    return sorted(rows, key=lambda row: (-row[2], row[:2]))[:50]


def builds_of_files(captures):
    sums, builds = Sums(), collections.defaultdict(set)
    for capture in captures:
        for row in capture.buckets:
            if row['kind'] == 'dso':
                sums.add(row['occupant'], capture, n=int(row['samples']))
                builds[row['occupant']].add(row['build'])
    rows = [(name, len(builds[name]), len(group['captures']), group['n']) for name, group in sums.items()]
    return sorted(rows, key=lambda row: (-row[1], -row[3], row[0]))[:50]


def missing(captures):
    sums = Sums()
    for capture in captures:
        sums.add((capture.host, capture.kernel), capture, n=len(capture.samples), chains=not capture.has_chains)
    return sorted(key + (len(group['captures']), group['n'], 0, 0, group['chains']) for key, group in sums.items())


ANSWERS = {'1': patched_functions, '2': versions_of_a_line, '3': programs_by_tag, '4': programs_by_load, '5': keys,
           '6': other_texts, '7': hottest, '8': patchers, '9': entries, '10': instrumentation, '11': builds_of_files,
           '12': missing}


# ---- comparing ----

def is_near(found, told):
    if told is Anything:
        return True
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        return found is not None and abs(float(found) - told) <= max(.012, abs(told) * .004)
    return (found or None) == (told or None)


def compare(question, found, told):
    found = [tuple(row.values()) for row in found]
    assert len(found) == len(told), (question, len(found), len(told), found[:3], told[:3])
    assert found, 'no rows answer question %s' % question
    if question == '9':
        # Times that differ by less than they are rounded to may stand in another order.
        found, told = sorted(found), sorted(told)
    for mine, theirs in zip(found, told):
        same(len(mine), len(theirs))
        for a, b in zip(mine, theirs):
            assert is_near(a, b), (question, mine, theirs)


def count_unknown_costs(w):
    """Of recordings without callchains. A database that took them for 0 would say that it knows them."""
    n = 0
    for name in os.listdir(w.path('fleet')):
        if name.startswith('causes-'):
            text = subprocess.run(['zstd', '-dcq', w.path('fleet/' + name)], capture_output=True, check=True).stdout
            n += sum(row['cost'] == '' for row in csv.DictReader(io.StringIO(text.decode(), newline='')))
    assert n > 0
    return n


def check_engine(w, engine):
    document = read_document(docs)
    captures = load(w)
    statements, headings = [], []
    for heading, words, sql in document:
        if not words or words[0] == engine:
            statements.append(sql)
            headings.append(heading.split('.')[0])
    if engine == 'duckdb':
        views = STATEMENT.findall(w.text('export', '--fleet=fleet', '--duckdb'))
        statements, headings = [*views, *statements], [''] * len(views) + headings
    counts = ['SELECT sum(samples) AS n FROM buckets', 'SELECT count(*) AS n FROM capture',
              'SELECT count(*) AS n FROM causes WHERE cost IS NULL']
    answers = ask(w, engine, statements + counts)
    same([int(row[0]['n']) for row in answers[-3:]],
         [sum(len(capture.samples) for capture in captures), len(captures), count_unknown_costs(w)])
    asked = set()
    for heading, answer in zip(headings, answers):
        if heading in ANSWERS and heading not in asked:
            compare(heading, answer, ANSWERS[heading](captures))
            asked.add(heading)
    same(asked, set(ANSWERS))
    return headings, answers, captures


def check_changes_of_a_line(headings, answers, captures):
    """The second statement of question 2."""
    answer = [answer for heading, answer in zip(headings, answers) if heading == '2'][1]
    told = collections.Counter(row['cause'] for capture in captures for row in capture.patches
                               if row['symbol'] == 'vfs_read' and row['offset'] == '0x0')
    found = collections.Counter()
    for row in answer:
        found[row['cause']] += int(row['times'])
    same(found, told)
    versions = {row['version'] for capture in captures for row in capture.buckets if row['cause']
                and row['symbol'] == 'vfs_read' and row['offset'] == '0x0'}
    assert versions <= {row['version'] for row in answer}
    # One text is one digest.
    same(len({(row['version'], row['became']) for row in answer}), len({row['version'] for row in answer}))


@case
def clickhouse(w):
    check_changes_of_a_line(*check_engine(w, 'clickhouse'))


@case
def duckdb(w):
    check_changes_of_a_line(*check_engine(w, 'duckdb'))


@case
def loading_twice_adds_nothing(w):
    w.run('export', '--fleet=fleet', *CAPTURES)
    loads = [sql for _, words, sql in read_document(docs) if words[:1] == ['clickhouse']]
    counts = ['SELECT count(*) AS n FROM ' + table for table in TABLES]
    inserts = [sql for sql in loads if sql.startswith('INSERT')]
    same(len(inserts), len(TABLES))
    answers = ask(w, 'clickhouse', loads + counts + inserts + counts)
    n = len(counts)
    same(answers[-n:], answers[len(loads):len(loads) + n])


@case
def tables_as_the_program_prints_them(w):
    tables = [sql for _, words, sql in read_document(docs) if words == ['clickhouse', 'tables']]
    same([sql.strip() for sql in STATEMENT.findall(w.text('export', '--clickhouse'))], tables)
    assert len([sql for heading, _, sql in read_document(docs) if heading.split('.')[0] in ANSWERS]) > 10


main()
