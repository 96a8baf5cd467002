/* pen-store-source-lines.c: from which lines of their source functions were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pack.h"
#include "pen-store-private.h"
#include "pen-store-writer-private.h"

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenUnpacker, pen_unpacker_clear)

gboolean
pen_store_writer_add_source_file (PenStoreWriter *self, guint32 id, const char *path,
                                  GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_SOURCE_FILE, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_text (&row, path);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_source_lines (PenStoreWriter *self, guint32 function,
                                   const PenSourceLine *lines, guint n, GError **error)
{
  g_autofree guint64 *column = g_new (guint64, n);
  const guint8 *pack;
  gsize length;
  PenRow row;

  PEN_PACKER_FIELD (self->packer, lines, n, column, offset);
  PEN_PACKER_FIELD (self->packer, lines, n, column, file);
  PEN_PACKER_FIELD (self->packer, lines, n, column, line);
  pack = pen_packer_finish (self->packer, &length);
  if (!pen_store_writer_start_row (self, INSERT_SOURCE_LINES, &row, error))
    return FALSE;

  pen_row_u64 (&row, function);
  pen_row_u64 (&row, n);
  pen_row_blob (&row, pack, length);

  return pen_row_end (&row, error);
}

static gboolean
unpack (sqlite3_stmt *statement, GArray *lines, const char **reason)
{
  g_auto (PenUnpacker) unpacker = { 0 };
  gint64 n = sqlite3_column_int64 (statement, 0);
  const guint8 *bytes = sqlite3_column_blob (statement, 1);
  g_autofree guint64 *offsets = NULL;
  g_autofree guint32 *files = NULL;
  g_autofree guint32 *numbers = NULL;

  *reason = "it is empty";
  if (bytes == NULL || n <= 0 || n > PEN_FUNCTION_LINES_MAX
      || !pen_unpacker_start (&unpacker, bytes, (gsize) sqlite3_column_bytes (statement, 1),
                              3 * PEN_PACK_COLUMN_MAX (n, 8), reason))
    return FALSE;

  offsets = g_new (guint64, (gsize) n);
  files = g_new (guint32, (gsize) n);
  numbers = g_new (guint32, (gsize) n);
  pen_unpacker_column (&unpacker, offsets, (guint) n);
  pen_unpacker_column32 (&unpacker, files, (guint) n);
  pen_unpacker_column32 (&unpacker, numbers, (guint) n);
  *reason = "it does not have the numbers that it says it has";
  if (!pen_unpacker_finish (&unpacker))
    return FALSE;

  for (guint i = 0; i < (guint) n; i++) {
    PenSourceLine line = { offsets[i], files[i], numbers[i] };

    g_array_append_val (lines, line);
  }

  return TRUE;
}

GArray *
pen_store_load_source_lines (PenStore *self, guint32 function, GError **error)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (PenSourceLine));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement
      = pen_sql_prepare (self->db, "SELECT n, lines FROM source_lines WHERE function = ?", error);
  if (statement == NULL)
    return NULL;

  pen_sql_bind_u64 (statement, 1, function);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    const char *reason;

    if (!unpack (statement, lines, &reason)) {
      g_autofree char *what
          = g_strdup_printf ("the source lines of function %u: %s", function, reason);

      pen_store_set_damaged (self, what, error);
      return NULL;
    }
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&lines) : NULL;
}

const char *
pen_store_find_source_file (PenStore *self, guint32 id, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db, "SELECT path FROM source_file WHERE id = ?", error);
  if (statement == NULL)
    return NULL;

  pen_sql_bind_u64 (statement, 1, id);
  step = pen_sql_step (statement, error);

  return step == PEN_SQL_ROW ? pen_store_column_string (self, statement, 0) : NULL;
}
