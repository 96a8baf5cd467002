/* pen-slot-steps.h: which line of an annotation comes next: by heat, by change, by what it says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slot.h"

G_BEGIN_DECLS

/*
 * Each finds the line to go to from the one at @address, and writes its address there.
 * @slots: of PenSlot, by address
 * @direction: 1 to the next one, -1 to the previous one; after the last comes the first
 * @address: (inout): 0: no line yet
 * Returns: FALSE where there is none to go to; @address is then left alone
 * Cost: the lines.
 */

/* Lines with samples, most samples, or most time off CPU, first; those with as many by address.
 * From a line without samples to the first of all. */
gboolean pen_slot_steps_hot (GListModel *slots, int direction, guint64 *address);
/* Lines that were changed, by address. */
gboolean pen_slot_steps_patched (GListModel *slots, int direction, guint64 *address);
/* Lines in which @needle is found, by address: see pen_slot_matches(). @direction 0: this very
 * line, if it is one, or else the next. */
gboolean pen_slot_steps_matching (GListModel *slots, const char *needle, int direction,
                                  guint64 *address);
/* @place: (out): which of them is at @address, from 1; 0: none */
guint pen_slot_steps_count_matching (GListModel *slots, const char *needle, guint64 address,
                                     guint *place);

G_END_DECLS
