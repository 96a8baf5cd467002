/* pen-text-map-over.c: what is drawn over the picture of the text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-format.h"
#include "pen-palette.h"
#include "pen-text-map-private.h"

/* Notes about addresses are looked at one by one. */
#define NOTES_DRAWN 2000

/* The chosen rectangle keeps its colours; @y0, @y1: of the whole. */
static void
draw_rectangle (const PenPlot *plot, PenPainter *painter, const PenTheme *theme, double x0,
                double y0, double x1, double y1)
{
  guint32 veil = pen_theme_fade (pen_palette_ground (theme->dark), 0.62);
  double right = plot->x + plot->width;
  double bottom = plot->y + plot->height;

  x0 = CLAMP (x0, plot->x, right);
  x1 = CLAMP (x1, plot->x, right);
  y0 = CLAMP (y0, plot->y, bottom);
  y1 = CLAMP (y1, plot->y, bottom);
  pen_painter_fill (painter, veil, plot->x, plot->y, plot->width, y0 - plot->y);
  pen_painter_fill (painter, veil, plot->x, y1, plot->width, bottom - y1);
  pen_painter_fill (painter, veil, plot->x, y0, x0 - plot->x, y1 - y0);
  pen_painter_fill (painter, veil, x1, y0, right - x1, y1 - y0);
  pen_painter_frame (painter, theme->accent, x0, y0, MAX (x1 - x0, 2), MAX (y1 - y0, 2),
                     theme->contrast ? 2 : 1);
}

