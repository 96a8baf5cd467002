/* pen-occupant-item.h: one row of the list of occupants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-answers.h"
#include "pen-clock.h"

G_BEGIN_DECLS

#define PEN_TYPE_OCCUPANT_ITEM (pen_occupant_item_get_type ())
G_DECLARE_FINAL_TYPE (PenOccupantItem, pen_occupant_item, PEN, OCCUPANT_ITEM, GObject)

PenOccupantItem *pen_occupant_item_new (const PenOccupantTable *table, guint index, PenClock clock);

const PenOccupantRow *pen_occupant_item_get_row (PenOccupantItem *self);
PenAmount pen_occupant_item_get_amount (PenOccupantItem *self);
/* The same tenure in another list. For pen_kept_rows_splice(). */
guint pen_occupant_item_hash (gconstpointer item);
gboolean pen_occupant_item_equal (gconstpointer a, gconstpointer b);
void pen_occupant_item_take (gpointer item, gpointer like);
const PenClock *pen_occupant_item_get_clock (PenOccupantItem *self);
/* "(unknown)" where it has none */
char *pen_occupant_item_dup_name (PenOccupantItem *self);
/* "5.748 – 6.838 s", "whole recording", "34 processes" … */
char *pen_occupant_item_dup_life (PenOccupantItem *self);
/* Such without a time, for PenColumnSpec.get_word; NULL after the last */
const char *pen_occupant_item_get_life (guint i);
/* "bpf_prog_b since 6.91 s", or "" */
/* A program's type, id and tag; for a file, how many processes mapped it */
char *pen_occupant_item_dup_detail (PenOccupantItem *self);
char *pen_occupant_item_dup_evidence (PenOccupantItem *self);
/* @wanted: its case folded; "": everything. Whether any of its columns prints it; an address is
 * that of all whose range has it. */
gboolean pen_occupant_item_matches (PenOccupantItem *self, const char *wanted);
/* "name, 5.7481 s"; its name alone. "": nothing came after it */
char *pen_occupant_item_dup_next (PenOccupantItem *self);
char *pen_occupant_item_dup_next_name (PenOccupantItem *self);

G_END_DECLS
