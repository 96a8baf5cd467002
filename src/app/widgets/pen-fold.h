/* pen-fold.h: a bin that may be narrower than its child asks for, and reports its width
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The layout by room: one pane at a time, with nothing in the header but a title; the same, with a
 * button or two; several panes, with short buttons; all. */
typedef enum {
  PEN_WIDTH_TINY,
  PEN_WIDTH_NARROW,
  PEN_WIDTH_MEDIUM,
  PEN_WIDTH_WIDE,
  PEN_WIDTH_BROAD,
} PenWidth;

/* px at the usual size of text: from here on */
#define PEN_FOLD_NARROW 480
#define PEN_FOLD_MEDIUM 840
#define PEN_FOLD_WIDE 1100
#define PEN_FOLD_BROAD 1440
/* The same of heights: below it, a window is low. */
#define PEN_FOLD_LOW 720

/*
 * PenFold: asks for no width of its own, so that a window can be made smaller than what is in it.
 * Whoever listens to notify::width-class then folds what is in it. Until that is done, for one
 * frame, the child is cut off at the end.
 */
#define PEN_TYPE_FOLD (pen_fold_get_type ())
G_DECLARE_FINAL_TYPE (PenFold, pen_fold, PEN, FOLD, GtkWidget)

PenWidth pen_fold_get_width_class (PenFold *self);
/* notify::is-low */
gboolean pen_fold_get_is_low (PenFold *self);

G_END_DECLS
