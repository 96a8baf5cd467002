/* pen-history-build.c: which samples are of which version of a byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-build.h"

#include <string.h>

#include "pen-band.h"
#include "pen-binary-search.h"
#include "pen-sample-walk.h"
#include "pen-table-hash.h"

void
pen_history_build_clear (PenHistoryBuild *build)
{
  g_clear_pointer (&build->set, pen_bucket_set_free);
  g_clear_pointer (&build->counts, g_free);
  g_clear_pointer (&build->rows, g_hash_table_unref);
}

/* An instruction that contains a byte begins at most this many bytes before it. */
#define REACH 15u

static gboolean
is_near (const PenBucket *bucket, gpointer user_data)
{
  const PenHistoryBuild *build = user_data;

  return bucket->has_address && bucket->address <= build->address
         && build->address - bucket->address <= REACH;
}

static void
add_function (const PenFunction *function, gpointer user_data)
{
  if (function->samples > 0)
    g_array_append_val (user_data, function->id);
}

/* Buckets that may be of the byte. @kernel: it is in the kernel's space */
gboolean
pen_history_build_load_buckets (PenHistoryBuild *build, const PenMatcher *matcher, gboolean kernel,
                                GError **error)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint64 first = build->address - MIN (build->address, REACH);
  guint64 end = build->address < G_MAXUINT64 ? build->address + 1 : build->address;

  pen_query_foreach_function_in (build->query, first, end, add_function, functions);
  pen_query_foreach_unranged (build->query, kernel, add_function, functions);
  build->set = pen_bucket_set_new (build->query, functions, is_near, build, error);
  if (build->set)
    build->counts = pen_query_count_set (build->query, matcher, build->set, FALSE, error);
  return build->counts != NULL;
}

typedef struct {
  guint32 tenure;
  guint32 revision;
  guint64 address;
} SlotKey;

static guint
slot_key_hash (gconstpointer key)
{
  const SlotKey *slot = key;

  return pen_data_hash (slot, sizeof *slot);
}

static gboolean
slot_key_equal (gconstpointer a, gconstpointer b)
{
  const SlotKey *x = a;
  const SlotKey *y = b;

  return x->address == y->address && x->tenure == y->tenure && x->revision == y->revision;
}

static void
index_slot (PenHistoryBuild *build, const SlotKey *key, guint row)
{
  GArray *rows = g_hash_table_lookup (build->rows, key);

  if (!rows) {
    rows = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (build->rows, g_memdup2 (key, sizeof *key), rows);
  }
  if (rows->len == 0 || g_array_index (rows, guint, rows->len - 1) != row)
    g_array_append_val (rows, row);
}

/* After the last of the rows. */
static void
index_slots (PenHistoryBuild *build, PenCancelCheck *check)
{
  build->rows = g_hash_table_new_full (slot_key_hash, slot_key_equal, g_free,
                                       (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < build->drafts->len; i++) {
    const PenHistoryDraft *draft = &g_array_index (build->drafts, PenHistoryDraft, i);

    for (guint j = 0; j < draft->slots->len; j++) {
      const PenHistorySlot *slot = &g_array_index (draft->slots, PenHistorySlot, j);
      SlotKey key = { draft->row->tenure, slot->revision, slot->address };

      if (!pen_cancel_check_step (check))
        return;
      index_slot (build, &key, i);
    }
  }
}

/* Rows that samples of a bucket may belong to; several where one revision of the slot spans several
 * rows. Returns: (transfer full) (element-type guint), or NULL for none */
static GArray *
find_candidates (const PenHistoryBuild *build, const PenBucket *bucket)
{
  SlotKey key = { bucket->tenure, bucket->revision, bucket->address };
  GArray *rows = g_hash_table_lookup (build->rows, &key);

  return rows ? g_array_ref (rows) : NULL;
}

static void
add_to_row (PenHistoryRow *row, guint64 samples, guint64 period)
{
  row->samples += samples;
  row->period += period;
}

/* When a candidate after the first of its bucket begins; each time once.
 * Returns: (element-type guint64) */
static GArray *
list_beginnings (const PenHistoryBuild *build, const GPtrArray *candidates)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (guint64));
  GArray *distinct = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < candidates->len; i++) {
    const GArray *rows = candidates->pdata[i];

    for (guint j = 1; j < rows->len; j++)
      g_array_append_val (
          times, pen_history_build_get_row (build, g_array_index (rows, guint, j))->from.time);
  }
  g_array_sort (times, pen_query_compare_times);
  for (guint i = 0; i < times->len; i++) {
    guint64 time = g_array_index (times, guint64, i);

    if (i == 0 || time != g_array_index (times, guint64, i - 1))
      g_array_append_val (distinct, time);
  }
  return distinct;
}

