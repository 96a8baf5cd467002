/* pen-query-bands.c: samples of annotation lines near their ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-band.h"
#include "pen-line-choice.h"
#include "pen-query-strips.h"

typedef struct {
  const PenMatcher *matcher;
  const PenAnnotated *annotated;
  PenBucketSet *set;
  guint64 band;
  PenBandCount *counts;
} BandCount;

static gboolean
is_shown (const PenBucket *bucket, gpointer user_data)
{
  const BandCount *count = user_data;
  PenLineRange lines;

  return bucket->has_address
         && pen_matcher_has_bucket (count->matcher, bucket->id, bucket->function)
         && pen_line_range_find (count->annotated, bucket->address, &lines);
}

static void
count_sample (guint index, guint64 time, gpointer user_data)
{
  const BandCount *count = user_data;
  const PenBucket *bucket = pen_bucket_set_get (count->set, index);
  PenLineRange lines;
  const PenAnnotationLine *line;
  guint number;

  if (!pen_line_range_find (count->annotated, bucket->address, &lines))
    return;
  number = pen_line_choose (count->annotated, lines, bucket, time);
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
  g_autoptr (GArray) functions = NULL;
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (PenBucketSet) set = NULL;
  BandCount count = { .matcher = matcher, .annotated = annotated, .band = band, .counts = counts };

  if (!matcher)
    return FALSE;
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = pen_annotated_get_line (annotated, i);

    counts[i] = (PenBandCount){ 0, 0 };
    pen_band_add_edges (edges, line->from, line->to);
  }
  functions = pen_query_list_functions_near (self, annotated->function);
  count.set = set = pen_bucket_set_new (self, functions, is_shown, &count, error);
  return set && pen_band_foreach (self, matcher, set, edges, band, count_sample, &count, error);
}
