/* pen-lanes-draw.c: what is drawn in the lanes of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lanes.h"

#include <math.h>
#include <string.h>

#include "pen-loss-words.h"
#include "pen-palette.h"

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

/* ---- CPUs and processes ---- */

/* By the square root: a few samples beside thousands are still to be seen. */
static double
get_weight (guint64 count, guint64 max)
{
  return count == 0 ? 0 : 0.15 + 0.85 * sqrt ((double) count / MAX (max, 1));
}

static void
draw_task_row (PenRaster *raster, PenBox box, const PenTaskBins *tasks, const guint64 *counts,
               guint64 max, PenSpan view, gboolean dark)
{
  PenSpan span = { tasks->from, tasks->to };
  guint32 color = pen_palette_kind (PEN_KIND_KERNEL, dark);
  int start = 0;
  int bin = -1;

  for (int x = 0; x <= box.width; x++) {
    int next = x < box.width ? pen_raster_find_bin (box, view, span, tasks->n_bins, x) : -1;

    if (next == bin)
      continue;
    if (bin >= 0 && counts[bin] > 0) {
      int height = MAX ((int) lround (get_weight (counts[bin], max) * box.height), 1);

      pen_raster_fill (
          raster, (PenBox){ box.x + start, box.y + box.height - height, x - start, height }, color);
    }
    start = x;
    bin = next;
  }
}

static void
draw_tasks (const PenLanes *self, PenRaster *raster, int scale, PenLaneKind lane,
            const PenTaskBins *tasks, PenSpan view, gboolean dark)
{
  if (!tasks || self->boxes[lane].height == 0)
    return;
  for (guint i = 0; i < tasks->rows->len; i++) {
    PenBox box = scaled (pen_lanes_get_task_box (self, lane, i), scale);

    pen_raster_fill (raster, (PenBox){ box.x, box.y + box.height - 1, box.width, 1 },
                     pen_palette_lane (dark));
    draw_task_row (raster, box, tasks, tasks->counts + (gsize) i * tasks->n_bins, tasks->max, view,
                   dark);
  }
}

/* ---- patches ---- */

/* Several patches in one mark make it wider: 2, 3 from ten, 4 from a hundred pixels. */
static int
get_mark_width (guint32 count)
{
  return count >= 100 ? 4 : count >= 10 ? 3 : 2;
}

/* A batch that took its time goes on as a line, also between its sites where these are apart. */
static void
draw_length (PenRaster *raster, PenBox box, int scale, const PenPatchMark *mark,
             const PenBatch *batch, PenSpan view, guint32 color)
{
  guint64 from = batch ? batch->from : mark->first;
  guint64 to = batch ? batch->to : mark->last;
  PenBox part;

  if (to == from || !pen_raster_interval (box, view, from, to, &part))
    return;
  part.y += MAX (part.height - 2 * scale, 0);
  part.height = scale;
  pen_raster_fill (raster, part, color);
}

static void
draw_patches (const PenLanes *self, PenRaster *raster, int scale, const PenOverview *overview,
              PenSpan view, gboolean dark)
{
  gint8 rows[PEN_CAUSES];
  guint32 batches[PEN_CAUSES] = { 0 }; /* of the mark before */

  if (self->boxes[PEN_LANE_PATCHES].height == 0)
    return;
  memset (rows, -1, sizeof rows);
  for (guint i = 0; i < self->n_causes; i++) {
    PenBox box = scaled (pen_lanes_get_cause_box (self, i), scale);

    rows[self->causes[i]] = (gint8) i;
    pen_raster_fill (raster, (PenBox){ box.x, box.y + box.height - scale, box.width, scale },
                     pen_palette_lane (dark));
  }
  if (!overview)
    return;
  for (guint i = 0; i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);
    guint32 color = pen_palette_cause (mark->cause, dark);
    PenBox box;

    if (rows[mark->cause] < 0)
      continue;
    box = scaled (pen_lanes_get_cause_box (self, (guint) rows[mark->cause]), scale);
    draw_length (raster, box, scale, mark,
                 mark->batch != batches[mark->cause]
                     ? pen_outline_get_batch (self->shape.outline, mark->batch)
                     : NULL,
                 view, color);
    batches[mark->cause] = mark->batch;
    pen_raster_tick (raster, box, view, mark->first, get_mark_width (mark->count) * scale, color);
  }
}

