/* test-window-files.c: recordings that are damaged, wrapped, hostile or not there, in the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-format.h"
#include "pen-problems-button.h"
#include "pen-timeline-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void
assert_has (const char *text, const char *part)
{
  if (!strstr (text, part))
    g_error ("“%s” is not in: %s", part, text);
}

/* What cannot be opened, and words of the page that tells so. */
static void
assert_error_page (PenWindow *window, const char *path, const char *description, const char *remedy)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *text = NULL;

  pen_window_open (window, file);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  text = window_support_dup_labels (window->error_page);
  assert_has (text, base);
  assert_has (text, description);
  assert_has (text, remedy);
}

static char *
write_temporary (const char *name, gconstpointer bytes, gsize length)
{
  char *path = app_support_temporary (name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes, (gssize) length, &error);
  g_assert_no_error (error);
  return path;
}

static void
test_error_page (void)
{
  PenWindow *window = window_support_new_window ();
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *text = app_support_capture ("README.md");
  g_autofree char *missing = app_support_capture ("no-such-file");
  g_autofree char *empty = write_temporary ("empty.data", "", 0);
  g_autofree char *folder = app_support_temporary ("folder");
  g_autofree char *whole = app_support_write_capture (capture, "whole.data");
  g_autofree char *damaged = NULL;
  g_autofree char *locked = NULL;
  g_autofree char *message = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  uid_t user = geteuid ();
  gsize length;

  assert_error_page (window, text, "is not a perf.data file", "perf record");
  assert_error_page (window, missing, "No such file", "Check the name");
  assert_error_page (window, empty, "is empty", "Record again");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  assert_error_page (window, folder, "not a perf.data directory", "--kcore");
  assert_error_page (window, "/dev/null", "is not a regular file", "Save");

  g_file_get_contents (whole, &bytes, &length, &error);
  g_assert_no_error (error);
  /* The size of an event's attributes, bytes 16 to 23 of the header. */
  memset (bytes + 16, 0xee, 8);
  damaged = write_temporary ("damaged.data", bytes, length);
  assert_error_page (window, damaged, "is damaged", "sha256sum");

  locked = write_temporary ("locked.data", bytes, length);
  g_assert_cmpint (g_chmod (locked, 0), ==, 0);
  /* Nothing is locked to root. */
  if (user == 0)
    g_assert_cmpint (seteuid (65534), ==, 0);
  assert_error_page (window, locked, "sudo chown", "0600");
  assert_has (message = window_support_dup_labels (window->error_page), locked);
  if (user == 0)
    g_assert_cmpint (seteuid (0), ==, 0);

  window_support_activate (window, "win.retry");
  g_assert_cmpstr (window_support_get_page (window), ==, "import");
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  window_support_close_window (window);
}

/* ---- what can be read, and has little or nothing to show ---- */

static gboolean
has_toast (GtkWidget *widget, gpointer part)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), part);
}

static PenWindow *
open_any (PenTestCapture *capture, const char *name)
{
  g_autofree char *path = app_support_write_capture (capture, name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *window = window_support_new_window ();

  app_support_forget_views ();
  pen_window_open (window, file);
  app_support_settle (window->session);
  app_support_run (50);
  return window;
}

static void
test_nothing (void)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *text = NULL;
  PenWindow *window;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffff81000000, 0xe00000,
                             0xffffffff81000000, "[kernel.kallsyms]_text");
  window = open_any (capture, "nothing.data");
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_READY);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  text = window_support_dup_labels (window->error_page);
  assert_has (text, "Nothing to Show in “nothing.data”");
  assert_has (text, "Show _Recording");
  window_support_activate (window, "win.show-recording");
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_RECORDING);
  window_support_close_window (window);
}

/* A word about it, and the way to more of them. */
static void
test_remarks (void)
{
  g_autoptr (PenTestCapture) user = pen_test_capture_new ();
  PenWindow *window;

  pen_test_capture_add_event (user, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_as_recorder (user);
  pen_test_capture_add_mmap (user, PEN_TEST_USER, 42, 42, 0x400000, 0x1000, 0, "/bin/worker");
  for (guint i = 0; i < 50; i++) {
    pen_test_capture_at (user, 1000000000 + i * 1000000, 42, 42, 1);
    pen_test_capture_add_sample (user, PEN_TEST_USER, 0x400100, 1);
  }
  window = open_any (user, "user.data");
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  g_assert_nonnull (
      window_support_find_widget (GTK_WIDGET (window), has_toast, (gpointer) "No kernel samples"));
  window_support_close_window (window);

  window = window_support_open_window ("b-ftrace.data");
  g_assert_null (
      window_support_find_widget (GTK_WIDGET (window), has_toast, (gpointer) "No kernel samples"));
  window_support_close_window (window);
}

static gboolean
is_show (GtkWidget *widget, gpointer data G_GNUC_UNUSED)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Show") == 0;
}

