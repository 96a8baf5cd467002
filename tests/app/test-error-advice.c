/* test-error-advice.c: every failure that a user can meet has words of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-error-advice.h"
#include "pen-record-command.h"

#include <string.h>

#include "pen-reader.h"
#include "pen-store-pokes.h"

#define PATH "/home/me/it's perf.data"
#define QUOTED "'/home/me/it'\\''s perf.data'"

typedef struct {
  const char *kind; /* of error, for the name of the test */
  const char *title;
  const char *remedy;
  const char *command; /* or NULL */
  const char *action;  /* or NULL */
  gboolean can_retry;
} Expected;

static void
assert_has (const char *text, const char *part)
{
  if (!text || !strstr (text, part))
    g_error ("“%s” is not in: %s", part, text ? text : "nothing");
}

static void
check (GQuark domain, int code, const char *message, const Expected *expected)
{
  g_autoptr (GError) error = g_error_new (domain, code, message, PATH);
  g_autoptr (PenErrorAdvice) advice = pen_error_advice_new (error, PATH, FALSE);

  assert_has (advice->title, "it's perf.data");
  assert_has (advice->title, expected->title);
  g_assert_cmpstr (advice->message, ==, error->message);
  assert_has (advice->remedy, expected->remedy);
  g_assert_cmpstr (advice->command, ==, expected->command);
  g_assert_cmpstr (advice->action, ==, expected->action);
  g_assert_cmpint (advice->can_retry, ==, expected->can_retry);
}

static void
test_errors (void)
{
  check (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "Cannot read “%s”: No such file or directory",
         &(Expected){ .title = "Not Found", .remedy = "not mounted", .can_retry = TRUE });
  check (G_FILE_ERROR, G_FILE_ERROR_NOENT, "Cannot read “%s”",
         &(Expected){ .title = "Not Found", .remedy = "not mounted", .can_retry = TRUE });
  check (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "“%s”: Permission denied",
         &(Expected){ .title = "No Permission",
                      .remedy = "0600",
                      .command = "sudo chown -R \"$USER\" " QUOTED,
                      .can_retry = TRUE });
  check (G_IO_ERROR, G_IO_ERROR_NO_SPACE, "Cannot write to “%s”: disk full",
         &(Expected){ .title = "Not Enough Space",
                      .remedy = "The import was discarded",
                      .command = "pentimento-cli import " QUOTED " -o STORE.pentimento",
                      .action = "app.preferences",
                      .can_retry = TRUE });
  check (PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR, "“%s” is not a regular file",
         &(Expected){ .title = "Cannot Open", .remedy = "named pipe" });
  check (PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED, "“%s”, offset 16: damaged",
         &(Expected){ .title = "Is Damaged",
                      .remedy = "compare checksums",
                      .command = "sha256sum " QUOTED,
                      .can_retry = TRUE });
  check (PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA, "“%s” is not a perf.data file",
         &(Expected){ .title = "Is Not a Recording",
                      .remedy = "perf.data",
                      .command = pen_record_command_get (),
                      .can_retry = TRUE });
  check (PEN_READER_ERROR, PEN_READER_ERROR_EMPTY, "“%s” is empty",
         &(Expected){ .title = "Is Empty",
                      .remedy = "stopped",
                      .command = pen_record_command_get (),
                      .can_retry = TRUE });
  check (PEN_READER_ERROR, PEN_READER_ERROR_UNSUPPORTED, "“%s”: this shape is not read",
         &(Expected){ .title = "Is Not Supported", .remedy = "newer version" });
  check (PEN_STORE_ERROR, PEN_STORE_ERROR_NEWER, "“%s” is of a newer version",
         &(Expected){ .title = "Made by a Newer Version", .remedy = "import it again" });
  check (PEN_STORE_ERROR, PEN_STORE_ERROR_OLDER, "“%s” is of an older version",
         &(Expected){ .title = "Made by an Older Version", .remedy = "import it again" });
  check (PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED, "“%s”: checksum",
         &(Expected){ .title = "Is Damaged",
                      .remedy = "import it again",
                      .command = "pentimento-cli import --verify " QUOTED,
                      .can_retry = TRUE });
  check (PEN_STORE_ERROR, PEN_STORE_ERROR_UNFINISHED, "“%s” is unfinished",
         &(Expected){ .title = "Is Damaged",
                      .remedy = "import it again",
                      .command = "pentimento-cli import --verify " QUOTED,
                      .can_retry = TRUE });
  check (G_IO_ERROR, G_IO_ERROR_FAILED, "“%s”: Input/output error",
         &(Expected){ .title = "Cannot Open",
                      .remedy = "record again",
                      .command = pen_record_command_get (),
                      .can_retry = TRUE });
}

/* The one that is installed, if sudo finds it, and a terminal is on this side of the sandbox. */
static void
test_record_command (void)
{
  const char *perf = pen_record_command_choose (NULL, FALSE);

  g_assert_true (g_str_has_prefix (perf, "sudo perf record --kcore -a -g "));
  assert_has (perf, "-e module:module_load -e module:module_free");
  g_assert_cmpstr (pen_record_command_choose ("/usr/bin/pentimento-cli", FALSE), ==,
                   "sudo pentimento-cli record -g -- sleep 10");
  g_assert_cmpstr (pen_record_command_choose ("/usr/bin/pentimento-cli", TRUE), ==, perf);
  g_assert_cmpstr (pen_record_command_choose ("/home/some/bin/pentimento-cli", FALSE), ==, perf);
}

