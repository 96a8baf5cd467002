/* pen-kernel-places.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-places.h"

#include <string.h>

#define DEBUG_DIRECTORY "/usr/lib/debug"

gboolean
pen_kernel_places_is_release (const char *release)
{
  return *release != '\0' && *release != '.' && !strchr (release, '/');
}

char **
pen_kernel_places_list (const char *root, const char *release)
{
  static const char *const places[][2] = {
    { "/boot/vmlinux-", "" },
    { DEBUG_DIRECTORY "/boot/vmlinux-", "" },
    { "/lib/modules/", "/build/vmlinux" },
    { DEBUG_DIRECTORY "/lib/modules/", "/vmlinux" },
    { "/lib/modules/", "/vmlinux" },
    { DEBUG_DIRECTORY "/boot/vmlinux-", ".debug" },
  };
  GPtrArray *paths = g_ptr_array_new ();

  for (guint i = 0; release && i < G_N_ELEMENTS (places); i++)
    g_ptr_array_add (paths, g_strconcat (root, places[i][0], release, places[i][1], NULL));
  g_ptr_array_add (paths, g_strconcat (root, "/boot/vmlinux", NULL));
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}
