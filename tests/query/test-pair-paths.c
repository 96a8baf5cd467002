/* test-pair-paths.c: call paths and lines of source of two recordings, against known differences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-paths.h"

#include <math.h>
#include <string.h>

#include "pen-record.h"
#include "pen-pair-source-lines.h"
#include "query-fixture.h"

#define STEP 0x100u
#define START 1000000000ull

/* Samples of @leaf, called by @caller, that by main. Where functions are, @names says. */
typedef struct {
  const char *leaf;
  const char *caller;
  guint samples;
} Calls;

typedef struct {
  const char *names[8];
  const Calls *calls;
  guint n_calls;
  double seconds;
  gboolean lacks_chains;
} Recording;

typedef struct {
  QueryFixture fixtures[2];
  PenPairSource sources[2];
  PenPairs *pairs;
  PenPairPaths *paths;
} Pair;

static guint64
get_address (const Recording *recording, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (recording->names); i++)
    if (g_strcmp0 (recording->names[i], name) == 0)
      return ALPHA + (i + 1) * STEP;
  g_assert_not_reached ();
}

static void
add_sample (PenTestCapture *capture, const Recording *recording, const Calls *calls, guint64 time)
{
  guint64 leaf = get_address (recording, calls->leaf);
  guint64 chain[] = { PEN_CONTEXT_KERNEL, leaf, get_address (recording, calls->caller) + 8,
                      get_address (recording, "main") + 8 };

  pen_test_capture_at (capture, time, 7, 7, 0);
  if (recording->lacks_chains) {
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, leaf, 1);
    return;
  }
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, leaf, 1, chain,
                                              G_N_ELEMENTS (chain));
}

static void
import (QueryFixture *fixture, const Recording *recording)
{
  g_autoptr (GString) kallsyms = g_string_new ("ffffffff81000000 T _text\n");
  g_autoptr (PenTestCapture) capture = NULL;
  guint n = 0, at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (recording->names) && recording->names[i]; i++)
    g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T %s\n",
                            get_address (recording, recording->names[i]), recording->names[i]);
  capture = query_fixture_new_with_event (kallsyms->str, NULL, 0, &PEN_TEST_EVENT_CLOCK);
  for (guint i = 0; i < recording->n_calls; i++)
    n += recording->calls[i].samples;
  pen_test_capture_from (capture, recording->lacks_chains ? 2 : 0);
  for (guint i = 0; i < recording->n_calls; i++)
    for (guint k = 0; k < recording->calls[i].samples; k++, at++)
      add_sample (capture, recording, &recording->calls[i],
                  START + (guint64) (recording->seconds * 1e9 * at / (n - 1)));
  pen_test_capture_from (capture, 1);
  query_fixture_import (fixture, capture);
}

static void
ask (Pair *pair, const char *symbol, double least)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows
      = symbol ? pen_pairs_find (pair->pairs, pair->sources, symbol, &error) : NULL;

  g_clear_pointer (&pair->paths, pen_pair_paths_free);
  pair->paths = pen_query_pair_paths (pair->sources, pair->pairs, rows ? rows->pdata[0] : NULL,
                                      least, &error);
  g_assert_no_error (error);
}

static void
set_up (Pair *pair, const Recording *a, const Recording *b)
{
  const Recording *recordings[] = { a, b };
  g_autoptr (GError) error = NULL;

  *pair = (Pair){ 0 };
  for (guint i = 0; i < 2; i++) {
    import (&pair->fixtures[i], recordings[i]);
    pair->sources[i] = (PenPairSource){ pair->fixtures[i].query, NULL, i == 0 ? "a" : "b" };
  }
  pair->pairs = pen_query_pair (pair->sources, &error);
  g_assert_no_error (error);
}

static void
tear_down (Pair *pair)
{
  g_clear_pointer (&pair->paths, pen_pair_paths_free);
  g_clear_pointer (&pair->pairs, pen_pairs_free);
  query_fixture_tear_down (&pair->fixtures[0], NULL);
  query_fixture_tear_down (&pair->fixtures[1], NULL);
}

