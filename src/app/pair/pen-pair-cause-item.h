/* pen-pair-cause-item.h: a static key, traced function, probe or program in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_PAIR_CAUSE_ITEM (pen_pair_cause_item_get_type ())
G_DECLARE_FINAL_TYPE (PenPairCauseItem, pen_pair_cause_item, PEN, PAIR_CAUSE_ITEM, GObject)

/* @cause: of @list */
PenPairCauseItem *pen_pair_cause_item_new (const PenPairCauseList *list, const PenPairCause *cause);
const PenPairCause *pen_pair_cause_item_get_cause (PenPairCauseItem *self);

/* All return text that is fit to be shown, owned by the caller. */

/* "apparmor_initialized", "vfs_read+0x1c", "fe_read" */
char *pen_pair_cause_item_dup_name (PenPairCauseItem *self);
/* Its first place, if that is not its name: "vfs_read+0x1c"; "" */
char *pen_pair_cause_item_dup_place (PenPairCauseItem *self);
/* What it is, what for, and where */
char *pen_pair_cause_item_dup_facts (PenPairCauseItem *self);
/* "A: On 57.3 %, 12 flips, 1 site": on for that share of the time */
char *pen_pair_cause_item_dup_stand (PenPairCauseItem *self, guint side);
/* All that the row shows, for those who do not see it. */
char *pen_pair_cause_item_dup_spoken (PenPairCauseItem *self);

G_END_DECLS
