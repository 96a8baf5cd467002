/* pen-query-compare.c: before and after a change: did it make a difference?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-compare.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-compare.h"
#include "pen-query-private.h"
#include "pen-recorded-time.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"

static const char *const verdict_words[PEN_VERDICTS] = {
  [PEN_VERDICT_UNKNOWN] = "unknown",
  [PEN_VERDICT_ALIKE] = "alike",
  [PEN_VERDICT_MORE] = "more",
  [PEN_VERDICT_LESS] = "less",
};

const char *
pen_verdict_to_string (PenVerdict verdict)
{
  g_return_val_if_fail (verdict < PEN_VERDICTS, NULL);
  return verdict_words[verdict];
}

void
pen_comparisons_free (PenComparisons *self)
{
  g_free (self->symbol);
  g_array_unref (self->rows);
  g_free (self);
}

/* The place, and when it was there. */
typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  guint64 start;
  guint64 end;
  PenBucketSet *set;
  PenRecordedTime *time;
} Place;

static void
place_clear (Place *place)
{
  g_clear_pointer (&place->set, pen_bucket_set_free);
  g_clear_pointer (&place->time, pen_recorded_time_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static gboolean
is_in_place (const PenBucket *bucket, gpointer user_data)
{
  const Place *place = user_data;

  return bucket->has_address && bucket->address >= place->start && bucket->address < place->end;
}

/* ---- when it was there ---- */

/* Tenures of the pokes: what stood there before and after is something else. */
static gboolean
find_time (Place *place, const GArray *pokes, GError **error)
{
  g_autoptr (PenRecordedTime) all
      = pen_recorded_time_new (place->query, place->matcher->filter, error);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) holds = g_array_new (FALSE, FALSE, sizeof (PenPiece));

  if (!all)
    return FALSE;
  for (guint i = 0; i < pokes->len; i++) {
    guint32 id = g_array_index (pokes, PenPoke, i).tenure;
    GError *failure = NULL;
    PenTenure tenure;
    PenPiece hold;

    if (!g_hash_table_add (seen, GUINT_TO_POINTER (id)))
      continue;
    if (!pen_store_load_tenure (place->query->store, id, &tenure, &failure)) {
      if (failure) {
        g_propagate_error (error, failure);
        return FALSE;
      }
      continue;
    }
    hold = (PenPiece){ tenure.from.time, tenure.to.time };
    g_array_append_val (holds, hold);
  }
  g_array_sort (holds, pen_compare_u64);
  place->time = pen_recorded_time_cut (all, holds);
  return TRUE;
}

/* ---- rates ---- */

static gboolean
count_all (const Place *place, const PenPiece *piece, guint64 *n, GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (place->matcher->filter);
  guint64 matching;
  guint64 total;

  filter->has_time = TRUE;
  filter->from = piece->from;
  filter->to = piece->to;
  if (!pen_query_count (place->query, filter, &matching, &total, error))
    return FALSE;
  *n += matching;
  return TRUE;
}

static gboolean
measure (const Place *place, guint64 from, guint64 to, PenRate *rate, GError **error)
{
  g_autoptr (GArray) pieces = pen_recorded_time_list (place->time, from, to);
  guint n = place->set->buckets->len;
  g_autofree PenBucketCount *counts = g_new0 (PenBucketCount, n + 1);
  guint64 all = 0;

  for (guint i = 0; i < pieces->len; i++) {
    const PenPiece *piece = &g_array_index (pieces, PenPiece, i);

    if (!pen_query_add_set (place->query, place->matcher, place->set, piece->from, piece->to,
                            counts, error)
        || !count_all (place, piece, &all, error))
      return FALSE;
  }
  for (guint i = 0; i < n; i++)
    rate->samples += counts[i].samples;
  rate->seconds = pen_pieces_sum (pieces);
  rate->lost = pen_pieces_sum_in (place->time->lost, from, to);
  rate->rate = rate->low = rate->high = NAN;
  rate->share = all > 0 ? (double) rate->samples / (double) all : NAN;
  if (rate->seconds > 0) {
    pen_poisson_interval (rate->samples, &rate->low, &rate->high);
    rate->rate = (double) rate->samples / rate->seconds;
    rate->low /= rate->seconds;
    rate->high /= rate->seconds;
  }
  return TRUE;
}

static void
judge (PenComparison *row)
{
  row->verdict = PEN_VERDICT_UNKNOWN;
  row->test = (PenRateTest){ NAN, NAN, NAN, NAN };
  if (row->before.seconds <= 0 || row->after.seconds <= 0)
    return;
  row->test = pen_poisson_compare (row->before.samples, row->before.seconds, row->after.samples,
                                   row->after.seconds);
  if (row->test.p >= PEN_POISSON_ALPHA)
    row->verdict = PEN_VERDICT_ALIKE;
  else
    row->verdict = row->test.ratio > 1 ? PEN_VERDICT_MORE : PEN_VERDICT_LESS;
}

/* ---- changes ---- */

static void
add_change (GArray *rows, const PenPoke *stored)
{
  PenComparison *last = rows->len > 0 ? &g_array_index (rows, PenComparison, rows->len - 1) : NULL;
  guint64 time = stored->moment.time;
  PenComparison row = { .number = rows->len + 1,
                        .from = time,
                        .to = time,
                        .first_poke = stored->id,
                        .n_pokes = 1,
                        .batch = stored->batch,
                        .cause = stored->cause };

  if (last && stored->batch != 0 && last->batch == stored->batch) {
    last->to = time;
    last->n_pokes++;
    return;
  }
  g_array_append_val (rows, row);
}

/* Each stretch between two changes is measured once, and is one's after and the next one's
 * before. */
static gboolean
measure_all (const Place *place, GArray *rows, GError **error)
{
  PenRate rate = { 0 };

  for (guint i = 0; i <= rows->len; i++) {
    guint64 from = i > 0 ? g_array_index (rows, PenComparison, i - 1).to : 0;
    guint64 to = i < rows->len ? g_array_index (rows, PenComparison, i).from : G_MAXUINT64;

    rate = (PenRate){ 0 };
    if (i < rows->len && to > 0)
      to--;
    if (!measure (place, from, to, &rate, error))
      return FALSE;
    if (i > 0)
      g_array_index (rows, PenComparison, i - 1).after = rate;
    if (i < rows->len)
      g_array_index (rows, PenComparison, i).before = rate;
  }
  for (guint i = 0; i < rows->len; i++)
    judge (&g_array_index (rows, PenComparison, i));
  return TRUE;
}

/* The patches among them. */
static GArray *
load_patches (PenQuery *self, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) pokes = pen_store_load_pokes (self->store, start, end, error);
  guint n_patches = 0;

  if (!pokes)
    return NULL;
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *stored = &g_array_index (pokes, PenPoke, i);

    if (stored->effect == PEN_POKE_PATCH)
      g_array_index (pokes, PenPoke, n_patches++) = *stored;
  }
  g_array_set_size (pokes, n_patches);
  return g_steal_pointer (&pokes);
}

