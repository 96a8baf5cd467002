/* pen-pair-detail.h: what two recordings have of a function, and what is compared of all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-item.h"
#include "pen-pane.h"

G_BEGIN_DECLS

/*
 * PenPairDetail: the text, source lines or callers of the function that is chosen, all call paths,
 * or what stands differently. Signals:
 *   row-wanted   a row of the list (PenPairRow *), which was pointed at
 */
#define PEN_TYPE_PAIR_DETAIL (pen_pair_detail_get_type ())
G_DECLARE_FINAL_TYPE (PenPairDetail, pen_pair_detail, PEN, PAIR_DETAIL, PenPane)

/* Once. */
void pen_pair_detail_set_pair (PenPairDetail *self, PenPairSession *pair);
/* @item: (nullable): the row of the list that is chosen; its lines come from the session */
void pen_pair_detail_set_item (PenPairDetail *self, PenPairItem *item);
PenPairShown pen_pair_detail_get_shown (PenPairDetail *self);

G_END_DECLS
