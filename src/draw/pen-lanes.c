/* pen-lanes.c: the lanes of the overview: where each lies, what is drawn in it, what is at a point
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lanes.h"

#include "pen-loss-words.h"
#include "pen-palette.h"

#define GAP 5
#define SAMPLES_MIN 44
#define SAMPLES_COMFORTABLE 64
#define SAMPLES_MAX 120
#define CAUSE_HEIGHT 13
#define ROW_MIN 4
#define ROW_MAX 14
#define ROWS_COMFORTABLE 7
#define PROGRAMS_MIN 28
#define LOST_HEIGHT 14
#define TICK_REACH 4

static guint
count_causes (const PenOutline *outline, PenCause *causes)
{
  guint n = 0;

  /* Unknown comes last, whatever its number. */
  for (guint i = 1; i <= PEN_CAUSES; i++) {
    PenCause cause = i % PEN_CAUSES;

    if (outline && (outline->causes & (1u << cause)))
      causes[n++] = cause;
  }
  return n;
}

int
pen_lanes_get_min_height (const PenOutline *outline)
{
  PenCause causes[PEN_CAUSES];
  guint n_causes = count_causes (outline, causes);
  int height = SAMPLES_MIN;

  if (n_causes > 0)
    height += GAP + (int) n_causes * CAUSE_HEIGHT;
  if (outline && outline->n_lanes > 0)
    height += GAP + PROGRAMS_MIN;
  if (outline && outline->losses->len > 0)
    height += GAP + LOST_HEIGHT;
  return height;
}

int
pen_lanes_get_extra_height (const PenOutline *outline)
{
  guint n_rows = outline ? MIN (outline->n_lanes, ROWS_COMFORTABLE) : 0;

  return SAMPLES_COMFORTABLE - SAMPLES_MIN + MAX ((int) n_rows * ROW_MAX - PROGRAMS_MIN, 0);
}

static int
programs_height (guint n_rows, int flexible)
{
  int wanted = (int) MIN (n_rows, 1000) * ROW_MAX;
  int least = MIN (PROGRAMS_MIN, wanted);

  if (n_rows == 0)
    return 0;
  return CLAMP (flexible - SAMPLES_MIN - GAP, least, MAX (wanted, least));
}

void
pen_lanes_layout (PenLanes *self, const PenOutline *outline, int width, int height, guint first_row)
{
  int flexible = height;
  int heights[PEN_LANES] = { 0 };
  int y = 0;

  *self = (PenLanes){ 0 };
  self->n_causes = count_causes (outline, self->causes);
  self->cause_height = CAUSE_HEIGHT;
  self->n_rows = outline ? outline->n_lanes : 0;

  heights[PEN_LANE_PATCHES] = (int) self->n_causes * CAUSE_HEIGHT;
  heights[PEN_LANE_LOST] = outline && outline->losses->len > 0 ? LOST_HEIGHT : 0;
  for (guint i = 0; i < PEN_LANES; i++)
    flexible -= heights[i] > 0 ? heights[i] + GAP : 0;

  heights[PEN_LANE_PROGRAMS] = programs_height (self->n_rows, flexible * 3 / 5 + SAMPLES_MIN);
  heights[PEN_LANE_PROGRAMS]
      = MIN (heights[PEN_LANE_PROGRAMS], MAX (flexible - SAMPLES_MIN - GAP, 0));
  flexible -= heights[PEN_LANE_PROGRAMS] > 0 ? heights[PEN_LANE_PROGRAMS] + GAP : 0;
  heights[PEN_LANE_SAMPLES] = CLAMP (flexible, 0, SAMPLES_MAX);

  /* What the samples do not need, the programs may have. */
  if (self->n_rows > 0 && flexible > SAMPLES_MAX)
    heights[PEN_LANE_PROGRAMS] = MIN (heights[PEN_LANE_PROGRAMS] + flexible - SAMPLES_MAX,
                                      (int) MIN (self->n_rows, 1000) * ROW_MAX);

  for (guint i = 0; i < PEN_LANES; i++) {
    self->boxes[i] = (PenBox){ 0, y, width, heights[i] };
    y += heights[i] > 0 ? heights[i] + GAP : 0;
  }

  if (self->n_rows > 0) {
    guint visible;

    self->row_height
        = CLAMP (heights[PEN_LANE_PROGRAMS] / (int) MIN (self->n_rows, 1000), ROW_MIN, ROW_MAX);
    visible = pen_lanes_get_visible_rows (self);
    self->first_row = MIN (first_row, self->n_rows > visible ? self->n_rows - visible : 0);
  }
}

