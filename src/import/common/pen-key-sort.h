/* pen-key-sort.h: many things in the order of a number each has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A key to sort by, and the index of its element. */
typedef struct {
  guint64 value;
  guint32 index;
} PenSortKey;

/*
 * pen_key_sort:
 * @keys: (inout): (transfer full): @n of them; exchanged for another array of the same size
 *
 * A radix sort: keys of one value stay in their order. Takes as much memory again while it runs.
 */
void pen_key_sort (PenSortKey **keys, guint n);

G_END_DECLS
