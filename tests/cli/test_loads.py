#!/usr/bin/env python3
"""annotate of a program that was loaded several times: one load, as occupants lists it (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
FTRACE, BPF = (os.path.join(data, name) for name in ('b-ftrace.data', 'd-bpf.data'))


def list_loads(w):
    """The name with most loads that have samples, and its rows of occupants, by time."""
    names = {}
    for row in w.csv('occupants', BPF, '--kind', 'bpf'):
        if int(row['samples']) > 0:
            names.setdefault(row['occupant'], []).append(row)
    name = max(names, key=lambda each: len(names[each]))
    assert len(names[name]) > 1, names.keys()
    return name, names[name]


def read_listing(text):
    """Samples of the first heading; those of each tenure's heading, and of its lines."""
    turns = []
    for line in text.splitlines():
        heading = re.match(r'  (\S+ – \S+)  .*  (\d+) samples  ', line)
        if heading:
            turns.append([int(heading[2]), 0])
        elif turns and re.match(r' *\d+ +\d+\.\d\d ', line):
            turns[-1][1] += int(line.split()[0])
    return int(re.search(r'(\d+) of \d+ samples', text)[1]), turns


@case
def the_busiest_load_alone(w):
    name, loads = list_loads(w)
    most = max(int(load['samples']) for load in loads)
    text = w.text('annotate', BPF, name)
    total, turns = read_listing(text)
    same(total, most)
    same(turns, [[most, most]])
    note = text.splitlines()[1]
    found = re.match(r'  load (\d+) of (\d+), with most samples: (\d+) of their (\d+) \(--all-loads', note)
    number, n, shown, samples = map(int, found.groups())
    same([shown, samples], [most, sum(int(load['samples']) for load in loads)])
    assert 1 <= number <= n and n >= len(loads), note


@case
def one_of_them(w):
    name, loads = list_loads(w)
    busiest = max(loads, key=lambda load: int(load['samples']))
    lines = w.text('annotate', BPF, name).splitlines()
    alone = w.text('annotate', BPF, name, '--tenure', busiest['tenure'])
    assert '\n'.join(lines[2:]) in alone, alone
    assert '--all-loads' not in alone
    for load in loads:
        found = w.text('annotate', BPF, name, '--at', '%d.%09d' % divmod(int(load['from']) + 1000, 10 ** 9))
        same(read_listing(found)[0], int(load['samples']))
        assert ', at that time' in found.splitlines()[1]
    w.refused('annotate', BPF, name, '--at=start', status=1, says='loads was there at that time')


@case
def all_of_them(w):
    name, loads = list_loads(w)
    text = w.text('annotate', BPF, name, '--all-loads')
    assert '(--all-loads' not in text
    for load in loads:
        assert '%s samples' % load['samples'] in text, load
    # csv and json have all of them, whether or not that is asked for
    rows = w.csv('annotate', BPF, name)
    same(w.csv('annotate', BPF, name, '--all-loads'), rows)
    for load in loads:
        same(sum(int(row['samples']) for row in rows if row['tenure'] == load['tenure']), int(load['samples']))


@case
def the_filter_counts(w):
    name, loads = list_loads(w)
    least = min(loads, key=lambda load: int(load['samples']))
    time = ','.join('%d.%09d' % divmod(int(least[end]), 10 ** 9) for end in ('from', 'to'))
    same(read_listing(w.text('annotate', BPF, name, '--time', time))[1], [[int(least['samples'])] * 2])


@case
def an_address_of_several(w):
    loads = list_loads(w)[1]
    address = loads[0]['start']
    held = [row for row in w.csv('occupants', BPF, '--kind', 'bpf,stub')
            if int(row['start'], 16) <= int(address, 16) < int(row['end'], 16)]
    assert len(held) > 1
    total, turns = read_listing(w.text('annotate', BPF, address))
    same(total, max(int(row['samples']) for row in held))
    same(turns, [[total, total]])


@case
def no_word_of_loads_where_there_is_one(w):
    text = w.text('annotate', FTRACE, 'vfs_read')
    assert 'load' not in text.splitlines()[1], text
    same(w.text('annotate', FTRACE, 'vfs_read', '--all-loads'), text)


main()
