/* test-window-record.c: recordings from the window, by a stand-in for pentimento-recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "recorder-support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pen-layout.h"

enum { ROW_NONE, ROW_5_SECONDS };

/* ---- what came of it ---- */

static void
assert_request (guint target, guint witness, guint seconds)
{
  g_autofree char *path = g_build_filename (recorder_support_get_directory (), "request", NULL);
  g_autofree char *bytes = NULL;
  PenRecorderRequest request;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_true (pen_recorder_request_read ((const guint8 *) bytes, length, &request, NULL));
  g_assert_cmpuint (request.target, ==, target);
  g_assert_cmpuint (request.has_witness, ==, witness);
  g_assert_cmpuint (request.seconds, ==, seconds);
  g_assert_cmpuint (request.rate, ==, 4000);
  g_assert_cmpuint (request.chains, ==, PEN_RECORDER_FRAME_POINTERS);
}

/* Its folder is the home folder; nothing is left where it was made. */
static void
assert_opens (PenWindow *window)
{
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  const char *path;

  app_support_wait_for (pen_session_get_state (window->session) == PEN_SESSION_READY);
  app_support_settle (window->session);
  path = pen_session_get_path (window->session);
  folder = g_path_get_dirname (path);
  name = g_path_get_basename (path);
  g_assert_cmpstr (folder, ==, recorder_support_get_directory ());
  g_assert_true (g_regex_match_simple ("^perf-[0-9]{8}-[0-9]{6}(-[0-9]+)?\\.data$", name, 0, 0));
}

/* Not a link any more. */
static void
assert_moved (PenWindow *window)
{
  g_autoptr (GDir) listed = g_dir_open (recorder_support_get_directory (), 0, NULL);
  const char *path = pen_session_get_path (window->session);
  const char *name;

  g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_DIR));
  while ((name = g_dir_read_name (listed)))
    g_assert_false (g_str_has_prefix (name, "tmp"));
}

/* ---- recordings ---- */

static void
test_records (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  recorder_support_set_role ("");
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Record");
  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_press (recorder);
  g_assert_false (gtk_widget_get_sensitive (recorder_support_child (recorder, "what")));
  assert_opens (window);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_DONE));
  assert_request (PEN_RECORDER_SYSTEM, 1, 5);
  assert_moved (window);
  g_assert_true (g_str_has_prefix (recorder_support_get_status (recorder), "Recorded: "));
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Record Again");
  /* what the recorder said it lacks */
  {
    g_autofree char *labels
        = window_support_dup_labels (recorder_support_child (recorder, "missing"));

    g_assert_nonnull (strstr (labels, "No copy of the kernel's text"));
    g_assert_nonnull (strstr (labels, "Permission denied"));
  }

  /* Again: in a window of its own, as the first one shows something. */
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_DONE));
  app_support_run (50);
  {
    GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
    PenWindow *second = NULL;

    for (GList *at = gtk_application_get_windows (application); at; at = at->next) {
      if (PEN_IS_WINDOW (at->data) && at->data != (gpointer) window)
        second = at->data;
    }
    g_assert_nonnull (second);
    assert_opens (second);
    g_assert_cmpstr (pen_session_get_path (second->session), !=,
                     pen_session_get_path (window->session));
    window_support_close_window (second);
  }
  recorder_support_close (recorder);
  window_support_close_window (window);
}

