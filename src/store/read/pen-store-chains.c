/* pen-store-chains.c: callchains
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

/* A chain of two halves has no more entries than two records can hold. */
#define MAX_FRAMES (2 * 65536 / 8)
/* An import keeps two million frames. */
#define READ_MAX (1u << 24)

static gboolean
set_block_error (PenStore *self, const char *kind, guint index, const char *reason, GError **error)
{
  g_autofree char *what = g_strdup_printf ("%s block %u: %s", kind, index, reason);

  return pen_store_set_damaged (self, what, error);
}

/* Fills in the facts of the frames' functions. */
static gboolean
name_frames (PenStore *self, GArray *frames, GError **error)
{
  guint n_functions;
  const PenFunction *functions = pen_store_get_functions (self, &n_functions, error);

  if (!functions)
    return FALSE;

  for (guint i = 0; i < frames->len; i++) {
    PenFrame *frame = &g_array_index (frames, PenFrame, i);
    const PenFunction *function;

    if (frame->function >= n_functions)
      return pen_store_set_damaged (self, "a frame names a function that is not there", error);

    function = &functions[frame->function];
    frame->symbol = function->symbol;
    frame->occupant = function->occupant;
    frame->offset = function->symbol
                        ? pen_store_get_offset (self, function, frame->tenure, frame->address)
                        : 0;
  }
  return TRUE;
}

static GArray *
load_frames (PenStore *self, GError **error)
{
  g_autoptr (GArray) frames = g_array_sized_new (FALSE, FALSE, sizeof (PenFrame), 1024);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement
      = pen_sql_prepare (self->db, "SELECT id, n, frames FROM frame_block ORDER BY id", error);
  if (!statement)
    return NULL;

  for (guint i = 0; (step = pen_sql_step (statement, error)) == PEN_SQL_ROW; i++) {
    guint64 n = pen_sql_u64 (statement, 1);
    const guint8 *bytes = sqlite3_column_blob (statement, 2);
    const char *reason = "it is gone";

    if (sqlite3_column_int64 (statement, 0) != i || !bytes || n > PEN_BLOCK_FRAMES
        || !pen_frame_block_unpack (frames, (guint) n, bytes,
                                    (gsize) sqlite3_column_bytes (statement, 2), &self->unpacker,
                                    &reason)) {
      set_block_error (self, "frame", i, reason, error);
      return NULL;
    }
  }
  if (step != PEN_SQL_DONE || !name_frames (self, frames, error))
    return NULL;
  return g_steal_pointer (&frames);
}

const PenFrame *
pen_store_get_frames (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->frames && !(self->frames = load_frames (self, error)))
    return NULL;

  *n = self->frames->len;
  return (const PenFrame *) (gpointer) self->frames->data;
}

/* ---- columns of frames ---- */

void
pen_frame_columns_free (PenFrameColumns *self)
{
  g_free (self->address);
  g_free (self->tenure);
  g_free (self->revision);
  g_free (self->function);
  g_free (self->kind);
  g_free (self->is_return);
  g_free (self);
}

static void
resize_columns (PenFrameColumns *self, guint n)
{
  self->address = g_renew (guint64, self->address, n);
  self->tenure = g_renew (guint32, self->tenure, n);
  self->revision = g_renew (guint32, self->revision, n);
  self->function = g_renew (guint32, self->function, n);
  self->kind = g_renew (guint8, self->kind, n);
  self->is_return = g_renew (guint8, self->is_return, n);
}

static gboolean
check_functions (PenStore *self, const PenFrameColumns *columns, GError **error)
{
  guint64 n_functions;

  if (!pen_store_count_functions (self, &n_functions, error))
    return FALSE;

  for (guint i = 0; i < columns->n; i++)
    if (columns->function[i] >= n_functions)
      return pen_store_set_damaged (self, "a frame names a function that is not there", error);
  return TRUE;
}

PenFrameColumns *
pen_store_load_frame_columns (PenStore *self, GError **error)
{
  g_autoptr (PenFrameColumns) columns = g_new0 (PenFrameColumns, 1);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;
  guint size = PEN_BLOCK_FRAMES;

  statement
      = pen_sql_prepare (self->db, "SELECT id, n, frames FROM frame_block ORDER BY id", error);
  if (!statement)
    return NULL;

  resize_columns (columns, size);
  for (guint i = 0; (step = pen_sql_step (statement, error)) == PEN_SQL_ROW; i++) {
    guint64 n = pen_sql_u64 (statement, 1);
    const guint8 *bytes = sqlite3_column_blob (statement, 2);
    const char *reason = "it is gone";

    if (sqlite3_column_int64 (statement, 0) != i || !bytes || n > PEN_BLOCK_FRAMES
        || columns->n > READ_MAX - PEN_BLOCK_FRAMES) {
      set_block_error (self, "frame", i, reason, error);
      return NULL;
    }
    if (columns->n + n > size)
      resize_columns (columns, size *= 2);
    if (!pen_frame_block_unpack_columns (columns, columns->n, (guint) n, bytes,
                                         (gsize) sqlite3_column_bytes (statement, 2),
                                         &self->unpacker, &reason)) {
      set_block_error (self, "frame", i, reason, error);
      return NULL;
    }
    columns->n += (guint) n;
  }
  if (step != PEN_SQL_DONE || !check_functions (self, columns, error))
    return NULL;
  return g_steal_pointer (&columns);
}