/* Other bytes at @place than those of the last patch, without a record of it (W3). */
static PenTestCapture *
make_unannounced (guint64 place)
{
  PenTestCapture *capture = pen_test_capture_new ();
  const guint64 kernel = 0xffffffff81000000;
  const guint8 old[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  const guint8 new[5] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  guint8 reading[88] = { 'P', 'W', 'I', 'T', 1, 64 };
  PenTestEvent output = PEN_TEST_EVENT_CLOCK;

  output.name = "witness";
  output.config = 10; /* PERF_COUNT_SW_BPF_OUTPUT */
  output.sample_type |= 1 << 10;
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &output);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, kernel, 0x1000, kernel,
                             "[kernel.kallsyms]_text");
  for (guint i = 0; i < 20; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 1000000000 + i * 1000000, 42, 42, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, kernel, 1);
  }
  for (guint i = 0; i < 8; i++)
    reading[8 + i] = reading[16 + i] = (guint8) (place >> 8 * i);
  memset (reading + 24, 0x90, 5);
  pen_test_capture_from (capture, 2);
  pen_test_capture_at (capture, 1030000000, 42, 42, 1);
  pen_test_capture_add_text_poke (capture, place, old, sizeof old, new, sizeof new);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 1530000000, 42, 42, 1);
  pen_test_capture_set_payload (capture, reading, sizeof reading);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, place, 1);
  return capture;
}

/* The bar leads to the change. */
static void
test_unannounced (void)
{
  g_autoptr (PenTestCapture) capture = make_unannounced (0xffffffff81000000);
  g_autofree char *labels = NULL;
  GtkWidget *show;
  PenWindow *window;

  window = open_any (capture, "unannounced.data");
  labels = window_support_dup_labels (GTK_WIDGET (window));
  assert_has (labels, "1 change of kernel text has no record");
  show = window_support_find_widget (GTK_WIDGET (window), is_show, NULL);
  g_assert_nonnull (show);
  g_signal_emit_by_name (show, "clicked");
  app_support_settle (window->session);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CAUSES);
  g_clear_pointer (&labels, g_free);
  labels = window_support_dup_chips (window);
  assert_has (labels, "unannounced");
  window_support_close_window (window);
}

/* Where nobody is known to hold the place, it is no alarm. */
static void
test_unknown_text (void)
{
  g_autoptr (PenTestCapture) capture = make_unannounced (0xffffffffa0000040);
  PenWindow *window = open_any (capture, "unknown-text.data");
  g_autofree char *labels = window_support_dup_labels (GTK_WIDGET (window));

  assert_has (labels, "Unknown kernel text changed at 1 place: probably another module");
  g_assert_null (strstr (labels, "has no record"));
  g_assert_null (strstr (labels, "debugger"));
  g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window), is_show, NULL));
  window_support_close_window (window);
}

static void
test_drop (void)
{
  PenWindow *window = window_support_new_window ();
  GtkEventController *target
      = window_support_find_controller (GTK_WIDGET (window), GTK_TYPE_DROP_TARGET);
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GSList *files = g_slist_append (NULL, file);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean handled = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, files);
  g_slist_free (files);
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &handled);
  g_assert_true (handled);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  window_support_close_window (window);
}

/* Each gets a window: what is open, or being opened, is not taken for another. */
static void
test_drop_several (void)
{
  static const char *const names[] = { "b-ftrace.data", "c-kprobes.data", "b-ftrace.data" };
  PenWindow *window = window_support_new_window ();
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  GtkEventController *target
      = window_support_find_controller (GTK_WIDGET (window), GTK_TYPE_DROP_TARGET);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean handled = FALSE;
  GSList *files = NULL;
  GList *windows;

  app_support_clear_cache ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = app_support_capture (names[i]);

    files = g_slist_append (files, g_file_new_for_path (path));
  }
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, files);
  g_slist_free_full (files, g_object_unref);
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &handled);
  g_assert_true (handled);

  windows = gtk_application_get_windows (application);
  g_assert_cmpuint (g_list_length (windows), ==, G_N_ELEMENTS (names));
  for (GList *item = windows; item; item = item->next) {
    PenSession *session = pen_window_get_session (item->data);

    app_support_settle (session);
    g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
  }
  while ((windows = gtk_application_get_windows (application)))
    window_support_close_window (windows->data);
  app_support_assert_nothing_unfinished ();
}

