/* pen-user-directories.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-user-directories.h"

/* As in PATH, directories are separated by colons. Returns: (transfer full) (nullable): NULL: none
 * is left */
static char *
keep_absolute (const char *list)
{
  g_auto (GStrv) paths = g_strsplit (list, G_SEARCHPATH_SEPARATOR_S, -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; paths[i]; i++) {
    if (g_path_is_absolute (paths[i]))
      g_ptr_array_add (kept, paths[i]);
  }
  g_ptr_array_add (kept, NULL);
  return kept->len > 1 ? g_strjoinv (G_SEARCHPATH_SEPARATOR_S, (char **) kept->pdata) : NULL;
}

void
pen_user_directories_ignore_relative (void)
{
  static const char *const single[] = {
    "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  };
  static const char *const lists[] = { "XDG_CONFIG_DIRS", "XDG_DATA_DIRS" };

  for (guint i = 0; i < G_N_ELEMENTS (single); i++) {
    const char *path = g_getenv (single[i]);

    if (path && !g_path_is_absolute (path))
      g_unsetenv (single[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    const char *list = g_getenv (lists[i]);
    g_autofree char *kept = list ? keep_absolute (list) : NULL;

    if (kept)
      g_setenv (lists[i], kept, TRUE);
    else if (list)
      g_unsetenv (lists[i]);
  }
}
