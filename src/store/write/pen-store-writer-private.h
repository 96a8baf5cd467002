/* pen-store-writer-private.h: what the files of the writer share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-block-packer.h"
#include "pen-block-rows.h"
#include "pen-store-thread.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* How many rows there are of what both populations have. */
typedef struct {
  guint64 blocks;
  guint64 bucket_blocks;
  guint64 spans;
  guint64 span_pieces;
} PenWrittenRows;

struct _PenStoreWriter {
  PenNewFile *file; /* NULL: it writes pages */
  PenStoreThread *thread;
  PenPacker *packer;
  PenBlockPacker *block_packer;
  GCancellable *cancellable;
  GHashTable *facts;    /* key → value */
  guint64 longest_poke; /* bytes */
  guint64 n_parts;      /* of tenures */
  guint64 n_settled;    /* of these: see pen_store_writer_settle_parts() */
  PenPopulation population;
  PenWrittenRows rows[2];        /* by population */
  PenWrittenRows whole;          /* of samples, before those that will come once more */
  sqlite3_stmt *read_span_piece; /* of @population; used, and finalized, while the thread waits */
  gboolean is_ended;
  PenUnpacker unpacker;
};

/* Writes the block of samples that is being packed, if there is one. */
gboolean pen_store_writer_flush_block (PenStoreWriter *self, GError **error);

/* @row: the struct of @table: copied */
gboolean pen_store_writer_add_row (PenStoreWriter *self, PenTableId table, gconstpointer row,
                                   GError **error);
/* The same in the table that has it of the current population. */
gboolean pen_store_writer_add_row_of (PenStoreWriter *self, PenTableId table, gconstpointer row,
                                      GError **error);

G_END_DECLS
