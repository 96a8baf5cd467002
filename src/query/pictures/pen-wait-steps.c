/* pen-wait-steps.c: time off CPU in the steps of a picture over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-wait-steps.h"

#include "pen-binary-search.h"
#include "pen-sample-walk.h"

typedef struct {
  PenQuery *query;
  const guint64 *edges;
  guint n_steps;
  guint n_series; /* of a step */
  PenWaitSeriesFunc find_series;
  gpointer user_data;
  guint64 *sums;
  guint64 *whole; /* waits that begin, less those that end, to cover whole steps */
} Layout;

/* @time: from the first edge on, and before the last one */
static guint
find_step (const Layout *layout, guint64 time)
{
  return PEN_BINARY_SEARCH (i, 0u, layout->n_steps, layout->edges[i + 1] <= time);
}

/* Its ends go to their own steps, the whole steps between them are only counted. */
static void
lay_out (Layout *layout, guint64 from, guint64 to, guint series)
{
  const guint64 *edges = layout->edges;
  gsize n = layout->n_series;
  guint first, last;

  from = MAX (from, edges[0]);
  to = MIN (to, edges[layout->n_steps]);
  if (from >= to)
    return;
  first = find_step (layout, from);
  last = find_step (layout, to - 1);
  if (first == last) {
    layout->sums[first * n + series] += to - from;
    return;
  }
  layout->sums[first * n + series] += edges[first + 1] - from;
  layout->sums[last * n + series] += to - edges[last];
  layout->whole[(first + 1) * n + series]++;
  layout->whole[last * n + series]--;
}

static gboolean
lay_out_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  const PenSampleBlock *block = batch->block;
  Layout *layout = user_data;
  PenQuery *query = layout->query;

  if (!pen_bucket_functions_learn (query->bucket_functions, batch->number, block, error))
    return FALSE;
  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint32 function = pen_bucket_functions_get (query->bucket_functions, block->bucket[row]);
    guint series = layout->find_series ? layout->find_series (query, block->bucket[row], function,
                                                              block->thread[row], layout->user_data)
                                       : 0;
    guint64 time = block->time[row];
    guint64 length = block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;

    if (series != PEN_WAIT_NO_SERIES)
      lay_out (layout, time, time + MIN (length, G_MAXUINT64 - time), series);
  }
  return TRUE;
}

static void
add_whole_steps (Layout *layout)
{
  gsize n = layout->n_series;

  for (guint series = 0; series < n; series++) {
    guint64 covering = 0;

    for (guint step = 0; step < layout->n_steps; step++) {
      covering += layout->whole[step * n + series];
      layout->sums[step * n + series] += covering * (layout->edges[step + 1] - layout->edges[step]);
    }
  }
}

guint
pen_wait_series_by_kind (PenQuery *query, guint32 bucket G_GNUC_UNUSED, guint32 function,
                         guint32 thread G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
  return query->functions[function].kind;
}

gboolean
pen_query_lay_out_waits (PenQuery *self, const PenMatcher *matcher, const guint64 *edges,
                         guint n_steps, guint n_series, PenWaitSeriesFunc find_series,
                         gpointer user_data, guint64 *sums, GError **error)
{
  g_autofree guint64 *whole = g_new0 (guint64, ((gsize) n_steps + 1) * n_series);
  Layout layout = { .query = self,
                    .edges = edges,
                    .n_steps = n_steps,
                    .n_series = n_series,
                    .find_series = find_series,
                    .user_data = user_data,
                    .sums = sums,
                    .whole = whole };

  if (!pen_query_scan (self, matcher, 0, edges[n_steps] - 1, lay_out_rows, &layout, error))
    return FALSE;
  add_whole_steps (&layout);
  return TRUE;
}
