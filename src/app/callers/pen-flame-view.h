/* pen-flame-view.h: the stacks of samples as frames side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-flame.h"
#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenFlameView: the session's tree of stacks. A click on a frame looks into it; arrows select
 * frames. @signals:
 *   selected                 another frame is, by a person
 *   menu                     (double x, double y): the menu of the selected frame is asked for
 * there
 */
#define PEN_TYPE_FLAME_VIEW (pen_flame_view_get_type ())
G_DECLARE_FINAL_TYPE (PenFlameView, pen_flame_view, PEN, FLAME_VIEW, GtkWidget)

void pen_flame_view_set_session (PenFlameView *self, PenSession *session);
/* How far down one looks. */
GtkAdjustment *pen_flame_view_get_adjustment (PenFlameView *self);
/* What is drawn: the newest answer. (nullable): none yet */
const PenFlameAnswer *pen_flame_view_get_answer (PenFlameView *self);
/* The selected node of it; FALSE: none is */
gboolean pen_flame_view_get_selected (PenFlameView *self, guint *node);
/* Selects @node and has it in sight. */
void pen_flame_view_select (PenFlameView *self, guint node);
/* Where the selected frame is. FALSE: it is out of sight. */
gboolean pen_flame_view_get_selected_box (PenFlameView *self, GdkRectangle *box);
/* Looks into a node of the answer: it takes the whole width. */
void pen_flame_view_zoom (PenFlameView *self, guint node);
/* @text: emphasizes frames with it in their name, case ignored; "": none
 * Returns: groups that match; @count: (out): stacks through these, of the tree's root */
guint pen_flame_view_search (PenFlameView *self, const char *text, PenStackCount *count);
/* The tooltip there. (transfer full) (nullable) */
char *pen_flame_view_describe_point (PenFlameView *self, double x, double y);

G_END_DECLS
