/* test-settings-file.c: writers of the settings do not lose what others wrote
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-settings-file.h"

#include <glib/gstdio.h>

#define N_WRITERS 8
#define N_KEYS 16

static gboolean
add_key (GKeyFile *file, gpointer key)
{
  g_key_file_set_boolean (file, "keys", key, TRUE);
  return TRUE;
}

static gpointer
write_keys (gpointer writer)
{
  for (guint i = 0; i < N_KEYS; i++) {
    g_autofree char *key = g_strdup_printf ("%u-%u", GPOINTER_TO_UINT (writer), i);
    g_autoptr (GError) error = NULL;

    pen_settings_file_change (add_key, key, &error);
    g_assert_no_error (error);
  }
  return NULL;
}

static void
test_many_writers (void)
{
  GThread *threads[N_WRITERS];
  g_autoptr (GKeyFile) file = NULL;

  for (guint i = 0; i < N_WRITERS; i++)
    threads[i] = g_thread_new ("writer", write_keys, GUINT_TO_POINTER (i));
  for (guint i = 0; i < N_WRITERS; i++)
    g_thread_join (threads[i]);

  file = pen_settings_file_read (NULL);
  for (guint i = 0; i < N_WRITERS; i++)
    for (guint k = 0; k < N_KEYS; k++) {
      g_autofree char *key = g_strdup_printf ("%u-%u", i, k);

      g_assert_true (g_key_file_get_boolean (file, "keys", key, NULL));
    }
}

static void
test_damaged (void)
{
  g_autofree char *path = pen_settings_file_path ();
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "neither group nor key", -1, NULL));
  g_assert_false (pen_settings_file_change (add_key, (gpointer) "key", &error));
  g_assert_nonnull (strstr (error->message, path));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "neither group nor key");
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("pentimento-test-XXXXXX", NULL);
  g_autofree char *directory = g_build_filename (home, "pentimento", NULL);
  int status;

  /* Before anything asks where settings are. */
  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings-file/many-writers", test_many_writers);
  g_test_add_func ("/settings-file/damaged", test_damaged);
  status = g_test_run ();

  g_rmdir (directory);
  g_rmdir (home);
  return status;
}
