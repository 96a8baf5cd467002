/* pen-strip-sheet.h: the rows of an annotation over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-painter.h"
#include "pen-query-strips.h"
#include "pen-raster.h"
#include "pen-theme.h"

G_BEGIN_DECLS

/* @counts: samples of each line of @annotated in equal steps of @counted, or ns off CPU
 * @span: that is drawn
 * @bands: (nullable): of each line, samples that may belong to the other side of a change */
typedef struct {
  const PenAnnotated *annotated;
  PenSpan span;
  PenSpan counted;
  const PenStripCounts *counts;
  const PenBandCount *bands;
} PenStripSheet;

/* How many of @amount may belong to the other side of a change: "3 of 12 samples lie within 1 ms of
 * a change: their side is uncertain". NULL: none does */
char *pen_format_band (guint64 near, PenAmount amount);

/* The strip of the lines @first to @first + @n - 1, which are versions of one slot, in @box.
 * @scale: raster pixels to a logical one */
void pen_strip_sheet_draw (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale,
                           guint first, guint n, gboolean dark);

/* The same lines in words, over their segments, where these have the room: "nop", "ftrace_caller".
 * One version has none: its row shows it. */
void pen_strip_sheet_draw_words (const PenStripSheet *self, PenPainter *painter,
                                 const PenTheme *theme, double x, double y, double width,
                                 double height, guint first, guint n);

/*
 * pen_strip_sheet_find:
 * @x: of a strip @width pixels wide
 * @time: (out): in the version found, if there is one
 *
 * A version that is hardly to be seen is found by pixels nearby, too. Cost: @n.
 * Returns: which of the lines @first to @first + @n - 1 is there; G_MAXUINT: none
 */
guint pen_strip_sheet_find (const PenStripSheet *self, double width, double x, guint first, guint n,
                            guint64 *time);

/* A version in one or two words: of a call its target, of anything else the instruction. */
char *pen_strip_sheet_dup_word (const PenStripSheet *self, const PenAnnotationLine *line);

/* The poke that brought a line, or NULL. O(log pokes) */
const PenPoke *pen_annotated_find_poke (const PenAnnotated *annotated,
                                        const PenAnnotationLine *line);

G_END_DECLS