/* Made on another disk, it is copied. */
static void
test_other_disk (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);
  g_autofree char *told = g_build_filename (recorder_support_get_directory (), "place", NULL);
  g_autofree char *place = NULL;
  g_autofree char *kallsyms = NULL;
  GStatBuf here;
  GStatBuf there;

  if (g_stat (recorder_support_get_directory (), &here) != 0 || g_stat ("/dev/shm", &there) != 0
      || here.st_dev == there.st_dev) {
    g_test_skip ("/dev/shm is no disk of its own here");
  } else {
    recorder_support_set_role ("");
    g_setenv ("FAKE_PLACE", "/dev/shm", TRUE);
    recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
    recorder_support_press (recorder);
    assert_opens (window);
    app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_DONE));
    g_unsetenv ("FAKE_PLACE");
    assert_moved (window);
    kallsyms
        = g_build_filename (pen_session_get_path (window->session), "kcore_dir", "kallsyms", NULL);
    g_assert_true (g_file_test (kallsyms, G_FILE_TEST_IS_REGULAR));
    g_assert_true (g_file_get_contents (told, &place, NULL, NULL));
    g_assert_false (g_file_test (place, G_FILE_TEST_EXISTS));
  }
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
test_stop (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  recorder_support_set_role ("");
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_RUNNING));
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Stop");
  g_assert_true (g_str_has_prefix (recorder_support_get_status (recorder), "Recording, 0:0"));
  recorder_support_press (recorder);
  g_assert_cmpstr (recorder_support_get_status (recorder), ==, "Finishing the recording");
  assert_opens (window);
  assert_request (PEN_RECORDER_SYSTEM, 1, 0);
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
test_command (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);
  g_autofree char *made = g_build_filename (recorder_support_get_directory (), "made by it", NULL);
  g_autofree char *words = g_strdup_printf ("touch '%s'", made);
  g_autofree char *seen = g_build_filename (recorder_support_get_directory (), "comm", NULL);
  g_autofree char *comm = NULL;

  recorder_support_set_role ("");
  recorder_support_choose (recorder, "target", PEN_RECORDER_COMMAND);
  g_assert_cmpstr (recorder_support_get_status (recorder), ==, "Enter a command");
  g_assert_false (recorder_support_can_press (recorder));
  recorder_support_type (recorder, "command", "touch 'x");
  g_assert_cmpstr (recorder_support_get_status (recorder), ==,
                   "A quote in the command is not closed");
  g_assert_false (recorder_support_can_press (recorder));
  recorder_support_type (recorder, "command", words);
  recorder_support_press (recorder);
  assert_opens (window);
  assert_request (PEN_RECORDER_COMMAND, 1, 0);
  g_assert_true (g_file_test (made, G_FILE_TEST_EXISTS));
  /* It had not begun when the recorder got its pid. */
  g_assert_true (g_file_get_contents (seen, &comm, NULL, NULL));
  g_assert_cmpstr (comm, ==, "sh\n");
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
test_process (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);
  static const char *const wrong[] = { "", "x", "1", "-5", "99999999999", "12 34" };

  recorder_support_set_role ("");
  recorder_support_choose (recorder, "target", PEN_RECORDER_PROCESS);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    recorder_support_type (recorder, "pid", wrong[i]);
    g_assert_cmpstr (recorder_support_get_status (recorder), ==, "Enter the ID of a process");
    g_assert_false (recorder_support_can_press (recorder));
  }
  g_assert_cmpstr (adw_preferences_row_get_title (recorder_support_child (recorder, "pid")), ==,
                   "Process ID");
  {
    g_autofree char *own = g_strdup_printf ("%d", getpid ());

    recorder_support_type (recorder, "pid", own);
    g_assert_cmpstr (adw_preferences_row_get_title (recorder_support_child (recorder, "pid")), ==,
                     "Process ID: test-window-rec");
  }
  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_press (recorder);
  assert_opens (window);
  /* Its program needs events of CPUs. */
  assert_request (PEN_RECORDER_PROCESS, 0, 5);
  recorder_support_close (recorder);
  window_support_close_window (window);
}

/* ---- the next time ---- */

static guint
get_choice (PenRecordWindow *recorder, const char *id)
{
  return adw_combo_row_get_selected (recorder_support_child (recorder, id));
}

static void
test_kept (void)
{
  PenLayout *layout = pen_layout_get_default ();
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);
  g_autofree char *own = g_strdup_printf ("%d", getpid ());

  recorder_support_set_role ("");
  recorder_support_choose (recorder, "target", PEN_RECORDER_PROCESS);
  recorder_support_choose (recorder, "event", PEN_RECORDER_CPU_CLOCK);
  recorder_support_choose (recorder, "chains", PEN_RECORDER_NO_CHAINS);
  recorder_support_choose (recorder, "rate", 1);
  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_type (recorder, "pid", own);
  /* Nothing is recorded: nothing is kept. */
  recorder_support_close (recorder);
  recorder = recorder_support_open_next (window);
  g_assert_cmpuint (get_choice (recorder, "target"), ==, PEN_RECORDER_SYSTEM);

  recorder_support_choose (recorder, "target", PEN_RECORDER_PROCESS);
  recorder_support_choose (recorder, "event", PEN_RECORDER_CPU_CLOCK);
  recorder_support_choose (recorder, "chains", PEN_RECORDER_NO_CHAINS);
  recorder_support_choose (recorder, "rate", 1);
  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_type (recorder, "pid", own);
  recorder_support_press (recorder);
  assert_opens (window);
  recorder_support_close (recorder);
  recorder = recorder_support_open_next (window);
  g_assert_cmpuint (get_choice (recorder, "target"), ==, PEN_RECORDER_PROCESS);
  g_assert_cmpuint (get_choice (recorder, "event"), ==, PEN_RECORDER_CPU_CLOCK);
  g_assert_cmpuint (get_choice (recorder, "chains"), ==, PEN_RECORDER_NO_CHAINS);
  g_assert_cmpuint (get_choice (recorder, "rate"), ==, 1);
  g_assert_cmpuint (get_choice (recorder, "duration"), ==, ROW_5_SECONDS);
  /* A process has no witness: that is not what was chosen. */
  g_assert_true (gtk_switch_get_active (recorder_support_child (recorder, "witness")));
  g_assert_cmpstr (gtk_editable_get_text (recorder_support_child (recorder, "pid")), ==, "");
  recorder_support_close (recorder);

  /* Of another version of the program, or a typing error. */
  pen_layout_set (layout, "record.target", "3");
  pen_layout_set (layout, "record.event", "-1");
  pen_layout_set (layout, "record.chains", "x");
  pen_layout_set (layout, "record.rate", "12345");
  pen_layout_set (layout, "record.seconds", "99999999999999999999");
  recorder = recorder_support_open_next (window);
  g_assert_cmpuint (get_choice (recorder, "target"), ==, PEN_RECORDER_SYSTEM);
  g_assert_cmpuint (get_choice (recorder, "event"), ==, PEN_RECORDER_DEFAULT_EVENT);
  g_assert_cmpuint (get_choice (recorder, "chains"), ==, PEN_RECORDER_FRAME_POINTERS);
  g_assert_cmpuint (get_choice (recorder, "rate"), ==, PEN_RECORD_CHOICES_RATE);
  g_assert_cmpuint (get_choice (recorder, "duration"), ==, ROW_NONE);
  recorder_support_close (recorder);
  window_support_close_window (window);
}