/* What is missing is not the recording: it stays in the list of recent ones. */
static void
test_source (void)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                                          "Cannot read “/boot/vmlinux”: No such file or directory");
  g_autoptr (PenErrorAdvice) advice = pen_error_advice_new (error, PATH, FALSE);

  g_assert_false (pen_error_advice_is_gone (error, PATH));
  assert_has (advice->message, "/boot/vmlinux");
  assert_has (advice->remedy, "Preferences");
  g_assert_cmpstr (advice->action, ==, "app.preferences");

  g_clear_error (&error);
  error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "Cannot read “%s”", PATH);
  g_assert_true (pen_error_advice_is_gone (error, PATH));
}

/* What a terminal would obey is not offered to be pasted into one. */
static void
test_hostile_name (void)
{
  const char *path = "/tmp/a\nrm -rf ~\n\033[2J.data";
  g_autoptr (GError) error
      = g_error_new (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "“%s”: Permission denied", path);
  g_autoptr (PenErrorAdvice) advice = pen_error_advice_new (error, path, FALSE);

  g_assert_null (advice->command);
  g_assert_null (strchr (advice->title, '\n'));
  g_assert_null (strchr (advice->message, '\033'));
}

/* A sandbox hides what is there. */
static void
test_sandbox (void)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                                          "Cannot read “%s”: No such file or directory", PATH);
  g_autoptr (PenErrorAdvice) advice = pen_error_advice_new (error, PATH, TRUE);

  assert_has (advice->remedy, "choose it with Open");
  g_assert_cmpstr (advice->command, ==,
                   "flatpak override --user --filesystem=" QUOTED ":ro " PEN_APP_ID);
  g_assert_true (advice->can_retry);
}

static void
test_standard_input (void)
{
  g_autoptr (GError) error
      = g_error_new (PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED, "“-”, offset 8: damaged");
  g_autoptr (PenErrorAdvice) advice = pen_error_advice_new (error, "-", FALSE);

  assert_has (advice->title, "Standard Input");
  g_assert_false (advice->can_retry);
  g_assert_null (advice->command);
}

/* ---- what can be opened ---- */

static PenOpened
make_opened (guint64 samples, guint32 kinds, const guint64 *bar_from)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (PenBar));
  PenOpened opened = { .samples = samples };

  if (bar_from) {
    PenBar bar = { .tenure = { .from = { *bar_from, 1 }, .name = "x", .occupant = "x" } };

    g_array_append_val (bars, bar);
  }
  opened.outline = pen_outline_new (NULL, bars, 1, g_array_new (FALSE, FALSE, sizeof (PenLoss)),
                                    g_array_new (FALSE, FALSE, sizeof (PenPokeTick)));
  opened.outline->kinds = kinds;
  opened.problems = g_ptr_array_new ();
  return opened;
}

static void
clear_opened (PenOpened *opened)
{
  pen_outline_free (opened->outline);
  g_ptr_array_unref (opened->problems);
}

static void
test_nothing (void)
{
  const guint64 start = 0, later = 1000;
  PenOpened nothing = make_opened (0, 0, &start);
  PenOpened changes = make_opened (0, 0, &later);
  PenOpened user = make_opened (10, 1u << PEN_KIND_DSO, NULL);
  PenOpened kernel = make_opened (10, 1u << PEN_KIND_DSO | 1u << PEN_KIND_KERNEL, NULL);
  PenOpened unknown = make_opened (10, 1u << PEN_KIND_UNKNOWN, NULL);
  g_autoptr (PenErrorAdvice) advice = pen_error_advice_new_for_nothing (&nothing, PATH);

  assert_has (advice->title, "Nothing to Show");
  assert_has (advice->message, "no samples");
  g_assert_cmpstr (advice->action, ==, "win.show-recording");
  g_assert_cmpstr (advice->command, ==, pen_record_command_get ());
  g_assert_null (pen_error_advice_new_for_nothing (&changes, PATH));
  assert_has (pen_error_advice_get_remark (&changes), "No samples");
  g_assert_null (pen_error_advice_new_for_nothing (&user, PATH));
  assert_has (pen_error_advice_get_remark (&user), "No kernel samples");
  g_assert_null (pen_error_advice_get_remark (&kernel));
  g_assert_null (pen_error_advice_get_remark (&unknown));
  clear_opened (&nothing);
  clear_opened (&changes);
  clear_opened (&user);
  clear_opened (&kernel);
  clear_opened (&unknown);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/error-advice/record-command", test_record_command);
  g_test_add_func ("/error-advice/errors", test_errors);
  g_test_add_func ("/error-advice/source", test_source);
  g_test_add_func ("/error-advice/hostile-name", test_hostile_name);
  g_test_add_func ("/error-advice/sandbox", test_sandbox);
  g_test_add_func ("/error-advice/standard-input", test_standard_input);
  g_test_add_func ("/error-advice/nothing", test_nothing);
  return g_test_run ();
}
