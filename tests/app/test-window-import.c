/* test-window-import.c: a window while it imports: what it tells, how it is stopped, who is waited
 * for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-feature-parser.h"
#include "pen-import-page.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static void
assert_has (const char *text, const char *part)
{
  if (!strstr (text, part))
    g_error ("“%s” is not in: %s", part, text);
}

static void
wait_for_end (PenWindow *window)
{
  while (pen_session_get_state (window->session) == PEN_SESSION_IMPORTING)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- stopping ---- */

static void
cancel_import (PenWindow *window)
{
  if (pen_session_get_state (window->session) == PEN_SESSION_IMPORTING)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
}

/* What the window itself does at that key, wherever the focus is. */
static void
press_escape (PenWindow *window)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (window));
  guint pressed = 0;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GListModel) shortcuts = g_list_model_get_item (controllers, i);

    if (!GTK_IS_SHORTCUT_CONTROLLER (shortcuts))
      continue;
    for (guint k = 0; k < g_list_model_get_n_items (shortcuts); k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);
      GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

      if (!GTK_IS_KEYVAL_TRIGGER (trigger)
          || gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) != GDK_KEY_Escape)
        continue;
      gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut),
                                    GTK_SHORTCUT_ACTION_EXCLUSIVE, GTK_WIDGET (window),
                                    gtk_shortcut_get_arguments (shortcut));
      pressed++;
    }
  }
  g_assert_cmpuint (pressed, ==, 1);
}

static void
escape_import (PenWindow *window)
{
  if (pen_session_get_state (window->session) == PEN_SESSION_IMPORTING)
    press_escape (window);
}

static void
cancel_with (void (*cancel) (PenWindow *window))
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture ("f-everything-z.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  app_support_clear_cache ();
  g_signal_connect_swapped (window->session, "notify::progress", G_CALLBACK (cancel), window);
  pen_window_open (window, file);
  wait_for_end (window);
  g_assert_cmpstr (window_support_get_page (window), ==, "empty");
  window_support_close_window (window);
  app_support_assert_nothing_unfinished ();
}

static void
test_cancel (void)
{
  cancel_with (cancel_import);
}

static void
test_escape (void)
{
  PenWindow *window;
  PenSpan selected;

  cancel_with (escape_import);

  /* In what is open, it takes the selection away, as ever. */
  window = window_support_open_window ("b-ftrace.data");
  selected = pen_session_get_span (window->session);
  selected.to = selected.from + pen_span_length (selected) / 2;
  pen_session_set_selected (window->session, &selected);
  app_support_settle (window->session);
  press_escape (window);
  g_assert_false (pen_session_get_selected (window->session, &selected));
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  window_support_close_window (window);
}

static void
test_close_during_import (void)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture ("f-everything-z.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  app_support_clear_cache ();
  pen_window_open (window, file);
  window_support_close_window (window);
  app_support_assert_nothing_unfinished ();
}

/* ---- telling ---- */

static void
collect_text (PenWindow *window, GString *told)
{
  g_autofree char *text = NULL;

  if (pen_session_get_state (window->session) != PEN_SESSION_IMPORTING)
    return;
  text = window_support_dup_labels (window->import_page);
  g_string_append_printf (told, "%s\n", text);
}

typedef struct {
  PenWindow *window;
  GString *told;
} Teller;

static void
on_progress (Teller *teller)
{
  collect_text (teller->window, teller->told);
}

static void
test_progress (void)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture ("f-everything-z.data");
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Teller teller = { window, told };

  app_support_clear_cache ();
  g_signal_connect_data (window->session, "notify::progress", G_CALLBACK (on_progress), &teller,
                         NULL, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  pen_window_open (window, file);
  wait_for_end (window);
  assert_has (told->str, "Importing f-everything-z.data");
  assert_has (told->str, " samples");
  /* It is over before anything could be known of its end. */
  g_assert_null (strstr (told->str, "next stage"));
  g_assert_null (strstr (told->str, "left"));
  g_signal_handlers_disconnect_by_data (window->session, &teller);
  window_support_close_window (window);
}

/* ---- waiting ---- */

typedef struct {
  const char *path;
  GMutex lock;
  GCond changed;
  gboolean holds;
  gboolean released;
} Other;