guint
pen_lanes_get_visible_rows (const PenLanes *self)
{
  if (self->row_height == 0)
    return 0;
  return MIN ((guint) (self->boxes[PEN_LANE_PROGRAMS].height / self->row_height), self->n_rows);
}

PenBox
pen_lanes_get_cause_box (const PenLanes *self, guint index)
{
  PenBox box = self->boxes[PEN_LANE_PATCHES];

  box.y += (int) index * self->cause_height;
  box.height = self->cause_height - 1;
  return box;
}

gboolean
pen_lanes_get_row_box (const PenLanes *self, guint row, PenBox *box)
{
  if (row < self->first_row || row >= self->first_row + pen_lanes_get_visible_rows (self))
    return FALSE;

  *box = self->boxes[PEN_LANE_PROGRAMS];
  box->y += (int) (row - self->first_row) * self->row_height;
  box->height = MAX (self->row_height - (self->row_height > 6 ? 2 : 1), 2);
  return TRUE;
}

/* ---- drawing ---- */

static PenBox
scaled (PenBox box, int scale)
{
  return (PenBox){ box.x * scale, box.y * scale, box.width * scale, box.height * scale };
}

static void
draw_samples (const PenLanes *self, PenRaster *raster, int scale, const PenOverview *overview,
              PenSpan view, gboolean dark)
{
  PenBox box = scaled (self->boxes[PEN_LANE_SAMPLES], scale);
  guint32 colors[PEN_KINDS];

  pen_raster_fill (raster, (PenBox){ box.x, box.y + box.height - 1, box.width, 1 },
                   pen_palette_lane (dark));
  if (!overview)
    return;
  for (guint i = 0; i < PEN_KINDS; i++)
    colors[i] = pen_palette_kind (i, dark);
  pen_raster_stack (raster, box, view, (PenSpan){ overview->from, overview->to }, overview->samples,
                    overview->n_bins, PEN_KINDS, pen_palette_stack_order (),
                    MAX (overview->max_in_bin, 1), colors);
}

static void
draw_patches (const PenLanes *self, PenRaster *raster, int scale, const PenOverview *overview,
              PenSpan view, gboolean dark)
{
  gint8 rows[PEN_CAUSES];

  for (guint i = 0; i < PEN_CAUSES; i++)
    rows[i] = -1;
  for (guint i = 0; i < self->n_causes; i++) {
    PenBox box = scaled (pen_lanes_get_cause_box (self, i), scale);

    rows[self->causes[i]] = (gint8) i;
    pen_raster_fill (raster, (PenBox){ box.x, box.y + box.height / 2, box.width, scale },
                     pen_palette_lane (dark));
  }
  if (!overview)
    return;
  for (guint i = 0; i < overview->ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (overview->ticks, PenPokeTick, i);

    if (rows[tick->cause] < 0)
      continue;
    pen_raster_tick (raster,
                     scaled (pen_lanes_get_cause_box (self, (guint) rows[tick->cause]), scale),
                     view, tick->time, 2 * scale, pen_palette_cause (tick->cause, dark));
  }
}

static void
draw_programs (const PenLanes *self, PenRaster *raster, int scale, const PenOutline *outline,
               PenSpan view, gboolean dark)
{
  g_autofree guint8 *turns = g_new0 (guint8, MAX (self->n_rows, 1));
  guint32 ground = pen_palette_ground (dark);

  for (guint i = 0; i < outline->bars->len; i++) {
    const PenBar *bar = &g_array_index (outline->bars, PenBar, i);
    guint32 color = pen_palette_kind (bar->tenure.kind, dark);
    PenBox row, part;
    guint8 turn;

    if (bar->lane >= self->n_rows)
      continue;
    /* The next holder of the same addresses is drawn in the other shade. */
    turn = turns[bar->lane]++ % 2;
    if (!pen_lanes_get_row_box (self, bar->lane, &row)
        || !pen_raster_interval (scaled (row, scale), view, bar->tenure.from.time,
                                 bar->tenure.to.time, &part))
      continue;
    if (part.width > 2 * scale)
      part.width -= scale;
    pen_raster_fill (raster, part, pen_raster_blend (color, ground, turn ? 0.45 : 0.28));
    pen_raster_fill (raster, (PenBox){ part.x, part.y, MIN (2 * scale, part.width), part.height },
                     color);
    pen_raster_fill (raster, (PenBox){ part.x, part.y + part.height - scale, part.width, scale },
                     color);
  }
}

