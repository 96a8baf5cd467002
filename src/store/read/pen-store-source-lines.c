/* pen-store-source-lines.c: from which lines of their source functions were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pack.h"
#include "pen-store-private.h"
#include "pen-store-writer-private.h"

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenUnpacker, pen_unpacker_clear)

PenFunctionLines *
pen_function_lines_new (guint32 tenure)
{
  PenFunctionLines *self = g_new0 (PenFunctionLines, 1);

  self->tenure = tenure;
  self->lines = g_array_new (FALSE, FALSE, sizeof (PenSourceLine));
  self->calls = g_array_new (FALSE, FALSE, sizeof (PenSourceCall));

  return self;
}

void
pen_function_lines_free (PenFunctionLines *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->lines);
  g_array_unref (self->calls);
  g_free (self);
}

/* ---- writing ---- */

static gboolean
add_string (PenStoreWriter *self, guint8 table, guint32 id, const char *text, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, table, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_text (&row, text);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_source_file (PenStoreWriter *self, guint32 id, const char *path,
                                  GError **error)
{
  return add_string (self, INSERT_SOURCE_FILE, id, path, error);
}

gboolean
pen_store_writer_add_inlined_function (PenStoreWriter *self, guint32 id, const char *name,
                                       GError **error)
{
  return add_string (self, INSERT_INLINED_FUNCTION, id, name, error);
}

static const guint8 *
pack (PenStoreWriter *self, const PenFunctionLines *lines, gsize *length)
{
  const PenSourceLine *rows = (const PenSourceLine *) (gpointer) lines->lines->data;
  const PenSourceCall *calls = (const PenSourceCall *) (gpointer) lines->calls->data;
  guint n = lines->lines->len;
  guint n_calls = lines->calls->len;
  g_autofree guint64 *column = g_new (guint64, MAX (n, n_calls));

  PEN_PACKER_FIELD (self->packer, rows, n, column, offset);
  PEN_PACKER_FIELD (self->packer, rows, n, column, file);
  PEN_PACKER_FIELD (self->packer, rows, n, column, line);
  PEN_PACKER_FIELD (self->packer, rows, n, column, call);
  if (n_calls == 0)
    return pen_packer_finish (self->packer, length);

  PEN_PACKER_FIELD (self->packer, calls, n_calls, column, inlined);
  PEN_PACKER_FIELD (self->packer, calls, n_calls, column, file);
  PEN_PACKER_FIELD (self->packer, calls, n_calls, column, line);
  PEN_PACKER_FIELD (self->packer, calls, n_calls, column, outer);

  return pen_packer_finish (self->packer, length);
}

gboolean
pen_store_writer_add_source_lines (PenStoreWriter *self, guint32 id, guint32 function,
                                   const PenFunctionLines *lines, GError **error)
{
  gsize length;
  const guint8 *bytes = pack (self, lines, &length);
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_SOURCE_LINES, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_u64 (&row, function);
  pen_row_id (&row, lines->tenure);
  pen_row_u64 (&row, lines->lines->len);
  pen_row_u64 (&row, lines->calls->len);
  pen_row_blob (&row, bytes, length);

  return pen_row_end (&row, error);
}

/* ---- reading ---- */

static void
unpack_lines (PenUnpacker *unpacker, guint n, GArray *lines)
{
  g_autofree guint64 *offsets = g_new0 (guint64, n);
  g_autofree guint32 *numbers = g_new0 (guint32, (gsize) n * 3);

  pen_unpacker_column (unpacker, offsets, n);
  for (guint i = 0; i < 3; i++)
    pen_unpacker_column32 (unpacker, numbers + (gsize) i * n, n);
  for (guint i = 0; i < n; i++) {
    PenSourceLine line = { offsets[i], numbers[i], numbers[n + i], numbers[2 * (gsize) n + i] };

    g_array_append_val (lines, line);
  }
}

static void
unpack_calls (PenUnpacker *unpacker, guint n, GArray *calls)
{
  g_autofree guint32 *numbers = g_new0 (guint32, (gsize) n * 4);

  for (guint i = 0; i < 4; i++)
    pen_unpacker_column32 (unpacker, numbers + (gsize) i * n, n);
  for (guint i = 0; i < n; i++) {
    PenSourceCall call
        = { numbers[i], numbers[n + i], numbers[2 * (gsize) n + i], numbers[3 * (gsize) n + i] };

    g_array_append_val (calls, call);
  }
}

/* Do all calls that are named exist, and lead outwards? */
static gboolean
are_calls_in_order (const PenFunctionLines *lines)
{
  for (guint i = 0; i < lines->lines->len; i++)
    if (g_array_index (lines->lines, PenSourceLine, i).call > lines->calls->len)
      return FALSE;
  for (guint i = 0; i < lines->calls->len; i++)
    if (g_array_index (lines->calls, PenSourceCall, i).outer > i)
      return FALSE;

  return TRUE;
}

/* Returns: (nullable): with @reason */
static PenFunctionLines *
unpack (sqlite3_stmt *statement, const char **reason)
{
  g_auto (PenUnpacker) unpacker = { 0 };
  gint64 n = sqlite3_column_int64 (statement, 1);
  gint64 n_calls = sqlite3_column_int64 (statement, 2);
  const guint8 *bytes = sqlite3_column_blob (statement, 3);
  g_autoptr (PenFunctionLines) lines = NULL;

  *reason = "it is empty";
  if (bytes == NULL || n <= 0 || n > PEN_FUNCTION_LINES_MAX || n_calls < 0
      || n_calls > PEN_FUNCTION_LINES_MAX
      || !pen_unpacker_start (&unpacker, bytes, (gsize) sqlite3_column_bytes (statement, 3),
                              4 * PEN_PACK_COLUMN_MAX (n, 8) + 4 * PEN_PACK_COLUMN_MAX (n_calls, 8),
                              reason))
    return NULL;

  lines = pen_function_lines_new ((guint32) sqlite3_column_int64 (statement, 0));
  unpack_lines (&unpacker, (guint) n, lines->lines);
  if (n_calls > 0)
    unpack_calls (&unpacker, (guint) n_calls, lines->calls);
  *reason = "it does not have the numbers that it says it has";
  if (!pen_unpacker_finish (&unpacker))
    return NULL;
  *reason = "it has calls that are not there";

  return are_calls_in_order (lines) ? g_steal_pointer (&lines) : NULL;
}

static void
free_lines (gpointer data)
{
  pen_function_lines_free (data);
}

GPtrArray *
pen_store_load_source_lines (PenStore *self, guint32 function, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (free_lines);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT tenure, n, n_calls, lines FROM source_lines"
                               " WHERE function = ? ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  pen_sql_bind_u64 (statement, 1, function);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    const char *reason;
    PenFunctionLines *lines = unpack (statement, &reason);

    if (lines == NULL) {
      g_autofree char *what
          = g_strdup_printf ("the source lines of function %u: %s", function, reason);

      pen_store_set_damaged (self, what, error);
      return NULL;
    }
    g_ptr_array_add (all, lines);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&all) : NULL;
}

static const char *
find_string (PenStore *self, const char *sql, guint32 id, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, sql, error);
  PenSqlStep step;

  if (statement == NULL)
    return NULL;

  pen_sql_bind_u64 (statement, 1, id);
  step = pen_sql_step (statement, error);

  return step == PEN_SQL_ROW ? pen_store_column_string (self, statement, 0) : NULL;
}

const char *
pen_store_find_source_file (PenStore *self, guint32 id, GError **error)
{
  return find_string (self, "SELECT path FROM source_file WHERE id = ?", id, error);
}

const char *
pen_store_find_inlined_function (PenStore *self, guint32 id, GError **error)
{
  return find_string (self, "SELECT name FROM inlined_function WHERE id = ?", id, error);
}
