/* test-session.c: a session without a window: questions, answers, export, cancel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "app-support.h"

#include "pen-query-functions.h"
#include "pen-query-history.h"

#include <glib/gstdio.h>

static PenSession *
open_session (const char *name)
{
  PenSession *session = pen_session_new ();
  g_autofree char *path = app_support_capture (name);

  pen_session_open (session, path);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_IMPORTING);
  app_support_settle (session);
  if (pen_session_get_failure (session))
    g_error ("%s: %s", name, pen_session_get_failure (session)->message);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
  return session;
}

static void
close_session (PenSession *session)
{
  g_assert_finalize_object (session);
}

static void
count_notify (guint *n)
{
  (*n)++;
}

/* What a session answers is what a query of the same store answers. */
static void
test_open (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  const PenOpened *opened = pen_session_get_opened (session);
  g_autoptr (PenQuery) query = app_support_open_query (session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) rows = NULL;
  guint64 total, first, last;

  rows = pen_query_functions (query, NULL, &total, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, >, 0);
  g_assert_cmpuint (pen_session_get_answers (session)->functions->rows->len, ==, rows->len);
  g_assert_cmpuint (pen_session_get_answers (session)->counts->total.n, ==, total);
  g_assert_cmpuint (pen_session_get_answers (session)->counts->matching.n, ==, total);
  g_assert_true (pen_query_get_time_range (query, &first, &last));
  g_assert_true (pen_span_equal (opened->span, (PenSpan){ first, last + 1 }));
  g_assert_true (pen_span_equal (pen_session_get_view (session)->visible, opened->span));
  g_assert_cmpuint (opened->outline->causes & (1u << PEN_CAUSE_FTRACE), !=, 0);
  g_assert_cmpuint (opened->outline->kinds & (1u << PEN_KIND_KERNEL), !=, 0);
  close_session (session);
}

static void
test_second_open_is_cached (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autofree char *store = g_strdup (pen_session_get_opened (session)->store);
  GStatBuf before, after;

  g_assert_cmpint (g_stat (store, &before), ==, 0);
  close_session (session);
  session = open_session ("b-ftrace.data");
  g_assert_cmpstr (pen_session_get_opened (session)->store, ==, store);
  g_assert_cmpint (g_stat (store, &after), ==, 0);
  g_assert_cmpint (before.st_ino, ==, after.st_ino);
  close_session (session);
}

/* An import that was kept and cannot be read any more is made again. */
static void
test_damaged_cache (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autofree char *store = g_strdup (pen_session_get_opened (session)->store);
  guint64 total = pen_session_get_answers (session)->counts->total.n;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  close_session (session);
  g_file_get_contents (store, &bytes, &length, &error);
  g_assert_no_error (error);
  /* All but the schema and the facts, which stand first. */
  for (gsize part = 2; part < 16; part++) {
    g_autofree char *damaged = g_memdup2 (bytes, length);

    memset (damaged + length / 16 * part, 0xff, length / 16);
    g_file_set_contents (store, damaged, (gssize) length, &error);
    g_assert_no_error (error);
    session = pen_session_new ();
    {
      g_autofree char *path = app_support_capture ("b-ftrace.data");

      pen_session_open (session, path);
    }
    app_support_settle (session);
    g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
    g_assert_cmpuint (pen_session_get_opened (session)->samples, ==, total);
    close_session (session);
  }
  g_assert_cmpint (g_unlink (store), ==, 0);
}

static void
test_hottest (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  const PenFunctionList *functions = pen_session_get_answers (session)->functions;
  const PenFunction *chosen = NULL;
  guint32 function;
  guint64 line;

  /* The session has chosen by itself. */
  g_assert_true (pen_session_get_function (session, &function));
  for (guint i = 0; i < functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (functions->rows, PenFunctionRow, i).function;

    if (row->id == function)
      chosen = row;
  }
  g_assert_nonnull (chosen);
  g_assert_cmpuint (chosen->pokes, >, 0);
  for (guint i = 0; i < functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (functions->rows, PenFunctionRow, i).function;

    if (row->pokes > 0 && row->versions > 1 && row->length > 0)
      g_assert_cmpuint (row->samples, <=, chosen->samples);
  }
  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (session), &line));
  g_assert_cmpuint (line, >=, chosen->start);
  g_assert_cmpuint (line, <, chosen->start + chosen->length);
  close_session (session);
}

