/* pen-slot-cells.h: what the cells of an annotation row say
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-slot.h"

G_BEGIN_DECLS

/* The columns, from left to right. */
typedef enum {
  PEN_SLOT_OFFSET,
  PEN_SLOT_SAMPLES,
  PEN_SLOT_BYTES,
  PEN_SLOT_INSTRUCTION,
  PEN_SLOT_SOURCE,
  PEN_SLOT_TIME,
  PEN_SLOT_COLUMNS,
} PenSlotColumn;

#define PEN_SLOT_CUE "↯"
#define PEN_SLOT_NOTE "✎"

/* All return text that is fit to be shown, owned by the caller. */

/* "+2b", or of a version its number or its title */
char *pen_slot_cells_dup_offset (PenSlot *slot);
char *pen_slot_cells_dup_bytes (PenSlot *slot);
char *pen_slot_cells_dup_instruction (PenSlot *slot);
/* "" where no line of source is known */
char *pen_slot_cells_dup_source (PenSlot *slot);

/* Marks what is looked for in a cell, and the bytes that the version before did not have. */
void pen_slot_cells_mark (PenSlot *slot, PenSlotColumn column, const char *text,
                          PangoAttrList *marks);

/* All that is written in the cell, to be pasted; "": the picture of the time has no words */
char *pen_slot_cells_dup_text (PenSlot *slot, PenSlotColumn column);
/* (nullable) */
char *pen_slot_cells_dup_tooltip (PenSlot *slot, PenSlotColumn column);

G_END_DECLS