static void
draw_brush_note (PenTextMap *self, const PenMap *map, const PenPlot *plot, PenPainter *painter,
                 const PenTheme *theme)
{
  double left = MIN (self->parent_instance.brush_x0, self->parent_instance.brush_x1);
  double right = MAX (self->parent_instance.brush_x0, self->parent_instance.brush_x1);
  guint64 from = pen_plot_get_time (plot, left);
  guint64 to = pen_plot_get_time (plot, right);
  guint64 first = pen_map_get_address (
      map, MIN (self->parent_instance.brush_y0, self->parent_instance.brush_y1) - plot->y);
  guint64 last = pen_map_get_address (
      map, MAX (self->parent_instance.brush_y0, self->parent_instance.brush_y1) - plot->y);
  g_autofree char *length = pen_format_duration (to - from);
  g_autofree char *bytes = g_format_size_full (last - first, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *count = map->bins ? pen_map_format_count (map, from, to, first, last) : NULL;
  g_autofree char *note = count ? g_strdup_printf ("Δ %s · %s · %s", length, bytes, count)
                                : g_strdup_printf ("Δ %s · %s", length, bytes);
  double width = 16 * plot->em;
  double height = plot->em + 2;
  double x = CLAMP ((left + right - width) / 2, plot->x, plot->x + plot->width - width);
  double y = MIN (self->parent_instance.brush_y0, self->parent_instance.brush_y1) - height - 2;

  y = MAX (y, plot->y + 2);
  pen_painter_fill (painter, pen_palette_ground (theme->dark), x, y, width, height);
  pen_painter_frame (painter, theme->accent, x, y, width, height, 1);
  pen_painter_text (painter, note, PEN_LOOK_PLAIN, theme->text, x + 4, y, width - 8, height, 0.5);
}

static void
draw_selection (PenTextMap *self, const PenMap *map, const PenPlot *plot, PenPainter *painter,
                const PenTheme *theme)
{
  const PenFilter *filter = pen_session_get_view (self->parent_instance.session)->filter;
  double x0 = plot->x, x1 = plot->x + plot->width;
  double y0 = plot->y, y1 = plot->y + plot->height;

  if (self->parent_instance.brushing) {
    draw_rectangle (plot, painter, theme,
                    MIN (self->parent_instance.brush_x0, self->parent_instance.brush_x1),
                    MIN (self->parent_instance.brush_y0, self->parent_instance.brush_y1),
                    MAX (self->parent_instance.brush_x0, self->parent_instance.brush_x1),
                    MAX (self->parent_instance.brush_y0, self->parent_instance.brush_y1));
    draw_brush_note (self, map, plot, painter, theme);
    return;
  }
  if (filter->has_time) {
    x0 = pen_plot_get_x (plot, filter->from);
    x1 = pen_plot_get_x (plot, filter->to);
  }
  if (filter->has_address) {
    y0 = plot->y + pen_map_get_y (map, filter->address_from);
    y1 = plot->y
         + pen_map_get_y (map, filter->address_to < G_MAXUINT64 ? filter->address_to + 1
                                                                : filter->address_to);
  }
  if (filter->has_time || filter->has_address)
    draw_rectangle (plot, painter, theme, x0, y0, x1, y1);
}

/* The function whose annotation is shown; what is pointed at. */
static void
draw_marked_addresses (const PenMap *map, const PenPlot *plot, PenPainter *painter, guint32 color,
                       double thickness, guint64 from, guint64 to)
{
  double top = pen_map_get_y (map, from);
  double bottom = pen_map_get_y (map, to);

  if (bottom < 0 || top > map->height)
    return;
  top = CLAMP (top, 0, map->height);
  bottom = CLAMP (bottom, 0, map->height);
  pen_painter_frame (painter, color, plot->x, plot->y + floor (top) - 1, plot->width,
                     MAX (bottom - top, 2) + 2, thickness);
}

/* Marks the changes that were patched together with the hovered one. */
static void
draw_batch (const PenMap *map, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
            guint32 batch)
{
  for (guint i = 0; batch != 0 && map->bins && i < map->bins->marks->len; i++) {
    const PenMapMark *mark = &g_array_index (map->bins->marks, PenMapMark, i);
    double x = pen_plot_get_x (plot, mark->first);
    double y = pen_map_get_y (map, mark->address);

    if (mark->batch == batch && x >= plot->x && x <= plot->x + plot->width && y >= 0
        && y <= map->height)
      pen_painter_frame (painter, theme->accent, floor (x) - 7, plot->y + floor (y) - 8, 15, 17, 2);
  }
}

static void
draw_hover (PenTextMap *self, const PenMap *map, const PenPlot *plot, PenPainter *painter,
            const PenTheme *theme)
{
  const PenHover *hover = pen_session_get_hover (self->parent_instance.session);
  const PenStrips *strips = pen_session_get_answers (self->parent_instance.session)->annotation;

  if (strips && strips->text->annotated->end > strips->text->annotated->start)
    draw_marked_addresses (map, plot, painter, pen_theme_fade (theme->accent, 0.5), 1,
                           strips->text->annotated->start, strips->text->annotated->end);
  if (hover->has_address)
    draw_marked_addresses (map, plot, painter, theme->accent, 2, hover->address_from,
                           hover->address_to);
  draw_batch (map, plot, painter, theme, hover->batch);
}

/* ---- notes ---- */

/* Where the flag of a note about an address stands: at its time, or else at the plot's beginning.
 * FALSE: out of sight */
static gboolean
place_note (const PenMap *map, const PenPlot *plot, const PenNote *note, double *x, double *y)
{
  if (!note->has_address)
    return FALSE;
  *x = note->has_time ? pen_plot_get_x (plot, note->time) : plot->x + 2;
  *y = plot->y + pen_map_get_y (map, note->address);
  return *x >= plot->x && *x <= plot->x + plot->width && *y >= plot->y
         && *y <= plot->y + plot->height;
}

static void
draw_notes (PenTextMap *self, const PenMap *map, const PenPlot *plot, PenPainter *painter,
            const PenTheme *theme)
{
  GPtrArray *notes = pen_session_get_answers (self->parent_instance.session)->notes;
  double x, y;

  for (guint i = 0; notes && i < MIN (notes->len, NOTES_DRAWN); i++) {
    const PenNoteRow *row = g_ptr_array_index (notes, i);

    if (place_note (map, plot, row->note, &x, &y))
      pen_note_flags_draw_pennant (painter, theme, plot->em, x, y);
  }
}

const PenNoteRow *
pen_text_map_find_note (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  GPtrArray *notes = pen_session_get_answers (view->session)->notes;
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);
  double note_x, note_y;

  for (guint i = 0; notes && i < MIN (notes->len, NOTES_DRAWN); i++) {
    const PenNoteRow *row = g_ptr_array_index (notes, i);

    if (place_note (&map, plot, row->note, &note_x, &note_y) && x >= note_x - 2
        && x <= note_x + 0.6 * plot->em && y <= note_y + 2 && y >= note_y - 0.8 * plot->em)
      return row;
  }
  return NULL;
}

void
pen_text_map_draw_over (PenPlotView *view, const PenPlot *plot, PenPainter *painter,
                        const PenTheme *theme)
{
  PenTextMap *self = PEN_TEXT_MAP (view);
  PenMap map = pen_text_map_get_map (self, plot);

  draw_notes (self, &map, plot, painter, theme);
  draw_selection (self, &map, plot, painter, theme);
  draw_hover (self, &map, plot, painter, theme);
}
