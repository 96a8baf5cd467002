/* pen-store-thread.h: rows on their way into the file, in a thread of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-new-file.h"
#include "pen-row.h"

G_BEGIN_DECLS

/* One prepared statement per table. */
enum {
  INSERT_FACT,
  INSERT_FILE,
  INSERT_EVENT,
  INSERT_RECORD_COUNT,
  INSERT_PROBLEM,
  INSERT_LOSS,
  INSERT_MAP,
  INSERT_KSYMBOL,
  INSERT_POKE,
  INSERT_BATCH,
  INSERT_BPF_EVENT,
  INSERT_BPF_PROGRAM,
  INSERT_BPF_FUNCTION,
  INSERT_TASK,
  INSERT_SPACE,
  INSERT_TENURE,
  INSERT_PART,
  INSERT_TEXT,
  INSERT_SYMBOLS,
  INSERT_THREAD,
  INSERT_NAME_FILE,
  INSERT_SOURCE,
  INSERT_FOUND_FILE,
  INSERT_ABSENT_FILE,
  INSERT_NAMED_TENURE,
  INSERT_FILE_TEXT,
  INSERT_SOURCE_FILE,
  INSERT_INLINED_FUNCTION,
  INSERT_SOURCE_LINES,
  INSERT_FUNCTION,
  INSERT_BUCKETS,
  INSERT_BLOCK,
  INSERT_SPAN,
  INSERT_SPAN_PIECE,
  INSERT_FRAMES,
  INSERT_CHAINS,
  INSERT_PAYLOADS,
  INSERT_TRACEPOINT,
  INSERT_MODULE_EVENT,
  INSERT_BPF_LINE,
  INSERT_BTF,
  INSERT_BUILD_ID,
  INSERTS,
};

/*
 * PenStoreThread: SQLite takes some microseconds per row, which whoever makes the rows need not
 * wait for. The rows go into the file in the order in which they come, so that it is the same
 * whatever the threads do. What fails is told with one of the next rows, or in the end.
 */

/* @file: empty; must outlive the thread. @cancellable: (nullable): stops a long statement, too */
PenStoreThread *pen_store_thread_new (PenNewFile *file, GCancellable *cancellable);
/* Waits; what has not been written is not. */
void pen_store_thread_free (PenStoreThread *self);

/* @table: INSERT_…. The row ends with pen_row_end(). */
gboolean pen_store_thread_start_row (PenStoreThread *self, guint8 table, PenRow *row,
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
