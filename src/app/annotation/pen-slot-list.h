/* pen-slot-list.h: the rows of an annotation, kept in place while samples and time change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slot.h"

G_BEGIN_DECLS

/* A GListModel of PenSlot, by address. Each is made when it is asked for, and stays then. */
#define PEN_TYPE_SLOT_LIST (pen_slot_list_get_type ())
G_DECLARE_FINAL_TYPE (PenSlotList, pen_slot_list, PEN, SLOT_LIST, GObject)

PenSlotList *pen_slot_list_new (void);

/* Whether the rows are of the function of @strips; NULL: FALSE */
gboolean pen_slot_list_is_of (PenSlotList *self, const PenStrips *strips);
/* Puts newer samples of the same rows in place. Returns: FALSE if @strips has other rows */
gboolean pen_slot_list_update (PenSlotList *self, const PenStrips *strips);
/* @strips may be NULL: no rows */
void pen_slot_list_replace (PenSlotList *self, const PenStrips *strips);
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

/* The versions of slot @row, which need not be made for that. */
guint pen_slot_list_count_versions (PenSlotList *self, guint row);

G_END_DECLS