/* A source of Preferences that is gone: the recording is not taken for gone. */
static void
test_missing_source (void)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *directory = g_build_filename (g_get_user_config_dir (), "pentimento", NULL);
  g_autofree char *settings = g_build_filename (directory, "settings.ini", NULL);
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  g_autofree char *text = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (settings, "[sources]\nvmlinux=/nowhere/vmlinux\n", -1, NULL));
  pen_session_open (window->session, path);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  text = window_support_dup_labels (window->error_page);
  assert_has (text, "/nowhere/vmlinux");
  assert_has (text, "_Preferences");

  g_unlink (settings);
  window_support_activate (window, "win.retry");
  app_support_settle (window->session);
  app_support_run (50);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  window_support_close_window (window);
}

static char *
compress (const char *path, const char *name)
{
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autofree char *target = app_support_temporary (name);
  g_autoptr (GFile) from = g_file_new_for_path (path);
  g_autoptr (GFile) to = g_file_new_for_path (target);
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) plain = G_INPUT_STREAM (g_file_read (from, NULL, &error));
  g_autoptr (GInputStream) packed = g_converter_input_stream_new (plain, G_CONVERTER (gzip));
  g_autoptr (GOutputStream) out
      = G_OUTPUT_STREAM (g_file_replace (to, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error));

  g_output_stream_splice (out, packed, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&target);
}

static gpointer
feed (gpointer data)
{
  const char *const *paths = data;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  int fd;

  g_assert_true (g_file_get_contents (paths[0], &bytes, &length, NULL));
  /* Until somebody reads. */
  fd = g_open (paths[1], O_WRONLY | O_CLOEXEC, 0);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  g_close (fd, &error);
  g_assert_no_error (error);
  return NULL;
}

/* The same recording, whatever it comes in. */
static void
test_wrapped (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *plain = app_support_write_capture (capture, "plain.data");
  g_autofree char *packed = compress (plain, "packed.data.gz");
  g_autofree char *fifo = app_support_temporary ("fifo");
  PenWindow *window = window_support_open_path (plain);
  const char *const paths[] = { plain, fifo, NULL };
  guint64 total = pen_session_get_answers (window->session)->counts->total.n;
  g_autoptr (GFile) file = g_file_new_for_path (fifo);
  GThread *feeder;

  g_assert_cmpuint (total, >, 100);
  window_support_close_window (window);

  window = window_support_open_path (packed);
  g_assert_cmpuint (pen_session_get_answers (window->session)->counts->total.n, ==, total);
  window_support_close_window (window);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  feeder = g_thread_new ("feeder", feed, (gpointer) paths);
  window = window_support_open_path (fifo);
  g_assert_cmpuint (pen_session_get_answers (window->session)->counts->total.n, ==, total);
  g_thread_join (feeder);

  /* Nobody writes any more: waiting can be given up. */
  pen_window_open (window, file);
  app_support_run (100);
  g_assert_cmpstr (window_support_get_page (window), ==, "import");
  window_support_activate (window, "win.cancel");
  g_assert_cmpstr (window_support_get_page (window), ==, "empty");
  window_support_close_window (window);
  app_support_assert_nothing_unfinished ();
}

static gboolean
is_problems_button (GtkWidget *widget, gpointer data)
{
  return PEN_IS_PROBLEMS_BUTTON (widget);
}

static char *
dup_problems (PenWindow *window)
{
  GtkWidget *button = window_support_find_widget (GTK_WIDGET (window), is_problems_button, NULL);

  return window_support_dup_labels (window_support_find_type (button, GTK_TYPE_SCROLLED_WINDOW));
}

static gboolean
is_loss_row (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LIST_BOX_ROW (widget)
         && gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (widget));
}

