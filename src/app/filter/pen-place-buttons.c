/* pen-place-buttons.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-place-buttons.h"

#include <glib/gi18n-lib.h>

#include "pen-context-menu.h"
#include "pen-tooltip.h"

/* More than that nobody goes back at once. */
#define LISTED_MAX 15

struct _PenPlaceButtons {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkWidget *back;
  GtkWidget *forward;
};

G_DEFINE_FINAL_TYPE (PenPlaceButtons, pen_place_buttons, ADW_TYPE_BIN)

static GMenuModel *
new_menu (PenPlaceButtons *self, int direction)
{
  GMenu *menu = g_menu_new ();

  for (int i = 1; i <= LISTED_MAX; i++) {
    const char *name = pen_session_get_place_name (self->session, direction * i);
    g_autoptr (GMenuItem) item = NULL;
    g_autofree char *label = NULL;
    g_auto (GStrv) parts = NULL;

    if (!name)
      break;
    /* No letter of a name is a mnemonic. */
    parts = g_strsplit (name, "_", -1);
    label = g_strjoinv ("__", parts);
    item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.go", "i", direction * i);
    g_menu_append_item (menu, item);
  }
  return G_MENU_MODEL (menu);
}

static void
popup (PenPlaceButtons *self, int direction)
{
  g_autoptr (GMenuModel) menu = new_menu (self, direction);

  if (g_menu_model_get_n_items (menu) > 0)
    pen_context_menu_popup (direction < 0 ? self->back : self->forward, menu, NULL, NULL, NULL);
}

static int
get_direction (PenPlaceButtons *self, GtkWidget *button)
{
  return button == self->back ? -1 : 1;
}

static void
on_pressed (PenPlaceButtons *self, int n_press, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  popup (self,
         get_direction (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture))));
}

static void
on_long_press (PenPlaceButtons *self, double x, double y, GtkGesture *gesture)
{
  on_pressed (self, 1, x, y, gesture);
}

static gboolean
on_key (GtkWidget *button, GVariant *arguments, gpointer self)
{
  popup (self, get_direction (self, button));
  return TRUE;
}

/* ---- keeping up with the session ---- */

static void
show_button (PenPlaceButtons *self, int direction)
{
  GtkWidget *button = direction < 0 ? self->back : self->forward;
  const char *there = pen_session_get_place_name (self->session, direction);
  const char *word = direction < 0 ? _ ("Back") : _ ("Forward");
  const char *plain = direction < 0 ? _ ("Back (Alt+Left)") : _ ("Forward (Alt+Right)");
  const char *named
      = direction < 0 ? _ ("Back to: %s (Alt+Left)") : _ ("Forward to: %s (Alt+Right)");
  g_autofree char *tooltip = there ? g_strdup_printf (named, there) : g_strdup (plain);

  pen_tooltip_set (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, word,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tooltip, -1);
}

static void
on_places (PenPlaceButtons *self)
{
  show_button (self, -1);
  show_button (self, 1);
}

void
pen_place_buttons_set_session (PenPlaceButtons *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_places (self);
}

/* ---- object ---- */

static GtkWidget *
add_button (PenPlaceButtons *self, GtkWidget *box, const char *icon, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (press));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                        gtk_callback_action_new (on_key, self, NULL)));
  gtk_widget_add_controller (button, keys);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static void
pen_place_buttons_dispose (GObject *object)
{
  PenPlaceButtons *self = PEN_PLACE_BUTTONS (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_place_buttons_parent_class)->dispose (object);
}

static void
pen_place_buttons_class_init (PenPlaceButtonsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_place_buttons_dispose;
}

static void
pen_place_buttons_init (PenPlaceButtons *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  self->back = add_button (self, box, "go-previous-symbolic", "win.back");
  self->forward = add_button (self, box, "go-next-symbolic", "win.forward");
  adw_bin_set_child (ADW_BIN (self), box);
  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::places", G_CALLBACK (on_places), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_places), self);
}