/* A sample is of the last of the rows that has begun by then, of the first one if none had. */
static PenHistoryRow *
choose_row (const PenHistoryBuild *build, const GArray *rows, guint64 time)
{
  guint after = PEN_BINARY_SEARCH (
      i, 1, rows->len,
      pen_history_build_get_row (build, g_array_index (rows, guint, i))->from.time <= time);

  return pen_history_build_get_row (build, g_array_index (rows, guint, after - 1));
}

/* Buckets, each of which may belong to several rows. */
typedef struct {
  const PenHistoryBuild *build;
  const PenBucketSet *set;
  const GPtrArray *candidates; /* of each bucket: GArray of row indexes */
} Shared;

static gboolean
share_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const Shared *shared = user_data;
  const PenSampleBlock *block = batch->block;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint index = pen_bucket_set_find (shared->set, block->bucket[row]);
    guint64 period = block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;
    const GArray *rows;

    if (index == G_MAXUINT || !(block->has[row] & PEN_SAMPLE_HAS_TIME))
      continue;
    rows = shared->candidates->pdata[index];
    add_to_row (choose_row (shared->build, rows, 0), (guint64) -1, -period);
    add_to_row (choose_row (shared->build, rows, block->time[row]), 1, period);
  }
  return TRUE;
}

static gboolean
share_all (const Shared *shared, const PenMatcher *matcher, guint64 first, GError **error)
{
  guint64 from = matcher->asks_time ? MAX (first, matcher->filter->from) : first;
  guint64 to = matcher->asks_time ? matcher->filter->to : G_MAXUINT64;

  return from > to
         || pen_query_scan (shared->build->query, matcher, from, to, share_rows, (gpointer) shared,
                            error);
}

/* Samples of the buckets @indexes, each of which may belong to several rows: @candidates. They are
 * counted from each beginning of a row to the next. Samples before all of them, and samples without
 * a time, belong to a bucket's first row. */
static gboolean
share_samples (const PenHistoryBuild *build, const PenMatcher *matcher, const GArray *indexes,
               const GPtrArray *candidates, GError **error)
{
  g_autoptr (GArray) times = list_beginnings (build, candidates);
  g_autoptr (PenBucketSet) set = pen_bucket_set_new_part (build->set, indexes);
  g_autofree PenBucketCount *counts = g_new (PenBucketCount, indexes->len + 1);
  Shared shared = { build, set, candidates };

  for (guint i = 0; i < indexes->len; i++) {
    const PenBucketCount *all = &build->counts[g_array_index (indexes, guint, i)];

    add_to_row (choose_row (build, candidates->pdata[i], 0), all->samples, all->period);
  }
  if (times->len > PEN_STRETCHES_MAX)
    return share_all (&shared, matcher, g_array_index (times, guint64, 0), error);
  for (guint t = 0; t < times->len; t++) {
    guint64 from = g_array_index (times, guint64, t);
    guint64 to = t + 1 < times->len ? g_array_index (times, guint64, t + 1) - 1 : G_MAXUINT64;

    memset (counts, 0, (indexes->len + 1) * sizeof *counts);
    if (!pen_query_add_set (build->query, matcher, set, from, to, counts, error))
      return FALSE;
    for (guint i = 0; i < indexes->len; i++) {
      add_to_row (choose_row (build, candidates->pdata[i], 0), -counts[i].samples,
                  -counts[i].period);
      add_to_row (choose_row (build, candidates->pdata[i], from), counts[i].samples,
                  counts[i].period);
    }
  }
  return TRUE;
}

