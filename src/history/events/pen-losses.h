/* pen-losses.h: what was lost, and what can no longer be sure because of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-tenure.h"

G_BEGIN_DECLS

/* Sorts @losses (element-type PenLoss) by from. */
void pen_losses_sort (GArray *losses);

/* Sets unverified_from of @tenures (element-type PenTenure). @losses: sorted */
void pen_losses_mark (GArray *losses, GArray *tenures);

/* The beginning of the first that hides changes and ends after @time, if it is not after @time;
 * G_MAXUINT64: there is none */
guint64 pen_losses_find_first (GArray *losses, guint64 time);

G_END_DECLS
