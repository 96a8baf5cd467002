/* pen-query-strips.c: samples of annotation lines over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

/* The lines [first, end) have a bucket's address; which of them a sample is of, its tenure,
 * revision and time tell. */
typedef struct {
  guint first;
  guint end;
} Lines;

typedef struct {
  PenQuery *query;
  const PenAnnotated *annotated;
  GHashTable *lines; /* bucket + 1 → Lines */
  guint64 from;
  double bins_per_ns;
  guint n_bins;
  guint32 *counts;
} StripBinning;

static const PenAnnotationLine *
get_line (const PenAnnotated *annotated, guint index)
{
  return annotated->lines->pdata[index];
}

static gboolean
find_lines (const PenAnnotated *annotated, guint64 address, Lines *lines)
{
  guint low = 0;
  guint high = annotated->lines->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (get_line (annotated, middle)->address < address)
      low = middle + 1;
    else
      high = middle;
  }
  lines->first = lines->end = low;
  while (lines->end < annotated->lines->len && get_line (annotated, lines->end)->address == address)
    lines->end++;
  return lines->end > lines->first;
}

static gboolean
stands_at (const PenAnnotationLine *line, guint64 time)
{
  return line->from.time <= time && time <= line->to.time;
}

/* Like the annotation itself: the line of the sample's revision at its time, else of its revision,
 * else of its time; always of its tenure. */
static guint
choose_line (const PenAnnotated *annotated, Lines lines, const PenBucket *bucket, guint64 time)
{
  guint best = G_MAXUINT;
  guint best_score = 0;

  for (guint i = lines.first; i < lines.end; i++) {
    const PenAnnotationLine *line = get_line (annotated, i);
    guint score
        = 1 + (stands_at (line, time) ? 1 : 0) + (line->revision == bucket->revision ? 2 : 0);

    if (line->tenure == bucket->tenure && score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

static gboolean
bin_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  StripBinning *binning = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint32 bucket = block->bucket[row];
    const Lines *lines = g_hash_table_lookup (binning->lines, GUINT_TO_POINTER (bucket + 1));
    guint64 bin;
    guint line;

    if (lines == NULL || !(block->has[row] & PEN_SAMPLE_HAS_TIME))
      continue;
    line = choose_line (binning->annotated, *lines, &binning->query->buckets[bucket],
                        block->time[row]);
    if (line == G_MAXUINT)
      continue;
    bin = (guint64) ((double) (block->time[row] - binning->from) * binning->bins_per_ns);
    binning->counts[(gsize) line * binning->n_bins + MIN (bin, binning->n_bins - 1)]++;
  }
  return TRUE;
}

gboolean
pen_query_strips (PenQuery *self, const PenFilter *filter, const PenAnnotated *annotated,
                  guint64 from, guint64 to, guint n_bins, guint32 *counts, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GHashTable) lines = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint64 first = G_MAXUINT64;
  guint64 last = 0;

  g_return_val_if_fail (n_bins > 0 && to > from, FALSE);

  if (matcher == NULL)
    return FALSE;
  for (gsize i = 0; i < (gsize) annotated->lines->len * n_bins; i++)
    counts[i] = 0;
  for (guint i = 0; i < self->n_buckets; i++) {
    const PenBucket *bucket = &self->buckets[i];
    Lines found;

    if (!bucket->has_address || !pen_matcher_has_bucket (matcher, i)
        || !find_lines (annotated, bucket->address, &found))
      continue;
    g_hash_table_insert (lines, GUINT_TO_POINTER (i + 1), g_memdup2 (&found, sizeof found));
    first = MIN (first, bucket->first);
    last = MAX (last, bucket->last);
  }
  if (g_hash_table_size (lines) == 0)
    return TRUE;

  StripBinning binning
      = { self, annotated, lines, from, n_bins / (double) (to - from), n_bins, counts };

  return pen_query_scan (self, matcher, MAX (from, first), MIN (to - 1, last), TRUE, bin_rows,
                         &binning, error);
}
