/* pen-strip-sheet.c: the rows of an annotation over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-sheet.h"

#include <math.h>

#include "pen-palette.h"

const PenStoredPoke *
pen_annotated_find_poke (const PenAnnotated *annotated, const PenAnnotationLine *line)
{
  GArray *pokes = annotated->pokes;
  guint low = 0, high = pokes->len;

  if (line->poke == 0)
    return NULL;
  /* Pokes are numbered in the order of time, in which they come. */
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const PenStoredPoke *poke = &g_array_index (pokes, PenStoredPoke, middle);

    if (poke->poke.id == line->poke)
      return poke;
    if (poke->poke.id < line->poke)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* The ground says who stood there: a line for what was there by itself, a tint for a patch, blank
 * where nobody of this slot did. */
static void
draw_versions (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale, guint first,
               guint n, gboolean dark)
{
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, box, ground);
  for (guint i = first; i < first + n; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (self->annotated->lines, i);
    const PenStoredPoke *poke = pen_annotated_find_poke (self->annotated, line);
    PenBox part;

    if (!pen_raster_interval (box, self->span, line->from.time, line->to.time, &part))
      continue;
    if (!poke) {
      part.y = box.y + box.height - 2 * scale;
      part.height = 2 * scale;
      pen_raster_fill (raster, part, pen_palette_lane (dark));
      continue;
    }
    pen_raster_fill (raster, part,
                     pen_raster_blend (pen_palette_cause (poke->cause, dark), ground, 0.3));
    pen_raster_tick (raster, box, self->span, line->from.time, 2 * scale,
                     pen_palette_cause (poke->cause, dark));
  }
}

static guint32
count_bin (const PenStripSheet *self, guint first, guint n, guint bin)
{
  guint32 count = 0;

  for (guint i = first; i < first + n; i++)
    count += self->counts[(gsize) i * self->n_bins + bin];
  return count;
}

static void
draw_samples (const PenStripSheet *self, PenRaster *raster, PenBox box, guint first, guint n,
              gboolean dark)
{
  guint32 color = pen_palette_kind (self->annotated->kind, dark);

  for (int x = 0; x < box.width && self->n_bins > 0; x++) {
    guint bin = (guint) ((guint64) x * self->n_bins / (guint) box.width);
    guint32 count = count_bin (self, first, n, bin);
    int height;

    if (count == 0)
      continue;
    /* By the square root: one sample beside a thousand is still to be seen. */
    height = (int) lround (sqrt ((double) count / MAX (self->max, 1)) * box.height);
    height = CLAMP (height, MAX (box.height / 5, 2), box.height);
    pen_raster_fill (raster, (PenBox){ box.x + x, box.y + box.height - height, 1, height }, color);
  }
}

void
pen_strip_sheet_draw (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale,
                      guint first, guint n, gboolean dark)
{
  draw_versions (self, raster, box, scale, first, n, dark);
  draw_samples (self, raster, box, first, n, dark);
}
