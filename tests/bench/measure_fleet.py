"""How large a fleet is in a database, and how long its questions take.

Usage: measure_fleet.py CLI PEERS DIRECTORY CAPTURE…

PEERS: as ./dev peers prints it. DIRECTORY: for what is made; several GB. The recordings are exported; each of HOSTS (default: 60)
gets files of its own of all of them, which are loaded. In the database they are then multiplied until all have SAMPLES (default: 1e9).
No two are alike: counts differ by chance, as those of a Poisson distribution do, rows that so have no sample stand for another
instruction of their function, and recordings differ in length by some percent. Printed are rows, bytes, and seconds of the clock and of processors: of the
questions of docs/fleet.md the least of three. ENGINES: clickhouse,duckdb (default: both; DuckDB has the files alone).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import random
import re
import resource
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'cli'))
from fleet_document import STATEMENT, read_document  # noqa: E402 pylint: disable=wrong-import-position

CLI, PEERS, DIRECTORY = (os.path.abspath(word) for word in sys.argv[1:4])
CAPTURES = [os.path.abspath(word) for word in sys.argv[4:]]
HOSTS = int(os.environ.get('HOSTS', '60'))
SAMPLES = float(os.environ.get('SAMPLES', '1e9'))
ENGINES = os.environ.get('ENGINES', 'clickhouse,duckdb').split(',')
TABLES = ('buckets', 'changes', 'occupants', 'causes', 'capture')
SETTINGS = ' SETTINGS max_memory_usage = 5000000000, max_threads = 2'
# One place in all versions, by its key.
PLACE = 'SELECT c.kernel, b."offset", b.version, sum(b.samples) AS n FROM buckets AS b JOIN capture AS c ON c.capture = b.capture ' \
    "WHERE b.build IN (SELECT DISTINCT build FROM capture) AND b.kind = 'kernel' AND b.symbol = 'finish_task_switch.isra.0' " \
    'GROUP BY c.kernel, b."offset", b.version ORDER BY n DESC, c.kernel LIMIT 100;'


def say(words, *numbers):
    print(words % numbers, flush=True)


def export():
    """The real files. Returns: the recordings' IDs"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(DIRECTORY, 'cache'))
    began = time.monotonic()
    got = subprocess.run([CLI, 'export', '--fleet=real', *CAPTURES], cwd=DIRECTORY, env=env, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    say('import and export: %.1f s, %.1f s of processors', time.monotonic() - began,
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert got.returncode == 0, got.stderr.decode()
    ids = re.findall(r': ([0-9a-f]{16}): \d+ new file', got.stderr.decode())
    for table in TABLES:
        files = [os.path.join(DIRECTORY, 'real', '%s-%s.csv.zst' % (table, each)) for each in ids]
        say('  %s: %d bytes', table, sum(map(os.path.getsize, files)))
    return ids


def vary(text, chance):
    """Another recording of the same load."""
    lines = text.splitlines()
    longer = 1 + chance.random() / 20
    for i in range(1, len(lines)):
        head, samples, period, seconds = lines[i].rsplit(b',', 3)
        n = int(samples)
        more = max(0, round(chance.gauss(n, n ** 0.5)))
        if more == 0:
            fields = head.split(b',', 4)
            # Names with commas stand as they are.
            if fields[3].isdigit():
                fields[3] = b'%d' % (int(fields[3]) + chance.randrange(1, 64))
                head = b','.join(fields)
            more = 1
        stood = b'%.3f' % (float(seconds) * longer) if seconds else b''
        lines[i] = b'%s,%d,%d,%s' % (head, more, int(period) // n * more, stood)
    return b'\n'.join(lines) + b'\n'


def copy_to_hosts(ids):
    """For each host all files, with names of its own."""
    os.makedirs(os.path.join(DIRECTORY, 'fleet'), exist_ok=True)
    for identity in ids:
        for table in TABLES:
            name = os.path.join(DIRECTORY, 'real', '%s-%s.csv.zst' % (table, identity))
            text = subprocess.run(['zstd', '-dc', name], capture_output=True, check=True).stdout
            for host in range(HOSTS):
                own = b'%02x' % host + identity.encode()[2:]
                mine = text.replace(identity.encode(), own)
                if table == 'buckets':
                    mine = vary(mine, random.Random(host))
                if table == 'capture':
                    mine = re.sub(b'^(%s),[^,]*,' % own, b'\\1,host%d,' % host, mine, flags=re.M)
                with open(os.path.join(DIRECTORY, 'fleet', '%s-%s.csv.zst' % (table, own.decode())), 'wb') as file:
                    subprocess.run(['zstd', '-q', '-3'], input=mine, stdout=file, check=True)


class Engine:
    def __init__(self, name):
        directory = os.path.join(DIRECTORY, name)
        os.makedirs(directory, exist_ok=True)
        self.process = subprocess.Popen(
            [os.path.join(PEERS, 'node'), os.path.join(ROOT, 'tests', 'bench', 'measure-fleet.js'),
             os.path.join(PEERS, 'node_modules'), name, directory],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=DIRECTORY)
        self.memory = 0

    def ask(self, sql, times=1):
        self.process.stdin.write(json.dumps({'sql': sql, 'times': times}).encode() + b'\n')
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.memory = max(self.memory, answer['memory'])
        return answer

    def get(self, sql):
        return {name: float(value) for name, value in self.ask(sql)['rows'][0].items()}

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        say('  most memory: %.2f GB', self.memory / 1e9)


def ask_questions(engine, settings):
    for heading, words, sql in read_document(os.path.join(ROOT, 'docs')):
        number = heading.split('.')[0]
        if not words and number.isdigit():
            got = engine.ask(sql.rstrip(';') + settings, 3)
            say('  question %s: %.2f s, %.2f s of processors, %d rows', number, got['seconds'], got['cpu'], got['n'])
    got = engine.ask(PLACE.rstrip(';') + settings, 3)
    say('  one function: %.2f s, %.2f s of processors, %d rows', got['seconds'], got['cpu'], got['n'])


def tell_size(engine):
    whole = engine.get('SELECT count(*) AS n, sum(samples) AS samples FROM buckets')
    sizes = {row['table']: float(row['bytes']) for row in engine.ask(
        'SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table')['rows']}
    say('  %.0f samples in %.0f rows: %.0f MB, %.2f bytes a row, %.3f a sample; the other tables %.0f MB', whole['samples'],
        whole['n'], sizes['buckets'] / 1e6, sizes['buckets'] / whole['n'], sizes['buckets'] / whole['samples'],
        sum(size for table, size in sizes.items() if table != 'buckets') / 1e6)
    for row in engine.ask("SELECT name, data_compressed_bytes AS n FROM system.columns WHERE table = 'buckets' AND "
                          'database = currentDatabase() ORDER BY n DESC')['rows']:
        say('    %s: %.2f bytes a row', row['name'], float(row['n']) / whole['n'])


def list_columns(engine, table, n):
    """Of copy N of a table's rows."""
    own = 'lower(hex(cityHash64(capture, %d)))' % n
    by_chance = 'cityHash64(capture, %d, symbol, "offset", version)' % n
    other = {'capture': own}
    if table == 'buckets':
        # Of equal distribution, with the deviation of a Poisson distribution.
        more = 'greatest(1, round(samples + sqrt(samples) * 1.732 * (%s %% 2001 / 1000 - 1)))' % by_chance
        other.update({'samples': 'toUInt64(%s)' % more, 'period': 'toUInt64(intDiv(period, samples) * %s)' % more,
                      'offset': 'if(samples = 1 AND %s %% 100 < 37, "offset" + 1 + %s %% 63, "offset")' % (by_chance, by_chance),
                      'seconds': 'round(seconds * (1 + cityHash64(capture, %d) %% 1000 / 20000), 3)' % n})
    names = [row['name'] for row in engine.ask(
        "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '%s' ORDER BY position" % table)['rows']]
    return ', '.join('%s AS new_%s' % (other.get(name, '"%s"' % name), name) for name in names)


def multiply(engine):
    """Adds recordings of each host, as vary() does."""
    now = engine.get('SELECT sum(samples) AS samples, count(*) AS n FROM buckets')
    times = max(0, round(SAMPLES / now['samples']) - 1)
    began, cpu = time.monotonic(), 0
    for n in range(1, times + 1):
        for table in TABLES:
            cpu += engine.ask('INSERT INTO %s SELECT %s FROM %s WHERE capture IN (SELECT capture FROM first)%s' % (
                table, list_columns(engine, table, n), table, SETTINGS))['cpu']
    more = engine.get('SELECT count(*) AS n FROM buckets')['n'] - now['n']
    if times:
        say('  multiplied %d times in the database: %.0f rows/s, %.0f rows in a second of processors', times,
            more / (time.monotonic() - began), more / cpu)


def measure_clickhouse():
    engine = Engine('clickhouse')
    for sql in STATEMENT.findall(subprocess.run([CLI, 'export', '--clickhouse'], capture_output=True, check=True).stdout.decode()):
        engine.ask(sql)
    seconds = cpu = 0
    for _, words, sql in read_document(os.path.join(ROOT, 'docs')):
        if words == ['clickhouse']:
            got = engine.ask(sql.rstrip(';') + SETTINGS)
            if sql.startswith('INSERT INTO buckets'):
                seconds, cpu = got['seconds'], got['cpu']
    rows = engine.get('SELECT count(*) AS n FROM buckets')['n']
    say('  load from files: %.0f rows/s, %.0f rows in a second of processors', rows / seconds, rows / cpu)
    tell_size(engine)
    ask_questions(engine, SETTINGS)
    engine.ask('CREATE TABLE first ENGINE = MergeTree ORDER BY capture AS SELECT capture FROM capture')
    multiply(engine)
    got = engine.ask('OPTIMIZE TABLE buckets FINAL')
    say('  merged into one part: %.0f s, %.0f s of processors', got['seconds'], got['cpu'])
    tell_size(engine)
    ask_questions(engine, SETTINGS)
    engine.end()


def measure_duckdb():
    engine = Engine('duckdb')
    for sql in STATEMENT.findall(subprocess.run([CLI, 'export', '--fleet=' + os.path.join(DIRECTORY, 'fleet'), '--duckdb'],
                                                capture_output=True, check=True).stdout.decode()):
        engine.ask(sql)
    engine.ask('SET threads = 2')
    ask_questions(engine, '')
    engine.end()


def main():
    os.makedirs(DIRECTORY, exist_ok=True)
    ids = export()
    copy_to_hosts(ids)
    for name in ENGINES:
        say('%s', name)
        {'clickhouse': measure_clickhouse, 'duckdb': measure_duckdb}[name]()


main()
