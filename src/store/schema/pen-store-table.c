/* pen-store-table.c
 *
 * A row on its way is the number of its table and its columns, each a byte for its type and the
 * value; the last byte says that there are no more. A value that is the same as in the row before
 * need not be bound again: most columns of pokes are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-table.h"

#include <string.h>

enum {
  VALUE_END,
  VALUE_NULL,
  VALUE_INTEGER,
  VALUE_TEXT,
  VALUE_BLOB,
  VALUE_SAME,
};

/* ---- SQL ---- */

const char *
pen_store_table_get_rows (const PenStoreTable *self)
{
  return self->rows ? self->rows : self->name;
}

char *
pen_store_table_get_schema (const PenStoreTable *self)
{
  GString *sql = g_string_new ("CREATE TABLE ");

  g_string_append_printf (sql, "%s (", pen_store_table_get_rows (self));
  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_printf (sql, "%s%s %s", i > 0 ? ", " : "", self->columns[i].name,
                            self->columns[i].type);
  g_string_append_printf (sql, "%s;", self->rest ? self->rest : ")");
  return g_string_free (sql, FALSE);
}

char *
pen_store_table_get_view (const PenStoreTable *self)
{
  GString *sql;

  if (!self->rows)
    return NULL;

  sql = g_string_new ("CREATE VIEW ");
  g_string_append_printf (sql, "%s AS SELECT ", self->name);
  for (guint i = 0; i < self->n_columns; i++) {
    const PenStoreColumn *column = &self->columns[i];

    g_string_append (sql, i > 0 ? ", " : "");
    if (column->is_shared)
      g_string_append_printf (sql, "(SELECT value FROM shared s WHERE s.id = r.%s) AS %s",
                              column->name, column->name);
    else
      g_string_append_printf (sql, "r.%s", column->name);
  }
  g_string_append_printf (sql, " FROM %s r", self->rows);
  return g_string_free (sql, FALSE);
}

char *
pen_store_table_get_insert (const PenStoreTable *self, gboolean replaces)
{
  GString *sql = g_string_new (replaces ? "INSERT OR REPLACE INTO " : "INSERT INTO ");

  g_string_append_printf (sql, "%s VALUES (?", pen_store_table_get_rows (self));
  for (guint i = 1; i < self->n_columns; i++)
    g_string_append (sql, ",?");
  g_string_append_c (sql, ')');
  return g_string_free (sql, FALSE);
}

char *
pen_store_table_get_select (const PenStoreTable *self, const char *rest)
{
  GString *sql = g_string_new ("SELECT ");

  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "", self->columns[i].name);
  g_string_append_printf (sql, " FROM %s %s", pen_store_table_get_rows (self), rest);
  return g_string_free (sql, FALSE);
}

/* ---- fields ---- */

static guint64
get_number (const guint8 *row, PenFieldType type, guint offset)
{
  gconstpointer field = row + offset;

  switch (type) {
  case PEN_FIELD_U8:
    return *(const guint8 *) field;
  case PEN_FIELD_U16:
    return *(const guint16 *) field;
  case PEN_FIELD_U32:
    return *(const guint32 *) field;
  case PEN_FIELD_I32:
    return (guint64) (gint64) * (const gint32 *) field;
  case PEN_FIELD_U64:
    return *(const guint64 *) field;
  default:
    return 0;
  }
}

/* Returns: FALSE: @number is too large for a field of 8 or 16 bits */
static gboolean
set_number (guint8 *row, PenFieldType type, guint offset, guint64 number)
{
  gpointer field = row + offset;

  switch (type) {
  case PEN_FIELD_U8:
    *(guint8 *) field = (guint8) number;
    return number <= G_MAXUINT8;
  case PEN_FIELD_U16:
    *(guint16 *) field = (guint16) number;
    return number <= G_MAXUINT16;
  case PEN_FIELD_U32:
  case PEN_FIELD_I32:
    *(guint32 *) field = (guint32) number;
    return TRUE;
  case PEN_FIELD_U64:
    *(guint64 *) field = number;
    return TRUE;
  default:
    return TRUE;
  }
}

