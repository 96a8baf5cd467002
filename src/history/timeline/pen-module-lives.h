/* pen-module-lives.h: from when to when, and where, each module was loaded (rules M3, M5 to M7)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-events.h"

G_BEGIN_DECLS

/*
 * pen_module_lives_add:
 * @tenures: (element-type PenTenure): of ksymbols, whose bytes no module held
 *
 * Maps of modules begin with records where there are any. The others follow from snapshots, from
 * loads and frees, and from what the loading task did; so do ends that no record has. They are
 * added to @events as maps and frees, with their evidence. Cost: O(n log n) in the facts, and in
 * the ksymbols for each snapshot.
 *
 * Returns: FALSE: stopped
 */
gboolean pen_module_lives_add (PenEvents *events, const GArray *tenures, PenCancelCheck *check);

G_END_DECLS
