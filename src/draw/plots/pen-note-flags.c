/* pen-note-flags.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-note-flags.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-binary-search.h"
#include "pen-display.h"
#include "pen-palette.h"

/* The width of a flag, where a line is PEN_EM high. */
#define FLAG_WIDTH 8
#define FLAG_HEIGHT 6
#define REACH 5
/* No more are drawn: they would be one over the other. */
#define FLAGS_MAX 500
/* Bytes of a text that are shown; the window of notes has all. */
#define TEXT_SHOWN 400

static const PenNoteRow *
get_row (GPtrArray *notes, guint index)
{
  return g_ptr_array_index (notes, index);
}

/* Index of the first note about @time or later; those about no time count as later. */
static guint
find_first (GPtrArray *notes, guint64 time)
{
  return PEN_BINARY_SEARCH (i, 0, notes ? notes->len : 0,
                            get_row (notes, i)->note->has_time
                                && get_row (notes, i)->note->time < time);
}

static double
scaled (double em, double pixels)
{
  return round (pixels * em / PEN_EM);
}

/* ---- drawing ---- */

void
pen_note_flags_draw (GPtrArray *notes, const PenPlot *plot, PenPainter *painter,
                     const PenTheme *theme)
{
  double width = scaled (plot->em, FLAG_WIDTH);
  double height = scaled (plot->em, FLAG_HEIGHT);
  guint n_drawn = 0;

  for (guint i = find_first (notes, plot->view.from); notes && i < notes->len; i++) {
    const PenNote *note = get_row (notes, i)->note;
    double x;

    if (!note->has_time || note->time > plot->view.to || n_drawn++ == FLAGS_MAX)
      return;
    x = floor (CLAMP (pen_plot_get_x (plot, note->time), plot->x, plot->x + plot->width - 1));
    /* The ground around it, so that it stands out of the numbers of the ruler. */
    pen_painter_fill (painter, pen_palette_ground (theme->dark), x - 1, 0, width + 3, height + 3);
    pen_painter_fill (painter, theme->accent, x, 1, 2, plot->y - 1);
    pen_painter_fill (painter, theme->accent, x + 2, 1, width - 2, height);
    pen_painter_fill (painter, pen_theme_fade (theme->accent, 0.35), x, plot->y, 1, plot->height);
  }
}

void
pen_note_flags_draw_pennant (PenPainter *painter, const PenTheme *theme, double em, double x,
                             double y)
{
  double width = scaled (em, FLAG_WIDTH);
  double height = scaled (em, FLAG_HEIGHT);
  double left = floor (x);
  double bottom = floor (y) + 1;

  pen_painter_fill (painter, pen_palette_ground (theme->dark), left - 1, bottom - 2 * height - 1,
                    width + 2, 2 * height + 2);
  pen_painter_fill (painter, theme->accent, left, bottom - 2 * height, 2, 2 * height);
  pen_painter_fill (painter, theme->accent, left + 2, bottom - 2 * height, width - 2, height);
}

/* ---- finding ---- */

const PenNoteRow *
pen_note_flags_find (GPtrArray *notes, const PenPlot *plot, double x, double y)
{
  double reach = scaled (plot->em, FLAG_WIDTH + REACH);
  const PenNoteRow *best = NULL;
  double best_distance = G_MAXDOUBLE;

  if (!notes || y < 0 || y >= plot->y || x < plot->x || x > plot->x + plot->width)
    return NULL;
  for (guint i = find_first (notes, pen_plot_get_time (plot, MAX (x - reach, plot->x)));
       i < notes->len; i++) {
    const PenNoteRow *row = get_row (notes, i);
    double distance;

    if (!row->note->has_time)
      break;
    /* Flags are to the right of their pole. */
    distance = x - pen_plot_get_x (plot, row->note->time);
    if (distance < -REACH)
      break;
    if (distance <= reach && fabs (distance) < best_distance) {
      best = row;
      best_distance = fabs (distance);
    }
  }
  return best;
}

const PenNoteRow *
pen_note_flags_step (GPtrArray *notes, guint64 time, int direction)
{
  guint index = find_first (notes, direction > 0 && time < G_MAXUINT64 ? time + 1 : time);
  const PenNoteRow *row;

  if (!notes || (direction < 0 && index == 0))
    return NULL;
  index -= direction < 0;
  if (index >= notes->len)
    return NULL;
  row = get_row (notes, index);
  return row->note->has_time && row->note->time != time ? row : NULL;
}

char *
pen_note_flags_describe (const PenNoteRow *row, const PenClock *clock)
{
  g_autofree char *cut = g_strndup (row->note->text ? row->note->text : "", TEXT_SHOWN);
  g_autofree char *shown = pen_display_text (cut);
  g_autofree char *symbol = row->symbol ? pen_display_text (row->symbol) : NULL;
  GString *text = g_string_new (NULL);

  /* Translators: %s is the text of a note */
  g_string_append_printf (text, _ ("Note: %s"), shown);
  if (row->note->text && strlen (row->note->text) > TEXT_SHOWN)
    g_string_append (text, "…");
  if (row->note->has_time) {
    g_autofree char *at = pen_clock_format_all (clock, row->note->time, 1000);

    g_string_append_printf (text, "\n%s", at);
  }
  if (row->note->has_address && symbol)
    g_string_append_printf (text, "\n%s+0x%" G_GINT64_MODIFIER "x", symbol, row->offset);
  else if (row->note->has_address)
    g_string_append_printf (text, "\n0x%" G_GINT64_MODIFIER "x", row->note->address);
  return g_string_free (text, FALSE);
}
