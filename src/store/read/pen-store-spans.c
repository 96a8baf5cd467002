/* pen-store-spans.c: spans: runs of blocks, counted in advance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-functions.h"
#include "pen-store-private.h"

/* More levels than there can be of 2^32 blocks, two of which make a span at least. */
#define MAX_LEVELS 32

static gboolean
read_span (PenStore *self, sqlite3_stmt *statement, PenStoreSpan *span)
{
  guint64 id = pen_sql_u64 (statement, 0);
  guint64 level = pen_sql_u64 (statement, 1);
  guint64 first_block = pen_sql_u64 (statement, 2);
  guint64 n_blocks = pen_sql_u64 (statement, 3);
  guint64 shift = pen_sql_u64 (statement, 7);

  if (id > G_MAXUINT32 || level < 1 || level > MAX_LEVELS || first_block >= self->blocks->len
      || n_blocks < 1 || n_blocks > self->blocks->len - first_block || shift > 63)
    return FALSE;

  *span = (PenStoreSpan){
    .id = (guint32) id,
    .level = (guint) level,
    .first_block = (guint) first_block,
    .n_blocks = (guint) n_blocks,
    .samples = pen_sql_u64 (statement, 4),
    .first = pen_sql_u64 (statement, 5),
    .last = pen_sql_u64 (statement, 6),
    .shift = (guint) shift,
  };

  return span->first <= span->last && pen_store_span_get_tile (span, span->last) < PEN_SPAN_TILES
         && span->samples <= n_blocks * PEN_BLOCK_SAMPLES;
}

/* Each level holds all blocks, and its spans end where spans of the level below end. A store that
 * is still written has blocks that are in no span yet. */
static gboolean
spans_are_sound (PenStore *self)
{
  const PenStoreSpan *spans = (const PenStoreSpan *) (gpointer) self->spans->data;
  guint n = self->spans->len;
  guint n_blocks = self->blocks->len;
  guint parent = 0;
  guint end = 0;

  if (self->state && n > 0)
    n_blocks = spans[n - 1].first_block + spans[n - 1].n_blocks;
  for (guint i = 0; i < n; i++) {
    const PenStoreSpan *span = &spans[i];

    if (i > 0 && span->level != spans[i - 1].level) {
      if (span->level + 1 != spans[i - 1].level || end != n_blocks)
        return FALSE;
      end = 0;
    }
    if (span->first_block != end)
      return FALSE;
    end += span->n_blocks;

    if (span->level == spans[0].level)
      continue;
    while (spans[parent].level != span->level + 1
           || spans[parent].first_block + spans[parent].n_blocks <= span->first_block)
      parent++;
    if (end > spans[parent].first_block + spans[parent].n_blocks)
      return FALSE;
  }
  return n == 0 || (spans[n - 1].level == 1 && end == n_blocks);
}

gboolean
pen_store_load_spans (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_store_prepare_of (self, PEN_TABLE_SPAN,
                                    "SELECT id, level, first_block, n_blocks, samples, first, last,"
                                    " shift FROM %s ORDER BY level DESC, first_block",
                                    error);
  if (!statement)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoreSpan span;

    if (!read_span (self, statement, &span))
      return pen_store_set_damaged (self, "a span claims what cannot be", error);
    g_array_append_val (self->spans, span);
  }

  if (step != PEN_SQL_DONE)
    return FALSE;
  return spans_are_sound (self)
         || pen_store_set_damaged (self, "its spans do not hold its blocks", error);
}

const PenStoreSpan *
pen_store_get_spans (PenStore *self, guint *n)
{
  *n = self->spans->len;
  return (const PenStoreSpan *) (gpointer) self->spans->data;
}

static gboolean
set_span_error (PenStore *self, const PenStoreSpan *span, const char *reason, GError **error)
{
  g_autofree char *what = g_strdup_printf ("span %u: %s", span->id, reason);

  return pen_store_set_damaged (self, what, error);
}

