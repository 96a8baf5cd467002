/* pen-css-class.h: a class of a widget that comes and goes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

static inline void
pen_css_class_set (GtkWidget *widget, const char *css, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (widget, css);
  else
    gtk_widget_remove_css_class (widget, css);
}

G_END_DECLS
