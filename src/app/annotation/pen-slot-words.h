/* pen-slot-words.h: what an annotation row says in words: its version, its notes, all of it aloud
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slot.h"

G_BEGIN_DECLS

/* All return text that is fit to be shown, owned by the caller. */

/* "original", "patch 2", "written", "erased", "next occupant": what a version is */
char *pen_slot_dup_version_title (PenSlot *self);
/* A version's details: "6.576–7.553 s · sh [132] · 2 of 4 near a change" */
char *pen_slot_dup_version_detail (PenSlot *self);
/* "sh [132] on CPU 1", of who patched; NULL where that is not recorded */
char *pen_slot_dup_who (const PenPoke *poke);
/* "Note: what is this?", a line for each; NULL: there is none */
char *pen_slot_dup_notes (PenSlot *self);
/* The split of its samples: "36 samples: original 3, patch 1 4", and how many are near a change. */
char *pen_slot_dup_samples (PenSlot *self);
/* The @i-th of its versions: "patch 2: ftrace_caller, 5.844816–6.956885 s, 3 samples" */
char *pen_slot_dup_segment (PenSlot *self, guint i);
/* All of them, in the order of time; the first of many. NULL: it has but one */
char *pen_slot_dup_segments (PenSlot *self);
/* All that the row shows, for those who do not see it. */
char *pen_slot_dup_spoken (PenSlot *self);

G_END_DECLS
