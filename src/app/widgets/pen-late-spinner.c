/* pen-late-spinner.c: spinners that turn only when it takes long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-late-spinner.h"

#define KEY "pen-late-spinner"

static void
remove_source (gpointer id)
{
  g_source_remove (GPOINTER_TO_UINT (id));
}

static gboolean
on_late (gpointer spinner)
{
  g_object_steal_data (spinner, KEY);
  gtk_spinner_start (spinner);
  return G_SOURCE_REMOVE;
}

gboolean
pen_late_spinner_is_started (GtkSpinner *spinner)
{
  return gtk_spinner_get_spinning (spinner) || g_object_get_data (G_OBJECT (spinner), KEY);
}

/* The source goes with the spinner. */
void
pen_late_spinner_start (GtkSpinner *spinner)
{
  if (pen_late_spinner_is_started (spinner))
    return;
  g_object_set_data_full (G_OBJECT (spinner), KEY,
                          GUINT_TO_POINTER (g_timeout_add (PEN_LATE_SPINNER_MS, on_late, spinner)),
                          remove_source);
}

void
pen_late_spinner_stop (GtkSpinner *spinner)
{
  g_object_set_data (G_OBJECT (spinner), KEY, NULL);
  gtk_spinner_stop (spinner);
}
