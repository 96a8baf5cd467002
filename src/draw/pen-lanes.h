/* pen-lanes.h: the lanes of the overview: where each lies, what is drawn in it, what is at a point
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-outline.h"
#include "pen-raster.h"

G_BEGIN_DECLS

typedef enum {
  PEN_LANE_SAMPLES,
  PEN_LANE_PATCHES,  /* one row per cause that the capture has */
  PEN_LANE_PROGRAMS, /* dynamic text: one row per range of addresses */
  PEN_LANE_LOST,
  PEN_LANES,
} PenLaneKind;

/*
 * PenLanes: the picture of a capture over @view, without a toolkit
 * @boxes: in logical pixels from the plot's left top; height 0: not shown
 * @row_height: of one row of programs; @first_row: scrolled to
 */
typedef struct {
  PenBox boxes[PEN_LANES];
  PenCause causes[PEN_CAUSES];
  guint n_causes;
  int cause_height;
  int row_height;
  guint n_rows;
  guint first_row;
} PenLanes;

/* @outline may be NULL: then only the lane of samples is there. */
void pen_lanes_layout (PenLanes *self, const PenOutline *outline, int width, int height,
                       guint first_row);
/* The least height that shows every lane. */
int pen_lanes_get_min_height (const PenOutline *outline);
/* What more it takes to be comfortable. */
int pen_lanes_get_extra_height (const PenOutline *outline);
/* How many rows of programs fit. */
guint pen_lanes_get_visible_rows (const PenLanes *self);

/* @scale: raster pixels per logical pixel. @overview may be NULL. */
void pen_lanes_draw (const PenLanes *self, PenRaster *raster, int scale, const PenOutline *outline,
                     const PenOverview *overview, PenSpan view, gboolean dark);

PenBox pen_lanes_get_cause_box (const PenLanes *self, guint index);
/* FALSE: scrolled out of sight */
gboolean pen_lanes_get_row_box (const PenLanes *self, guint row, PenBox *box);

PenLaneKind pen_lanes_find_lane (const PenLanes *self, int y);
/* The bar at a point, the last begun where several are within a pixel; NULL: none. O(log bars). */
const PenBar *pen_lanes_find_bar (const PenLanes *self, const PenOutline *outline, PenSpan view,
                                  int x, int y);
/* The patch nearest to a point in its cause's row, within 4 pixels. O(log ticks). */
const PenPokeTick *pen_lanes_find_tick (const PenLanes *self, const PenOverview *overview,
                                        PenSpan view, int x, int y);

G_END_DECLS
