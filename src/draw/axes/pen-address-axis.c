/* pen-address-axis.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-address-axis.h"

#include <math.h>

#include "pen-binary-search.h"

/* The exponent of a range's length: between "as long as it is" (1) and "all alike" (0). */
#define KERNEL_EXPONENT 0.6
#define OTHER_EXPONENT 0.35
/* Ranges that come and go have half of the axis, if there are so many that they fill it. */
#define OTHER_SHARE 0.5
#define OTHER_EACH 0.03
/* All gaps together take no more of the axis than this, nor a single one. */
#define ALL_GAPS 0.1
#define ONE_GAP 0.006
/* A gap as between the kernel's text and its modules: room for its size, as long as there is.
 */
#define LARGE_GAP (16 * 1024 * 1024)
#define ALL_LARGE_GAPS 0.06
#define ONE_LARGE_GAP 0.015
/* Nothing is closer together than instructions. */
#define FEWEST_BYTES 48

static void
axis_clear (PenAddressAxis *self)
{
  g_array_unref (self->ranges);
  g_clear_object (&self->query);
}

PenAddressAxis *
pen_address_axis_ref (PenAddressAxis *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_address_axis_unref (PenAddressAxis *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) axis_clear);
}

static gboolean
is_kernel (const PenUsedRange *range)
{
  return range->kind == PEN_KIND_KERNEL;
}

static double
get_weight (const PenUsedRange *range)
{
  return pow ((double) (range->end - range->start),
              is_kernel (range) ? KERNEL_EXPONENT : OTHER_EXPONENT);
}

/* Factors by which all weights are 1 together: [0] others, [1] the kernel. */
static void
get_factors (const GArray *ranges, double factors[2])
{
  double sums[2] = { 0, 0 };
  guint n_others = 0;
  double others;

  for (guint i = 0; i < ranges->len; i++) {
    const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, i);

    sums[is_kernel (range)] += get_weight (range);
    n_others += !is_kernel (range);
  }
  others = sums[1] > 0 ? MIN (OTHER_SHARE, n_others * OTHER_EACH) : 1;
  factors[0] = sums[0] > 0 ? others / sums[0] : 0;
  factors[1] = sums[1] > 0 ? (1 - others) / sums[1] : 0;
}

/* Lengths of gaps on the axis. */
typedef struct {
  double small;
  double large;
  double all;
} Gaps;

static gboolean
is_large_gap (const GArray *ranges, guint index)
{
  const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, index);

  return range[1].start - range->end >= LARGE_GAP;
}

static Gaps
get_gaps (const GArray *ranges)
{
  guint n = ranges->len > 0 ? ranges->len - 1 : 0;
  guint n_large = 0;
  Gaps gaps;

  for (guint i = 0; i < n; i++)
    n_large += is_large_gap (ranges, i);
  gaps.large = MIN (ONE_LARGE_GAP, ALL_LARGE_GAPS / MAX (n_large, 1));
  gaps.small = MIN (ONE_GAP, ALL_GAPS / MAX (n - n_large, 1));
  gaps.all = gaps.large * n_large + gaps.small * (n - n_large);
  return gaps;
}

PenAddressAxis *
pen_address_axis_new (PenQuery *query, const GArray *ranges)
{
  PenAddressAxis *self = g_atomic_rc_box_new0 (PenAddressAxis);
  double factors[2];
  Gaps gaps = get_gaps (ranges);
  double position = 0;

  if (query)
    self->query = g_object_ref (query);
  self->ranges = g_array_sized_new (FALSE, FALSE, sizeof (PenAxisRange), ranges->len);
  get_factors (ranges, factors);
  for (guint i = 0; i < ranges->len; i++) {
    const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, i);
    double length = get_weight (range) * factors[is_kernel (range)] * (1 - gaps.all);
    PenAxisRange placed
        = { range->start, range->end, position, position + length, range->kind, range->occupant };

    /* The last one ends where the axis does, whatever was lost in adding up. */
    if (i + 1 == ranges->len)
      placed.to = 1;
    g_array_append_val (self->ranges, placed);
    if (i + 1 < ranges->len)
      position = placed.to + (is_large_gap (ranges, i) ? gaps.large : gaps.small);
  }
  return self;
}

