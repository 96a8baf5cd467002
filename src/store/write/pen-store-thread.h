/* pen-store-thread.h: rows on their way into the file, in a thread of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-new-file.h"
#include "pen-store-table.h"

G_BEGIN_DECLS

typedef struct _PenStoreThread PenStoreThread;

/*
 * PenStoreThread: SQLite takes some microseconds per row, which whoever makes the rows need not
 * wait for. The rows go into the file in the order in which they come, so that it is the same
 * whatever the threads do. A failure is reported with one of the next rows, or in the end.
 */

/* @file: empty; must outlive the thread. @cancellable: (nullable): stops a long statement, too */
PenStoreThread *pen_store_thread_new (PenNewFile *file, GCancellable *cancellable);
/* Waits; what has not been written is not. */
void pen_store_thread_free (PenStoreThread *self);

/* @row: the struct of @table: copied. The row that failed may be one before. */
gboolean pen_store_thread_add (PenStoreThread *self, PenTableId table, gconstpointer row,
                               GError **error);

/* Waits until all rows are in.
 * Returns: (transfer none): the file, for the caller alone until the next row; NULL with @error */
sqlite3 *pen_store_thread_wait (PenStoreThread *self, GError **error);

/* No more rows: indexes are made, the store is marked complete, and begins to be put on the disk.
 */
gboolean pen_store_thread_end (PenStoreThread *self, GError **error);
/* Waits for that. */
gboolean pen_store_thread_join (PenStoreThread *self, GError **error);

G_END_DECLS
