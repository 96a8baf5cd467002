/* pen-heat-view.c: the heat map of the page of callers, with its scale
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-heat-view.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-heat-picture.h"

struct _PenHeatView {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  GtkLabel *scale;
  PenHeatPicture *picture;
};

G_DEFINE_FINAL_TYPE (PenHeatView, pen_heat_view, GTK_TYPE_WIDGET)

static void
on_heat (PenHeatView *self)
{
  const PenHeat *heat = pen_session_get_answers (self->session)->heat;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_HEAT);
  g_autofree char *text = NULL;

  if (error) {
    g_autofree char *message = pen_format_error (error);

    text = g_strdup_printf (_ ("Cannot read samples: %s"), message);
  } else if (heat) {
    text = pen_heat_map_describe_scale (heat);
  }
  gtk_label_set_text (self->scale, text ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->scale), text);
}

static void
on_state (PenHeatView *self)
{
  const PenFlameState *state = pen_session_get_view (self->session)->flame;

  gtk_widget_set_visible (GTK_WIDGET (self), state && state->is_heat);
}

void
pen_heat_view_set_session (PenHeatView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  pen_heat_picture_set_session (self->picture, session);
  g_signal_group_set_target (self->signals, session);
  on_state (self);
  on_heat (self);
}

static void
pen_heat_view_dispose (GObject *object)
{
  PenHeatView *self = PEN_HEAT_VIEW (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_HEAT_VIEW);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_heat_view_parent_class)->dispose (object);
}

static void
pen_heat_view_class_init (PenHeatViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_heat_view_dispose;
  g_type_ensure (PEN_TYPE_HEAT_PICTURE);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/callers/pen-heat-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenHeatView, scale);
  gtk_widget_class_bind_template_child (widget_class, PenHeatView, picture);
}

static void
pen_heat_view_init (PenHeatView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::heat", G_CALLBACK (on_heat), self);
  g_signal_group_connect_swapped (self->signals, "notify::flame", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
}