static void
test_filter (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (session);
  PenSpan span = pen_session_get_span (session);
  PenSpan third
      = { span.from + pen_span_length (span) / 3, span.from + pen_span_length (span) * 2 / 3 };
  guint64 total = pen_session_get_answers (session)->counts->total.n, matching, all;
  g_autoptr (GError) error = NULL;
  PenSpan selected;

  pen_session_set_selected (session, &third);
  app_support_settle (session);
  g_assert_true (pen_session_get_selected (session, &selected));
  g_assert_true (pen_span_equal (selected, third));
  pen_query_count (query, pen_session_get_view (session)->filter, &matching, &all, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pen_session_get_answers (session)->counts->matching.n, ==, matching);
  g_assert_cmpuint (matching, >, 0);
  g_assert_cmpuint (matching, <, total);
  /* The overview shows what is selected from: all of it. */
  g_assert_cmpuint (pen_session_get_answers (session)->functions->total, ==, matching);

  pen_session_set_selected (session, NULL);
  pen_session_set_changed_only (session, TRUE);
  app_support_settle (session);
  g_assert_false (pen_session_get_selected (session, &selected));
  g_assert_cmpuint (pen_session_get_answers (session)->counts->matching.n, <, total);
  for (guint i = 0; i < pen_session_get_answers (session)->functions->rows->len; i++) {
    const PenFunctionRow *row
        = &g_array_index (pen_session_get_answers (session)->functions->rows, PenFunctionRow, i);

    g_assert_cmpuint (row->function.versions, >, 1);
  }
  close_session (session);
}

static void
test_annotation_and_history (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (session);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  const PenStrips *strips;
  guint64 line, sum = 0;
  guint32 function;

  g_assert_true (app_support_find_function (session, "vfs_read", &function));
  pen_session_set_function (session, function);
  app_support_settle (session);
  g_assert_no_error (pen_session_get_error (session, PEN_JOB_ANNOTATION));
  strips = pen_session_get_answers (session)->annotation;
  g_assert_cmpuint (strips->text->function, ==, function);
  for (guint i = 0; i < strips->text->annotated->lines->len; i++) {
    const PenAnnotationLine *annotated = g_ptr_array_index (strips->text->annotated->lines, i);
    guint64 in_strip = 0;

    for (guint k = strips->counts->firsts[i]; k < strips->counts->firsts[i + 1]; k++)
      in_strip += g_array_index (strips->counts->cells, PenStripCell, k).n;
    g_assert_cmpuint (in_strip, ==, annotated->samples);
    sum += annotated->samples;
  }
  g_assert_cmpuint (sum, ==, strips->text->annotated->samples);

  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (session), &line));
  pen_session_set_line (session, &line);
  app_support_settle (session);
  rows = pen_query_history (query, NULL, line, PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, >, 1);
  g_assert_cmpuint (pen_session_get_answers (session)->history->rows->len, ==, rows->len);

  /* Another function: the line goes. */
  g_assert_true (app_support_find_function (session, "pipe_read", &function));
  pen_session_set_function (session, function);
  g_assert_false (pen_session_get_line (session, &line));
  g_assert_null (pen_session_get_answers (session)->history);
  close_session (session);
}

static void
test_step_change (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  GArray *pokes = pen_session_get_answers (session)->annotation->text->annotated->pokes;
  guint64 before = 0;

  g_assert_cmpuint (pokes->len, >, 1);
  for (guint i = 0; i < pokes->len; i++) {
    pen_session_step_change (session, 1);
    g_assert_cmpuint (pen_session_get_view (session)->playhead, ==,
                      g_array_index (pokes, PenPoke, i).moment.time);
    g_assert_cmpuint (pen_session_get_view (session)->playhead, >, before);
    before = pen_session_get_view (session)->playhead;
  }
  pen_session_step_change (session, 1);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, before);
  pen_session_step_change (session, -1);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, <, before);
  close_session (session);
}

