/* pen-occupant-count.c: tenures that a filter means, with their samples and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-occupant-count.h"

#include "pen-query-private.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

/* @samples: by tenure id, under the filter; NULL: all of a tenure's samples. @periods, @changes:
 * the same
 * @changed: tenures that have changes, whatever the filter says */
typedef struct {
  const PenMatcher *matcher;
  GHashTable *samples;
  GHashTable *periods;
  GHashTable *changes;
  GHashTable *changed;
  PenOccupantFunc func;
  gpointer user_data;
} OccupantCount;

static void
add_count (GHashTable *counts, guint32 tenure, guint64 more)
{
  guint64 *count = g_hash_table_lookup (counts, GUINT_TO_POINTER (tenure));

  if (!count) {
    count = g_new0 (guint64, 1);
    g_hash_table_insert (counts, GUINT_TO_POINTER (tenure), count);
  }
  *count += more;
}

static guint64
get_count (GHashTable *counts, guint32 tenure)
{
  const guint64 *count = g_hash_table_lookup (counts, GUINT_TO_POINTER (tenure));

  return count ? *count : 0;
}

static gboolean
count_change (const PenChange *change, gpointer user_data)
{
  OccupantCount *occupants = user_data;

  if (change->tenure == 0)
    return TRUE;
  g_hash_table_add (occupants->changed, GUINT_TO_POINTER (change->tenure));
  if (pen_matcher_has_change (occupants->matcher, change))
    add_count (occupants->changes, change->tenure, 1);
  return TRUE;
}

static guint64
get_samples (const OccupantCount *occupants, const PenTenure *tenure)
{
  return occupants->samples ? get_count (occupants->samples, tenure->id) : tenure->samples;
}

/* A tenure without samples and changes is left out where the filter asks for what only they tell;
 * one that never had any stays where values are only excluded. */
static gboolean
is_meant (const OccupantCount *occupants, const PenTenure *tenure)
{
  const PenFilter *filter = occupants->matcher->filter;

  if (!pen_filter_admits_tenure (filter, tenure->id, tenure->bpf_id)
      || !pen_filter_admits_kind (filter, tenure->kind)
      || !pen_filter_admits_word (filter, PEN_FILTER_OCCUPANT, tenure->occupant))
    return FALSE;
  if (filter->has_time && (tenure->from.time > filter->to || tenure->to.time < filter->from))
    return FALSE;
  if (filter->has_address
      && (tenure->start > filter->address_to || tenure->end <= filter->address_from))
    return FALSE;
  if (!pen_matcher_asks_content (occupants->matcher) || get_samples (occupants, tenure) > 0
      || get_count (occupants->changes, tenure->id) > 0)
    return TRUE;
  return !pen_matcher_requires_content (occupants->matcher) && tenure->samples == 0
         && !g_hash_table_contains (occupants->changed, GUINT_TO_POINTER (tenure->id));
}

static gboolean
tell_tenure (const PenTenure *tenure, gpointer user_data)
{
  OccupantCount *occupants = user_data;

  if (!is_meant (occupants, tenure))
    return TRUE;
  return occupants->func (tenure, get_samples (occupants, tenure),
                          get_count (occupants->periods, tenure->id),
                          get_count (occupants->changes, tenure->id), occupants->user_data);
}

/* Whether the samples of a tenure all count, or none: then the store knows how many. It does not
 * know how many waits. */
static gboolean
takes_whole_tenures (PenQuery *self, const PenMatcher *matcher)
{
  return pen_matcher_has_all_samples (matcher) && !matcher->asks_time
         && !pen_query_is_of_waits (self);
}

static gboolean
count_samples (PenQuery *self, OccupantCount *occupants, GError **error)
{
  g_autofree PenBucketCount *counts = pen_query_count_buckets (self, occupants->matcher, error);
  gboolean has_periods = pen_query_is_of_waits (self);

  if (!counts)
    return FALSE;
  for (guint i = 0; i < self->n_buckets; i++) {
    guint32 tenure = self->buckets[i].tenure;

    if (tenure == 0 || counts[i].samples == 0)
      continue;
    add_count (occupants->samples, tenure, counts[i].samples);
    if (has_periods)
      add_count (occupants->periods, tenure, counts[i].period);
  }
  return TRUE;
}

static gboolean
count (PenQuery *self, OccupantCount *occupants, GError **error)
{
  if (occupants->samples && !count_samples (self, occupants, error))
    return FALSE;
  return pen_store_foreach_change (self->store, count_change, occupants, error);
}

gboolean
pen_query_foreach_occupant (PenQuery *self, const PenMatcher *matcher, PenOccupantFunc func,
                            gpointer user_data, GError **error)
{
  g_autoptr (GHashTable) samples = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  g_autoptr (GHashTable) periods = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  g_autoptr (GHashTable) changes = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  g_autoptr (GHashTable) changed = g_hash_table_new (pen_direct_hash, NULL);
  OccupantCount occupants = { matcher, samples, periods, changes, changed, func, user_data };

  if (takes_whole_tenures (self, matcher))
    occupants.samples = NULL;
  return count (self, &occupants, error)
         && pen_store_foreach_tenure (self->store, TRUE, tell_tenure, &occupants, error);
}
