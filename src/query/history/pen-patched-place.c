/* pen-patched-place.c: a function, or the bytes that pokes of one address covered, and its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-patched-place.h"

#include <glib/gi18n-lib.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-sample-walk.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"
#include "pen-text-causes.h"

/* Blocks that counting in one stretch reads at its ends, in place of all blocks. */
#define BLOCKS_PER_STRETCH 6

void
pen_patched_place_free (PenPatchedPlace *self)
{
  g_clear_pointer (&self->matcher, pen_matcher_free);
  g_clear_pointer (&self->pokes, g_array_unref);
  g_clear_pointer (&self->holds, g_array_unref);
  g_clear_pointer (&self->set, pen_bucket_set_free);
  g_clear_pointer (&self->time, pen_recorded_time_free);
  g_free (self->symbol);
  g_free (self);
}

/* ---- what there is ---- */

static PenPatchedPlace *
place_new (PenQuery *query, const PenFilter *filter, GError **error)
{
  g_autoptr (PenPatchedPlace) self = g_new0 (PenPatchedPlace, 1);

  self->query = query;
  self->matcher = pen_matcher_new (query, filter, error);
  return self->matcher ? g_steal_pointer (&self) : NULL;
}

/* The patches among them. */
static GArray *
load_patches (PenQuery *query, guint64 start, guint64 end, GError **error)
{
  GArray *pokes = pen_store_load_pokes (query->store, start, end, error);
  guint n_patches = 0;

  for (guint i = 0; pokes && i < pokes->len; i++) {
    const PenPoke *stored = &g_array_index (pokes, PenPoke, i);

    if (stored->effect == PEN_POKE_PATCH)
      g_array_index (pokes, PenPoke, n_patches++) = *stored;
  }
  if (pokes)
    g_array_set_size (pokes, n_patches);
  return pokes;
}

static int
compare_holds (gconstpointer a, gconstpointer b)
{
  const PenTextHold *x = a, *y = b;

  return x->tenure < y->tenure ? -1 : x->tenure > y->tenure;
}

static gboolean
load_holds (PenPatchedPlace *self, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);

  self->holds = g_array_new (FALSE, FALSE, sizeof (PenTextHold));
  for (guint i = 0; i < self->pokes->len; i++) {
    guint32 id = g_array_index (self->pokes, PenPoke, i).tenure;
    GError *failure = NULL;
    PenTenure tenure;
    PenTextHold hold;

    if (!g_hash_table_add (seen, GUINT_TO_POINTER (id)))
      continue;
    if (!pen_store_load_tenure (self->query->store, id, &tenure, &failure)) {
      if (failure) {
        g_propagate_error (error, failure);
        return FALSE;
      }
      continue;
    }
    hold = (PenTextHold){ id, tenure.from.time, tenure.to.time };
    g_array_append_val (self->holds, hold);
  }
  g_array_sort (self->holds, compare_holds);
  return TRUE;
}

/* Tenures of the pokes: what stood there before and after is something else. */
static gboolean
find_time (PenPatchedPlace *self, GError **error)
{
  g_autoptr (PenRecordedTime) all
      = pen_recorded_time_new (self->query, self->matcher->filter, error);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (PenPiece));

  if (!all || !load_holds (self, error))
    return FALSE;
  for (guint i = 0; i < self->holds->len; i++) {
    const PenTextHold *hold = &g_array_index (self->holds, PenTextHold, i);
    PenPiece piece = { hold->from, hold->to };

    g_array_append_val (pieces, piece);
  }
  g_array_sort (pieces, pen_compare_u64);
  self->time = pen_recorded_time_cut (all, pieces);
  return TRUE;
}

static gboolean
is_in_place (const PenBucket *bucket, gpointer user_data)
{
  const PenPatchedPlace *self = user_data;

  return bucket->has_address && bucket->address >= self->start && bucket->address < self->end;
}

static gboolean
load_samples (PenPatchedPlace *self, const GArray *functions, GError **error)
{
  if (self->pokes->len == 0)
    return TRUE;
  self->set = pen_bucket_set_new (self->query, functions, is_in_place, self, error);
  return self->set && find_time (self, error);
}

PenPatchedPlace *
pen_patched_place_new_of_function (PenQuery *query, const PenFilter *filter, guint32 id,
                                   GError **error)
{
  g_autoptr (PenPatchedPlace) self = place_new (query, filter, error);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  const PenFunction *function;

  if (!self)
    return NULL;
  function = pen_query_get_function (query, id);
  if (!function) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND, _ ("there is no function %u"),
                 id);
    return NULL;
  }
  g_array_append_val (functions, id);
  self->symbol = g_strdup (function->symbol);
  self->start = function->start;
  self->end = function->start + function->length;
  /* A poke of user space there is none. */
  self->pokes = pen_query_is_kernel_text (function)
                    ? load_patches (query, self->start, self->end, error)
                    : g_array_new (FALSE, FALSE, sizeof (PenPoke));
  if (!self->pokes || !load_samples (self, functions, error))
    return NULL;
  return g_steal_pointer (&self);
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

