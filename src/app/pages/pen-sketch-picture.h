/* pen-sketch-picture.h: what an import has seen so far, as the drawing room wants it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-outline.h"
#include "pen-query-overview.h"
#include "pen-sketch.h"
#include "pen-span.h"

G_BEGIN_DECLS

/* The strings are those of @sketch, which has to outlive it. */
PenOutline *pen_sketch_picture_new_outline (const PenSketch *sketch);

/* Samples and patches of @span in @n_bins steps: what lies across an edge is divided. */
PenOverview *pen_sketch_picture_new_overview (const PenSketch *sketch, PenSpan span, guint n_bins);

/*
 * pen_sketch_picture_get_span:
 * @part: how much of the file was read, 0–1; a negative number: not known
 * @before: what was shown before; { 0, 0 }: nothing
 *
 * The span to show: as much as there will be, where that can be known. A span that was shown is
 * kept until it is clearly wrong: a picture that never stands still is hard to read.
 */
PenSpan pen_sketch_picture_get_span (const PenSketch *sketch, double part, PenSpan before);

G_END_DECLS
