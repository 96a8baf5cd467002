/* pen-query-overview.c: what the timeline draws
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

typedef struct {
  PenQuery *query;
  PenOverview *overview;
  double bins_per_ns;
} Binning;

void
pen_overview_free (PenOverview *overview)
{
  if (overview == NULL)
    return;
  g_free (overview->samples);
  g_clear_pointer (&overview->ticks, g_array_unref);
  g_free (overview);
}

static gboolean
bin_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  Binning *binning = user_data;
  PenOverview *overview = binning->overview;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];

    if (!(block->has[row] & PEN_SAMPLE_HAS_TIME))
      continue;

    guint64 bin = (guint64) ((double) (block->time[row] - overview->from) * binning->bins_per_ns);
    PenKind kind = binning->query->buckets[block->bucket[row]].kind;

    bin = MIN (bin, overview->n_bins - 1);
    overview->samples[bin * PEN_KINDS + kind]++;
    overview->total++;
  }
  return TRUE;
}

static guint32
find_highest (const PenOverview *overview)
{
  guint32 highest = 0;

  for (guint bin = 0; bin < overview->n_bins; bin++) {
    guint32 sum = 0;

    for (guint kind = 0; kind < PEN_KINDS; kind++)
      sum += overview->samples[bin * PEN_KINDS + kind];
    highest = MAX (highest, sum);
  }
  return highest;
}

typedef struct {
  const PenMatcher *matcher;
  gboolean is_meant;
} TickAt;

static void
mean_tick (const PenFunction *function, gpointer user_data)
{
  TickAt *at = user_data;

  at->is_meant |= pen_matcher_has_function (at->matcher, function->id);
}

static gboolean
has_tick (const PenMatcher *matcher, const PenPokeTick *tick)
{
  const PenFilter *filter = matcher->filter;
  TickAt at = { matcher, FALSE };

  if (filter->causes != 0 && !(filter->causes >> tick->cause & 1))
    return FALSE;
  if (filter->has_address
      && (tick->address < filter->address_from || tick->address > filter->address_to))
    return FALSE;
  if (matcher->functions == NULL)
    return TRUE;
  pen_query_foreach_function_in (matcher->query, tick->address, tick->address + 1, mean_tick, &at);
  return at.is_meant;
}

static GArray *
load_ticks (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to, GError **error)
{
  g_autoptr (GArray) all = pen_store_load_poke_ticks (self->store, error);

  if (all == NULL)
    return NULL;

  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (PenPokeTick));

  for (guint i = 0; i < all->len; i++) {
    const PenPokeTick *tick = &g_array_index (all, PenPokeTick, i);

    if (tick->time >= from && tick->time < to && has_tick (matcher, tick))
      g_array_append_val (ticks, *tick);
  }
  return ticks;
}

PenOverview *
pen_query_overview (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to, guint n_bins,
                    GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenOverview) overview = NULL;

  g_return_val_if_fail (n_bins > 0 && to > from, NULL);

  if (matcher == NULL)
    return NULL;
  overview = g_new0 (PenOverview, 1);
  overview->from = from;
  overview->to = to;
  overview->n_bins = n_bins;
  overview->samples = g_new0 (guint32, (gsize) n_bins * PEN_KINDS);

  Binning binning = { self, overview, n_bins / (double) (to - from) };

  if (!pen_query_scan (self, matcher, from, to - 1, TRUE, bin_rows, &binning, error))
    return NULL;
  overview->max_in_bin = find_highest (overview);
  overview->ticks = load_ticks (self, matcher, from, to, error);
  if (overview->ticks == NULL)
    return NULL;
  return g_steal_pointer (&overview);
}
