/* pen-query-bands.c: samples of annotation lines near their ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-band.h"
#include "pen-line-choice.h"
#include "pen-query-strips.h"

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  const PenAnnotated *annotated;
  PenLineChoice *choice;
  guint64 band;
  PenBandCount *counts;
  guint line; /* of the bucket before */
} BandCount;

static gboolean
is_shown (const PenBucket *bucket, gpointer user_data)
{
  BandCount *count = user_data;

  return bucket->has_address
         && pen_matcher_has_bucket (count->matcher, bucket->id, bucket->function)
         && pen_annotated_has_bucket (count->annotated, count->query, bucket, FALSE, &count->line);
}

static void
count_sample (guint index, guint64 time, gpointer user_data)
{
  const BandCount *count = user_data;
  guint number = pen_line_choice_choose (count->choice, index, time);
  const PenAnnotationLine *line;

  if (number == G_MAXUINT)
    return;
  line = pen_annotated_get_line (count->annotated, number);
  count->counts[number].near_from += pen_band_is_after (line->from, time, count->band);
  count->counts[number].near_to += pen_band_is_before (line->to, time, count->band);
}

gboolean
pen_query_count_bands (PenQuery *self, const PenFilter *filter, const PenAnnotated *annotated,
                       guint64 band, PenBandCount *counts, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (PenBucketSet) set = NULL;
  g_autoptr (PenLineChoice) choice = NULL;
  BandCount count = { self, matcher, annotated, NULL, band, counts, 0 };

  if (!matcher)
    return FALSE;
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = pen_annotated_get_line (annotated, i);

    counts[i] = (PenBandCount){ 0, 0 };
    pen_band_add_edges (edges, line->from, line->to);
  }
  /* Most code of files does not change. */
  if (edges->len == 0)
    return TRUE;
  set = pen_bucket_set_new_near (self, annotated->function, is_shown, &count, error);
  if (!set)
    return FALSE;
  count.choice = choice = pen_line_choice_new (self, annotated, set, FALSE, error);
  return choice && pen_band_foreach (self, matcher, set, edges, band, count_sample, &count, error);
}
