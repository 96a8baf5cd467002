/* pen-store-buckets.c: buckets, which lie in blocks by function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-private.h"
#include "pen-store-records.h"

static const char not_there[] = "a bucket names what is not there";

static gboolean
read_block_info (sqlite3_stmt *statement, PenBucketBlockInfo *info)
{
  guint64 fields[5];

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    fields[i] = pen_sql_u64 (statement, (int) i + 1);
    if (fields[i] >= G_MAXUINT32)
      return FALSE;
  }

  *info = (PenBucketBlockInfo){
    .first_function = (guint32) fields[0],
    .last_function = (guint32) fields[1],
    .first_id = (guint32) fields[2],
    .last_id = (guint32) fields[3],
    .n = (guint) fields[4],
  };

  return info->n > 0 && info->n <= PEN_BLOCK_BUCKETS && info->first_function <= info->last_function
         && info->first_id <= info->last_id && info->last_id - info->first_id >= info->n - 1;
}

/* Where there are as many buckets as ids, and none is there twice, none is missing. */
gboolean
pen_store_load_bucket_blocks (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  guint64 n_buckets = 0;
  guint64 end = 0;
  PenSqlStep step;

  statement = pen_store_prepare_of (self, PEN_TABLE_BUCKET_BLOCK,
                                    "SELECT id, first_function, last_function, first_id, last_id, n"
                                    " FROM %s ORDER BY id",
                                    error);
  if (!statement)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenBucketBlockInfo info;

    if (sqlite3_column_int64 (statement, 0) != self->bucket_blocks->len
        || !read_block_info (statement, &info))
      return pen_store_set_damaged (self, "its blocks of buckets are not in order", error);

    n_buckets += info.n;
    end = MAX (end, (guint64) info.last_id + 1);
    g_array_append_val (self->bucket_blocks, info);
  }

  if (step != PEN_SQL_DONE)
    return FALSE;
  if (n_buckets != end)
    return pen_store_set_damaged (self, "buckets are missing", error);
  self->n_buckets = (guint32) n_buckets;
  return TRUE;
}

guint32
pen_store_count_buckets (PenStore *self)
{
  return self->n_buckets;
}