/* ---- what goes wrong ---- */

static void
fails (PenRecordWindow *recorder, const char *role, const char *words)
{
  recorder_support_set_role (role);
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_cmpstr (recorder_support_get_status (recorder), ==, words);
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Record Again");
  g_assert_true (gtk_widget_get_sensitive (recorder_support_child (recorder, "what")));
}

static void
test_fails (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);
  g_autofree char *libexec = g_strdup (g_getenv ("PENTIMENTO_LIBEXEC"));

  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  fails (recorder, "busy", "Another recording is in progress on this machine. Wait until it ends");
  fails (recorder, "falls", "The recorder ended unexpectedly");
  recorder_support_set_role ("broken");
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_true (
      g_str_has_prefix (recorder_support_get_status (recorder), "perf does not record: no such "));
  /* Nothing that a terminal would obey. */
  g_assert_null (strchr (recorder_support_get_status (recorder), '\033'));

  g_setenv ("PENTIMENTO_LIBEXEC", "/nowhere", TRUE);
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_nonnull (
      strstr (recorder_support_get_status (recorder), "/nowhere/pentimento-recorder"));
  g_setenv ("PENTIMENTO_LIBEXEC", libexec, TRUE);

  recorder_support_choose (recorder, "target", PEN_RECORDER_COMMAND);
  recorder_support_type (recorder, "command", "no-such-command-anywhere 1");
  recorder_support_set_role ("");
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_cmpstr (recorder_support_get_status (recorder), ==,
                   "There is no command “no-such-command-anywhere”");
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);
  recorder_support_close (recorder);
  window_support_close_window (window);
}

/* What was recorded until then is shown. */
static void
check_killed (const char *role)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_set_role (role);
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_true (g_str_has_prefix (recorder_support_get_status (recorder),
                                   "The recorder ended unexpectedly. What was recorded is in "));
  assert_opens (window);
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
test_killed (void)
{
  check_killed ("killed");
  check_killed ("killed-at-once");
}

static void
test_disk_is_full (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_set_role ("full");
  recorder_support_press (recorder);
  assert_opens (window);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_DONE));
  g_assert_true (
      g_str_has_prefix (recorder_support_get_status (recorder), "Recording ended early: "));
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
test_cancel (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  recorder_support_set_role ("slow");
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_PREPARING));
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Cancel");
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_cmpstr (recorder_support_get_status (recorder), ==, "Recording cancelled");
  recorder_support_close (recorder);
  window_support_close_window (window);
}

/* The recording is kept, and shown. */
static void
test_closed (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  recorder_support_set_role ("");
  recorder_support_press (recorder);
  app_support_wait_for (recorder_support_is_at (recorder, PEN_RECORDING_RUNNING));
  recorder_support_close (recorder);
  assert_opens (window);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/record/records", test_records);
  g_test_add_func ("/window/record/other-disk", test_other_disk);
  g_test_add_func ("/window/record/stop", test_stop);
  g_test_add_func ("/window/record/command", test_command);
  g_test_add_func ("/window/record/process", test_process);
  g_test_add_func ("/window/record/kept", test_kept);
  g_test_add_func ("/window/record/fails", test_fails);
  g_test_add_func ("/window/record/killed", test_killed);
  g_test_add_func ("/window/record/disk-is-full", test_disk_is_full);
  g_test_add_func ("/window/record/cancel", test_cancel);
  g_test_add_func ("/window/record/closed", test_closed);
}

int
main (int argc, char **argv)
{
  return recorder_support_main (argc, argv, add_tests);
}
