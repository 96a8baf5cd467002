#!/usr/bin/env python3
"""sample_table.py CAPTURE: the sample table of a little-endian capture, made a second time.

This is the other side of a comparison: the contract's sentences written down plainly, in another
language and another structure than the program's, slow and without a store. It shares no code with
it. It reads perf.data files, directories and pipe form, zstd through the library by ctypes.
"""
import bisect
import csv
import ctypes
import ctypes.util
import os
import struct
import sys

NONE, TOP = None, (1 << 64) - 1
MARK = (TOP << 32) & TOP
KERNEL, USER, GUEST = 1, 2, (4, 5)


# ---- records ----

class Zstd:
    """One stream that goes on through all compressed records of a file."""

    class Buffer(ctypes.Structure):
        _fields_ = [('p', ctypes.c_void_p), ('size', ctypes.c_size_t), ('pos', ctypes.c_size_t)]

    def __init__(self):
        self.lib = ctypes.CDLL(ctypes.util.find_library('zstd') or 'libzstd.so.1')
        self.lib.ZSTD_createDStream.restype = ctypes.c_void_p
        self.lib.ZSTD_decompressStream.restype = ctypes.c_size_t
        self.lib.ZSTD_decompressStream.argtypes = [ctypes.c_void_p] * 3
        self.stream = ctypes.c_void_p(self.lib.ZSTD_createDStream())

    def feed(self, data):
        source = ctypes.create_string_buffer(data, len(data))
        given = self.Buffer(ctypes.cast(source, ctypes.c_void_p), len(data), 0)
        out = bytearray()
        room = ctypes.create_string_buffer(1 << 20)
        while True:
            got = self.Buffer(ctypes.cast(room, ctypes.c_void_p), 1 << 20, 0)
            code = self.lib.ZSTD_decompressStream(self.stream, ctypes.byref(got),
                                                  ctypes.byref(given))
            if code > TOP - 4096:
                raise ValueError('zstd')
            out += room.raw[:got.pos]
            if given.pos == given.size and got.pos < (1 << 20):
                return bytes(out)


class Attr:
    def __init__(self, raw, ids):
        raw = raw + bytes(160)
        self.type, self.size, self.config, self.period, self.sample_type, self.read_format, \
            self.flags = struct.unpack_from('<IIQQQQQ', raw)
        self.branch, = struct.unpack_from('<Q', raw, 72)
        self.freq = self.flags >> 10 & 1
        self.all = self.flags >> 18 & 1
        self.ids = ids
        self.name = ''


