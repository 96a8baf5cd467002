/* test-window-record.c: recordings from the window, by a stand-in for pentimento-recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pen-command-row.h"
#include "pen-layout.h"
#include "pen-record-choices.h"
#include "pen-record-window.h"
#include "pen-test-tree.h"

static char *directory; /* of this run: the home folder, and what the stand-in needs */

enum { ROW_NONE, ROW_5_SECONDS };

/* ---- a person ---- */

static PenRecordWindow *
open_next_recorder (PenWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  PenRecordWindow *recorder = NULL;

  window_support_activate (window, "win.record");
  for (GList *at = gtk_application_get_windows (application); at; at = at->next) {
    if (PEN_IS_RECORD_WINDOW (at->data)) {
      g_assert_null (recorder);
      recorder = at->data;
    }
  }
  g_assert_nonnull (recorder);
  return recorder;
}

/* As for the first recording. */
static PenRecordWindow *
open_recorder (PenWindow *window)
{
  static const char *const keys[]
      = { "record.target", "record.event",   "record.chains",       "record.witness",
          "record.rate",   "record.seconds", "record.administrator" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    pen_layout_set (pen_layout_get_default (), keys[i], NULL);
  return open_next_recorder (window);
}

static gboolean
is_role (const char *role)
{
  g_setenv ("FAKE_RECORDER", role, TRUE);
  return TRUE;
}

static gpointer
child (PenRecordWindow *recorder, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (recorder), PEN_TYPE_RECORD_WINDOW, id);
}

static void
choose (PenRecordWindow *recorder, const char *id, guint position)
{
  adw_combo_row_set_selected (child (recorder, id), position);
}

static void
type (PenRecordWindow *recorder, const char *id, const char *text)
{
  gtk_editable_set_text (child (recorder, id), text);
}

static const char *
get_status (PenRecordWindow *recorder)
{
  return gtk_label_get_text (child (recorder, "status"));
}

static const char *
get_button (PenRecordWindow *recorder)
{
  return gtk_button_get_label (child (recorder, "button"));
}

static gboolean
can_press (PenRecordWindow *recorder)
{
  return gtk_widget_get_sensitive (child (recorder, "button"));
}

static void
press (PenRecordWindow *recorder)
{
  g_assert_true (can_press (recorder));
  g_signal_emit_by_name (child (recorder, "button"), "clicked");
}

static gboolean
is_at (PenRecordWindow *recorder, PenRecordingStage stage)
{
  PenRecorderClient *client = pen_record_window_get_client (recorder);

  return client && pen_recorder_client_get_stage (client) == stage;
}

static void
close_recorder (PenRecordWindow *recorder)
{
  gpointer watched = recorder;

  g_object_add_weak_pointer (G_OBJECT (recorder), &watched);
  gtk_window_close (GTK_WINDOW (recorder));
  app_support_wait_for (!watched);
}

/* ---- what came of it ---- */

static void
assert_request (guint target, guint witness, guint seconds)
{
  g_autofree char *path = g_build_filename (directory, "request", NULL);
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
  g_assert_cmpstr (folder, ==, directory);
  g_assert_true (g_regex_match_simple ("^perf-[0-9]{8}-[0-9]{6}(-[0-9]+)?\\.data$", name, 0, 0));
}

/* Not a link any more. */
static void
assert_moved (PenWindow *window)
{
  g_autoptr (GDir) listed = g_dir_open (directory, 0, NULL);
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
  PenRecordWindow *recorder = open_recorder (window);

  is_role ("");
  g_assert_cmpstr (get_button (recorder), ==, "_Record");
  choose (recorder, "duration", ROW_5_SECONDS);
  press (recorder);
  g_assert_false (gtk_widget_get_sensitive (child (recorder, "what")));
  assert_opens (window);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_DONE));
  assert_request (PEN_RECORDER_SYSTEM, 1, 5);
  assert_moved (window);
  g_assert_true (g_str_has_prefix (get_status (recorder), "Recorded: "));
  g_assert_cmpstr (get_button (recorder), ==, "_Record Again");
  /* what the recorder said it lacks */
  {
    g_autofree char *labels = window_support_dup_labels (child (recorder, "missing"));

    g_assert_nonnull (strstr (labels, "No patches of kernel text"));
    g_assert_nonnull (strstr (labels, "Permission denied"));
  }

  /* Again: in a window of its own, as the first one shows something. */
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_DONE));
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
  close_recorder (recorder);
  window_support_close_window (window);
}

