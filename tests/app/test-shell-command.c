/* test-shell-command.c: what is copied as a command means what was recorded, and does nothing else
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-display.h"
#include "pen-filter-term.h"
#include "pen-shell-command.h"

static const char *const names[] = {
  "plain",
  "two words",
  "it's",
  "$(rm x) `ls` $HOME !! ~ *",
  "new\nline; touch x",
  "\033[201~\nls\n",
  "\003ls\r",
  "\342\200\256moc.exe",
  "\377\376\300\257",
  "\302\2332J",
  "tab\there",
  "quote'and\033back\\slash",
  "7\0337",
  "b\303\274cher",
  "\342\201\246 \363\240\200\201",
};

static char *
make_command (const char *name)
{
  const char *words[] = { "annotate", name, NULL };
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autofree char *path = g_strconcat ("/tmp/", name, NULL);

  pen_filter_add_value (filter, PEN_FILTER_COMM, name, NULL);
  return pen_shell_command_new (words, path, filter, NULL);
}

/* A command on the clipboard is what is seen of it. */
static void
test_shown (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *command = make_command (names[i]);
    g_autofree char *shown = pen_display_text (command);

    g_assert_true (g_utf8_validate (command, -1, NULL));
    g_assert_cmpstr (shown, ==, command);
  }
}

/* The words that a shell makes of it. */
static void
test_bash (void)
{
  g_autofree char *bash = g_find_program_in_path ("bash");

  if (!bash) {
    g_test_skip ("needs bash");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *command = make_command (names[i]);
    g_autofree char *script = g_strconcat ("set -- ", command, "; printf '%s\\n\\n' \"$@\"", NULL);
    const char *argv[] = { bash, "--norc", "-c", script, NULL };
    g_autofree char *expected
        = g_strdup_printf ("pentimento-cli\n\nannotate\n\n/tmp/%s\n\n%s\n\n--comm=%s\n\n", names[i],
                           names[i], names[i]);
    g_autofree char *output = NULL;
    g_autoptr (GError) error = NULL;

    g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, NULL,
                  &error);
    g_assert_no_error (error);
    g_assert_cmpstr (output, ==, expected);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shell-command/shown", test_shown);
  g_test_add_func ("/shell-command/bash", test_bash);
  return g_test_run ();
}
