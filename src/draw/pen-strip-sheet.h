/* pen-strip-sheet.h: the rows of an annotation over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-strips.h"
#include "pen-raster.h"

G_BEGIN_DECLS

/* Samples of each line of @annotated in @n_bins steps of @span; line i at [i * n_bins].
 * @max: of one line in one bin
 * @bands: (nullable): of each line, samples that may belong to the other side of a change */
typedef struct {
  const PenAnnotated *annotated;
  PenSpan span;
  guint n_bins;
  const guint32 *counts;
  guint32 max;
  const PenBandCount *bands;
} PenStripSheet;

/* How many of @samples may belong to the other side of a change: "3 of 12 samples lie within 1 ms
 * of a change: they may belong to the text on its other side". NULL: none does */
char *pen_format_band (guint64 near, guint64 samples);

/* The strip of the lines @first to @first + @n - 1, which are versions of one slot, in @box.
 * @scale: raster pixels to a logical one */
void pen_strip_sheet_draw (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale,
                           guint first, guint n, gboolean dark);

/* The poke that brought a line, or NULL. O(log pokes) */
const PenPoke *pen_annotated_find_poke (const PenAnnotated *annotated,
                                        const PenAnnotationLine *line);

G_END_DECLS