static void
draw_losses (const PenLanes *self, PenRaster *raster, int scale, const PenOutline *outline,
             PenSpan view, gboolean dark)
{
  PenBox box = scaled (self->boxes[PEN_LANE_LOST], scale);

  for (guint i = 0; i < outline->losses->len; i++) {
    const PenLoss *loss = &g_array_index (outline->losses, PenLoss, i);
    PenBox part;

    if (pen_loss_is_repeated (loss)
        || !pen_raster_interval (box, view, loss->from, loss->to, &part))
      continue;
    part.width = MAX (part.width, 3 * scale);
    pen_raster_fill (raster, part,
                     pen_raster_blend (pen_palette_loss (dark), pen_palette_ground (dark), 0.25));
    /* What a filter left out is not missing. */
    if (loss->kind != PEN_LOSS_UNWANTED)
      pen_raster_hatch (raster, part, pen_palette_loss (dark), 5 * scale);
  }
}

void
pen_lanes_draw (const PenLanes *self, PenRaster *raster, int scale, const PenOutline *outline,
                const PenOverview *overview, PenSpan view, gboolean dark)
{
  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height },
                   pen_palette_ground (dark));
  draw_samples (self, raster, scale, overview, view, dark);
  draw_patches (self, raster, scale, overview, view, dark);
  if (!outline)
    return;
  draw_programs (self, raster, scale, outline, view, dark);
  draw_losses (self, raster, scale, outline, view, dark);
}

/* ---- finding ---- */

PenLaneKind
pen_lanes_find_lane (const PenLanes *self, int y)
{
  for (guint i = 0; i < PEN_LANES; i++) {
    const PenBox *box = &self->boxes[i];

    if (box->height > 0 && y >= box->y && y < box->y + box->height)
      return i;
  }
  return PEN_LANES;
}

/* Bars of a lane follow each other: the last that begins at or before @time, or -1. */
static int
find_begun (const PenOutline *outline, const guint *lane, guint n, guint64 time)
{
  guint low = 0, high = n;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (outline->bars, PenBar, lane[middle]).tenure.from.time <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return (int) low - 1;
}

const PenBar *
pen_lanes_find_bar (const PenLanes *self, const PenOutline *outline, PenSpan view, int x, int y)
{
  const PenBox *lane = &self->boxes[PEN_LANE_PROGRAMS];
  guint row = self->first_row + (guint) MAX (y - lane->y, 0) / (guint) MAX (self->row_height, 1);
  guint64 end = pen_span_time_at (view, (x + 1) / (double) MAX (lane->width, 1));
  const guint *bars;
  PenBox box, part;
  guint n;

  if (y < lane->y || row >= outline->n_lanes || !pen_lanes_get_row_box (self, row, &box))
    return NULL;
  bars = pen_outline_get_lane (outline, row, &n);
  for (int i = find_begun (outline, bars, n, end); i >= 0; i--) {
    const PenBar *bar = &g_array_index (outline->bars, PenBar, bars[i]);

    if (!pen_raster_interval (box, view, bar->tenure.from.time, bar->tenure.to.time, &part))
      return NULL;
    if (x >= part.x && x <= part.x + part.width)
      return bar;
    if (part.x + part.width < x)
      return NULL;
  }
  return NULL;
}

/* Index of the first tick at or after @time. */
static guint
first_at_or_after (GArray *ticks, guint64 time)
{
  guint low = 0, high = ticks->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (ticks, PenPokeTick, middle).time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const PenPokeTick *
pen_lanes_find_tick (const PenLanes *self, const PenOverview *overview, PenSpan view, int x, int y)
{
  const PenBox *lane = &self->boxes[PEN_LANE_PATCHES];
  guint row = (guint) MAX (y - lane->y, 0) / (guint) MAX (self->cause_height, 1);
  guint64 from = pen_span_time_at (view, (x - TICK_REACH) / (double) MAX (lane->width, 1));
  guint64 to = pen_span_time_at (view, (x + TICK_REACH) / (double) MAX (lane->width, 1));
  guint64 at = pen_span_time_at (view, x / (double) MAX (lane->width, 1));
  const PenPokeTick *best = NULL;
  guint64 best_distance = G_MAXUINT64;

  if (row >= self->n_causes || y < lane->y)
    return NULL;
  for (guint i = first_at_or_after (overview->ticks, from); i < overview->ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (overview->ticks, PenPokeTick, i);
    guint64 distance = tick->time > at ? tick->time - at : at - tick->time;

    if (tick->time > to)
      break;
    if (tick->cause == self->causes[row] && distance < best_distance) {
      best = tick;
      best_distance = distance;
    }
  }
  return best;
}
