/* pen-flame.h: a tree of callers as frames side by side, one row for each level
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-painter.h"
#include "pen-query-flame-diff.h"
#include "pen-raster.h"
#include "pen-theme.h"

G_BEGIN_DECLS

/*
 * PenFlame: where the frames of a tree lie. Logical pixels, from the top of all rows: how far that
 * is above what is seen, is the caller's.
 * @root: the node that takes the whole width, with all below it. Those above it have rows of their
 *   own, as wide
 * @upwards: the tree's root is at the bottom, as flames have it; else at the top, as icicles
 * @height: of all rows, or of what is seen if that is more
 * @row: the height of one
 * @levels: (element-type PenFlameLevel): by depth
 * @diff: (nullable): whose tree it is: set after pen_flame_new(), frames show how the two stretches
 *   differ
 */
typedef struct {
  const PenFlameTree *tree;
  guint root;
  gboolean upwards;
  int width;
  int height;
  int row;
  double em;
  GArray *levels;
  const PenFlameDiff *diff;
} PenFlame;

/* The nodes of a row, side by side: [@first, @end) */
typedef struct {
  guint first;
  guint end;
} PenFlameLevel;

/* What there is at a point. */
typedef enum {
  PEN_FLAME_NOTHING,
  PEN_FLAME_FRAME,
  PEN_FLAME_MERGED, /* frames too narrow to be drawn, or left out of the tree */
} PenFlameThing;

/*
 * PenFlameSpot:
 * @node: of a frame; of merged frames, who called them
 * @n_merged: how many, without those below them
 * @count: of merged frames
 */
typedef struct {
  PenFlameThing thing;
  guint node;
  guint n_merged;
  PenStackCount count;
} PenFlameSpot;

/* @tree: has to outlive it. @seen: the height of what is seen at once. Cost: one step for each node
 * below @root. */
PenFlame *pen_flame_new (const PenFlameTree *tree, guint root, gboolean upwards, int width,
                         int seen, double em);
void pen_flame_free (PenFlame *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFlame, pen_flame_free)

/* The height of a row, for words of that height. */
int pen_flame_get_row_height (double em);
/* Of the rows down to the last with a frame of @width pixels. */
int pen_flame_get_height_of (const PenFlame *self, int width);
/* @depth: as PenFlameNode has it. */
int pen_flame_get_y (const PenFlame *self, guint depth);
/* The pixels of a frame; FALSE: it is not below or above the root. A frame of less than a pixel has
 * a width of 0. */
gboolean pen_flame_get_box (const PenFlame *self, guint node, PenBox *box);
/* O(log nodes of the row), and a step for each neighbour in the same pixel. */
PenFlameSpot pen_flame_find (const PenFlame *self, double x, double y);

/* The frame beside, above or below another, for keys; @node where there is none. Frames too narrow
 * to be seen are passed over. */
guint pen_flame_step (const PenFlame *self, guint node, int dx, int dy);

/*
 * PenFlameMarks: what is emphasized
 * @matches: by group of the tree: whether it is searched for; NULL: nothing is
 */
typedef struct {
  const guint8 *matches;
} PenFlameMarks;

/* The rows from @top on, which is the top of the raster. @scale: of its pixels to a logical one.
 * Cost: one step for each node in sight. */
void pen_flame_draw (const PenFlame *self, const PenFlameMarks *marks, PenRaster *raster, int scale,
                     int top, gboolean dark);
/* The names of frames that have room for one, and the letters of their versions; @seen: as high as
 * what is seen. */
void pen_flame_draw_words (const PenFlame *self, const PenFlameMarks *marks, PenPainter *painter,
                           const PenTheme *theme, int top, int seen);

/* ---- words ---- */

/* What frames were merged into: a function, an occupant or a source file. */
char *pen_flame_dup_group_name (const PenStackGroup *group);
/* As people read it, fit to be shown: "vfs_read", "libc.so.6", "(unknown)". @group: may be
 * PEN_STACK_NO_GROUP: all */
char *pen_flame_dup_name (const PenFlameTree *tree, guint32 group);
/* A frame, for a tooltip: name, occupant, total, own, rate, versions. @seconds: of the stretch; 0:
 * not known */
char *pen_flame_describe (const PenFlameTree *tree, guint node, double seconds);
/* Merged frames, the same. */
char *pen_flame_describe_spot (const PenFlameTree *tree, const PenFlameSpot *spot, double seconds);
/* In one line, for those who listen: "vfs_read, Kernel, level 5, 1 234 samples, 12.3 %, own 30" */
char *pen_flame_speak (const PenFlameTree *tree, guint node);
/* "1 234", or of time off CPU "2.38 s"; "unknown" of waits without a known end */
char *pen_flame_format_number (PenStackMeasure measure, PenStackCount count);
/* "1 234 samples", or of a period "1 234", or of time off CPU "2.38 s off CPU" */
char *pen_flame_format_count (const PenFlameTree *tree, PenStackCount count);
/* Of all that the tree's root has, 0–1. */
double pen_flame_get_share (const PenFlameTree *tree, PenStackCount count);

G_END_DECLS
