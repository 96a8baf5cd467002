/* pen-slot-list.h: the rows of an annotation, kept in place while samples and time change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slot.h"

G_BEGIN_DECLS

#define PEN_TYPE_SLOT_LIST (pen_slot_list_get_type ())
G_DECLARE_FINAL_TYPE (PenSlotList, pen_slot_list, PEN, SLOT_LIST, GObject)

PenSlotList *pen_slot_list_new (void);

/* Returns: TRUE if the rows are the same as before, with other counts; FALSE if they were replaced.
 * @strips may be NULL: no rows */
gboolean pen_slot_list_set_strips (PenSlotList *self, const PenStrips *strips);
void pen_slot_list_set_playhead (PenSlotList *self, guint64 playhead);
void pen_slot_list_set_clock (PenSlotList *self, const PenClock *clock);

/* The line whose jumps are marked; 0: none. */
void pen_slot_list_set_line (PenSlotList *self, guint64 address);
/* Whether there is room for arrows. */
void pen_slot_list_set_has_arrows (PenSlotList *self, gboolean has_arrows);
void pen_slot_list_set_needle (PenSlotList *self, const char *needle);

/* (transfer none): of PenSlot, by address */
GListModel *pen_slot_list_get_model (PenSlotList *self);

G_END_DECLS
