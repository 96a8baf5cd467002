/* pen-map.c: the text map: what is drawn of it, what is at a point
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map.h"

#include <math.h>

#include "pen-binary-search.h"
#include "pen-palette.h"

/* Gaps lower than this are not marked. */
#define GAP_SEEN 2
/* With more marks than that there are only small ones. */
#define MANY_MARKS 1200
#define REACH 6

/* ---- places ---- */

static double
get_share (const PenMap *self, guint64 address)
{
  return (pen_address_axis_get_position (self->axis, address) - self->axis_view.from)
         / (self->axis_view.to - self->axis_view.from);
}

double
pen_map_get_y (const PenMap *self, guint64 address)
{
  return get_share (self, address) * self->height;
}

guint64
pen_map_get_address (const PenMap *self, double y)
{
  double share = CLAMP (y / MAX (self->height, 1), 0, 1);

  return pen_address_axis_get_address (
      self->axis, self->axis_view.from + share * (self->axis_view.to - self->axis_view.from));
}

/* Rows of pixels of [@start, @end): at least one. FALSE: out of sight */
static gboolean
get_rows (const PenMap *self, const PenRaster *raster, guint64 start, guint64 end, int *y,
          int *height)
{
  double top = get_share (self, start) * raster->height;
  double bottom = get_share (self, end) * raster->height;

  if (!(bottom >= 0 && top <= raster->height))
    return FALSE;
  top = CLAMP (top, 0, raster->height);
  bottom = CLAMP (bottom, 0, raster->height);
  *y = MIN ((int) floor (top), MAX (raster->height - 1, 0));
  *height = MAX ((int) lround (bottom) - *y, 1);
  return TRUE;
}

/* ---- ranges and gaps ---- */

static void
draw_ranges (const PenMap *self, PenRaster *raster, gboolean dark)
{
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, ground);
  for (guint i = pen_address_axis_find_range (self->axis, self->axis_view.from);
       i < self->axis->ranges->len; i++) {
    const PenAxisRange *range = &g_array_index (self->axis->ranges, PenAxisRange, i);
    int y, height;

    if (range->from >= self->axis_view.to)
      break;
    if (get_rows (self, raster, range->start, range->end, &y, &height))
      pen_raster_fill (raster, (PenBox){ 0, y, raster->width, height },
                       range->kind == PEN_KIND_KERNEL
                           ? pen_raster_blend (pen_palette_kind (range->kind, dark), ground, 0.07)
                           : pen_palette_lane (dark));
  }
}

/* Over everything that reaches into it: nothing of it was used. */
static void
draw_gaps (const PenMap *self, PenRaster *raster, int scale, gboolean dark)
{
  guint32 ground = pen_palette_ground (dark);
  guint32 line = pen_raster_blend (dark ? 0xffffffff : 0xff000000, ground, 0.35);

  for (guint i = MAX (pen_address_axis_find_range (self->axis, self->axis_view.from), 1);
       i < self->axis->ranges->len; i++) {
    const PenAxisRange *range = &g_array_index (self->axis->ranges, PenAxisRange, i);
    double length = self->axis_view.to - self->axis_view.from;
    double top = (range[-1].to - self->axis_view.from) / length * raster->height;
    double bottom = (range->from - self->axis_view.from) / length * raster->height;
    int y = (int) lround (CLAMP (top, 0, raster->height));
    int height = (int) lround (CLAMP (bottom, 0, raster->height)) - y;

    if (range[-1].to >= self->axis_view.to)
      break;
    if (height < GAP_SEEN * scale)
      continue;
    pen_raster_fill (raster, (PenBox){ 0, y, raster->width, height }, ground);
    for (int x = 0; x < raster->width; x += 8 * scale)
      pen_raster_fill (raster, (PenBox){ x, y + height / 2, 4 * scale, scale }, line);
  }
}

/* ---- occupants ---- */

static void
draw_bar (const PenMap *self, PenRaster *raster, int scale, const PenTenure *tenure,
          gboolean is_other, gboolean dark)
{
  guint32 color = pen_palette_kind (tenure->kind, dark);
  guint32 ground = pen_palette_ground (dark);
  PenBox box = { 0, 0, raster->width, 0 };
  PenBox part;

  if (!get_rows (self, raster, tenure->start, tenure->end, &box.y, &box.height)
      || !pen_raster_interval (box, self->view, tenure->from.time, tenure->to.time, &part))
    return;
  pen_raster_fill (raster, part, pen_raster_blend (color, ground, is_other ? 0.42 : 0.24));
  /* Its beginning; and between neighbours, a line. */
  pen_raster_fill (raster, (PenBox){ part.x, part.y, MIN (2 * scale, part.width), part.height },
                   color);
  if (part.height > 3 * scale)
    pen_raster_fill (raster, (PenBox){ part.x, part.y, part.width, scale },
                     pen_raster_blend (color, ground, 0.7));
}