class Capture:
    """Yields (type, misc, body, size) in stream order; knows attrs and event names."""

    def __init__(self, path):
        self.attrs, self.kcore_dir = [], NONE
        files = [path]
        if os.path.isdir(path):
            files = [os.path.join(path, 'data')]
            n = 0
            while os.path.exists(os.path.join(path, 'data.%d' % n)):
                files.append(os.path.join(path, 'data.%d' % n))
                n += 1
            if os.path.isdir(os.path.join(path, 'kcore_dir')):
                self.kcore_dir = os.path.join(path, 'kcore_dir')
        self.stretches = []
        b = open(files[0], 'rb').read()
        assert b[:8] == b'PERFILE2', 'not a little-endian perf.data'
        if struct.unpack_from('<Q', b, 8)[0] == 16:
            self.stretches.append(b[16:])
        else:
            attr_size, at, length, data, data_size = struct.unpack_from('<QQQQQ', b, 16)
            if data_size == 0:
                data_size = len(b) - data
            for i in range(length // attr_size):
                raw = b[at + i * attr_size:at + (i + 1) * attr_size]
                ids_at, ids_size = struct.unpack_from('<QQ', raw, attr_size - 16)
                self.attrs.append(Attr(raw[:min(attr_size - 16, struct.unpack_from('<I', raw, 4)[0] or 64)],
                                       struct.unpack_from('<%dQ' % (ids_size // 8), b, ids_at)))
            self.stretches.append(b[data:data + data_size])
            self.features(b, data + data_size)
            self.stretches += [open(f, 'rb').read() for f in files[1:]]

    def features(self, b, at):
        bits, = struct.unpack_from('<Q', b, 72)
        for bit in range(64):
            if bits >> bit & 1:
                off, size = struct.unpack_from('<QQ', b, at)
                at += 16
                if bit == 12:
                    self.event_desc(b[off:off + size])

    def event_desc(self, b):
        n, size = struct.unpack_from('<II', b)
        at = 8
        for i in range(n):
            ids, length = struct.unpack_from('<II', b, at + size)
            at += size + 8
            if i < len(self.attrs):
                self.attrs[i].name = b[at:at + length].split(b'\0')[0].decode()
            at += length + 8 * ids

    def records(self):
        for stretch in self.stretches:
            yield from self.walk(stretch)

    def walk(self, b):
        zstd, rest, at = NONE, b'', 0
        while at + 8 <= len(b):
            type_, misc, size = struct.unpack_from('<IHH', b, at)
            if size < 8 or at + size > len(b):
                return
            body = b[at:at + size]
            at += size
            if type_ in (81, 83):
                zstd = zstd or Zstd()
                plain = body[8:] if type_ == 81 else \
                    body[16:16 + struct.unpack_from('<Q', body, 8)[0]]
                rest += zstd.feed(plain)
                used = 0
                while used + 8 <= len(rest):
                    t, m, s = struct.unpack_from('<IHH', rest, used)
                    if s < 8 or used + s > len(rest):
                        break
                    yield t, m, rest[used:used + s]
                    used += s
                rest = rest[used:]
                continue
            if type_ == 66:
                at += (struct.unpack_from('<I', body, 8)[0] + 7) & ~7
            if type_ == 71:
                at += struct.unpack_from('<Q', body, 8)[0]
            if type_ == 64:
                length = struct.unpack_from('<I', body, 12)[0]
                self.attrs.append(Attr(body[8:8 + length],
                                       struct.unpack_from('<%dQ' % ((size - 8 - length) // 8), body, 8 + length)))
            if type_ == 78 and struct.unpack_from('<Q', body, 8)[0] == 2:
                ident, = struct.unpack_from('<Q', body, 16)
                for attr in self.attrs:
                    if ident in attr.ids:
                        attr.name = body[24:].split(b'\0')[0].decode()
            if type_ == 80:
                feature, = struct.unpack_from('<Q', body, 8)
                if feature == 12 and size > 16:
                    self.event_desc(body[16:])
            yield type_, misc, body


def padded(n):
    return (n + 7) & ~7


def text(b, at):
    return b[at:].split(b'\0')[0].decode('utf-8', 'replace')


def front(type_, b):
    """Length of a record before its trailer."""
    def string(at):
        return at + padded(b.index(b'\0', at) - at + 1)
    if type_ == 1:
        return string(40)
    if type_ == 10:
        return string(72)
    if type_ in (3, 19):
        return string(16)
    if type_ == 17:
        return string(24)
    if type_ == 20:
        return 16 + padded(4 + sum(struct.unpack_from('<HH', b, 16)))
    return {4: 32, 7: 32, 5: 32, 6: 32, 2: 24, 11: 32, 12: 16, 13: 16, 14: 8, 15: 16, 18: 24,
            21: 16}.get(type_)


class Trailer:
    def __init__(self, capture, type_, b):
        self.pid = self.tid = -1
        self.time, self.cpu = 0, NONE
        at = front(type_, b)
        for attr in capture.attrs:
            fields, p = {}, at
            for bit in (1, 2, 6, 9, 7, 16):
                if attr.sample_type >> bit & 1 and attr.all:
                    if p + 8 > len(b):
                        break
                    fields[bit] = b[p:p + 8]
                    p += 8
            else:
                ident = fields.get(16) or fields.get(6)
                right = len(capture.attrs) == 1 or (ident and struct.unpack('<Q', ident)[0] in attr.ids)
                made_up = not any(b''.join(fields.values()))
                if right or made_up:
                    if 1 in fields:
                        self.pid, self.tid = struct.unpack('<ii', fields[1])
                    if 2 in fields:
                        self.time, = struct.unpack('<Q', fields[2])
                    return


def sample(capture, misc, b):
    attr = NONE
    ids = {i: a for a in capture.attrs for i in a.ids}
    if len(capture.attrs) == 1:
        attr = capture.attrs[0]
    elif any(a.sample_type >> 16 & 1 for a in capture.attrs):
        attr = ids.get(struct.unpack_from('<Q', b, 8)[0])
    else:
        st = capture.attrs[0].sample_type
        attr = ids.get(struct.unpack_from('<Q', b, 8 + 8 * bin(st & 0xf).count('1'))[0])
    if attr is NONE:
        return NONE
    at, row = 8, {'misc': misc, 'attr': attr, 'period': NONE if attr.freq else attr.period}
    for bit, name, form in ((16, NONE, 'Q'), (0, 'ip', 'Q'), (1, 'task', 'ii'), (2, 'time', 'Q'), (3, NONE, 'Q'),
                            (6, NONE, 'Q'), (9, NONE, 'Q'), (7, 'cpu', 'II'), (8, 'period', 'Q')):
        if attr.sample_type >> bit & 1:
            value = struct.unpack_from('<' + form, b, at)
            at += 8
            if name:
                row[name] = value if name == 'task' else value[0]
    if row.get('time', 0) >= MARK and row['time'] != TOP:
        # Sorted to the end by its recorder, which knew neither time nor CPU.
        del row['time']
        row.pop('cpu', NONE)
    if attr.type == 1 and attr.config == 10 and attr.sample_type >> 10 & 1 and not attr.sample_type >> 4 & 1:
        callers = struct.unpack_from('<Q', b, at)[0] if attr.sample_type >> 5 & 1 else NONE
        raw = at + (8 + 8 * callers if callers is not NONE else 0)
        size = struct.unpack_from('<I', b, raw)[0]
        # What a witness read is listed where its event is asked for only (W1).
        if 88 <= size <= 95 and b[raw + 4:raw + 8] == b'PWIT':
            return NONE
    if attr.type == 1 and attr.config == 10 and attr.name == 'offcpu-time' and \
            attr.sample_type >> 10 & 1 and not attr.sample_type >> 4 & 1:
        if attr.sample_type >> 5 & 1:
            at += 8 + 8 * struct.unpack_from('<Q', b, at)[0]
        pid, tid, row['period'], n = struct.unpack_from('<iiQQ', b, at + 4)
        row['task'] = pid, tid
        chain = struct.unpack_from('<%dQ' % n, b, at + 28)
        row.pop('ip', NONE)
        if n > 1:
            mode = {TOP - 511: USER, TOP - 127: KERNEL}.get(chain[0], 0)
            row['ip'], row['misc'] = chain[1], misc & ~7 | mode
    return row


# ---- who was there ----

class Tenure:
    serial = 0

    def __init__(self, kind, name, start, end, since, file_offset=0):
        Tenure.serial += 1
        self.file_offset = file_offset
        self.kind, self.name, self.start, self.end, self.since = kind, name, start, end, since
        self.until = NONE
        self.patches = []


def kernel_map(name, start, end, since, file_offset):
    if name.startswith('[kernel.kallsyms]'):
        return Tenure('kernel', '[kernel.kallsyms]', start, end, since, file_offset)
    base = os.path.basename(name)
    if not base.startswith('['):
        for suffix in ('.gz', '.xz', '.zst', '.bz2', '.lzma'):
            base = base[:-len(suffix)] if base.endswith(suffix) else base
        base = base[:-3] if base.endswith('.ko') else base
        base = '[' + base + ']'
    return Tenure('module', base.replace('-', '_'), start, end, since, file_offset)


def user_kind(name):
    if name.startswith(('[vdso', '[vsyscall]', '[uprobes]')):
        return 'vdso'
    if name in ('//anon', '[heap]') or name.startswith(
            ('[stack', '/dev/zero', '/anon_hugepage', '/SYSV', '/memfd:', '[anon')):
        return 'anon'
    return 'dso'


def put(maps, new):
    """Rule M1 on a list of [start, end, tenure]."""
    out = []
    for start, end, tenure in maps:
        if end <= new.start or start >= new.end:
            out.append([start, end, tenure])
            continue
        if start < new.start:
            out.append([start, new.start, tenure])
        if end > new.end:
            out.append([new.end, end, tenure])
    out.append([new.start, new.end, new])
    return out


def lookup(maps, address):
    for start, end, tenure in maps:
        if start <= address < end:
            return tenure
    return NONE


class Ksymbols:
    """K1–K4 and K6, as a list of tenures with since and until; found in a pass of their own,
    because an unregister may tell of the past. taken: (moment, start, end) of the kernel's maps
    with a time, sorted; listed: (start, end, name, kind) of kallsyms."""

    def __init__(self, events, taken=(), listed=()):
        self.tenures, self.live, self.only_listed = [], {}, set()
        initial = [e for e in events if e[0][0] == 0]
        self.apply(initial)
        for start, end, name, kind in listed:
            told = start in self.live or any(t.until and t.start < end and start < t.end
                                             for t in self.tenures)
            if not told:
                tenure = Tenure(kind, name, start, end, (0, 0))
                self.tenures.append(tenure)
                self.live[start] = tenure
                self.only_listed.add(tenure)
        self.unproven = list(self.only_listed)
        self.apply([e for e in events if e[0][0]])
        for tenure in self.unproven:
            for moment, start, end in taken:
                if tenure.start < end and start < tenure.end and (
                        tenure.until is NONE or moment < tenure.until):
                    tenure.until = moment
                    break
        self.changes = sorted({t.since for t in self.tenures} |
                              {t.until for t in self.tenures if t.until})
        self.cache = (NONE, NONE)

    def take(self, moment, start, end):
        for t in [t for t in self.only_listed if t.start < end and start < t.end]:
            self.end(t, moment)

    def end(self, tenure, moment):
        tenure.until = moment
        self.only_listed.discard(tenure)
        del self.live[tenure.start]

    def apply(self, events):
        live = self.live
        for moment, unregister, address, length, type_, name in events:
            overlong = name.startswith(('bpf_trampoline_', 'bpf_dispatcher_'))
            kind = 'stub' if type_ == 2 or overlong else 'bpf'
            if length == 0 and (not unregister or address not in live):
                continue
            same = live.get(address)
            if same in self.only_listed and (unregister or same.name == name):
                self.only_listed.discard(same)
                self.unproven.remove(same)
                if length:
                    same.end = min(address + length, TOP)
            if not unregister:
                self.take(moment, address, address + (1 if overlong else length))
                old = live.get(address)
                if old and old.end - old.start == length and old.name == name:
                    continue
                if old:
                    self.end(old, moment)
                live[address] = Tenure(kind, name, address, min(address + length, TOP), moment)
                self.tenures.append(live[address])
            elif address in live:
                self.end(live[address], moment)
            else:
                ghost = Tenure(kind, name, address, min(address + length, TOP), (0, 0))
                ends = [t.until for t in self.tenures
                        if t.until and t.until < moment and t.start < ghost.end and ghost.start < t.end]
                ghost.since, ghost.until = max(ends, default=(0, 0)), moment
                self.tenures.append(ghost)

    def find(self, address, moment):
        # (all that holds from the last change before the moment on)
        step = bisect.bisect_left(self.changes, moment)
        if self.cache[0] != step:
            self.cache = (step, [t for t in self.tenures
                                 if t.since < moment and (t.until is NONE or not t.until < moment)])
        best = NONE
        for t in self.cache[1]:
            if t.start <= address < t.end and (best is NONE or t.start > best.start):
                best = t
        return best


class Names:
    def __init__(self, directory):
        self.groups, self.code = {}, {}
        code = self.code
        path = directory and os.path.join(directory, 'kallsyms')
        if not path or not os.path.exists(path):
            return
        for line in open(path, errors='replace'):
            f = line.split()
            if len(f) < 3 or not int(f[0], 16) or f[1].upper() not in 'TWDB' or f[2][0] == '$':
                continue
            group = f[3].replace('-', '_') if len(f) > 3 else '[kernel.kallsyms]'
            self.groups.setdefault(group, {}).setdefault(int(f[0], 16), []).append(f[2])
            if f[1].upper() in 'TW':
                code.setdefault(group, set()).add(int(f[0], 16))
        self.sorted = {g: sorted(v) for g, v in self.groups.items()}
        # M8: data follows, or nothing: the last function of a module does not reach into another page.
        self.last = {(g, at) for g, v in self.sorted.items() if g != '[kernel.kallsyms]'
                     for at, after in zip(v, v[1:] + [NONE])
                     if at in code.get(g, ()) and after not in code[g]}

    def find(self, group, address):
        """(start, the names at that address): which of several is a matter of taste."""
        if group not in self.groups:
            return NONE
        i = bisect.bisect_right(self.sorted[group], address)
        if i == 0:
            return NONE
        start = self.sorted[group][i - 1]
        if i == len(self.sorted[group]) and address >= (start // 4096 + 2) * 4096:
            return NONE
        if (group, start) in self.last and address >= (start // 4096 + 1) * 4096:
            return NONE
        return start, self.groups[group][start]

    def registered(self):
        """K6: (start, end, name, kind) of what is listed as registered before the start."""
        everything = sorted({start for starts in self.groups.values() for start in starts})
        for group in '[__builtin__ftrace]', '[__builtin__kprobes]', '[bpf]':
            for start, names in sorted(self.groups.get(group, {}).items()):
                after = everything[bisect.bisect_right(everything, start):][:1]
                end = min(after + [(start // 4096 + 1) * 4096])
                bpf = group == '[bpf]' and not names[0].startswith(('bpf_trampoline_',
                                                                    'bpf_dispatcher_'))
                yield start, end, names[0], 'bpf' if bpf else 'stub'


def table(path):
    capture = Capture(path)
    events, samples, ksyms, position = [], [], [], 0

    def when(time):
        return (0 if time in (0, TOP) else time, position)

    for type_, misc, b in capture.records():
        position += 1
        if type_ == 9:
            row = sample(capture, misc, b)
            if row:
                samples.append((when(row.get('time', 0)), row))
            continue
        if type_ not in (1, 3, 4, 7, 10, 17, 20):
            continue
        trailer = Trailer(capture, type_, b)
        moment = when(trailer.time)
        if type_ == 17:
            address, length, kind, flags = struct.unpack_from('<QIHH', b, 8)
            ksyms.append((moment, flags & 1, address, length, kind, text(b, 24)))
        events.append((moment, type_, misc, b))
    events.sort(key=lambda e: e[0])
    samples.sort(key=lambda s: s[0])
    ksyms.sort(key=lambda k: k[0])
    names, taken = Names(capture.kcore_dir), []
    for moment, type_, misc, b in events:
        if type_ in (1, 10) and moment[0]:
            pid, tid, start, length = struct.unpack_from('<iiQQ', b, 8)
            if length and (misc & 7 == KERNEL or pid == -1) and \
                    not text(b, 40 if type_ == 1 else 72).startswith('[guest.kernel'):
                taken.append((moment, start, min(start + length, TOP)))
    world = World(ksyms, taken, names)
    if samples and samples[0][0][0] == 0:
        for event in events:
            world.apply(*event)
        untimed = [world.guess(moment, row) for moment, row in samples if moment[0] == 0]
        world = World(ksyms, taken, names)
    at = 0
    for number, (moment, row) in enumerate(samples):
        while at < len(events) and events[at][0] < moment:
            world.apply(*events[at])
            at += 1
        pid, tid = row.get('task', (NONE, NONE))
        ip, mode = row.get('ip'), row['misc'] & 7
        holder, revision = untimed[number] if moment[0] == 0 else world.find(moment, row)
        symbol, offset = [], ''
        if holder and holder.kind in ('bpf', 'stub'):
            symbol, offset = [holder.name], hex(ip - holder.start)
        elif holder and holder.kind in ('kernel', 'module'):
            found = names.find(holder.name, ip)
            if found:
                symbol, offset = found[1], hex(ip - found[0])
        kind = holder.kind if holder else 'guest' if mode in GUEST else 'unknown'
        yield ([row.get('time', ''), row['attr'].name, row.get('cpu', ''),
                '' if pid is NONE else pid, '' if tid is NONE else tid, world.comms.get(tid, ''),
                '' if ip is NONE else hex(ip), kind, holder.name if holder else '', revision],
               symbol, offset, '' if row['period'] is NONE else row['period'])


class World:
    """Who is where, as events are applied in their order."""

    def __init__(self, ksyms, taken, names):
        self.ksymbols = Ksymbols(ksyms, taken, names.registered())
        self.kernel, self.spaces, self.threads, self.comms = [], {}, {}, {0: 'swapper'}
        self.before_maps = []  # (moment, the kernel's maps before it)
        self.before = {}       # pid: (moment, its maps before it)
        self.unheld = {}       # byte: (moment, is it a patch) of pokes while nothing held it

    def kernel_maps(self, moment):
        i = bisect.bisect_left(self.before_maps, moment, key=lambda m: m[0])
        return self.before_maps[i][1] if i < len(self.before_maps) else self.kernel

    def held(self, byte, moment):
        return self.ksymbols.find(byte, moment) or lookup(self.kernel_maps(moment), byte)

    def changes(self, byte):
        """Moments at which what holds a byte of the kernel's may change."""
        return sorted([m for m, _ in self.before_maps] + [
            m for t in self.ksymbols.tenures if t.start <= byte < t.end
            for m in (t.since, t.until) if m])

    def gap(self, byte, moment):
        """P6: the pokes since the last end of what held a byte that nothing holds, and that end."""
        since = (0, 0)
        for change in reversed([c for c in self.changes(byte) if c < moment]):
            if self.held(byte, change):
                since = change
                break
        until = min([c for c in self.changes(byte) if c >= moment and
                     self.held(byte, (c[0], c[1] + 1))], default=(TOP, TOP))
        return since, [p for p in self.unheld.get(byte, ()) if since < p[0] <= until]

    def set_maps(self, pid, moment, maps):
        self.before.setdefault(pid, []).append((moment, self.spaces.get(pid, [])))
        self.spaces[pid] = maps

    def apply(self, moment, type_, misc, b):
        threads, comms = self.threads, self.comms
        if type_ in (1, 10):
            pid, tid, start, length, file_offset = struct.unpack_from('<iiQQQ', b, 8)
            name = text(b, 40 if type_ == 1 else 72)
            end = min(start + length, TOP)
            if length == 0 or name.startswith('[guest.kernel'):
                return
            if misc & 7 == KERNEL or pid == -1:
                self.before_maps.append((moment, self.kernel))
                self.kernel = put(self.kernel, kernel_map(name, start, end, moment, file_offset))
            elif not misc & 0x2000:
                threads.setdefault(pid, set()).add(tid)
                tenure = Tenure(user_kind(name), name, start, end, moment, file_offset)
                self.set_maps(pid, moment, put(self.spaces.get(pid, []), tenure))
        elif type_ == 3:
            pid, tid = struct.unpack_from('<ii', b, 8)
            comms[tid] = text(b, 16)
            threads.setdefault(pid, set()).add(tid)
            if misc & 0x2000:
                self.set_maps(pid, moment, [])
                threads[pid] = {tid}
        elif type_ == 7:
            pid, ppid, tid, ptid = struct.unpack_from('<iiii', b, 8)
            comms.pop(tid, NONE)
            if ptid in comms:
                comms[tid] = comms[ptid]
            if pid == ppid:
                threads.setdefault(pid, set()).add(tid)
            else:
                threads[pid] = {tid}
                self.set_maps(pid, moment, [] if misc & 0x2000 else [
                    [s, e, Tenure(t.kind, t.name, s, e, moment, t.file_offset + s - t.start)]
                    for s, e, t in self.spaces.get(ppid, [])])
        elif type_ == 4:
            pid, ppid, tid, ptid = struct.unpack_from('<iiii', b, 8)
            threads.setdefault(pid, set()).discard(tid)
            if not threads[pid]:
                self.set_maps(pid, moment, [])
        elif type_ == 20:
            address, old, new = struct.unpack_from('<QHH', b, 8)
            before, after = b[20:20 + old], b[20 + old:20 + old + new]
            is_patch = bool(old and new and before != after)
            for byte in range(address, address + max(old, new)):
                holder = self.ksymbols.find(byte, moment) or lookup(self.kernel, byte)
                if not holder:
                    self.unheld.setdefault(byte, []).append((moment, is_patch))
                elif is_patch:
                    holder.patches.append((byte, moment))

    def find(self, moment, row):
        """(tenure, revision) of a sample that has a time."""
        ip, mode = row.get('ip'), row['misc'] & 7
        if mode == KERNEL and ip is not NONE:
            holder = self.ksymbols.find(ip, moment) or lookup(self.kernel, ip)
            if holder:
                return holder, sum(byte == ip for byte, _ in holder.patches)
            pokes = self.gap(ip, moment)[1] if ip in self.unheld else []
            return NONE, sum(m < moment and is_patch for m, is_patch in pokes)
        if mode == USER and ip is not NONE:
            return lookup(self.spaces.get(row.get('task', (NONE,))[0], []), ip), 0
        return NONE, 0

    def guess(self, moment, row):
        """Order 0, when all events are applied: what is possible from the sample's place on, where
        there is one such thing only."""
        ip, mode, possible = row.get('ip'), row['misc'] & 7, {}
        if ip is NONE:
            return NONE, 0
        if mode == KERNEL:
            for at in [moment] + [c for c in self.changes(ip) if c > moment] + [(TOP, TOP)]:
                holder = self.held(ip, at)
                if holder:
                    patches = [m for byte, m in holder.patches if byte == ip]
                    what = holder.kind, holder.name, ip - holder.start + holder.file_offset
                else:
                    since, pokes = self.gap(ip, at)
                    if not pokes:
                        continue
                    patches, what = [m for m, is_patch in pokes if is_patch], since
                possible[what, len(patches)] = holder, len(patches)
                if any(m >= moment for m in patches):
                    return NONE, 0
        elif mode == USER:
            pid = row.get('task', (NONE,))[0]
            states = [maps for m, maps in self.before.get(pid, []) if m >= moment]
            for maps in states + [self.spaces.get(pid, [])]:
                holder = lookup(maps, ip)
                if holder:
                    possible.setdefault((holder.kind, holder.name,
                                         ip - holder.start + holder.file_offset), (holder, 0))
        return list(possible.values())[0] if len(possible) == 1 else (NONE, 0)


HEADER = 'time,event,cpu,pid,tid,comm,address,kind,occupant,revision,symbol,offset,period'


def plain(cell):
    """Takes off the apostrophe that keeps a spreadsheet from running a cell."""
    return cell[1:] if cell.startswith("'") else cell


def compare(path, lines):
    """Differences between the rows of the program (an iterable of csv lines) and ours."""
    rows = csv.reader(lines)
    header = ','.join(next(rows))
    if header != HEADER:
        yield 'header: %s' % header
        return
    n = 0
    for facts, symbols, offset, period in table(path):
        n += 1
        got = next(rows, NONE)
        if got is NONE:
            yield 'row %d is missing' % n
            return
        want = [str(f) for f in facts]
        if not want[1]:
            want[1] = got[1]  # an event without a recorded name
        if [plain(c) for c in got[:10]] != want or plain(got[10]) not in (symbols or ['']) or \
                got[11] != offset or got[12] != str(period):
            yield 'row %d: %s, expected %s %s %s %s' % (n, got, want, symbols, offset, period)
    extra = sum(1 for _ in rows)
    if extra:
        yield '%d rows too many' % extra


if __name__ == '__main__':
    out = csv.writer(sys.stdout, lineterminator='\n')
    print(HEADER)
    for facts, symbols, offset, period in table(sys.argv[1]):
        out.writerow(facts + [symbols[0] if symbols else '', offset, period])
