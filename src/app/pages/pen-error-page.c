/* pen-error-page.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-error-page.h"

#include "pen-css-class.h"

struct _PenErrorPage {
  AdwBin parent_instance;

  char *to_copy;

  AdwStatusPage *status;
  GtkLabel *remedy;
  GtkWidget *command_box;
  GtkLabel *command;
  GtkWidget *open;
  GtkWidget *retry;
  GtkWidget *recording;
  GtkWidget *preferences;
};

G_DEFINE_FINAL_TYPE (PenErrorPage, pen_error_page, ADW_TYPE_BIN)

static void
copy_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenErrorPage *self = PEN_ERROR_PAGE (widget);

  if (self->to_copy)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), self->to_copy);
}

static void
show_if_meant (GtkWidget *button, const PenErrorAdvice *advice)
{
  const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (button));

  gtk_widget_set_visible (button, g_strcmp0 (action, advice->action) == 0);
}

void
pen_error_page_show (PenErrorPage *self, const PenErrorAdvice *advice)
{
  g_autofree char *title = g_markup_escape_text (advice->title, -1);
  g_autofree char *message = g_markup_escape_text (advice->message, -1);

  adw_status_page_set_icon_name (self->status, advice->icon);
  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, message);
  gtk_label_set_text (self->remedy, advice->remedy);

  g_free (self->to_copy);
  self->to_copy = g_strdup (advice->command);
  gtk_label_set_text (self->command, advice->command ? advice->command : "");
  gtk_widget_set_visible (self->command_box, advice->command != NULL);

  /* Where another button helps, it is the one to press. */
  pen_css_class_set (self->open, "suggested-action", !advice->action);
  gtk_widget_set_visible (self->retry, advice->can_retry);
  show_if_meant (self->recording, advice);
  show_if_meant (self->preferences, advice);
}

static void
pen_error_page_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PEN_TYPE_ERROR_PAGE);

  G_OBJECT_CLASS (pen_error_page_parent_class)->dispose (object);
}

static void
pen_error_page_finalize (GObject *object)
{
  g_free (PEN_ERROR_PAGE (object)->to_copy);

  G_OBJECT_CLASS (pen_error_page_parent_class)->finalize (object);
}

static void
pen_error_page_class_init (PenErrorPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_error_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_error_page_finalize;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pages/pen-error-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, status);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, remedy);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, command_box);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, command);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, open);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, retry);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, recording);
  gtk_widget_class_bind_template_child (widget_class, PenErrorPage, preferences);
  gtk_widget_class_install_action (widget_class, "error-page.copy-command", NULL, copy_command);
}

static void
pen_error_page_init (PenErrorPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
