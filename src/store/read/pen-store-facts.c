/* pen-store-facts.c: facts, events, and what was counted of the records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

gboolean
pen_store_load_facts (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db, "SELECT key, value FROM capture ORDER BY key", error);
  if (statement == NULL)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    const char *key = pen_store_column_string (self, statement, 0);

    g_ptr_array_add (self->fact_keys, (gpointer) key);
    g_hash_table_insert (self->facts, (gpointer) key,
                         (gpointer) pen_store_column_string (self, statement, 1));
  }

  return step == PEN_SQL_DONE;
}

gboolean
pen_store_load_events (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT e.id, name, type, size, config, flags, sample_type,"
                               " read_format, period_or_frequency, ids, samples, system, format"
                               " FROM event e LEFT JOIN tracepoint t ON t.event = e.id"
                               " ORDER BY e.id",
                               error);
  if (statement == NULL)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoreEvent *event;

    if (sqlite3_column_int64 (statement, 0) != self->events->len)
      return pen_store_set_damaged (self, "events are not numbered from 0", error);

    event = g_new0 (PenStoreEvent, 1);
    event->name = g_strdup (pen_sql_text (statement, 1));
    event->type = (guint32) pen_sql_u64 (statement, 2);
    event->size = (guint32) pen_sql_u64 (statement, 3);
    event->config = pen_sql_u64 (statement, 4);
    event->flags = pen_sql_u64 (statement, 5);
    event->sample_type = pen_sql_u64 (statement, 6);
    event->read_format = pen_sql_u64 (statement, 7);
    event->period_or_frequency = pen_sql_u64 (statement, 8);
    event->ids = pen_sql_u64 (statement, 9);
    event->samples = pen_sql_u64 (statement, 10);
    event->system = g_strdup ((const char *) sqlite3_column_text (statement, 11));
    event->format = g_strdup ((const char *) sqlite3_column_text (statement, 12));
    g_ptr_array_add (self->events, event);
  }

  return step == PEN_SQL_DONE;
}

void
pen_store_event_free (gpointer data)
{
  PenStoreEvent *event = data;

  g_free (event->name);
  g_free (event->system);
  g_free (event->format);
  g_free (event);
}

const char *
pen_store_get_fact (PenStore *self, const char *key)
{
  return g_hash_table_lookup (self->facts, key);
}

gint64
pen_store_get_fact_int (PenStore *self, const char *key, gint64 fallback)
{
  const char *value = pen_store_get_fact (self, key);
  char *end;
  gint64 number;

  if (value == NULL || *value == '\0')
    return fallback;

  number = *value == '-' ? g_ascii_strtoll (value, &end, 10)
                         : (gint64) g_ascii_strtoull (value, &end, 10);

  return *end == '\0' ? number : fallback;
}

void
pen_store_foreach_fact (PenStore *self, PenFactFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->fact_keys->len; i++) {
    const char *key = g_ptr_array_index (self->fact_keys, i);

    func (key, pen_store_get_fact (self, key), user_data);
  }
}

GPtrArray *
pen_store_get_events (PenStore *self)
{
  return self->events;
}

static void
record_count_free (gpointer data)
{
  PenRecordCount *count = data;

  g_free (count->name);
  g_free (count);
}

GPtrArray *
pen_store_load_record_counts (PenStore *self, GError **error)
{
  g_autoptr (GPtrArray) counts = g_ptr_array_new_with_free_func (record_count_free);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT type, name, records FROM record_count ORDER BY type", error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenRecordCount *count = g_new0 (PenRecordCount, 1);

    count->type = (guint32) pen_sql_u64 (statement, 0);
    count->name = g_strdup (pen_sql_text (statement, 1));
    count->records = pen_sql_u64 (statement, 2);
    g_ptr_array_add (counts, count);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&counts) : NULL;
}

static void
problem_free (gpointer data)
{
  PenStoreProblem *problem = data;

  g_free (problem->action);
  g_free (problem->file);
  g_free (problem->record);
  g_free (problem->reason);
  g_free (problem);
}

GPtrArray *
pen_store_load_problems (PenStore *self, GError **error)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (problem_free);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT p.action, ifnull(f.name, ''), p.offset, p.record, p.count,"
                               " p.reason FROM problem p LEFT JOIN file f ON f.id = p.file"
                               " ORDER BY p.id",
                               error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoreProblem *problem = g_new0 (PenStoreProblem, 1);

    problem->action = g_strdup (pen_sql_text (statement, 0));
    problem->file = g_strdup (pen_sql_text (statement, 1));
    problem->offset = pen_sql_u64 (statement, 2);
    problem->record = g_strdup ((const char *) sqlite3_column_text (statement, 3));
    problem->count = pen_sql_u64 (statement, 4);
    problem->reason = g_strdup (pen_sql_text (statement, 5));
    g_ptr_array_add (problems, problem);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&problems) : NULL;
}

GArray *
pen_store_load_losses (PenStore *self, GError **error)
{
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (
      self->db,
      "SELECT kind, from_time, to_time, cpu, count, repeated, event FROM loss ORDER BY id", error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenLoss loss = {
      .kind = pen_store_word (pen_sql_text (statement, 0), (PenWordFunc) pen_loss_kind_to_string,
                              PEN_LOSSES),
      .from = pen_sql_u64 (statement, 1),
      .to = pen_sql_u64 (statement, 2),
      .cpu = pen_sql_cpu (statement, 3),
      .count = pen_sql_u64 (statement, 4),
      .repeated = pen_sql_u64 (statement, 5),
      .has_event = !pen_sql_is_null (statement, 6),
      .event = (guint32) pen_sql_u64 (statement, 6),
    };

    if (loss.has_event && loss.event >= self->events->len) {
      pen_store_set_damaged (self, "a loss names an event that is not there", error);
      return NULL;
    }

    g_array_append_val (losses, loss);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&losses) : NULL;
}
