/* pen-line-find.c: the bar in which one looks for a line of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-find.h"

#include <glib/gi18n-lib.h>

struct _PenLineFind {
  GtkWidget parent_instance;

  GtkSearchBar *bar;
  GtkSearchEntry *entry;
  GtkLabel *count;
  GtkWidget *previous;
  GtkWidget *next;
};

enum { PROP_0, PROP_TEXT, N_PROPS };
enum { STEP, CLOSED, N_SIGNALS };
static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PenLineFind, pen_line_find, GTK_TYPE_WIDGET)

static void
step (PenLineFind *self, int direction)
{
  g_signal_emit (self, signals[STEP], 0, direction);
}

static void
on_next (PenLineFind *self)
{
  step (self, 1);
}

static void
on_previous (PenLineFind *self)
{
  step (self, -1);
}

static void
on_text (PenLineFind *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TEXT]);
}

static void
on_mode (PenLineFind *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TEXT]);
  if (!gtk_search_bar_get_search_mode (self->bar))
    g_signal_emit (self, signals[CLOSED], 0);
}

void
pen_line_find_start (PenLineFind *self)
{
  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

static void
stop (PenLineFind *self)
{
  gtk_search_bar_set_search_mode (self->bar, FALSE);
}

const char *
pen_line_find_get_text (PenLineFind *self)
{
  return gtk_search_bar_get_search_mode (self->bar)
             ? gtk_editable_get_text (GTK_EDITABLE (self->entry))
             : "";
}

void
pen_line_find_set_count (PenLineFind *self, guint place, guint count)
{
  g_autofree char *text = NULL;

  if (count == 0)
    text = g_strdup (pen_line_find_get_text (self)[0] ? _ ("No matches") : "");
  else if (place == 0)
    text = g_strdup_printf ("%u", count);
  else
    text = g_strdup_printf (C_ ("match", "%u of %u"), place, count);
  gtk_label_set_text (self->count, text);
  gtk_widget_set_sensitive (self->previous, count > 0);
  gtk_widget_set_sensitive (self->next, count > 0);
}

static GtkWidget *
add_button (PenLineFind *self, GtkBox *box, const char *icon, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  gtk_box_append (box, button);
  return button;
}

/* ---- object ---- */

static void
pen_line_find_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TEXT)
    g_value_set_string (value, pen_line_find_get_text (PEN_LINE_FIND (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
pen_line_find_dispose (GObject *object)
{
  PenLineFind *self = PEN_LINE_FIND (object);

  if (self->bar) {
    g_signal_handlers_disconnect_by_data (self->bar, self);
    g_signal_handlers_disconnect_by_data (self->entry, self);
    gtk_widget_unparent (GTK_WIDGET (self->bar));
    self->bar = NULL;
  }

  G_OBJECT_CLASS (pen_line_find_parent_class)->dispose (object);
}

static void
pen_line_find_class_init (PenLineFindClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = pen_line_find_dispose;
  object_class->get_property = pen_line_find_get_property;
  props[PROP_TEXT]
      = g_param_spec_string ("text", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[STEP] = g_signal_new ("step", PEN_TYPE_LINE_FIND, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_INT);
  signals[CLOSED] = g_signal_new ("closed", PEN_TYPE_LINE_FIND, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
pen_line_find_init (PenLineFind *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  GtkBox *buttons = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));

  self->entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  gtk_widget_set_hexpand (GTK_WIDGET (self->entry), TRUE);
  g_object_set (self->entry, "placeholder-text", _ ("Find in this text"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find in the annotation"), -1);
  gtk_box_append (box, GTK_WIDGET (self->entry));

  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  gtk_box_append (box, GTK_WIDGET (self->count));

  gtk_widget_add_css_class (GTK_WIDGET (buttons), "linked");
  self->previous = add_button (self, buttons, "go-up-symbolic", _ ("Previous match (Shift+Ctrl+G)"),
                               G_CALLBACK (on_previous));
  self->next = add_button (self, buttons, "go-down-symbolic", _ ("Next match (Ctrl+G)"),
                           G_CALLBACK (on_next));
  gtk_box_append (box, GTK_WIDGET (buttons));
  /* The bar's own button has no name to be spoken. */
  add_button (self, box, "window-close-symbolic", _ ("Close"), G_CALLBACK (stop));

  self->bar = GTK_SEARCH_BAR (gtk_search_bar_new ());
  gtk_search_bar_set_child (self->bar, GTK_WIDGET (box));
  gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
  gtk_widget_set_parent (GTK_WIDGET (self->bar), GTK_WIDGET (self));

  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_text), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (on_previous), self);
  g_signal_connect_swapped (self->bar, "notify::search-mode-enabled", G_CALLBACK (on_mode), self);
}
