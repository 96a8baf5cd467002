#!/usr/bin/env python3
"""export: what is in the files, decoded here plainly and by the readers of others (TAP).

Their readers are in the directory PENTIMENTO_PEERS, which `./dev peers` makes; without them, these
cases are skipped.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import time

from harness import Skip, case, main, same

data, waiting = (os.path.abspath(path) for path in sys.argv[2:4])
CHAINS, PLAIN, BUILD_IDS = (os.path.join(data, name)
                            for name in ('f-everything-z.data', 'b-ftrace.data', 'k7-d-bpf.data'))
FORMATS = {'folded': 'folded', 'pprof': 'pb.gz', 'firefox': 'json.gz', 'speedscope': 'speedscope.json'}
FILTERS = [[], ['--time', '30%,60%'], ['--kind', 'bpf,stub'], ['--comm', 'hot'], ['--cpu', '0', '--changed'],
           ['--symbol', 'vfs_read']]
NOWHERE = ['--event', 'no-such-event']
MARKS = 'Kernel text'


def write(w, capture, to, *more):
    name = 'out.' + FORMATS[to]
    w.run('export', capture, '--to=' + to, '-o', name, *more)
    return w.path(name)


def read_stacks(w, capture, *more):
    """(comm, path) → samples, period: as `stacks` prints them."""
    rows = json.loads(w.text('stacks', capture, '--format=json', *more))
    return {(row['comm'], tuple(row['stack'])): (row['samples'], row['period']) for row in rows}


def read_waits(w, capture):
    rows = json.loads(w.text('stacks', capture, '--measure=off-cpu', '--format=json'))
    return whole({(row['comm'], tuple(row['stack'])): (row['waits'], row['off_cpu']) for row in rows})


# ---- pprof: https://github.com/google/pprof/blob/main/proto/profile.proto

def read_varint(octets, at):
    value = shift = 0
    while True:
        value |= (octets[at] & 0x7f) << shift
        shift += 7
        at += 1
        if octets[at - 1] < 0x80:
            return value, at


def read_fields(octets):
    """(number, value) of each field: numbers, and bytes."""
    at = 0
    while at < len(octets):
        tag, at = read_varint(octets, at)
        if tag & 7 == 0:
            value, at = read_varint(octets, at)
        else:
            same(tag & 7, 2)
            length, at = read_varint(octets, at)
            value, at = octets[at:at + length], at + length
            same(len(value), length)
        yield tag >> 3, value


def read_packed(octets):
    values, at = [], 0
    while at < len(octets):
        value, at = read_varint(octets, at)
        values.append(value)
    return values


class Pprof:
    def __init__(self, path):
        with gzip.open(path) as file:
            fields = list(read_fields(file.read()))
        self.strings = [value.decode() for field, value in fields if field == 6]
        same(self.strings[0], '')
        tables = {field: [dict(read_fields(value)) for number, value in fields if number == field]
                  for field in (1, 3, 4, 5)}
        self.types = [(self.strings[row[1]], self.strings[row[2]]) for row in tables[1]]
        functions = {row[1]: self.strings[row[2]] for row in tables[5]}
        self.mappings = {row[1]: self.strings[row[5]] for row in tables[3]}
        self.build_ids = {self.strings[row[5]]: self.strings[row.get(6, 0)] for row in tables[3]}
        locations = {row[1]: (functions[dict(read_fields(row[4]))[1]], self.mappings.get(row.get(2)), row.get(3, 0))
                     for row in tables[4]}
        same((len(functions), len(locations)), (len(tables[5]), len(tables[4])))
        self.default = self.strings[dict((field, value) for field, value in fields if field == 14)[14]]
        self.samples = []
        for field, value in fields:
            if field != 2:
                continue
            parts = list(read_fields(value))
            labels = {}
            for label in (dict(read_fields(part)) for number, part in parts if number == 3):
                labels[self.strings[label[1]]] = self.strings[label[2]] if 2 in label else label.get(3, 0)
            self.samples.append(([locations[i] for i in read_packed(dict(parts)[1])], read_packed(dict(parts)[2]), labels))

    def total(self):
        return sum(values[0] for _, values, _ in self.samples)

    def stacks(self):
        """As read_stacks() has them."""
        stacks = collections.defaultdict(lambda: [0, 0])
        for locations, values, labels in self.samples:
            counts = stacks[labels['comm'], tuple(name for name, _, _ in locations[::-1])]
            counts[0] += values[0]
            counts[1] += values[1]
        return {key: tuple(counts) for key, counts in stacks.items()}


# ---- Firefox

class Firefox:
    def __init__(self, path):
        with gzip.open(path) as file:
            self.profile = json.load(file)
        shared = self.profile['shared']
        for table in ['stackTable', 'frameTable', 'funcTable', 'resourceTable', 'nativeSymbols', 'sources']:
            check_columns(shared[table])
        self.strings = shared['stringArray']
        self.frames = [self.strings[shared['funcTable']['name'][func]] for func in shared['frameTable']['func']]
        self.paths = []
        for frame, prefix in zip(shared['stackTable']['frame'], shared['stackTable']['prefix']):
            self.paths.append((() if prefix is None else self.paths[prefix]) + (self.frames[frame],))
        same(self.profile['threads'][0]['name'], MARKS)
        self.tasks = self.profile['threads'][1:]
        for thread in self.profile['threads']:
            check_columns(thread['samples'])
            check_columns(thread['markers'])

    def total(self):
        return sum(thread['samples']['length'] for thread in self.tasks)

    def stacks(self):
        stacks = collections.Counter()
        for thread in self.tasks:
            for stack in thread['samples']['stack']:
                stacks[thread['name'], self.paths[stack]] += 1
        return dict(stacks)

    def marks(self):
        markers = self.profile['threads'][0]['markers']
        return list(zip(markers['data'], markers['startTime'], markers['endTime']))


def check_columns(table):
    for name, column in table.items():
        assert not isinstance(column, list) or len(column) == table['length'], (name, table['length'], len(column))


# ---- speedscope

class Speedscope:
    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            self.profile = json.load(file)
        self.frames = [frame['name'] for frame in self.profile['shared']['frames']]
        for profile in self.profile['profiles']:
            same(len(profile['samples']), len(profile['weights']))
            same(sum(profile['weights']), profile['endValue'] - profile['startValue'])

    def total(self):
        return sum(profile['endValue'] for profile in self.profile['profiles'])

    def stacks(self):
        stacks = collections.Counter()
        for profile in self.profile['profiles']:
            comm = re.sub(r' -?\d+/-?\d+$', '', profile['name'])
            for frames, weight in zip(profile['samples'], profile['weights']):
                stacks[comm, tuple(self.frames[i] for i in frames)] += weight
        return dict(stacks)


def first_of(stacks):
    return {key: counts[0] for key, counts in stacks.items()}


def second_of(stacks):
    return {key: counts[1] for key, counts in stacks.items()}


def whole(stacks):
    """Comms that are unknown have a word in the files."""
    return {(comm or '[unknown]', path): value for (comm, path), value in stacks.items()}


# ---- against samples and stacks

@case
def totals_are_those_of_samples(w):
    for capture in (CHAINS, PLAIN):
        for filters in FILTERS:
            n = len(w.csv('samples', capture, *filters))
            same(Pprof(write(w, capture, 'pprof', *filters)).total(), n)
            same(Firefox(write(w, capture, 'firefox', *filters)).total(), n)
            same(Speedscope(write(w, capture, 'speedscope', *filters)).total(), n)


@case
def one_load_one_tenure_and_one_cause_are_filters(w):
    programs = [row for row in w.csv('occupants', CHAINS, '--programs') if row['bpf_id'] and int(row['samples']) > 1]
    one = max(programs, key=lambda row: int(row['samples']))
    filters = [['--bpf', one['bpf_id']], ['--tenure', one['tenure']], ['--occupant', one['occupant']], ['--cause', 'ftrace'],
               ['--occupant', '[kernel.kallsyms]', '--time', '20%,70%', '--cpu', '0']]
    for more in filters:
        n = len(w.csv('samples', CHAINS, *more))
        assert n > 0, more
        same(Pprof(write(w, CHAINS, 'pprof', *more)).total(), n)
        same(Firefox(write(w, CHAINS, 'firefox', *more)).total(), n)
        same(Speedscope(write(w, CHAINS, 'speedscope', *more)).total(), n)
        folded = w.read(os.path.basename(write(w, CHAINS, 'folded', *more))).decode()
        same(sum(int(line.rsplit(' ', 1)[1]) for line in folded.splitlines()), n)
    same(len(w.csv('samples', CHAINS, *filters[1])), int(one['samples']))


@case
def each_label_can_be_had_alone(w):
    everywhere = first_of(whole(read_stacks(w, CHAINS)))
    for suffix in ('occupant', 'version', 'cause', 'offset'):
        stacks = first_of(whole(read_stacks(w, CHAINS, '--suffix=' + suffix)))
        assert stacks != everywhere, suffix
        same(Firefox(write(w, CHAINS, 'firefox', '--suffix=' + suffix)).stacks(), stacks)
        same(Speedscope(write(w, CHAINS, 'speedscope', '--suffix=' + suffix)).stacks(), stacks)
        same(w.text('export', CHAINS, '--to=folded', '--suffix=' + suffix),
             w.text('stacks', CHAINS, '--format=folded', '--suffix=' + suffix))
        labels = {key for _, _, got in Pprof(write(w, CHAINS, 'pprof', '--suffix=' + suffix)).samples for key in got}
        same(labels & {'occupant', 'version', 'cause'}, {suffix} - {'offset'})


@case
def nothing_is_an_empty_file_of_each(w):
    same(Pprof(write(w, CHAINS, 'pprof', *NOWHERE)).samples, [])
    same(Firefox(write(w, CHAINS, 'firefox', *NOWHERE)).tasks, [])
    same(Speedscope(write(w, CHAINS, 'speedscope', *NOWHERE)).profile['profiles'], [])
    same(w.read(os.path.basename(write(w, CHAINS, 'folded', *NOWHERE))), b'')


@case
def frames_are_those_of_stacks(w):
    for capture in (CHAINS, PLAIN):
        for more in ([], ['--by=occupant'], ['--kind', 'kernel', '--time', '20%,50%']):
            stacks = whole(read_stacks(w, capture, *more))
            assert len(stacks) > 20, len(stacks)
            same(Pprof(write(w, capture, 'pprof', *more)).stacks(), stacks)
            for suffix in ('none', 'version,cause', 'occupant,offset'):
                suffixed = first_of(whole(read_stacks(w, capture, '--suffix=' + suffix, *more)))
                same(Firefox(write(w, capture, 'firefox', '--suffix=' + suffix, *more)).stacks(), suffixed)
                same(Speedscope(write(w, capture, 'speedscope', '--suffix=' + suffix, *more)).stacks(), suffixed)


@case
def folded_stacks_are_the_same(w):
    for more in ([], ['--measure=period'], ['--suffix=version,cause']):
        same(w.text('export', CHAINS, '--to=folded', *more), w.text('stacks', CHAINS, '--format=folded', *more))


@case
def weights(w):
    stacks = second_of(whole(read_stacks(w, CHAINS, '--measure=period')))
    same(Speedscope(write(w, CHAINS, 'speedscope', '--measure=period', '--suffix=none')).stacks(), stacks)
    profile = Pprof(write(w, CHAINS, 'pprof', '--measure=period'))
    same(second_of(profile.stacks()), stacks)
    same(profile.default, 'period')
    got = Firefox(write(w, CHAINS, 'firefox', '--measure=period', '--suffix=none'))
    sums = collections.Counter()
    for thread in got.tasks:
        samples = thread['samples']
        scale = 1000000 if samples['weightType'] == 'tracing-ms' else 1
        for stack, weight in zip(samples['stack'], samples['weight']):
            sums[thread['name'], got.paths[stack]] += round(weight * scale)
    same(dict(sums), stacks)
    same(Pprof(write(w, CHAINS, 'pprof')).default, 'samples')


@case
def waits_are_time(w):
    subprocess.run([waiting, w.directory], check=True)
    stacks = read_waits(w, 'chains.data')
    assert stacks
    profile = Pprof(write(w, 'chains.data', 'pprof', '--measure=off-cpu'))
    same(profile.types, [('waits', 'count'), ('off_cpu', 'nanoseconds')])
    same(profile.default, 'off_cpu')
    same(profile.stacks(), stacks)
    got = Speedscope(write(w, 'chains.data', 'speedscope', '--measure=off-cpu', '--suffix=none'))
    same({profile['unit'] for profile in got.profile['profiles']}, {'nanoseconds'})
    same(got.stacks(), second_of(stacks))
    for thread in Firefox(write(w, 'chains.data', 'firefox', '--measure=off-cpu')).tasks:
        same(thread['samples']['weightType'], 'tracing-ms')


@case
def versions_and_causes_are_there_and_can_be_left_out(w):
    patched = [row for row in w.csv('samples', CHAINS) if int(row['revision'] or 0) > 0]
    assert len(patched) > 5
    labels = [(values[0], got) for _, values, got in Pprof(write(w, CHAINS, 'pprof')).samples]
    same(sum(n for n, got in labels if 'version' in got), len(patched))
    assert {got.get('cause') for _, got in labels} > {'ftrace', None}
    kinds = collections.Counter()
    for n, got in labels:
        kinds[got['kind'], got.get('occupant', '')] += n
    same(kinds, collections.Counter((row['kind'], row['occupant']) for row in w.csv('samples', CHAINS)))
    plain = Pprof(write(w, CHAINS, 'pprof', '--suffix=none'))
    assert all(set(got) <= {'comm', 'pid', 'tid', 'event'} for _, _, got in plain.samples)
    for reader, to in ((Firefox, 'firefox'), (Speedscope, 'speedscope')):
        frames = reader(write(w, CHAINS, to)).frames
        assert any(re.search(r'@\d+ \(ftrace\)$', name) for name in frames), frames[:50]
        assert not any(re.search(r'@\d', name) for name in reader(write(w, CHAINS, to, '--suffix=none')).frames)


@case
def locations_have_addresses_where_they_are_asked_for(w):
    rows = w.csv('samples', CHAINS, '--kind', 'kernel')
    got = collections.Counter()
    for locations, values, _ in Pprof(write(w, CHAINS, 'pprof', '--suffix=offset', '--kind', 'kernel')).samples:
        got[locations[0][0], locations[0][2]] += values[0]
    same(got, collections.Counter((row['symbol'], int(row['address'], 16)) for row in rows))


@case
def occupants_have_their_build_ids(w):
    profile = Pprof(write(w, BUILD_IDS, 'pprof'))
    rows = w.csv('sql', BUILD_IDS, "SELECT DISTINCT occupant, lower(hex(build_id)) AS build_id FROM tenure "
                 "WHERE build_id IS NOT NULL")
    known = collections.defaultdict(set)
    for row in rows:
        known[row['occupant']].add(row['build_id'])
    compared = 0
    for occupant, build_id in profile.build_ids.items():
        if len(known[occupant]) == 1:
            same({build_id}, known[occupant])
            compared += 1
    assert compared > 3


@case
def samples_stand_at_their_times_and_cpus(w):
    rows = collections.defaultdict(list)
    for row in w.csv('samples', CHAINS):
        rows[row['pid'], row['tid'], row['comm'] or '[unknown]'].append((int(row['time']), row['cpu']))
    got = Firefox(write(w, CHAINS, 'firefox'))
    all_times = [int(row['time']) for row in w.csv('samples', CHAINS)]
    all_times += [int(row['time']) for row in w.csv('changes', CHAINS) if row['time'] and int(row['time'])]
    base = min(all_times)
    threads = {}
    for thread in got.tasks:
        key = (thread['pid'], str(thread['tid']), thread['name'])
        key = ('', '', thread['name']) if thread['pid'] == 'unknown' else key
        times = [base + round(ms * 1000000) for ms in thread['samples']['time']]
        markers = thread['markers']
        runs = [(base + round(start * 1000000), base + round((start if end is None else end) * 1000000), cpu['cpu'])
                for cpu, start, end in zip(markers['data'], markers['startTime'], markers['endTime'])]
        cpus = [next(str(cpu) for first, last, cpu in runs if first <= t <= last) for t in times]
        threads[key] = list(zip(times, cpus))
    same(threads, dict(rows))


@case
def a_process_has_one_main_thread(w):
    mains = collections.Counter(thread['pid'] for thread in Firefox(write(w, CHAINS, 'firefox')).tasks
                                if thread['isMainThread'])
    assert len(mains) > 20 and set(mains.values()) == {1}


@case
def patches_programs_and_losses_are_markers(w):
    for more in ([], ['--cause', 'ftrace'], ['--time', '30%,60%']):
        marks = Firefox(write(w, CHAINS, 'firefox', *more)).marks()
        pokes = [row for row in w.csv('changes', CHAINS, *more)
                 if row['change'] == 'poke' and row['old'] and row['new'] and row['old'] != row['new']]
        patches = [mark for mark, _, _ in marks if mark['type'] == 'patch']
        same([(mark['address'], mark['patchCause'], mark['old'], mark['new']) for mark in patches],
             [(row['address'], row['cause'], row['old'].replace(' ', ''), row['new'].replace(' ', ''))
              for row in pokes])
        assert len(patches) > 10
    marks = Firefox(write(w, CHAINS, 'firefox')).marks()
    named = {(mark['kind'], mark['occupant']) for mark, _, _ in marks if mark['type'] == 'occupant'}
    same(named, {(row['kind'], row['occupant']) for row in w.csv('occupants', CHAINS)
                 if row['kind'] in ('bpf', 'stub', 'module')})
    assert all(start <= (start if end is None else end) for _, start, end in marks)


@case
def losses_are_markers(w):
    capture = os.path.join(data, 'd-bpf-lost.data')
    names = [name for name in os.listdir(data) if name.endswith('.data')]
    for name in [capture] if os.path.exists(capture) else [os.path.join(data, name) for name in sorted(names)]:
        losses = w.csv('sql', name, 'SELECT kind, count FROM loss ORDER BY rowid')
        if not losses:
            continue
        got = [(mark['kind'], str(mark.get('count', 0)))
               for mark, _, _ in Firefox(write(w, name, 'firefox')).marks() if mark['type'] == 'loss']
        same(sorted(got), sorted((row['kind'], row['count'] or '0') for row in losses))
        return
    raise Skip('no bundled recording has a loss')


@case
def wrong_words(w):
    w.refused('export', CHAINS, status=2, says='--to')
    w.refused('export', CHAINS, '--to=perfetto', status=2, says='“perfetto”')
    w.refused('export', CHAINS, '--to=pprof', '--suffix=line', status=2, says='“line”')
    w.refused('export', 'nowhere.data', '--to=pprof', status=1, says='nowhere.data')


# ---- the readers of others

def peer(*parts):
    root = os.environ.get('PENTIMENTO_PEERS')
    if not root:
        raise Skip('PENTIMENTO_PEERS is not set; ./dev peers fetches readers of others')
    path = os.path.join(root, *parts)
    if not os.path.exists(path):
        raise Skip(path + ' is missing; ./dev peers fetches it')
    return path


def run(*words, **more):
    got = subprocess.run(words, capture_output=True, timeout=120, check=False, **more)
    assert got.returncode == 0, got.stdout.decode() + got.stderr.decode()
    return got.stdout.decode()


@case
def pprof_reads_it(w):
    tool = peer('pprof')
    path = write(w, CHAINS, 'pprof')
    env = dict(os.environ, PPROF_TMPDIR=w.directory, HOME=w.directory)
    text = run(tool, '-top', '-nodecount=100000', '-nodefraction=0', path, env=env)
    rows = w.csv('samples', CHAINS)
    assert 'Total samples = %d' % len(rows) in text, text[:500]
    flat = {}
    for line in text.splitlines():
        found = re.match(r' *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% +(.+)$', line)
        if found and int(found[1]) > 0:
            flat[found[2].removesuffix(' (inline)')] = int(found[1])
    own = collections.Counter()
    for (_, path_), (n, _) in read_stacks(w, CHAINS).items():
        own[path_[-1]] += n
    wrong = {name: (flat.get(name), n) for name, n in own.items() if flat.get(name) != n}
    # It simplifies names that it takes for C++.
    assert not {name for name in wrong if not re.search(r'[(<.:]', name)}, wrong
    tags = run(tool, '-tags', path, env=env)
    for tag in ('comm:', 'occupant:', 'kind:', 'cause:', 'version:'):
        assert tag in tags, tag
    raw = run(tool, '-raw', path, env=env)
    same(sum(int(n) for n in re.findall(r'^ +(\d+) +\d+: ', raw, re.M)), len(rows))


@case
def pprof_format_reads_it(w):
    node, modules = peer('node'), peer('node_modules', 'pprof-format')
    path = write(w, CHAINS, 'pprof')
    script = ("const {Profile} = require(process.argv[1]); const fs = require('fs');"
              "const profile = Profile.decode(require('zlib').gunzipSync(fs.readFileSync(process.argv[2])));"
              "console.log(JSON.stringify([profile.sample.length, profile.location.length, profile.function.length,"
              " profile.sample.reduce((n, sample) => n + Number(sample.value[0]), 0)]));")
    got = json.loads(run(node, '-e', script, modules, path))
    profile = Pprof(path)
    same((got[0], got[3]), (len(profile.samples), profile.total()))


@case
def firefox_profiler_reads_it(w):
    node = peer('node')
    tool = peer('node_modules', '@firefox-devtools', 'profiler-cli', 'dist', 'profiler-cli.js')
    path = write(w, CHAINS, 'firefox')
    env = dict(os.environ, HOME=w.directory)
    try:
        subprocess.run([node, tool, 'load', path], env=env, capture_output=True, timeout=60, check=False)
        # A first load may take longer than it waits.
        for _ in range(50):
            got = subprocess.run([node, tool, 'thread', 'markers', '--thread', 't-0', '--json'], env=env,
                                 capture_output=True, timeout=60, check=False)
            if got.returncode == 0:
                break
            time.sleep(0.2)
        markers = json.loads(got.stdout)
        profile = Firefox(path)
        same(markers['totalMarkerCount'], len(profile.marks()))
        for index in (1, 2, 5):
            text = run(node, tool, 'thread', 'samples', '--thread', 't-%d' % index, '--include-idle', '--json', env=env)
            same(json.loads(text)['categoryBreakdown']['totalSamples'], profile.tasks[index - 1]['samples']['length'])
    finally:
        subprocess.run([node, tool, 'stop', '--all'], env=env, capture_output=True, timeout=60, check=False)


@case
def speedscopes_schema_admits_it(w):
    node, ajv = peer('node'), peer('node_modules', 'ajv')
    schema = peer('node_modules', 'speedscope', 'dist', 'release', 'file-format-schema.json')
    script = ("const Ajv = require(process.argv[1]); const fs = require('fs');"
              "const read = path => JSON.parse(fs.readFileSync(path));"
              "const valid = new Ajv({strict: false}).compile(read(process.argv[2]));"
              "if (!valid(read(process.argv[3]))) { console.log(valid.errors); process.exit(1); }")
    for more in ([], ['--measure=period'], NOWHERE):
        run(node, '-e', script, ajv, schema, write(w, CHAINS, 'speedscope', *more))


main()
