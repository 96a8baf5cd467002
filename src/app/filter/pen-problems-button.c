/* pen-problems-button.c: what could not be read of a recording, where something could not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-problems-button.h"

#include <glib/gi18n-lib.h>

#include "pen-problem-list.h"

#define ROWS_SHOWN 200
#define SPAN_KEY "pen-span"

struct _PenProblemsButton {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkMenuButton *button;
  GtkLabel *kept;
  GtkWidget *groups;
};

G_DEFINE_FINAL_TYPE (PenProblemsButton, pen_problems_button, ADW_TYPE_BIN)

/* ---- rows ---- */

static GtkWidget *
make_label (const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 56);
  if (css)
    gtk_widget_add_css_class (label, css);
  return label;
}

static GtkWidget *
make_row (const PenProblemRow *row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *list_row = gtk_list_box_row_new ();
  GtkWidget *detail = make_label (row->detail, "caption");
  gboolean has_span = pen_span_length (row->span) > 0;

  gtk_widget_add_css_class (box, "problem");
  gtk_box_append (GTK_BOX (box), make_label (row->title, "numeric"));
  if (row->place[0]) {
    GtkWidget *place = make_label (row->place, "caption");

    gtk_widget_add_css_class (place, "dim-label");
    gtk_widget_add_css_class (place, "numeric");
    gtk_box_append (GTK_BOX (box), place);
  }
  gtk_widget_add_css_class (detail, "numeric");
  gtk_box_append (GTK_BOX (box), detail);

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (list_row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (list_row), has_span);
  if (has_span) {
    gtk_widget_set_tooltip_text (list_row, _ ("Show this time"));
    g_object_set_data_full (G_OBJECT (list_row), SPAN_KEY, g_memdup2 (&row->span, sizeof row->span),
                            g_free);
  }
  return list_row;
}

static void
on_row_activated (PenProblemsButton *self, GtkListBoxRow *row)
{
  const PenSpan *span = g_object_get_data (G_OBJECT (row), SPAN_KEY);

  if (!span)
    return;
  pen_session_set_visible (self->session, *span);
  gtk_menu_button_popdown (self->button);
}

static GtkWidget *
add_group (PenProblemsButton *self, PenProblemGroup group)
{
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *title = make_label (pen_problem_group_title (group), "heading");

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_problem_group_title (group), -1);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_box_append (GTK_BOX (self->groups), title);
  gtk_box_append (GTK_BOX (self->groups), list);
  return list;
}

/* ---- keeping up with the session ---- */

static void
remove_groups (PenProblemsButton *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->groups)))
    gtk_box_remove (GTK_BOX (self->groups), child);
}

static void
show_rows (PenProblemsButton *self, GPtrArray *rows)
{
  GtkWidget *list = NULL;

  /* A row that has the focus in an open list cannot be taken away: GTK 4.8 would keep it. */
  if (gtk_widget_get_mapped (self->groups)) {
    gtk_menu_button_popdown (self->button);
    gtk_widget_grab_focus (GTK_WIDGET (self->button));
  }
  remove_groups (self);
  for (guint i = 0; i < MIN (rows->len, ROWS_SHOWN); i++) {
    const PenProblemRow *row = g_ptr_array_index (rows, i);
    const PenProblemRow *before = i > 0 ? g_ptr_array_index (rows, i - 1) : NULL;

    if (!before || before->group != row->group)
      list = add_group (self, row->group);
    gtk_list_box_append (GTK_LIST_BOX (list), make_row (row));
  }
  if (rows->len > ROWS_SHOWN) {
    g_autofree char *more
        = g_strdup_printf (_ ("… and %u more: pentimento-cli info"), rows->len - ROWS_SHOWN);

    gtk_box_append (GTK_BOX (self->groups), make_label (more, "dim-label"));
  }
}

/* Dropped by a filter is no problem, but it is shown. */
static char *
describe_rows (GPtrArray *rows)
{
  guint n = 0;

  for (guint i = 0; i < rows->len; i++) {
    const PenProblemRow *row = g_ptr_array_index (rows, i);

    n += row->group != PEN_PROBLEMS_FILTERED && !row->is_repeated;
  }
  if (n == 0)
    return g_strdup (_ ("Filtered"));
  return g_strdup_printf (ngettext ("%u Problem", "%u Problems", n), n);
}

static void
on_state (PenProblemsButton *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  PenClock clock = pen_session_get_clock (self->session);
  g_autoptr (GPtrArray) rows = NULL;
  g_autofree char *label = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *text = NULL;

  if (!opened) {
    /* First, or the list would stay without what it belongs to. */
    gtk_menu_button_popdown (self->button);
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    return;
  }
  rows = pen_problem_list_new (opened, &clock);
  label = describe_rows (rows);
  kept = pen_problem_list_describe_kept (opened, &clock);
  text = g_strdup_printf (_ ("Kept: %s"), kept);
  show_rows (self, rows);
  gtk_label_set_text (self->kept, text);
  gtk_menu_button_set_label (self->button, label);
  gtk_widget_set_visible (GTK_WIDGET (self), rows->len > 0);
}

void
pen_problems_button_set_session (PenProblemsButton *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

void
pen_problems_button_popup (PenProblemsButton *self)
{
  gtk_menu_button_popup (self->button);
}

/* ---- object ---- */

static void
pen_problems_button_dispose (GObject *object)
{
  PenProblemsButton *self = PEN_PROBLEMS_BUTTON (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_problems_button_parent_class)->dispose (object);
}

static void
pen_problems_button_class_init (PenProblemsButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_problems_button_dispose;
}

static GtkWidget *
make_popover (PenProblemsButton *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->kept = GTK_LABEL (make_label ("", "numeric"));
  self->groups = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  gtk_widget_add_css_class (box, "problem-list");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->kept));
  gtk_box_append (GTK_BOX (box), self->groups);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 380);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);
  return popover;
}

static void
pen_problems_button_init (PenProblemsButton *self)
{
  GtkWidget *button = gtk_menu_button_new ();

  self->button = GTK_MENU_BUTTON (button);
  gtk_menu_button_set_popover (self->button, make_popover (self));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "problems");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Damaged or missing parts of the recording"));
  adw_bin_set_child (ADW_BIN (self), button);

  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_state), self);
}