/* A file that ends early is shown as far as it goes, and the window says that it does. */
static void
test_truncated (void)
{
  g_autofree char *path = app_support_capture ("b-ftrace.data/data");
  g_autofree char *cut = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *problems = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (GError) error = NULL;
  PenWindow *window;
  GtkWidget *button;
  gsize length;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  cut = write_temporary ("cut.data", bytes, length / 2);

  window = window_support_open_path (cut);
  button = window_support_find_widget (GTK_WIDGET (window), is_problems_button, NULL);
  g_assert_cmpuint (pen_session_get_answers (window->session)->counts->total.n, >, 0);
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_nonnull (window->early_end);
  assert_has (adw_toast_get_title (window->early_end), "ends early");
  kept = pen_format_count (pen_session_get_answers (window->session)->counts->total.n);
  assert_has (adw_toast_get_title (window->early_end), kept);
  problems = dup_problems (window);
  assert_has (problems, "Ends here");
  assert_has (problems, "cut.data · offset 0x");
  window_support_activate (window, "win.problems");
  app_support_run (100);
  /* An open list is told anew, and goes with its recording. */
  window_support_activate (window, "win.next-times");
  window_support_activate (window, "win.problems");
  app_support_run (100);

  /* Another one that is whole has nothing to tell. */
  {
    g_autofree char *whole = app_support_capture ("c-kprobes.data");

    pen_session_open (window->session, whole);
    g_assert_false (gtk_widget_get_visible (button));
    app_support_settle (window->session);
    app_support_run (50);
    g_assert_null (window->early_end);
  }
  window_support_close_window (window);
}

/* Losses, by CPU, with when; samples dropped by a filter are a group of their own. */
static void
test_losses (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  const guint64 second = 1000000000;
  g_autofree char *path = NULL;
  g_autofree char *problems = NULL;
  g_autofree char *tooltip = NULL;
  const char *filtered;
  PenWindow *window;
  GtkWidget *button, *row;
  PenSpan all;

  pen_test_capture_at (capture, 102 * second, 42, 42, 3);
  pen_test_capture_add_lost (capture, 1, 1204);
  pen_test_capture_at (capture, 102 * second + 1, 42, 42, 2);
  pen_test_capture_add_lost_samples (capture, 1 << 15, 77);
  pen_test_capture_at (capture, 103 * second, 42, 42, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000010, 1);
  path = app_support_write_capture (capture, "losses.data");

  window = window_support_open_path (path);
  problems = dup_problems (window);
  assert_has (problems, "Lost records on CPU 3: 1\342\200\257204");
  filtered = strstr (problems, "Dropped by a BPF Filter");
  g_assert_nonnull (filtered);
  assert_has (filtered, "77");
  g_assert_null (strstr (filtered, "Lost records"));

  g_assert_cmpint (window->timeline->lanes.boxes[PEN_LANE_LOST].height, >, 0);
  tooltip = window_support_dup_tooltip (window, 102 * second, PEN_LANE_LOST);
  assert_has (tooltip, "Lost records on CPU 3: 1\342\200\257204");

  /* A row leads to its time. */
  all = pen_session_get_view (window->session)->visible;
  window_support_activate (window, "win.problems");
  app_support_run (100);
  button = window_support_find_widget (GTK_WIDGET (window), is_problems_button, NULL);
  row = window_support_find_widget (button, is_loss_row, NULL);
  g_assert_nonnull (row);
  g_assert_true (gtk_widget_activate (row));
  g_assert_cmpuint (pen_span_length (pen_session_get_view (window->session)->visible), <,
                    pen_span_length (all));
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* ---- strings that somebody else wrote ---- */

#define BOLD "<b>bold&"
#define ESCAPE "\033[31m"
#define FLIP "\342\200\256"
#define NOT_UTF8 "\377\300"
#define HOSTILE BOLD ESCAPE FLIP NOT_UTF8 "\nline"
#define HOSTILE_SHOWN "<b>bold&\\x1b[31m\\u{202e}\\xff\\xc0\\nline"

/* Nothing that moves what is drawn, or is not text at all. Our own tooltips have lines. */
static void
assert_harmless (const char *text)
{
  if (!text)
    return;
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (const char *p = text; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    GUnicodeType type = g_unichar_type (c);

    if ((type == G_UNICODE_CONTROL && c != '\n') || type == G_UNICODE_FORMAT)
      g_error ("U+%04x in “%s”", c, text);
  }
}

static void
assert_all_harmless (GtkWidget *widget, guint *n_hostile)
{
  assert_harmless (window_support_get_tooltip (widget));
  if (GTK_IS_LABEL (widget)) {
    const char *text = gtk_label_get_text (GTK_LABEL (widget));

    assert_harmless (text);
    *n_hostile += strstr (text, HOSTILE_SHOWN) != NULL;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    assert_all_harmless (child, n_hostile);
}

static PenTestCapture *
new_hostile_capture (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };
  PenTestCapture *capture = app_support_new_capture ();
  guint64 time = 102 * G_GUINT64_CONSTANT (1000000000);

  pen_test_capture_at (capture, time, 66, 66, 0);
  pen_test_capture_add_comm (capture, 66, 66, TRUE, BOLD ESCAPE);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 66, 66, 0x400000, 0x1000, 0, 5, 0, NULL,
                              "/tmp/" HOSTILE);
  pen_test_capture_add_ksymbol (capture, 0xffffffffc0002000, 0x40, 1, 0, HOSTILE);
  for (guint i = 0; i < 40; i++) {
    pen_test_capture_at (capture, time + i * 10000000, 66, 66, 0);
    if (i == 20)
      pen_test_capture_add_text_poke (capture, 0xffffffffc0002000, nop, 5, call, 5);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0002000, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_USER, 0x400010, 1);
  }
  pen_test_capture_add_lost (capture, 1, 5);
  pen_test_capture_set_os_release (capture, HOSTILE);
  return capture;
}