/* @words: "main;x;alpha". NULL: there is none */
static const PenPairPath *
find (const Pair *pair, const char *words)
{
  g_auto (GStrv) names = g_strsplit (words, ";", -1);
  const PenPairPath *path = pen_pair_paths_get (pair->paths, 0);

  for (char **name = names; *name; name++) {
    const PenPairPath *found = NULL;

    for (guint i = 0; i < path->n_children; i++) {
      const PenPairPath *child = pen_pair_paths_get (pair->paths, path->first_child + i);

      if (g_strcmp0 (pen_pair_paths_get_frame (pair->paths, child)->symbol, *name) == 0) {
        g_assert_null (found);
        found = child;
      }
    }
    if (!found)
      return NULL;
    path = found;
  }
  return path;
}

static void
check (const Pair *pair, const char *words, guint64 a, guint64 b, PenPairVerdict verdict)
{
  const PenPairPath *path = find (pair, words);

  g_assert_nonnull (path);
  g_assert_cmpuint (path->rates[0].samples, ==, a);
  g_assert_cmpuint (path->rates[1].samples, ==, b);
  g_assert_cmpstr (pen_pair_verdict_to_string (path->test.verdict), ==,
                   pen_pair_verdict_to_string (verdict));
}

static const Calls calls_a[] = { { "alpha", "x", 200 },
                                 { "alpha", "y", 200 },
                                 { "beta", "x", 100 },
                                 { "beta", "gone", 60 },
                                 { "beta", "rare", 1 } };
/* Twice as long; alpha is called by x three times as often, beta by another. */
static const Calls calls_b[]
    = { { "alpha", "x", 1200 }, { "alpha", "y", 400 }, { "beta", "x", 200 },
        { "beta", "new", 120 }, { "beta", "rare", 0 }, { "beta", "odd", 1 } };
static const Recording old_one
    = { { "main", "x", "y", "alpha", "beta", "gone", "rare" }, calls_a, 5, 2, FALSE };
static const Recording new_one
    = { { "odd", "new", "beta", "alpha", "rare", "y", "x", "main" }, calls_b, 6, 4, FALSE };

static void
test_paths (void)
{
  Pair pair;

  set_up (&pair, &old_one, &new_one);
  ask (&pair, NULL, 0);
  check (&pair, "main", 561, 1921, PEN_PAIR_SLOWER);
  check (&pair, "main;x", 300, 1400, PEN_PAIR_SLOWER);
  check (&pair, "main;x;alpha", 200, 1200, PEN_PAIR_SLOWER);
  check (&pair, "main;y;alpha", 200, 400, PEN_PAIR_UNSURE);
  check (&pair, "main;x;beta", 100, 200, PEN_PAIR_UNSURE);
  check (&pair, "main;gone;beta", 60, 0, PEN_PAIR_GONE);
  check (&pair, "main;new;beta", 0, 120, PEN_PAIR_NEW);
  /* None against one is no difference. */
  check (&pair, "main;rare;beta", 1, 0, PEN_PAIR_UNSURE);
  check (&pair, "main;odd;beta", 0, 1, PEN_PAIR_UNSURE);
  g_assert_cmpuint (find (&pair, "main;x;alpha")->own[1], ==, 1200);
  g_assert_cmpuint (find (&pair, "main;x")->own[1], ==, 0);
  g_assert_cmpfloat_with_epsilon (find (&pair, "main;x;alpha")->test.test.ratio, 3, 0.01);
  g_assert_cmpfloat_with_epsilon (pair.paths->alpha, 0.05 / pair.paths->paths->len, 1e-12);
  /* x has most of both. */
  g_assert_true (pen_pair_paths_get (pair.paths, find (&pair, "main")->first_child)
                 == find (&pair, "main;x"));

  ask (&pair, NULL, 0.01);
  g_assert_null (find (&pair, "main;rare"));
  g_assert_null (find (&pair, "main;odd"));
  g_assert_cmpuint (find (&pair, "main")->n_left_out, ==, 2);
  check (&pair, "main;gone;beta", 60, 0, PEN_PAIR_GONE);
  tear_down (&pair);
}

