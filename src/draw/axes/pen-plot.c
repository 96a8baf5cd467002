/* pen-plot.c: where a timeline's ruler, gutter and plot are, and what lies over all of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-plot.h"

#include <math.h>

#include "pen-palette.h"

#define RULER 22
#define MARK_SPACE 90
#define WALL_MARK_SPACE 130
/* The margin of the gutter, towards the plot. */
#define MARGIN 8
#define POSITION 3
/* Of a letter in the ruler, and between it and its line. */
#define LETTER 14
#define LETTER_SPACE 6
/* The most of a gutter, in tenths of the width. */
#define GUTTER_PARTS 3

static int
scaled (double em, double pixels)
{
  return (int) lround (pixels * em / PEN_EM);
}

int
pen_plot_get_ruler (double em)
{
  return scaled (em, RULER);
}

PenPlot
pen_plot_new (int width, int height, int gutter, double em, gboolean is_rtl, PenSpan view)
{
  int ruler = pen_plot_get_ruler (em);
  /* Large words in a small window leave most of it to the plot. */
  int beside = MIN (scaled (em, gutter), MAX (width * GUTTER_PARTS / 10, 0));

  return (PenPlot){
    .x = is_rtl ? 0 : beside,
    .y = ruler,
    .width = MAX (width - beside, 1),
    .height = MAX (height - ruler, 1),
    .gutter_x = is_rtl ? MAX (width - beside, 1) : 0,
    .gutter_width = beside,
    .is_rtl = is_rtl,
    .em = em,
    .view = view,
  };
}

/* ---- letters in the ruler ---- */

static gboolean
is_in_sight (const PenPlot *self, double x)
{
  return x >= self->x - 0.5 && x <= self->x + self->width + 0.5;
}

static double
get_line (const PenPlot *self, double x)
{
  return floor (CLAMP (x, self->x, self->x + self->width - 1));
}

/* Each to the right of its line, if there is room; where they are near, one to either side.
 * @letters: gets their left edges. Returns: a bit for each that is in sight */
static guint
place_letters (const PenPlot *self, double letters[2])
{
  double size = scaled (self->em, LETTER);
  double lines[2];
  guint in_sight = 0;
  guint first;

  for (guint i = 0; i < 2 && self->has_marks; i++) {
    double x = pen_plot_get_x (self, self->marks[i]);

    in_sight |= is_in_sight (self, x) ? 1u << i : 0;
    lines[i] = get_line (self, x);
    letters[i] = lines[i] + LETTER_SPACE;
    if (letters[i] + size > self->x + self->width)
      letters[i] = lines[i] - LETTER_SPACE - size;
  }
  if (in_sight != 3)
    return in_sight;
  first = lines[0] < lines[1] ? 0 : 1;
  if (letters[1 - first] > letters[first] + size)
    return in_sight;
  letters[first] = MIN (lines[first] - LETTER_SPACE - size, letters[1 - first] - size - 1);
  if (letters[first] < self->x) {
    letters[first] = lines[first] + LETTER_SPACE;
    letters[1 - first] = MAX (lines[1 - first] + LETTER_SPACE, letters[first] + size + 1);
  }
  return in_sight;
}

static gboolean
is_below_letter (const PenPlot *self, double x, double width)
{
  double size = scaled (self->em, LETTER);
  double letters[2];
  guint in_sight = place_letters (self, letters);

  for (guint i = 0; i < 2; i++) {
    if ((in_sight & 1u << i) && letters[i] < x + width && x < letters[i] + size)
      return TRUE;
  }
  return FALSE;
}

void
pen_plot_draw_marks (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                     const char *first, const char *second)
{
  const char *const words[] = { first, second };
  double size = scaled (self->em, LETTER);
  int dash = scaled (self->em, 4);
  double letters[2];
  guint in_sight = place_letters (self, letters);

  for (int y = self->y - dash; (in_sight & 2) && y < self->y + self->height; y += 2 * dash)
    pen_painter_fill (painter, theme->text, get_line (self, pen_plot_get_x (self, self->marks[1])),
                      y, 1, MIN (dash, self->y + self->height - y));
  for (guint i = 0; i < 2; i++) {
    if (!(in_sight & 1u << i))
      continue;
    pen_painter_fill (painter, theme->text, letters[i], self->y - size - 2, size, size);
    pen_painter_text (painter, words[i], PEN_LOOK_BOLD, pen_palette_ground (theme->dark),
                      letters[i], self->y - size - 2, size, size, 0.5);
  }
}

/* ---- times ---- */