/* Zooming about quickly: the last question is the one that is answered. */
static void
test_newest_wins (void)
{
  PenSession *session = open_session ("c-kprobes.data");
  PenSpan span = pen_session_get_span (session);
  PenSpan view = span;
  guint notified = 0;

  g_signal_connect_swapped (session, "answered::annotation", G_CALLBACK (count_notify), &notified);
  pen_session_set_overview_bins (session, 300);
  for (guint i = 0; i < 60; i++) {
    PenSpan selected = { span.from + i * 1000000, span.to - i * 1000000 };

    view = pen_span_zoom (view, span.from + pen_span_length (span) / 2, 0.95, span);
    pen_session_set_visible (session, view);
    pen_session_set_selected (session, &selected);
    app_support_run (1);
  }
  app_support_settle (session);
  g_assert_cmpuint (pen_session_get_answers (session)->overview->from, ==, view.from);
  g_assert_cmpuint (pen_session_get_answers (session)->overview->to, ==, view.to);
  g_assert_cmpuint (pen_session_get_answers (session)->overview->n_bins, ==, 300);
  g_assert_cmpuint (notified, >, 0);
  g_assert_true (pen_span_equal (pen_session_get_answers (session)->annotation->span, view));
  close_session (session);
}

static void
test_export (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (session);
  PenSpan span = pen_session_get_span (session);
  PenSpan half = { span.from, span.from + pen_span_length (span) / 2 };
  guint64 line;

  g_assert_true (pen_session_can_export (session, PEN_EXPORT_HISTORY));
  pen_session_set_line (session, NULL);
  g_assert_false (pen_session_can_export (session, PEN_EXPORT_HISTORY));
  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (session), &line));
  pen_session_set_line (session, &line);
  pen_session_set_selected (session, &half);
  app_support_settle (session);

  for (guint i = 0; i < PEN_EXPORTS; i++) {
    guint64 address = i == PEN_EXPORT_HISTORY
                          ? line
                          : pen_session_get_answers (session)->annotation->text->annotated->start;
    g_autofree char *expected
        = app_support_export (query, i, pen_session_get_view (session)->filter, address);
    g_autofree char *written = app_support_session_export (session, i);

    g_assert_cmpuint (strlen (written), >, 20);
    g_assert_cmpstr (written, ==, expected);
  }

  /* A search narrows the functions that are written, too. */
  pen_session_set_search (session, "VFS_");
  {
    g_autofree char *written = app_support_session_export (session, PEN_EXPORT_FUNCTIONS);
    g_auto (GStrv) rows = g_strsplit (written, "\n", -1);

    g_assert_cmpuint (g_strv_length (rows), >, 2);
    for (guint i = 1; rows[i] && rows[i][0]; i++)
      g_assert_nonnull (strstr (rows[i], "vfs_"));
  }
  close_session (session);
}

static void
on_failed_export (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GError **error = user_data;

  g_assert_false (pen_session_export_finish (PEN_SESSION (source), result, NULL, error));
}

static void
test_export_fails (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/place/functions.csv");
  g_autoptr (GError) error = NULL;

  pen_session_export_async (session, PEN_EXPORT_FUNCTIONS, file, on_failed_export, &error);
  while (!error)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  app_support_settle (session);
  close_session (session);
}

static void
test_bad_file (void)
{
  PenSession *session = pen_session_new ();
  g_autofree char *path = app_support_capture ("README.md");

  pen_session_open (session, path);
  app_support_settle (session);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_FAILED);
  g_assert_nonnull (strstr (pen_session_get_failure (session)->message, "README.md"));

  /* It can be tried again with a good one. */
  g_free (g_steal_pointer (&path));
  path = app_support_capture ("b-ftrace.data");
  pen_session_open (session, path);
  app_support_settle (session);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
  g_assert_null (pen_session_get_failure (session));
  close_session (session);
}

static void
cancel_at_progress (PenSession *session, GParamSpec *pspec, gpointer user_data)
{
  guint *n = user_data;

  (*n)++;
  pen_session_cancel (session);
}

/* At the first sign of progress, and before there is any. */
static void
test_cancel (void)
{
  PenSession *session = pen_session_new ();
  g_autofree char *path = app_support_capture ("f-everything-z.data");
  guint n = 0;

  app_support_clear_cache ();
  pen_session_open (session, path);
  pen_session_cancel (session);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_EMPTY);

  pen_session_open (session, path);
  g_signal_connect (session, "notify::progress", G_CALLBACK (cancel_at_progress), &n);
  while (pen_session_get_state (session) == PEN_SESSION_IMPORTING)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_EMPTY);
  g_assert_null (pen_session_get_opened (session));
  close_session (session);

  app_support_assert_nothing_unfinished ();
}