static void
hold (const PenImportProgress *progress, gpointer user_data)
{
  Other *other = user_data;

  g_mutex_lock (&other->lock);
  other->holds = TRUE;
  g_cond_signal (&other->changed);
  while (!other->released)
    g_cond_wait (&other->changed, &other->lock);
  g_mutex_unlock (&other->lock);
}

static gpointer
import_slowly (gpointer data)
{
  Other *other = data;

  return pen_import_open (other->path, NULL, hold, other, NULL, NULL);
}

static void
test_waiting (void)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *store = NULL;
  g_autofree char *text = NULL;
  Other other = { .path = path };
  GThread *thread;
  PenImportProgress progress = { 0 };

  app_support_clear_cache ();
  thread = g_thread_new ("other", import_slowly, &other);
  g_mutex_lock (&other.lock);
  while (!other.holds)
    g_cond_wait (&other.changed, &other.lock);
  g_mutex_unlock (&other.lock);

  pen_window_open (window, file);
  while (!progress.is_waiting) {
    app_support_run (20);
    pen_session_get_progress (window->session, &progress);
  }
  app_support_run (100);
  text = window_support_dup_labels (window->import_page);
  assert_has (text, "Waiting for b-ftrace.data");
  assert_has (text, "Another window or program");

  g_mutex_lock (&other.lock);
  other.released = TRUE;
  g_cond_signal (&other.changed);
  g_mutex_unlock (&other.lock);
  store = g_thread_join (thread);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  g_assert_cmpstr (pen_session_get_opened (window->session)->store, ==, store);
  g_assert_cmpuint (pen_session_get_opened (window->session)->notes, ==, 0);
  window_support_close_window (window);
}

static gboolean
is_label_with (GtkWidget *widget, gpointer text)
{
  return GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text);
}

/* What the cache has is damaged: the window says why it imports once more. */
static void
test_notes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autofree char *store = g_strdup (pen_session_get_opened (window->session)->store);
  const char *note = pen_import_note_to_string (PEN_IMPORT_NOTE_DAMAGED);

  g_assert_null (window_support_find_widget (GTK_WIDGET (window), is_label_with, (gpointer) note));
  g_assert_cmpint (truncate (store, 3000), ==, 0);
  pen_session_open (window->session, pen_session_get_path (window->session));
  app_support_settle (window->session);
  app_support_run (100);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  g_assert_cmpuint (pen_session_get_opened (window->session)->notes, ==,
                    1u << PEN_IMPORT_NOTE_DAMAGED);
  g_assert_nonnull (
      window_support_find_widget (GTK_WIDGET (window), is_label_with, (gpointer) note));
  window_support_close_window (window);
}

/* ---- standard input ---- */

static void
test_standard_input (void)
{
  g_autofree char *text = NULL;
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture ("a-pipe.data");
  int before = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);

  g_assert_cmpint (dup2 (fd, STDIN_FILENO), ==, STDIN_FILENO);
  close (fd);
  pen_session_open (window->session, "-");
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  g_assert_cmpstr (adw_window_title_get_title (window->title), ==, "Standard Input");
  g_assert_cmpuint (pen_session_get_opened (window->session)->samples, >, 0);

  /* What cannot be read again is not tried again. */
  fd = g_open ("/dev/null", O_RDONLY | O_CLOEXEC, 0);
  g_assert_cmpint (dup2 (fd, STDIN_FILENO), ==, STDIN_FILENO);
  close (fd);
  pen_session_open (window->session, "-");
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  text = window_support_dup_labels (window->error_page);
  assert_has (text, "Standard Input");
  g_assert_false (gtk_widget_activate_action (GTK_WIDGET (window), "win.retry", NULL)
                  && g_str_equal (window_support_get_page (window), "import"));
  g_assert_cmpstr (window_support_get_page (window), ==, "error");

  g_assert_cmpint (dup2 (before, STDIN_FILENO), ==, STDIN_FILENO);
  close (before);
  window_support_close_window (window);
}

