/* pen-timeline-over.c: what is drawn over the picture of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-format.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-store-pokes.h"
#include "pen-timeline-private.h"

/* The most patches of a range that are lit up one by one. */
#define LIT_MAX 400

/* Samples, or ns off CPU, in bins that begin in [@from, @to). */
static guint64
count_samples (const PenOverview *overview, guint64 from, guint64 to)
{
  PenSpan span = { overview->from, overview->to };
  double first = ceil (pen_span_position (span, from) * overview->n_bins);
  double end = ceil (pen_span_position (span, to) * overview->n_bins);
  guint last = (guint) CLAMP (end, 0, overview->n_bins);
  guint64 sum = 0;

  for (guint bin = (guint) CLAMP (first, 0, overview->n_bins); bin < last; bin++) {
    for (guint kind = 0; kind < PEN_KINDS; kind++)
      sum += overview->samples[(gsize) bin * PEN_KINDS + kind];
  }
  return sum;
}

/* About: "1 234 samples", "3.2 s off CPU" */
static char *
describe_amount (const PenOverview *overview, guint64 from, guint64 to)
{
  guint64 sum = overview ? count_samples (overview, from, to) : 0;
  g_autofree char *time = NULL;

  if (!overview || overview->population != PEN_POPULATION_WAITS)
    return pen_phrase_samples (sum, FALSE);
  time = pen_format_duration (sum);
  return g_strdup_printf (_ ("%s off CPU"), time);
}

/* How long, and about how many samples: while it is being drawn. */
static void
draw_brush_note (PenTimeline *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
                 double left, double right)
{
  const PenOverview *overview = pen_session_get_answers (self->parent_instance.session)->overview;
  guint64 from = pen_plot_get_time (plot, left);
  guint64 to = pen_plot_get_time (plot, right);
  g_autofree char *length = pen_format_duration (to - from);
  g_autofree char *amount = describe_amount (overview, from, to);
  g_autofree char *note = g_strdup_printf ("Δ %s · %s", length, amount);
  double width = 11 * plot->em;
  double x = CLAMP ((left + right - width) / 2, plot->x, plot->x + plot->width - width);

  pen_painter_fill (painter, pen_palette_ground (theme->dark), x, plot->y + 2, width, plot->em + 2);
  pen_painter_frame (painter, theme->accent, x, plot->y + 2, width, plot->em + 2, 1);
  pen_painter_text (painter, note, PEN_LOOK_PLAIN, theme->text, x + 4, plot->y + 2, width - 8,
                    plot->em + 2, 0.5);
}

void
pen_timeline_draw_selection (PenTimeline *self, const PenPlot *plot, PenPainter *painter,
                             const PenTheme *theme)
{
  PenPlotView *view = &self->parent_instance;
  PenSpan selected;

  if (view->brushing)
    pen_plot_draw_selection (plot, painter, theme, MIN (view->brush_x0, view->brush_x1),
                             MAX (view->brush_x0, view->brush_x1));
  else if (pen_session_get_selected (view->session, &selected))
    pen_plot_draw_selection (plot, painter, theme, pen_plot_get_x (plot, selected.from),
                             pen_plot_get_x (plot, selected.to));
}

/* A frame around bars whose addresses are pointed at in any view. */
static void
draw_hovered_bars (PenTimeline *self, const PenPlot *plot, PenPainter *painter,
                   const PenTheme *theme, const PenHover *hover)
{
  const PenOutline *outline = self->lanes.shape.outline;
  guint last
      = MIN (self->lanes.first_row + pen_lanes_get_visible_rows (&self->lanes), self->lanes.n_rows);
  PenBox row, part;

  for (guint lane = self->lanes.first_row; lane < last; lane++) {
    guint n;
    const guint *bars = pen_outline_get_lane (outline, lane, &n);

    /* A lane is a range of addresses: its first bar says whether it is worth looking at more. */
    for (guint i = 0; i < n; i++) {
      const PenTenure *tenure = &g_array_index (outline->bars, PenBar, bars[i]).tenure;

      if (tenure->start >= hover->address_to || tenure->end <= hover->address_from) {
        if (i == 0 && tenure->end <= hover->address_from)
          break;
        continue;
      }
      if (tenure->from.time > plot->view.to)
        break;
      if (pen_lanes_get_row_box (&self->lanes, lane, &row)
          && pen_raster_interval (row, plot->view, tenure->from.time, tenure->to.time, &part))
        pen_painter_frame (painter, theme->accent, plot->x + part.x, plot->y + part.y - 1,
                           part.width, part.height + 2, 2);
    }
  }
}

static void
draw_lit_tick (PenTimeline *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
               PenCause cause, guint64 time)
{
  double x = floor (pen_plot_get_x (plot, time));

  if (x < plot->x || x > plot->x + plot->width)
    return;
  for (guint i = 0; i < self->lanes.n_causes; i++) {
    PenBox box = pen_lanes_get_cause_box (&self->lanes, i);

    if (self->lanes.causes[i] == cause && box.height > 0)
      pen_painter_frame (painter, theme->accent, x - 3, plot->y + box.y - 1, 8, box.height + 2, 2);
  }
}

/* Patches of what is pointed at in any view, and those that were made together with it. */
static void
draw_hovered_patches (PenTimeline *self, const PenPlot *plot, PenPainter *painter,
                      const PenTheme *theme, const PenHover *hover)
{
  const PenOverview *overview = pen_session_get_answers (self->parent_instance.session)->overview;
  const PenOutline *outline = self->lanes.shape.outline;
  const guint *found = NULL;
  guint n = 0;

  for (guint i = 0; hover->batch != 0 && overview && i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);

    if (mark->batch == hover->batch)
      draw_lit_tick (self, plot, painter, theme, mark->cause, mark->first);
  }
  if (hover->has_address)
    found = pen_outline_find_ticks_in (outline, hover->address_from, hover->address_to, &n);
  for (guint i = 0; i < MIN (n, LIT_MAX); i++) {
    const PenPokeTick *tick = &g_array_index (outline->ticks, PenPokeTick, found[i]);

    draw_lit_tick (self, plot, painter, theme, tick->cause, tick->time);
  }
}

static void
draw_hover (PenTimeline *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  const PenHover *hover = pen_session_get_hover (self->parent_instance.session);

  if (hover->has_address && self->lanes.shape.outline)
    draw_hovered_bars (self, plot, painter, theme, hover);
  if (self->lanes.shape.outline)
    draw_hovered_patches (self, plot, painter, theme, hover);
}

void
pen_timeline_draw_over (PenPlotView *view, const PenPlot *plot, PenPainter *painter,
                        const PenTheme *theme)
{
  PenTimeline *self = PEN_TIMELINE (view);

  if (view->brushing)
    draw_brush_note (self, plot, painter, theme, MIN (view->brush_x0, view->brush_x1),
                     MAX (view->brush_x0, view->brush_x1));
  draw_hover (self, plot, painter, theme);
}