static void
draw_lane (const PenMap *self, PenRaster *raster, int scale, guint lane, gboolean dark)
{
  guint64 pixel = pen_span_length (self->view) / (guint64) MAX (raster->width, 1);
  guint n;
  const guint *bars = pen_outline_get_lane (self->outline, lane, &n);

  for (guint i = pen_outline_find_bar (self->outline, bars, n, self->view.from); i < n;
       i = pen_outline_skip_bars (self->outline, bars, n, i, pixel)) {
    const PenTenure *tenure = &g_array_index (self->outline->bars, PenBar, bars[i]).tenure;

    if (tenure->from.time > self->view.to)
      break;
    draw_bar (self, raster, scale, tenure, i % 2, dark);
  }
}

static void
draw_lanes (const PenMap *self, PenRaster *raster, int scale, gboolean dark)
{
  guint64 last = pen_map_get_address (self, self->height);
  g_autoptr (GArray) lanes = pen_outline_find_lanes (self->outline, pen_map_get_address (self, 0),
                                                     last < G_MAXUINT64 ? last + 1 : last);

  /* There may be thousands of them, over each other. */
  for (guint i = 0; i < lanes->len; i++) {
    if (i % 64 == 0 && g_cancellable_is_cancelled (self->cancellable))
      return;
    draw_lane (self, raster, scale, g_array_index (lanes, guint, i), dark);
  }
}

/* ---- samples ---- */

/* Where each column of the bins lies, and the end of the last. */
static int *
get_columns (const PenMap *self, const PenRaster *raster)
{
  const PenMapBins *bins = self->bins;
  int *x = g_new (int, bins->n_columns + 1);
  double length = (double) (bins->to - bins->from);

  for (guint i = 0; i <= bins->n_columns; i++) {
    guint64 time = bins->from + (guint64) (length * i / bins->n_columns);

    x[i] = (int) CLAMP (ceil (pen_span_position (self->view, time) * raster->width - 0.5), 0,
                        raster->width);
  }
  return x;
}

/* One in so many of the most time off CPU is drawn as one sample is. */
#define FAINT_WAITS 1000

/*
 * By the logarithm: one sample beside a thousand is to be seen. A table for each picture, by the
 * exponent and the first bits of the mantissa: counts may be parts of a sample, and there are as
 * many cells as a quarter of the pixels.
 */
#define WEIGHT_BITS 12
#define WEIGHT_SHIFT (31 - WEIGHT_BITS)

typedef union {
  float number;
  guint32 bits;
} Count;

/* Weights of all counts up to @max. @one: counts that are as faint as one sample */
static guint16 *
make_weights (float max, double one)
{
  Count most = { .number = max };
  guint n = (most.bits >> WEIGHT_SHIFT) + 1;
  guint16 *weights = g_new (guint16, n);
  double whole = log1p ((double) max / one);

  for (guint i = 0; i < n; i++) {
    Count middle = { .bits = i << WEIGHT_SHIFT | 1u << (WEIGHT_SHIFT - 1) };

    weights[i] = (guint16) lround (
        (0.35 + 0.65 * MIN (log1p ((double) middle.number / one) / whole, 1)) * 256);
  }
  return weights;
}

static void
draw_samples (const PenMap *self, PenRaster *raster, int scale, gboolean dark)
{
  const PenMapBins *bins = self->bins;
  g_autofree int *x = get_columns (self, raster);
  double one = bins->population == PEN_POPULATION_WAITS ? (double) bins->max / FAINT_WAITS : 1;
  g_autofree guint16 *weights = make_weights (bins->max, one);
  guint32 colors[PEN_KINDS];

  for (guint i = 0; i < PEN_KINDS; i++)
    colors[i] = pen_palette_kind (i, dark);

  for (guint row = 0; row < bins->n_rows; row++) {
    const float *counts = bins->counts + (gsize) row * bins->n_columns;
    const guint8 *kinds = bins->kinds + (gsize) row * bins->n_columns;
    int y, height;

    if (!get_rows (self, raster, bins->edges[row], bins->edges[row + 1], &y, &height))
      continue;
    height = MAX (height, scale);
    for (guint column = 0; column < bins->n_columns; column++) {
      Count count = { .number = counts[column] };
      PenBox cell = { x[column], y, MAX (x[column + 1] - x[column], scale), height };

      if (!(count.number > 0) || x[column + 1] == 0 || x[column] == raster->width)
        continue;
      pen_raster_tint (raster, cell, colors[kinds[column] % PEN_KINDS],
                       weights[count.bits >> WEIGHT_SHIFT]);
    }
  }
}

