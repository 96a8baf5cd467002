/* pen-query-batches.c: pokes that were one event
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-matcher.h"
#include "pen-query-changes.h"

const PenBatch *
pen_query_get_batch (PenQuery *self, guint32 id, GError **error)
{
  guint n;
  const PenBatch *batches = pen_store_get_batches (self->store, &n, error);

  return id >= 1 && id <= n ? &batches[id - 1] : NULL;
}

typedef struct {
  const PenMatcher *matcher;
  guint32 *n_matching; /* by batch */
  guint n;
} BatchCount;

static gboolean
count_change (const PenChange *change, gpointer user_data)
{
  BatchCount *count = user_data;

  if (change->batch >= 1 && change->batch <= count->n
      && pen_matcher_has_change (count->matcher, change))
    count->n_matching[change->batch - 1]++;
  return TRUE;
}

static void
count_all (const PenBatch *batches, BatchCount *count)
{
  for (guint i = 0; i < count->n; i++)
    count->n_matching[i] = batches[i].n_sites;
}

GArray *
pen_query_batches (PenQuery *self, const PenFilter *filter, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autofree guint32 *n_matching = NULL;
  GError *failure = NULL;
  GArray *rows;
  guint n;
  const PenBatch *batches;
  BatchCount count;

  if (!matcher)
    return NULL;
  batches = pen_store_get_batches (self->store, &n, &failure);
  if (failure) {
    g_propagate_error (error, failure);
    return NULL;
  }
  n_matching = g_new0 (guint32, n + 1);
  count = (BatchCount){ matcher, n_matching, n };
  if (pen_filter_is_empty (matcher->filter))
    count_all (batches, &count);
  else if (!pen_store_foreach_change (self->store, count_change, &count, error))
    return NULL;

  rows = g_array_new (FALSE, FALSE, sizeof (PenBatchRow));
  for (guint i = 0; i < n; i++) {
    PenBatchRow row = { batches[i], n_matching[i] };

    if (row.n_matching > 0)
      g_array_append_val (rows, row);
  }
  return rows;
}
