/* pen-slot.h: one row of the annotation: an instruction slot, or one of its versions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-answers.h"
#include "pen-clock.h"
#include "pen-jump-layout.h"
#include "pen-query-notes.h"
#include "pen-strip-sheet.h"

G_BEGIN_DECLS

/* Emits "changed" when what it shows has changed. */
#define PEN_TYPE_SLOT (pen_slot_get_type ())
G_DECLARE_FINAL_TYPE (PenSlot, pen_slot, PEN, SLOT, GObject)

/* The version that is shown as of some time, and whether it stood there at all. */
typedef struct {
  guint version;
  gboolean is_present;
} PenSlotState;

/* For the @n lines of a slot from @first on, in @lines (element-type PenAnnotationLine). */
PenSlotState pen_slot_find_state (GPtrArray *lines, guint first, guint n, guint64 playhead);

/* @first, @n: its lines in the annotation */
PenSlot *pen_slot_new (const PenStrips *strips, guint first, guint n, guint64 hottest);

/* Puts newer samples of the same lines in place. */
void pen_slot_update (PenSlot *self, const PenStrips *strips, guint first, guint64 hottest);
/* Shows the text as of @playhead. */
void pen_slot_set_playhead (PenSlot *self, guint64 playhead);
/* The clock that its times are printed with. */
void pen_slot_set_clock (PenSlot *self, const PenClock *clock);
const PenClock *pen_slot_get_clock (PenSlot *self);

/* The known sides of changes; of another text, or NULL: nothing. */
void pen_slot_set_sides (PenSlot *self, const PenSides *sides);
/* Samples, or waits, so near to a change that they may belong to its other side. */
guint64 pen_slot_get_near (PenSlot *self);

/* Notes about it: (element-type PenNoteRow), which @owner keeps alive; NULL: none. For a version,
 * the notes about a time in which it stood there. */
void pen_slot_set_notes (PenSlot *self, GPtrArray *notes, GPtrArray *owner);
GPtrArray *pen_slot_get_notes (PenSlot *self);

/* Whether it is pointed at, here or in another view. */
void pen_slot_set_lit (PenSlot *self, gboolean lit);
gboolean pen_slot_is_lit (PenSlot *self);

/* The searched text, to be marked: "" for nothing. */
void pen_slot_set_needle (PenSlot *self, const char *needle);
const char *pen_slot_get_needle (PenSlot *self);
/* Is @needle, case ignored, in what the row shows of any of its versions: offset, bytes,
 * instruction, name of the target? Nothing matches "". */
gboolean pen_slot_matches (PenSlot *self, const char *needle);

/* The arrows of jumps beside it; beside versions the lines go on that go on to the next slot. */
void pen_slot_set_jumps (PenSlot *self, const PenJumpCell *cell, guint n_lanes);
/* Returns: of how many lanes */
guint pen_slot_get_jumps (PenSlot *self, PenJumpCell *cell);

/* (transfer full) (nullable): a PenSlot per version, or NULL where there is nothing to open */
GListModel *pen_slot_dup_versions (PenSlot *self);
gboolean pen_slot_is_version (PenSlot *self);

/* The line that it shows: of a slot the version as of the playhead. Owned by the annotation. */
const PenAnnotationLine *pen_slot_get_line (PenSlot *self);
guint64 pen_slot_get_address (PenSlot *self);
/* The index of that line among those of the annotation. */
guint pen_slot_get_line_index (PenSlot *self);
/* Whether the version shown stood there at the playhead at all. */
gboolean pen_slot_is_present (PenSlot *self);

guint pen_slot_get_n_lines (PenSlot *self);
const PenAnnotationLine *pen_slot_get_nth_line (PenSlot *self, guint i);
PenAmount pen_slot_get_amount (PenSlot *self);
/* Of one of its lines. */
PenAmount pen_slot_get_line_amount (PenSlot *self, const PenAnnotationLine *line);
/* Of the slot with most samples, or most time off CPU: the length of a full bar. */
guint64 pen_slot_get_hottest (PenSlot *self);
const PenStrips *pen_slot_get_strips (PenSlot *self);
/* Its lines are @first and as many as pen_slot_get_n_lines() after it of the annotation. */
guint pen_slot_get_first (PenSlot *self);
/* The samples and versions of its annotation over @span; of its time alone, if that is empty. Valid
 * until the slot changes. */
PenStripSheet pen_slot_make_sheet (PenSlot *self, PenSpan span);

/* The poke that brought a line, or NULL. */
const PenPoke *pen_slot_find_poke (PenSlot *self, const PenAnnotationLine *line);
/* For a version: the one of the slot that was there before it, or NULL. */
const PenAnnotationLine *pen_slot_get_line_before (PenSlot *self);

G_END_DECLS
