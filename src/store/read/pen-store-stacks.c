/* pen-store-stacks.c: samples counted in advance by stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-block.h"
#include "pen-store-private.h"

static gboolean
set_error (PenStore *self, const char *what, guint id, const char *reason, GError **error)
{
  g_autofree char *damage = g_strdup_printf ("%s %u: %s", what, id, reason);

  return pen_store_set_damaged (self, damage, error);
}

/* Those of waits are not counted. */
gboolean
pen_store_load_stack_spans (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  guint64 end = 0;
  PenSqlStep step;

  if (self->population != PEN_POPULATION_SAMPLES)
    return TRUE;
  statement = pen_sql_prepare (
      self->db, "SELECT id, first_block, n_blocks, n FROM stack_span ORDER BY id", error);
  if (!statement)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    guint64 n_blocks = pen_sql_u64 (statement, 2);
    guint64 n = pen_sql_u64 (statement, 3);
    PenStackSpan span = { self->stack_spans->len, (guint32) end, (guint32) n_blocks, (guint32) n };

    if (pen_sql_u64 (statement, 0) != span.id || pen_sql_u64 (statement, 1) != end || n_blocks == 0
        || n_blocks > self->blocks->len - end || n > PEN_STACK_CELLS_MAX)
      return set_error (self, "stack span", span.id, "it is not in order", error);
    end += n_blocks;
    g_array_append_val (self->stack_spans, span);
  }
  return step == PEN_SQL_DONE;
}

const PenStackSpan *
pen_store_get_stack_spans (PenStore *self, guint *n)
{
  *n = self->stack_spans->len;
  return (const PenStackSpan *) (gpointer) self->stack_spans->data;
}

/* ---- stacks ---- */

static gboolean
check_functions (PenStore *self, const PenStoredStack *stacks, guint32 n, GError **error)
{
  guint64 n_functions;

  if (!pen_store_count_functions (self, &n_functions, error))
    return FALSE;
  for (guint32 i = 0; i <= n; i++)
    if (stacks[i].function >= n_functions && stacks[i].function != PEN_STACK_NO_FUNCTION)
      return set_error (self, "stack", i, "its function is not there", error);
  return TRUE;
}

static gboolean
read_block (PenStore *self, guint number, sqlite3_stmt *statement, GArray *stacks, GError **error)
{
  guint first = stacks->len;
  guint64 n = pen_sql_u64 (statement, 1);
  const guint8 *bytes = sqlite3_column_blob (statement, 2);
  const char *reason = "it is gone";

  if (sqlite3_column_int64 (statement, 0) != number || !bytes || n > PEN_BLOCK_STACKS
      || first + n > PEN_STACKS_MAX + 1)
    return set_error (self, "stack block", number, reason, error);
  g_array_set_size (stacks, first + (guint) n);
  return pen_stack_block_unpack (first, &g_array_index (stacks, PenStoredStack, first), (guint) n,
                                 bytes, (gsize) sqlite3_column_bytes (statement, 2),
                                 &self->unpacker, &reason)
         || set_error (self, "stack block", number, reason, error);
}

PenStoredStack *
pen_store_load_stacks (PenStore *self, guint32 *n, GError **error)
{
  g_autoptr (GArray) stacks = g_array_new (FALSE, FALSE, sizeof (PenStoredStack));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenStoredStack none = { 0, PEN_STACK_NO_FUNCTION };
  PenSqlStep step;

  *n = 0;
  statement
      = pen_sql_prepare (self->db, "SELECT id, n, stacks FROM stack_block ORDER BY id", error);
  if (!statement)
    return NULL;

  g_array_append_val (stacks, none);
  for (guint i = 0; (step = pen_sql_step (statement, error)) == PEN_SQL_ROW; i++)
    if (!read_block (self, i, statement, stacks, error))
      return NULL;
  if (step != PEN_SQL_DONE
      || !check_functions (self, (const PenStoredStack *) (gpointer) stacks->data, stacks->len - 1,
                           error))
    return NULL;
  *n = stacks->len - 1;
  return (PenStoredStack *) (gpointer) g_array_free (g_steal_pointer (&stacks), FALSE);
}

/* ---- their samples ---- */

static gboolean
check_cells (PenStore *self, const PenStackSpan *span, const GArray *cells, guint64 n_functions,
             GError **error)
{
  guint64 samples = 0;

  for (guint i = 0; i < cells->len; i++) {
    const PenStackCell *cell = &g_array_index (cells, PenStackCell, i);

    if (cell->function >= n_functions || cell->event >= self->events->len
        || cell->samples > (guint64) span->n_blocks * PEN_BLOCK_SAMPLES)
      return set_error (self, "stack span", span->id, "a cell names what is not there", error);
    samples += cell->samples;
  }
  for (guint i = 0; i < span->n_blocks; i++)
    samples -= g_array_index (self->blocks, PenBlockInfo, span->first_block + i).n;
  return samples == 0
         || set_error (self, "stack span", span->id, "it has not as many samples as its blocks",
                       error);
}

gboolean
pen_store_read_stack_span (PenStore *self, const PenStackSpan *span, const PenStoredStack *stacks,
                           guint32 n_stacks, GArray *cells, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  const char *reason = "it is gone";
  const guint8 *bytes;
  guint64 n_functions;

  if (!pen_store_goes_on (self, error) || !pen_store_count_functions (self, &n_functions, error))
    return FALSE;
  statement = pen_sql_prepare (self->db, "SELECT cells FROM stack_span WHERE id = ?", error);
  if (!statement)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, span->id);
  switch (pen_sql_step (statement, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_DONE:
    return set_error (self, "stack span", span->id, reason, error);
  default:
    break;
  }

  bytes = sqlite3_column_blob (statement, 0);
  if (!bytes
      || !pen_stack_cells_unpack (cells, span->n, stacks, n_stacks, bytes,
                                  (gsize) sqlite3_column_bytes (statement, 0), &self->unpacker,
                                  &reason))
    return set_error (self, "stack span", span->id, reason, error);
  return check_cells (self, span, cells, n_functions, error);
}