/* ---- chains ---- */

guint32
pen_store_count_chains (PenStore *self)
{
  return self->n_chains;
}

static gboolean
unpack_chains (PenStore *self, PenChainBlock *block, GError **error)
{
  const char *reason = "it is gone";
  const guint8 *bytes;

  sqlite3_bind_int64 (self->read_chains, 1, block->number);
  switch (pen_sql_step (self->read_chains, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_DONE:
    return set_block_error (self, "chain", block->number, reason, error);
  default:
    break;
  }

  block->n = (guint) MIN (pen_sql_u64 (self->read_chains, 0), G_MAXUINT);
  bytes = sqlite3_column_blob (self->read_chains, 1);
  if (!bytes
      || !pen_chain_block_unpack (block, bytes, (gsize) sqlite3_column_bytes (self->read_chains, 1),
                                  &self->unpacker, &reason))
    return set_block_error (self, "chain", block->number, reason, error);
  return TRUE;
}

static PenChainBlock *
get_block (PenStore *self, guint number, GError **error)
{
  PenChainBlock **kept = &self->chain_blocks[number % PEN_CHAIN_BLOCKS_KEPT];
  gboolean ok;

  if (*kept && (*kept)->number == number)
    return *kept;

  if (!self->read_chains) {
    self->read_chains = pen_store_prepare_of (self, PEN_TABLE_CHAIN_BLOCK,
                                              "SELECT n, chains FROM %s WHERE id = ?", error);
    if (!self->read_chains)
      return NULL;
  }

  if (!*kept)
    *kept = g_new (PenChainBlock, 1);
  (*kept)->number = number;
  ok = unpack_chains (self, *kept, error);
  sqlite3_reset (self->read_chains);
  if (!ok)
    g_clear_pointer (kept, g_free);
  return *kept;
}

gboolean
pen_store_read_chain (PenStore *self, guint32 id, PenChainNode *node, GError **error)
{
  PenChainBlock *block;
  guint index = (id - 1) % PEN_BLOCK_CHAINS;

  g_return_val_if_fail (id > 0 && id <= self->n_chains, FALSE);

  block = get_block (self, (id - 1) / PEN_BLOCK_CHAINS, error);
  if (!block)
    return FALSE;
  if (index >= block->n)
    return set_block_error (self, "chain", block->number, "it is too short", error);

  *node = block->nodes[index];
  return TRUE;
}

gboolean
pen_store_read_chain_block (PenStore *self, guint number, const PenChainNode **nodes, guint *n,
                            GError **error)
{
  guint64 first = (guint64) number * PEN_BLOCK_CHAINS;
  PenChainBlock *block;

  g_return_val_if_fail (first < self->n_chains, FALSE);

  block = get_block (self, number, error);
  if (!block)
    return FALSE;
  if (block->n != MIN (self->n_chains - first, PEN_BLOCK_CHAINS))
    return set_block_error (self, "chain", number, "it is too short", error);

  *nodes = block->nodes;
  *n = block->n;
  return TRUE;
}

/* Ids descend from a chain to its callers, so this ends. */
GArray *
pen_store_load_callchain (PenStore *self, guint32 id, GError **error)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (PenFrame));
  guint n_frames;
  const PenFrame *frames = pen_store_get_frames (self, &n_frames, error);

  if (!frames)
    return NULL;

  while (id != 0 && chain->len < MAX_FRAMES) {
    PenChainNode node;

    if (id > self->n_chains) {
      pen_store_set_damaged (self, "a callchain is not there", error);
      return NULL;
    }
    if (!pen_store_read_chain (self, id, &node, error))
      return NULL;
    if (node.frame >= n_frames) {
      pen_store_set_damaged (self, "a callchain names a frame that is not there", error);
      return NULL;
    }
    g_array_append_val (chain, frames[node.frame]);
    id = node.parent;
  }
  return g_steal_pointer (&chain);
}
