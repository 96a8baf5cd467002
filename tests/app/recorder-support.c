/* recorder-support.c: a person at the recorder, and a stand-in for pentimento-recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "recorder-support.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "pen-layout.h"
#include "pen-test-tree.h"

static char *directory;

const char *
recorder_support_get_directory (void)
{
  return directory;
}

PenRecordWindow *
recorder_support_open_next (PenWindow *window)
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
PenRecordWindow *
recorder_support_open (PenWindow *window)
{
  static const char *const keys[]
      = { "record.target", "record.event",   "record.chains",       "record.witness",
          "record.rate",   "record.seconds", "record.administrator" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    pen_layout_set (pen_layout_get_default (), keys[i], NULL);
  return recorder_support_open_next (window);
}

gboolean
recorder_support_set_role (const char *role)
{
  g_setenv ("FAKE_RECORDER", role, TRUE);
  return TRUE;
}

gpointer
recorder_support_child (PenRecordWindow *recorder, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (recorder), PEN_TYPE_RECORD_WINDOW, id);
}

void
recorder_support_choose (PenRecordWindow *recorder, const char *id, guint position)
{
  adw_combo_row_set_selected (recorder_support_child (recorder, id), position);
}

void
recorder_support_type (PenRecordWindow *recorder, const char *id, const char *text)
{
  gtk_editable_set_text (recorder_support_child (recorder, id), text);
}

const char *
recorder_support_get_status (PenRecordWindow *recorder)
{
  return gtk_label_get_text (recorder_support_child (recorder, "status"));
}

const char *
recorder_support_get_button (PenRecordWindow *recorder)
{
  return gtk_button_get_label (recorder_support_child (recorder, "button"));
}

gboolean
recorder_support_can_press (PenRecordWindow *recorder)
{
  return gtk_widget_get_sensitive (recorder_support_child (recorder, "button"));
}

void
recorder_support_press (PenRecordWindow *recorder)
{
  g_assert_true (recorder_support_can_press (recorder));
  g_signal_emit_by_name (recorder_support_child (recorder, "button"), "clicked");
}

gboolean
recorder_support_is_at (PenRecordWindow *recorder, PenRecordingStage stage)
{
  PenRecorderClient *client = pen_record_window_get_client (recorder);

  return client && pen_recorder_client_get_stage (client) == stage;
}

void
recorder_support_close (PenRecordWindow *recorder)
{
  gpointer watched = recorder;

  g_object_add_weak_pointer (G_OBJECT (recorder), &watched);
  gtk_window_close (GTK_WINDOW (recorder));
  app_support_wait_for (!watched);
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
recorder_support_main (int argc, char **argv, void (*add_tests) (void))
{
  int status;

  set_up ();
  status = window_support_main (argc, argv, add_tests);
  pen_test_remove_tree (directory);
  g_clear_pointer (&directory, g_free);
  return status;
}
