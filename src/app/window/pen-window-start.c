/* pen-window-start.c: windows as they were left: their sizes, and their recordings if that is
 * wanted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <stdio.h>

#include "pen-layout.h"
#include "pen-recents.h"
#include "pen-settings.h"

/* "3": of those that were open at the end, each under its own key. */
#define KEPT_KEY "windows"
/* More are not opened at once. */
#define KEPT_MAX 12
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
set_size (PenWindow *self, const char *size)
{
  int width, height;

  if (size && sscanf (size, "%dx%d", &width, &height) == 2 && MIN (width, height) >= SIDE_MIN
      && MAX (width, height) <= SIDE_MAX)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
}

static void
take_size (PenWindow *self)
{
  PenLayout *layout = pen_layout_get_default ();

  set_size (self, pen_layout_get (layout, SIZE_KEY));
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

static void
keep_what_it_has (PenWindow *self)
{
  g_signal_connect (self, "unmap", G_CALLBACK (keep_size), NULL);
  g_signal_connect (self, "notify::maximized", G_CALLBACK (keep_maximized), NULL);
}

void
pen_window_present_as_left (PenWindow *self)
{
  keep_what_it_has (self);
  if (pen_layout_is_loaded (pen_layout_get_default ()))
    present (self);
  else
    g_signal_connect_object (pen_layout_get_default (), "loaded", G_CALLBACK (present), self,
                             G_CONNECT_SWAPPED);
}

/* ---- recordings ---- */

static char *
name_key (guint i)
{
  return g_strdup_printf ("window.%u", i);
}

/* "1280x800 0 file:///a/perf.data file:///b/perf.data": size, whether it is maximized, the
 * recording, and what that is compared with. NULL: nothing to come back to */
static char *
describe (PenWindow *self)
{
  const char *path = self->session ? pen_session_get_path (self->session) : NULL;
  PenSessionState state = path ? pen_session_get_state (self->session) : PEN_SESSION_EMPTY;
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  g_autofree char *uri = NULL;
  int width, height;

  if ((state != PEN_SESSION_READY && state != PEN_SESSION_IMPORTING) || g_str_equal (path, "-")
      || !pen_session_get_remembers (self->session))
    return NULL;
  file = g_file_new_for_path (path);
  uri = g_file_get_uri (file);
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_string_append_printf (words, "%dx%d %d %s", width, height,
                          gtk_window_is_maximized (GTK_WINDOW (self)), uri);
  if (self->compared) {
    g_autofree char *other = g_file_get_uri (self->compared);

    g_string_append_printf (words, " %s", other);
  }
  return g_strdup (words->str);
}

void
pen_window_keep_all (GtkApplication *application)
{
  PenLayout *layout = pen_layout_get_default ();
  g_autofree char *count = NULL;
  guint n = 0;

  for (GList *at = gtk_application_get_windows (application); at && n < KEPT_MAX; at = at->next) {
    g_autofree char *words = PEN_IS_WINDOW (at->data) ? describe (at->data) : NULL;
    g_autofree char *key = name_key (n);

    if (!words)
      continue;
    pen_layout_set (layout, key, words);
    n++;
  }
  count = g_strdup_printf ("%u", n);
  pen_layout_set (layout, KEPT_KEY, count);
  for (; n < KEPT_MAX; n++) {
    g_autofree char *key = name_key (n);

    pen_layout_set (layout, key, NULL);
  }
}

static gboolean
is_last (PenWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  guint n = 0;

  for (GList *at = application ? gtk_application_get_windows (application) : NULL; at;
       at = at->next)
    n += PEN_IS_WINDOW (at->data);
  return n == 1;
}

/* Closing the last window ends the program, as Quit does; a window that is closed beside others is
 * one that nobody wants back. */
static gboolean
on_close (PenWindow *self)
{
  if (is_last (self))
    pen_window_keep_all (gtk_window_get_application (GTK_WINDOW (self)));
  return GDK_EVENT_PROPAGATE;
}

void
pen_window_init_start (PenWindow *self)
{
  g_signal_connect (self, "close-request", G_CALLBACK (on_close), NULL);
}

static void
open_uri (PenWindow *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);

  pen_window_open (self, file);
}

/* @words: as describe() has them */
static void
open_kept (PenWindow *self, char **words)
{
  set_size (self, words[0]);
  if (g_str_equal (words[1], "1"))
    gtk_window_maximize (GTK_WINDOW (self));
  else
    gtk_window_unmaximize (GTK_WINDOW (self));
  open_uri (self, words[2]);
  if (words[3]) {
    g_autoptr (GFile) other = g_file_new_for_uri (words[3]);

    pen_window_compare_with (self, other);
  }
}

/* Returns: (transfer full) (element-type GStrv): words as describe() has them; NULL: none were ever
 * kept */
static GPtrArray *
list_kept (void)
{
  PenLayout *layout = pen_layout_get_default ();
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  if (!pen_layout_get (layout, KEPT_KEY))
    return NULL;
  for (guint i = 0; i < KEPT_MAX; i++) {
    g_autofree char *key = name_key (i);
    const char *words = pen_layout_get (layout, key);
    g_auto (GStrv) parts = words ? g_strsplit (words, " ", -1) : NULL;
    guint n = parts ? g_strv_length (parts) : 0;

    if (n == 3 || n == 4)
      g_ptr_array_add (kept, g_steal_pointer (&parts));
  }
  return g_steal_pointer (&kept);
}

/* The one that was in front is @self, and in front again. */
static void
open_all (PenWindow *self, GPtrArray *kept)
{
  if (kept->len > 0)
    open_kept (self, kept->pdata[0]);
  for (guint i = 1; i < kept->len; i++) {
    PenWindow *window = pen_window_new (gtk_window_get_application (GTK_WINDOW (self)));

    keep_what_it_has (window);
    open_kept (window, kept->pdata[i]);
    gtk_window_present (GTK_WINDOW (window));
  }
}

/* Settings are read, and the layout is. A person may have opened another one meanwhile, or closed
 * the window. */
static void
start (PenWindow *self)
{
  g_autoptr (GPtrArray) kept = NULL;
  g_autoptr (GPtrArray) recents = NULL;

  if (!self->session)
    return;
  take_size (self);
  if (self->reopens && pen_session_get_state (self->session) == PEN_SESSION_EMPTY) {
    kept = list_kept ();
    recents = pen_recents_list (1);
    if (kept)
      open_all (self, kept);
    else if (recents->len > 0)
      open_uri (self, ((PenRecent *) recents->pdata[0])->uri);
  }
  gtk_window_present (GTK_WINDOW (self));
}

static void
on_settings (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PenWindow) self = user_data;
  g_autoptr (PenSettings) settings = pen_settings_load_finish (result);

  self->reopens = settings->reopens;
  if (pen_layout_is_loaded (pen_layout_get_default ()))
    start (self);
  else
    g_signal_connect_object (pen_layout_get_default (), "loaded", G_CALLBACK (start), self,
                             G_CONNECT_SWAPPED);
}

void
pen_window_present_with_last (PenWindow *self)
{
  keep_what_it_has (self);
  pen_settings_load_async (on_settings, g_object_ref (self));
}