/* ---- writing ---- */

/* Each column has a byte, and room for a number; strings and bytes of a row have some together. */
#define COLUMN_ROOM (1 + sizeof (guint64))
#define BYTES_ROOM 512u

/* @out: where the next column goes; @room: for strings and bytes, beside that of the columns */
typedef struct {
  GByteArray *to;
  guint8 *out;
  gsize room;
} Row;

static void
put_null (Row *to)
{
  *to->out++ = VALUE_NULL;
}

static void
put_number (Row *to, guint8 type, guint64 number)
{
  *to->out++ = type;
  memcpy (to->out, &number, sizeof number);
  to->out += sizeof number;
}

static void
put_bytes (Row *to, guint8 type, const void *bytes, gsize n)
{
  put_number (to, type, n);
  if (n == 0)
    return;
  if (n > to->room) {
    gsize at = (gsize) (to->out - to->to->data);

    g_byte_array_set_size (to->to, (guint) (to->to->len + n));
    to->out = to->to->data + at;
    to->room += n;
  }
  memcpy (to->out, bytes, n);
  to->out += n;
  to->room -= n;
}

static void
put_string (Row *to, const PenStoreColumn *column, const char *text)
{
  if (!text && column->null_rule == PEN_NULL_NEVER)
    text = "";
  if (!text || (*text == '\0' && column->null_rule == PEN_NULL_EMPTY))
    put_null (to);
  else
    put_bytes (to, VALUE_TEXT, text, strlen (text));
}

static void
put_blob (Row *to, const PenStoreColumn *column, const guint8 *row)
{
  const guint8 *bytes = column->field == PEN_FIELD_ARRAY
                            ? row + column->offset
                            : *(const guint8 *const *) (gconstpointer) (row + column->offset);
  gsize n = column->length_field == PEN_FIELD_NONE
                ? column->size
                : (gsize) get_number (row, column->length_field, column->length);

  if (column->null_rule != PEN_NULL_NEVER && (n == 0 || !bytes))
    put_null (to);
  else
    put_bytes (to, VALUE_BLOB, bytes, n);
}

static void
put_column (Row *to, const PenStoreColumn *column, const guint8 *row)
{
  guint64 number;

  if (column->null_rule == PEN_NULL_UNLESS && get_number (row, PEN_FIELD_U32, column->other) == 0) {
    put_null (to);
    return;
  }

  switch ((PenFieldType) column->field) {
  case PEN_FIELD_NONE:
    put_null (to);
    break;
  case PEN_FIELD_STRING:
    put_string (to, column, *(const char *const *) (gconstpointer) (row + column->offset));
    break;
  case PEN_FIELD_BYTES:
  case PEN_FIELD_ARRAY:
    put_blob (to, column, row);
    break;
  case PEN_FIELD_U8:
  case PEN_FIELD_U16:
  case PEN_FIELD_U32:
  case PEN_FIELD_I32:
  case PEN_FIELD_U64:
  default:
    number = get_number (row, column->field, column->offset);
    if (column->null_rule == PEN_NULL_VALUE && number == column->null)
      put_null (to);
    else if (column->to_word)
      put_string (to, column, column->to_word ((guint) number));
    else
      put_number (to, VALUE_INTEGER, number);
    break;
  }
}

/* Most columns are numbers or short words: too short to call memcmp(). */
static gboolean
is_same (const guint8 *a, const guint8 *b, gsize n)
{
  for (; n >= sizeof (guint64); n -= sizeof (guint64)) {
    guint64 x;
    guint64 y;

    memcpy (&x, a, sizeof x);
    memcpy (&y, b, sizeof y);
    if (x != y)
      return FALSE;
    a += sizeof x;
    b += sizeof y;
  }
  for (; n > 0; n--)
    if (*a++ != *b++)
      return FALSE;
  return TRUE;
}

