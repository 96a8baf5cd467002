/* test-export.c: what the window exports is what the command line prints, byte for byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "app-support.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "pen-shell-command.h"

/* The command that the window itself hands out for what it shows. */
static char *
run_like (PenSession *session, PenExport table)
{
  static const char *const names[PEN_EXPORTS] = {
    [PEN_EXPORT_FUNCTIONS] = "functions", [PEN_EXPORT_ANNOTATION] = "annotate",
    [PEN_EXPORT_HISTORY] = "history",     [PEN_EXPORT_SAMPLES] = "samples",
    [PEN_EXPORT_CAUSES] = "causes",       [PEN_EXPORT_CHANGES] = "changes",
    [PEN_EXPORT_NOTES] = "notes",         [PEN_EXPORT_OCCUPANTS] = "occupants",
    [PEN_EXPORT_RECORDING] = "info",      [PEN_EXPORT_CALLERS] = "callers",
    [PEN_EXPORT_CALLEES] = "callees",     [PEN_EXPORT_STACKS] = "stacks",
  };
  static const char *const options[] = { "--format=csv", NULL };
  gboolean filters = table != PEN_EXPORT_NOTES && table != PEN_EXPORT_RECORDING;
  g_autofree char *target = NULL;
  g_autofree char *command = NULL;
  guint64 line;

  if (table == PEN_EXPORT_ANNOTATION)
    target
        = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x",
                           pen_session_get_answers (session)->annotation->text->annotated->start);
  else if (table == PEN_EXPORT_CALLERS || table == PEN_EXPORT_CALLEES)
    target = g_strdup (pen_session_get_answers (session)->annotation->text->annotated->symbol);
  else if (table == PEN_EXPORT_HISTORY && pen_session_get_line (session, &line))
    target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", line);
  command = pen_shell_command_new (
      (const char *const[]){ names[table], target, NULL }, pen_session_get_path (session),
      filters ? pen_session_get_view (session)->filter : NULL, options);
  return app_support_run_command (command);
}

static PenSession *
open_session (const char *name)
{
  PenSession *session = pen_session_new ();
  g_autofree char *path = app_support_capture (name);
  guint64 line;

  app_support_forget_views ();
  pen_session_open (session, path);
  app_support_settle (session);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (session), &line));
  pen_session_set_line (session, &line);
  app_support_settle (session);
  return session;
}

static void
assert_all_alike (PenSession *session)
{
  for (guint table = 0; table < PEN_EXPORTS; table++) {
    g_autofree char *exported = app_support_session_export (session, table);
    g_autofree char *printed = run_like (session, table);

    if (!g_str_equal (exported, printed))
      g_error ("%s:\n%.2000s\n--- is not ---\n%.2000s", pen_export_to_string (table), exported,
               printed);
    g_assert_cmpuint (strlen (exported), >, 10);
  }
}

static void
test_alike (gconstpointer name)
{
  g_autoptr (PenSession) session = open_session (name);
  PenSpan part = pen_session_get_span (session);
  g_autoptr (GError) error = NULL;

  assert_all_alike (session);
  g_assert_true (pen_session_add_filter_text (session, "!kind:dso", &error));
  g_assert_no_error (error);
  part.from += pen_span_length (part) / 4;
  part.to -= pen_span_length (part) / 4;
  pen_session_set_selected (session, &part);
  app_support_settle (session);
  assert_all_alike (session);
}

/* Each file of another program is the one that the command line writes, for what is filtered. */
static void
test_profiles (gconstpointer name)
{
  g_autoptr (PenSession) session = open_session (name);
  PenSpan part = pen_session_get_span (session);
  g_autoptr (GError) error = NULL;
  guint64 first = 0;

  g_assert_true (pen_session_add_filter_text (session, "!kind:dso", &error));
  part.from += pen_span_length (part) / 4;
  pen_session_set_selected (session, &part);
  app_support_settle (session);
  for (guint i = 0; i < PEN_PROFILE_FORMATS; i++) {
    guint64 n = 0;
    g_autoptr (GBytes) exported = app_support_session_export_profile (session, i, &n);
    g_autofree char *option = g_strdup_printf ("--to=%s", pen_profile_format_to_string (i));
    g_autofree char *path = app_support_temporary ("printed.profile");
    g_autofree char *output = g_strdup_printf ("--output=%s", path);
    g_autofree char *command = pen_shell_command_new (
        (const char *const[]){ "export", NULL }, pen_session_get_path (session),
        pen_session_get_view (session)->filter, (const char *const[]){ option, output, NULL });
    g_autofree char *nothing = app_support_run_command (command);
    g_autofree char *printed = NULL;
    gsize length;

    g_assert_true (g_file_get_contents (path, &printed, &length, &error));
    g_assert_cmpmem (g_bytes_get_data (exported, NULL), g_bytes_get_size (exported), printed,
                     length);
    first = i == 0 ? n : first;
    g_assert_cmpuint (n, >, 100);
    g_assert_cmpuint (n, ==, first);
  }
}

/* A folder that takes nothing, and a disk that is full. */
static void
test_no_room (void)
{
  g_autoptr (PenSession) session = open_session ("b-ftrace.data");
  static const char *const places[] = { "/proc/pentimento.csv", "/dev/full" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *message
        = app_support_session_export_fails (session, PEN_EXPORT_OCCUPANTS, places[i]);

    g_assert_nonnull (message);
  }
}

static int
get_mode (const char *path)
{
  struct stat status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return status.st_mode & 0777;
}

/* A recording that its owner alone can read has exports that he alone can read, also in place of a
 * file that everyone could. */
static void
test_private (void)
{
  static const struct {
    int recording;
    int expected;
  } modes[] = { { 0644, 0644 }, { 0600, 0600 }, { 0640, 0600 }, { 0644, 0644 } };
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *path = app_support_write_capture (capture, "private.data");
  g_autofree char *exported = app_support_temporary ("export.csv");
  g_autofree char *picture = app_support_temporary ("picture.svg");
  g_autoptr (PenSession) session = pen_session_new ();
  mode_t before = umask (022);

  pen_session_open (session, path);
  app_support_settle (session);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autofree char *text = NULL;

    g_assert_cmpint (g_chmod (path, (mode_t) modes[i].recording), ==, 0);
    text = app_support_session_export (session, PEN_EXPORT_OCCUPANTS);
    g_assert_cmpint (get_mode (exported), ==, modes[i].expected);
    app_support_session_export_picture (session, picture);
    g_assert_cmpint (get_mode (picture), ==, modes[i].expected);
  }
  umask (before);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  app_support_begin ();
  g_test_add_data_func ("/export/alike/f-everything", "f-everything-z.data", test_alike);
  g_test_add_data_func ("/export/alike/d-bpf", "d-bpf.data", test_alike);
  g_test_add_data_func ("/export/profiles/f-everything", "f-everything-z.data", test_profiles);
  g_test_add_func ("/export/no-room", test_no_room);
  g_test_add_func ("/export/private", test_private);
  status = g_test_run ();
  app_support_end ();
  return status;
}
