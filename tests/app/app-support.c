/* app-support.c: what the tests of sessions and windows share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "app-support.h"

#include <gtk/gtk.h>

#include "pen-notes-place.h"
#include "pen-query-causes.h"
#include "pen-query-changes.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-info.h"
#include "pen-query-occupants.h"
#include "pen-query-samples.h"
#include "pen-test-tree.h"

/* Under the sanitizers on a busy machine an import takes its time. */
#define PATIENCE_S 120
/* A machine at leisure draws one in each; more than a few leave nothing to be laid out. */
#define FRAME_MS 16
#define FRAMES_MAX 4
#define TURNS_MAX 100

static char *directory;

static void
set_directory (const char *variable, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_mkdir_with_parents (path, 0700);
  g_setenv (variable, path, TRUE);
}

void
app_support_begin (void)
{
  g_autoptr (GError) error = NULL;

  directory = g_dir_make_tmp ("pentimento-app-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("XDG_CACHE_HOME", directory, TRUE);
  set_directory ("XDG_STATE_HOME", "state");
  set_directory ("XDG_DATA_HOME", "share");
  set_directory ("XDG_CONFIG_HOME", "config");
}

void
app_support_end (void)
{
  pen_worker_wait_all ();
  pen_last_view_wait_all ();
  pen_test_remove_tree (directory);
  g_clear_pointer (&directory, g_free);
}

static void
list_files (const char *path, GPtrArray *files)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  if (!dir) {
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      g_ptr_array_add (files, g_strdup (path));
    return;
  }
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    list_files (child, files);
  }
}

void
app_support_assert_nothing_unfinished (void)
{
  g_autofree char *cache = g_build_filename (directory, "pentimento", NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  pen_worker_wait_all ();
  list_files (cache, files);
  for (guint i = 0; i < files->len; i++) {
    const char *path = g_ptr_array_index (files, i);
    g_autoptr (GError) error = NULL;
    g_autoptr (PenStore) store = pen_store_open (path, &error);

    /* Locks are empty, and stay for the next import. */
    if (!store && !g_str_has_suffix (path, ".lock"))
      g_error ("left behind: %s: %s", path, error->message);
  }
}

void
app_support_forget_views (void)
{
  g_autofree char *state = g_build_filename (directory, "state", NULL);

  pen_last_view_wait_all ();
  pen_test_remove_tree (state);
}

void
app_support_clear_cache (void)
{
  g_autofree char *cache = g_build_filename (directory, "pentimento", NULL);

  pen_test_remove_tree (cache);
}

char *
app_support_capture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", name, NULL);
}

char *
app_support_temporary (const char *name)
{
  return g_build_filename (directory, name, NULL);
}

PenTestCapture *
app_support_new_capture (void)
{
  return app_support_new_capture_with (NULL);
}

PenTestCapture *
app_support_new_capture_with (const PenTestEvent *event)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };
  const guint64 start = 0xffffffff81000000, second = 1000000000;
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  if (event)
    pen_test_capture_add_event (capture, event);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, start, 0xe00000, start,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "worker");
  for (guint i = 0; i < 200; i++) {
    guint64 time = 100 * second + i * (second / 100);

    pen_test_capture_at (capture, time, 42, 42, i % PEN_TEST_CPUS);
    if (i == 50)
      pen_test_capture_add_ksymbol (capture, 0xffffffffc0001000, 0x40, 1, 0, "bpf_prog_tested");
    if (i == 100)
      pen_test_capture_add_text_poke (capture, 0xffffffffc0001000, nop, 5, call, 5);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL,
                                 i < 100 ? start + i * 16 : 0xffffffffc0001000, 1);
  }
  return capture;
}

char *
app_support_write_capture (PenTestCapture *capture, const char *name)
{
  char *path = app_support_temporary (name);
  g_autoptr (GError) error = NULL;

  pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, &error);
  g_assert_no_error (error);
  return path;
}

