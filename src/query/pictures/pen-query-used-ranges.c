/* pen-query-used-ranges.c: which kernel addresses there is anything to show of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "pen-query-map-private.h"
#include "pen-store-buckets.h"
#include "pen-store-occupants.h"

#define KERNEL_HALF G_GUINT64_CONSTANT (0x8000000000000000)
#define PAGE 4096
/* A program is as long as it says; what says more than this may say anything. */
#define LONGEST (G_GUINT64_CONSTANT (1) << 32)
/* A picture looks at each of them: with more, those that are near are taken together. */
#define MOST_RANGES 8192
/* From here on also where they are not alike. */
#define FAR (G_GUINT64_CONSTANT (1) << 20)
/* Around a poke that no function holds. */
#define POKE_LENGTH 16

static void
add_range (GArray *ranges, guint64 start, guint64 length, PenKind kind, const char *occupant)
{
  PenUsedRange range = { start, start + MIN (length, LONGEST), kind, occupant };

  if (length > 0 && range.end > range.start)
    g_array_append_val (ranges, range);
}

static void
add_functions (PenQuery *self, GArray *ranges)
{
  for (guint i = 0; i < self->ranges->len; i++) {
    const PenFunctionRange *range = &g_array_index (self->ranges, PenFunctionRange, i);
    const PenFunction *function = &self->functions[range->function];

    if (function->samples > 0 || function->changes > 0)
      add_range (ranges, function->start, function->length, function->kind, function->occupant);
  }
}

/* Buckets come by address, in several runs at most: each page once for each of them. */
static void
add_pages (GArray *ranges, const GArray *buckets, const PenFunction *function)
{
  guint64 last = 0;

  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    guint64 page = bucket->address & ~(guint64) (PAGE - 1);

    if (!bucket->has_address || bucket->address < KERNEL_HALF || page == last)
      continue;
    add_range (ranges, page, PAGE - 1, function->kind, function->occupant);
    last = page;
  }
}

/* Samples that no symbol is known for: the pages that they are in. */
static gboolean
add_unnamed (PenQuery *self, GArray *ranges, GError **error)
{
  for (guint i = 0; i < self->unranged->len; i++) {
    const PenFunction *function = &self->functions[g_array_index (self->unranged, guint32, i)];
    g_autoptr (GArray) buckets = NULL;

    if (function->samples == 0 || function->name_file != 0
        || (!pen_query_is_kernel_kind (function->kind) && function->kind != PEN_KIND_UNKNOWN))
      continue;
    buckets = pen_store_load_function_buckets (self->store, function->id, error);
    if (!buckets)
      return FALSE;
    add_pages (ranges, buckets, function);
  }
  return TRUE;
}

static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  if (tenure->space == PEN_SPACE_KERNEL
      && (tenure->kind == PEN_KIND_BPF || tenure->kind == PEN_KIND_STUB))
    add_range (user_data, tenure->start, tenure->end - tenure->start, tenure->kind,
               tenure->occupant);
  return TRUE;
}

static gboolean
add_pokes (PenQuery *self, GArray *ranges, GError **error)
{
  if (!pen_query_load_ticks (self, error))
    return FALSE;
  for (guint i = 0; i < self->ticks->len; i++) {
    guint64 address = g_array_index (self->ticks, PenPokeTick, i).address;

    add_range (ranges, address, POKE_LENGTH, PEN_KIND_UNKNOWN, "");
  }
  return TRUE;
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const PenUsedRange *x = a;
  const PenUsedRange *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

/* Only a name shows that it is something else. */
static gboolean
is_alike (const PenUsedRange *a, const PenUsedRange *b)
{
  if (a->kind != b->kind)
    return FALSE;
  return a->kind != PEN_KIND_MODULE || g_strcmp0 (a->occupant, b->occupant) == 0;
}

/* Overlapping ranges become one; ranges of one kind nearer than @gap, too.
 * @ranges: by start */
static GArray *
merge (const GArray *ranges, guint64 gap)
{
  GArray *merged = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));
  PenUsedRange *last = NULL;

  for (guint i = 0; i < ranges->len; i++) {
    const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, i);

    if (last
        && (range->start < last->end
            || (range->start - last->end < gap && (gap >= FAR || is_alike (last, range))))) {
      /* A poke or a page without a name takes the name of what it lies in. */
      if (last->kind == PEN_KIND_UNKNOWN && range->kind != PEN_KIND_UNKNOWN) {
        last->kind = range->kind;
        last->occupant = range->occupant;
      }
      last->end = MAX (last->end, range->end);
      continue;
    }
    g_array_append_val (merged, *range);
    last = &g_array_index (merged, PenUsedRange, merged->len - 1);
  }
  return merged;
}

GArray *
pen_query_merge_ranges (GArray *ranges, guint n_most)
{
  guint64 gap = PEN_USED_RANGE_GAP;
  g_autoptr (GArray) merged = NULL;

  g_array_sort (ranges, compare_ranges);
  merged = merge (ranges, gap);
  while (merged->len > n_most && gap <= G_MAXUINT64 / 4) {
    GArray *fewer;

    gap *= 4;
    fewer = merge (merged, gap);
    g_array_unref (merged);
    merged = fewer;
  }
  return g_steal_pointer (&merged);
}

/* Of one population. */
static gboolean
add_counted (PenQuery *self, GArray *ranges, GError **error)
{
  if (!pen_query_load (self, error))
    return FALSE;
  add_functions (self, ranges);
  return add_unnamed (self, ranges, error);
}

/* Addresses stay where they are, whether samples or waits are shown. */
static gboolean
add_all_counted (PenQuery *self, GArray *ranges, GError **error)
{
  PenQuery *samples = pen_query_get_samples (self);
  PenQuery *waits = pen_query_is_of_waits (self) ? self : NULL;

  if (!waits && pen_store_has_waits (self->store)) {
    waits = pen_query_get_waits (self, error);
    if (!waits)
      return FALSE;
  }
  return add_counted (samples, ranges, error)
         && (!waits || waits == samples || add_counted (waits, ranges, error));
}

GArray *
pen_query_list_used_ranges (PenQuery *self, GError **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));

  if (!pen_query_load (self, error) || !add_all_counted (self, ranges, error)
      || !pen_store_foreach_tenure (self->store, FALSE, add_tenure, ranges, error)
      || !add_pokes (self, ranges, error))
    return NULL;
  return pen_query_merge_ranges (ranges, MOST_RANGES);
}