gboolean
pen_store_count_functions (PenStore *self, guint64 *n, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  statement = pen_sql_prepare (self->db, "SELECT ifnull(max(id) + 1, 0) FROM function_row", error);
  if (!statement || pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;

  *n = pen_sql_u64 (statement, 0);
  return TRUE;
}

static gboolean
set_block_error (PenStore *self, guint index, const char *reason, GError **error)
{
  g_autofree char *what = g_strdup_printf ("block %u of buckets: %s", index, reason);

  return pen_store_set_damaged (self, what, error);
}

static sqlite3_stmt *
prepare_read (PenStore *self, GError **error)
{
  return pen_store_prepare_of (self, PEN_TABLE_BUCKET_BLOCK, "SELECT buckets FROM %s WHERE id = ?",
                               error);
}

/* @bytes: valid until @statement is used again */
static gboolean
read_pack (PenStore *self, sqlite3_stmt *statement, guint index, const guint8 **bytes,
           gsize *length, GError **error)
{
  if (self->cancellable && g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  sqlite3_reset (statement);
  sqlite3_bind_int64 (statement, 1, index);
  switch (pen_sql_step (statement, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_DONE:
    return set_block_error (self, index, "it is gone", error);
  default:
    break;
  }

  *bytes = sqlite3_column_blob (statement, 0);
  *length = (gsize) sqlite3_column_bytes (statement, 0);
  return *bytes || set_block_error (self, index, "it is empty", error);
}

static gboolean
bucket_is_sound (PenStore *self, const PenBucketBlockInfo *info, const PenBucket *bucket,
                 guint64 n_functions)
{
  return bucket->id >= info->first_id && bucket->id <= info->last_id
         && bucket->function >= info->first_function && bucket->function <= info->last_function
         && bucket->function < n_functions && (guint) bucket->event < self->events->len;
}

/* @buckets: PEN_BLOCK_BUCKETS of them */
static gboolean
read_buckets (PenStore *self, sqlite3_stmt *statement, guint index, guint64 n_functions,
              PenBucket *buckets, GError **error)
{
  const PenBucketBlockInfo *info = &g_array_index (self->bucket_blocks, PenBucketBlockInfo, index);
  const guint8 *bytes;
  const char *reason;
  gsize length;

  if (!read_pack (self, statement, index, &bytes, &length, error))
    return FALSE;
  if (!pen_bucket_block_unpack (buckets, info->n, bytes, length, &self->unpacker, &reason))
    return set_block_error (self, index, reason, error);

  for (guint i = 0; i < info->n; i++)
    if (!bucket_is_sound (self, info, &buckets[i], n_functions))
      return set_block_error (self, index, not_there, error);
  return TRUE;
}

static gboolean
fill_buckets (PenStore *self, PenBucket *all, guint8 *seen, GError **error)
{
  g_autofree PenBucket *block = g_new0 (PenBucket, PEN_BLOCK_BUCKETS);
  g_autoptr (sqlite3_stmt) statement = prepare_read (self, error);
  guint64 n_functions;

  if (!statement || !pen_store_count_functions (self, &n_functions, error))
    return FALSE;

  for (guint i = 0; i < self->bucket_blocks->len; i++) {
    guint n = g_array_index (self->bucket_blocks, PenBucketBlockInfo, i).n;

    if (!read_buckets (self, statement, i, n_functions, block, error))
      return FALSE;

    for (guint k = 0; k < n; k++) {
      if (seen[block[k].id]++ != 0)
        return set_block_error (self, i, "a bucket is there twice", error);
      all[block[k].id] = block[k];
    }
  }
  return TRUE;
}

/* @functions: their ids were looked at: element i has id i */
static void
count_bucket (PenStore *self, GArray *functions, const PenBucket *bucket)
{
  PenFunction *function = &g_array_index (functions, PenFunction, bucket->function);
  PenStoreEvent *event = g_ptr_array_index (self->events, (guint) bucket->event);

  function->samples += bucket->samples;
  function->period += bucket->period;
  event->samples += bucket->samples;
}

gboolean
pen_store_count_by_buckets (PenStore *self, GArray *functions, GError **error)
{
  g_autofree PenBucket *block = g_new0 (PenBucket, PEN_BLOCK_BUCKETS);
  g_autoptr (sqlite3_stmt) statement = prepare_read (self, error);

  if (!statement)
    return FALSE;

  for (guint i = 0; i < functions->len; i++) {
    g_array_index (functions, PenFunction, i).samples = 0;
    g_array_index (functions, PenFunction, i).period = 0;
  }
  for (guint i = 0; i < self->events->len; i++)
    ((PenStoreEvent *) g_ptr_array_index (self->events, i))->samples = 0;

  for (guint i = 0; i < self->bucket_blocks->len; i++) {
    guint n = g_array_index (self->bucket_blocks, PenBucketBlockInfo, i).n;

    if (!read_buckets (self, statement, i, functions->len, block, error))
      return FALSE;
    for (guint k = 0; k < n; k++)
      count_bucket (self, functions, &block[k]);
  }
  return TRUE;
}

/* The count was claimed by the file: where there is not so much memory, that is an error. */
static gpointer
set_too_many (PenStore *self, GError **error)
{
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_FAILED,
               "“%s” has %u buckets: not enough memory for them.", self->path, self->n_buckets);
  return NULL;
}

const PenBucket *
pen_store_get_buckets (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->buckets) {
    g_autofree PenBucket *all = g_try_new0 (PenBucket, (gsize) self->n_buckets + 1);
    g_autofree guint8 *seen = g_try_malloc0 ((gsize) self->n_buckets + 1);

    if (!all || !seen)
      return set_too_many (self, error);
    if (!fill_buckets (self, all, seen, error))
      return NULL;
    self->buckets = g_steal_pointer (&all);
  }

  *n = self->n_buckets;
  return self->buckets;
}

static gboolean
fill_functions (PenStore *self, guint32 *all, GError **error)
{
  g_autofree guint32 *ids = g_new (guint32, PEN_BLOCK_BUCKETS);
  g_autofree guint32 *functions = g_new (guint32, PEN_BLOCK_BUCKETS);
  g_autoptr (sqlite3_stmt) statement = prepare_read (self, error);
  guint64 n_functions;

  if (!statement || !pen_store_count_functions (self, &n_functions, error))
    return FALSE;

  memset (all, 0xff, ((gsize) self->n_buckets + 1) * sizeof *all);
  for (guint i = 0; i < self->bucket_blocks->len; i++) {
    guint n = g_array_index (self->bucket_blocks, PenBucketBlockInfo, i).n;
    const guint8 *bytes;
    const char *reason;
    gsize length;

    if (!read_pack (self, statement, i, &bytes, &length, error))
      return FALSE;
    if (!pen_bucket_block_unpack_functions (ids, functions, n, bytes, length, &self->unpacker,
                                            &reason))
      return set_block_error (self, i, reason, error);

    for (guint k = 0; k < n; k++) {
      if (ids[k] >= self->n_buckets || all[ids[k]] != G_MAXUINT32 || functions[k] == G_MAXUINT32
          || functions[k] >= n_functions)
        return set_block_error (self, i, not_there, error);
      all[ids[k]] = functions[k];
    }
  }
  return TRUE;
}

const guint32 *
pen_store_get_bucket_functions (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->bucket_functions) {
    g_autofree guint32 *all = g_try_new (guint32, (gsize) self->n_buckets + 1);

    if (!all)
      return set_too_many (self, error);
    if (!fill_functions (self, all, error))
      return NULL;
    self->bucket_functions = g_steal_pointer (&all);
  }

  *n = self->n_buckets;
  return self->bucket_functions;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* Whether one of @sorted is in [@first, @last]. */
static gboolean
any_between (const GArray *sorted, guint32 first, guint32 last)
{
  guint low = 0;
  guint high = sorted->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (sorted, guint32, middle) < first)
      low = middle + 1;
    else
      high = middle;
  }
  return low < sorted->len && g_array_index (sorted, guint32, low) <= last;
}

