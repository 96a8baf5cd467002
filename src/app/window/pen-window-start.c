/* pen-window-start.c: a window as it was left: its size, and the recording if that is wanted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <stdio.h>

#include "pen-layout.h"
#include "pen-recents.h"
#include "pen-settings.h"

#define SIZE_KEY "window.size"
#define MAXIMIZED_KEY "window.maximized"
/* What is no size of a screen was not kept by us. */
#define SIDE_MIN 200
#define SIDE_MAX 16384

/* ---- size ---- */

/* The default size follows the window's, except while that is maximized. Kept at its end: the
 * first sizes that a window has come before what was kept is read. */
static void
keep_size (PenWindow *self)
{
  int width, height;
  g_autofree char *size = NULL;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  size = g_strdup_printf ("%dx%d", width, height);
  pen_layout_set (pen_layout_get_default (), SIZE_KEY, size);
}

static void
keep_maximized (PenWindow *self)
{
  pen_layout_set (pen_layout_get_default (), MAXIMIZED_KEY,
                  gtk_window_is_maximized (GTK_WINDOW (self)) ? "1" : NULL);
}

static void
take_size (PenWindow *self)
{
  PenLayout *layout = pen_layout_get_default ();
  const char *size = pen_layout_get (layout, SIZE_KEY);
  int width, height;

  if (size && sscanf (size, "%dx%d", &width, &height) == 2 && MIN (width, height) >= SIDE_MIN
      && MAX (width, height) <= SIDE_MAX)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (pen_layout_get (layout, MAXIMIZED_KEY))
    gtk_window_maximize (GTK_WINDOW (self));
}

/* A window that is shown does not always take another size. */
static void
present (PenWindow *self)
{
  /* It may have been closed. */
  if (!self->session)
    return;
  take_size (self);
  gtk_window_present (GTK_WINDOW (self));
}

void
pen_window_present_as_left (PenWindow *self)
{
  g_signal_connect (self, "unmap", G_CALLBACK (keep_size), NULL);
  g_signal_connect (self, "notify::maximized", G_CALLBACK (keep_maximized), NULL);
  if (pen_layout_is_loaded (pen_layout_get_default ()))
    present (self);
  else
    g_signal_connect_object (pen_layout_get_default (), "loaded", G_CALLBACK (present), self,
                             G_CONNECT_SWAPPED);
}

/* ---- recording ---- */

/* A person may have opened another one meanwhile, or closed the window. */
static void
on_settings (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PenWindow) self = user_data;
  g_autoptr (PenSettings) settings = pen_settings_load_finish (result);
  g_autoptr (GPtrArray) recents = NULL;

  if (!settings->reopens || !self->session
      || pen_session_get_state (self->session) != PEN_SESSION_EMPTY)
    return;
  recents = pen_recents_list (1);
  if (recents->len > 0) {
    g_autoptr (GFile) file = g_file_new_for_uri (((PenRecent *) recents->pdata[0])->uri);

    pen_window_open (self, file);
  }
}

void
pen_window_reopen_last (PenWindow *self)
{
  pen_settings_load_async (on_settings, g_object_ref (self));
}
