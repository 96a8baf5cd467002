/* pen-filter-entry.h: a button with a popover, in which a filter is typed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_FILTER_ENTRY (pen_filter_entry_get_type ())
G_DECLARE_FINAL_TYPE (PenFilterEntry, pen_filter_entry, PEN, FILTER_ENTRY, AdwBin)

void pen_filter_entry_set_session (PenFilterEntry *self, PenSession *session);
/* Only its icon, where there is little room. */
void pen_filter_entry_set_narrow (PenFilterEntry *self, gboolean narrow);
/* Opens the popover, ready for typing. */
void pen_filter_entry_popup (PenFilterEntry *self);

G_END_DECLS
