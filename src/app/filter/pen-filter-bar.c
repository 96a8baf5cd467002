/* pen-filter-bar.c: what the views are narrowed to, part by part, and how much is left
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-bar.h"

#include "pen-format.h"
#include "pen-palette.h"
#include "pen-problems-button.h"

struct _PenFilterBar {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkToggleButton *kinds[PEN_KINDS];
  gboolean updating;

  GtkWidget *legend;
  GtkWidget *chips;
  GtkLabel *count;
  PenProblemsButton *problems;
};

G_DEFINE_FINAL_TYPE (PenFilterBar, pen_filter_bar, ADW_TYPE_BIN)

static void
remove_children (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)))
    gtk_box_remove (GTK_BOX (box), child);
}

/* ---- chips ---- */

static void
add_chip (PenFilterBar *self, const char *text, const char *action)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *icon = gtk_image_new_from_icon_name ("window-close-symbolic");
  g_autofree char *spoken = g_strdup_printf ("Clear the filter: %s", text);

  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "chip");
  gtk_widget_set_tooltip_text (button, "Clear this filter");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  g_object_set_data_full (G_OBJECT (button), "pen-chip", g_strdup (text), g_free);
  gtk_box_append (GTK_BOX (self->chips), button);
}

static char *
describe_time (PenFilterBar *self, const PenFilter *filter)
{
  guint64 resolution = MAX ((filter->to - filter->from) / 100, 1);
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *from = pen_clock_format (&clock, filter->from, resolution);
  g_autofree char *to = pen_clock_format_long (&clock, filter->to, resolution);

  return g_strdup_printf ("Time %s–%s", from, to);
}

static char *
describe_kinds (guint32 kinds)
{
  g_autoptr (GString) text = g_string_new ("Kind ");
  gboolean first = TRUE;

  for (guint i = 0; i < PEN_KINDS; i++) {
    if (!(kinds & (1u << i)))
      continue;
    g_string_append_printf (text, first ? "%s" : ", %s", pen_palette_kind_title (i));
    first = FALSE;
  }
  return g_strdup (text->str);
}

static void
show_chips (PenFilterBar *self)
{
  const PenFilter *filter = pen_session_get_filter (self->session);

  remove_children (self->chips);
  if (filter->has_time) {
    g_autofree char *text = describe_time (self, filter);

    add_chip (self, text, "win.clear-time");
  }
  if (filter->only.kinds != 0) {
    g_autofree char *text = describe_kinds (filter->only.kinds);

    add_chip (self, text, "win.clear-kinds");
  }
  if (filter->changed)
    add_chip (self, "Changed text only", "win.clear-changed");
}

/* ---- legend ---- */

static void
on_kind_toggled (PenFilterBar *self)
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

static void
add_kind (PenFilterBar *self, PenKind kind)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *label = gtk_label_new (NULL);
  g_autofree char *markup
      = g_strdup_printf ("<span foreground=\"#%06x\">■</span> %s",
                         pen_palette_kind (kind, dark) & 0xffffff, pen_palette_kind_title (kind));
  g_autofree char *tooltip
      = g_strdup_printf ("Show only samples in: %s", pen_palette_kind_title (kind));

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "legend");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (kind), -1);
  self->kinds[kind] = GTK_TOGGLE_BUTTON (button);
  gtk_toggle_button_set_active (self->kinds[kind],
                                pen_session_get_filter (self->session)->only.kinds & (1u << kind));
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (on_kind_toggled), self);
  gtk_box_append (GTK_BOX (self->legend), button);
}

static void
show_legend (PenFilterBar *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);

  remove_children (self->legend);
  for (guint i = 0; i < PEN_KINDS; i++)
    self->kinds[i] = NULL;
  for (guint i = 0; opened && i < PEN_KINDS; i++) {
    PenKind kind = pen_palette_stack_order ()[i];

    if (opened->outline->kinds & (1u << kind))
      add_kind (self, kind);
  }
}

/* ---- keeping up with the session ---- */

static void
on_filter (PenFilterBar *self)
{
  guint32 kinds = pen_session_get_filter (self->session)->only.kinds;

  self->updating = TRUE;
  for (guint i = 0; i < PEN_KINDS; i++) {
    if (self->kinds[i])
      gtk_toggle_button_set_active (self->kinds[i], kinds & (1u << i));
  }
  self->updating = FALSE;
  show_chips (self);
}

static void
on_counts (PenFilterBar *self)
{
  const PenCounts *counts = pen_session_get_counts (self->session);
  const GError *error = pen_session_get_error (self->session, PEN_JOB_COUNT);
  g_autofree char *matching = counts ? pen_format_count (counts->matching) : NULL;
  g_autofree char *total = counts ? pen_format_count (counts->total) : NULL;
  g_autofree char *text = NULL;

  if (error)
    text = pen_format_error (error);
  else if (!counts)
    text = g_strdup ("");
  else if (counts->matching == counts->total)
    text = g_strdup_printf ("%s samples", total);
  else
    text = g_strdup_printf ("%s of %s samples", matching, total);
  gtk_label_set_text (self->count, text);
}

void
pen_filter_bar_set_session (PenFilterBar *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  pen_problems_button_set_session (self->problems, session);
  show_legend (self);
  on_filter (self);
  on_counts (self);
}

void
pen_filter_bar_show_problems (PenFilterBar *self)
{
  pen_problems_button_popup (self->problems);
}

GStrv
pen_filter_bar_dup_chips (PenFilterBar *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (GtkWidget *chip = gtk_widget_get_first_child (self->chips); chip;
       chip = gtk_widget_get_next_sibling (chip))
    g_strv_builder_add (builder, g_object_get_data (G_OBJECT (chip), "pen-chip"));
  return g_strv_builder_end (builder);
}

const char *
pen_filter_bar_get_count (PenFilterBar *self)
{
  return gtk_label_get_text (self->count);
}

static void
pen_filter_bar_dispose (GObject *object)
{
  PenFilterBar *self = PEN_FILTER_BAR (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_FILTER_BAR);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_filter_bar_parent_class)->dispose (object);
}

static void
pen_filter_bar_class_init (PenFilterBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_filter_bar_dispose;
  g_type_ensure (PEN_TYPE_PROBLEMS_BUTTON);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/filter/pen-filter-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, legend);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, chips);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, count);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, problems);
}

static void
pen_filter_bar_init (PenFilterBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (show_legend), self, G_CONNECT_SWAPPED);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (show_legend), self);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (on_filter), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (show_chips), self);
  g_signal_group_connect_swapped (self->signals, "notify::counts", G_CALLBACK (on_counts), self);
}
