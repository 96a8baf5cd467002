/* monkey-dialogs.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-dialogs.h"

/* Until a dialog has read its folder. */
#define DIALOG_MS 400

typedef struct {
  Monkey *monkey;
  GtkWidget *dialog;
} Dialog;

static gboolean
answer_dialog (gpointer data)
{
  Dialog *dialog = data;
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  gboolean is_ours;

  if (gtk_widget_get_mapped (dialog->dialog)) {
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog->dialog));
    path = file ? g_file_get_path (file) : NULL;
    is_ours = path && g_str_has_prefix (path, dialog->monkey->place)
              && !g_file_test (path, G_FILE_TEST_EXISTS);
    g_print ("%u a dialog: %s\n", dialog->monkey->n, is_ours ? path : "cancelled");
    gtk_dialog_response (GTK_DIALOG (dialog->dialog),
                         is_ours ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_CANCEL);
  }
  dialog->monkey->in_dialog = FALSE;
  g_object_unref (dialog->dialog);
  g_free (dialog);
  return G_SOURCE_REMOVE;
}

/* Before the next event is looked at. */
static gboolean
lead_dialog (gpointer data)
{
  Dialog *dialog = data;
  g_autofree char *name = g_strdup_printf ("written-%u", dialog->monkey->n);
  g_autofree char *path = g_build_filename (dialog->monkey->place, name, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  if (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog->dialog))
      == GTK_FILE_CHOOSER_ACTION_SAVE) {
    g_file_make_directory (folder, NULL, NULL);
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog->dialog), folder, NULL);
  }
  g_timeout_add (DIALOG_MS, answer_dialog, dialog);
  return G_SOURCE_REMOVE;
}

/* A question or message of a dialog of files; each NULL once it is gone: GTK 4.8 has a dialog that
 * outlives its destruction fall over its parent. */
typedef struct {
  gpointer message;
  gpointer dialog;
} Asked;

/* Left open, with its list below the pointer, GTK 4.8 opens a menu of the list in an idle that
 * outlives the dialog. */
static gboolean
end_message (gpointer data)
{
  Asked *asked = data;

  if (asked->message)
    gtk_dialog_response (asked->message, GTK_RESPONSE_CANCEL);
  if (asked->dialog)
    gtk_dialog_response (asked->dialog, GTK_RESPONSE_CANCEL);
  g_clear_weak_pointer (&asked->message);
  g_clear_weak_pointer (&asked->dialog);
  g_free (asked);
  return G_SOURCE_REMOVE;
}

static gboolean
on_map (GSignalInvocationHint *hint G_GNUC_UNUSED, guint n_values G_GNUC_UNUSED,
        const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);
  Monkey *monkey = data;

  if (GTK_IS_FILE_CHOOSER_DIALOG (widget)) {
    Dialog *dialog = g_new0 (Dialog, 1);

    *dialog = (Dialog){ .monkey = monkey, .dialog = g_object_ref (widget) };
    monkey->in_dialog = TRUE;
    g_idle_add_full (G_PRIORITY_HIGH, lead_dialog, dialog, NULL);
  } else if (GTK_IS_MESSAGE_DIALOG (widget)
             && GTK_IS_FILE_CHOOSER_DIALOG (gtk_window_get_transient_for (GTK_WINDOW (widget)))) {
    g_autofree char *text = NULL;
    Asked *asked = g_new0 (Asked, 1);

    g_object_get (widget, "text", &text, NULL);
    g_print ("%u a message: %s\n", monkey->n, text);
    g_set_weak_pointer (&asked->message, widget);
    g_set_weak_pointer (&asked->dialog, gtk_window_get_transient_for (GTK_WINDOW (widget)));
    g_timeout_add (DIALOG_MS, end_message, asked);
  }
  return TRUE;
}

void
monkey_watch_dialogs (Monkey *monkey)
{
  /* Signals are known with their class. */
  g_type_class_unref (g_type_class_ref (GTK_TYPE_FILE_CHOOSER_DIALOG));
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, monkey, NULL);
}