static void
draw_time (const PenPlot *self, PenPainter *painter, const PenTheme *theme, const char *label,
           double x)
{
  double room = self->x + self->width - x;

  if (room <= 0
      || is_below_letter (self, x, MIN (painter->measure (painter, label, PEN_LOOK_PLAIN), room)))
    return;
  pen_painter_text (painter, label, PEN_LOOK_PLAIN, theme->dim, x, 0, room, self->y - 3, 0);
}

void
pen_plot_draw_ruler (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                     const PenClock *clock)
{
  int space = scaled (self->em, clock->times == PEN_TIMES_WALL && clock->has_wall ? WALL_MARK_SPACE
                                                                                  : MARK_SPACE);
  guint64 step = pen_span_step (self->view, (guint) MAX (self->width / space, 1));
  int small = scaled (self->em, 6);

  if (self->y > 0)
    pen_painter_fill (painter, theme->faint, self->x, self->y - 1, self->width, 1);
  for (guint64 time = pen_clock_get_first_mark (clock, self->view.from, step);
       time <= self->view.to; time += step) {
    double x = pen_plot_get_x (self, time);

    if (time >= self->view.from) {
      g_autofree char *label = pen_clock_format (clock, time, step);

      pen_painter_fill (painter, theme->faint, x, self->y, 1, self->height);
      if (self->y > 0)
        pen_painter_fill (painter, theme->line, x, self->y - small, 1, small - 1);
      if (self->y > 0 && x < self->x + self->width - scaled (self->em, 30))
        draw_time (self, painter, theme, label, x + 4);
    }
    if (time > G_MAXUINT64 - step)
      break;
  }
}

void
pen_plot_draw_selection (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                         double left, double right)
{
  guint32 veil = pen_theme_fade (pen_palette_ground (theme->dark), 0.62);
  guint32 tint = pen_theme_fade (theme->accent, 0.10);
  double end = self->x + self->width;
  double whole = self->y + self->height;

  left = CLAMP (left, self->x, end);
  right = CLAMP (right, self->x, end);
  pen_painter_fill (painter, veil, self->x, self->y, left - self->x, self->height);
  pen_painter_fill (painter, veil, right, self->y, end - right, self->height);
  pen_painter_fill (painter, tint, left, 0, right - left, whole);
  pen_painter_fill (painter, theme->accent, left, 0, theme->contrast ? 2 : 1, whole);
  pen_painter_fill (painter, theme->accent, MAX (right - (theme->contrast ? 2 : 1), left), 0,
                    theme->contrast ? 2 : 1, whole);
}

void
pen_plot_draw_playhead (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                        guint64 time)
{
  double x = pen_plot_get_x (self, time);
  double size = scaled (self->em, 9);

  if (x < self->x - 0.5 || x > self->x + self->width + 0.5)
    return;
  x = floor (CLAMP (x, self->x, self->x + self->width - 1));
  pen_painter_fill (painter, theme->text, x, self->y - size + 1, 1, self->height + size - 1);
  painter->triangle (painter, theme->text, x + 0.5 - size / 2, self->y - size - 3, size, size);
}

void
pen_plot_draw_position (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                        PenSpan whole)
{
  double from = pen_span_position (whole, self->view.from);
  double to = pen_span_position (whole, self->view.to);

  if (pen_span_length (whole) == 0 || (from <= 0 && to >= 1))
    return;
  pen_painter_fill (painter, theme->faint, self->x, 0, self->width, POSITION);
  pen_painter_fill (painter, theme->accent, self->x + from * (self->width - 4), 0,
                    MAX ((to - from) * self->width, 4), POSITION);
}

void
pen_plot_draw_note (const PenPlot *self, PenPainter *painter, const PenTheme *theme,
                    const char *note, int y)
{
  double height = self->em;
  /* As wide as its letters are about; what does not fit is cut. */
  double width = MIN ((double) g_utf8_strlen (note, -1) * 0.37 * self->em + 12, self->width - 8);
  double x = self->is_rtl ? self->x + 4 : self->x + self->width - width - 4;

  pen_painter_fill (painter, pen_palette_ground (theme->dark), x, self->y + y, width, height);
  pen_painter_frame (painter, theme->line, x, self->y + y, width, height, 1);
  pen_painter_text (painter, note, PEN_LOOK_SMALL, theme->text, x + 4, self->y + y, width - 8,
                    height, 0.5);
}

void
pen_plot_draw_title (const PenPlot *self, PenPainter *painter, const char *title, PenLook look,
                     guint32 color, int y, int height, int room)
{
  int margin = scaled (self->em, MARGIN) + room;
  int width = self->gutter_width - margin - 2;

  if (width <= 0 || height <= 0)
    return;
  pen_painter_name (painter, title, look, color, self->gutter_x + (self->is_rtl ? margin : 2),
                    self->y + y, width, height, self->is_rtl ? 0 : 1);
}
