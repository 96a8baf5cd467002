/* pen-help.c: the help, where F1 leads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-help.h"

#include "pen-help-window.h"

#define PAGES "help", "C", "pentimento", "index.page"

static gboolean
has_pages (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, PAGES, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
is_installed (void)
{
  gboolean is_there = has_pages (g_get_user_data_dir ());

  for (const char *const *at = g_get_system_data_dirs (); *at && !is_there; at++)
    is_there = has_pages (*at);
  return is_there;
}

char *
pen_help_dup_uri (const char *topic)
{
  g_autoptr (GAppInfo) reader = g_app_info_get_default_for_uri_scheme ("help");

  return reader && is_installed () ? g_strconcat ("help:pentimento/", topic, NULL) : NULL;
}

typedef struct {
  GtkApplication *application;
  char *topic;
} Request;

static void
on_shown (GObject *parent, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  g_autoptr (GError) error = NULL;

  /* A program that does not start: the text is here, too. */
  if (!gtk_show_uri_full_finish (GTK_WINDOW (parent), result, &error))
    pen_help_window_show (request->application, request->topic);
  g_object_unref (request->application);
  g_free (request->topic);
  g_free (request);
}

void
pen_help_show (GtkApplication *application, GtkWindow *parent, const char *topic)
{
  g_autofree char *uri = parent ? pen_help_dup_uri (topic) : NULL;
  Request *request;

  if (!uri) {
    pen_help_window_show (application, topic);
    return;
  }
  request = g_new (Request, 1);
  *request = (Request){ g_object_ref (application), g_strdup (topic) };
  gtk_show_uri_full (parent, uri, GDK_CURRENT_TIME, NULL, on_shown, request);
}
