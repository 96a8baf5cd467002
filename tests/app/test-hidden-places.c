/* test-hidden-places.c: what a sandbox hides, and the commands that open it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "pen-sandbox.h"

#define HOME "/home/someone"
#define OVERRIDE "flatpak override --user --filesystem=%s:ro " PEN_APP_ID

/* @permissions: as flatpak writes them; NULL: none. @hidden: permissions that the commands give */
static void
check (const char *permissions, const char *const *hidden)
{
  g_autofree char *name = NULL;
  g_autofree char *text
      = permissions ? g_strdup_printf ("[Application]\nname=" PEN_APP_ID "\n\n[Instance]\n"
                                       "flatpak-version=1.14.10\n\n[Context]\nshared=ipc;\n"
                                       "filesystems=%s\n",
                                       permissions)
                    : g_strdup ("[Application]\nname=" PEN_APP_ID "\n\n[Context]\nshared=ipc;\n");
  g_autoptr (GPtrArray) places = NULL;
  int file = g_file_open_tmp ("pen-hidden-XXXXXX", &name, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (name, text, -1, NULL));
  places = pen_sandbox_list_hidden (name, HOME);
  g_unlink (name);

  for (guint i = 0; hidden[i]; i++) {
    const PenHiddenPlace *place;
    g_autofree char *command = g_strdup_printf (OVERRIDE, hidden[i]);

    g_assert_cmpuint (places->len, >, i);
    place = places->pdata[i];
    g_assert_cmpstr (place->command, ==, command);
    g_assert_nonnull (place->what);
  }
  g_assert_cmpuint (places->len, ==, g_strv_length ((char **) hidden));
}

static void
test_all (void)
{
  check (NULL, (const char *[]){ "host-os", "/boot", "~/.debug", NULL });
  check ("xdg-run/gvfs;!home;hostile;~/.debugger;/boot/efi;",
         (const char *[]){ "host-os", "/boot", "~/.debug", NULL });
}

static void
test_some (void)
{
  check ("host-os:ro;", (const char *[]){ "/boot", "~/.debug", NULL });
  check ("~/.debug:ro;/boot:ro;", (const char *[]){ "host-os", NULL });
  check (HOME "/.debug;", (const char *[]){ "host-os", "/boot", NULL });
  check ("home:ro;", (const char *[]){ "host-os", "/boot", NULL });
  check ("host:ro;", (const char *[]){ "/boot", NULL });
}

static void
test_none (void)
{
  const char *nothing[] = { NULL };
  g_autoptr (GPtrArray) places = pen_sandbox_list_hidden ("/nowhere/.flatpak-info", HOME);

  check ("host;/boot;", nothing);
  check ("~/.debug:ro;host-os:ro;/boot:ro;", nothing);
  g_assert_cmpuint (places->len, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hidden-places/all", test_all);
  g_test_add_func ("/hidden-places/some", test_some);
  g_test_add_func ("/hidden-places/none", test_none);
  return g_test_run ();
}
