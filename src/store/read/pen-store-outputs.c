/* pen-store-outputs.c: outputs of BPF programs, and readings of a witness
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include "pen-store-outputs.h"

/* No place is longer (PEN_WITNESSED_BYTES). */
#define MAX_PLACE 64u

struct _PenOutputCursor {
  PenStore *store;
  sqlite3_stmt *statement;
  PenBpfOutput row;
};

/* Strings and bytes stay until the next step. */
static gboolean
read_row (PenStore *store, PenTableId table, sqlite3_stmt *statement, gpointer row, GError **error)
{
  g_autofree char *what = NULL;

  if (pen_store_row_read (&pen_store_tables[table], statement, NULL, row))
    return TRUE;
  what = g_strdup_printf ("a row of %s is too long", pen_store_tables[table].name);
  return pen_store_set_damaged (store, what, error);
}

PenOutputCursor *
pen_output_cursor_new (PenStore *store, GError **error)
{
  g_autoptr (PenOutputCursor) self = g_new0 (PenOutputCursor, 1);

  self->store = store;
  self->statement = pen_store_select (store, PEN_TABLE_OUTPUT, "ORDER BY id", error);
  return self->statement ? g_steal_pointer (&self) : NULL;
}

void
pen_output_cursor_free (PenOutputCursor *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->statement, sqlite3_finalize);
  g_free (self);
}

gboolean
pen_output_cursor_next (PenOutputCursor *self, const PenBpfOutput **output, GError **error)
{
  if (pen_sql_step (self->statement, error) != PEN_SQL_ROW
      || !read_row (self->store, PEN_TABLE_OUTPUT, self->statement, &self->row, error))
    return FALSE;
  *output = &self->row;
  return TRUE;
}

/* The next output with this id: those before it have no reading. */
static gboolean
find_output (PenOutputCursor *outputs, guint32 id, const PenBpfOutput **output, GError **error)
{
  GError *local_error = NULL;

  while (pen_output_cursor_next (outputs, output, &local_error))
    if ((*output)->id == id)
      return TRUE;
  if (!local_error)
    return pen_store_set_damaged (outputs->store, "a reading has no output", error);
  g_propagate_error (error, local_error);
  return FALSE;
}

gboolean
pen_store_foreach_reading (PenStore *self, PenReadingFunc func, gpointer user_data, GError **error)
{
  g_autoptr (sqlite3_stmt) readings
      = pen_store_select (self, PEN_TABLE_READING, "ORDER BY output", error);
  g_autoptr (PenOutputCursor) outputs = pen_output_cursor_new (self, error);
  PenSqlStep step;

  if (!readings || !outputs)
    return FALSE;
  while ((step = pen_sql_step (readings, error)) == PEN_SQL_ROW) {
    PenReading reading;
    const PenBpfOutput *output;

    if (!read_row (self, PEN_TABLE_READING, readings, &reading, error)
        || !find_output (outputs, reading.output, &output, error))
      return FALSE;
    if (!func (&reading, output, user_data))
      return TRUE;
  }
  return step == PEN_SQL_DONE;
}

GArray *
pen_store_load_readings (PenStore *self, guint64 start, guint64 end, GError **error)
{
  guint64 first = start - MIN (start, MAX_PLACE - 1);
  g_autoptr (sqlite3_stmt) statement = pen_store_select (
      self, PEN_TABLE_READING, "WHERE start BETWEEN ?1 AND ?2 ORDER BY time, position", error);

  if (!statement)
    return NULL;
  /* A place does not lie on both sides of the middle of the address space. */
  pen_sql_bind_u64 (statement, 1, start >> 63 != 0 ? MAX (first, (guint64) 1 << 63) : first);
  pen_sql_bind_u64 (statement, 2, end > 0 ? end - 1 : 0);
  return pen_store_load_rows (self, PEN_TABLE_READING, statement, error);
}
