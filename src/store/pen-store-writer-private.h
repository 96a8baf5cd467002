/* pen-store-writer-private.h: what the files of the writer share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-block-packer.h"
#include "pen-new-file.h"
#include "pen-row.h"
#include "pen-store-writer.h"

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
  INSERT_NAMED_TENURE,
  INSERT_FILE_TEXT,
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

struct _PenStoreWriter {
  PenNewFile *file;
  sqlite3 *db;
  sqlite3_stmt *statements[INSERTS];
  PenPacker *packer;
  PenBlockPacker *block_packer;
  GCancellable *cancellable;
  guint64 longest_poke; /* bytes */
  guint64 blocks;
  guint64 bucket_blocks;
  guint64 spans;
  guint64 span_pieces;
  sqlite3_stmt *read_span_piece;
  PenUnpacker unpacker;
};

/* Writes the block of samples that is being packed, if there is one. */
gboolean pen_store_writer_flush_block (PenStoreWriter *self, GError **error);

/* @insert: INSERT_… */
gboolean pen_store_writer_start_row (PenStoreWriter *self, guint insert, PenRow *row,
                                     GError **error);

G_END_DECLS
