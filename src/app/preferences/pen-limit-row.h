/* pen-limit-row.h: how large the cache may be: a few sizes, and the one that is set
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PEN_TYPE_LIMIT_ROW (pen_limit_row_get_type ())
G_DECLARE_FINAL_TYPE (PenLimitRow, pen_limit_row, PEN, LIMIT_ROW, AdwComboRow)

/* Shows the limit, in bytes or PEN_CACHE_NO_LIMIT; one that is none of the sizes becomes a choice
 * of its own. Does not emit “limit-chosen”, which is for what the user chooses. */
void pen_limit_row_set_limit (PenLimitRow *self, guint64 limit);
/* Shows that no limit is known: nothing is chosen. */
void pen_limit_row_set_unknown (PenLimitRow *self);

G_END_DECLS
