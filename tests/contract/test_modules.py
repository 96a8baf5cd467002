#!/usr/bin/env python3
"""Where modules were, derived a second time from lists, loads, pokes and ksymbols, against the program's rows (TAP).

Rules M3 and M5 to M7, plainly: for each module its facts in time order make its stays; each stay has a time that is
sure, and before and after it a time in which nothing contradicts it; of two at one place neither has the time between.
The captures are those with a file of snapshots: see test_snapshots.py. The program is asked with the capture alone, and
with the machine's lists of modules at the end, and in the middle and at the end.
"""
import bisect
import csv
import glob
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

import sample_table

cli, data = sys.argv[1:3]
NEVER = 1 << 64
PAGE = 4096
SHORTLY = 100_000_000


class Stay:
    def __init__(self, name, start, end, since, sure_from, is_inferred):
        self.name, self.start, self.end, self.text_end = name, start, end, end
        self.since, self.sure_from, self.sure_to, self.until = since, sure_from, sure_from, NEVER
        self.begin_is_inferred, self.end_is_inferred = is_inferred, False
        self.of_map, self.loader, self.before = False, None, None

    def leave(self, time, is_inferred):
        self.until, self.end_is_inferred = time, is_inferred
        if not is_inferred:
            self.sure_to = time


def find_stays(maps, exact, events, probes, lists, counts_all):
    """One module after the other: its map of the start, its loads and frees, where a probe shows it, and the lists that
    have it or lack it."""
    stays = []
    names = set(maps) | {e[2] for e in events} | {n for _, rows in lists for n in rows}
    for name in names:
        facts = [(time, 0 if is_free else 3, tid) for time, tid, module, is_free in events if module == name]
        facts += [(time, 1 if name in rows else 2, rows.get(name)) for time, rows in lists]
        facts += [(time, 4, place) for time, module, place in probes if module == name]
        gone, stay = 0, None
        if name in maps:
            stay = Stay(name, *maps[name], 0, 0, False)
            stay.of_map, stay.text_end = True, min(stay.end, stay.start + PAGE)
            if exact.get(name, (0, 0))[0] == stay.start:
                stay.end = min(stay.end, sum(exact[name]))
                stay.text_end = stay.start + PAGE if counts_all else stay.end
            stays.append(stay)
        for time, what, more in sorted(facts, key=lambda f: f[:2]):
            if what == 3:
                if stay:
                    stay.leave(time, True)
                stay = Stay(name, 0, 0, time, time, False)
                stay.loader = (time, more)
                stays.append(stay)
            elif what == 4:
                stay.start, stay.end = more
                stay.text_end, stay.sure_to = stay.end, time
            elif what == 1:
                start, end = more[0], more[0] + more[1]
                if stay and stay.end and (start >= stay.end or stay.start >= end):
                    stay.leave(time, True)
                    gone, stay = stay.sure_to, None
                if not stay:
                    stay = Stay(name, start, end, gone, time, True)
                    stays.append(stay)
                elif stay.begin_is_inferred and stay.sure_to < time:
                    # Only lists show it: it may have gone and come again.
                    before = stay
                    before.leave(time, True)
                    stay = Stay(name, start, end, before.sure_to, time, True)
                    stay.before = before
                    stays.append(stay)
                elif not stay.of_map:
                    stay.start, stay.end = start, end
                if not stay.of_map:
                    stay.text_end = min(stay.end, stay.start + PAGE) if counts_all else stay.end
                stay.sure_to = time
            else:
                if stay:
                    stay.leave(time, what == 2)
                gone, stay = time, None
    return stays


def place_loads(stays, events, pokes, given, kernel):
    """M7: what the task poked shortly before its module_load, since its last module event, or was given for text."""
    held = [s for s in stays if s.of_map]
    for stay in [s for s in stays if s.loader]:
        time, tid = stay.loader
        since = max([time - SHORTLY] + [t for t, by, _, _ in events if by == tid and t < time])
        own = [(t, a & -PAGE) for t, by, a in pokes
               if by == tid and since <= t < time and not any(s <= a < e for s, e in kernel)
               and not any(h.start < (a & -PAGE) + PAGE and (a & -PAGE) < h.text_end and t < h.until for h in held)]
        since = max([time - 10 * SHORTLY] + [t for t, by, _, _ in events if by == tid and t < time])
        asked = [(start, end) for t, by, start, end in given if by == tid and since <= t < time][:1]
        if not stay.end and asked and (not own or any(asked[0][0] <= page < asked[0][1] for _, page in own)):
            stay.start, stay.end = asked[0]
            stay.text_end = stay.end
        if not own:
            continue
        first = min(t for t, _ in own)
        if stay.end:
            if any(stay.start <= page < stay.end for _, page in own):
                stay.since = stay.sure_from = first - 1
            continue
        for page in sorted({p for _, p in own}):
            other = Stay(stay.name, page, page + PAGE, first - 1, first - 1, False)
            other.sure_to, other.until, other.end_is_inferred = stay.sure_to, stay.until, stay.end_is_inferred
            stays.append(other)


