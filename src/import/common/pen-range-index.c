/* pen-range-index.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-range-index.h"

#include "pen-binary-search.h"
#include "pen-compare.h"

typedef struct {
  guint64 start;
  guint64 end;
  guint64 furthest; /* the largest end of this and all ranges before it */
  guint32 id;
} Range;

struct _PenRangeIndex {
  GArray *ranges;
};

PenRangeIndex *
pen_range_index_new (void)
{
  PenRangeIndex *self = g_new0 (PenRangeIndex, 1);

  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  return self;
}

void
pen_range_index_free (PenRangeIndex *self)
{
  g_array_unref (self->ranges);
  g_free (self);
}

void
pen_range_index_add (PenRangeIndex *self, guint64 start, guint64 end, guint32 id)
{
  Range range = { .start = start, .end = end, .id = id };

  g_array_append_val (self->ranges, range);
}

void
pen_range_index_seal (PenRangeIndex *self)
{
  guint64 furthest = 0;

  g_array_sort (self->ranges, pen_compare_u64);
  for (guint i = 0; i < self->ranges->len; i++) {
    Range *range = &g_array_index (self->ranges, Range, i);

    furthest = MAX (furthest, range->end);
    range->furthest = furthest;
  }
}

void
pen_range_index_find (PenRangeIndex *self, guint64 start, guint64 end, PenRangeIndexFunc func,
                      gpointer user_data)
{
  guint i;

  if (start >= end)
    return;

  i = PEN_BINARY_SEARCH (k, 0, self->ranges->len,
                         g_array_index (self->ranges, Range, k).start < end);

  while (i-- > 0) {
    const Range *range = &g_array_index (self->ranges, Range, i);

    if (range->furthest <= start)
      return;
    if (range->end > start)
      func (range->id, user_data);
  }
}
