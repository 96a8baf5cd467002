/* pen-translations.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-translations.h"

#include <locale.h>

#include <glib/gi18n-lib.h>

static char *
find_directory (void)
{
  const char *given = g_getenv ("PENTIMENTO_LOCALE");
  g_autofree char *own = NULL;
  g_autofree char *directory = NULL;
  g_autofree char *near = NULL;

  if (given && *given)
    return g_strdup (given);
  own = g_file_read_link ("/proc/self/exe", NULL);
  directory = own ? g_path_get_dirname (own) : NULL;
  near = own ? g_build_filename (directory, "..", "share", "locale", NULL) : NULL;
  if (near && g_file_test (near, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&near);
  return g_strdup (PEN_LOCALE_DIRECTORY);
}

void
pen_translations_init (void)
{
  g_autofree char *directory = find_directory ();

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, directory);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
