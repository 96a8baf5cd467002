/* test-sizes.c: sizes as people write them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "pen-cache-settings.h"
#include "pen-cache.h"

static void
test_sizes (void)
{
  static const struct {
    const char *text;
    guint64 size;
  } sizes[] = {
    { "7B", 7 },
    { "500k", 500000 },
    { "500KB", 500000 },
    { "1.5 GB", 1500000000 },
    { "2GiB", G_GUINT64_CONSTANT (2) << 30 },
    { "1Mi", 1 << 20 },
    { "3T", G_GUINT64_CONSTANT (3000000000000) },
    { "0", PEN_CACHE_NO_LIMIT },
    { "none", PEN_CACHE_NO_LIMIT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    guint64 size;
    guint64 again;

    g_assert_true (pen_size_from_string (sizes[i].text, &size));
    g_assert_cmpuint (size, ==, sizes[i].size);
    g_assert_true (pen_cache_set_limit (size, NULL));
    g_assert_true (pen_cache_get_limit (&again, NULL));
    g_assert_cmpuint (again, ==, size);
  }
}

static void
test_no_sizes (void)
{
  static const char *const texts[] = { "",      "5",   "GB",     "-1GB",  "+1GB", "1 ",  "1XB",
                                       "1GiBs", "1GG", "1e300B", "2000P", "nan",  " 1B", "0x" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    guint64 size;

    g_test_message ("%s", texts[i]);
    g_assert_false (pen_size_from_string (texts[i], &size));
  }
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("pentimento-test-XXXXXX", NULL);
  g_autofree char *settings = g_build_filename (home, "pentimento", "settings.ini", NULL);
  g_autofree char *directory = g_path_get_dirname (settings);
  int status;

  /* Before anything asks where settings are. GLib 2.74 leaks the directories that it isolates. */
  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import/sizes/read-and-written", test_sizes);
  g_test_add_func ("/import/sizes/refused", test_no_sizes);
  status = g_test_run ();

  g_unlink (settings);
  g_rmdir (directory);
  g_rmdir (home);
  return status;
}
