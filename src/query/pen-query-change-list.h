/* pen-query-change-list.h: changes as a list that is sorted and searched as a whole, read in pages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-change-order.h"
#include "pen-query-patch-path.h"
#include "pen-store-changes.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* Changes that were one event: @n ids from @first on. */
typedef struct {
  guint first;
  guint n;
} PenChangeGroup;

/*
 * PenChangeList:
 * @ids: (element-type guint32): of the changes, in the order asked for; what is alike, by time
 * @groups: (element-type PenChangeGroup): all of @ids, in order; NULL: not grouped
 * @total: changes of the capture
 *
 * Cost: 4 bytes for each change that is listed.
 */
typedef struct {
  GArray *ids;
  GArray *groups;
  guint64 total;
} PenChangeList;

void pen_change_list_free (PenChangeList *list);
/* A change from before the recording began has no time, or 0, or ~0. */
static inline gboolean
pen_change_is_initial (const PenChange *change)
{
  return !change->has_time || change->time == 0 || change->time == G_MAXUINT64;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChangeList, pen_change_list_free)

/* Cost: SQLite reads and sorts all changes; with a filter, one pass over them before. */
PenChangeList *pen_query_list_changes (PenQuery *self, const PenFilter *filter,
                                       const PenChangeOrder *order, GError **error);

/* The same of the changes with the ids @ids, in any order. */
PenChangeList *pen_query_list_changes_of (PenQuery *self, const PenChangeOrder *order,
                                          const guint32 *ids, guint n, GError **error);

/*
 * PenChangeRow: one change, all strings its own; reference-counted
 * @has_function, @function: the function that holds the address, for pen_query_annotate(); of
 *   several, that of the same occupant
 * @reason: what a poke did; @sentence: what its batch did; or NULL
 * @called_from: who asked for it: pen_patch_path_describe(), or NULL; @callers: the names alone
 */
typedef struct {
  PenChange change;
  gboolean has_function;
  guint32 function;
  char *reason;
  char *sentence;
  char *called_from;
  char *callers;
} PenChangeRow;

PenChangeRow *pen_change_row_ref (PenChangeRow *row);
void pen_change_row_unref (PenChangeRow *row);

/* The change that happened at @moment. Cost: a few searches.
 * Returns: FALSE if there is none (@error set only on failure) */
gboolean pen_query_find_change (PenQuery *self, PenMoment moment, guint32 *id, GError **error);

/* The changes with these ids, in that order. Cost: a look-up for each.
 * Returns: (transfer full) (element-type PenChangeRow) */
GPtrArray *pen_query_load_changes (PenQuery *self, const guint32 *ids, guint n, GError **error);

/* The table of pen_query_write_changes(), of a list. */
gboolean pen_query_write_change_list (PenQuery *self, const PenChangeList *list,
                                      PenTableWriter *writer, GError **error);

/* A batch by its id, or NULL; owned by the store. */
const PenBatch *pen_query_get_batch (PenQuery *self, guint32 id, GError **error);

G_END_DECLS
