/* pen-jump-layout.h: where the arrows of jumps run beside the lines of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Side by side; jumps that find no room are left out. */
#define PEN_JUMP_LANES 6

typedef struct {
  guint from; /* rows */
  guint to;
} PenJump;

/*
 * PenJumpCell: what stands beside one row, a bit for each lane; lane 0 is next to the instruction
 * @up, @down: the line of the lane goes on to the row above, to the row below
 * @origin: a jump begins here
 * @arrow: jumps end here
 * @marked: of the lines above, those that are to be seen first
 */
typedef struct {
  guint8 up;
  guint8 down;
  guint8 origin;
  guint8 arrow;
  guint8 marked;
} PenJumpCell;

typedef struct _PenJumpLayout PenJumpLayout;

/*
 * pen_jump_layout_new:
 * @jumps: in any order; those with a row from @n_rows on are left out
 * Jumps to one row share a lane. Short ways run inside of long ones.
 * Cost: O(n log n) in the jumps, and their length in rows for each that is drawn.
 */
PenJumpLayout *pen_jump_layout_new (const PenJump *jumps, gsize n, guint n_rows);
void pen_jump_layout_free (PenJumpLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenJumpLayout, pen_jump_layout_free)

guint pen_jump_layout_get_n_lanes (PenJumpLayout *self);
const PenJumpCell *pen_jump_layout_get_cell (PenJumpLayout *self, guint row);
/* Marks the lines that begin or end at @row, and no others. G_MAXUINT: none */
void pen_jump_layout_mark (PenJumpLayout *self, guint row);

G_END_DECLS
