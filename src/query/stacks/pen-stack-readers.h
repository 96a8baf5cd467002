/* pen-stack-readers.h: blocks of samples, read and looked up by several threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"
#include "pen-stack-index.h"
#include "pen-stack-map.h"

G_BEGIN_DECLS

/* More of them wait for memory. */
#define PEN_STACK_READERS_MAX 4u

/* Leaves those of @n @rows of a block that are asked for. @all: (out): of all of them. Several
 * threads ask. Returns: how many are left */
typedef guint (*PenStackNarrowFunc) (const PenSampleBlock *block, guint32 *rows, guint n,
                                     PenStackCount *all, gconstpointer data);

/*
 * PenStackReading: what is read
 * @matcher: but for its time
 * @map: (nullable): whose leaves are asked for
 * @narrow, @data: (nullable): which rows
 * @columns: PEN_SAMPLE_COLUMN_…: what is looked at beside what the matcher and the time ask for
 * @first, @end: blocks
 * @from, @to: time, ns
 */
typedef struct {
  PenStackIndex *index;
  const PenMatcher *matcher;
  PenStackMap *map;
  PenStackNarrowFunc narrow;
  gconstpointer data;
  guint columns;
  guint first;
  guint end;
  guint64 from;
  guint64 to;
} PenStackReading;

/*
 * PenStackReaders: a thread each, but for the first one, with a handle of the store and two blocks.
 * Kept as long as the index, without their threads and blocks.
 * @stores: (element-type PenStore): of all but the first
 */
struct _PenStackReaders {
  GPtrArray *stores;
};

/* @n: how many, at most; fewer where the file cannot be opened again */
PenStackReaders *pen_stack_readers_new (PenStore *store, guint n);
void pen_stack_readers_free (PenStackReaders *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackReaders, pen_stack_readers_free)

/*
 * pen_stack_readers_scan:
 *
 * As pen_stack_index_scan_blocks(), in the same order and by the same thread, with leaves found so
 * far (PenStackBatch.found): nothing but @func adds any, so that these get the numbers that one
 * reader gives them.
 *
 * Cost: 5 MB for each reader meanwhile.
 */
gboolean pen_stack_readers_scan (PenStackReaders *self, const PenStackReading *reading,
                                 PenStackBatchFunc func, gpointer user_data, GError **error);

/* Of all blocks (@reading has none), by the readers of its index where that is worth it; else
 * without leaves, and not narrowed. */
gboolean pen_stack_readers_scan_all (const PenStackReading *reading, PenStackBatchFunc func,
                                     gpointer user_data, GError **error);

G_END_DECLS
