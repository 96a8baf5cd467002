/* pen-changes-view.h: the detail of causes: every map, register, unregister and poke: search, sort,
 * go there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* Needs the action win.show-code of its window, and causes.fold-changes of the page that it is in.
 */
#define PEN_TYPE_CHANGES_VIEW (pen_changes_view_get_type ())
G_DECLARE_FINAL_TYPE (PenChangesView, pen_changes_view, PEN, CHANGES_VIEW, PenPane)

void pen_changes_view_set_session (PenChangesView *self, PenSession *session);
/* The first item of its list of scopes has the changes of row @row of @causes, an answer; NULL: all
 * patches and programs. */
void pen_changes_view_set_cause (PenChangesView *self, const PenCauseTable *causes, guint row);
/* Leaves nothing but the header. */
void pen_changes_view_set_folded (PenChangesView *self, gboolean folded);
void pen_changes_view_start_search (PenChangesView *self);

G_END_DECLS
