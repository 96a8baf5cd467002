/* pen-store-private.h: what the files of the reader share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-block-rows.h"
#include "pen-bucket-block.h"
#include "pen-chain-block.h"
#include "pen-change-index.h"
#include "pen-kernel-text.h"
#include "pen-names.h"
#include "pen-payload-block.h"
#include "pen-sample-block.h"
#include "pen-span-piece.h"
#include "pen-sql.h"
#include "pen-store-table.h"
#include "pen-store.h"

G_BEGIN_DECLS

/* Half a MiB each: four million chains. */
#define PEN_CHAIN_BLOCKS_KEPT 64

/* The buckets of a row of `bucket_block`. */
typedef struct {
  guint32 first_function;
  guint32 last_function;
  guint32 first_id;
  guint32 last_id;
  guint n;
} PenBucketBlockInfo;

/* What finds the pokes of a text as of a moment, see pen_store_load_pokes_at() */
typedef struct _PenPokeSearch PenPokeSearch;

void pen_poke_search_free (PenPokeSearch *self);

struct _PenStore {
  GObject parent_instance;

  char *path;
  PenPageState *state; /* NULL: a file */
  PenPopulation population;
  sqlite3 *db;
  int hold; /* descriptor with a shared lock: the file is in use; -1: none */
  GCancellable *cancellable;
  guint n_readings;  /* that have begun */
  gint64 locked_at;  /* µs; of the lock that these have */
  PenStore *samples; /* of waits: that it was opened from */

  PenNames *strings; /* every distinct string once */
  GHashTable *blobs; /* GBytes → itself: every distinct run of bytes once */
  GArray *shared;    /* PenSharedValue, by number less 1; NULL until it is asked for */

  GHashTable *facts;
  GPtrArray *events;
  GArray *blocks;
  GArray *bucket_blocks; /* of PenBucketBlockInfo */
  guint32 n_buckets;
  GArray *spans;       /* of PenStoreSpan */
  GArray *stack_spans; /* of PenStackSpan */

  /* NULL until they are asked for. */
  GArray *threads;
  GArray *functions;
  GHashTable *biases; /* tenure → guint64; without those that are 0 */
  PenBucket *buckets;
  guint32 *bucket_functions;
  GArray *kernel_tenures;
  PenChangeIndex *changes;
  GArray *batches;           /* of PenBatch */
  GHashTable *symbols;       /* occupant → (GArray of PenStoreSymbol) */
  GHashTable *symbol_blocks; /* occupant → (GArray of gint64: ids); or NULL */

  GArray *frames;
  guint32 n_chains;
  PenChainBlock *chain_blocks[PEN_CHAIN_BLOCKS_KEPT]; /* by number modulo how many are kept */

  PenKernelText *kernel_text; /* NULL, too, where there is none, or it is gone */
  gboolean has_looked_for_kernel_text;

  PenSpanPiece *piece;       /* to use again, or NULL */
  PenPayloadBlock *payloads; /* the piece that was read last */

  sqlite3_stmt *read_block;
  sqlite3_stmt *read_chains;
  sqlite3_stmt *read_payloads;
  sqlite3_stmt *read_tenure;
  sqlite3_stmt *read_text;
  PenPokeSearch *poke_search; /* NULL until it is asked for */
  PenUnpacker unpacker;
};

/* How many of SQLite's instructions run between two looks at the cancellable: a few milliseconds.
 */
#define PEN_STORE_CANCEL_STEPS 10000

gboolean pen_store_is_cancelled (PenStore *self);
/* Adds what the file beside the store has of [@start, @end). @texts: PenStoredText */
void pen_store_add_kernel_text (PenStore *self, guint64 start, guint64 end, GPtrArray *texts);
/* Lets the cancellable, and nothing else, stop what runs on the store's connection. */
void pen_store_watch_cancellable (PenStore *self);

/* Sets PEN_STORE_ERROR_DAMAGED. Always returns FALSE. */
gboolean pen_store_set_damaged (PenStore *self, const char *what, GError **error);

/* The string of a column, owned by the store; "" for NULL. */
const char *pen_store_column_string (PenStore *self, sqlite3_stmt *statement, int column);

/* @sql: with one %s, for the name of @table, or of the one that has it of the store's population */
sqlite3_stmt *pen_store_prepare_of (PenStore *self, PenTableId table, const char *sql,
                                    GError **error);

/* "SELECT … FROM @table @rest", the columns of its struct. */
sqlite3_stmt *pen_store_select (PenStore *self, PenTableId table, const char *rest, GError **error);
/* @row: the struct of @table; its strings and bytes are owned by the store */
gboolean pen_store_read_row (PenStore *self, PenTableId table, sqlite3_stmt *statement,
                             gpointer row, GError **error);
/* The same; strings and bytes are valid until the next step, but for shared ones. */
gboolean pen_store_read_row_in_place (PenStore *self, PenTableId table, sqlite3_stmt *statement,
                                      gpointer row, GError **error);
/* @statement: (nullable): of pen_store_select(), with what it asks for bound.
 * Returns: (transfer full): structs of @table */
GArray *pen_store_load_rows (PenStore *self, PenTableId table, sqlite3_stmt *statement,
                             GError **error);
GArray *pen_store_load_table (PenStore *self, PenTableId table, const char *rest, GError **error);
/* All rows by their ids, which count from @first without a gap. */
GArray *pen_store_load_numbered (PenStore *self, PenTableId table, guint first, GError **error);

/* Made when it is asked for first. Returns: (transfer none) */
PenChangeIndex *pen_store_get_change_index (PenStore *self, GError **error);

/* When the store is opened. */
gboolean pen_store_load_facts (PenStore *self, GError **error);
gboolean pen_store_load_events (PenStore *self, GError **error);
gboolean pen_store_load_bucket_blocks (PenStore *self, GError **error);
gboolean pen_store_load_spans (PenStore *self, GError **error);
gboolean pen_store_load_stack_spans (PenStore *self, GError **error);

/* Puts what the buckets of the store's population count in place of the samples and periods of
 * @functions (element-type PenFunction) and of the samples of events. */
gboolean pen_store_count_by_buckets (PenStore *self, GArray *functions, GError **error);

/* Returns: (transfer full): tenure → guint64 */
GHashTable *pen_store_load_biases (PenStore *self, GError **error);

/* One more than the greatest id of a function; whether there are gaps is seen when they are read.
 */
gboolean pen_store_count_functions (PenStore *self, guint64 *n, GError **error);

G_END_DECLS