static gboolean
set_flag (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

void
app_support_pass (guint ms)
{
  gboolean done = FALSE;

  /* On a busy machine one frame may take as long: what waits its turn comes first. */
  g_timeout_add_full (G_PRIORITY_HIGH_IDLE + 5, ms, set_flag, &done, NULL);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

gint64
app_support_get_deadline (void)
{
  return g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
}

/* ---- frames ---- */

/* Of one window, until it goes. */
typedef struct {
  GtkWidget *window; /* (nullable): gone */
  GdkFrameClock *clock;
  gulong id;
  guint drawn;
} Frames;

static void
count_frame (Frames *self)
{
  self->drawn++;
}

static void
frames_free (gpointer data)
{
  Frames *self = data;

  /* The clock of a window that closed meanwhile has no handlers any more. */
  if (g_signal_handler_is_connected (self->clock, self->id))
    g_signal_handler_disconnect (self->clock, self->id);
  g_object_unref (self->clock);
  g_clear_weak_pointer (&self->window);
  g_free (self);
}

/* (element-type Frames): of all windows that are drawn */
static GPtrArray *
count_frames (void)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (frames_free);
  GListModel *windows = gtk_is_initialized () ? gtk_window_get_toplevels () : NULL;

  for (guint i = 0; windows && i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    Frames *frames;

    if (!gtk_widget_get_mapped (window))
      continue;
    frames = g_new0 (Frames, 1);
    g_set_weak_pointer (&frames->window, window);
    frames->clock = g_object_ref (gtk_widget_get_frame_clock (window));
    frames->id
        = g_signal_connect_swapped (frames->clock, "after-paint", G_CALLBACK (count_frame), frames);
    g_ptr_array_add (all, frames);
  }
  return all;
}

static gboolean
is_drawn (GPtrArray *all, guint n)
{
  for (guint i = 0; i < all->len; i++) {
    Frames *frames = all->pdata[i];

    if (!frames->window || !gtk_widget_get_mapped (frames->window) || frames->drawn >= n)
      continue;
    gdk_frame_clock_request_phase (frames->clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
    return FALSE;
  }
  return TRUE;
}

static void
run_frames (GPtrArray *all, guint n)
{
  gint64 deadline = app_support_get_deadline ();

  while (!is_drawn (all, n)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, TRUE);
  }
}

void
app_support_run (guint ms)
{
  g_autoptr (GPtrArray) before = count_frames ();
  g_autoptr (GPtrArray) after = NULL;
  gboolean is_idle = FALSE;
  guint id;

  app_support_pass (ms);
  run_frames (before, MIN (ms / FRAME_MS, FRAMES_MAX));
  /* An animation that is over by the clock has still to draw its end. */
  after = count_frames ();
  run_frames (after, 1);
  /* Where frames take all the time there is, nothing is ever idle. */
  id = g_idle_add_full (G_PRIORITY_LOW, set_flag, &is_idle, NULL);
  for (guint i = 0; !is_idle && i < TURNS_MAX; i++)
    g_main_context_iteration (NULL, FALSE);
  if (!is_idle)
    g_source_remove (id);
}

void
app_support_settle (PenSession *session)
{
  gint64 deadline = app_support_get_deadline ();

  do {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    app_support_run (5);
  } while (pen_session_get_state (session) == PEN_SESSION_IMPORTING
           || !pen_session_is_settled (session));
}

PenQuery *
app_support_open_query (PenSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = pen_store_open (pen_session_get_opened (session)->store, &error);

  g_assert_no_error (error);
  return pen_query_new (store);
}

static const char *
find_symbol (PenQuery *query, guint64 start)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (pen_query_get_store (query), &n, NULL);

  for (guint i = 0; i < n; i++) {
    if (functions[i].start == start && functions[i].symbol)
      return functions[i].symbol;
  }
  g_assert_not_reached ();
}

