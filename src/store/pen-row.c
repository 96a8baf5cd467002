/* pen-row.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row.h"

void
pen_row_u64 (PenRow *row, guint64 value)
{
  pen_sql_bind_u64 (row->statement, ++row->column, value);
}

void
pen_row_i64 (PenRow *row, gint64 value)
{
  sqlite3_bind_int64 (row->statement, ++row->column, value);
}

void
pen_row_null (PenRow *row)
{
  sqlite3_bind_null (row->statement, ++row->column);
}

void
pen_row_id (PenRow *row, guint32 id)
{
  pen_sql_bind_id (row->statement, ++row->column, id);
}

void
pen_row_text (PenRow *row, const char *text)
{
  sqlite3_bind_text (row->statement, ++row->column, text, -1, SQLITE_STATIC);
}

void
pen_row_blob (PenRow *row, const void *bytes, gsize n)
{
  /* A NULL pointer would bind NULL. */
  sqlite3_bind_blob64 (row->statement, ++row->column, n > 0 ? bytes : "", n, SQLITE_STATIC);
}

void
pen_row_time (PenRow *row, gboolean has_time, guint64 time)
{
  if (has_time)
    pen_row_u64 (row, time);
  else
    pen_row_null (row);
}

void
pen_row_moment (PenRow *row, PenMoment moment)
{
  pen_row_u64 (row, moment.time);
  pen_row_u64 (row, moment.position);
}

void
pen_row_end_moment (PenRow *row, PenMoment moment)
{
  pen_sql_bind_end (row->statement, row->column + 1, moment);
  row->column += 2;
}

void
pen_row_cpu (PenRow *row, guint32 cpu)
{
  pen_sql_bind_cpu (row->statement, ++row->column, cpu);
}

void
pen_row_task (PenRow *row, gboolean has_task, gint32 pid, gint32 tid)
{
  if (has_task) {
    pen_row_i64 (row, pid);
    pen_row_i64 (row, tid);
  } else {
    pen_row_null (row);
    pen_row_null (row);
  }
}

void
pen_row_comm (PenRow *row, const char *comm)
{
  pen_row_text (row, comm != NULL && *comm != '\0' ? comm : NULL);
}

gboolean
pen_row_end (PenRow *row, GError **error)
{
  gboolean ok = pen_sql_step (row->statement, error) == PEN_SQL_DONE;

  sqlite3_reset (row->statement);

  return ok;
}
