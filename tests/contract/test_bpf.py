#!/usr/bin/env python3
"""BPF programs against what loaded them: id, type, name, tag, where each function was put and how long it
was, when it came and went; its bytes and source lines, or that they were not recorded (TAP).
"""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile

cli, data = sys.argv[1:3]
LOAD = re.compile(r'LAB ([\d.]+) load (\w+) id=(\d+) type=(\d+) name=(\w+) tag=(\w+) func=(\d+) '
                  r'addr=(\w+) len=(\d+)')
UNLOAD = re.compile(r'LAB ([\d.]+) unload (\w+)')
SLACK = 0.5  # seconds: two clocks, and the grace period
TENURES = '''SELECT t.id, t.start, t.end, t.from_time, t.to_time, t.bpf_id, hex(t.bpf_tag) AS tag, t.name,
  p.type, p.name AS program, hex(p.tag) AS program_tag FROM tenure t LEFT JOIN bpf_program p ON p.bpf_id = t.bpf_id
  WHERE t.kind = 'bpf' AND t.bpf_id IS NOT NULL'''
FUNCTIONS = '''SELECT bpf_id, number, address, length, hex(bytes) AS bytes, tenure FROM bpf_function
  ORDER BY bpf_id, number'''
# What the compiler in the kernel begins every function with: a place for a call, with or without a
# landing mark before or behind it, and in a program's first function a counter of tail calls.
PROLOGUE = re.compile(b'(\xf3\x0f\x1e\xfa)?(\x0f\x1f\x44\x00\x00)?(\x66\x90|\x31\xc0|\x0f\x1f\x00)?(\x55|\xf3\x0f\x1e\xfa)')


def unsigned(number):
    return number & (2 ** 64 - 1)


class Store:
    def __init__(self, capture, directory):
        self.env = dict(os.environ, XDG_CACHE_HOME=directory, HOME=directory, LC_ALL='C.UTF-8')
        self.path = os.path.join(directory, 'a.pentimento')
        self.run('import', capture, '-o', self.path)

    def run(self, *words):
        return subprocess.run([cli, *words], env=self.env, capture_output=True, check=True).stdout

    def ask(self, query):
        return json.loads(self.run('sql', self.path, query, '--format=json'))

    def csv(self, *words):
        return list(csv.DictReader(io.StringIO(self.run(*words, '--format=csv').decode(), newline='')))


def calls(address, code):
    """Where calls in the code lead; also what only looks like one."""
    return {unsigned(address + i + 5 + int.from_bytes(code[i + 1:i + 5], 'little', signed=True))
            for i in range(len(code) - 4) if code[i] == 0xe8}


def check_loads(truth, tenures, problems):
    """Each function that was loaded is a tenure. Returns: how many"""
    n = 0
    unloads = [(float(m[1]), m[2]) for m in UNLOAD.finditer(truth)]
    for m in LOAD.finditer(truth):
        time, label, bpf_id, kind, name, tag = float(m[1]), m[2], int(m[3]), int(m[4]), m[5], m[6]
        number, address, length = int(m[7]), int(m[8], 16), int(m[9])
        found = [t for t in tenures if t['bpf_id'] == bpf_id and unsigned(t['start']) == address]
        if len(found) != 1:
            problems.append('program %d, function %d at 0x%x: %d tenures' % (bpf_id, number, address, len(found)))
            continue
        tenure = found[0]
        n += 1
        gone = min((t for t, who in unloads if who == label and t >= time), default=None)
        facts = {
            'length': (tenure['end'] - tenure['start'], length),
            'tag': (tenure['tag'].lower(), tag),
            'from': (abs(tenure['from_time'] / 1e9 - time) < SLACK, True),
            'to': (gone is None or tenure['to_time'] is None
                   or abs(tenure['to_time'] / 1e9 - gone) < SLACK, True),
        }
        if number == 0:
            facts['ksymbol'] = (tenure['name'], 'bpf_prog_%s_%s' % (tag, name))
        if tenure['type'] is not None:
            facts['type'] = (tenure['type'], kind)
            facts['name'] = (tenure['program'], name)
            facts['program tag'] = (tenure['program_tag'].lower(), tag)
        for what, (got, expected) in facts.items():
            if got != expected:
                problems.append('program %d, function %d: %s is %r, not %r' % (bpf_id, number, what, got, expected))
    return n


