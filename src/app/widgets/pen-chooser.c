/* pen-chooser.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chooser.h"

/* Seconds; a folder that is not read by then is shown as far as it is. */
#define LOADED_AFTER 3

static gboolean
destroy (gpointer user_data)
{
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (user_data));
  return G_SOURCE_REMOVE;
}

void
pen_chooser_release (GtkFileChooserNative *chooser)
{
  if (!chooser)
    return;
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (chooser));
  g_timeout_add_seconds_full (G_PRIORITY_LOW, LOADED_AFTER, destroy, chooser, g_object_unref);
}