gboolean
pen_store_foreach_bucket_of (PenStore *self, const GArray *functions, PenBucketFunc func,
                             gpointer user_data, GError **error)
{
  g_autofree PenBucket *block = g_new0 (PenBucket, PEN_BLOCK_BUCKETS);
  g_autoptr (sqlite3_stmt) statement = prepare_read (self, error);
  g_autoptr (GArray) sorted = g_array_copy ((GArray *) functions);
  g_autofree guint8 *wanted = NULL;
  guint64 n_functions;

  if (!statement || !pen_store_count_functions (self, &n_functions, error))
    return FALSE;

  g_array_sort (sorted, compare_ids);
  wanted = g_malloc0 ((gsize) n_functions / 8 + 1);
  for (guint i = 0; i < sorted->len; i++) {
    guint32 function = g_array_index (sorted, guint32, i);

    if (function < n_functions)
      wanted[function / 8] |= (guint8) (1u << function % 8);
  }

  for (guint i = 0; i < self->bucket_blocks->len; i++) {
    const PenBucketBlockInfo *info = &g_array_index (self->bucket_blocks, PenBucketBlockInfo, i);

    if (!any_between (sorted, info->first_function, info->last_function))
      continue;
    if (!read_buckets (self, statement, i, n_functions, block, error))
      return FALSE;

    for (guint k = 0; k < info->n; k++) {
      if ((wanted[block[k].function / 8] >> block[k].function % 8 & 1) != 0)
        func (&block[k], user_data);
    }
  }
  return TRUE;
}

static void
add_found (const PenBucket *bucket, gpointer found)
{
  g_array_append_vals (found, bucket, 1);
}

GArray *
pen_store_load_function_buckets (PenStore *self, guint32 function, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (functions, function);
  if (!pen_store_foreach_bucket_of (self, functions, add_found, found, error))
    return NULL;
  return g_steal_pointer (&found);
}
