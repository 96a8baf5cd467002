/* pen-kind-legend.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kind-legend.h"

#include <glib/gi18n-lib.h>

#include "pen-palette.h"
#include "pen-tooltip.h"
#include "pen-wrap-layout.h"

struct _PenKindLegend {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkWidget *box;
  GtkToggleButton *kinds[PEN_KINDS]; /* NULL: the capture has none */
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (PenKindLegend, pen_kind_legend, ADW_TYPE_BIN)

/* ---- choosing ---- */

static void
on_toggled (PenKindLegend *self)
{
  guint32 kinds = 0;

  if (self->updating)
    return;
  for (guint i = 0; i < PEN_KINDS; i++) {
    if (self->kinds[i] && gtk_toggle_button_get_active (self->kinds[i]))
      kinds |= 1u << i;
  }
  pen_session_set_kinds (self->session, kinds);
}

static PenKind
find_kind (PenKindLegend *self, GtkWidget *button)
{
  PenKind kind = 0;

  while (kind < PEN_KINDS && GTK_WIDGET (self->kinds[kind]) != button)
    kind++;
  return kind;
}

static void
leave_out (PenKindLegend *self, GtkWidget *button)
{
  PenKind kind = find_kind (self, button);

  if (kind < PEN_KINDS)
    pen_session_toggle_left_out (self->session, kind);
}

/* Before the button sees it: what leaves out does not choose. */
static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, PenKindLegend *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (click);
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click));

  if (button != GDK_BUTTON_SECONDARY && !(button == GDK_BUTTON_PRIMARY && (state & GDK_SHIFT_MASK)))
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  leave_out (self, gtk_event_controller_get_widget (controller));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        PenKindLegend *self)
{
  if (key != GDK_KEY_Delete && key != GDK_KEY_KP_Delete && key != GDK_KEY_minus)
    return GDK_EVENT_PROPAGATE;
  leave_out (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)));
  return GDK_EVENT_STOP;
}

/* ---- showing ---- */

static void
show_kind (PenKindLegend *self, PenKind kind)
{
  const PenFilter *filter = pen_session_get_view (self->session)->filter;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkWidget *button = GTK_WIDGET (self->kinds[kind]);
  const char *title = pen_palette_kind_title (kind);
  gboolean is_only = filter->only.kinds >> kind & 1;
  gboolean is_struck = filter->none.kinds >> kind & 1;
  gboolean is_drawn = pen_filter_admits_kind (filter, kind);
  g_autofree char *markup
      = g_strdup_printf ("<span foreground=\"#%06x\" alpha=\"100%%\">%s</span> %s%s%s",
                         pen_palette_kind (kind, dark) & 0xffffff, is_drawn ? "■" : "□",
                         is_struck ? "<s>" : "", title, is_struck ? "</s>" : "");
  g_autofree char *spoken = g_strdup_printf (is_struck  ? _ ("%s, excluded")
                                             : is_drawn ? "%s"
                                                        : _ ("%s, not selected"),
                                             title);
  g_autofree char *tooltip = g_strdup_printf (
      is_drawn ? _ ("%s: click to show only these samples, Shift+click or Delete to exclude them")
               : _ ("%s: click to show only these samples, Shift+click or Delete to exclude them\n"
                    "Currently excluded"),
      title);

  gtk_label_set_markup (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), markup);
  pen_tooltip_set (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), is_only);
}

static void
on_filter (PenKindLegend *self)
{
  self->updating = TRUE;
  for (guint i = 0; i < PEN_KINDS; i++) {
    if (self->kinds[i])
      show_kind (self, i);
  }
  self->updating = FALSE;
}

static void
add_kind (PenKindLegend *self, PenKind kind)
{
  GtkWidget *button = gtk_toggle_button_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_button_set_child (GTK_BUTTON (button), gtk_label_new (NULL));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "legend");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (button, key);
  self->kinds[kind] = GTK_TOGGLE_BUTTON (button);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (on_toggled), self);
  gtk_box_append (GTK_BOX (self->box), button);
}

static void
on_state (PenKindLegend *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)))
    gtk_box_remove (GTK_BOX (self->box), child);
  for (guint i = 0; i < PEN_KINDS; i++)
    self->kinds[i] = NULL;
  for (guint i = 0; opened && i < PEN_KINDS; i++) {
    PenKind kind = pen_palette_stack_order ()[i];

    if (opened->outline->kinds & (1u << kind))
      add_kind (self, kind);
  }
  on_filter (self);
}

void
pen_kind_legend_set_session (PenKindLegend *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

/* ---- object ---- */

static void
pen_kind_legend_dispose (GObject *object)
{
  PenKindLegend *self = PEN_KIND_LEGEND (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_kind_legend_parent_class)->dispose (object);
}

static void
pen_kind_legend_class_init (PenKindLegendClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_kind_legend_dispose;
}

static void
pen_kind_legend_init (PenKindLegend *self)
{
  self->session = pen_session_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  gtk_widget_set_layout_manager (self->box, pen_wrap_layout_new (2));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Kinds of samples"), -1);
  adw_bin_set_child (ADW_BIN (self), self->box);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (on_filter), self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_filter),
                           self, G_CONNECT_SWAPPED);
}