void
pen_store_row_append (GByteArray *bytes, PenTableId table, gconstpointer row, PenRowBefore *before)
{
  const PenStoreTable *self = &pen_store_tables[table];
  gboolean is_like = before->is_there && before->table == table;
  guint at = bytes->len;
  Row to = { bytes, NULL, BYTES_ROOM };

  g_byte_array_set_size (bytes, (guint) (at + 2 + self->n_columns * COLUMN_ROOM + BYTES_ROOM));
  to.out = bytes->data + at;
  *to.out++ = (guint8) table;
  for (guint i = 0; i < self->n_columns; i++) {
    guint column = (guint) (to.out - bytes->data);
    guint8 *out;

    put_column (&to, &self->columns[i], row);
    out = bytes->data + column;
    if (is_like && is_same (out, bytes->data + before->columns[i], (gsize) (to.out - out))) {
      *out = VALUE_SAME;
      to.out = out + 1;
    } else {
      before->columns[i] = column;
    }
  }
  *to.out++ = VALUE_END;
  g_byte_array_set_size (bytes, (guint) (to.out - bytes->data));
  before->is_there = TRUE;
  before->table = table;
}

PenTableId
pen_store_row_get_table (const GByteArray *bytes, gsize at)
{
  return bytes->data[at];
}

gsize
pen_store_row_bind (const GByteArray *bytes, gsize at, sqlite3_stmt *statement, PenShareFunc share,
                    gpointer user_data, guint64 *bound)
{
  const PenStoreColumn *columns = pen_store_tables[pen_store_row_get_table (bytes, at)].columns;
  const guint8 *from = bytes->data + at + 1;

  for (int column = 1; *from != VALUE_END; column++) {
    guint64 bit = G_GUINT64_CONSTANT (1) << (column - 1);
    guint8 type = *from++;
    gint64 value;

    if (type == VALUE_SAME)
      continue;
    if (type == VALUE_NULL) {
      if ((*bound & bit) != 0)
        sqlite3_bind_null (statement, column);
      *bound &= ~bit;
      continue;
    }
    *bound |= bit;

    memcpy (&value, from, sizeof value);
    from += sizeof value;
    if (type == VALUE_INTEGER) {
      sqlite3_bind_int64 (statement, column, value);
      continue;
    }

    if (columns[column - 1].is_shared)
      sqlite3_bind_int64 (statement, column,
                          share (from, (gsize) value, type == VALUE_TEXT, user_data));
    else if (type == VALUE_TEXT)
      sqlite3_bind_text64 (statement, column, (const char *) from, (guint64) value, SQLITE_STATIC,
                           SQLITE_UTF8);
    else
      sqlite3_bind_blob64 (statement, column, from, (guint64) value, SQLITE_STATIC);
    from += value;
  }
  return (gsize) (from + 1 - bytes->data);
}

/* ---- reading ---- */

static guint
find_word (const PenStoreColumn *column, const char *word)
{
  for (guint value = 0; word && value < column->n_words; value++)
    if (strcmp (column->to_word (value), word) == 0)
      return value;
  return 0;
}

static void
read_string (const PenStoreColumn *column, sqlite3_stmt *statement, int index,
             const PenRowKeeper *keeper, guint8 *row)
{
  const char *text = (const char *) sqlite3_column_text (statement, index);

  if (!text && column->null_rule != PEN_NULL_STRING)
    text = "";
  if (text && keeper)
    text = keeper->keep (text, strlen (text), TRUE, keeper->user_data);
  *(const char **) (gpointer) (row + column->offset) = text;
}

