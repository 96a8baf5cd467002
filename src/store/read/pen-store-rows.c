/* pen-store-rows.c: rows as structs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include <string.h>

const char *
pen_store_column_string (PenStore *self, sqlite3_stmt *statement, int column)
{
  return pen_names_add (self->strings, pen_sql_text (statement, column));
}

/* Once, whoever has them. */
static const guint8 *
keep_bytes (PenStore *self, const guint8 *bytes, gsize length)
{
  g_autoptr (GBytes) key = g_bytes_new_static (bytes, length);
  gpointer known;

  if (!g_hash_table_lookup_extended (self->blobs, key, &known, NULL)) {
    known = g_bytes_new (bytes, length);
    g_hash_table_add (self->blobs, known);
  }
  return g_bytes_get_data (known, NULL);
}

static gconstpointer
keep (gconstpointer bytes, gsize length, gboolean is_string, gpointer user_data)
{
  PenStore *self = user_data;

  return is_string ? (gconstpointer) pen_names_add (self->strings, bytes)
                   : keep_bytes (self, bytes, length);
}

static void
add_shared (PenStore *self, sqlite3_stmt *statement)
{
  gboolean is_text = sqlite3_column_type (statement, 1) == SQLITE_TEXT;
  const char *text = is_text ? pen_store_column_string (self, statement, 1) : NULL;
  const guint8 *bytes = is_text ? NULL : sqlite3_column_blob (statement, 1);
  gsize n = bytes ? (gsize) sqlite3_column_bytes (statement, 1) : 0;
  PenSharedValue value = { .is_text = is_text };

  value.n = is_text ? strlen (text) : n;
  value.bytes = is_text ? (const guint8 *) text : n > 0 ? keep_bytes (self, bytes, n) : NULL;
  g_array_append_val (self->shared, value);
}

/* All of them: there are few. */
static gboolean
load_shared (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step = PEN_SQL_FAILED;

  if (self->shared)
    return TRUE;
  statement = pen_sql_prepare (self->db, "SELECT id, value FROM shared ORDER BY id", error);
  self->shared = g_array_new (FALSE, FALSE, sizeof (PenSharedValue));
  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    if (sqlite3_column_int64 (statement, 0) != 1 + (gint64) self->shared->len) {
      g_clear_pointer (&self->shared, g_array_unref);
      return pen_store_set_damaged (self, "rows of shared are not numbered from 1", error);
    }
    add_shared (self, statement);
  }
  if (step != PEN_SQL_DONE)
    g_clear_pointer (&self->shared, g_array_unref);
  return step == PEN_SQL_DONE;
}

static const PenSharedValue *
get_shared (gint64 number, gpointer user_data)
{
  PenStore *self = user_data;

  return number > 0 && number <= self->shared->len
             ? &g_array_index (self->shared, PenSharedValue, number - 1)
             : NULL;
}

static gboolean
read_row (PenStore *self, PenTableId table, sqlite3_stmt *statement, const PenRowKeeper *keeper,
          gpointer row, GError **error)
{
  g_autofree char *what = NULL;

  if (pen_store_tables[table].rows && !load_shared (self, error))
    return FALSE;
  if (pen_store_row_read (&pen_store_tables[table], statement, keeper, row))
    return TRUE;

  what = g_strdup_printf ("a row of %s is too long, or a value that it shares is not there",
                          pen_store_tables[table].name);
  return pen_store_set_damaged (self, what, error);
}

gboolean
pen_store_read_row (PenStore *self, PenTableId table, sqlite3_stmt *statement, gpointer row,
                    GError **error)
{
  const PenRowKeeper keeper = { keep, get_shared, self };

  return read_row (self, table, statement, &keeper, row, error);
}

static gconstpointer
leave (gconstpointer bytes, gsize length G_GNUC_UNUSED, gboolean is_string G_GNUC_UNUSED,
       gpointer user_data G_GNUC_UNUSED)
{
  return bytes;
}

gboolean
pen_store_read_row_in_place (PenStore *self, PenTableId table, sqlite3_stmt *statement,
                             gpointer row, GError **error)
{
  const PenRowKeeper keeper = { leave, get_shared, self };

  return read_row (self, table, statement, &keeper, row, error);
}

sqlite3_stmt *
pen_store_select (PenStore *self, PenTableId table, const char *rest, GError **error)
{
  g_autofree char *sql = pen_store_table_get_select (&pen_store_tables[table], rest);

  return pen_sql_prepare (self->db, sql, error);
}

/* @first: id of the first row, which are numbered; or -1 */
static GArray *
load_rows (PenStore *self, PenTableId table, sqlite3_stmt *statement, gint64 first, GError **error)
{
  gsize size = pen_store_tables[table].size;
  g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, (guint) size, 64);
  g_autofree gpointer row = g_malloc (size);
  PenSqlStep step;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    /* Ids are indexes: a gap would have one row read as another. */
    if (first >= 0 && sqlite3_column_int64 (statement, 0) != first + rows->len) {
      g_autofree char *what = g_strdup_printf ("rows of %s are not numbered from %d",
                                               pen_store_tables[table].name, (int) first);

      pen_store_set_damaged (self, what, error);
      return NULL;
    }
    if (!pen_store_read_row (self, table, statement, row, error))
      return NULL;
    g_array_append_vals (rows, row, 1);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&rows) : NULL;
}

GArray *
pen_store_load_rows (PenStore *self, PenTableId table, sqlite3_stmt *statement, GError **error)
{
  return statement ? load_rows (self, table, statement, -1, error) : NULL;
}

GArray *
pen_store_load_table (PenStore *self, PenTableId table, const char *rest, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_store_select (self, table, rest, error);

  return pen_store_load_rows (self, table, statement, error);
}

GArray *
pen_store_load_numbered (PenStore *self, PenTableId table, guint first, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_store_select (self, table, "ORDER BY id", error);

  return statement ? load_rows (self, table, statement, first, error) : NULL;
}
