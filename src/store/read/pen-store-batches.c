/* pen-store-batches.c: pokes that belong together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

static PenBatch
read_batch (PenStore *self, sqlite3_stmt *statement)
{
  return (PenBatch){
    .id = (guint32) pen_sql_u64 (statement, 0),
    .first_poke = (guint32) pen_sql_u64 (statement, 1),
    .last_poke = (guint32) pen_sql_u64 (statement, 2),
    .from = pen_sql_u64 (statement, 3),
    .to = pen_sql_u64 (statement, 4),
    .cause = pen_store_column_cause (statement, 5),
    .confidence = pen_store_column_confidence (statement, 6),
    .effect = pen_store_column_effect (statement, 7),
    .n_sites = (guint32) pen_sql_u64 (statement, 8),
    .key = pen_store_column_string_or_null (self, statement, 9),
    .sentence = pen_store_column_string (self, statement, 10),
    .cpu = pen_sql_cpu (statement, 11),
    .pid = pen_sql_is_null (statement, 12) ? -1 : sqlite3_column_int (statement, 12),
    .tid = pen_sql_is_null (statement, 12) ? -1 : sqlite3_column_int (statement, 13),
    .comm = pen_store_column_string (self, statement, 14),
  };
}

static GArray *
load_batches (PenStore *self, GError **error)
{
  g_autoptr (GArray) batches = g_array_new (FALSE, FALSE, sizeof (PenBatch));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT id, first_poke, last_poke, from_time, to_time, cause,"
                               " confidence, effect, sites, key, sentence, cpu, pid, tid, comm"
                               " FROM batch ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenBatch batch = read_batch (self, statement);

    if (batch.id != batches->len + 1) {
      pen_store_set_damaged (self, "batches are not numbered from 1", error);
      return NULL;
    }
    g_array_append_val (batches, batch);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&batches) : NULL;
}

const PenBatch *
pen_store_get_batches (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (self->batches == NULL)
    self->batches = load_batches (self, error);
  if (self->batches == NULL)
    return NULL;

  *n = self->batches->len;
  return (const PenBatch *) (gpointer) self->batches->data;
}