PenPatchedPlace *
pen_patched_place_new_of_address (PenQuery *query, const PenFilter *filter, guint64 address,
                                  GError **error)
{
  g_autoptr (PenPatchedPlace) self = place_new (query, filter, error);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  Found found = { functions, NULL };

  if (!self)
    return NULL;
  self->start = address;
  self->end = address < G_MAXUINT64 ? address + 1 : address;
  self->pokes = load_patches (query, self->start, self->end, error);
  if (!self->pokes)
    return NULL;
  for (guint i = 0; i < self->pokes->len; i++) {
    const PenPoke *poke = &g_array_index (self->pokes, PenPoke, i);

    self->start = MIN (self->start, poke->address);
    self->end = MAX (self->end, poke->address + pen_poke_get_length (poke));
  }
  pen_query_foreach_function_in (query, self->start, self->end, add_function, &found);
  pen_query_foreach_unranged (query, TRUE, add_function, &found);
  self->symbol = found.named ? g_strdup (found.named->symbol) : NULL;
  return load_samples (self, functions, error) ? g_steal_pointer (&self) : NULL;
}

/* ---- samples ---- */

/* Pieces are by time, and do not overlap. */
gboolean
pen_patched_place_has_time (const PenPatchedPlace *self, guint64 time)
{
  const GArray *pieces = self->time->pieces;
  guint i = PEN_BINARY_SEARCH (k, 0, pieces->len, g_array_index (pieces, PenPiece, k).to < time);

  return i < pieces->len && g_array_index (pieces, PenPiece, i).from <= time;
}

static PenStretch *
find_stretch (const GArray *stretches, guint64 time)
{
  guint i = PEN_BINARY_SEARCH (k, 0, stretches->len,
                               g_array_index (stretches, PenStretch, k).to < time);

  return &g_array_index (stretches, PenStretch, i);
}

typedef struct {
  const PenPatchedPlace *place;
  GArray *stretches;
} Scan;

static gboolean
add_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Scan *scan = user_data;
  const PenSampleBlock *block = batch->block;
  PenStretch *stretch = NULL;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint64 time = block->time[row];

    if (!(block->has[row] & PEN_SAMPLE_HAS_TIME) || !pen_patched_place_has_time (scan->place, time))
      continue;
    if (!stretch || time < stretch->from || time > stretch->to)
      stretch = find_stretch (scan->stretches, time);
    stretch->all++;
    if (pen_bucket_set_find (scan->place->set, block->bucket[row]) == G_MAXUINT)
      continue;
    stretch->samples++;
    stretch->period += block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;
  }
  return TRUE;
}

/* All blocks, once. */
static gboolean
scan_stretches (const PenPatchedPlace *self, GArray *stretches, GError **error)
{
  const GArray *pieces = self->time->pieces;
  Scan scan = { self, stretches };

  if (pieces->len == 0)
    return TRUE;
  return pen_query_scan (self->query, self->matcher, g_array_index (pieces, PenPiece, 0).from,
                         g_array_index (pieces, PenPiece, pieces->len - 1).to, add_rows, &scan,
                         error);
}

static gboolean
count_all (const PenPatchedPlace *self, const PenPiece *piece, guint64 *n, GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->matcher->filter);
  guint64 matching;
  guint64 total;

  filter->has_time = TRUE;
  filter->from = piece->from;
  filter->to = piece->to;
  if (!pen_query_count (self->query, filter, &matching, &total, error))
    return FALSE;
  *n += matching;
  return TRUE;
}

static gboolean
walk_stretch (const PenPatchedPlace *self, const GArray *pieces, PenStretch *stretch,
              GError **error)
{
  guint n = self->set->buckets->len;
  g_autofree PenBucketCount *counts = g_new0 (PenBucketCount, n + 1);

  for (guint i = 0; i < pieces->len; i++) {
    const PenPiece *piece = &g_array_index (pieces, PenPiece, i);

    if (!pen_query_add_set (self->query, self->matcher, self->set, piece->from, piece->to, counts,
                            error)
        || !count_all (self, piece, &stretch->all, error))
      return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    stretch->samples += counts[i].samples;
    stretch->period += counts[i].period;
  }
  return TRUE;
}

/* From one edge to the next, in recorded time. */
static GArray *
cut_stretches (const PenPatchedPlace *self, const GArray *edges, guint *n_pieces)
{
  GArray *stretches = g_array_new (FALSE, TRUE, sizeof (PenStretch));

  *n_pieces = 0;
  for (guint i = 0; i <= edges->len; i++) {
    PenStretch stretch
        = { .from = i > 0 ? g_array_index (edges, guint64, i - 1) : 0, .to = G_MAXUINT64 };
    g_autoptr (GArray) pieces = NULL;

    if (i < edges->len)
      stretch.to = MAX (g_array_index (edges, guint64, i), 1) - 1;
    pieces = pen_recorded_time_list (self->time, stretch.from, stretch.to);
    stretch.seconds = pen_pieces_sum (pieces);
    stretch.lost = pen_pieces_sum_in (self->time->lost, stretch.from, stretch.to);
    *n_pieces += pieces->len;
    g_array_append_val (stretches, stretch);
  }
  return stretches;
}

GArray *
pen_patched_place_count (const PenPatchedPlace *self, const GArray *edges, GError **error)
{
  guint n_pieces;
  g_autoptr (GArray) stretches = cut_stretches (self, edges, &n_pieces);
  gboolean has_spans = !self->matcher->asks_rows && !self->matcher->buckets;
  guint n_blocks;

  pen_store_get_blocks (self->query->store, &n_blocks);
  if (!has_spans || n_pieces >= n_blocks / BLOCKS_PER_STRETCH)
    return scan_stretches (self, stretches, error) ? g_steal_pointer (&stretches) : NULL;
  for (guint i = 0; i < stretches->len; i++) {
    PenStretch *stretch = &g_array_index (stretches, PenStretch, i);
    g_autoptr (GArray) pieces = pen_recorded_time_list (self->time, stretch->from, stretch->to);

    if (!walk_stretch (self, pieces, stretch, error))
      return NULL;
  }
  return g_steal_pointer (&stretches);
}
