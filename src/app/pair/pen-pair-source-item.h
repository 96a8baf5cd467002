/* pen-pair-source-item.h: one line of a function's source in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_PAIR_SOURCE_ITEM (pen_pair_source_item_get_type ())
G_DECLARE_FINAL_TYPE (PenPairSourceItem, pen_pair_source_item, PEN, PAIR_SOURCE_ITEM, GObject)

/* @line: of @lines */
PenPairSourceItem *pen_pair_source_item_new (const PenPairLines *lines,
                                             const PenPairSourceLine *line);
const PenPairSourceLine *pen_pair_source_item_get_line (PenPairSourceItem *self);

/* "fair.c:88", or with @is_whole the path before it; "" where none is known. (transfer full) */
char *pen_pair_source_item_dup_place (PenPairSourceItem *self, guint side, gboolean is_whole);
/* All that the row shows, for those who do not see it. (transfer full) */
char *pen_pair_source_item_dup_spoken (PenPairSourceItem *self);

G_END_DECLS