/* ---- marks ---- */

/* Letters of five columns and seven rows, the uppermost first, the left one the highest bit. */
static const guint8 letters[PEN_CAUSES][7] = {
  [PEN_CAUSE_UNKNOWN] = { 0x0e, 0x11, 0x01, 0x06, 0x04, 0x00, 0x04 },
  [PEN_CAUSE_STATIC_KEY] = { 0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11 },
  [PEN_CAUSE_STATIC_CALL] = { 0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e },
  [PEN_CAUSE_FTRACE] = { 0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10 },
  [PEN_CAUSE_LIVEPATCH] = { 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f },
  [PEN_CAUSE_KPROBE] = { 0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10 },
  [PEN_CAUSE_OPTPROBE] = { 0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e },
  [PEN_CAUSE_BPF] = { 0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e },
  [PEN_CAUSE_UNANNOUNCED] = { 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e },
};

/* Shapes of five by five, where there is no room for letters. */
static const guint8 shapes[PEN_CAUSES][5] = {
  [PEN_CAUSE_UNKNOWN] = { 0x00, 0x0e, 0x0e, 0x0e, 0x00 },
  [PEN_CAUSE_STATIC_KEY] = { 0x04, 0x0e, 0x1f, 0x0e, 0x04 },
  [PEN_CAUSE_STATIC_CALL] = { 0x0e, 0x11, 0x11, 0x11, 0x0e },
  [PEN_CAUSE_FTRACE] = { 0x04, 0x04, 0x0e, 0x0e, 0x1f },
  [PEN_CAUSE_LIVEPATCH] = { 0x10, 0x18, 0x1c, 0x1e, 0x1f },
  [PEN_CAUSE_KPROBE] = { 0x1f, 0x1f, 0x1f, 0x1f, 0x1f },
  [PEN_CAUSE_OPTPROBE] = { 0x1f, 0x11, 0x11, 0x11, 0x1f },
  [PEN_CAUSE_BPF] = { 0x11, 0x0a, 0x04, 0x0a, 0x11 },
  [PEN_CAUSE_UNANNOUNCED] = { 0x04, 0x04, 0x04, 0x00, 0x04 },
};

static void
draw_bits (PenRaster *raster, int x, int y, int scale, const guint8 *rows, int n_rows,
           guint32 color)
{
  for (int row = 0; row < n_rows; row++) {
    for (int column = 0; column < 5; column++) {
      if (rows[row] >> (4 - column) & 1)
        pen_raster_fill (raster, (PenBox){ x + column * scale, y + row * scale, scale, scale },
                         color);
    }
  }
}

/* A badge with its letter on it, and a light edge, so that it stands out of what is behind. */
static void
draw_letter (PenRaster *raster, int x, int y, int scale, PenCause cause, gboolean dark)
{
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, (PenBox){ x - 5 * scale, y - 6 * scale, 11 * scale, 13 * scale },
                   ground);
  pen_raster_fill (raster, (PenBox){ x - 4 * scale, y - 5 * scale, 9 * scale, 11 * scale },
                   pen_palette_cause (cause, dark));
  draw_bits (raster, x - 2 * scale, y - 3 * scale, scale, letters[cause], 7, ground);
}

static void
draw_shape (PenRaster *raster, int x, int y, int scale, PenCause cause, gboolean dark)
{
  pen_raster_fill (raster, (PenBox){ x - 3 * scale, y - 3 * scale, 7 * scale, 7 * scale },
                   pen_palette_ground (dark));
  draw_bits (raster, x - 2 * scale, y - 2 * scale, scale, shapes[cause], 5,
             pen_palette_cause (cause, dark));
}