char *
app_support_export (PenQuery *query, PenExport table, const PenFilter *filter, guint64 address)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
  g_autoptr (GError) error = NULL;

  switch (table) {
  case PEN_EXPORT_FUNCTIONS:
    pen_query_write_functions (query, filter, writer, &error);
    break;
  case PEN_EXPORT_ANNOTATION:
    pen_query_write_annotation (query, filter, target, PEN_SYNTAX_ATT, writer, &error);
    break;
  case PEN_EXPORT_HISTORY:
    pen_query_write_history (query, filter, target, PEN_SYNTAX_ATT, writer, &error);
    break;
  case PEN_EXPORT_CALLERS:
  case PEN_EXPORT_CALLEES:
    pen_query_write_neighbours (query, filter, find_symbol (query, address), NULL,
                                table == PEN_EXPORT_CALLERS ? PEN_STACK_CALLERS : PEN_STACK_CALLEES,
                                PEN_STACK_BY_FUNCTION, PEN_STACK_SAMPLES, FALSE, writer, &error);
    break;
  case PEN_EXPORT_STACKS:
    pen_query_write_stacks (query, filter, PEN_STACK_BY_FUNCTION, PEN_STACK_SAMPLES, 0, writer,
                            &error);
    break;
  case PEN_EXPORT_SAMPLES:
    pen_query_write_samples (query, filter, writer, &error);
    break;
  case PEN_EXPORT_CAUSES:
    pen_query_write_causes (query, filter, &(PenCauseOrder){ 0 }, writer, &error);
    break;
  case PEN_EXPORT_CHANGES:
    pen_query_write_changes (query, filter, writer, &error);
    break;
  case PEN_EXPORT_NOTES: {
    g_autofree char *place = pen_notes_find_place (pen_query_get_store (query), "a capture");

    pen_query_write_notes (query, place, writer, &error);
    break;
  }
  case PEN_EXPORT_OCCUPANTS:
    pen_query_write_occupants (query, filter, writer, &error);
    break;
  case PEN_EXPORT_RECORDING:
    pen_query_write_info (query, writer, &error);
    break;
  case PEN_EXPORTS:
  default:
    g_assert_not_reached ();
  }
  g_assert_no_error (error);
  pen_table_writer_finish (writer, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_close (stream, NULL, &error);
  g_assert_no_error (error);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

char *
app_support_session_export (PenSession *session, PenExport table)
{
  g_autofree char *path = g_build_filename (directory, "export.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  pen_session_export_async (session, table, file, keep_result, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  pen_session_export_finish (session, result, NULL, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

GBytes *
app_support_session_export_profile (PenSession *session, PenProfileFormat format,
                                    guint64 *n_samples)
{
  g_autofree char *path = g_build_filename (directory, "export.profile", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  pen_session_export_profile_async (session, format, file, keep_result, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  pen_session_export_finish (session, result, n_samples, &error);
  g_assert_no_error (error);
  bytes = g_file_load_bytes (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return bytes;
}

char *
app_support_run_command (const char *command)
{
  g_autofree char *program
      = g_test_build_filename (G_TEST_BUILT, "..", "src", "cli", "pentimento-cli", NULL);
  g_auto (GStrv) words = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_shell_parse_argv (command, NULL, &words, &error);
  g_assert_no_error (error);
  g_free (words[0]);
  words[0] = g_steal_pointer (&program);
  process = g_subprocess_newv ((const char *const *) words, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  return text;
}

void
app_support_session_export_picture (PenSession *session, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  pen_session_export_picture_async (session, PEN_VIEW_OVERVIEW, FALSE, file, keep_result, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  pen_session_export_finish (session, result, NULL, &error);
  g_assert_no_error (error);
}

char *
app_support_session_export_fails (PenSession *session, PenExport table, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  pen_session_export_async (session, table, file, keep_result, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (pen_session_export_finish (session, result, NULL, &error));
  return g_strdup (error->message);
}

gboolean
app_support_find_function (PenSession *session, const char *symbol, guint32 *function)
{
  const PenFunctionList *list = pen_session_get_answers (session)->functions;

  for (guint i = 0; i < list->rows->len; i++) {
    const PenFunction *row = &g_array_index (list->rows, PenFunctionRow, i).function;

    if (g_strcmp0 (row->symbol, symbol) == 0) {
      *function = row->id;
      return TRUE;
    }
  }
  return FALSE;
}
