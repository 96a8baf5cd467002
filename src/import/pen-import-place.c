/* pen-import-place.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-place.h"

char *
pen_import_find_capture (const char *path)
{
  g_autofree char *data = g_build_filename (path, "data", NULL);
  g_autofree char *inner = g_build_filename (path, "perf.data", NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (data, G_FILE_TEST_EXISTS)
      && g_file_test (inner, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&inner);
  return g_strdup (path);
}
