/* pen-pair-bars.c: a function's two bars: A above B
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-bars.h"

#include "pen-pair-item.h"
#include "pen-pair-words.h"
#include "pen-palette.h"
#include "pen-row-strip.h"

/* Of a row without a significant difference, over the ground. */
#define GREY 0.3
/* Of A, beside B. */
#define PALE 0.55

/* The bar, and a thin line over the interval that holds the true value. */
static void
draw_bar (PenRaster *raster, PenPairBar bar, int y, int height, int scale, guint32 color,
          guint32 line)
{
  int end = raster->width - scale;
  int low = (int) (bar.low * end), high = (int) (bar.high * end);

  pen_raster_fill (raster, (PenBox){ 0, y, (int) (bar.value * end), height }, color);
  pen_raster_fill (raster, (PenBox){ low, y + height / 2, MAX (high - low, scale), MAX (scale, 1) },
                   line);
}

static void
draw (gpointer item, PenRaster *raster, int scale, gboolean dark)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  guint32 ground = pen_palette_ground (dark);
  guint32 strong = pen_palette_kind (row->kind, dark);
  guint32 line = dark ? 0xffffffff : 0xff000000;
  gboolean is_sure = pen_pair_item_get_test (item)->verdict != PEN_PAIR_UNSURE;
  guint32 grey = pen_raster_blend (line, ground, GREY);
  int height = (raster->height - 3 * scale) / 2;

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, ground);
  draw_bar (raster, pen_pair_item_get_bar (item, 0), scale, height, scale,
            is_sure ? pen_raster_blend (strong, ground, PALE) : grey, line);
  draw_bar (raster, pen_pair_item_get_bar (item, 1), 2 * scale + height, height, scale,
            is_sure ? strong : grey, line);
}

GtkWidget *
pen_pair_bars_new (void)
{
  return pen_row_strip_new (draw);
}

void
pen_pair_bars_show (GtkWidget *cell, gpointer item)
{
  g_autofree char *words = pen_pair_words_of_sides (item);

  pen_row_strip_set_item (PEN_ROW_STRIP (cell), item, words, words);
}
