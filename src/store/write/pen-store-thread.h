/* pen-store-thread.h: rows on their way into the file, in a thread of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-new-file.h"
#include "pen-page-file.h"
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
/* Into @pages, in place of a file; rows take the place of those with the same key. It is never
 * ended, but published. */
PenStoreThread *pen_store_thread_new_pages (PenPageFile *pages, GCancellable *cancellable);
/* Waits; what has not been written is not. */
void pen_store_thread_free (PenStoreThread *self);

/* @row: the struct of @table: copied. The row that failed may be one before. */
gboolean pen_store_thread_add (PenStoreThread *self, PenTableId table, gconstpointer row,
                               GError **error);

/* Waits until all rows are in.
 * Returns: (transfer none): the file, for the caller alone until the next row; NULL with @error */
sqlite3 *pen_store_thread_wait (PenStoreThread *self, GError **error);

/* Of the thread that writes into pages: all rows are in, and the store is complete; it may go on.
 * Returns: (transfer full): NULL with @error */
PenPageState *pen_store_thread_publish (PenStoreThread *self, GError **error);
/* Of the same: @cancellable is another one from now on, and rows of @tables go. */
gboolean pen_store_thread_go_on (PenStoreThread *self, const PenTableId *tables, guint n,
                                 GCancellable *cancellable, GError **error);
/* @sql: a statement without rows, run after the rows so far */
gboolean pen_store_thread_run (PenStoreThread *self, const char *sql, GError **error);

/* No more rows: indexes are made, the store is marked complete, and begins to be put on the disk.
 */
gboolean pen_store_thread_end (PenStoreThread *self, GError **error);
/* Waits for that. */
gboolean pen_store_thread_join (PenStoreThread *self, GError **error);

G_END_DECLS
