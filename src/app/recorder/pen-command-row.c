/* pen-command-row.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-row.h"

#include "pen-display.h"

struct _PenCommandRow {
  AdwPreferencesRow parent_instance;

  GtkLabel *label;
  GtkWidget *copy;
  char *command; /* what is copied, and shown without what a screen would act on; NULL: none */
};

G_DEFINE_FINAL_TYPE (PenCommandRow, pen_command_row, ADW_TYPE_PREFERENCES_ROW)

static void
on_copy (PenCommandRow *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->command);
}

void
pen_command_row_set_command (PenCommandRow *self, const char *command)
{
  g_autofree char *shown = pen_display_text (command ? command : "");
  g_autofree char *copy = g_strdup (command);

  g_return_if_fail (PEN_IS_COMMAND_ROW (self));

  g_free (self->command);
  self->command = g_steal_pointer (&copy);
  gtk_label_set_text (self->label, shown);
  gtk_widget_set_sensitive (self->copy, self->command != NULL);
}

static void
pen_command_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PEN_TYPE_COMMAND_ROW);

  G_OBJECT_CLASS (pen_command_row_parent_class)->dispose (object);
}

static void
pen_command_row_finalize (GObject *object)
{
  g_free (PEN_COMMAND_ROW (object)->command);

  G_OBJECT_CLASS (pen_command_row_parent_class)->finalize (object);
}

static void
pen_command_row_class_init (PenCommandRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_command_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_command_row_finalize;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/recorder/pen-command-row.ui");
  gtk_widget_class_bind_template_child (widget_class, PenCommandRow, label);
  gtk_widget_class_bind_template_child (widget_class, PenCommandRow, copy);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
}

static void
pen_command_row_init (PenCommandRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
