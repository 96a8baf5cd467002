/* pen-find-box.h: one box for whatever one looks for, and for a trace that is pasted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-fold.h"
#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenFindBox: lies over the window while one types, and goes after a selection. A trace
 * stays beside what is shown until it is closed: notify::is-trace
 */
#define PEN_TYPE_FIND_BOX (pen_find_box_get_type ())
G_DECLARE_FINAL_TYPE (PenFindBox, pen_find_box, PEN, FIND_BOX, AdwBin)

/* Width of a trace at the side. */
#define PEN_FIND_BOX_WIDTH 400

void pen_find_box_set_session (PenFindBox *self, PenSession *session);
/* Shows it; with the trace that is open, or else to type. */
void pen_find_box_open (PenFindBox *self);
/* As if @text had been typed into it, and Return pressed. */
void pen_find_box_search (PenFindBox *self, const char *text);
void pen_find_box_close (PenFindBox *self);
gboolean pen_find_box_is_trace (PenFindBox *self);
/* Whether a trace has room of its own; else the box lies over the page. */
gboolean pen_find_box_is_beside (PenFindBox *self);
/* What lies over the page is not left by Tab, as a dialog: goes on from its last place to its
 * first. Returns: FALSE: it is beside the page, or has no such place */
gboolean pen_find_box_go_round (PenFindBox *self, GtkDirectionType direction);
/* Without room beside, a trace lies over the window. In a narrow one it goes after a place was
 * selected, and comes back when it is opened again. */
void pen_find_box_set_width (PenFindBox *self, PenWidth width);

G_END_DECLS