static gboolean
count_samples (PenHistoryBuild *build, const PenMatcher *matcher, GError **error)
{
  g_autoptr (GArray) shared = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) candidates
      = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < build->set->buckets->len; i++) {
    const PenBucketCount *count = &build->counts[i];
    g_autoptr (GArray) rows = NULL;

    if (count->samples == 0)
      continue;
    rows = find_candidates (build, pen_bucket_set_get (build->set, i));
    if (rows && rows->len == 1) {
      add_to_row (pen_history_build_get_row (build, g_array_index (rows, guint, 0)), count->samples,
                  count->period);
    } else if (rows) {
      g_array_append_val (shared, i);
      g_ptr_array_add (candidates, g_steal_pointer (&rows));
    }
  }
  return shared->len == 0 || share_samples (build, matcher, shared, candidates, error);
}

/* ---- samples near a change ---- */

typedef struct {
  const PenHistoryBuild *build;
  GPtrArray *candidates; /* of each bucket of the set: GArray of row indexes, or NULL */
  guint64 band;
} NearCount;

static void
count_near (guint index, guint64 time, gpointer user_data)
{
  const NearCount *count = user_data;
  const GArray *rows = count->candidates->pdata[index];
  PenHistoryRow *row;

  if (!rows)
    return;
  row = choose_row (count->build, rows, time);
  row->near_from += pen_band_is_after (row->from, time, count->band);
  row->near_to += pen_band_is_before (row->to, time, count->band);
}

static void
unref_rows (gpointer rows)
{
  if (rows)
    g_array_unref (rows);
}

/* May a sample of @bucket be no further than @band from @edge? One with time 0 is not its first. */
static gboolean
is_within (guint64 edge, const PenBucket *bucket, guint64 band)
{
  return edge <= band
         || (bucket->last >= edge - band && bucket->first <= edge + MIN (band, G_MAXUINT64 - edge));
}

/* The edges that samples of bucket @index may be near: a program that ran a thousand times has two
 * thousand, and most of them are far from all its samples of one byte. */
static void
add_edges (const NearCount *count, guint index, GArray *edges, PenCancelCheck *check)
{
  const PenBucket *bucket = pen_bucket_set_get (count->build->set, index);
  const GArray *rows = count->candidates->pdata[index];

  for (guint i = 0; rows && i < rows->len && pen_cancel_check_step (check); i++) {
    const PenHistoryRow *row
        = pen_history_build_get_row (count->build, g_array_index (rows, guint, i));

    if (is_within (row->from.time, bucket, count->band))
      pen_band_add_edges (edges, row->from, PEN_MOMENT_END);
    if (is_within (row->to.time, bucket, count->band))
      pen_band_add_edges (edges, PEN_MOMENT_START, row->to);
  }
}

static gboolean
count_bands (const PenHistoryBuild *build, const PenMatcher *matcher, guint64 band, GError **error)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (unref_rows);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint64));
  NearCount count = { build, candidates, band };
  PenCancelCheck check = pen_query_make_check (build->query);

  for (guint i = 0; i < build->set->buckets->len && pen_cancel_check_step (&check); i++) {
    g_ptr_array_add (candidates, find_candidates (build, pen_bucket_set_get (build->set, i)));
    if (build->counts[i].samples > 0)
      add_edges (&count, i, edges, &check);
  }
  return pen_query_end_check (build->query, &check, error)
         && pen_band_foreach (build->query, matcher, build->set, edges, band, count_near, &count,
                              error)
         && pen_store_goes_on (build->query->store, error);
}

/* ---- both ---- */

gboolean
pen_history_build_count (PenHistoryBuild *build, const PenMatcher *matcher, guint64 band,
                         GError **error)
{
  PenCancelCheck check = pen_query_make_check (build->query);

  index_slots (build, &check);
  return pen_query_end_check (build->query, &check, error) && count_samples (build, matcher, error)
         && count_bands (build, matcher, band, error);
}
