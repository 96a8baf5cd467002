/* pen-shared-values.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-shared-values.h"

#include <string.h>

#include "pen-schema.h"
#include "pen-sql.h"
#include "pen-store-table.h"
#include "pen-table-hash.h"

/* Bytes of values, with what each takes beside. */
#define MAX_REMEMBERED (4u << 20)

typedef struct {
  const guint8 *bytes;
  gsize n;
  gint64 number;
  gboolean is_text;
} Value;

struct _PenSharedValues {
  sqlite3 *db;
  sqlite3_stmt *insert; /* NULL until it is needed */
  GHashTable *known;    /* Value → itself, its bytes after it */
  gsize remembered;
  gint64 n_rows;
};

static guint
value_hash (gconstpointer data)
{
  const Value *value = data;

  return pen_data_hash (value->bytes, value->n) ^ (guint) value->is_text;
}

static gboolean
value_equal (gconstpointer a, gconstpointer b)
{
  const Value *x = a;
  const Value *y = b;

  return x->n == y->n && x->is_text == y->is_text && memcmp (x->bytes, y->bytes, x->n) == 0;
}

PenSharedValues *
pen_shared_values_new (sqlite3 *db)
{
  PenSharedValues *self = g_new0 (PenSharedValues, 1);

  self->db = db;
  self->known = g_hash_table_new_full (value_hash, value_equal, g_free, NULL);
  return self;
}

void
pen_shared_values_free (PenSharedValues *self)
{
  if (!self)
    return;

  g_clear_pointer (&self->insert, sqlite3_finalize);
  g_hash_table_unref (self->known);
  g_free (self);
}

static void
remember (PenSharedValues *self, const Value *value)
{
  gsize size = sizeof *value + value->n;
  Value *kept;

  if (size > MAX_REMEMBERED - self->remembered)
    return;

  self->remembered += size;
  kept = g_malloc (size);
  *kept = *value;
  kept->bytes = (const guint8 *) (kept + 1);
  memcpy (kept + 1, value->bytes, value->n);
  g_hash_table_add (self->known, kept);
}

static gboolean
write_row (PenSharedValues *self, const Value *value, GError **error)
{
  PenSqlStep step;

  if (!self->insert) {
    g_autofree char *sql = pen_store_table_get_insert (&pen_store_tables[PEN_TABLE_SHARED], FALSE);

    self->insert = pen_sql_prepare (self->db, sql, error);
    if (!self->insert)
      return FALSE;
  }

  sqlite3_bind_int64 (self->insert, 1, value->number);
  if (value->is_text)
    sqlite3_bind_text64 (self->insert, 2, (const char *) value->bytes, value->n, SQLITE_STATIC,
                         SQLITE_UTF8);
  else
    sqlite3_bind_blob64 (self->insert, 2, value->bytes, value->n, SQLITE_STATIC);
  step = pen_sql_step (self->insert, error);
  sqlite3_reset (self->insert);
  return step == PEN_SQL_DONE;
}

gint64
pen_shared_values_get (PenSharedValues *self, const guint8 *bytes, gsize n, gboolean is_text,
                       GError **error)
{
  Value value = { .bytes = bytes, .n = n, .is_text = is_text != FALSE };
  const Value *known = g_hash_table_lookup (self->known, &value);

  if (known)
    return known->number;

  value.number = self->n_rows + 1;
  if (!write_row (self, &value, error))
    return 0;
  self->n_rows++;
  remember (self, &value);
  return value.number;
}
