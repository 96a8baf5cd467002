/* pen-store-change-times.c: from when to when something changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include "pen-store-changes.h"

/* Rows are numbered in time order: the first and the last one with a time are found by their keys,
 * of the rest nothing is read. 0 and 2^64 - 1 are no times (docs/store.md). */
#define ENDS_OF(table, key, condition)                                                             \
  "SELECT time FROM (SELECT time FROM " table " WHERE time NOT IN (0, -1)" condition               \
  " ORDER BY " key " LIMIT 1) UNION ALL "                                                          \
  "SELECT time FROM (SELECT time FROM " table " WHERE time NOT IN (0, -1)" condition               \
  " ORDER BY " key " DESC LIMIT 1)"

gboolean
pen_store_load_change_times (PenStore *self, gboolean *has_any, guint64 *first, guint64 *last,
                             GError **error)
{
  static const char query[]
      = ENDS_OF ("map_row", "change", " AND NOT is_data") " UNION ALL " ENDS_OF (
          "ksymbol", "change", "") " UNION ALL " ENDS_OF ("text_poke", "id", "");
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, query, error);
  PenSqlStep step;

  *has_any = FALSE;
  *first = G_MAXUINT64;
  *last = 0;
  if (!statement)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    guint64 time = pen_sql_u64 (statement, 0);

    *has_any = TRUE;
    *first = MIN (*first, time);
    *last = MAX (*last, time);
  }
  return step == PEN_SQL_DONE;
}
