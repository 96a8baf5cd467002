/* test-module-watch.c: announcements that may say anything
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-watch.h"

#include <string.h>

static void
test_names (void)
{
  static const struct {
    const char *message;
    gsize length;
    const char *name; /* NULL: none */
  } cases[] = {
    { "add@/module/rmd160\0ACTION=add", 28, "rmd160" },
    { "add@/module/a_1", 16, "a_1" },
    { "remove@/module/rmd160", 22, NULL },
    { "add@/devices/x", 15, NULL },
    { "add@/module/", 13, NULL },
    { "add@/module/../../etc", 22, NULL },
    { "add@/module/*", 14, NULL },
    { "add@/module/a/holders", 22, NULL },
    /* Without its end. */
    { "add@/module/rmd160", 18, NULL },
    { "add@/module/rmd160", 5, NULL },
    { "", 0, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char name[PEN_MODULE_NAME_MAX] = "";
    gboolean has_name = pen_module_watch_parse (cases[i].message, cases[i].length, name);

    g_assert_cmpint (has_name, ==, cases[i].name != NULL);
    g_assert_cmpstr (has_name ? name : NULL, ==, cases[i].name);
  }
}

/* The kernel's own are shorter. */
static void
test_long_names (void)
{
  for (gsize length = PEN_MODULE_NAME_MAX - 2; length < PEN_MODULE_NAME_MAX + 2; length++) {
    g_autofree char *longest = g_strnfill (length, 'x');
    g_autofree char *message = g_strconcat ("add@/module/", longest, NULL);
    char name[PEN_MODULE_NAME_MAX];

    g_assert_cmpint (pen_module_watch_parse (message, strlen (message) + 1, name), ==,
                     length < PEN_MODULE_NAME_MAX);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/module-watch/names", test_names);
  g_test_add_func ("/record/module-watch/long-names", test_long_names);
  return g_test_run ();
}
