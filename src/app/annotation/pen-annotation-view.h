/* pen-annotation-view.h: a function's instructions, and how they changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_ANNOTATION_VIEW (pen_annotation_view_get_type ())
G_DECLARE_FINAL_TYPE (PenAnnotationView, pen_annotation_view, PEN, ANNOTATION_VIEW, PenPane)

void pen_annotation_view_set_session (PenAnnotationView *self, PenSession *session);

/* Opens the slot at @address into its versions, if it has several. */
void pen_annotation_view_open_line (PenAnnotationView *self, guint64 address);

/* Shows the bar in which one looks for a line, and goes there. */
void pen_annotation_view_start_find (PenAnnotationView *self);

G_END_DECLS
