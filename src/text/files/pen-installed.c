/* pen-installed.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-installed.h"

#include <gio/gio.h>
#include <unistd.h>

char *
pen_installed_find (const char *variable, const char *below, const char *built_for,
                    const char *name)
{
  const char *given = g_getenv (variable);
  g_autofree char *own = NULL;
  g_autofree char *directory = NULL;
  g_autofree char *near = NULL;

  if (given && *given != '\0')
    return g_build_filename (given, name, NULL);

  own = g_file_read_link ("/proc/self/exe", NULL);
  directory = own ? g_path_get_dirname (own) : NULL;
  near = own ? g_build_filename (directory, "..", below, name, NULL) : NULL;
  if (near && access (near, F_OK) == 0)
    return g_canonicalize_filename (near, NULL);
  return g_build_filename (built_for, name, NULL);
}
