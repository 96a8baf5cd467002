/* pen-row.c
 *
 * A row is the number of its table and its columns, each a byte that says what it is, and that; the
 * last byte says that there are no more.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row.h"

#include <string.h>

enum {
  COLUMN_END,
  COLUMN_NULL,
  COLUMN_INTEGER,
  COLUMN_TEXT,
  COLUMN_BLOB,
};

/* Over the last byte, and a new one behind it. */
static void
put (PenRow *row, guint8 type, const void *head, guint n_head, const void *bytes, gsize n)
{
  GByteArray *to = row->bytes;
  guint at = to->len - 1;
  guint8 *out;

  g_byte_array_set_size (to, (guint) (at + 1 + n_head + n + 1));
  out = to->data + at;
  *out++ = type;
  if (n_head > 0)
    memcpy (out, head, n_head);
  out += n_head;
  if (n > 0)
    memcpy (out, bytes, n);
  out[n] = COLUMN_END;
}

static void
put_bytes (PenRow *row, guint8 type, const void *bytes, gsize n)
{
  guint64 length = n;

  put (row, type, &length, sizeof length, bytes, n);
}

PenRow
pen_row_start (GByteArray *bytes, guint8 table, PenStoreThread *thread)
{
  const guint8 start[] = { table, COLUMN_END };

  g_byte_array_append (bytes, start, sizeof start);

  return (PenRow){ bytes, thread };
}

void
pen_row_i64 (PenRow *row, gint64 value)
{
  put (row, COLUMN_INTEGER, &value, sizeof value, NULL, 0);
}

/* Kept as SQLite's signed numbers, two's complement. */
void
pen_row_u64 (PenRow *row, guint64 value)
{
  pen_row_i64 (row, (gint64) value);
}

void
pen_row_null (PenRow *row)
{
  put (row, COLUMN_NULL, NULL, 0, NULL, 0);
}

void
pen_row_id (PenRow *row, guint32 id)
{
  if (id != 0)
    pen_row_u64 (row, id);
  else
    pen_row_null (row);
}

void
pen_row_text (PenRow *row, const char *text)
{
  if (text != NULL)
    put_bytes (row, COLUMN_TEXT, text, strlen (text));
  else
    pen_row_null (row);
}

void
pen_row_blob (PenRow *row, const void *bytes, gsize n)
{
  put_bytes (row, COLUMN_BLOB, bytes, n);
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
  if (pen_moment_compare (moment, PEN_MOMENT_END) != 0) {
    pen_row_moment (row, moment);
  } else {
    pen_row_null (row);
    pen_row_null (row);
  }
}

void
pen_row_cpu (PenRow *row, guint32 cpu)
{
  if (cpu != G_MAXUINT32)
    pen_row_u64 (row, cpu);
  else
    pen_row_null (row);
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

guint8
pen_row_get_table (const GByteArray *bytes, gsize at)
{
  return bytes->data[at];
}

gsize
pen_row_bind (const GByteArray *bytes, gsize at, sqlite3_stmt *statement)
{
  const guint8 *from = bytes->data + at + 1;

  for (int column = 1; *from != COLUMN_END; column++) {
    guint8 type = *from++;
    gint64 value;

    if (type == COLUMN_NULL) {
      sqlite3_bind_null (statement, column);
      continue;
    }

    memcpy (&value, from, sizeof value);
    from += sizeof value;
    if (type == COLUMN_INTEGER) {
      sqlite3_bind_int64 (statement, column, value);
      continue;
    }

    if (type == COLUMN_TEXT)
      sqlite3_bind_text64 (statement, column, (const char *) from, (guint64) value, SQLITE_STATIC,
                           SQLITE_UTF8);
    else
      sqlite3_bind_blob64 (statement, column, from, (guint64) value, SQLITE_STATIC);
    from += value;
  }

  return (gsize) (from + 1 - bytes->data);
}