static void
test_hostile_strings (void)
{
  g_autofree char *text = NULL;
  g_autoptr (PenTestCapture) capture = new_hostile_capture ();
  g_autofree char *path = app_support_write_capture (capture, HOSTILE ".data");
  g_autofree char *card = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *broken = NULL;
  PenWindow *window = window_support_open_path (path);
  guint n_hostile = 0;
  gsize length;

  g_assert_cmpstr (adw_window_title_get_title (window->title), ==, HOSTILE_SHOWN ".data");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, HOSTILE_SHOWN ".data");
  assert_has (adw_window_title_get_subtitle (window->title), HOSTILE_SHOWN);

  window_support_select_function (window, HOSTILE_SHOWN);
  pen_window_show_line (window, 0xffffffffc0002000);
  app_support_settle (window->session);
  app_support_run (100);
  card = window_support_dup_patch_text (window);
  assert_has (card, "by <b>bold&\\x1b[");
  assert_all_harmless (GTK_WIDGET (window), &n_hostile);
  /* Title, subtitle, two rows of the list, the annotation's heading, the history's. */
  g_assert_cmpuint (n_hostile, >=, 6);
  for (guint row = 0; row < window->timeline->lanes.n_rows; row++) {
    g_autofree char *tooltip = NULL;
    PenBox box;

    if (!pen_lanes_get_row_box (&window->timeline->lanes, row, &box))
      continue;
    tooltip = pen_plot_view_describe_point (
        PEN_PLOT_VIEW (window->timeline), 1150,
        pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline)).y + box.y + 1);
    assert_harmless (tooltip);
  }

  /* Names in the search are those that are seen. */
  pen_session_set_search (window->session, "\\x1b[31m");
  g_assert_cmpint (g_list_model_get_n_items (
                       G_LIST_MODEL (window_support_child (window->functions, "selection"))),
                   ==, 2);

  /* A page of an error, and what is told of a damaged file. */
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  broken = write_temporary (HOSTILE "cut", bytes, length / 2);
  pen_session_open (window->session, broken);
  app_support_settle (window->session);
  app_support_run (50);
  assert_all_harmless (GTK_WIDGET (window), &n_hostile);
  memset (bytes, 'x', 8);
  g_assert_true (g_file_set_contents (broken, bytes, (gssize) length, NULL));
  pen_session_open (window->session, broken);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  text = window_support_dup_labels (window->error_page);
  assert_has (text, "&lt;b&gt;");
  app_support_run (50);
  assert_all_harmless (GTK_WIDGET (window), &n_hostile);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/error-page", test_error_page);
  g_test_add_func ("/window/nothing", test_nothing);
  g_test_add_func ("/window/remarks", test_remarks);
  g_test_add_func ("/window/unannounced", test_unannounced);
  g_test_add_func ("/window/unknown-text", test_unknown_text);
  g_test_add_func ("/window/drop", test_drop);
  g_test_add_func ("/window/drop-several", test_drop_several);
  g_test_add_func ("/window/missing-source", test_missing_source);
  g_test_add_func ("/window/wrapped", test_wrapped);
  g_test_add_func ("/window/truncated", test_truncated);
  g_test_add_func ("/window/losses", test_losses);
  g_test_add_func ("/window/hostile-strings", test_hostile_strings);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
