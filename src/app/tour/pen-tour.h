/* pen-tour.h: callouts beside the parts of a window, one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenTour: lies over a window; only its callout takes the pointer. Hidden until it is started, and
 * once it has ended: by its buttons, by Escape, or by pen_tour_end(). Emits "step" before a callout
 * is shown, with its number from 0: whoever owns the tour brings its target into sight then. The
 * last callout has a button for the action win.copy-record-command.
 */
#define PEN_TYPE_TOUR (pen_tour_get_type ())
G_DECLARE_FINAL_TYPE (PenTour, pen_tour, PEN, TOUR, GtkWidget)

/* @target: outlives the tour; where it is out of sight, the callout is in the middle
 * @title, @text: in the reader's language */
void pen_tour_add (PenTour *self, GtkWidget *target, const char *title, const char *text);
/* Of callout @at, in place of what it had. */
void pen_tour_set_target (PenTour *self, guint at, GtkWidget *target);
/* From the first callout, which gets the focus. */
void pen_tour_start (PenTour *self);
/* Nothing, if it is not shown. */
void pen_tour_end (PenTour *self);

G_END_DECLS
