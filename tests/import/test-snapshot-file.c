/* test-snapshot-file.c: copies of what a kernel says of itself, and when they were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "pen-snapshot-file.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define FIRST (10 * SECOND)
#define LAST (30 * SECOND)

static void
test_dates (void)
{
  static const struct {
    const char *word;
    const char *path;
    guint64 time;
  } words[] = {
    { "modules", "modules", LAST },
    { "modules@start", "modules", FIRST },
    { "modules@end", "modules", LAST },
    { "modules@12", "modules", 12 * SECOND },
    { "modules@12.000000001", "modules", 12 * SECOND + 1 },
    { "modules@12.5s", "modules", 12 * SECOND + SECOND / 2 },
    { "modules@50%", "modules", 20 * SECOND },
    { "modules@12.5%", "modules", 12 * SECOND + SECOND / 2 },
    { "a@b@100%", "a@b", LAST },
    { "modules@1", "modules", FIRST },
    { "modules@31", "modules", LAST },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenSnapshotFile) file = pen_snapshot_file_parse (words[i].word, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (file->path, ==, words[i].path);
    g_assert_cmpuint (pen_snapshot_file_get_time (file, FIRST, LAST), ==, words[i].time);
  }
}

static void
test_no_dates (void)
{
  static const char *const words[]
      = { "modules@",     "modules@soon", "modules@-1",  "modules@1.2.3",
          "modules@101%", "modules@1e3",  "modules@ 12", "modules@99999999999999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (pen_snapshot_file_parse (words[i], &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  }
}

/* A file's name may have the sign in it. */
static void
test_name_with_sign (void)
{
  g_autofree char *directory = g_dir_make_tmp ("pen-snapshot-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "modules@12", NULL);
  g_autofree char *dated = g_strconcat (path, "@20", NULL);
  g_autoptr (PenSnapshotFile) file = NULL;
  g_autoptr (PenSnapshotFile) with_date = NULL;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  file = pen_snapshot_file_parse (path, NULL);
  g_assert_cmpstr (file->path, ==, path);
  g_assert_cmpint (file->date, ==, PEN_SNAPSHOT_UNDATED);
  with_date = pen_snapshot_file_parse (dated, NULL);
  g_assert_cmpstr (with_date->path, ==, path);
  g_assert_cmpuint (with_date->time, ==, 20 * SECOND);
  g_remove (path);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/snapshot-file/dates", test_dates);
  g_test_add_func ("/snapshot-file/no-dates", test_no_dates);
  g_test_add_func ("/snapshot-file/name-with-sign", test_name_with_sign);
  return g_test_run ();
}