def bound(stays, ksymbols, given):
    for stay in stays:
        for time, _, start, end in given:
            if start < stay.text_end and stay.start < end:
                if stay.begin_is_inferred and time < stay.sure_from:
                    stay.since = max(stay.since, time)
                if stay.end_is_inferred and time > stay.sure_to:
                    stay.until = min(stay.until, time)
        for t in ksymbols:
            if t.start >= stay.text_end or t.end <= stay.start:
                continue
            since, until = t.since[0], t.until[0] if t.until else NEVER
            if stay.begin_is_inferred and since < stay.sure_from:
                # (of a symbol that is listed only, nothing says how long it was there)
                over = since if until == NEVER and t.since == (0, 0) else until
                stay.since = max(stay.since, min(over, stay.sure_from))
            if stay.end_is_inferred:
                for time in (since, until):
                    if time > stay.sure_to:
                        stay.until = min(stay.until, time)


def join(stays):
    """Between two lists that have it a module is inferred to have stayed, where nothing contradicts that."""
    for stay in stays:
        before = stay.before
        if before and stay.since <= before.sure_to and before.until >= stay.sure_from:
            stay.since = before.since
            before.end = before.start


def set_apart(stays):
    """Of two at one place, one after the other, neither has the time between what is sure of them."""
    placed = sorted([s for s in stays if s.end > s.start], key=lambda s: s.sure_from)
    for i, second in enumerate(placed):
        for first in placed[:i]:
            if second.of_map or first.text_end <= second.start or second.text_end <= first.start:
                continue
            if any(first.text_end > s.start and s.text_end > first.start and s.text_end > second.start
                   and second.text_end > s.start for s in placed[placed.index(first) + 1:i]):
                continue  # another one stood between the two
            if second.sure_from < first.sure_to:
                continue
            since, until = max(second.since, first.sure_to), min(first.until, second.sure_from)
            if since < first.until:
                first.until = since
            if second.since < until:
                second.since = until


def read(path):
    capture = sample_table.Capture(path)
    maps, kernel, pokes, ksyms, position = {}, [], [], [], 0
    for type_, misc, b in capture.records():
        position += 1
        if type_ not in (1, 10, 17, 20):
            continue
        trailer = sample_table.Trailer(capture, type_, b)
        moment = (0 if trailer.time in (0, sample_table.TOP) else trailer.time, position)
        if type_ == 17:
            address, length, kind, flags = struct.unpack_from('<QIHH', b, 8)
            ksyms.append((moment, flags & 1, address, length, kind, sample_table.text(b, 24)))
        elif type_ == 20:
            pokes.append((moment[0], trailer.tid, struct.unpack_from('<Q', b, 8)[0]))
        else:
            pid, _, start, length, offset = struct.unpack_from('<iiQQQ', b, 8)
            if (misc & 7 == sample_table.KERNEL or pid == -1) and length and not moment[0]:
                found = sample_table.kernel_map(sample_table.text(b, 40 if type_ == 1 else 72), start, start + length, moment, offset)
                if found.kind == 'module':
                    maps.setdefault(found.name, (start, start + length))
                else:
                    kernel.append((start, start + length))
    names = sample_table.Names(capture.kcore_dir)
    ksyms.sort(key=lambda k: k[0])
    tenures = sample_table.Ksymbols(ksyms, [], names.registered())
    exact = {}
    if capture.kcore_dir and os.path.exists(os.path.join(capture.kcore_dir, 'modules')):
        exact = read_list(open(os.path.join(capture.kcore_dir, 'modules')))
    return maps, kernel, pokes, tenures, exact


def read_list(lines):
    rows = [line.split() for line in lines]
    return {'[%s]' % r[0].replace('-', '_'): (int(r[5], 16), int(r[1])) for r in rows if len(r) > 5}


def clip(rows):
    """Where a length counts other memory it may reach into the next module."""
    starts = sorted(start for start, _ in rows.values())
    return {name: (start, min([size] + [s - start for s in starts if s > start])) for name, (start, size) in rows.items()}


def run(words, env):
    return subprocess.run([cli, *words], env=env, capture_output=True, check=True).stdout.decode()


