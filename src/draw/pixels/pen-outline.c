/* pen-outline.c: what stays the same in every picture of a capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-outline.h"

#include "pen-binary-search.h"
#include "pen-query-bars.h"
#include "pen-store-functions.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"

void
pen_outline_free (PenOutline *self)
{
  g_clear_pointer (&self->bars, g_array_unref);
  g_clear_pointer (&self->by_lane, g_array_unref);
  g_clear_pointer (&self->lane_ends, g_array_unref);
  g_clear_pointer (&self->lane_ranges, g_array_unref);
  g_clear_pointer (&self->losses, g_array_unref);
  g_clear_pointer (&self->ticks, g_array_unref);
  g_clear_pointer (&self->ticks_by_address, g_free);
  g_clear_object (&self->query);
  g_free (self);
}

/* A counting sort: the bars of each lane stay in their order. */
static void
sort_by_lane (PenOutline *self)
{
  g_autofree guint *next = g_new0 (guint, self->n_lanes + 1);

  for (guint i = 0; i < self->bars->len; i++) {
    guint lane = g_array_index (self->bars, PenBar, i).lane;

    if (lane < self->n_lanes)
      next[lane + 1]++;
  }
  for (guint lane = 0; lane < self->n_lanes; lane++) {
    next[lane + 1] += next[lane];
    g_array_append_val (self->lane_ends, next[lane + 1]);
  }
  g_array_set_size (self->by_lane, next[self->n_lanes]);
  for (guint i = 0; i < self->bars->len; i++) {
    guint lane = g_array_index (self->bars, PenBar, i).lane;

    if (lane < self->n_lanes)
      g_array_index (self->by_lane, guint, next[lane]++) = i;
  }
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const PenLaneRange *x = a;
  const PenLaneRange *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->lane < y->lane ? -1 : x->lane > y->lane;
}

static void
sort_ranges (PenOutline *self)
{
  guint64 highest = 0;

  for (guint lane = 0; lane < self->n_lanes; lane++) {
    guint n;
    const guint *bars = pen_outline_get_lane (self, lane, &n);
    PenLaneRange range = { G_MAXUINT64, 0, 0, lane };

    for (guint i = 0; i < n; i++) {
      const PenTenure *tenure = &g_array_index (self->bars, PenBar, bars[i]).tenure;

      range.start = MIN (range.start, tenure->start);
      range.end = MAX (range.end, tenure->end);
    }
    if (n > 0)
      g_array_append_val (self->lane_ranges, range);
  }
  g_array_sort (self->lane_ranges, compare_ranges);
  for (guint i = 0; i < self->lane_ranges->len; i++) {
    PenLaneRange *range = &g_array_index (self->lane_ranges, PenLaneRange, i);

    range->highest = highest = MAX (highest, range->end);
  }
}

PenOutline *
pen_outline_new (PenQuery *query, GArray *bars, guint n_lanes, GArray *losses, GArray *ticks)
{
  PenOutline *self = g_new0 (PenOutline, 1);

  if (query)
    self->query = g_object_ref (query);
  self->bars = bars;
  self->n_lanes = n_lanes;
  self->by_lane = g_array_new (FALSE, FALSE, sizeof (guint));
  self->lane_ends = g_array_new (FALSE, FALSE, sizeof (guint));
  self->losses = losses;
  self->ticks = ticks;
  self->lane_ranges = g_array_new (FALSE, FALSE, sizeof (PenLaneRange));
  sort_by_lane (self);
  sort_ranges (self);
  for (guint i = 0; i < ticks->len; i++)
    self->causes |= 1u << g_array_index (ticks, PenPokeTick, i).cause;
  return self;
}

