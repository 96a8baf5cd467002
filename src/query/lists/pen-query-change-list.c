/* pen-query-change-list.c: changes as a list that is sorted and searched as a whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-change-list.h"

#include "pen-matcher.h"
#include "pen-poke-phrases.h"
#include "pen-query-private.h"

/* ---- the list ---- */

const PenBatch *
pen_query_get_batch (PenQuery *self, guint32 id, GError **error)
{
  guint n;
  const PenBatch *batches = pen_store_get_batches (self->store, &n, error);

  return id >= 1 && id <= n ? &batches[id - 1] : NULL;
}

void
pen_change_list_free (PenChangeList *list)
{
  g_array_unref (list->ids);
  g_clear_pointer (&list->groups, g_array_unref);
  g_free (list);
}

typedef struct {
  const PenMatcher *matcher;
  GByteArray *marks; /* by id: 1: the filter leaves it */
} Matches;

static void
mark (GByteArray *marks, guint32 id)
{
  while (marks->len <= id)
    g_byte_array_append (marks, (const guint8 *) "", 1);
  marks->data[id] = 1;
}

static gboolean
mark_match (const PenChange *change, gpointer user_data)
{
  Matches *matches = user_data;

  if (pen_matcher_has_change (matches->matcher, change))
    mark (matches->marks, change->id);
  return TRUE;
}

static gboolean
is_match (guint32 id, gpointer user_data)
{
  const Matches *matches = user_data;

  return id < matches->marks->len && matches->marks->data[id];
}

/* Pokes of one batch stand together already. */
static void
add_listed (PenChangeList *list, const PenListedChange *change, const PenListedChange *before)
{
  g_array_append_val (list->ids, change->id);
  if (!list->groups)
    return;
  if (before && change->batch != 0 && change->batch == before->batch) {
    g_array_index (list->groups, PenChangeGroup, list->groups->len - 1).n++;
  } else {
    PenChangeGroup group = { list->ids->len - 1, 1 };

    g_array_append_val (list->groups, group);
  }
}

/* @test: (nullable): what it leaves is listed. */
static PenChangeList *
list_changes (PenQuery *self, const PenChangeOrder *order, PenChangeTest test, Matches *matches,
              GError **error)
{
  g_autoptr (GArray) listed = NULL;
  const PenListedChange *changes;
  PenChangeList *list;
  guint64 total;

  if (!pen_store_count_changes (self->store, &total, error))
    return NULL;
  listed = pen_store_list_changes (self->store, order, test, matches, error);
  if (!listed)
    return NULL;

  list = g_new0 (PenChangeList, 1);
  list->total = total;
  list->ids = g_array_sized_new (FALSE, FALSE, sizeof (guint32), listed->len);
  if (order->is_grouped && order->sort == PEN_CHANGE_SORT_TIME)
    list->groups = g_array_new (FALSE, FALSE, sizeof (PenChangeGroup));
  changes = (const PenListedChange *) (gpointer) listed->data;
  for (guint i = 0; i < listed->len; i++)
    add_listed (list, &changes[i], i > 0 ? &changes[i - 1] : NULL);
  return list;
}

PenChangeList *
pen_query_list_changes (PenQuery *self, const PenFilter *filter, const PenChangeOrder *order,
                        GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GByteArray) marks = g_byte_array_new ();
  Matches matches = { matcher, marks };
  gboolean is_filtered = matcher && !pen_filter_is_empty (matcher->filter);

  if (!matcher
      || (is_filtered && !pen_store_foreach_change (self->store, mark_match, &matches, error)))
    return NULL;
  return list_changes (self, order, is_filtered ? is_match : NULL, &matches, error);
}

PenChangeList *
pen_query_list_changes_of (PenQuery *self, const PenChangeOrder *order, const guint32 *ids, guint n,
                           GError **error)
{
  g_autoptr (GByteArray) marks = g_byte_array_new ();
  Matches matches = { NULL, marks };

  for (guint i = 0; i < n; i++)
    mark (marks, ids[i]);
  return list_changes (self, order, is_match, &matches, error);
}

/* ---- rows ---- */

typedef struct {
  PenQuery *query;
  GPtrArray *rows;
} RowBuild;

static void
clear_row (PenChangeRow *row)
{
  g_free (row->sentence);
  g_free (row->called_from);
  g_free (row->callers);
  g_free ((char *) row->change.key);
  g_free ((char *) row->change.change);
  g_free ((char *) row->change.occupant);
  g_free ((char *) row->change.symbol);
  g_free (row->reason);
  g_free ((char *) row->change.comm);
  g_free ((guint8 *) row->change.old_bytes);
  g_free ((guint8 *) row->change.new_bytes);
}

PenChangeRow *
pen_change_row_ref (PenChangeRow *row)
{
  return g_atomic_rc_box_acquire (row);
}

void
pen_change_row_unref (PenChangeRow *row)
{
  g_atomic_rc_box_release_full (row, (GDestroyNotify) clear_row);
}

/* Takes the change's own occupant rather than the one before or after. */
static void
find_function (const PenFunction *function, gpointer user_data)
{
  PenChangeRow *row = user_data;

  if (row->has_function && g_strcmp0 (function->occupant, row->change.occupant) != 0)
    return;
  row->has_function = TRUE;
  row->function = function->id;
}

static gboolean
add_row (const PenChange *change, gpointer user_data)
{
  RowBuild *build = user_data;
  PenChangeRow *row = g_atomic_rc_box_new0 (PenChangeRow);
  const PenBatch *batch;
  PenPatchPath path;
  PenPoke poke;

  row->change = *change;
  row->change.change = g_strdup (change->change);
  row->change.key = g_strdup (change->key);
  batch = pen_query_get_batch (build->query, change->batch, NULL);
  row->sentence = batch ? pen_batch_describe (batch) : NULL;
  if (pen_query_find_patch_path (build->query, change->batch, &path, NULL)) {
    row->called_from = pen_patch_path_describe (&path);
    row->callers = g_strdup (path.callers);
  }
  if (change->poke != 0 && pen_store_load_poke (build->query->store, change->poke, &poke, NULL))
    row->reason = pen_poke_describe (&poke);
  row->change.occupant = g_strdup (change->occupant);
  row->change.symbol = g_strdup (change->symbol);
  row->change.comm = g_strdup (change->comm);
  row->change.old_bytes = g_memdup2 (change->old_bytes, change->old_length);
  row->change.new_bytes = g_memdup2 (change->new_bytes, change->new_length);
  if (change->length > 0 && change->address < G_MAXUINT64)
    pen_query_foreach_function_in (build->query, change->address, change->address + 1,
                                   find_function, row);
  g_ptr_array_add (build->rows, row);
  return TRUE;
}

GPtrArray *
pen_query_load_changes (PenQuery *self, const guint32 *ids, guint n, GError **error)
{
  g_autoptr (GPtrArray) rows
      = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_change_row_unref);
  RowBuild build = { self, rows };

  if (!pen_query_load (self, error)
      || !pen_store_foreach_change_of (self->store, ids, n, add_row, &build, error))
    return NULL;
  return g_steal_pointer (&rows);
}

gboolean
pen_query_find_change (PenQuery *self, PenMoment moment, guint32 *id, GError **error)
{
  return pen_store_find_change (self->store, moment, id, error);
}