gboolean
pen_store_read_span_tiles (PenStore *self, const PenStoreSpan *span, guint32 *counts,
                           GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  const char *reason = "it is gone";
  const guint8 *bytes;
  guint64 total;

  statement
      = pen_store_prepare_of (self, PEN_TABLE_SPAN, "SELECT tiles FROM %s WHERE id = ?", error);
  if (!statement)
    return FALSE;

  sqlite3_bind_int64 (statement, 1, span->id);
  switch (pen_sql_step (statement, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_DONE:
    return set_span_error (self, span, reason, error);
  default:
    break;
  }

  bytes = sqlite3_column_blob (statement, 0);
  if (!bytes
      || !pen_span_tiles_unpack (counts, pen_store_span_get_n_tiles (span), bytes,
                                 (gsize) sqlite3_column_bytes (statement, 0), &self->unpacker,
                                 &total, &reason))
    return set_span_error (self, span, reason, error);
  return total == span->samples
         || set_span_error (self, span, "its tiles do not have its samples", error);
}

GArray *
pen_store_load_span_functions (PenStore *self, const PenStoreSpan *span, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GArray) functions = NULL;
  const char *reason = "it is gone";
  const guint8 *bytes = NULL;
  guint64 n_functions;
  guint64 total = 0;

  if (!pen_store_count_functions (self, &n_functions, error))
    return NULL;

  statement
      = pen_store_prepare_of (self, PEN_TABLE_SPAN, "SELECT functions FROM %s WHERE id = ?", error);
  if (!statement)
    return NULL;

  sqlite3_bind_int64 (statement, 1, span->id);
  switch (pen_sql_step (statement, error)) {
  case PEN_SQL_FAILED:
    return NULL;
  case PEN_SQL_ROW:
    bytes = sqlite3_column_blob (statement, 0);
    break;
  default:
    break;
  }

  if (bytes)
    functions = pen_span_functions_unpack (n_functions, bytes,
                                           (gsize) sqlite3_column_bytes (statement, 0),
                                           &self->unpacker, &total, &reason);
  if (functions && total != span->samples) {
    g_clear_pointer (&functions, g_array_unref);
    reason = "its functions do not have its samples";
  }
  if (!functions)
    set_span_error (self, span, reason, error);
  return g_steal_pointer (&functions);
}

/* One walk through the pieces of a span. */
typedef struct {
  PenStore *store;
  const PenStoreSpan *span;
  guint32 first_function;
  guint32 last_function;
  guint64 n_functions;
  guint64 samples; /* seen so far */
  gboolean only_functions;
  PenSpanBucketFunc func;
  gpointer user_data;
} Walk;

typedef enum {
  WALK_ON,
  WALK_STOPPED,
  WALK_DAMAGED,
} WalkState;

/* A bucket's cells rise: the last is the greatest. */
static gboolean
bucket_is_sound (const Walk *walk, const PenSpanBucket *bucket)
{
  return bucket->function < walk->n_functions && bucket->bucket < walk->store->n_buckets
         && (walk->only_functions
             || bucket->tiles[bucket->n_cells - 1] < pen_store_span_get_n_tiles (walk->span));
}

static PenSpanBucket
get_bucket (const Walk *walk, const PenSpanPiece *piece, guint i, guint cell)
{
  PenSpanBucket bucket = { .bucket = piece->buckets[i], .function = piece->functions[i] };

  if (!walk->only_functions) {
    bucket.samples = piece->samples[i];
    bucket.period = piece->periods[i];
    bucket.n_cells = piece->cells[i];
    bucket.tiles = &piece->tiles[cell];
    bucket.counts = &piece->counts[cell];
  }
  return bucket;
}

