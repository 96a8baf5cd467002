/* pen-ring.h: whole records out of a ring that the kernel writes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "pen-text-rings.h"

G_BEGIN_DECLS

/* The size of a record is a u16. */
#define PEN_RING_RECORD_MAX 65536u

/*
 * pen_ring_take:
 * @data: @size bytes, a power of two, in which the byte at position p is data[p % size]
 * @tail, @head: positions; what lies between was written and not yet read
 * @scratch: PEN_RING_RECORD_MAX bytes, for a record that goes on at the ring's beginning
 *
 * Calls @func for each record. Where a record has an impossible size, nothing after it can be
 * found: all up to @head is given up.
 *
 * Returns: how many bytes were given up
 */
gsize pen_ring_take (const guint8 *data, gsize size, guint64 tail, guint64 head, guint8 *scratch,
                     PenTextRingFunc func, gpointer user_data);

G_END_DECLS
