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

#define HOST "/run/host"

static gboolean
is_below (const char *path, const char *place)
{
  gsize n = strlen (place);

  return strncmp (path, place, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

gboolean
pen_file_roots_is_refused (const char *path)
{
  static const char *const places[] = {
    "/proc", "/sys", "/dev", "/net", "/misc", "/afs", "/run/user", "/var/run/user",
  };

  if (*path != '/')
    return FALSE;
  if (strstr (path, "//") || strstr (path, "/./") || g_str_has_suffix (path, "/."))
    return TRUE;
  /* The host's files, as a container sees them; one in another, too. */
  while (is_below (path, HOST) && path[strlen (HOST)] == '/')
    path += strlen (HOST);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    if (is_below (path, places[i]))
      return TRUE;
  }
  return FALSE;
}

gboolean
pen_file_roots_may_follow (const char *path, gboolean has_symfs)
{
  return *path == '/' && !strstr (path, "/../") && !g_str_has_suffix (path, "/..")
         && (has_symfs || !pen_file_roots_is_refused (path));
}