/* Made on another disk, it is copied. */
static void
test_other_disk (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);
  g_autofree char *told = g_build_filename (directory, "place", NULL);
  g_autofree char *place = NULL;
  g_autofree char *kallsyms = NULL;
  GStatBuf here;
  GStatBuf there;

  if (g_stat (directory, &here) != 0 || g_stat ("/dev/shm", &there) != 0
      || here.st_dev == there.st_dev) {
    g_test_skip ("/dev/shm is no disk of its own here");
  } else {
    is_role ("");
    g_setenv ("FAKE_PLACE", "/dev/shm", TRUE);
    choose (recorder, "duration", ROW_5_SECONDS);
    press (recorder);
    assert_opens (window);
    app_support_wait_for (is_at (recorder, PEN_RECORDING_DONE));
    g_unsetenv ("FAKE_PLACE");
    assert_moved (window);
    kallsyms
        = g_build_filename (pen_session_get_path (window->session), "kcore_dir", "kallsyms", NULL);
    g_assert_true (g_file_test (kallsyms, G_FILE_TEST_IS_REGULAR));
    g_assert_true (g_file_get_contents (told, &place, NULL, NULL));
    g_assert_false (g_file_test (place, G_FILE_TEST_EXISTS));
  }
  close_recorder (recorder);
  window_support_close_window (window);
}

static void
test_stop (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);

  is_role ("");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_RUNNING));
  g_assert_cmpstr (get_button (recorder), ==, "_Stop");
  g_assert_true (g_str_has_prefix (get_status (recorder), "Recording, 0:0"));
  press (recorder);
  g_assert_cmpstr (get_status (recorder), ==, "Finishing the recording");
  assert_opens (window);
  assert_request (PEN_RECORDER_SYSTEM, 1, 0);
  close_recorder (recorder);
  window_support_close_window (window);
}

static void
test_command (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);
  g_autofree char *made = g_build_filename (directory, "made by it", NULL);
  g_autofree char *words = g_strdup_printf ("touch '%s'", made);
  g_autofree char *seen = g_build_filename (directory, "comm", NULL);
  g_autofree char *comm = NULL;

  is_role ("");
  choose (recorder, "target", PEN_RECORDER_COMMAND);
  g_assert_cmpstr (get_status (recorder), ==, "Enter a command");
  g_assert_false (can_press (recorder));
  type (recorder, "command", "touch 'x");
  g_assert_cmpstr (get_status (recorder), ==, "A quote in the command is not closed");
  g_assert_false (can_press (recorder));
  type (recorder, "command", words);
  press (recorder);
  assert_opens (window);
  assert_request (PEN_RECORDER_COMMAND, 1, 0);
  g_assert_true (g_file_test (made, G_FILE_TEST_EXISTS));
  /* It had not begun when the recorder got its pid. */
  g_assert_true (g_file_get_contents (seen, &comm, NULL, NULL));
  g_assert_cmpstr (comm, ==, "sh\n");
  close_recorder (recorder);
  window_support_close_window (window);
}

static void
test_process (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);
  static const char *const wrong[] = { "", "x", "1", "-5", "99999999999", "12 34" };

  is_role ("");
  choose (recorder, "target", PEN_RECORDER_PROCESS);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    type (recorder, "pid", wrong[i]);
    g_assert_cmpstr (get_status (recorder), ==, "Enter the ID of a process");
    g_assert_false (can_press (recorder));
  }
  g_assert_cmpstr (adw_preferences_row_get_title (child (recorder, "pid")), ==, "Process ID");
  {
    g_autofree char *own = g_strdup_printf ("%d", getpid ());

    type (recorder, "pid", own);
    g_assert_cmpstr (adw_preferences_row_get_title (child (recorder, "pid")), ==,
                     "Process ID: test-window-rec");
  }
  choose (recorder, "duration", ROW_5_SECONDS);
  press (recorder);
  assert_opens (window);
  /* Its program needs events of CPUs. */
  assert_request (PEN_RECORDER_PROCESS, 0, 5);
  close_recorder (recorder);
  window_support_close_window (window);
}

/* ---- the next time ---- */

static guint
get_choice (PenRecordWindow *recorder, const char *id)
{
  return adw_combo_row_get_selected (child (recorder, id));
}

