"""Which cause each text poke must have, from what the scenario did to the kernel, and when.

A second making, apart from the program's rules: it starts from the scenario's own record of what it
switched (windows of time with the names of functions, probes and tracepoints), and looks up names in
kallsyms by itself.
"""
import bisect
import fnmatch
import lzma
import os
import re

KPROBE_SLACK = 3.0  # seconds: a worker optimises and frees probes later
SLACK = 0.05        # what a command began goes on while its end is being written down
FURTHEST = 0x4000   # behind a symbol's start: nothing is known there
NOPS = {'0f1f440000', '6690'}
FTRACE_OWN = re.compile(r'^ftrace_(regs_)?(call|caller|graph_call|common|epilogue|stub)')


class Names:
    """Symbols of copies of kallsyms, a plain list. Further copies add those of the core kernel."""

    def __init__(self, paths):
        symbols = set()
        for i, path in enumerate(paths):
            opener = lzma.open if path.endswith('.xz') else open
            with opener(path, 'rt', errors='replace') as lines:
                for line in lines:
                    words = line.split()
                    if len(words) >= 3 and words[1] in 'tTwW' \
                            and not words[2].startswith(('$', '__pfx_')) and (i == 0 or len(words) == 3):
                        symbols.add((int(words[0], 16), words[2]))
        self.symbols = sorted(symbols)
        self.starts = [start for start, _ in self.symbols]

    def find(self, address):
        """All names at the nearest start at or below the address, and the offset."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or address - self.starts[i] > FURTHEST:
            return [], 0
        start = self.starts[i]
        names = []
        while i >= 0 and self.starts[i] == start:
            names.append(self.symbols[i][1])
            i -= 1
        return names, address - start


class Memory:
    """What ksymbol records say of an address at a time."""

    def __init__(self, records):
        self.records = records  # time (ns), is_unregister, address, length, name

    def find(self, address, time):
        """Names that were registered there then, or a while ago: text goes after a grace period."""
        found = []
        for when, gone, start, length, name in self.records:
            if when > time:
                break
            if not gone and start <= address < start + length:
                found.append(name)
        return found[-1] if found else ''


def windows(lines):
    """(begin, end, what) of "SECONDS SECONDS|open WHAT" lines."""
    found = []
    for line in lines:
        begin, end, what = line.rstrip('\n').split(' ', 2)
        found.append((float(begin), float('inf') if end == 'open' else float(end), what))
    return found


def windows_of_kmsg(path):
    """The same from the kernel's log, in which the scenario's script wrote "LAB begin WHAT"."""
    found, opened = [], []
    with open(path, errors='replace') as lines:
        for line in lines:
            m = re.match(r'\[\s*(\d+\.\d+)\] LAB (begin|end) (.*)', line)
            if m and m[2] == 'begin':
                opened.append(len(found))
                found.append([float(m[1]), float('inf'), m[3].strip()])
            elif m and opened:
                found[opened.pop()][1] = float(m[1])
    return [tuple(window) for window in found]


# The words of the lab's marks for what other scripts call otherwise.
MARKS = [(r'livepatch (?:on|off)', 'livepatch __x64_sys_getppid+cmdline_proc_show'),
         (r'tracer (?!off)(.*)', r'ftrace function \1'), (r'tracer off', 'ftrace function off'),
         (r'instance off|instance two off', 'instance one function off'),
         (r'instance (?:two )?(.*)', r'instance one function \1'),
         (r'kprobe off', 'del p:mark'), (r'kprobe (.*)', r'add p:mark \1'),
         (r'graph off', 'function_graph off'), (r'graph (.*)', r'function_graph \1')]


def windows_of_marks(directory):
    """The same from lines "TIME begin WHAT" and "TIME end …": of the script, and of its BPF program bpf2,
    which goes on at the same time."""
    found = []
    for name, comm in (('marks.txt', None), ('bpf2-truth.txt', 'bpf2')):
        with open(os.path.join(directory, name), errors='replace') as lines:
            for line in lines:
                time, word, *rest = line.split(' ', 2)
                if word == 'begin':
                    what = rest[0].strip().replace('getppid', '__x64_sys_getppid')
                    for pattern, words in MARKS:
                        if not comm and re.fullmatch(pattern, what):
                            what = re.sub(pattern, words, what)
                            break
                    found.append([float(time), float('inf'), 'bpf ' + what if comm else what, comm])
                elif word == 'end' and found and found[-1][3] == comm:
                    found[-1][1] = float(time)
    return [tuple(window) for window in found]


def target(address, code):
    """Where a jump or call of five bytes leads."""
    if len(code) != 5 or code[0] not in (0xe8, 0xe9):
        return None
    return (address + 5 + int.from_bytes(code[1:], 'little', signed=True)) & (2 ** 64 - 1)


class Oracle:
    def __init__(self, windows, names, memory):
        self.windows = windows
        self.names = names
        self.memory = memory
        self.traced = []   # patterns of functions that ftrace was told to trace
        self.probes = {}   # (function, offset)
        for _, _, what, *_ in windows:
            m = re.match(r'(?:ftrace|instance \w+|ftrace module) function (\S+)|function_graph (\S+)', what)
            if m and (m[1] or m[2]) != 'off':
                words = (m[1] or m[2])
                self.traced += ['*'] if words == 'all' else words.split('+')
            m = re.match(r'add [pr]:\S+ ([^\s+]+)(?:\+(\d+))?', what)
            if m:
                self.probes[m[1], int(m[2] or 0)] = what

    def expect(self, poke):
        """The cause that the truth gives, or None where it gives none."""
        time = poke['time'] / 1e9
        found = self.probe_memory(poke) if self.probes else set()
        tasks = {comm for _, _, _, *rest in self.windows for comm in rest if comm}
        for begin, end, what, *rest in self.windows:
            # Of tasks that are known to work at the same time each has its own windows.
            if rest and (rest[0] or None) != (poke['comm'] if poke['comm'] in tasks else None):
                continue
            is_probe = re.match(r'add [pr]:|del |enable noopt|kprobes-optimization', what)
            if begin - 2e-6 <= time <= end + (KPROBE_SLACK if is_probe else SLACK):
                found |= self.of_window(what, poke)
        return found.pop() if len(found) == 1 else None

    def of_window(self, what, poke):
        old, new = poke['old'], poke['new']
        first = what.split()[0]
        if first in ('sched_schedstats', 'bpf_stats_enabled'):
            return self.key(poke)
        if first == 'tracepoint':
            return self.tracepoint(poke)
        if first == 'livepatch':
            return self.livepatch(poke, what.split()[1].split('+'))
        if first in ('ftrace', 'instance', 'function_graph', 'mass'):
            return self.call(poke) or self.ftrace(poke) or self.key(poke)
        if first in ('add', 'del', 'enable', 'kprobes-optimization'):
            return self.probe(poke) or self.call(poke) or self.ftrace(poke) or self.key(poke)
        if first == 'bpf':
            return self.bpf(poke) or self.tracepoint(poke)
        return set()

    def site(self, poke):
        return self.names.find(poke['address'])

    def key(self, poke):
        """A nop that becomes a jump, or the other way round, within the kernel's text."""
        pair = {poke['old'].hex(), poke['new'].hex()}
        others = [code for code in (poke['old'], poke['new']) if code.hex() not in NOPS]
        if len(pair & NOPS) == 1 and others[0][0] in (0xe9, 0xeb) and self.site(poke)[0] \
                and not self.memory.find(poke['address'], poke['time']):
            return {'static-key'}
        return set()

    def targets(self, poke):
        for code in (poke['old'], poke['new']):
            to = target(poke['address'], code)
            if to is not None:
                yield to

    def tracepoint(self, poke):
        return self.call(poke) or self.key(poke)

    def call(self, poke):
        """The static call tp_func_X goes from __traceiter_X to a probe, or back."""
        names = [name for to in self.targets(poke) for name in self.names.find(to)[0]]
        if any(name.startswith('__traceiter_') for name in names) \
                or any(name.startswith('__SCT__tp_func_') for name in self.site(poke)[0]):
            return {'static-call'}
        return set()

    def ftrace(self, poke):
        names, offset = self.site(poke)
        memory = self.memory.find(poke['address'], poke['time'])
        if memory:
            return {'ftrace'} if memory == 'ftrace_trampoline' else set()
        if any(FTRACE_OWN.match(name) for name in names):
            return {'ftrace'}
        wanted = self.traced + [name for name, at in self.probes if at == 0]
        if offset in (0, 4) and any(fnmatch.fnmatchcase(name, pattern)
                                    for name in names for pattern in wanted):
            return {'ftrace'}
        # A module's function: its name is in no list.
        ends = {self.memory.find(to, poke['time']) for to in self.targets(poke)}
        callers = [name for to in self.targets(poke) for name in self.names.find(to)[0]]
        if not names and ('ftrace_trampoline' in ends or 'ftrace_caller' in callers):
            return {'ftrace'}
        return set()

    def livepatch(self, poke, functions):
        """The patched functions' entries, and the trampolines that are made for them."""
        names, offset = self.site(poke)
        if self.memory.find(poke['address'], poke['time']) == 'ftrace_trampoline' \
                or (offset in (0, 4) and any(name in functions for name in names)):
            return {'livepatch'}
        return {'ftrace'} if any(FTRACE_OWN.match(name) for name in names) else set()

    def probe_memory(self, poke):
        """Filled, too, for the probes with which the script found out where one can be."""
        memory = self.memory.find(poke['address'], poke['time'])
        if memory == 'kprobe_insn_page':
            return {'kprobe'}
        if memory == 'kprobe_optinsn_page':
            return {'optprobe'}
        return set()

    def probe(self, poke):
        names, offset = self.site(poke)
        if any(at == offset and at > 0 and name in names for name, at in self.probes):
            return {'kprobe' if len(poke['new']) == 1 else 'optprobe'}
        return set()

    def bpf(self, poke):
        memory = self.memory.find(poke['address'], poke['time'])
        names, offset = self.site(poke)
        if memory.startswith('bpf_'):
            return {'bpf'}
        if not memory and any('bpf_dispatcher_xdp' in name for name in names):
            return {'bpf'}  # the test runs of XDP programs
        ends = [self.memory.find(to, poke['time']) for to in self.targets(poke)]
        if offset in (0, 4) and any(end.startswith('bpf_trampoline') for end in ends):
            return {'bpf'}  # fentry and fexit
        if memory == 'ftrace_trampoline' or any(FTRACE_OWN.match(name) for name in names):
            return {'ftrace'}
        if offset in (0, 4) and 'ftrace_trampoline' in ends:
            return {'ftrace'}  # a kprobe at an entry, with a program
        return set()
