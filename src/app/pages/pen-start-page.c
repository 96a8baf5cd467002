/* pen-start-page.c: nothing is open: how to record, and how to open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-start-page.h"

struct _PenStartPage {
  AdwBin parent_instance;

  GtkLabel *command;
};

G_DEFINE_FINAL_TYPE (PenStartPage, pen_start_page, ADW_TYPE_BIN)

static void
copy_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), PEN_RECORD_COMMAND);
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
  gtk_widget_class_install_action (widget_class, "start-page.copy-command", NULL, copy_command);
}

static void
pen_start_page_init (PenStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_label_set_text (self->command, PEN_RECORD_COMMAND);
}
