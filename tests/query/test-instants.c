/* test-instants.c: the text of two instants side by side, with the samples around them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "query-fixture.h"

#include "pen-filter-term.h"
#include "pen-query-instants.h"

static PenInstants *
ask (QueryFixture *fixture, const PenFilter *filter, guint64 start, guint64 end, PenMoment a,
     PenMoment b)
{
  g_autoptr (GError) error = NULL;
  PenMoment moments[] = { a, b };
  PenInstants *instants
      = pen_query_instants (fixture->query, filter, start, end, moments, PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  return instants;
}

static PenMoment
after (guint64 time)
{
  return pen_moment (time, G_MAXUINT64);
}

static const PenInstantRow *
get_row (const PenInstants *instants, guint64 address)
{
  for (guint i = 0; i < instants->rows->len; i++) {
    const PenInstantRow *row = &g_array_index (instants->rows, PenInstantRow, i);

    if (row->address == address)
      return row;
  }
  g_assert_not_reached ();
}

static void
assert_side (const PenInstantSide *side, guint64 from, guint64 to, guint64 samples)
{
  g_assert_cmpuint (side->from.time, ==, from);
  g_assert_cmpuint (side->to.time, ==, to);
  g_assert_cmpuint (side->samples, ==, samples);
}

/* Each stretch reaches from the patch before it to the next, and has the samples that fell in it.
 */
static void
test_patched (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenInstants) instants
      = ask (fixture, NULL, ALPHA, ALPHA + 6, after (1200), after (2000));
  const PenInstantRow *row = get_row (instants, ALPHA);
  const char *symbol;
  guint64 offset;

  assert_side (&instants->sides[0], 0, 2000, 1);
  assert_side (&instants->sides[1], 2000, 4000, 2);
  g_assert_cmpint (row->difference, ==, PEN_INSTANT_CHANGED);
  g_assert_true (g_str_has_prefix (row->lines[0]->instruction, "nop"));
  g_assert_true (g_str_has_prefix (row->lines[1]->instruction, "call"));
  g_assert_cmpuint (row->samples[0], ==, 1);
  g_assert_cmpuint (row->samples[1], ==, 1);
  g_assert_true (pen_instant_row_get_place (row, &symbol, &offset));
  g_assert_cmpstr (symbol, ==, "alpha");
  g_assert_cmpuint (offset, ==, 0);
  row = get_row (instants, ALPHA + 5);
  g_assert_cmpint (row->difference, ==, PEN_INSTANT_SAME);
  g_assert_cmpuint (row->samples[0], ==, 0);
  g_assert_cmpuint (row->samples[1], ==, 1);
  g_assert_cmpuint (instants->n_different, ==, 1);
}

/* Twice the same instant, and two at which the same stood: nothing differs. A sample inside an
 * instruction is that instruction's. */
static void
test_alike (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenInstants) same = ask (fixture, NULL, ALPHA, ALPHA + 6, after (2500), after (2500));
  g_autoptr (PenInstants) again = ask (fixture, NULL, ALPHA, ALPHA + 6, after (0), after (4000));

  g_assert_cmpuint (same->n_different, ==, 0);
  g_assert_cmpuint (again->n_different, ==, 0);
  assert_side (&again->sides[0], 0, 2000, 1);
  assert_side (&again->sides[1], 4000, G_MAXUINT64, 4);
  g_assert_cmpuint (get_row (again, ALPHA)->samples[1], ==, 4);
}

/* Just before a patch is before it, whichever of the two is asked for first. */
static void
test_order (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenInstants) instants
      = ask (fixture, NULL, ALPHA, ALPHA + 6, after (2000), pen_moment (2000, 0));

  assert_side (&instants->sides[0], 2000, 4000, 2);
  assert_side (&instants->sides[1], 0, 2000, 1);
  g_assert_cmpint (get_row (instants, ALPHA)->difference, ==, PEN_INSTANT_CHANGED);
}

/* A program, and the module in whose range it lies, once it is gone. */
static void
test_occupant (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenInstants) instants = ask (fixture, NULL, A, A + 8, after (1600), after (3100));

  assert_side (&instants->sides[0], 1500, 3000, 2);
  assert_side (&instants->sides[1], 3000, 3500, 2);
  for (guint i = 0; i < instants->rows->len; i++) {
    const PenInstantRow *row = &g_array_index (instants->rows, PenInstantRow, i);

    g_assert_cmpint (row->difference, ==, PEN_INSTANT_OCCUPANT);
    g_assert_cmpint (row->stretches[0]->tenure.kind, ==, PEN_KIND_BPF);
    g_assert_cmpint (row->stretches[1]->tenure.kind, ==, PEN_KIND_MODULE);
  }
}

/* The filter leaves of the samples what it leaves, also by their time. */
static void
test_filtered (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (PenInstants) of_task = NULL;
  g_autoptr (PenInstants) of_time = NULL;

  g_assert_true (pen_filter_add_text (filter, "cpu:1", 0, 0, NULL));
  of_task = ask (fixture, filter, A, A + 8, after (1600), after (3100));
  assert_side (&of_task->sides[0], 1500, 3000, 1);
  pen_filter_free (filter);
  filter = pen_filter_new ();
  filter->has_time = TRUE;
  filter->from = 1650;
  filter->to = 1800;
  of_time = ask (fixture, filter, A, A + 8, after (1600), after (3100));
  assert_side (&of_time->sides[0], 1500, 3000, 1);
  assert_side (&of_time->sides[1], 3000, 3500, 0);
  g_assert_cmpuint (filter->from, ==, 1650);
}

static void
test_refused (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  PenMoment moments[] = { after (0), after (1) };

  g_assert_null (pen_query_instants (fixture->query, NULL, 0, PEN_ANNOTATION_MAX + 1, moments,
                                     PEN_SYNTAX_ATT, &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE);
}

#define ADD(path, func)                                                                            \
  g_test_add (path, QueryFixture, NULL, query_fixture_set_up, func, query_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/query/instants/patched", test_patched);
  ADD ("/query/instants/alike", test_alike);
  ADD ("/query/instants/order", test_order);
  ADD ("/query/instants/occupant", test_occupant);
  ADD ("/query/instants/filtered", test_filtered);
  ADD ("/query/instants/refused", test_refused);
  return g_test_run ();
}
