/* pen-pair-line-item.h: one row of a function's text in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_PAIR_LINE_ITEM (pen_pair_line_item_get_type ())
G_DECLARE_FINAL_TYPE (PenPairLineItem, pen_pair_line_item, PEN, PAIR_LINE_ITEM, GObject)

/* @line: of @lines */
PenPairLineItem *pen_pair_line_item_new (const PenPairLines *lines, const PenPairLine *line);
const PenPairLine *pen_pair_line_item_get_line (PenPairLineItem *self);

/* All return text that is fit to be shown, owned by the caller. */

/* The instruction of @side; "" where none is. */
char *pen_pair_line_item_dup_code (PenPairLineItem *self, guint side);
/* "≠", "+" …: a mark for each sort of difference; "" for none. Not to be freed. */
const char *pen_pair_line_item_get_mark (PenPairLineItem *self);
/* "+1c": of A, or where it has no such instruction of B */
char *pen_pair_line_item_dup_offset (PenPairLineItem *self);
/* The same in words: "Changed: static key" */
char *pen_pair_line_item_dup_difference (PenPairLineItem *self);
/* All that the row shows, for those who do not see it. */
char *pen_pair_line_item_dup_spoken (PenPairLineItem *self);

G_END_DECLS
