/* test-mime-types.c: recordings and stores are known by what is in them
 *
 * Usage: test-mime-types UPDATE-MIME-DATABASE PACKAGE
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>

static gboolean
is_type (const char *name, const void *bytes, gsize length, const char *expected)
{
  g_autofree char *type = g_content_type_guess (name, bytes, length, NULL);

  if (g_str_equal (type, expected))
    return TRUE;
  g_printerr ("%s is taken for %s, not %s\n", name, type, expected);
  return FALSE;
}

/* A database of this package alone. */
static gboolean
install (const char *directory, const char *update, const char *package)
{
  g_autofree char *packages = g_build_filename (directory, "mime", "packages", NULL);
  g_autofree char *mime = g_build_filename (directory, "mime", NULL);
  g_autofree char *target = g_build_filename (packages, "package.xml", NULL);
  g_autoptr (GFile) from = g_file_new_for_path (package);
  g_autoptr (GFile) to = g_file_new_for_path (target);
  const char *const command[] = { update, mime, NULL };
  g_autoptr (GError) error = NULL;
  int status = 1;

  if (g_mkdir_with_parents (packages, 0700) != 0
      || !g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error)
      || !g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL,
                        &status, &error)) {
    g_printerr ("%s\n", error ? error->message : "no directory");
    return FALSE;
  }
  return status == 0;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    remove_tree (child);
  }
  g_remove (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("pentimento-mime-XXXXXX", NULL);
  guint8 store[100] = "SQLite format 3";
  guint8 other[100] = "SQLite format 3";
  gboolean good;

  if (argc != 3 || !directory)
    return 2;
  memcpy (store + 68, "PENT", 4);
  good = install (directory, argv[1], argv[2]);
  g_setenv ("XDG_DATA_HOME", directory, TRUE);
  g_setenv ("XDG_DATA_DIRS", "/nonexistent", TRUE);
  good = good && is_type ("a.bin", "PERFILE2\150\0\0\0\0\0\0\0", 16, "application/x-perf-data")
         && is_type ("b", "2ELIFREP\0\0\0\0\0\0\0\150", 16, "application/x-perf-data")
         && is_type ("c", "PERFFILE\0\0\0\0", 12, "application/x-perf-data")
         && is_type ("d.bin", store, sizeof store, "application/x-pentimento")
         && is_type ("e.pentimento", "", 0, "application/x-pentimento")
         && !g_content_type_is_a ("application/x-perf-data", "application/vnd.sqlite3")
         && g_content_type_is_a ("application/x-pentimento", "application/vnd.sqlite3");
  if (good) {
    g_autofree char *type = g_content_type_guess ("f.db", other, sizeof other, NULL);

    good = !g_str_equal (type, "application/x-pentimento");
  }
  remove_tree (directory);
  return good ? 0 : 1;
}
