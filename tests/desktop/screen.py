# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the screen: what Xvfb keeps in a file, as xwd has it."""

import os
import struct

WIDTH, HEIGHT = 1280, 800  # in units of the window


class Picture:
    """Rows of pixels, each of three bytes: blue, green, red."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def means(self, cell):
        """Mean brightness of squares of that many pixels, row by row."""
        found = []
        for y in range(0, self.height - cell + 1, cell):
            sums = [0] * (self.width // cell)
            for row in self.rows[y:y + cell]:
                # Green is most of what is seen.
                for i in range(len(sums)):
                    sums[i] += sum(row[3 * cell * i + 1:3 * cell * (i + 1):3])
            found.append([one / cell / cell for one in sums])
        return found


def take(path=None):
    """The screen as it is."""
    with open(path or os.environ['SCREEN'], 'rb') as file:
        data = file.read()
    header = struct.unpack('>25I', data[:100])
    size, width, height, order, bits, stride, colours = (header[i] for i in (0, 4, 5, 7, 11, 12, 19))
    assert bits == 32 and order == 0, header
    start = size + 12 * colours
    rows = []
    for y in range(height):
        row = data[start + y * stride:start + y * stride + 4 * width]
        packed = bytearray(3 * width)
        for channel in range(3):
            packed[channel::3] = row[channel::4]
        rows.append(bytes(packed))
    return Picture(width, height, rows)
