/* pen-virtual-bucket.c: the table `bucket`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-virtual-private.h"

#include "pen-store-buckets.h"

enum {
  ID,
  EVENT,
  TENURE,
  REVISION,
  ADDRESS,
  FUNCTION,
  KIND,
  SAMPLES,
  PERIOD,
  FIRST,
  LAST,
};

static const char columns[]
    = "CREATE TABLE bucket (id INTEGER, event INTEGER, tenure INTEGER, revision INTEGER,"
      " address INTEGER, function INTEGER, kind TEXT, samples INTEGER, period INTEGER,"
      " first INTEGER, last INTEGER)";

/* @loaded: (nullable): those of one function alone */
typedef struct {
  sqlite3_vtab_cursor base;
  PenStore *store;
  GArray *loaded;
  const PenBucket *buckets;
  gint64 at;
  gint64 end;
} Cursor;

static int
bucket_connect (sqlite3 *db, void *host, G_GNUC_UNUSED int argc,
                G_GNUC_UNUSED const char *const *argv, sqlite3_vtab **table, char **message)
{
  return pen_virtual_table_connect (db, host, columns, sizeof (PenVirtualTable), table, message);
}

static gboolean
is_equality (sqlite3_index_info *info, int index, int column)
{
  int of = info->aConstraint[index].iColumn;

  return info->aConstraint[index].usable && (of == column || (of == -1 && column == ID))
         && info->aConstraint[index].op == SQLITE_INDEX_CONSTRAINT_EQ
         && !sqlite3_vtab_in (info, index, -1);
}

/* An id, or else a function; of either one value is enough. */
static int
bucket_best_index (sqlite3_vtab *table, sqlite3_index_info *info)
{
  guint32 n = pen_store_count_buckets (((PenVirtualTable *) table)->store);
  g_autoptr (GString) taken = g_string_new (NULL);
  static const int wanted[] = { ID, FUNCTION };

  info->estimatedRows = MAX (n, 1);
  info->estimatedCost = (double) n + 1000;
  for (guint w = 0; w < G_N_ELEMENTS (wanted) && taken->len == 0; w++)
    for (int i = 0; i < info->nConstraint && taken->len == 0; i++)
      if (is_equality (info, i, wanted[w])
          && pen_virtual_take_constraint (info, i, wanted[w], taken)) {
        info->estimatedRows = wanted[w] == ID ? 1 : 50;
        info->estimatedCost = wanted[w] == ID ? 10 : 2000;
        info->idxFlags = wanted[w] == ID ? SQLITE_INDEX_SCAN_UNIQUE : 0;
      }

  info->orderByConsumed = info->nOrderBy == 1 && !info->aOrderBy[0].desc
                          && (info->aOrderBy[0].iColumn == -1 || info->aOrderBy[0].iColumn == ID)
                          && (taken->len == 0 || info->idxFlags == SQLITE_INDEX_SCAN_UNIQUE);
  return pen_virtual_finish_index (info, taken);
}

static int
bucket_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  self->store = ((PenVirtualTable *) table)->store;
  *cursor = &self->base;
  return SQLITE_OK;
}

static int
bucket_close (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  g_clear_pointer (&self->loaded, g_array_unref);
  g_free (self);
  return SQLITE_OK;
}

static gboolean
load_function (Cursor *self, gint64 function, GError **error)
{
  if (function < 0 || function > G_MAXUINT32)
    return TRUE;

  self->loaded = pen_store_load_function_buckets (self->store, (guint32) function, error);
  if (!self->loaded)
    return FALSE;

  self->buckets = (const PenBucket *) (gpointer) self->loaded->data;
  self->end = self->loaded->len;
  return TRUE;
}

static gboolean
load_all (Cursor *self, const PenVirtualRange *ids, GError **error)
{
  guint n;

  self->buckets = pen_store_get_buckets (self->store, &n, error);
  if (!self->buckets)
    return FALSE;

  self->at = MAX (ids->first, 0);
  self->end = ids->last < n ? ids->last + 1 : n;
  return TRUE;
}

static int
bucket_filter (sqlite3_vtab_cursor *cursor, G_GNUC_UNUSED int number, const char *taken, int argc,
               sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  PenVirtualRange range = PEN_VIRTUAL_RANGE_ALL;
  gboolean is_function = argc > 0 && pen_virtual_get_constraint (taken, 0).column == FUNCTION;
  GError *error = NULL;

  g_clear_pointer (&self->loaded, g_array_unref);
  self->at = self->end = 0;
  if (argc > 0)
    pen_virtual_range_narrow (&range, SQLITE_INDEX_CONSTRAINT_EQ, argv[0]);
  if (range.first > range.last)
    return SQLITE_OK;

  if (is_function && range.first == range.last)
    load_function (self, range.first, &error);
  else
    load_all (self, is_function ? &PEN_VIRTUAL_RANGE_ALL : &range, &error);
  return !error ? SQLITE_OK : pen_virtual_table_fail (cursor->pVtab, error);
}

static int
bucket_next (sqlite3_vtab_cursor *cursor)
{
  ((Cursor *) cursor)->at++;
  return SQLITE_OK;
}

static int
bucket_eof (sqlite3_vtab_cursor *cursor)
{
  const Cursor *self = (const Cursor *) cursor;

  return self->at >= self->end;
}

static int
bucket_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
  const Cursor *self = (const Cursor *) cursor;

  *id = self->buckets[self->at].id;
  return SQLITE_OK;
}

static int
bucket_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  const Cursor *self = (const Cursor *) cursor;
  const PenBucket *bucket = &self->buckets[self->at];

  switch (column) {
  case ID:
    sqlite3_result_int64 (context, bucket->id);
    break;
  case EVENT:
    sqlite3_result_int (context, bucket->event);
    break;
  case TENURE:
    if (bucket->tenure != 0)
      sqlite3_result_int64 (context, bucket->tenure);
    break;
  case REVISION:
    sqlite3_result_int64 (context, bucket->revision);
    break;
  case ADDRESS:
    if (bucket->has_address)
      sqlite3_result_int64 (context, (sqlite3_int64) bucket->address);
    break;
  case FUNCTION:
    sqlite3_result_int64 (context, bucket->function);
    break;
  case KIND:
    sqlite3_result_text (context, pen_kind_to_string (bucket->kind), -1, SQLITE_STATIC);
    break;
  case SAMPLES:
    sqlite3_result_int64 (context, (sqlite3_int64) bucket->samples);
    break;
  case PERIOD:
    sqlite3_result_int64 (context, (sqlite3_int64) bucket->period);
    break;
  case FIRST:
    sqlite3_result_int64 (context, (sqlite3_int64) bucket->first);
    break;
  default:
    sqlite3_result_int64 (context, (sqlite3_int64) bucket->last);
    break;
  }
  return SQLITE_OK;
}

const sqlite3_module pen_virtual_bucket = {
  .iVersion = 0,
  .xConnect = bucket_connect,
  .xBestIndex = bucket_best_index,
  .xDisconnect = pen_virtual_table_disconnect,
  .xOpen = bucket_open,
  .xClose = bucket_close,
  .xFilter = bucket_filter,
  .xNext = bucket_next,
  .xEof = bucket_eof,
  .xColumn = bucket_column,
  .xRowid = bucket_rowid,
};
