/* test-ksymbol-ends.c: where a ksymbol's own bytes end, against looking at all the others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ksymbol-ends.h"

#define ROUNDS 200u
#define FEW 60
#define MANY 6000u

static gboolean
lifetimes_meet (const PenTenure *a, const PenTenure *b)
{
  return pen_moment_compare (a->from, b->to) < 0 && pen_moment_compare (b->from, a->to) < 0;
}

static guint64
find_end (const PenTenure *tenures, guint n, const PenTenure *tenure)
{
  guint64 end = tenure->end;

  for (guint i = 0; i < n; i++)
    if (tenures[i].layer == PEN_LAYER_KSYMBOL && tenures[i].start > tenure->start
        && lifetimes_meet (&tenures[i], tenure))
      end = MIN (end, tenures[i].start);
  return end;
}

static PenTenure
make_tenure (guint64 start, guint64 length, guint64 from, guint64 life)
{
  return (PenTenure){
    .layer = PEN_LAYER_KSYMBOL,
    .start = start,
    .end = start + length,
    .from = { from, 0 },
    .to = { from + life, 0 },
  };
}

static void
test_random (void)
{
  for (guint round = 0; round < ROUNDS; round++) {
    g_autofree PenTenure *tenures = g_new0 (PenTenure, FEW);
    guint n = (guint) g_test_rand_int_range (0, FEW);
    g_autoptr (PenKsymbolEnds) ends = NULL;

    for (guint i = 0; i < n; i++) {
      tenures[i] = make_tenure (
          (guint64) g_test_rand_int_range (0, 100), (guint64) g_test_rand_int_range (1, 100),
          (guint64) g_test_rand_int_range (0, 40), (guint64) g_test_rand_int_range (1, 12));
      tenures[i].layer = i % 7 == 3 ? PEN_LAYER_MAP : PEN_LAYER_KSYMBOL;
    }
    ends = pen_ksymbol_ends_new (tenures, n, NULL);
    for (guint i = 0; i < n; i++)
      if (tenures[i].layer == PEN_LAYER_KSYMBOL)
        g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[i]), ==,
                          find_end (tenures, n, &tenures[i]));
  }
}

/* The next one of the same time stands behind thousands of other times. */
static void
test_far (void)
{
  g_autofree PenTenure *tenures = g_new0 (PenTenure, MANY);
  g_autoptr (PenKsymbolEnds) ends = NULL;

  for (guint i = 0; i < MANY; i++)
    tenures[i] = make_tenure (i, 2 * MANY, 10 * i, 10);
  tenures[MANY - 1].from = tenures[0].from;
  ends = pen_ksymbol_ends_new (tenures, MANY, NULL);
  g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[0]), ==, MANY - 1);
  g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[1]), ==, MANY - 1);
  g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[MANY - 1]), ==, 3 * MANY - 1);
}

/* One that lasts no time is within the lives around it. */
static void
test_instant (void)
{
  PenTenure tenures[]
      = { make_tenure (0, 100, 0, 10), make_tenure (50, 10, 5, 0), make_tenure (20, 10, 10, 0) };
  g_autoptr (PenKsymbolEnds) ends = pen_ksymbol_ends_new (tenures, G_N_ELEMENTS (tenures), NULL);

  g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[0]), ==, 50);
  g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[1]), ==, 60);
  g_assert_cmpuint (pen_ksymbol_ends_get (ends, &tenures[2]), ==, 30);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/ksymbol-ends/random", test_random);
  g_test_add_func ("/history/ksymbol-ends/far", test_far);
  g_test_add_func ("/history/ksymbol-ends/instant", test_instant);
  return g_test_run ();
}
