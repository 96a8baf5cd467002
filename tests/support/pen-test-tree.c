/* pen-test-tree.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-tree.h"

#include <glib/gstdio.h>

void
pen_test_remove_tree (const char *path)
{
  gboolean is_link = g_file_test (path, G_FILE_TEST_IS_SYMLINK);
  g_autoptr (GDir) directory = is_link ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (directory && (name = g_dir_read_name (directory))) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    pen_test_remove_tree (child);
  }
  g_remove (path);
}