static void
test_kept (void)
{
  PenLayout *layout = pen_layout_get_default ();
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);
  g_autofree char *own = g_strdup_printf ("%d", getpid ());

  is_role ("");
  choose (recorder, "target", PEN_RECORDER_PROCESS);
  choose (recorder, "event", PEN_RECORDER_CPU_CLOCK);
  choose (recorder, "chains", PEN_RECORDER_NO_CHAINS);
  choose (recorder, "rate", 1);
  choose (recorder, "duration", ROW_5_SECONDS);
  type (recorder, "pid", own);
  /* Nothing is recorded: nothing is kept. */
  close_recorder (recorder);
  recorder = open_next_recorder (window);
  g_assert_cmpuint (get_choice (recorder, "target"), ==, PEN_RECORDER_SYSTEM);

  choose (recorder, "target", PEN_RECORDER_PROCESS);
  choose (recorder, "event", PEN_RECORDER_CPU_CLOCK);
  choose (recorder, "chains", PEN_RECORDER_NO_CHAINS);
  choose (recorder, "rate", 1);
  choose (recorder, "duration", ROW_5_SECONDS);
  type (recorder, "pid", own);
  press (recorder);
  assert_opens (window);
  close_recorder (recorder);
  recorder = open_next_recorder (window);
  g_assert_cmpuint (get_choice (recorder, "target"), ==, PEN_RECORDER_PROCESS);
  g_assert_cmpuint (get_choice (recorder, "event"), ==, PEN_RECORDER_CPU_CLOCK);
  g_assert_cmpuint (get_choice (recorder, "chains"), ==, PEN_RECORDER_NO_CHAINS);
  g_assert_cmpuint (get_choice (recorder, "rate"), ==, 1);
  g_assert_cmpuint (get_choice (recorder, "duration"), ==, ROW_5_SECONDS);
  /* A process has no witness: that is not what was chosen. */
  g_assert_true (gtk_switch_get_active (child (recorder, "witness")));
  g_assert_cmpstr (gtk_editable_get_text (child (recorder, "pid")), ==, "");
  close_recorder (recorder);

  /* Of another version of the program, or a typing error. */
  pen_layout_set (layout, "record.target", "3");
  pen_layout_set (layout, "record.event", "-1");
  pen_layout_set (layout, "record.chains", "x");
  pen_layout_set (layout, "record.rate", "12345");
  pen_layout_set (layout, "record.seconds", "99999999999999999999");
  recorder = open_next_recorder (window);
  g_assert_cmpuint (get_choice (recorder, "target"), ==, PEN_RECORDER_SYSTEM);
  g_assert_cmpuint (get_choice (recorder, "event"), ==, PEN_RECORDER_DEFAULT_EVENT);
  g_assert_cmpuint (get_choice (recorder, "chains"), ==, PEN_RECORDER_FRAME_POINTERS);
  g_assert_cmpuint (get_choice (recorder, "rate"), ==, PEN_RECORD_CHOICES_RATE);
  g_assert_cmpuint (get_choice (recorder, "duration"), ==, ROW_NONE);
  close_recorder (recorder);
  window_support_close_window (window);
}

/* ---- what goes wrong ---- */

static void
fails (PenRecordWindow *recorder, const char *role, const char *words)
{
  is_role (role);
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_cmpstr (get_status (recorder), ==, words);
  g_assert_cmpstr (get_button (recorder), ==, "_Record Again");
  g_assert_true (gtk_widget_get_sensitive (child (recorder, "what")));
}

static void
test_fails (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);
  g_autofree char *libexec = g_strdup (g_getenv ("PENTIMENTO_LIBEXEC"));

  choose (recorder, "duration", ROW_5_SECONDS);
  fails (recorder, "busy", "Another recording is in progress on this machine. Wait until it ends");
  fails (recorder, "falls", "The recorder ended unexpectedly");
  is_role ("broken");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_true (g_str_has_prefix (get_status (recorder), "perf does not record: no such "));
  /* Nothing that a terminal would obey. */
  g_assert_null (strchr (get_status (recorder), '\033'));

  g_setenv ("PENTIMENTO_LIBEXEC", "/nowhere", TRUE);
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_nonnull (strstr (get_status (recorder), "/nowhere/pentimento-recorder"));
  g_setenv ("PENTIMENTO_LIBEXEC", libexec, TRUE);

  choose (recorder, "target", PEN_RECORDER_COMMAND);
  type (recorder, "command", "no-such-command-anywhere 1");
  is_role ("");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_cmpstr (get_status (recorder), ==, "There is no command “no-such-command-anywhere”");
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);
  close_recorder (recorder);
  window_support_close_window (window);
}

