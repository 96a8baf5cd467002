/* pen-map.h: the text map: occupants, patches and samples, over addresses and time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-address-axis.h"
#include "pen-outline.h"
#include "pen-plot.h"
#include "pen-query-bars.h"
#include "pen-raster.h"

G_BEGIN_DECLS

/*
 * PenMap: addresses rise downwards, as in a listing.
 * @bins: NULL: none yet; of another stretch or other addresses, they are drawn where they belong
 * @axis_view, @view: what is looked at
 * @width, @height: logical pixels
 */
typedef struct {
  const PenOutline *outline;
  const PenAddressAxis *axis;
  const PenMapBins *bins;
  PenAxisView axis_view;
  PenSpan view;
  int width;
  int height;
  GCancellable *cancellable; /* (nullable): once it is cancelled, lanes are missing */
} PenMap;

/* @raster: has pixels. @scale: of them to a logical one */
void pen_map_draw (const PenMap *self, PenRaster *raster, int scale, gboolean dark);

/* Beside it: what ranges and functions are; on it: names of occupants, how many patches. */
void pen_map_draw_words (const PenMap *self, const PenPlot *plot, PenPainter *painter,
                         const PenTheme *theme);

/* Beside a part of the axis, which part of all it is; nothing where all is shown. */
void pen_map_draw_scroll (const PenMap *self, const PenPlot *plot, PenPainter *painter,
                          const PenTheme *theme);

/* Logical pixels from the top. */
double pen_map_get_y (const PenMap *self, guint64 address);
guint64 pen_map_get_address (const PenMap *self, double y);

/* At a point: the occupant that came last of those there; O(log lanes + log bars). */
const PenBar *pen_map_find_bar (const PenMap *self, int x, int y);
/* The mark nearest to it, of those within some pixels; O(log marks). */
const PenMapMark *pen_map_find_mark (const PenMap *self, int x, int y);
/* Index of the first mark at @time or later. */
guint pen_map_find_first_mark (const PenMap *self, guint64 time);
/* The range after the gap that is there; NULL: there is none. */
const PenAxisRange *pen_map_find_gap (const PenMap *self, int y);
/* The function with a name of its own there; O(log names). */
const PenMapName *pen_map_find_name (const PenMap *self, int y);
/* "1 234 samples", or "2.38 s off CPU": about as many are in a rectangle of what is in view. */
char *pen_map_format_count (const PenMap *self, guint64 from, guint64 to, guint64 first,
                            guint64 last);
/* The same of all that was counted. */
char *pen_map_format_total (const PenMapBins *bins);
/* The words for a point, for a person; NULL: nothing. */
char *pen_map_describe (const PenMap *self, const PenClock *clock, int x, int y);

G_END_DECLS
