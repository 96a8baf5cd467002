/* pen-live-bar.c: the bar of a recording that is being made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-live-bar.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-notes.h"

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

struct _PenLiveBar {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkRevealer *revealer;
  GtkOrientable *box;
  GtkLabel *text;
  GtkToggleButton *pause;
  GtkToggleButton *follow;
  GtkWidget *mark;
  guint n_marks; /* of this recording */
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (PenLiveBar, pen_live_bar, ADW_TYPE_BIN)

static char *
describe (PenSession *session)
{
  const PenOpened *opened = pen_session_get_opened (session);
  guint64 seconds = pen_span_length (pen_session_get_span (session)) / NS_PER_SECOND;
  g_autofree char *samples = opened ? pen_format_count (opened->samples) : NULL;

  switch (pen_session_get_live (session)) {
  case PEN_LIVE_RUNNING:
    /* Translators: seconds, number of samples */
    return g_strdup_printf (_ ("Recording… %u s, %s samples"), (guint) seconds, samples);
  case PEN_LIVE_PAUSED:
    return g_strdup_printf (_ ("Paused at %u s; recording continues"), (guint) seconds);
  case PEN_LIVE_FAILED:
    return pen_format_error (pen_session_get_live_error (session));
  case PEN_LIVE_NONE:
  default:
    return g_strdup ("");
  }
}

static void
show_state (PenLiveBar *self)
{
  PenLiveState state = pen_session_get_live (self->session);
  g_autofree char *text = describe (self->session);

  if (state != PEN_LIVE_NONE)
    gtk_label_set_text (self->text, text);
  gtk_revealer_set_reveal_child (self->revealer, state != PEN_LIVE_NONE);
  gtk_widget_set_visible (GTK_WIDGET (self), state != PEN_LIVE_NONE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->pause), state != PEN_LIVE_FAILED);
  self->updating = TRUE;
  gtk_toggle_button_set_active (self->pause, state == PEN_LIVE_PAUSED);
  gtk_toggle_button_set_active (self->follow, pen_session_get_follows (self->session));
  self->updating = FALSE;
}

static void
on_state (PenLiveBar *self)
{
  if (pen_session_get_state (self->session) != PEN_SESSION_READY)
    self->n_marks = 0;
  show_state (self);
}

static void
on_pause (PenLiveBar *self)
{
  if (!self->updating)
    pen_session_set_paused (self->session, gtk_toggle_button_get_active (self->pause));
}

static void
on_follow (PenLiveBar *self)
{
  if (!self->updating)
    pen_session_set_follows (self->session, gtk_toggle_button_get_active (self->follow));
}

static void
on_marked (GObject *session, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PenLiveBar) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (pen_session_change_notes_finish (PEN_SESSION (session), result, &error))
    return;
  message = pen_format_error (error);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.tell", "s", message);
}

static void
on_mark (PenLiveBar *self)
{
  g_autoptr (PenNote) note = pen_note_new ();

  if (pen_session_get_live (self->session) == PEN_LIVE_NONE)
    return;
  note->has_time = TRUE;
  note->time = pen_session_get_newest (self->session);
  /* Translators: the text of a note; it can be changed later */
  note->text = g_strdup_printf (_ ("Mark %u"), ++self->n_marks);
  pen_session_put_note_async (self->session, note, on_marked, g_object_ref (self));
}

void
pen_live_bar_set_session (PenLiveBar *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

void
pen_live_bar_set_narrow (PenLiveBar *self, gboolean is_narrow)
{
  gtk_orientable_set_orientation (self->box, is_narrow ? GTK_ORIENTATION_VERTICAL
                                                       : GTK_ORIENTATION_HORIZONTAL);
}

static void
pen_live_bar_dispose (GObject *object)
{
  PenLiveBar *self = PEN_LIVE_BAR (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_live_bar_parent_class)->dispose (object);
}

static void
pen_live_bar_class_init (PenLiveBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_live_bar_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/recording/pen-live-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PenLiveBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, PenLiveBar, box);
  gtk_widget_class_bind_template_child (widget_class, PenLiveBar, text);
  gtk_widget_class_bind_template_child (widget_class, PenLiveBar, pause);
  gtk_widget_class_bind_template_child (widget_class, PenLiveBar, follow);
  gtk_widget_class_bind_template_child (widget_class, PenLiveBar, mark);
  gtk_widget_class_bind_template_callback (widget_class, on_pause);
  gtk_widget_class_bind_template_callback (widget_class, on_follow);
  gtk_widget_class_bind_template_callback (widget_class, on_mark);
}

static void
pen_live_bar_init (PenLiveBar *self)
{
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::live", G_CALLBACK (show_state), self);
  gtk_widget_init_template (GTK_WIDGET (self));
}