/* What was recorded until then is shown. */
static void
test_killed (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);

  choose (recorder, "duration", ROW_5_SECONDS);
  is_role ("killed");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_true (g_str_has_prefix (get_status (recorder),
                                   "The recorder ended unexpectedly. What was recorded is in "));
  assert_opens (window);
  close_recorder (recorder);
  window_support_close_window (window);
}

static void
test_disk_is_full (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);

  choose (recorder, "duration", ROW_5_SECONDS);
  is_role ("full");
  press (recorder);
  assert_opens (window);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_DONE));
  g_assert_true (g_str_has_prefix (get_status (recorder), "Recording ended early: "));
  close_recorder (recorder);
  window_support_close_window (window);
}

static void
test_cancel (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);

  is_role ("slow");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_PREPARING));
  g_assert_cmpstr (get_button (recorder), ==, "_Cancel");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_FAILED));
  g_assert_cmpstr (get_status (recorder), ==, "Recording cancelled");
  close_recorder (recorder);
  window_support_close_window (window);
}

/* The recording is kept, and shown. */
static void
test_closed (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = open_recorder (window);

  is_role ("");
  press (recorder);
  app_support_wait_for (is_at (recorder, PEN_RECORDING_RUNNING));
  close_recorder (recorder);
  assert_opens (window);
  window_support_close_window (window);
}

/* ---- pkexec ---- */

