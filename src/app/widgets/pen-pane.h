/* pen-pane.h: a bin that reports its width, so that a view can drop what does not fit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Its first child fills it; others are popovers.
 * resized: after the child was given its size. The width is that at the usual size of text: a pane
 * with larger text has room for less. */
#define PEN_TYPE_PANE (pen_pane_get_type ())
G_DECLARE_DERIVABLE_TYPE (PenPane, pen_pane, PEN, PANE, GtkWidget)

struct _PenPaneClass {
  GtkWidgetClass parent_class;

  void (*resized) (PenPane *self, int width);
};

/* For use in resized(): what changes while sizes are being given out would not be laid out. The
 * last request of a turn of the main loop holds. */
void pen_pane_set_visible_later (GtkWidget *widget, gboolean visible);

G_END_DECLS
