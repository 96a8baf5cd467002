/* pen-store-change-list.c: the view `change`, sorted, searched and grouped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-binary-search.h"
#include "pen-change-index.h"
#include "pen-change-order.h"
#include "pen-store-private.h"
#include "pen-table-hash.h"

#define SEARCHED                                                                                   \
  "instr(lower(ifnull(symbol, '') || char(10) || occupant || char(10) || change || char(10) ||"    \
  " ifnull(comm, '') || char(10) || ifnull(cause, '') || char(10) || kind || char(10) ||"          \
  " printf('0x%x', address)), lower(?1))"

PenChangeIndex *
pen_store_get_change_index (PenStore *self, GError **error)
{
  if (!self->changes)
    self->changes = pen_change_index_new (self, error);
  return self->changes;
}

/* Returns: (transfer full): flag of each change of the index */
static guint8 *
search_changes (PenStore *self, const PenChangeIndex *index, const char *search, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db, "SELECT id FROM change WHERE " SEARCHED, error);
  const PenIndexedChange *changes = (const PenIndexedChange *) (gpointer) index->changes->data;
  g_autofree guint8 *found = g_malloc0 ((gsize) index->changes->len + 1);
  PenSqlStep step = PEN_SQL_FAILED;

  if (statement)
    sqlite3_bind_text (statement, 1, search, -1, SQLITE_STATIC);
  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    guint32 id = (guint32) pen_sql_u64 (statement, 0);

    found[PEN_BINARY_SEARCH (i, 0, index->changes->len, changes[i].id < id)] = TRUE;
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&found) : NULL;
}

/* @order: indexes of all changes; NULL: by id */
static GArray *
list_some (const PenChangeIndex *index, const guint32 *order, const PenChangeOrder *asked,
           const guint8 *found, PenChangeTest test, gpointer user_data)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (PenListedChange));
  guint n = index->changes->len;

  for (guint i = 0; i < n; i++) {
    guint at = order ? order[i] : asked->is_descending ? n - 1 - i : i;
    const PenIndexedChange *change = &g_array_index (index->changes, PenIndexedChange, at);
    PenListedChange listed = { change->id, change->batch };

    if ((change->scopes >> asked->scope & 1) && (!found || found[at])
        && (!test || test (change->id, user_data)))
      g_array_append_val (list, listed);
  }
  return list;
}

/* ---- groups ---- */

/* The changes from @first on that are of its batch; one of none is alone. */
static guint
find_run (const GArray *list, guint first)
{
  guint32 batch = g_array_index (list, PenListedChange, first).batch;
  guint end = first + 1;

  while (batch != 0 && end < list->len && g_array_index (list, PenListedChange, end).batch == batch)
    end++;
  return end;
}

static guint
get_number (GHashTable *table, guint32 batch)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, GUINT_TO_POINTER (batch)));
}

static void
set_number (GHashTable *table, guint32 batch, guint number)
{
  g_hash_table_insert (table, GUINT_TO_POINTER (batch), GUINT_TO_POINTER (number));
}

/* Changes of one batch stand together where the first of them was. Takes @taken. */
static GArray *
group_by_batch (GArray *taken)
{
  g_autoptr (GArray) list = taken;
  g_autoptr (GHashTable) sizes = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GHashTable) places = g_hash_table_new (pen_direct_hash, NULL); /* batch → place + 1 */
  GArray *grouped = g_array_sized_new (FALSE, FALSE, sizeof (PenListedChange), list->len);
  guint next = 0;

  g_array_set_size (grouped, list->len);
  for (guint i = 0, end; i < list->len; i = end) {
    guint32 batch = g_array_index (list, PenListedChange, i).batch;

    end = find_run (list, i);
    if (batch != 0)
      set_number (sizes, batch, get_number (sizes, batch) + end - i);
  }
  for (guint i = 0, end; i < list->len; i = end) {
    guint32 batch = g_array_index (list, PenListedChange, i).batch;
    guint place = batch != 0 ? get_number (places, batch) : 0;

    end = find_run (list, i);
    if (place == 0) {
      place = next + 1;
      next += batch != 0 ? get_number (sizes, batch) : 1;
    }
    memcpy (&g_array_index (grouped, PenListedChange, place - 1),
            &g_array_index (list, PenListedChange, i), (end - i) * sizeof (PenListedChange));
    if (batch != 0)
      set_number (places, batch, place + end - i);
  }
  return grouped;
}

GArray *
pen_store_list_changes (PenStore *self, const PenChangeOrder *order, PenChangeTest test,
                        gpointer user_data, GError **error)
{
  PenChangeIndex *index = pen_store_get_change_index (self, error);
  gboolean is_by_time = order->sort == PEN_CHANGE_SORT_TIME;
  const guint32 *sorted = NULL;
  g_autofree guint8 *found = NULL;
  GArray *list;

  if (!index)
    return NULL;
  if (!is_by_time) {
    sorted = pen_change_index_get_order (index, self, order->sort, order->is_descending, error);
    if (!sorted)
      return NULL;
  }
  if (order->search && *order->search != '\0') {
    found = search_changes (self, index, order->search, error);
    if (!found)
      return NULL;
  }
  list = list_some (index, sorted, order, found, test, user_data);
  return is_by_time && order->is_grouped ? group_by_batch (list) : list;
}

gboolean
pen_store_count_changes (PenStore *self, guint64 *n, GError **error)
{
  const PenChangeIndex *index = pen_store_get_change_index (self, error);

  *n = index ? index->changes->len : 0;
  return index != NULL;
}

/* ---- by moment ---- */

/* Rows are numbered in the order of their moments: no index is needed.
 * @sql: the first row whose number is not below ?1: number, time, position, number as a change
 * @change: (inout): that of the last row at @moment, if it is greater */
static gboolean
find_last (PenStore *self, const char *sql, PenMoment moment, guint32 *change, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, sql, error);
  guint64 low = 0;
  guint64 high = G_MAXUINT32;
  guint32 last = 0;

  /* The rows below @low are not after @moment, @last is the last of them if it is at @moment. */
  while (statement && low < high) {
    guint64 middle = low + (high - low) / 2;
    int order = 1;
    PenSqlStep step;

    pen_sql_bind_u64 (statement, 1, middle);
    step = pen_sql_step (statement, error);
    if (step == PEN_SQL_FAILED)
      return FALSE;
    if (step == PEN_SQL_ROW)
      order = pen_moment_compare (
          pen_moment (pen_sql_u64 (statement, 1), pen_sql_u64 (statement, 2)), moment);
    if (order <= 0) {
      low = MAX (pen_sql_u64 (statement, 0), middle) + 1;
      last = order == 0 ? (guint32) pen_sql_u64 (statement, 3) : 0;
    } else {
      high = middle;
    }
    sqlite3_reset (statement);
  }
  *change = MAX (*change, last);
  return statement != NULL;
}

gboolean
pen_store_find_change (PenStore *self, PenMoment moment, guint32 *id, GError **error)
{
  static const char *const rows[] = {
    "SELECT change, time, position, change FROM map_row WHERE change >= ?1 AND NOT is_data"
    " ORDER BY change LIMIT 1",
    "SELECT change, time, position, change FROM ksymbol WHERE change >= ?1"
    " ORDER BY change LIMIT 1",
    "SELECT id, time, position, change FROM text_poke WHERE id >= ?1 ORDER BY id LIMIT 1",
  };

  *id = 0;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (!find_last (self, rows[i], moment, id, error))
      return FALSE;
  return *id != 0;
}
