/* pen-sandbox.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sandbox.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
pen_sandbox_is_inside (void)
{
  return g_file_test (PEN_SANDBOX_INFO, G_FILE_TEST_EXISTS);
}

/* @permission: of flatpak's, the least that opens the place; "host-os" is /usr, which is then below
 * /run/host. @wider: others that open it, too; "host" has neither /boot nor what is the user's
 * "home" on a system where that lies elsewhere. */
typedef struct {
  const char *what;
  const char *permission;
  const char *wider[3];
} Place;

static const Place places[] = {
  { N_ ("Debug files, modules and programs of this system (/usr)"), "host-os", { "host" } },
  { N_ ("Kernels of this system (/boot)"), "/boot", { NULL } },
  { N_ ("Files that perf kept (~/.debug)"), "~/.debug", { "home", "~", "host" } },
};

/* The mode, as in "home:ro", matters to those who write. */
static gboolean
is_permission (const char *given, const char *wanted, const char *home)
{
  g_autofree char *name = g_strndup (given, strcspn (given, ":"));
  g_autofree char *absolute = wanted[0] == '~' ? g_strconcat (home, wanted + 1, NULL) : NULL;

  return g_str_equal (name, wanted) || g_strcmp0 (name, absolute) == 0;
}

static gboolean
is_open (const Place *place, char **permissions, const char *home)
{
  for (guint i = 0; permissions && permissions[i]; i++) {
    if (is_permission (permissions[i], place->permission, home))
      return TRUE;
    for (guint j = 0; j < G_N_ELEMENTS (place->wider) && place->wider[j]; j++) {
      if (is_permission (permissions[i], place->wider[j], home))
        return TRUE;
    }
  }
  return FALSE;
}

static void
free_place (gpointer data)
{
  PenHiddenPlace *place = data;

  g_free (place->command);
  g_free (place);
}

GPtrArray *
pen_sandbox_list_hidden (const char *info, const char *home)
{
  GPtrArray *hidden = g_ptr_array_new_with_free_func (free_place);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) permissions = NULL;

  if (!g_key_file_load_from_file (file, info, G_KEY_FILE_NONE, NULL))
    return hidden;

  permissions = g_key_file_get_string_list (file, "Context", "filesystems", NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    PenHiddenPlace *place;

    if (is_open (&places[i], permissions, home))
      continue;
    place = g_new0 (PenHiddenPlace, 1);
    place->what = _ (places[i].what);
    place->command = g_strdup_printf ("flatpak override --user --filesystem=%s:ro %s",
                                      places[i].permission, PEN_APP_ID);
    g_ptr_array_add (hidden, place);
  }
  return hidden;
}