static void
draw_marks (const PenMap *self, PenRaster *raster, int scale, gboolean dark)
{
  const GArray *marks = self->bins->marks;
  gboolean are_many = marks->len > MANY_MARKS;

  for (guint i = 0; i < marks->len; i++) {
    const PenMapMark *mark = &g_array_index (marks, PenMapMark, i);
    double x = pen_span_position (self->view, mark->first) * raster->width;
    double y = get_share (self, mark->address) * raster->height;

    if (x < 0 || x >= raster->width || y < 0 || y >= raster->height)
      continue;
    if (are_many)
      draw_shape (raster, (int) x, (int) y, scale, mark->cause, dark);
    else
      draw_letter (raster, (int) x, (int) y, scale, mark->cause, dark);
  }
}

void
pen_map_draw (const PenMap *self, PenRaster *raster, int scale, gboolean dark)
{
  draw_ranges (self, raster, dark);
  draw_lanes (self, raster, scale, dark);
  draw_gaps (self, raster, scale, dark);
  if (!self->bins)
    return;
  if (self->bins->max > 0)
    draw_samples (self, raster, scale, dark);
  draw_marks (self, raster, scale, dark);
}

/* ---- finding ---- */

const PenBar *
pen_map_find_bar (const PenMap *self, int x, int y)
{
  guint64 first = pen_map_get_address (self, y);
  guint64 last = pen_map_get_address (self, y + 1);
  guint64 from = pen_span_time_at (self->view, x / (double) MAX (self->width, 1));
  guint64 to = pen_span_time_at (self->view, (x + 1) / (double) MAX (self->width, 1));
  g_autoptr (GArray) lanes
      = pen_outline_find_lanes (self->outline, first, last < G_MAXUINT64 ? last + 1 : last);
  const PenBar *found = NULL;

  for (guint k = 0; k < lanes->len; k++) {
    guint n;
    const guint *bars = pen_outline_get_lane (self->outline, g_array_index (lanes, guint, k), &n);
    guint i = pen_outline_find_bar (self->outline, bars, n, from);
    const PenBar *bar;

    if (i >= n)
      continue;
    bar = &g_array_index (self->outline->bars, PenBar, bars[i]);
    if (bar->tenure.from.time <= to && bar->tenure.start <= last && bar->tenure.end > first
        && (!found || pen_moment_compare (bar->tenure.from, found->tenure.from) >= 0))
      found = bar;
  }
  return found;
}

guint
pen_map_find_first_mark (const PenMap *self, guint64 time)
{
  const GArray *marks = self->bins ? self->bins->marks : NULL;

  return PEN_BINARY_SEARCH (i, 0, marks ? marks->len : 0,
                            g_array_index (marks, PenMapMark, i).first < time);
}

const PenMapMark *
pen_map_find_mark (const PenMap *self, int x, int y)
{
  guint64 from = pen_span_time_at (self->view, (x - REACH) / (double) MAX (self->width, 1));
  const PenMapMark *best = NULL;
  double best_distance = REACH;

  for (guint i = pen_map_find_first_mark (self, from); self->bins && i < self->bins->marks->len;
       i++) {
    const PenMapMark *mark = &g_array_index (self->bins->marks, PenMapMark, i);
    double dx = pen_span_position (self->view, mark->first) * self->width - x;
    double distance = MAX (fabs (dx), fabs (pen_map_get_y (self, mark->address) - y));

    if (dx > REACH)
      break;
    if (distance <= best_distance) {
      best = mark;
      best_distance = distance;
    }
  }
  return best;
}

const PenAxisRange *
pen_map_find_gap (const PenMap *self, int y)
{
  guint64 address = pen_map_get_address (self, y + 0.5);
  const GArray *ranges = self->axis->ranges;
  guint i = pen_address_axis_find_range (self->axis,
                                         pen_address_axis_get_position (self->axis, address));

  if (i == 0 || i >= ranges->len || address < g_array_index (ranges, PenAxisRange, i - 1).end
      || address >= g_array_index (ranges, PenAxisRange, i).start)
    return NULL;
  return &g_array_index (ranges, PenAxisRange, i);
}

const PenMapName *
pen_map_find_name (const PenMap *self, int y)
{
  guint64 address = pen_map_get_address (self, y + 0.5);
  const GArray *names = self->bins ? self->bins->names : NULL;
  guint low = PEN_BINARY_SEARCH (i, 0, names ? names->len : 0,
                                 g_array_index (names, PenMapName, i).start <= address);

  if (low == 0 || g_array_index (names, PenMapName, low - 1).end <= address)
    return NULL;
  return &g_array_index (names, PenMapName, low - 1);
}
