/* pen-history-heading.h: whose patch history it is, for the heading of the pane
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-query-history.h"

G_BEGIN_DECLS

/*
 * pen_history_heading_find_holder:
 * @strips: (nullable): of the text that is shown
 * @is_at_start: nobody moved the playhead
 *
 * An address may have had several holders. It is that of the playhead, but at the start that of the
 * text.
 *
 * Returns: (nullable): a row of @table; NULL: it has none
 */
const PenHistoryRow *pen_history_heading_find_holder (const PenHistoryTable *table,
                                                      const PenStrips *strips, guint64 playhead,
                                                      gboolean is_at_start);

/* "vfs_read+0x0 · 3 changes", of one of several holders "name (id 23)+0x4 · 0 changes · occupant
 * 2 of 3". @holder: has a symbol; @name: (out) (transfer full): what it begins with */
char *pen_history_heading_describe (const PenHistoryTable *table, const PenHistoryRow *holder,
                                    char **name);

G_END_DECLS
