/* pen-picture-widget.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-picture-widget.h"

#include <adwaita.h>

/* ---- pointer ---- */

typedef struct {
  PenPointer *pointer;
  PenPictureFunc moved;
} Track;

static void
on_motion (GtkEventController *motion, double x, double y, Track *track)
{
  GtkWidget *widget = gtk_event_controller_get_widget (motion);

  *track->pointer = (PenPointer){ TRUE, x, y };
  track->moved (widget);
  gtk_widget_trigger_tooltip_query (widget);
}

static void
on_leave (GtkEventController *motion, Track *track)
{
  track->pointer->is_over = FALSE;
  track->moved (gtk_event_controller_get_widget (motion));
}

void
pen_picture_widget_track (GtkWidget *widget, PenPointer *pointer, PenPictureFunc moved)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  Track *track = g_new (Track, 1);

  *track = (Track){ pointer, moved };
  g_object_set_data_full (G_OBJECT (motion), "pen-track", track, g_free);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), track);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), track);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), track);
  gtk_widget_add_controller (widget, motion);
}

/* ---- */

void
pen_picture_widget_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

void
pen_picture_widget_init (GtkWidget *widget, PenPictureFunc invalidate)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_signal_connect_object (style, "notify::dark", G_CALLBACK (invalidate), widget,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (invalidate), widget,
                           G_CONNECT_SWAPPED);
  g_signal_connect (widget, "notify::scale-factor", G_CALLBACK (invalidate), NULL);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
}
