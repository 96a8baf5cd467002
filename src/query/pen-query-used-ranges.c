/* pen-query-used-ranges.c: which kernel addresses there is anything to show of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "pen-query-map.h"
#include "pen-query-private.h"

#define KERNEL_HALF G_GUINT64_CONSTANT (0x8000000000000000)
#define PAGE 4096
/* A program is as long as it says; what says more than this may say anything. */
#define LONGEST (G_GUINT64_CONSTANT (1) << 32)
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
    if (buckets == NULL)
      return FALSE;
    for (guint k = 0; k < buckets->len; k++) {
      const PenBucket *bucket = &g_array_index (buckets, PenBucket, k);

      if (bucket->has_address && bucket->address >= KERNEL_HALF)
        add_range (ranges, bucket->address & ~(guint64) (PAGE - 1), PAGE - 1, function->kind,
                   function->occupant);
    }
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

/* Only what a name was put to can tell that it is something else. */
static gboolean
is_alike (const PenUsedRange *a, const PenUsedRange *b)
{
  if (a->kind != b->kind)
    return FALSE;
  return a->kind != PEN_KIND_MODULE || g_strcmp0 (a->occupant, b->occupant) == 0;
}

/* What lies over each other is one range; what is near and alike, too. */
static GArray *
merge (GArray *ranges)
{
  GArray *merged = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));
  PenUsedRange *last = NULL;

  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, i);

    if (last != NULL
        && (range->start < last->end
            || (range->start - last->end < PEN_USED_RANGE_GAP && is_alike (last, range)))) {
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
pen_query_list_used_ranges (PenQuery *self, GError **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));

  if (!pen_query_load (self, error))
    return NULL;
  add_functions (self, ranges);
  if (!add_unnamed (self, ranges, error)
      || !pen_store_foreach_tenure (self->store, FALSE, add_tenure, ranges, error)
      || !add_pokes (self, ranges, error))
    return NULL;
  return merge (ranges);
}