def find_allocations(store, env, kernel):
    """(time, task, start, end) of memory above the kernel's text that was handed out, without its guard page."""
    found = []
    for row in csv.DictReader(io.StringIO(run(['samples', store, '--payload', '--format=csv'], env), newline='')):
        if row['event'] == 'vmalloc:alloc_vmap_area':
            fields = dict(f.split('=') for f in row['payload'].split())
            start, size = int(fields['addr']), int(fields['size'])
            if start >= max(e for _, e in kernel):
                found.append((int(row['time']), int(row['tid']), start, start + max(size - PAGE, 1)))
    return found


def find_probes(store, env, events):
    """(time, module, where its text is) of a probe on do_init_module. Each ends a load: events gets those it lacks."""
    found = []
    for row in csv.DictReader(io.StringIO(run(['samples', store, '--payload', '--format=csv'], env), newline='')):
        if row['event'] == 'probe:do_init_module':
            fields = dict(f.split('=', 1) for f in row['payload'].split())
            name, start, time, tid = '[%s]' % fields['name'], int(fields['base']), int(row['time']), int(row['tid'])
            last = max([e for e in events if e[1] == tid and not e[3] and e[0] <= time], default=None)
            if not last or last[2] != name:
                events.append((time, tid, name, False))
            found.append((time, name, (start, start + int(fields['size']))))
    return found


