/* test-ahead.c: what other pages show is asked for while there is nothing else to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "app-support.h"

typedef struct {
  guint causes;
  guint changes;
} Counts;

static void
count_causes (PenSession *session, Counts *counts)
{
  counts->causes += pen_session_get_answers (session)->causes != NULL;
}

static void
count_changes (PenSession *session, Counts *counts)
{
  counts->changes += pen_session_get_answers (session)->changes != NULL;
}

/* No longer: the next question may be answered in the next turn. */
static void
wait_until_busy (PenSession *session, PenJobKind kind, gboolean is_busy)
{
  gint64 deadline = app_support_get_deadline ();

  while (pen_session_is_busy (session, kind) != is_busy) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, TRUE);
  }
}

/* The causes are being asked ahead. */
static PenSession *
open_until_causes (Counts *counts)
{
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  PenSession *session = pen_session_new ();

  pen_session_set_remembers (session, FALSE);
  g_signal_connect (session, "answered::causes", G_CALLBACK (count_causes), counts);
  g_signal_connect (session, "answered::changes", G_CALLBACK (count_changes), counts);
  pen_session_open (session, path);
  wait_until_busy (session, PEN_JOB_CAUSES, TRUE);
  g_assert_true (pen_session_works_ahead (session));
  g_assert_false (pen_session_is_settled (session));
  g_assert_null (pen_session_get_answers (session)->causes);
  return session;
}

static void
test_all (void)
{
  Counts counts = { 0 };
  g_autoptr (PenSession) session = open_until_causes (&counts);
  const PenAnswers *answers = pen_session_get_answers (session);

  app_support_settle (session);
  g_assert_false (pen_session_works_ahead (session));
  g_assert_nonnull (answers->axis);
  g_assert_nonnull (answers->flame);
  g_assert_cmpuint (answers->flame->tree->nodes->len, >, 1);
  g_assert_nonnull (answers->neighbours);
  g_assert_nonnull (answers->causes);
  g_assert_nonnull (answers->changes);
  g_assert_nonnull (answers->occupants);
  g_assert_nonnull (answers->recording);
  g_assert_null (answers->map);
  g_assert_cmpuint (counts.causes, ==, 1);
  g_assert_cmpuint (counts.changes, ==, 1);

  /* Once: with another filter, they are asked for when somebody looks. */
  g_assert_true (pen_session_add_filter_text (session, "kind:kernel", NULL));
  app_support_settle (session);
  g_assert_cmpuint (counts.causes, ==, 1);
  pen_session_set_page (session, PEN_PAGE_CAUSES);
  app_support_settle (session);
  g_assert_cmpuint (counts.causes, ==, 2);
  g_assert_cmpuint (counts.changes, ==, 2);
}

/* A question of somebody who looks comes first; then the one that was dropped. */
static void
test_yields (void)
{
  guint n_dropped = 0;

  /* On a busy machine it may be answered just before. */
  for (guint i = 0; i < 10 && n_dropped == 0; i++) {
    Counts counts = { 0 };
    g_autoptr (PenSession) session = open_until_causes (&counts);

    g_assert_true (pen_session_add_filter_text (session, "kind:kernel", NULL));
    wait_until_busy (session, PEN_JOB_CAUSES, FALSE);
    g_assert_true (pen_session_is_busy (session, PEN_JOB_FUNCTIONS));
    g_assert_false (pen_session_works_ahead (session));
    n_dropped += !pen_session_get_answers (session)->causes;
    app_support_settle (session);
    g_assert_cmpuint (counts.causes, ==, 1);
    g_assert_cmpuint (counts.changes, ==, 1);
    g_assert_nonnull (pen_session_get_answers (session)->recording);
  }
  g_assert_cmpuint (n_dropped, ==, 1);
}

/* The page is looked at before its answer is there: that is not asked for again, and what is asked
 * for afterwards does not drop it. */
static void
test_looked_at (void)
{
  Counts counts = { 0 };
  g_autoptr (PenSession) session = open_until_causes (&counts);

  pen_session_set_page (session, PEN_PAGE_CAUSES);
  g_assert_false (pen_session_works_ahead (session));
  g_assert_true (pen_session_is_busy (session, PEN_JOB_CAUSES));
  g_assert_true (pen_session_is_busy (session, PEN_JOB_CHANGES));
  pen_session_want_choices (session);
  app_support_settle (session);
  g_assert_cmpuint (counts.causes, ==, 1);
  g_assert_cmpuint (counts.changes, ==, 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  app_support_begin ();
  g_test_add_func ("/ahead/all", test_all);
  g_test_add_func ("/ahead/yields", test_yields);
  g_test_add_func ("/ahead/looked-at", test_looked_at);
  status = g_test_run ();
  app_support_end ();
  return status;
}