PenOutline *
pen_outline_load (PenQuery *query, GError **error)
{
  PenStore *store = pen_query_get_store (query);
  guint n_lanes = 0;
  g_autoptr (GArray) bars = pen_query_bars (query, &n_lanes, error);
  g_autoptr (GArray) losses = bars ? pen_store_load_losses (store, error) : NULL;
  g_autoptr (GArray) ticks = losses ? pen_store_load_poke_ticks (store, error) : NULL;
  const PenFunction *functions;
  const PenBatch *batches;
  guint n_functions;
  guint n_batches = 0;
  g_autoptr (GError) wrong = NULL;
  PenOutline *self;

  if (!ticks)
    return NULL;
  functions = pen_store_get_functions (store, &n_functions, error);
  if (!functions)
    return NULL;
  batches = pen_store_get_batches (store, &n_batches, &wrong);
  if (wrong) {
    g_propagate_error (error, g_steal_pointer (&wrong));
    return NULL;
  }
  self = pen_outline_new (query, g_steal_pointer (&bars), n_lanes, g_steal_pointer (&losses),
                          g_steal_pointer (&ticks));
  self->batches = batches;
  self->n_batches = n_batches;
  for (guint i = 0; i < n_functions; i++) {
    if (functions[i].samples > 0)
      self->kinds |= 1u << functions[i].kind;
  }
  return self;
}

const guint *
pen_outline_get_lane (const PenOutline *self, guint lane, guint *n)
{
  guint first = lane > 0 ? g_array_index (self->lane_ends, guint, lane - 1) : 0;

  *n = g_array_index (self->lane_ends, guint, lane) - first;
  return &g_array_index (self->by_lane, guint, first);
}

guint
pen_outline_find_bar (const PenOutline *self, const guint *lane, guint n, guint64 time)
{
  return PEN_BINARY_SEARCH (i, 0, n,
                            g_array_index (self->bars, PenBar, lane[i]).tenure.to.time < time);
}

guint
pen_outline_skip_bars (const PenOutline *self, const guint *lane, guint n, guint i, guint64 pixel)
{
  const PenTenure *tenure = &g_array_index (self->bars, PenBar, lane[i]).tenure;
  guint64 next = tenure->from.time > G_MAXUINT64 - pixel ? G_MAXUINT64 : tenure->from.time + pixel;

  return tenure->to.time >= next ? i + 1 : MAX (pen_outline_find_bar (self, lane, n, next), i + 1);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a;
  guint y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

GArray *
pen_outline_find_lanes (const PenOutline *self, guint64 from, guint64 to)
{
  GArray *lanes = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = PEN_BINARY_SEARCH (i, 0, self->lane_ranges->len,
                               g_array_index (self->lane_ranges, PenLaneRange, i).start < to);

  for (; n > 0; n--) {
    const PenLaneRange *range = &g_array_index (self->lane_ranges, PenLaneRange, n - 1);

    if (range->highest <= from)
      break;
    if (range->end > from)
      g_array_append_val (lanes, range->lane);
  }
  g_array_sort (lanes, compare_numbers);
  return lanes;
}

const PenBatch *
pen_outline_get_batch (const PenOutline *self, guint32 id)
{
  return id > 0 && id <= self->n_batches ? &self->batches[id - 1] : NULL;
}

static int
compare_addresses (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenPokeTick *ticks = user_data;
  guint64 x = ticks[*(const guint *) a].address;
  guint64 y = ticks[*(const guint *) b].address;

  return x < y ? -1 : x > y;
}

static const guint *
get_ticks_by_address (const PenOutline *self)
{
  guint **place = (guint **) &self->ticks_by_address;

  if (g_once_init_enter (place)) {
    guint n = self->ticks->len;
    guint *sorted = g_new (guint, MAX (n, 1));

    for (guint i = 0; i < n; i++)
      sorted[i] = i;
    g_qsort_with_data (sorted, (int) n, sizeof *sorted, compare_addresses, self->ticks->data);
    g_once_init_leave (place, sorted);
  }
  return self->ticks_by_address;
}

/* The first of the sorted ones at @address or above. */
static guint
find_address (const PenOutline *self, const guint *sorted, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, self->ticks->len,
                            g_array_index (self->ticks, PenPokeTick, sorted[i]).address < address);
}

const guint *
pen_outline_find_ticks_in (const PenOutline *self, guint64 from, guint64 to, guint *n)
{
  const guint *sorted = get_ticks_by_address (self);
  guint first = find_address (self, sorted, from);

  *n = find_address (self, sorted, MAX (to, from)) - first;
  return sorted + first;
}