static gboolean
read_blob (const PenStoreColumn *column, sqlite3_stmt *statement, int index,
           const PenRowKeeper *keeper, guint8 *row)
{
  const guint8 *bytes = sqlite3_column_blob (statement, index);
  gsize n = bytes ? (gsize) sqlite3_column_bytes (statement, index) : 0;

  if (column->field == PEN_FIELD_ARRAY) {
    n = MIN (n, column->size);
    if (n > 0)
      memcpy (row + column->offset, bytes, n);
  } else if (column->length_field == PEN_FIELD_NONE && n != column->size) {
    bytes = NULL;
  } else if (!bytes || n == 0) {
    bytes = column->null_rule == PEN_NULL_NEVER ? (const guint8 *) "" : NULL;
  } else if (keeper) {
    bytes = keeper->keep (bytes, n, FALSE, keeper->user_data);
  }

  if (column->field == PEN_FIELD_BYTES)
    *(const guint8 **) (gpointer) (row + column->offset) = bytes;

  /* Where there are none, the length may have a column of its own. */
  return n == 0 || set_number (row, column->length_field, column->length, n);
}

/* Strings, words, and bytes in the struct itself: no others are shared. */
static gboolean
read_shared (const PenStoreColumn *column, sqlite3_stmt *statement, int index,
             const PenRowKeeper *keeper, guint8 *row)
{
  const PenSharedValue *value = NULL;
  const char *text = NULL;

  if (sqlite3_column_type (statement, index) != SQLITE_NULL) {
    value = keeper->get_shared (sqlite3_column_int64 (statement, index), keeper->user_data);
    if (!value)
      return FALSE;
    if (value->is_text)
      text = (const char *) value->bytes;
  }

  if (column->field == PEN_FIELD_STRING) {
    if (!text && column->null_rule != PEN_NULL_STRING)
      text = "";
    *(const char **) (gpointer) (row + column->offset) = text;
    return TRUE;
  }
  if (column->field == PEN_FIELD_ARRAY) {
    gsize n = value && !value->is_text ? MIN (value->n, column->size) : 0;

    if (n > 0)
      memcpy (row + column->offset, value->bytes, n);
    return set_number (row, column->length_field, column->length, n);
  }
  return set_number (row, column->field, column->offset, find_word (column, text));
}

static gboolean
read_number (const PenStoreColumn *column, sqlite3_stmt *statement, int index, guint8 *row)
{
  gboolean is_null = sqlite3_column_type (statement, index) == SQLITE_NULL;
  guint64 number = (guint64) sqlite3_column_int64 (statement, index);

  if (column->to_word)
    number = find_word (column, (const char *) sqlite3_column_text (statement, index));
  else if (is_null)
    number = column->null;
  if (column->null_rule == PEN_NULL_UNLESS)
    set_number (row, PEN_FIELD_U32, column->other, !is_null);
  return set_number (row, column->field, column->offset, number);
}

static gboolean
read_column (const PenStoreColumn *column, sqlite3_stmt *statement, int index,
             const PenRowKeeper *keeper, guint8 *row)
{
  if (column->is_shared)
    return read_shared (column, statement, index, keeper, row);

  switch ((PenFieldType) column->field) {
  case PEN_FIELD_NONE:
    return TRUE;
  case PEN_FIELD_STRING:
    read_string (column, statement, index, keeper, row);
    return TRUE;
  case PEN_FIELD_BYTES:
  case PEN_FIELD_ARRAY:
    return read_blob (column, statement, index, keeper, row);
  case PEN_FIELD_U8:
  case PEN_FIELD_U16:
  case PEN_FIELD_U32:
  case PEN_FIELD_I32:
  case PEN_FIELD_U64:
  default:
    return read_number (column, statement, index, row);
  }
}

gboolean
pen_store_row_read (const PenStoreTable *table, sqlite3_stmt *statement, const PenRowKeeper *keeper,
                    gpointer row)
{
  memset (row, 0, table->size);
  for (guint i = 0; i < table->n_columns; i++)
    if (!read_column (&table->columns[i], statement, (int) i, keeper, row))
      return FALSE;
  return TRUE;
}