/* ---- looks of the worker ---- */

gboolean __real_g_cancellable_is_cancelled (GCancellable *cancellable);
gboolean __real_g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error);
gboolean __wrap_g_cancellable_is_cancelled (GCancellable *cancellable);
gboolean __wrap_g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error);

static GThread *main_thread;
static gint n_looks;      /* of the worker */
static gint cancel_after; /* this one; 0: none */

/* The answer is as of before. */
static void
look (GCancellable *cancellable)
{
  if (cancellable && g_thread_self () != main_thread
      && g_atomic_int_add (&n_looks, 1) + 1 == g_atomic_int_get (&cancel_after))
    g_cancellable_cancel (cancellable);
}

gboolean
__wrap_g_cancellable_is_cancelled (GCancellable *cancellable)
{
  gboolean is_cancelled = __real_g_cancellable_is_cancelled (cancellable);

  look (cancellable);
  return is_cancelled;
}

gboolean
__wrap_g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  gboolean is_cancelled = __real_g_cancellable_set_error_if_cancelled (cancellable, error);

  look (cancellable);
  return is_cancelled;
}

/* Whatever job is cancelled after whichever look, the next question has its answer. */
static void
test_cancel_looks (void)
{
  PenSession *session;
  guint64 total;
  gint after = 0;

  /* A filter of a test before would be there again. */
  app_support_forget_views ();
  session = open_session ("b-ftrace.data");
  total = pen_session_get_answers (session)->counts->total.n;
  do {
    g_atomic_int_set (&n_looks, 0);
    g_atomic_int_set (&cancel_after, ++after);
    pen_session_set_changed_only (session, TRUE);
    app_support_settle (session);
    g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
    g_atomic_int_set (&cancel_after, 0);
    pen_session_set_changed_only (session, FALSE);
    app_support_settle (session);
    g_assert_cmpuint (pen_session_get_answers (session)->counts->matching.n, ==, total);
    g_assert_cmpuint (pen_session_get_answers (session)->functions->total, ==, total);
  } while (n_looks >= after && after < 200);
  g_test_message ("cancelled after each of %d looks", after);
  g_assert_cmpint (after, >, 5);
  close_session (session);
}

static void
test_close_while_busy (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  PenSpan span = pen_session_get_span (session);

  pen_session_set_selected (session, &span);
  pen_session_set_overview_bins (session, 500);
  g_main_context_iteration (NULL, FALSE);
  close_session (session);
  pen_worker_wait_all ();
}

static void
note_export (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (pen_session_export_finish (PEN_SESSION (source), result, NULL, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* What was asked for is written, and nobody waits for ever. */
static void
test_close_during_export (void)
{
  PenSession *session = open_session ("b-ftrace.data");
  g_autofree char *path = g_build_filename (g_getenv ("XDG_CACHE_HOME"), "late.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gboolean written = FALSE;

  pen_session_export_async (session, PEN_EXPORT_SAMPLES, file, note_export, &written);
  g_object_unref (session);
  pen_worker_wait_all ();
  g_assert_true (written);
  g_assert_true (g_file_query_exists (file, NULL));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  main_thread = g_thread_self ();
  app_support_begin ();

  g_test_add_func ("/session/open", test_open);
  g_test_add_func ("/session/second-open-is-cached", test_second_open_is_cached);
  g_test_add_func ("/session/damaged-cache", test_damaged_cache);
  g_test_add_func ("/session/hottest", test_hottest);
  g_test_add_func ("/session/filter", test_filter);
  g_test_add_func ("/session/annotation-and-history", test_annotation_and_history);
  g_test_add_func ("/session/step-change", test_step_change);
  g_test_add_func ("/session/newest-wins", test_newest_wins);
  g_test_add_func ("/session/export", test_export);
  g_test_add_func ("/session/export-fails", test_export_fails);
  g_test_add_func ("/session/bad-file", test_bad_file);
  g_test_add_func ("/session/cancel", test_cancel);
  g_test_add_func ("/session/cancel-looks", test_cancel_looks);
  g_test_add_func ("/session/close-while-busy", test_close_while_busy);
  g_test_add_func ("/session/close-during-export", test_close_during_export);
  status = g_test_run ();
  app_support_end ();
  return status;
}
