/* pen-file-roots.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file-roots.h"

#include <string.h>

char **
pen_file_roots_new (const char *symfs)
{
  g_autoptr (GStrvBuilder) roots = g_strv_builder_new ();

  if (symfs) {
    g_strv_builder_add (roots, symfs);
  } else {
    if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
      g_strv_builder_add (roots, "/run/host");
    g_strv_builder_add (roots, "");
  }
  return g_strv_builder_end (roots);
}

gboolean
pen_file_roots_may_follow (const char *path)
{
  return *path == '/' && !strstr (path, "/../") && !g_str_has_suffix (path, "/..");
}
