/* pen-pair-item.h: one row of the functions of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_PAIR_ITEM (pen_pair_item_get_type ())
G_DECLARE_FINAL_TYPE (PenPairItem, pen_pair_item, PEN, PAIR_ITEM, GObject)

/* @index: of the list's rows */
PenPairItem *pen_pair_item_new (const PenPairList *list, guint index);
const PenPairRow *pen_pair_item_get_row (PenPairItem *self);
guint pen_pair_item_get_index (PenPairItem *self);
/* What rows are compared by: rates, or shares. */
const PenPairTest *pen_pair_item_get_test (PenPairItem *self);

/* How long a bar is, and where its interval begins and ends, 0–1: 1 is the higher end of the row's
 * intervals, so that rare functions are seen, too */
typedef struct {
  double value;
  double low;
  double high;
} PenPairBar;

PenPairBar pen_pair_item_get_bar (PenPairItem *self, guint side);

/* The symbol, both where it was renamed, or the occupant in its place. (transfer full) */
char *pen_pair_item_dup_name (PenPairItem *self);

G_END_DECLS
