/* pen-start-page.c: nothing is open: how to record, and how to open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-start-page.h"

#include "pen-recents.h"
#include "pen-record-command.h"

struct _PenStartPage {
  AdwBin parent_instance;

  GtkLabel *command;
  GtkWidget *recents;
  GtkListBox *recents_list;
};

/* More are in the menu of the Open button. */
#define RECENTS_MAX 5

G_DEFINE_FINAL_TYPE (PenStartPage, pen_start_page, ADW_TYPE_BIN)

static GtkWidget *
new_row (const PenRecent *recent)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_markup_escape_text (recent->name, -1);
  g_autofree char *subtitle = g_markup_escape_text (recent->folder, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->uri);
  return row;
}

static void
show_recents (PenStartPage *self)
{
  g_autoptr (GPtrArray) recents = pen_recents_list (RECENTS_MAX);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->recents_list, 0)))
    gtk_list_box_remove (self->recents_list, GTK_WIDGET (row));
  for (guint i = 0; i < recents->len; i++)
    gtk_list_box_append (self->recents_list, new_row (recents->pdata[i]));
  gtk_widget_set_visible (self->recents, recents->len > 0);
}

static void
pen_start_page_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PEN_TYPE_START_PAGE);

  G_OBJECT_CLASS (pen_start_page_parent_class)->dispose (object);
}

static void
pen_start_page_class_init (PenStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_start_page_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pages/pen-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PenStartPage, command);
  gtk_widget_class_bind_template_child (widget_class, PenStartPage, recents);
  gtk_widget_class_bind_template_child (widget_class, PenStartPage, recents_list);
}

static void
pen_start_page_init (PenStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_label_set_text (self->command, pen_record_command_get ());
  show_recents (self);
  pen_recents_watch (G_OBJECT (self), G_CALLBACK (show_recents));
}