def check(path, lists, directory):
    env = dict(os.environ, XDG_CACHE_HOME=directory)
    options = []
    for i, (time, rows) in enumerate(lists):
        copy = os.path.join(directory, 'modules%d' % i)
        with open(copy, 'w') as out:
            for name, (start, size) in rows.items():
                out.write('%s %d 0 - Live 0x%x\n' % (name[1:-1], size, start))
        options.append('--modules=%s@%d.%09d' % (copy, time // 10**9, time % 10**9))
    store = os.path.join(directory, 'store.pentimento')
    run(['import', path, '-o', store, *options], env)
    events = [(e['time'], e['tid'], '[%s]' % e['module'], e['is_free'])
              for e in json.loads(run(['sql', store, 'SELECT time, tid, module, is_free FROM module_event', '--format=json'], env))]
    release = json.loads(run(['sql', store, "SELECT value FROM capture WHERE key = 'osrelease'", '--format=json'], env))
    release = tuple(int(n) for n in release[0]['value'].split('-')[0].split('.')[:2])
    counts_all = release >= (6, 4)
    maps, kernel, pokes, ksymbols, exact = read(path)
    probes = find_probes(store, env, events)
    stays = find_stays(maps, exact, events, probes, [(t, clip(rows)) for t, rows in lists], counts_all)
    given = [] if release >= (6, 13) else find_allocations(store, env, kernel)
    place_loads(stays, events, pokes, given, kernel)
    bound(stays, ksymbols.tenures, given)
    join(stays)
    set_apart(stays)
    starts = sorted(t.start for t in ksymbols.tenures)
    for stay in stays:  # other text ends a module's whose length counts other memory
        i = bisect.bisect_left(starts, stay.text_end)
        if not stay.of_map and stay.text_end < stay.end and i < len(starts):
            stay.end = min(stay.end, starts[i])
        if stay.of_map:
            stay.end = maps[stay.name][1]
    edges = {t for s in stays for t in (s.since, s.until)}
    wrong, asked, named = [], 0, 0
    for row in csv.DictReader(io.StringIO(run(['samples', store, '--format=csv'], env), newline='')):
        address, time = int(row['address'] or '0', 16), int(row['time'] or 0)
        if address < 1 << 63 or not time or time in edges or any(s <= address < e for s, e in kernel) \
                or ksymbols.find(address, (time, 0)):
            continue
        # What came last took its range (M1): what it cut does not come back.
        last = max([s for s in stays if s.start <= address < s.end and s.since < min(time, s.until)],
                   key=lambda s: (not s.of_map, s.since), default=None)
        expected = last.name if last and time <= last.until else ''
        asked += 1
        named += expected != ''
        shown = row['occupant'].lstrip("'") if row['kind'] == 'module' else ''
        if shown != expected:
            wrong.append('%s at %s: %s, expected %s' % (row['address'], row['time'], shown or 'nobody', expected or 'nobody'))
    return wrong, asked, named


def ask(env, *words):
    return list(csv.DictReader(io.StringIO(run([*words, '--format=csv'], env), newline='')))


def check_code_ends(path, directory):
    """M8: (what differs, how many maps of the start reach beyond their last code)"""
    env = dict(os.environ, XDG_CACHE_HOME=directory)
    store = os.path.join(directory, 'store.pentimento')
    run(['import', path, '-o', store], env)
    release = json.loads(run(['sql', store, "SELECT value FROM capture WHERE key = 'osrelease'", '--format=json'], env))
    counts_all = not release or tuple(int(n) for n in release[0]['value'].split('.')[:2]) >= (6, 4)
    kcore_dir = os.path.join(path, 'kcore_dir')
    names = sample_table.Names(kcore_dir if os.path.isdir(kcore_dir) else None)
    differ, n = [], 0
    whole = {int(row['tenure']): row['evidence'] for row in ask(env, 'occupants', store)}
    for t in json.loads(run(['sql', store, "SELECT id, occupant, start, end, from_time, code_end FROM tenure "
                             "WHERE kind = 'module' AND layer = 'map'", '--format=json'], env)):
        start, end, shown = [t[k] and t[k] & (1 << 64) - 1 for k in ('start', 'end', 'code_end')]
        own = [a for a in names.code.get(t['occupant'], ()) if start <= a < end]
        last = (max(own) // PAGE + 1) * PAGE if own and counts_all and not t['from_time'] else end
        expected = last if last < end else None
        n += expected is not None
        if shown != expected:
            differ.append('%s: code ends at %s, expected %s' % (t['occupant'], shown and hex(shown), expected and hex(expected)))
        told = not whole[t['id']].startswith('inferred') and expected
        if whole[t['id']].partition(', inferred from ')[2] != (hex(expected) if told else ''):
            differ.append('%s as a whole: %s' % (t['occupant'], whole[t['id']]))
        if expected:
            # Its last byte is the module's, the next one may be another's.
            for address in (expected - 1, expected):
                rows = ask(env, 'find', store, hex(address)) + ask(env, 'history', store, hex(address))
                for grade in {r['evidence'] for r in rows if r['occupant'] == t['occupant']}:
                    if (grade == 'inferred (beyond code)') != (address == expected):
                        differ.append('%s at %s: %s' % (t['occupant'], hex(address), grade))
    return differ, n


def read_snapshots(path):
    """Lists of modules and their times, of the file that test_snapshots.py describes."""
    lists, rows = [], None
    for line in open(path, errors='replace'):
        f = line.split()
        if f[:1] == ['M']:
            rows = dict(lists[-1][1]) if f[3:] == ['='] and lists else {}
            lists.append((int(f[1]), rows))
        elif f[:1] == ['m'] and lists:
            rows['[%s]' % f[1].replace('-', '_')] = (int(f[3], 16), int(f[2]))
        elif f[:1] == ['K']:
            rows = None
    return [l for l in lists if l[1]]


def main():
    found = [('bundled ' + os.path.basename(p)[:-5], os.path.join(data, os.path.basename(p)[:-5] + '.data'), p)
             for p in sorted(glob.glob(os.path.join(data, 'truth', '*.snap')))]
    large = os.environ.get('PENTIMENTO_CAPTURES', '')
    found += [(os.path.basename(os.path.dirname(p)), os.path.join(os.path.dirname(p), 'perf.data'), p)
              for p in sorted(glob.glob(os.path.join(large, '*', 'snap.txt'))) if large]
    captures = sorted(glob.glob(os.path.join(data, '*.data'))) + [c for _, c, _ in found if not c.startswith(data)]
    print('1..%d' % (3 * len(found) + 1 + (not large)))
    number, ends, wrong = 1, 0, []
    for capture in captures:
        with tempfile.TemporaryDirectory() as directory:
            differ, n = check_code_ends(capture, directory)
        ends += n
        wrong += ['%s: %s' % (capture, line) for line in differ]
    for line in wrong[:4]:
        print('# ' + line)
    print('# %d maps of the start reach beyond the last code' % ends)
    print('%sok 1 - where code ends' % ('not ' if wrong or not ends else ''))
    for name, capture, snap in found:
        lists = read_snapshots(snap)
        for way, given in (('alone', []), ('end', lists[-1:]), ('middle and end', [lists[len(lists) // 2], lists[-1]])):
            number += 1
            with tempfile.TemporaryDirectory() as directory:
                wrong, asked, named = check(capture, given, directory)
            for line in wrong[:4]:
                print('# ' + line)
            print('# %d samples, %d in a module, %d differ' % (asked, named, len(wrong)))
            print('%sok %d - %s, %s' % ('not ' if wrong else '', number, name, way))
    if not large:
        print('ok %d - large captures # SKIP PENTIMENTO_CAPTURES is not set' % (number + 1))


main()
