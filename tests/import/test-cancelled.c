/* test-cancelled.c: an import and each question, cancelled after each look at the cancellable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-query-annotation.h"
#include "pen-query-causes.h"
#include "pen-query-changes.h"
#include "pen-query-cost.h"
#include "pen-query-find.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-misattribution.h"
#include "pen-query-occupants.h"
#include "pen-query-samples.h"
#include "pen-query-stacks.h"
#include "pen-query.h"

#define TARGET "vfs_read"

/* ---- looks ---- */

gboolean __real_g_cancellable_is_cancelled (GCancellable *cancellable);
gboolean __real_g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error);
gboolean __wrap_g_cancellable_is_cancelled (GCancellable *cancellable);
gboolean __wrap_g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error);

static gint n_looks;
static gint cancel_after; /* this one; 0: none */

/* The answer is as of before. */
static void
look (GCancellable *cancellable)
{
  if (cancellable && g_atomic_int_add (&n_looks, 1) + 1 == cancel_after)
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

/* The looks that are tried, out of @n: the first and the last, and some between. */
static gint
get_stride (gint n)
{
  return MAX (n / 150, 1);
}

/* ---- imports ---- */

/* Returns: whether it was cancelled; what is done by the last look stays. */
static gboolean
import_until (ImportFixture *fixture, gint after)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *left = NULL;
  GError *error = NULL;
  gboolean ok;

  g_atomic_int_set (&n_looks, 0);
  cancel_after = after;
  ok = pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, cancellable, &error);
  left = import_fixture_list (fixture->directory);
  if (ok) {
    g_assert_no_error (error);
    g_assert_cmpstr (left, ==, "perf.data store.pentimento");
    g_assert_cmpint (g_unlink (fixture->store), ==, 0);
    return FALSE;
  }
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (left, ==, "perf.data");
  g_clear_error (&error);
  return TRUE;
}

static void
test_import (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  GError *error = NULL;
  gint n, stride;
  guint cancelled = 0;

  pen_test_capture_write (capture, fixture->capture, 0, &error);
  g_assert_no_error (error);
  g_assert_false (import_until (fixture, 0));
  n = n_looks;
  stride = get_stride (n);
  g_assert_cmpint (n, >, 20);
  for (gint after = 1; after <= n; after += stride)
    cancelled += import_until (fixture, after);
  g_test_message ("%u cancelled, after %d looks", cancelled, n);
  g_assert_true (import_until (fixture, 1));
  /* Threads have looks of their own, whose number differs a little. */
  g_assert_cmpuint (cancelled, >, (guint) (n / stride) * 3 / 4);
}

static void
test_cache (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "pentimento", NULL);
  GError *error = NULL;

  pen_test_capture_write (capture, fixture->capture, 0, &error);
  g_assert_no_error (error);
  for (gint after = 1;; after++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autofree char *left = NULL;
    g_autofree char *store = NULL;

    g_atomic_int_set (&n_looks, 0);
    cancel_after = after;
    store = pen_import_open (fixture->capture, NULL, NULL, NULL, cancellable, &error);
    if (store)
      break;
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&error);
    left = import_fixture_list (cache);
    g_assert_null (strstr (left, ".pentimento"));
  }
  g_assert_no_error (error);
}

/* ---- questions ---- */

static gboolean
write_annotation (PenQuery *query, const PenFilter *filter, PenTableWriter *writer, GError **error)
{
  return pen_query_write_annotation (query, filter, TARGET, PEN_SYNTAX_ATT, writer, error);
}

static gboolean
write_history (PenQuery *query, const PenFilter *filter, PenTableWriter *writer, GError **error)
{
  return pen_query_write_history (query, filter, TARGET, PEN_SYNTAX_ATT, writer, error);
}

static gboolean
write_found (PenQuery *query, G_GNUC_UNUSED const PenFilter *filter, PenTableWriter *writer,
             GError **error)
{
  return pen_query_write_found (query, TARGET "+0x0/0x310", NULL, writer, error);
}

static gboolean
write_cost (PenQuery *query, const PenFilter *filter, PenTableWriter *writer, GError **error)
{
  return pen_query_write_cost (query, filter, PEN_COST_BY_SITE, writer, error);
}

typedef struct {
  const char *name;
  gboolean (*write) (PenQuery *query, const PenFilter *filter, PenTableWriter *writer,
                     GError **error);
} Question;

static const Question questions[] = {
  { "samples", pen_query_write_samples },
  { "changes", pen_query_write_changes },
  { "functions", pen_query_write_functions },
  { "occupants", pen_query_write_occupants },
  { "misattribution", pen_query_write_misattribution },
  { "annotate", write_annotation },
  { "history", write_history },
  { "find", write_found },
  { "cost", write_cost },
};

/* A query of its own each time: one that was asked before knows more.
 * Returns: what it wrote; NULL: it was cancelled */
static char *
ask_until (const char *path, const Question *question, const PenFilter *filter, gint after)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (PenQuery) query = NULL;
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  store = pen_store_open (path, &error);
  g_assert_no_error (error);
  query = pen_query_new (store);
  pen_store_set_cancellable (store, cancellable);
  pen_table_writer_set_cancellable (writer, cancellable);
  g_atomic_int_set (&n_looks, 0);
  cancel_after = after;
  if (!question->write (query, filter, writer, &error)) {
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&error);
    return NULL;
  }
  g_assert_no_error (error);
  g_output_stream_write (stream, "", 1, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

/* What is answered although it was cancelled is the whole answer. */
static void
check_question (const char *path, const Question *question, const PenFilter *filter)
{
  g_autofree char *whole = ask_until (path, question, filter, 0);
  gint n = n_looks;

  g_assert_nonnull (whole);
  g_test_message ("%s: %d looks", question->name, n);
  for (gint after = 1; after <= n; after += get_stride (n) * 4) {
    g_autofree char *answer = ask_until (path, question, filter, after);

    if (answer)
      g_assert_cmpstr (answer, ==, whole);
  }
}

static void
test_questions (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *capture = g_test_build_filename (G_TEST_DIST, "data", "b-ftrace.data", NULL);
  g_autoptr (PenFilter) filter = pen_filter_new ();
  GError *error = NULL;

  cancel_after = 0;
  pen_import (capture, fixture->store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  filter->from = G_GUINT64_CONSTANT (5900000000);
  filter->to = G_GUINT64_CONSTANT (7100000000);
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++) {
    check_question (fixture->store, &questions[i], NULL);
    check_question (fixture->store, &questions[i], filter);
  }
}

static void
add_tests (void)
{
#define ADD(name, func)                                                                            \
  g_test_add ("/import/cancelled/" name, ImportFixture, NULL, import_fixture_set_up, func,         \
              import_fixture_tear_down)

  ADD ("import", test_import);
  ADD ("cache", test_cache);
  ADD ("questions", test_questions);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
