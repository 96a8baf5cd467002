#!/usr/bin/env python3
"""pentimento-cli render from outside: files, formats, sizes, what is refused (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import struct
import sys
import xml.dom.minidom
import zlib

from harness import case, main

data = os.path.abspath(sys.argv[2])
EVERYTHING = os.path.join(data, 'f-everything-z.data')
BPF = os.path.join(data, 'd-bpf.data')
FTRACE = os.path.join(data, 'b-ftrace.data')
VIEWS = ('overview', 'map', 'annotation', 'flame', 'chart', 'heat')


def read_png(content):
    """Width, height, rows of (red, green, blue)."""
    assert content[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG'
    at, packed = 8, b''
    while at < len(content):
        length, name = struct.unpack('>I4s', content[at:at + 8])
        chunk = content[at + 8:at + 8 + length]
        if name == b'IHDR':
            width, height, depth, color = struct.unpack('>IIBB', chunk[:10])
            assert (depth, color) == (8, 2), (depth, color)
        if name == b'IDAT':
            packed += chunk
        at += length + 12
    flat, rows, before = zlib.decompress(packed), [], bytearray(width * 3)
    for y in range(height):
        start = y * (width * 3 + 1)
        kind, row = flat[start], bytearray(flat[start + 1:start + 1 + width * 3])
        for i in range(width * 3):
            left = row[i - 3] if i >= 3 else 0
            up, corner = before[i], before[i - 3] if i >= 3 else 0
            if kind == 4:
                guess = left + up - corner
                row[i] = (row[i] + min((left, up, corner), key=lambda x: abs(guess - x))) & 255
            else:
                row[i] = (row[i] + (0, left, up, (left + up) // 2)[kind]) & 255
        rows.append(row)
        before = row
    return width, height, rows


def colors(rows):
    return {bytes(row[i:i + 3]) for row in rows for i in range(0, len(row), 3)}


@case
def every_view_and_format(w):
    for view in VIEWS:
        for ending in ('png', 'svg', 'pdf'):
            name = '%s.%s' % (view, ending)
            got = w.run('render', EVERYTHING, '--view=' + view, '-o', name)
            assert got.stdout == b'' and got.stderr == b'', (name, got)
            content = w.read(name)
            assert len(content) > 2000, (name, len(content))
            if ending == 'svg':
                xml.dom.minidom.parseString(content)
            if ending == 'pdf':
                assert content.startswith(b'%PDF-') and content.rstrip().endswith(b'%%EOF'), name


@case
def what_is_drawn(w):
    w.run('render', EVERYTHING, '-o', 'light.png', '--width=600', '--height=400')
    w.run('render', EVERYTHING, '-o', 'dark.png', '--width=600', '--height=400', '--dark')
    width, height, light = read_png(w.read('light.png'))
    assert (width, height) == (600, 400), (width, height)
    _, _, dark = read_png(w.read('dark.png'))
    assert bytes(light[0][:3]) == b'\xff\xff\xff' and max(dark[0][:3]) < 0x40, 'ground'
    # Kernel, BPF, stub: the colours of the palette.
    assert {b'\x35\x84\xe4', b'\xd9\x59\x0b', b'\xa5\x1d\x2d'} <= colors(light), 'kinds'


@case
def scale_makes_more_pixels(w):
    w.run('render', BPF, '-o', 'one.png', '--width=400', '--height=300')
    w.run('render', BPF, '-o', 'three.png', '--width=400', '--height=300', '--scale=3')
    assert read_png(w.read('one.png'))[:2] == (400, 300)
    assert read_png(w.read('three.png'))[:2] == (1200, 900)


@case
def filters_change_the_picture(w):
    w.run('render', EVERYTHING, '-o', 'all.png', '--view=map')
    for name, words in (('kind', ['--kind=bpf']), ('time', ['--time=20%,40%']), ('cause', ['--cause=kprobe'])):
        w.run('render', EVERYTHING, '-o', name + '.png', '--view=map', *words)
        assert w.read(name + '.png') != w.read('all.png'), name
    w.run('render', EVERYTHING, '-o', 'again.png', '--view=map')
    assert w.read('again.png') == w.read('all.png'), 'the same twice'


@case
def cpus_and_processes_take_room(w):
    w.run('render', FTRACE, '-o', 'plain.png')
    w.run('render', FTRACE, '-o', 'cpus.png', '--cpus')
    w.run('render', FTRACE, '-o', 'both.png', '--cpus', '--processes')
    heights = [read_png(w.read(name + '.png'))[1] for name in ('plain', 'cpus', 'both')]
    assert heights[0] < heights[1] < heights[2], heights


@case
def annotation_of_a_function(w):
    w.run('render', EVERYTHING, 'vfs_read', '--view=annotation', '-o', 'named.png')
    w.run('render', 'vfs_read', EVERYTHING, '--view=annotation', '-o', 'other-order.png')
    assert w.read('named.png') == w.read('other-order.png')
    w.run('render', EVERYTHING, '--view=annotation', '--syntax=intel', 'vfs_read', '-o', 'intel.png')
    assert w.read('named.png') != w.read('intel.png'), 'syntax'
    w.refused('render', EVERYTHING, 'no_such_function', '--view=annotation', '-o', 'x.png', status=1,
              says='no_such_function')
    w.refused('render', EVERYTHING, 'vfs_read', '-o', 'x.png', status=2, says='--view=annotation')
    assert not os.path.exists(w.path('x.png'))


@case
def two_time_ranges(w):
    """A flame graph of both: frames that parted have one of two colours, and the batch is named."""
    more, less = bytes.fromhex('d55e00'), bytes.fromhex('0072b2')
    w.run('render', EVERYTHING, '--view=flame', '-o', 'all.png')
    w.run('render', EVERYTHING, '--view=flame', '--batch=6', '-o', 'batch.png')
    w.run('render', EVERYTHING, '--view=flame', '--before=4.4,9', '--after=9,14', '-o', 'ranges.png')
    for name in ('batch.png', 'ranges.png'):
        seen = colors(read_png(w.read(name))[2])
        assert more in seen and less in seen, name
    assert less not in colors(read_png(w.read('all.png'))[2])
    w.refused('render', EVERYTHING, '--view=flame', '--batch=100000', '-o', 'x.png', status=1, says='batch 100000')


@case
def refusals(w):
    for words, says in (
            ([], 'missing output'),
            (['-o', '-'], 'missing output'),
            (['-o', 'x.jpg'], '.png, .svg or .pdf'),
            (['-o', 'x.png', '--view=sunset'], 'overview, map, annotation, flame, chart, heat'),
            (['-o', 'x.png', '--width=-3'], '--width: -3'),
            (['-o', 'x.png', '--width=10'], 'too small'),
            (['-o', 'x.png', '--width=20000'], 'too large'),
            (['-o', 'x.png', '--width=9000', '--scale=2'], 'too large'),
            (['-o', 'x.png', '--scale=9'], '--scale: 9'),
            (['-o', 'x.png', '--view=map', '--batch=1'], '--view=flame'),
            (['-o', 'x.png', '--view=flame', '--before=1,2'], '--before and --after'),
            (['-o', 'x.png', '--dark', '--light'], 'exclude each other')):
        w.refused('render', BPF, *words, status=2, says=says)
    assert os.listdir(w.directory) == [], os.listdir(w.directory)
    w.refused('render', w.path('absent'), '-o', 'x.png', status=1, says='absent')
    w.refused('render', BPF, '-o', 'no/such/folder.png', status=1, says='folder')


@case
def nothing_is_left_of_a_failure(w):
    w.refused('render', BPF, '-o', 'x.png', '--view=annotation', '--symbol=nobody', status=1, says='no function')
    assert os.listdir(w.directory) == [], os.listdir(w.directory)


main()
