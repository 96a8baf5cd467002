/* pen-found-list.h: the items of what was found, with headings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-load-find.h"

G_BEGIN_DECLS

/* @answer: (nullable). @unfolded: a bit for each PenFoundKind of which all rows are listed; of
 * others the last stands for the rest. @text: (nullable): also lists the commands that it names
 * Returns: (transfer full) (element-type PenFoundItem) */
GPtrArray *pen_found_list_new (PenFoundAnswer *answer, PenClock clock, guint unfolded,
                               const char *text);

G_END_DECLS