static void
test_callers (void)
{
  Pair pair;

  set_up (&pair, &old_one, &new_one);
  ask (&pair, "alpha", 0);
  check (&pair, "alpha", 400, 1600, PEN_PAIR_SLOWER);
  check (&pair, "alpha;x;main", 200, 1200, PEN_PAIR_SLOWER);
  check (&pair, "alpha;y;main", 200, 400, PEN_PAIR_UNSURE);
  g_assert_null (find (&pair, "main"));
  ask (&pair, "beta", 0);
  check (&pair, "beta;gone", 60, 0, PEN_PAIR_GONE);
  check (&pair, "beta;new", 0, 120, PEN_PAIR_NEW);
  tear_down (&pair);
}

/* A recording and itself: nothing differs, and all that any stack has is there. */
static void
test_same (void)
{
  Pair pair;
  guint64 own = 0;

  set_up (&pair, &old_one, &old_one);
  ask (&pair, NULL, 0);
  for (guint i = 0; i < pair.paths->paths->len; i++) {
    const PenPairPath *path = pen_pair_paths_get (pair.paths, i);

    g_assert_cmpuint (path->rates[0].samples, ==, path->rates[1].samples);
    g_assert_cmpint (path->test.verdict, ==, PEN_PAIR_UNSURE);
    own += path->own[0];
  }
  g_assert_cmpuint (own, ==, 561);
  tear_down (&pair);
}

