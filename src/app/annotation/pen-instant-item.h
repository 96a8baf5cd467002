/* pen-instant-item.h: one row of two texts side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"

G_BEGIN_DECLS

#define PEN_TYPE_INSTANT_ITEM (pen_instant_item_get_type ())
G_DECLARE_FINAL_TYPE (PenInstantItem, pen_instant_item, PEN, INSTANT_ITEM, GObject)

PenInstantItem *pen_instant_item_new (const PenInstantTable *table, guint index);
const PenInstantRow *pen_instant_item_get_row (PenInstantItem *self);
/* @side: 0: A, 1: B */
PenAmount pen_instant_item_get_amount (PenInstantItem *self, guint side);

/* All return text that is fit to be shown, owned by the caller. */

/* "+1c"; of text without a symbol its address */
char *pen_instant_item_dup_offset (PenInstantItem *self);
/* The instruction of @side, 0 or 1; "" where none begins there. */
char *pen_instant_item_dup_code (PenInstantItem *self, guint side);
/* "≠", "+" …: a mark for each sort of difference; "" for none. Not to be freed. */
const char *pen_instant_item_get_mark (PenInstantItem *self);
/* The same in words: "Changed", "Other occupant: bpf_prog_1" */
char *pen_instant_item_dup_difference (PenInstantItem *self);
/* All that the row shows, for those who do not see it. */
char *pen_instant_item_dup_spoken (PenInstantItem *self);

G_END_DECLS
