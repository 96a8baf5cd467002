/* pen-example.c: the recording that is installed with the program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-example.h"

#include <gio/gio.h>
#include <unistd.h>

#define NAME "example.data"

char *
pen_example_dup_path (void)
{
  const char *given = g_getenv ("PENTIMENTO_DATA");
  g_autofree char *own = NULL;
  g_autofree char *directory = NULL;
  g_autofree char *near = NULL;

  if (given && *given != '\0')
    return g_build_filename (given, NAME, NULL);

  own = g_file_read_link ("/proc/self/exe", NULL);
  directory = own ? g_path_get_dirname (own) : NULL;
  near = own ? g_build_filename (directory, "..", "share", "pentimento", NAME, NULL) : NULL;
  if (near && access (near, R_OK) == 0)
    return g_canonicalize_filename (near, NULL);
  return g_build_filename (PEN_PKGDATADIR, NAME, NULL);
}