def check_bytes(functions, problems):
    """A function's bytes are the slice of the image behind those of the functions before it."""
    programs = {}
    for function in functions:
        code = bytes.fromhex(function['bytes'])
        address = unsigned(function['address'])
        programs.setdefault(function['bpf_id'], []).append((address, code))
        if len(code) != function['length']:
            problems.append('program %d: %d of %d bytes' % (function['bpf_id'], len(code), function['length']))
        if not PROLOGUE.match(code):
            problems.append('program %d, function %d begins with %s' % (
                function['bpf_id'], function['number'], code[:16].hex()))
    subprograms = 0
    for bpf_id, parts in programs.items():
        for i, (address, _) in enumerate(parts[1:], 1):
            subprograms += 1
            if not any(address in calls(at, code) for at, code in parts[:i]):
                problems.append('program %d: nothing calls its function %d' % (bpf_id, i))
    return subprograms


def check_shown(store, tenures, functions, problems):
    """Known bytes are shown with their source lines; of a program that was gone, that there are none."""
    described = {f['tenure'] for f in functions}
    subprograms = {f['tenure'] for f in functions if f['number'] > 0}
    came = [t for t in tenures if t['from_time']]  # what came while the recording ran is a change
    missing = next((t for t in came if t['id'] not in described), None)
    sub = next((t for t in came if t['id'] in subprograms), None)
    for tenure, command in ((missing, 'history'), (sub, 'annotate'), (sub, 'history')):
        if tenure is None:
            continue
        rows = [row for row in store.csv(command, store.path, '0x%x' % unsigned(tenure['start']))
                if row['from'] == str(tenure['from_time'])]
        if not rows:
            problems.append('tenure %d: %s does not show it' % (tenure['id'], command))
        elif command == 'annotate' and not any('progs.bpf.c:' in row['source'] for row in rows):
            problems.append('tenure %d: its source lines are missing' % tenure['id'])
        elif command == 'history':
            is_gone = tenure is missing
            words = 'program %d' % tenure['bpf_id']
            if (rows[0]['instruction'] == '(bytes not recorded)') != is_gone \
                    or not rows[0]['program'].startswith(words) \
                    or ('gone before it was asked about' in rows[0]['program']) != is_gone:
                problems.append('tenure %d: history says %r' % (tenure['id'], rows[0]))
    occupants = store.csv('occupants', store.path, '--kind', 'bpf', '--programs')
    for row, tenure in zip((r for r in occupants if r['bpf_id']), tenures):
        expected = (str(tenure['bpf_id']), (tenure['program_tag'] or tenure['tag']).lower())
        if (row['bpf_id'], row['bpf_tag']) != expected or bool(row['bpf_type']) != (tenure['type'] is not None):
            problems.append('occupants: %r, not %r' % (row, expected))


def check(capture, truth_path):
    problems = []
    with open(truth_path) as lines:
        truth = lines.read()
    with tempfile.TemporaryDirectory() as directory:
        store = Store(capture, directory)
        tenures = store.ask(TENURES)
        functions = store.ask(FUNCTIONS)
        loads = check_loads(truth, tenures, problems)
        subprograms = check_bytes(functions, problems)
        check_shown(store, tenures, functions, problems)
    if loads == 0 or not functions:
        problems.append('nothing to compare')
    return problems, '%d functions loaded, %d described, %d subprograms' % (loads, len(functions), subprograms)


cases = [('bundled ' + os.path.basename(p)[:-len('.bpf.txt')], p[:-len('.bpf.txt')].replace('/truth/', '/') + '.data', p)
         for p in sorted(glob.glob(data + '/truth/*.bpf.txt'))]
large = os.environ.get('PENTIMENTO_CAPTURES')
if large:
    cases += [(os.path.basename(os.path.dirname(p)), os.path.join(os.path.dirname(p), 'perf.data'), p)
              for p in sorted(glob.glob(os.path.join(large, '*', 'bpf-truth.txt')))
              if os.path.exists(os.path.join(os.path.dirname(p), 'perf.data'))]
print('1..%d' % (len(cases) + (0 if large else 1)), flush=True)
failed = 0
for number, (name, *case) in enumerate(cases, 1):
    problems, words = check(*case)
    for problem in problems[:8]:
        print('# %s' % problem)
    print('# %s' % words)
    failed += bool(problems)
    print('%s %d - %s' % ('not ok' if problems else 'ok', number, name), flush=True)
if not large:
    print('ok %d - large captures # SKIP PENTIMENTO_CAPTURES is not set' % (len(cases) + 1))
sys.exit(1 if failed else 0)
