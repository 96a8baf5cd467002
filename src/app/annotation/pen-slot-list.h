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

/* NULL: none, as for each text that comes. */
void pen_slot_list_set_sides (PenSlotList *self, const PenSides *sides);
/* (element-type PenNoteRow) (nullable) */
void pen_slot_list_set_notes (PenSlotList *self, GPtrArray *notes);
/* The addresses that are pointed at; @to 0: none. */
void pen_slot_list_set_lit (PenSlotList *self, guint64 from, guint64 to);

/* The line whose jumps are marked; 0: none. */
void pen_slot_list_set_line (PenSlotList *self, guint64 address);
/* Whether there is room for arrows. */
void pen_slot_list_set_has_arrows (PenSlotList *self, gboolean has_arrows);
void pen_slot_list_set_needle (PenSlotList *self, const char *needle);

/* The slot that holds @address: its position in the model. FALSE: none does */
gboolean pen_slot_list_find (PenSlotList *self, guint64 address, guint *position);

/* (transfer none): of PenSlot, by address */
GListModel *pen_slot_list_get_model (PenSlotList *self);

G_END_DECLS