PenAddressAxis *
pen_address_axis_load (PenQuery *query, GError **error)
{
  g_autoptr (GArray) ranges = pen_query_list_used_ranges (query, error);

  return ranges ? pen_address_axis_new (query, ranges) : NULL;
}

gboolean
pen_address_axis_is_empty (const PenAddressAxis *self)
{
  return self->ranges->len == 0;
}

static const PenAxisRange *
get_range (const PenAddressAxis *self, guint index)
{
  return &g_array_index (self->ranges, PenAxisRange, index);
}

/* The first range that ends after @address. */
static guint
find_by_address (const PenAddressAxis *self, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, self->ranges->len, get_range (self, i)->end <= address);
}

guint
pen_address_axis_find_range (const PenAddressAxis *self, double position)
{
  return PEN_BINARY_SEARCH (i, 0, self->ranges->len, get_range (self, i)->to <= position);
}

static double
interpolate (double value, double from, double to, double result_from, double result_to)
{
  if (!(to > from))
    return result_from;
  return result_from + CLAMP ((value - from) / (to - from), 0, 1) * (result_to - result_from);
}

double
pen_address_axis_get_position (const PenAddressAxis *self, guint64 address)
{
  guint index = find_by_address (self, address);
  const PenAxisRange *range;

  if (self->ranges->len == 0)
    return 0;
  if (index == self->ranges->len)
    return 1;
  range = get_range (self, index);
  if (address >= range->start)
    return interpolate ((double) (address - range->start), 0, (double) (range->end - range->start),
                        range->from, range->to);
  if (index == 0)
    return 0;
  return interpolate ((double) (address - range[-1].end), 0,
                      (double) (range->start - range[-1].end), range[-1].to, range->from);
}

/* @share of the way from @start to @end, 0–1, without leaving it. */
static guint64
walk (guint64 start, guint64 end, double share)
{
  double bytes = floor (share * (double) (end - start));

  return start + MIN ((guint64) MAX (bytes, 0), end - start);
}

guint64
pen_address_axis_get_address (const PenAddressAxis *self, double position)
{
  guint index = pen_address_axis_find_range (self, position);
  const PenAxisRange *range;

  if (self->ranges->len == 0)
    return 0;
  if (index == self->ranges->len)
    return get_range (self, index - 1)->end;
  range = get_range (self, index);
  if (position >= range->from)
    return walk (range->start, range->end, (position - range->from) / (range->to - range->from));
  if (index == 0)
    return range->start;
  return walk (range[-1].end, range->start,
               (position - range[-1].to) / (range->from - range[-1].to));
}

guint64 *
pen_address_axis_make_edges (const PenAddressAxis *self, PenAxisView view, guint n_rows)
{
  guint64 *edges = g_new (guint64, n_rows + 1);
  double length = view.to - view.from;

  for (guint i = 0; i <= n_rows; i++) {
    edges[i] = pen_address_axis_get_address (self, view.from + length * i / n_rows);
    if (i > 0)
      edges[i] = MAX (edges[i], edges[i - 1]);
  }
  return edges;
}

PenAxisView
pen_axis_view_pan (PenAxisView view, double fraction)
{
  double distance = (view.to - view.from) * fraction;

  distance = CLAMP (distance, -view.from, 1 - view.to);
  return (PenAxisView){ view.from + distance, view.to + distance };
}

static gboolean
is_too_small (const PenAddressAxis *self, PenAxisView view)
{
  return pen_address_axis_get_address (self, view.to)
             - pen_address_axis_get_address (self, view.from)
         < FEWEST_BYTES;
}

PenAxisView
pen_address_axis_zoom (const PenAddressAxis *self, PenAxisView view, double anchor, double factor)
{
  double length = (view.to - view.from) * factor;
  double share = interpolate (anchor, view.from, view.to, 0, 1);
  PenAxisView zoomed;

  if (!(length < 1))
    return (PenAxisView){ 0, 1 };
  zoomed.from = CLAMP (view.from + share * (view.to - view.from) - share * length, 0, 1 - length);
  zoomed.to = zoomed.from + length;
  return factor < 1 && is_too_small (self, zoomed) ? view : zoomed;
}