/* ---- programs ---- */

/* The next holder of the same addresses is drawn in the other shade. */
static void
draw_bar (PenRaster *raster, int scale, PenBox row, const PenBar *bar, gboolean is_other,
          PenSpan view, gboolean dark)
{
  guint32 color = pen_palette_kind (bar->tenure.kind, dark);
  PenBox part;

  if (!pen_raster_interval (row, view, bar->tenure.from.time, bar->tenure.to.time, &part))
    return;
  if (part.width > 2 * scale)
    part.width -= scale;
  pen_raster_fill (raster, part, pen_palette_bar (bar->tenure.kind, is_other, dark));
  pen_raster_fill (raster, (PenBox){ part.x, part.y, MIN (2 * scale, part.width), part.height },
                   color);
  pen_raster_fill (raster, (PenBox){ part.x, part.y + part.height - scale, part.width, scale },
                   color);
}

static void
draw_program_row (PenRaster *raster, int scale, PenBox row, const PenOutline *outline, guint lane,
                  PenSpan view, gboolean dark)
{
  guint64 pixel = pen_span_length (view) / (guint64) MAX (row.width, 1);
  guint n;
  const guint *bars = pen_outline_get_lane (outline, lane, &n);

  for (guint i = pen_outline_find_bar (outline, bars, n, view.from); i < n;
       i = pen_outline_skip_bars (outline, bars, n, i, pixel)) {
    const PenBar *bar = &g_array_index (outline->bars, PenBar, bars[i]);

    if (bar->tenure.from.time > view.to)
      break;
    draw_bar (raster, scale, row, bar, i % 2, view, dark);
  }
}

static void
draw_programs (const PenLanes *self, PenRaster *raster, int scale, PenSpan view, gboolean dark)
{
  const PenOutline *outline = self->shape.outline;
  guint last = MIN (self->first_row + pen_lanes_get_visible_rows (self), self->n_rows);
  PenBox row;

  if (pen_lanes_is_folded (self, PEN_LANE_PROGRAMS))
    last = self->n_rows;
  for (guint i = self->first_row; i < last; i++) {
    if (pen_lanes_get_row_box (self, i, &row))
      draw_program_row (raster, scale, scaled (row, scale), outline, i, view, dark);
  }
}

/* ---- losses ---- */

static void
draw_losses (const PenLanes *self, PenRaster *raster, int scale, PenSpan view, gboolean dark)
{
  PenLaneKind lane = self->shape.compact ? PEN_LANE_SAMPLES : PEN_LANE_LOST;
  PenBox box = scaled (self->boxes[lane], scale);
  guint32 ground = pen_raster_blend (pen_palette_loss (dark), pen_palette_ground (dark), 0.25);

  for (guint i = 0; i < self->shape.outline->losses->len; i++) {
    const PenLoss *loss = &g_array_index (self->shape.outline->losses, PenLoss, i);
    PenBox part;

    if (pen_loss_is_repeated (loss)
        || !pen_raster_interval (box, view, loss->from, loss->to, &part))
      continue;
    part.width = MAX (part.width, 3 * scale);
    pen_raster_fill (raster, part, ground);
    /* Records that a filter left out are not missing. */
    if (loss->kind != PEN_LOSS_UNWANTED)
      pen_raster_hatch (raster, part, pen_palette_loss (dark), 5 * scale);
  }
}

void
pen_lanes_draw (const PenLanes *self, PenRaster *raster, int scale, const PenOverview *overview,
                PenSpan view, gboolean dark)
{
  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height },
                   pen_palette_ground (dark));
  /* Without a lane of their own they are behind the samples. */
  if (self->shape.compact && self->shape.outline)
    draw_losses (self, raster, scale, view, dark);
  draw_samples (self, raster, scale, overview, view, dark);
  draw_tasks (self, raster, scale, PEN_LANE_CPUS, self->shape.cpus, view, dark);
  draw_tasks (self, raster, scale, PEN_LANE_TASKS, self->shape.tasks, view, dark);
  draw_patches (self, raster, scale, overview, view, dark);
  if (!self->shape.outline)
    return;
  draw_programs (self, raster, scale, view, dark);
  if (!self->shape.compact)
    draw_losses (self, raster, scale, view, dark);
}
