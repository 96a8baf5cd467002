/* test-help.c: where F1 leads: a program for help that knows our pages, or nobody
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-app-resources.h"
#include "pen-help-window.h"
#include "pen-help.h"
#include "pen-test-tree.h"

#define READER                                                                                     \
  "[Desktop Entry]\nType=Application\nName=Reader\nExec=true %u\n"                                 \
  "MimeType=x-scheme-handler/help;\n"
#define DEFAULTS "[Default Applications]\nx-scheme-handler/help=reader.desktop\n"

static char *home;

static char *
add (const char *folder, const char *name, const char *contents)
{
  g_autofree char *directory = g_build_filename (home, folder, NULL);
  char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_file_set_contents (path, contents, -1, &error);
  g_assert_no_error (error);
  return path;
}

/* GLib looks for programs once: each question has a process of its own. */
static gboolean
is_asked (void)
{
  if (g_test_subprocess ())
    return TRUE;
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  return FALSE;
}

static void
test_nobody (void)
{
  if (is_asked ()) {
    g_autofree char *page = add ("help/C/pentimento", "index.page", "<page/>");

    g_assert_null (pen_help_dup_uri ("callers"));
  }
}

static void
ask_reader (void)
{
  g_autofree char *reader = add ("applications", "reader.desktop", READER);
  g_autofree char *defaults = add ("applications", "mimeapps.list", DEFAULTS);
  g_autofree char *without_pages = pen_help_dup_uri ("callers");
  g_autofree char *page = add ("help/C/pentimento", "index.page", "<page/>");
  g_autofree char *uri = pen_help_dup_uri ("callers");

  g_assert_null (without_pages);
  g_assert_cmpstr (uri, ==, "help:pentimento/callers");
}

static void
test_reader (void)
{
  if (is_asked ())
    ask_reader ();
}

static char *
read_manual (const char *const *languages)
{
  g_autoptr (GBytes) manual = pen_help_window_find_manual (languages);

  g_assert_nonnull (manual);
  return g_strndup (g_bytes_get_data (manual, NULL), g_bytes_get_size (manual));
}

/* Each language has the same pages; one that there is not has the English ones. */
static void
test_languages (void)
{
  static const char *const languages[] = { "de", "es", "fr", "ja", "pt_BR", "zh_CN" };
  const char *const english[] = { "C", NULL };
  const char *const other[] = { "tlh_XX", "tlh", "C", NULL };
  const char *const second[] = { "tlh", "fr", "C", NULL };
  const char *const british[] = { "en_GB", "en", "fr", "C", NULL };
  const char *const french[] = { "fr_FR.UTF-8", "fr_FR", "fr", "C", NULL };
  g_autofree char *text = read_manual (english);
  g_autofree char *of_other = read_manual (other);
  g_autofree char *of_second = read_manual (second);
  g_autofree char *of_british = read_manual (british);
  g_autofree char *of_french = read_manual (french);

  g_assert_cmpstr (of_other, ==, text);
  g_assert_cmpstr (of_british, ==, text);
  g_assert_cmpstr (of_second, ==, of_french);
  g_assert_nonnull (strstr (text, "{#callers}"));

  for (guint i = 0; i < G_N_ELEMENTS (languages); i++) {
    const char *const names[] = { languages[i], "C", NULL };
    g_autofree char *translated = read_manual (names);

    g_assert_cmpstr (translated, !=, text);
    g_assert_nonnull (strstr (translated, "{#callers}"));
    g_assert_nonnull (strstr (translated, "{#cli-status}"));
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  /* Before GLib looks at them: no program of this desktop, and no page of an installed version. */
  home = g_dir_make_tmp ("pen-help-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_setenv ("XDG_DATA_DIRS", home, TRUE);
  g_setenv ("XDG_CONFIG_DIRS", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_resources_register (pen_app_get_resource ());
  g_test_add_func ("/help/nobody", test_nobody);
  g_test_add_func ("/help/reader", test_reader);
  g_test_add_func ("/help/languages", test_languages);
  status = g_test_run ();
  pen_test_remove_tree (home);
  g_free (home);
  return status;
}