static WalkState
walk_piece (Walk *walk, const PenSpanPiece *piece)
{
  guint cell = 0;

  for (guint i = 0; i < piece->n_buckets; i++) {
    PenSpanBucket bucket = get_bucket (walk, piece, i, cell);

    if (!bucket_is_sound (walk, &bucket))
      return WALK_DAMAGED;

    cell += bucket.n_cells;
    walk->samples += bucket.samples;
    if (bucket.function >= walk->first_function && bucket.function <= walk->last_function
        && !walk->func (&bucket, walk->user_data))
      return WALK_STOPPED;
  }
  return WALK_ON;
}

static gboolean
unpack_piece (Walk *walk, PenSpanPiece *piece, const guint8 *bytes, gsize length,
              const char **reason)
{
  PenUnpacker *unpacker = &walk->store->unpacker;

  return walk->only_functions
             ? pen_span_piece_unpack_functions (piece, bytes, length, unpacker, reason)
             : pen_span_piece_unpack (piece, bytes, length, unpacker, reason);
}

static gboolean
walk_pieces (Walk *walk, PenSpanPiece *piece, sqlite3_stmt *statement, GError **error)
{
  PenStore *self = walk->store;
  PenSqlStep step;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    const char *reason = "a piece of it is empty";
    const guint8 *bytes = sqlite3_column_blob (statement, 0);

    if (self->cancellable && g_cancellable_set_error_if_cancelled (self->cancellable, error))
      return FALSE;

    if (!bytes
        || !unpack_piece (walk, piece, bytes, (gsize) sqlite3_column_bytes (statement, 0), &reason))
      return set_span_error (self, walk->span, reason, error);

    switch (walk_piece (walk, piece)) {
    case WALK_STOPPED:
      return TRUE;
    case WALK_DAMAGED:
      return set_span_error (self, walk->span, "a piece of it names what is not there", error);
    default:
      break;
    }
  }

  if (step != PEN_SQL_DONE)
    return FALSE;
  return walk->only_functions || walk->first_function > 0 || walk->last_function < G_MAXUINT32
         || walk->samples == walk->span->samples
         || set_span_error (self, walk->span, "its pieces do not have its samples", error);
}

/* Every piece that has one of the walk's functions. */
static gboolean
walk_span (Walk *walk, GError **error)
{
  PenStore *self = walk->store;
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (PenSpanPiece) piece = NULL;
  gboolean ok;

  if (!pen_store_count_functions (self, &walk->n_functions, error))
    return FALSE;

  statement = pen_store_prepare_of (self, PEN_TABLE_SPAN_PIECE,
                                    "SELECT buckets FROM %s WHERE span = ?"
                                    " AND first_function <= ? AND last_function >= ? ORDER BY id",
                                    error);
  if (!statement)
    return FALSE;

  sqlite3_bind_int64 (statement, 1, walk->span->id);
  sqlite3_bind_int64 (statement, 2, walk->last_function);
  sqlite3_bind_int64 (statement, 3, walk->first_function);

  /* Taken while it is used, so that the callback may walk through another span. */
  piece = g_steal_pointer (&self->piece);
  if (!piece)
    piece = pen_span_piece_new ();
  ok = walk_pieces (walk, piece, statement, error);
  if (!self->piece)
    self->piece = g_steal_pointer (&piece);
  return ok;
}

gboolean
pen_store_foreach_span_bucket (PenStore *self, const PenStoreSpan *span, guint32 first_function,
                               guint32 last_function, PenSpanBucketFunc func, gpointer user_data,
                               GError **error)
{
  Walk walk = {
    .store = self,
    .span = span,
    .first_function = first_function,
    .last_function = last_function,
    .func = func,
    .user_data = user_data,
  };

  return walk_span (&walk, error);
}

gboolean
pen_store_foreach_span_function (PenStore *self, const PenStoreSpan *span, PenSpanBucketFunc func,
                                 gpointer user_data, GError **error)
{
  Walk walk = {
    .store = self,
    .span = span,
    .last_function = G_MAXUINT32,
    .only_functions = TRUE,
    .func = func,
    .user_data = user_data,
  };

  return walk_span (&walk, error);
}