/* One has counts of what called, and the other has not. */
static void
test_other_chains (void)
{
  Recording none = new_one;
  Pair pair;

  none.lacks_chains = TRUE;
  for (guint round = 0; round < 3; round++) {
    set_up (&pair, round == 0 ? &old_one : &none, round == 1 ? &old_one : &none);
    for (guint k = 0; k < 2; k++) {
      ask (&pair, k == 0 ? NULL : "alpha", 0);
      g_assert_cmpstr (pen_pair_obstacle_to_string (pair.paths->obstacle), ==,
                       round == 2 ? "" : "other callchains");
      for (guint i = 0; i < pair.paths->paths->len && round < 2; i++) {
        const PenPairPath *path = pen_pair_paths_get (pair.paths, i);

        g_assert_cmpint (path->test.verdict, ==, PEN_PAIR_UNSURE);
        g_assert_true (isnan (path->test.test.ratio));
      }
    }
    tear_down (&pair);
  }
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Pair pair;

  set_up (&pair, &old_one, &new_one);
  g_cancellable_cancel (cancellable);
  for (guint side = 0; side < 2; side++) {
    g_autoptr (GError) error = NULL;

    pen_store_set_cancellable (pen_query_get_store (pair.fixtures[side].query), cancellable);
    g_assert_null (pen_query_pair_paths (pair.sources, pair.pairs, NULL, 0, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    pen_store_set_cancellable (pen_query_get_store (pair.fixtures[side].query), NULL);
  }
  tear_down (&pair);
}

/* ---- lines of source ---- */

/* 0: not known, or there is no such instruction (@has_…) */
typedef struct {
  guint a;
  guint b;
  gboolean has_a;
  gboolean has_b;
  PenPairDifference difference;
  guint64 samples[2];
} Instruction;

static const PenPairSourceLine *
find_line (const PenPairFunction *function, guint line_a, guint line_b)
{
  for (guint i = 0; i < function->sources->len; i++) {
    const PenPairSourceLine *line = function->sources->pdata[i];

    if (line->lines[0] == line_a && line->lines[1] == line_b)
      return line;
  }
  g_assert_not_reached ();
}

static void
check_line (const PenPairFunction *function, guint line_a, guint line_b, guint64 a, guint64 b,
            guint n_different)
{
  const PenPairSourceLine *line = find_line (function, line_a, line_b);

  g_assert_cmpuint (line->rates[0].samples, ==, a);
  g_assert_cmpuint (line->rates[1].samples, ==, b);
  g_assert_cmpuint (line->n_different, ==, n_different);
}

/* Two lines were put before in B: line 10 is 12. Most of 11 is 13, and one of its instructions 14;
 * B does not know the line of one; 20 is new, and of the last neither knows anything. */
static void
test_source_lines (void)
{
  static const Instruction instructions[] = {
    { 10, 12, TRUE, TRUE, PEN_PAIR_LINE_SAME, { 5, 6 } },
    { 11, 13, TRUE, TRUE, PEN_PAIR_LINE_SAME, { 1, 2 } },
    { 11, 13, TRUE, TRUE, PEN_PAIR_LINE_CHANGED, { 10, 20 } },
    { 11, 14, TRUE, TRUE, PEN_PAIR_LINE_SAME, { 100, 200 } },
    { 10, 0, TRUE, TRUE, PEN_PAIR_LINE_SAME, { 3, 4 } },
    { 0, 20, FALSE, TRUE, PEN_PAIR_LINE_ADDED, { 0, 7 } },
    { 0, 0, TRUE, TRUE, PEN_PAIR_LINE_SAME, { 8, 9 } },
    { 0, 0, FALSE, FALSE, PEN_PAIR_LINE_REST, { 1, 0 } },
  };
  g_autofree PenAnnotationLine *lines = g_new0 (PenAnnotationLine, 2 * G_N_ELEMENTS (instructions));
  g_autoptr (PenNames) strings = pen_names_new ();
  PenPairFunction function = { .lines = g_ptr_array_new_with_free_func (g_free),
                               .sources = g_ptr_array_new_with_free_func (g_free) };
  PenCancelCheck check = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (instructions); i++) {
    const Instruction *instruction = &instructions[i];
    const guint numbers[] = { instruction->a, instruction->b };
    PenPairLine *line = g_new0 (PenPairLine, 1);

    line->difference = instruction->difference;
    for (guint side = 0; side < 2; side++) {
      PenAnnotationLine *own = &lines[2 * i + side];

      own->source_file = numbers[side] > 0 ? (side == 0 ? "old/f.c" : "new/f.c") : NULL;
      own->source_line = numbers[side];
      line->rates[side].samples = instruction->samples[side];
      if (side == 0 ? instruction->has_a : instruction->has_b)
        line->lines[side] = own;
    }
    g_ptr_array_add (function.lines, line);
  }
  pen_pair_list_source_lines (&function, strings, &check);
  check_line (&function, 10, 12, 8, 10, 0);
  check_line (&function, 11, 13, 111, 22, 1);
  check_line (&function, 0, 14, 0, 200, 0);
  check_line (&function, 0, 20, 0, 7, 1);
  check_line (&function, 0, 0, 9, 9, 0);
  g_assert_cmpuint (function.sources->len, ==, 5);
  g_assert_cmpstr (find_line (&function, 10, 12)->files[1], ==, "new/f.c");
  g_assert_cmpuint (find_line (&function, 11, 13)->instructions[0], ==, 3);
  g_assert_cmpuint (find_line (&function, 11, 13)->instructions[1], ==, 2);
  g_ptr_array_unref (function.lines);
  g_ptr_array_unref (function.sources);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-paths/paths", test_paths);
  g_test_add_func ("/pair-paths/callers", test_callers);
  g_test_add_func ("/pair-paths/same", test_same);
  g_test_add_func ("/pair-paths/other-chains", test_other_chains);
  g_test_add_func ("/pair-paths/cancel", test_cancel);
  g_test_add_func ("/pair-paths/source-lines", test_source_lines);
  return g_test_run ();
}
