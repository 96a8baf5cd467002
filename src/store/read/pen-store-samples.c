/* pen-store-samples.c: threads, functions, blocks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

static GArray *
load_threads (PenStore *self, GError **error)
{
  g_autoptr (GArray) rows = pen_store_load_numbered (self, PEN_TABLE_THREAD, 0, error);
  GArray *threads = rows ? g_array_sized_new (FALSE, FALSE, sizeof (PenThread), 1) : NULL;

  for (guint i = 0; rows && i < rows->len; i++)
    g_array_append_val (threads, g_array_index (rows, PenThreadRow, i).thread);
  return threads;
}

const PenThread *
pen_store_get_threads (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->threads && !(self->threads = load_threads (self, error)))
    return NULL;

  *n = self->threads->len;
  return (const PenThread *) (gpointer) self->threads->data;
}

static GArray *
load_functions (PenStore *self, GError **error)
{
  g_autoptr (GArray) functions = pen_store_load_numbered (self, PEN_TABLE_FUNCTION, 0, error);

  if (functions && self->population == PEN_POPULATION_WAITS
      && !pen_store_count_by_buckets (self, functions, error))
    return NULL;
  return g_steal_pointer (&functions);
}

const PenFunction *
pen_store_get_functions (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->biases && !(self->biases = pen_store_load_biases (self, error)))
    return NULL;
  if (!self->functions && !(self->functions = load_functions (self, error)))
    return NULL;

  *n = self->functions->len;
  return (const PenFunction *) (gpointer) self->functions->data;
}

static gboolean
set_block_error (PenStore *self, guint index, const char *reason, GError **error)
{
  g_autofree char *what = g_strdup_printf ("sample block %u: %s", index, reason);

  return pen_store_set_damaged (self, what, error);
}

/* Everything that a block names must exist, so that its readers need no checks. */
static gboolean
check_block (PenStore *self, guint index, const PenSampleBlock *block, gboolean has_threads,
             GError **error)
{
  guint n_threads;

  if (!pen_store_get_threads (self, &n_threads, error))
    return FALSE;

  for (guint i = 0; i < block->n; i++)
    if (block->bucket[i] >= self->n_buckets || (has_threads && block->thread[i] >= n_threads)
        || block->chain[i] > self->n_chains)
      return set_block_error (self, index, "a sample names what is not there", error);
  return TRUE;
}

static gboolean
check_places (PenStore *self, guint index, const PenSampleBlock *block, GError **error)
{
  guint32 greatest = 0;

  for (guint i = 0; i < block->n; i++)
    greatest = MAX (greatest, block->bucket[i]);
  return block->n == 0 || greatest < self->n_buckets
         || set_block_error (self, index, "a sample names what is not there", error);
}

/* In place of PEN_SAMPLE_COLUMN_…: has, time and bucket. */
#define PLACES (1u << 31)

static gboolean
unpack_columns (PenStore *self, PenSampleBlock *block, guint n, guint columns, const guint8 *bytes,
                gsize length, const char **reason)
{
  return columns == PLACES
             ? pen_sample_block_unpack_places (block, n, bytes, length, &self->unpacker, reason)
             : pen_sample_block_unpack_some (block, n, bytes, length, columns, &self->unpacker,
                                             reason);
}

static gboolean
unpack_block (PenStore *self, guint index, guint columns, PenSampleBlock *block, GError **error)
{
  const PenBlockInfo *info = &g_array_index (self->blocks, PenBlockInfo, index);
  const char *reason = "it is gone";
  const guint8 *bytes;

  sqlite3_bind_int64 (self->read_block, 1, index);
  switch (pen_sql_step (self->read_block, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_DONE:
    return set_block_error (self, index, reason, error);
  default:
    break;
  }

  bytes = sqlite3_column_blob (self->read_block, 0);
  if (!bytes
      || !unpack_columns (self, block, info->n, columns, bytes,
                          (gsize) sqlite3_column_bytes (self->read_block, 0), &reason))
    return set_block_error (self, index, reason, error);
  return TRUE;
}

static gboolean
read_block (PenStore *self, guint index, guint columns, PenSampleBlock *block, GError **error)
{
  gboolean ok;

  if (self->cancellable && g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (!self->read_block) {
    self->read_block = pen_store_prepare_of (self, PEN_TABLE_SAMPLE_BLOCK,
                                             "SELECT columns FROM %s WHERE id = ?", error);
    if (!self->read_block)
      return FALSE;
  }

  ok = unpack_block (self, index, columns, block, error);
  sqlite3_reset (self->read_block);
  return ok;
}

gboolean
pen_store_read_block (PenStore *self, guint index, PenSampleBlock *block, GError **error)
{
  return pen_store_read_block_some (self, index, PEN_SAMPLE_COLUMNS_ALL, block, error);
}

gboolean
pen_store_read_block_some (PenStore *self, guint index, guint columns, PenSampleBlock *block,
                           GError **error)
{
  g_return_val_if_fail (index < self->blocks->len, FALSE);
  return read_block (self, index, columns, block, error)
         && check_block (self, index, block, (columns & PEN_SAMPLE_COLUMN_THREAD) != 0, error);
}

gboolean
pen_store_read_block_places (PenStore *self, guint index, PenSampleBlock *block, GError **error)
{
  g_return_val_if_fail (index < self->blocks->len, FALSE);
  return read_block (self, index, PLACES, block, error) && check_places (self, index, block, error);
}