static PenComparisons *
compare_place (Place *place, const GArray *functions, const GArray *pokes, GError **error)
{
  g_autoptr (PenComparisons) self = g_new0 (PenComparisons, 1);

  self->start = place->start;
  self->end = place->end;
  self->rows = g_array_new (FALSE, TRUE, sizeof (PenComparison));
  if (pokes->len == 0)
    return g_steal_pointer (&self);
  place->set = pen_bucket_set_new (place->query, functions, is_in_place, place, error);
  if (!place->set || !find_time (place, pokes, error))
    return NULL;
  self->is_coarse = place->time->is_coarse;
  for (guint i = 0; i < pokes->len; i++)
    add_change (self->rows, &g_array_index (pokes, PenPoke, i));
  if (!measure_all (place, self->rows, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* ---- the questions ---- */

PenComparisons *
pen_query_compare_function (PenQuery *self, const PenFilter *filter, guint32 id, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) pokes = NULL;
  g_autoptr (PenComparisons) compared = NULL;
  g_auto (Place) place = { .query = self, .matcher = matcher };
  const PenFunction *function;

  if (!matcher)
    return NULL;
  function = pen_query_get_function (self, id);
  if (!function) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND, _ ("there is no function %u"),
                 id);
    return NULL;
  }
  g_array_append_val (functions, id);
  place.start = function->start;
  place.end = function->start + function->length;
  /* A poke of user space there is none. */
  pokes = pen_query_is_kernel_text (function) ? load_patches (self, place.start, place.end, error)
                                              : g_array_new (FALSE, FALSE, sizeof (PenPoke));
  if (!pokes)
    return NULL;
  compared = compare_place (&place, functions, pokes, error);
  if (compared)
    compared->symbol = g_strdup (function->symbol);
  return g_steal_pointer (&compared);
}

typedef struct {
  GArray *ids;
  const PenFunction *named;
} Found;

static void
add_function (const PenFunction *function, gpointer user_data)
{
  Found *found = user_data;

  if (!found->named)
    found->named = function;
  if (function->samples > 0)
    g_array_append_val (found->ids, function->id);
}

PenComparisons *
pen_query_compare_address (PenQuery *self, const PenFilter *filter, guint64 address, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) pokes = NULL;
  g_autoptr (PenComparisons) compared = NULL;
  g_auto (Place) place = { .query = self, .matcher = matcher, .start = address };
  guint64 next = address < G_MAXUINT64 ? address + 1 : address;
  Found found = { functions, NULL };

  if (!matcher)
    return NULL;
  pokes = load_patches (self, address, next, error);
  if (!pokes)
    return NULL;
  place.end = next;
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);

    place.start = MIN (place.start, poke->address);
    place.end = MAX (place.end, poke->address + pen_poke_get_length (poke));
  }
  pen_query_foreach_function_in (self, place.start, place.end, add_function, &found);
  pen_query_foreach_unranged (self, TRUE, add_function, &found);
  compared = compare_place (&place, functions, pokes, error);
  if (compared && found.named)
    compared->symbol = g_strdup (found.named->symbol);
  return g_steal_pointer (&compared);
}
