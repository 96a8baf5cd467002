/* test-window-record-elsewhere.c: recordings that others make: pkexec's program, another machine,
 * the user's shell
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "recorder-support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-command-row.h"

enum { ROW_NONE, ROW_5_SECONDS };

/* ---- pkexec ---- */

static void
write_pkexec (const char *script)
{
  g_autofree char *path
      = g_build_filename (recorder_support_get_directory (), "bin", "pkexec", NULL);

  g_assert_true (g_file_set_contents (path, script, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static PenRecorderClient *
ask_pkexec (const char *script, PenRecordingStage end)
{
  const PenRecorderRequest request = { .magic = PEN_RECORDER_MAGIC, .rate = 99, .seconds = 1 };
  g_autofree char *folder
      = g_build_filename (recorder_support_get_directory (), "is", "made", NULL);
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
  g_autofree char *path = g_strdup_printf ("%s/bin:%s", recorder_support_get_directory (), old);
  g_autoptr (PenRecorderClient) dismissed = NULL;
  g_autoptr (PenRecorderClient) refused = NULL;
  g_autoptr (PenRecorderClient) allowed = NULL;

  recorder_support_set_role ("");
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
  PenCommandRow *row = recorder_support_child (recorder, "remote");
  GtkLabel *remote = window_support_child (row, "label");
  GtkWidget *copy = window_support_child (row, "copy");
  g_autofree char *copied = NULL;

  gtk_window_present (GTK_WINDOW (recorder));
  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_choose (recorder, "target", PEN_RECORDER_SYSTEM);
  g_assert_cmpstr (gtk_label_get_text (remote), ==,
                   "ssh root@MACHINE pentimento-cli record -F 4000 --call-graph fp -o - -- sleep 5 "
                   "| pentimento -");
  recorder_support_choose (recorder, "target", PEN_RECORDER_COMMAND);
  recorder_support_type (recorder, "command", "make 'a");
  g_assert_cmpstr (gtk_label_get_text (remote), ==, "");
  g_assert_false (gtk_widget_get_sensitive (copy));
  recorder_support_type (recorder, "command", "make 'a b'");
  g_assert_cmpstr (gtk_label_get_text (remote), ==,
                   "ssh root@MACHINE 'pentimento-cli record -F 4000 --call-graph fp -o - -- make "
                   "'\\''a b'\\''' | pentimento -");
  g_signal_emit_by_name (copy, "clicked");
  copied = window_support_dup_clipboard (window);
  g_assert_cmpstr (copied, ==, gtk_label_get_text (remote));
  recorder_support_close (recorder);
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
  AdwActionRow *row = recorder_support_child (recorder, "shell_row");
  g_autofree char *place = NULL;
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *data = NULL;
  g_autofree char *begin = NULL;
  const char *command;

  g_signal_connect (recorder, "recorded", G_CALLBACK (on_recorded), &place);
  gtk_window_present (GTK_WINDOW (recorder));
  recorder_support_choose (recorder, "duration", ROW_5_SECONDS);
  recorder_support_choose (recorder, "target", PEN_RECORDER_COMMAND);
  g_assert_false (recorder_support_can_press (recorder));
  recorder_support_type (recorder, "command", "make 'a b'");
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Copy Command and Wait");
  recorder_support_press (recorder);
  command = adw_action_row_get_subtitle (row);
  /* perf knows events of modules where the kernel can have any. */
  begin = g_strdup_printf ("sudo perf record --kcore -a --buildid-mmap -k CLOCK_MONOTONIC "
                           "--call-graph fp -e cycles/name=cycles,freq=4000/P %s-o ",
                           g_file_test ("/proc/modules", G_FILE_TEST_EXISTS)
                               ? "-e module:module_load -e module:module_free "
                               : "");
  g_assert_true (g_str_has_prefix (command, begin));
  g_assert_nonnull (strstr (command, " -- make 'a b'; sudo chown -R \"$USER\" "));
  path = g_strdup (strrchr (command, ' ') + 1);
  /* Where both sides see it; a portal's folder would have another name outside. */
  folder = g_path_get_dirname (path);
  g_assert_cmpstr (folder, ==, g_get_user_data_dir ());
  g_assert_false (gtk_widget_get_visible (recorder_support_child (recorder, "choose")));
  app_support_run (1200);
  g_assert_null (place);
  /* What the command makes */
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  data = g_build_filename (path, "data", NULL);
  g_assert_true (g_file_set_contents (data, "PERFILE2", -1, NULL));
  app_support_wait_for (place);
  g_assert_cmpstr (place, ==, path);
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Copy Command and Wait");

  recorder_support_press (recorder);
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Cancel");
  recorder_support_press (recorder);
  g_assert_cmpstr (recorder_support_get_button (recorder), ==, "_Copy Command and Wait");
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/record-elsewhere/pkexec", test_pkexec);
  g_test_add_func ("/window/record-elsewhere/another-machine", test_another_machine);
  g_test_add_func ("/window/record-elsewhere/sandbox", test_sandbox);
}

int
main (int argc, char **argv)
{
  return recorder_support_main (argc, argv, add_tests);
}
