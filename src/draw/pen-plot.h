/* pen-plot.h: where a timeline's ruler, gutter and plot are, and what lies over all of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-painter.h"
#include "pen-theme.h"

G_BEGIN_DECLS

/*
 * PenPlot: the ruler is on top, the gutter with the names of rows beside the plot. Time goes from
 * left to right in every language; where text goes from right to left, the gutter is on the right.
 * Logical pixels.
 * @x, @y, @width, @height: of the plot itself
 * @marks: two instants that have a letter each in the ruler, and no time below it
 */
typedef struct {
  int x;
  int y;
  int width;
  int height;
  int gutter_x;
  int gutter_width;
  gboolean is_rtl;
  double em;
  PenSpan view;
  gboolean has_marks;
  guint64 marks[2];
} PenPlot;

/* The width of the gutter where a line of words is PEN_EM high: the same in all plots, so that the
 * same time is above each other. */
#define PEN_PLOT_GUTTER 118

/* @gutter: its width where a line is PEN_EM high; it grows with @em */
PenPlot pen_plot_new (int width, int height, int gutter, double em, gboolean is_rtl, PenSpan view);
/* The height of the ruler. */
int pen_plot_get_ruler (double em);

static inline double
pen_plot_get_x (const PenPlot *self, guint64 time)
{
  return self->x + pen_span_position (self->view, time) * self->width;
}

static inline guint64
pen_plot_get_time (const PenPlot *self, double x)
{
  return pen_span_time_at (self->view, (x - self->x) / MAX (self->width, 1));
}

static inline gboolean
pen_plot_is_in_gutter (const PenPlot *self, double x)
{
  return x >= self->gutter_x && x < self->gutter_x + self->gutter_width;
}

/* Marks and times along the upper edge, lines through the plot: only these where it has no room for
 * a ruler (@y is 0). */
void pen_plot_draw_ruler (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                          const PenClock *clock);
/* The letters of both marks in the ruler, side by side where they are near, and a dashed line at
 * the second one: the first is the playhead. */
void pen_plot_draw_marks (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                          const char *first, const char *second);
/* Veils what is not in [@left, @right], in pixels of the whole. */
void pen_plot_draw_selection (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                              double left, double right);
void pen_plot_draw_playhead (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                             guint64 time);
/* Along the upper edge, which part of @whole is in view; nothing where all of it is. */
void pen_plot_draw_position (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                             PenSpan whole);
/* Words on a ground of their own at the end of the plot. @y: from the plot's top */
void pen_plot_draw_note (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                         const char *note, int y);
/* A word or a name in the gutter, towards the plot. @y: from the plot's top */
void pen_plot_draw_title (const PenPlot *self, PenPainter *painter, const char *title, PenLook look,
                          guint32 color, int y, int height, int room);

G_END_DECLS