static void
write_pkexec (const char *script)
{
  g_autofree char *path = g_build_filename (directory, "bin", "pkexec", NULL);

  g_assert_true (g_file_set_contents (path, script, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static PenRecorderClient *
ask_pkexec (const char *script, PenRecordingStage end)
{
  const PenRecorderRequest request = { .magic = PEN_RECORDER_MAGIC, .rate = 99, .seconds = 1 };
  g_autofree char *folder = g_build_filename (directory, "is", "made", NULL);
  PenRecorderClient *client;

  write_pkexec (script);
  client = pen_recorder_client_new (&request, NULL, TRUE, folder);
  app_support_wait_for (!pen_recorder_client_is_busy (client));
  g_assert_cmpint (pen_recorder_client_get_stage (client), ==, end);
  return client;
}

static void
test_pkexec (void)
{
  g_autofree char *old = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strdup_printf ("%s/bin:%s", directory, old);
  g_autoptr (PenRecorderClient) dismissed = NULL;
  g_autoptr (PenRecorderClient) refused = NULL;
  g_autoptr (PenRecorderClient) allowed = NULL;

  is_role ("");
  g_setenv ("PATH", path, TRUE);
  dismissed = ask_pkexec ("#!/bin/sh\nexit 126\n", PEN_RECORDING_FAILED);
  g_assert_error (pen_recorder_client_get_error (dismissed), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  refused = ask_pkexec ("#!/bin/sh\nexit 127\n", PEN_RECORDING_FAILED);
  g_assert_true (g_str_has_prefix (pen_recorder_client_get_error (refused)->message,
                                   "Not authorized to record."));
  /* One word, the helper's path: nothing else is given to it. */
  allowed = ask_pkexec ("#!/bin/sh\n[ $# = 2 ] && [ $1 = --disable-internal-agent ] || exit 127\n"
                        "exec \"$2\"\n",
                        PEN_RECORDING_DONE);
  g_assert_nonnull (pen_recorder_client_get_path (allowed));
  g_setenv ("PATH", old, TRUE);
}

/* ---- elsewhere ---- */

/* The command for another machine follows what is chosen; both shells get a word as it is. */
static void
test_another_machine (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder
      = pen_record_window_new (gtk_window_get_application (GTK_WINDOW (window)), FALSE);
  PenCommandRow *row = child (recorder, "remote");
  GtkLabel *remote = window_support_child (row, "label");
  GtkWidget *copy = window_support_child (row, "copy");
  g_autofree char *copied = NULL;

  gtk_window_present (GTK_WINDOW (recorder));
  choose (recorder, "duration", ROW_5_SECONDS);
  choose (recorder, "target", PEN_RECORDER_SYSTEM);
  g_assert_cmpstr (gtk_label_get_text (remote), ==,
                   "ssh root@MACHINE pentimento-cli record -F 4000 --call-graph fp -o - -- sleep 5 "
                   "| pentimento -");
  choose (recorder, "target", PEN_RECORDER_COMMAND);
  type (recorder, "command", "make 'a");
  g_assert_cmpstr (gtk_label_get_text (remote), ==, "");
  g_assert_false (gtk_widget_get_sensitive (copy));
  type (recorder, "command", "make 'a b'");
  g_assert_cmpstr (gtk_label_get_text (remote), ==,
                   "ssh root@MACHINE 'pentimento-cli record -F 4000 --call-graph fp -o - -- make "
                   "'\\''a b'\\''' | pentimento -");
  g_signal_emit_by_name (copy, "clicked");
  copied = window_support_dup_clipboard (window);
  g_assert_cmpstr (copied, ==, gtk_label_get_text (remote));
  close_recorder (recorder);
  window_support_close_window (window);
}

static void
on_recorded (PenRecordWindow *recorder, const char *path, char **place)
{
  *place = g_strdup (path);
}

static void
test_sandbox (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder
      = pen_record_window_new (gtk_window_get_application (GTK_WINDOW (window)), TRUE);
  AdwActionRow *row = child (recorder, "shell_row");
  g_autofree char *place = NULL;
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *data = NULL;
  const char *command;

  g_signal_connect (recorder, "recorded", G_CALLBACK (on_recorded), &place);
  gtk_window_present (GTK_WINDOW (recorder));
  choose (recorder, "duration", ROW_5_SECONDS);
  choose (recorder, "target", PEN_RECORDER_COMMAND);
  g_assert_false (can_press (recorder));
  type (recorder, "command", "make 'a b'");
  g_assert_cmpstr (get_button (recorder), ==, "_Copy Command and Wait");
  press (recorder);
  command = adw_action_row_get_subtitle (row);
  g_assert_true (g_str_has_prefix (command,
                                   "sudo perf record --kcore -k CLOCK_MONOTONIC -a -F 4000 "
                                   "--call-graph fp -o "));
  g_assert_nonnull (strstr (command, " -- make 'a b'; sudo chown -R \"$USER\" "));
  path = g_strdup (strrchr (command, ' ') + 1);
  /* Where both sides see it; a portal's folder would have another name outside. */
  folder = g_path_get_dirname (path);
  g_assert_cmpstr (folder, ==, g_get_user_data_dir ());
  g_assert_false (gtk_widget_get_visible (child (recorder, "choose")));
  app_support_run (1200);
  g_assert_null (place);
  /* What the command makes */
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  data = g_build_filename (path, "data", NULL);
  g_assert_true (g_file_set_contents (data, "PERFILE2", -1, NULL));
  app_support_wait_for (place);
  g_assert_cmpstr (place, ==, path);
  g_assert_cmpstr (get_button (recorder), ==, "_Copy Command and Wait");

  press (recorder);
  g_assert_cmpstr (get_button (recorder), ==, "_Cancel");
  press (recorder);
  g_assert_cmpstr (get_button (recorder), ==, "_Copy Command and Wait");
  close_recorder (recorder);
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
  g_test_add_func ("/window/record/pkexec", test_pkexec);
  g_test_add_func ("/window/record/another-machine", test_another_machine);
  g_test_add_func ("/window/record/sandbox", test_sandbox);
}

static void
set_up (void)
{
  g_autofree char *libexec = NULL;
  g_autofree char *bin = NULL;
  g_autofree char *recorder = NULL;
  g_autofree char *fake
      = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "app", "fake-recorder.py", NULL);
  g_autofree char *capture
      = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "data", "b-ftrace.data", NULL);

  directory = g_dir_make_tmp ("pen-record-XXXXXX", NULL);
  libexec = g_build_filename (directory, "libexec", NULL);
  bin = g_build_filename (directory, "bin", NULL);
  recorder = g_build_filename (libexec, PEN_RECORDER_PROGRAM, NULL);
  g_assert_cmpint (g_mkdir (libexec, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (bin, 0700), ==, 0);
  g_assert_cmpint (symlink (fake, recorder), ==, 0);
  g_setenv ("HOME", directory, TRUE);
  g_setenv ("FAKE_DIRECTORY", directory, TRUE);
  g_setenv ("FAKE_CAPTURE", capture, TRUE);
  g_setenv ("PENTIMENTO_LIBEXEC", libexec, TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  set_up ();
  status = window_support_main (argc, argv, add_tests);
  pen_test_remove_tree (directory);
  g_free (directory);
  return status;
}