/* As a person types it: pentimento - */
static void
test_dash (void)
{
  g_autofree char *program
      = g_test_build_filename (G_TEST_BUILT, "..", "src", "app", "pentimento", NULL);
  g_autofree char *picture = app_support_temporary ("dash.png");
  g_autofree char *option = g_strdup_printf ("--screenshot=%s", picture);
  g_autofree char *recording = app_support_capture ("a-pipe.data");
  g_autofree char *path = app_support_temporary ("dash.data");
  g_autofree char *bytes = NULL;
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  struct stat status;
  gsize length;

  g_assert_true (g_file_get_contents (recording, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents_full (path, bytes, (gssize) length,
                                           G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
  g_subprocess_launcher_set_stdin_file_path (launcher, path);
  process = g_subprocess_launcher_spawn (launcher, &error, program, option, "-", NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
  /* Nobody but who can read the recording can read what it shows. */
  g_assert_cmpint (g_stat (picture, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
}

/* ---- what it has seen so far ---- */

/* As much of it as a test wants to see first; then the rest. */
typedef struct {
  const char *path;
  const char *bytes;
  gsize length;
  gsize first;
  GMutex lock;
  GCond changed;
  gboolean goes_on;
} Feed;

static void
write_bytes (int fd, const char *bytes, gsize length)
{
  while (length > 0) {
    gssize written = write (fd, bytes, length);

    if (written <= 0)
      return;
    bytes += written;
    length -= (gsize) written;
  }
}

#define PIECE 16384

static gpointer
feed (gpointer data)
{
  Feed *self = data;
  int fd = g_open (self->path, O_WRONLY | O_CLOEXEC, 0);

  /* Bit by bit: what comes at once is not worth a picture until more comes. */
  for (gsize done = 0; done < self->first; done += PIECE) {
    write_bytes (fd, self->bytes + done, MIN (PIECE, self->first - done));
    g_usleep (20000);
  }
  g_mutex_lock (&self->lock);
  while (!self->goes_on)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  write_bytes (fd, self->bytes + self->first, self->length - self->first);
  close (fd);
  return NULL;
}

static void
go_on (Feed *self)
{
  g_mutex_lock (&self->lock);
  self->goes_on = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Opens the capture of a pipe, of which the first part comes. */
static GThread *
open_fed (PenWindow *window, Feed *self, char **bytes, char **path)
{
  g_autoptr (PenTestCapture) recorded = app_support_new_capture ();
  g_autofree char *capture = app_support_temporary ("fed.data");
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  GThread *thread;

  /* Of pieces as the reader takes them there are some. */
  for (guint i = 0; i < 20000; i++) {
    pen_test_capture_at (recorded, 102000000000 + i * 100000, 42, 42, i % PEN_TEST_CPUS);
    pen_test_capture_add_sample (recorded, PEN_TEST_KERNEL, 0xffffffff81000000 + i % 4096, 1);
  }
  pen_test_capture_set_text (recorded, PEN_FEATURE_HOSTNAME, "fed-by-hand");
  pen_test_capture_write (recorded, capture, PEN_TEST_CAPTURE_PIPE, &error);
  g_assert_no_error (error);
  g_file_get_contents (capture, bytes, &self->length, &error);
  g_assert_no_error (error);
  *path = app_support_temporary ("fed");
  g_assert_cmpint (mkfifo (*path, 0600), ==, 0);
  self->path = *path;
  self->bytes = *bytes;
  self->first = self->length * 2 / 3;
  thread = g_thread_new ("feed", feed, self);
  file = g_file_new_for_path (*path);
  pen_window_open (window, file);
  return thread;
}

/* How many samples were read so far, as the timeline says it to a screen reader. */
static guint64
count_samples (PenWindow *window)
{
  g_autofree char *text
      = gtk_test_accessible_check_property (window_support_child (window->import_page, "timeline"),
                                            GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  const char *end = strstr (text, " samples");
  guint64 count = 0;

  for (const char *at = text; end && at < end; at++) {
    if (g_ascii_isdigit (*at))
      count = 10 * count + (guint64) g_ascii_digit_value (*at);
  }
  return count;
}

static void
wait_for_samples (PenWindow *window)
{
  while (count_samples (window) == 0)
    app_support_run (20);
}

typedef struct {
  PenWindow *window;
  guint64 total; /* of the overview that is there when it is looked at */
} Crossing;

static void
on_page (Crossing *crossing)
{
  const PenOverview *overview = pen_session_get_answers (crossing->window->session)->overview;

  if (g_str_equal (
          gtk_stack_get_visible_child_name (window_support_child (crossing->window, "stack")),
          "main"))
    crossing->total = overview ? overview->total : 0;
}

static void
test_live (void)
{
  PenWindow *window = window_support_new_window ();
  PenImportTimeline *timeline = window_support_child (window->import_page, "timeline");
  Crossing crossing = { .window = window };
  Feed fed = { 0 };
  g_autofree char *bytes = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  GThread *thread = open_fed (window, &fed, &bytes, &path);
  guint64 so_far;

  wait_for_samples (window);
  app_support_wait_for (pen_import_page_is_revealed (window->import_page));
  app_support_run (50);
  so_far = count_samples (window);
  g_assert_cmpstr (window_support_get_page (window), ==, "import");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (timeline), GTK_ACCESSIBLE_ROLE_IMG);
  text = window_support_dup_labels (window->import_page);
  assert_has (text, " samples");
  /* What was recorded, and on what. */
  g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window->import_page), is_label_with,
                                                "fed-by-hand · ?"));

  g_signal_connect_swapped (window->stack, "notify::visible-child-name", G_CALLBACK (on_page),
                            &crossing);
  go_on (&fed);
  g_thread_join (thread);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  /* The timeline had something to draw when it took the other's place. */
  g_assert_cmpuint (crossing.total, ==, pen_session_get_opened (window->session)->samples);
  g_assert_cmpuint (so_far, >, 0);
  g_assert_cmpuint (so_far, <=, crossing.total);

  g_signal_handlers_disconnect_by_data (window->stack, &crossing);
  window_support_close_window (window);
  g_unlink (path);
}

/* The timeline is where it was. */
static void
test_same_place (void)
{
  PenWindow *window = window_support_new_window ();
  GtkWidget *drawn = GTK_WIDGET (window_support_child (window->import_page, "timeline"));
  Feed fed = { 0 };
  g_autofree char *bytes = NULL;
  g_autofree char *path = NULL;
  GThread *thread = open_fed (window, &fed, &bytes, &path);
  graphene_rect_t before, after;

  wait_for_samples (window);
  app_support_run (200);
  g_assert_true (gtk_widget_compute_bounds (drawn, GTK_WIDGET (window), &before));
  go_on (&fed);
  g_thread_join (thread);
  app_support_settle (window->session);
  app_support_run (100);
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (window->timeline), GTK_WIDGET (window), &after));
  g_assert_cmpfloat (before.origin.x, ==, after.origin.x);
  g_assert_cmpfloat (ABS (before.origin.y - after.origin.y), <=, 1);
  g_assert_cmpfloat (before.size.width, ==, after.size.width);
  window_support_close_window (window);
  g_unlink (path);
}

/* Stopped when half of it is drawn; and closed. */
static void
test_stop_live (void)
{
  for (guint i = 0; i < 2; i++) {
    PenWindow *window = window_support_new_window ();
    Feed fed = { 0 };
    g_autofree char *bytes = NULL;
    g_autofree char *path = NULL;
    GThread *thread = open_fed (window, &fed, &bytes, &path);

    wait_for_samples (window);
    if (i == 0) {
      cancel_import (window);
      g_assert_cmpstr (window_support_get_page (window), ==, "empty");
      app_support_run (50);
      g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window), is_label_with,
                                                    (gpointer) "Import cancelled"));
      g_assert_cmpuint (count_samples (window), ==, 0);
    }
    window_support_close_window (window);
    go_on (&fed);
    g_thread_join (thread);
    app_support_assert_nothing_unfinished ();
    g_unlink (path);
  }
}

static void
add_tests (void)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/window/import/live", test_live);
  g_test_add_func ("/window/import/same-place", test_same_place);
  g_test_add_func ("/window/import/stop-live", test_stop_live);
  g_test_add_func ("/window/import/cancel", test_cancel);
  g_test_add_func ("/window/import/escape", test_escape);
  g_test_add_func ("/window/import/close", test_close_during_import);
  g_test_add_func ("/window/import/progress", test_progress);
  g_test_add_func ("/window/import/waiting", test_waiting);
  g_test_add_func ("/window/import/notes", test_notes);
  g_test_add_func ("/window/import/standard-input", test_standard_input);
  g_test_add_func ("/window/import/dash", test_dash);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
