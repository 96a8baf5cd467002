/* pen-band.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-band.h"

#include "pen-binary-search.h"

/* Both ends included. */
typedef struct {
  guint64 from;
  guint64 to;
} Stretch;

typedef struct {
  const PenBucketSet *set;
  const GArray *stretches; /* Stretch, apart from one another, rising */
  PenBandFunc func;
  gpointer user_data;
} Band;

static GArray *
list_stretches (GArray *edges, guint64 band)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));

  g_array_sort (edges, pen_query_compare_times);
  for (guint i = 0; i < edges->len; i++) {
    guint64 edge = g_array_index (edges, guint64, i);
    Stretch stretch = { edge - MIN (band, edge), edge + MIN (band, G_MAXUINT64 - edge) };
    Stretch *last
        = stretches->len > 0 ? &g_array_index (stretches, Stretch, stretches->len - 1) : NULL;

    if (last && stretch.from <= last->to)
      last->to = stretch.to;
    else
      g_array_append_val (stretches, stretch);
  }
  return stretches;
}

static gboolean
is_in_stretch (const Band *self, guint64 time)
{
  guint low = PEN_BINARY_SEARCH (i, 0, self->stretches->len,
                                 g_array_index (self->stretches, Stretch, i).to < time);

  return low < self->stretches->len && g_array_index (self->stretches, Stretch, low).from <= time;
}

static gboolean
take_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  const Band *self = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint index = pen_bucket_set_find (self->set, block->bucket[row]);

    if (index != G_MAXUINT && block->has[row] & PEN_SAMPLE_HAS_TIME
        && is_in_stretch (self, block->time[row]))
      self->func (index, block->time[row], self->user_data);
  }
  return TRUE;
}

static gboolean
scan (Band *self, PenQuery *query, const PenMatcher *matcher, guint64 from, guint64 to,
      GError **error)
{
  if (matcher->asks_time) {
    from = MAX (from, matcher->filter->from);
    to = MIN (to, matcher->filter->to);
  }
  return from > to || pen_query_scan (query, matcher, from, to, take_rows, self, error);
}

gboolean
pen_band_foreach (PenQuery *query, const PenMatcher *matcher, const PenBucketSet *set,
                  GArray *edges, guint64 band, PenBandFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GArray) stretches = list_stretches (edges, band);
  Band self = { set, stretches, func, user_data };

  if (set->buckets->len == 0 || stretches->len == 0)
    return TRUE;
  if (stretches->len > PEN_STRETCHES_MAX)
    return scan (&self, query, matcher, g_array_index (stretches, Stretch, 0).from,
                 g_array_index (stretches, Stretch, stretches->len - 1).to, error);
  for (guint i = 0; i < stretches->len; i++) {
    const Stretch *stretch = &g_array_index (stretches, Stretch, i);

    if (!scan (&self, query, matcher, stretch->from, stretch->to, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_band_is_after (PenMoment from, guint64 time, guint64 band)
{
  return from.time != 0 && time >= from.time && time - from.time <= band;
}

gboolean
pen_band_is_before (PenMoment to, guint64 time, guint64 band)
{
  return to.time != G_MAXUINT64 && time <= to.time && to.time - time <= band;
}

void
pen_band_add_edges (GArray *edges, PenMoment from, PenMoment to)
{
  if (from.time != 0)
    g_array_append_val (edges, from.time);
  if (to.time != G_MAXUINT64)
    g_array_append_val (edges, to.time);
}
