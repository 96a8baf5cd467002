/* pen-lanes.h: the lanes of the overview: where each lies, what is drawn in it, what is at a point
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-outline.h"
#include "pen-query-bars.h"
#include "pen-query-overview.h"
#include "pen-query-tasks.h"
#include "pen-raster.h"

G_BEGIN_DECLS

typedef enum {
  PEN_LANE_SAMPLES,
  PEN_LANE_CPUS,     /* one row per CPU; on demand */
  PEN_LANE_TASKS,    /* one row per process with most samples; on demand */
  PEN_LANE_PATCHES,  /* one row per cause that the capture has */
  PEN_LANE_PROGRAMS, /* dynamic text: one row per range of addresses */
  PEN_LANE_LOST,
  PEN_LANES,
} PenLaneKind;

/*
 * What decides where lanes lie.
 * @outline: NULL: only the lane of samples is there
 * @cpus, @tasks: NULL: that lane is not there; that of CPUs of waits has one row, and words why
 * @folded: bit per PenLaneKind: drawn in one row
 * @compact: samples, and all patches in one row, are all there is
 * @first_row: of the programs, where not all of them have room
 * @em: height of a line of words, in logical pixels
 */
typedef struct {
  const PenOutline *outline;
  const PenTaskBins *cpus;
  const PenTaskBins *tasks;
  guint32 folded;
  gboolean compact;
  guint first_row;
  double em;
} PenLanesShape;

/*
 * PenLanes: the picture of a capture, without a toolkit
 * @boxes: in logical pixels from the plot's left top; height 0: not shown
 * @row_heights: of the lanes that have rows; 0 where folded or not shown
 */
typedef struct {
  PenLanesShape shape;
  PenBox boxes[PEN_LANES];
  int row_heights[PEN_LANES];
  PenCause causes[PEN_CAUSES];
  guint n_causes;
  guint n_rows; /* of programs */
  guint first_row;
} PenLanes;

void pen_lanes_layout (PenLanes *self, const PenLanesShape *shape, int width, int height);
/* The least height that shows every lane. */
int pen_lanes_get_min_height (const PenLanesShape *shape);
/* The height beyond it that is comfortable. */
int pen_lanes_get_extra_height (const PenLanesShape *shape);
/* How many rows of programs fit. */
guint pen_lanes_get_visible_rows (const PenLanes *self);
gboolean pen_lanes_is_folded (const PenLanes *self, PenLaneKind lane);

/* "Samples", "Patches" …; and for commands: "samples", "cpus" … */
const char *pen_lane_get_title (PenLaneKind lane);
const char *pen_lane_to_string (PenLaneKind lane);
gboolean pen_lane_from_string (const char *word, PenLaneKind *lane);

/* @scale: raster pixels per logical pixel. @overview may be NULL; of another stretch than @view, it
 * is drawn where it belongs. */
void pen_lanes_draw (const PenLanes *self, PenRaster *raster, int scale,
                     const PenOverview *overview, PenSpan view, gboolean dark);

PenBox pen_lanes_get_cause_box (const PenLanes *self, guint index);
/* FALSE: scrolled out of sight */
gboolean pen_lanes_get_row_box (const PenLanes *self, guint row, PenBox *box);
/* A row of PEN_LANE_CPUS or PEN_LANE_TASKS. */
PenBox pen_lanes_get_task_box (const PenLanes *self, PenLaneKind lane, guint row);

/* PEN_LANES: none */
PenLaneKind pen_lanes_find_lane (const PenLanes *self, int y);
/* The bar at a point, the last begun where several are within a pixel; NULL: none. O(log bars). */
const PenBar *pen_lanes_find_bar (const PenLanes *self, PenSpan view, int x, int y);
/* The patches nearest to a point in their cause's row, within 4 pixels. O(log marks). */
const PenPatchMark *pen_lanes_find_mark (const PenLanes *self, const PenOverview *overview,
                                         PenSpan view, int x, int y);
/* Row of PEN_LANE_CPUS or PEN_LANE_TASKS; -1: none */
int pen_lanes_find_task_row (const PenLanes *self, PenLaneKind lane, int y);

G_END_DECLS
