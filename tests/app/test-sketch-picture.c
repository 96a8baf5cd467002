/* test-sketch-picture.c: what is drawn of an import that goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sketch-picture.h"
#include "pen-sketcher.h"

static PenSketch *
make_sketch (void)
{
  g_autoptr (PenSketcher) sketcher = pen_sketcher_new ();

  /* Twice as many in the second half. */
  for (guint64 i = 0; i < 30000; i++)
    pen_sketcher_add_sample (
        sketcher, 1000000000 + (i < 10000 ? i * 100000 : 1000000000 + (i - 10000) * 50000),
        i % 2 ? PEN_CPUMODE_KERNEL : PEN_CPUMODE_USER);
  return pen_sketcher_draw (sketcher);
}

static void
test_samples (void)
{
  static const guint steps[] = { 1, 7, 100, 737, 5000 };
  g_autoptr (PenSketch) sketch = make_sketch ();
  PenSpan span = { sketch->from, sketch->to + 1 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (PenOverview) overview = pen_sketch_picture_new_overview (sketch, span, steps[i]);
    guint64 halves[2] = { 0 };
    guint64 sum = 0;

    for (guint step = 0; step < steps[i]; step++)
      for (guint kind = 0; kind < PEN_KINDS; kind++) {
        guint64 count = overview->samples[(gsize) step * PEN_KINDS + kind];

        sum += count;
        halves[step >= steps[i] / 2] += count;
      }
    g_assert_cmpuint (overview->n_bins, ==, steps[i]);
    g_assert_cmpuint (overview->total, ==, sum);
    /* The rest of a bin across the last edge, of each kind. */
    g_assert_cmpuint (sum, <=, 30000);
    g_assert_cmpuint (sum, >=, 30000 - 2 * PEN_KINDS);
    if (steps[i] % 2 == 0) {
      g_assert_cmpuint (halves[0], >, 9900);
      g_assert_cmpuint (halves[0], <, 10100);
    }
  }
}

/* Columns of what comes evenly are even: no comb where steps and bins do not fit. */
static void
test_even (void)
{
  g_autoptr (PenSketch) sketch = make_sketch ();
  PenSpan span = { sketch->from, sketch->from + 1000000000 };

  for (guint n = 300; n < 500; n += 33) {
    g_autoptr (PenOverview) overview = pen_sketch_picture_new_overview (sketch, span, n);
    double mean = 10000.0 / n;

    for (guint step = 1; step + 1 < n; step++) {
      double sum = 0;

      for (guint kind = 0; kind < PEN_KINDS; kind++)
        sum += overview->samples[(gsize) step * PEN_KINDS + kind];
      g_assert_cmpfloat (sum, >, mean - 6);
      g_assert_cmpfloat (sum, <, mean + 6);
    }
  }
}

static void
test_span (void)
{
  PenSketch sketch = { .from = 1000, .to = 2999 };
  PenSpan nothing = { 0, 0 };
  PenSpan half, next;

  /* Half of it is read: there will be twice as much. */
  half = pen_sketch_picture_get_span (&sketch, 0.5, nothing);
  g_assert_cmpuint (half.from, ==, 1000);
  g_assert_cmpuint (half.to, ==, 5000);
  /* A little more, about as expected: the picture stands still. */
  sketch.to = 3199;
  next = pen_sketch_picture_get_span (&sketch, 0.52, half);
  g_assert_true (pen_span_equal (next, half));
  /* What is there is always in it. */
  sketch.to = 5999;
  next = pen_sketch_picture_get_span (&sketch, 0.99, half);
  g_assert_cmpuint (next.to, >=, 6000);
  /* How much there will be is not known. */
  next = pen_sketch_picture_get_span (&sketch, -1, half);
  g_assert_cmpuint (next.to, ==, 6000);
  /* The header tells. */
  sketch.has_expected = TRUE;
  sketch.expected_from = 900;
  sketch.expected_to = 9999;
  next = pen_sketch_picture_get_span (&sketch, 0.5, next);
  g_assert_cmpuint (next.from, ==, 900);
  g_assert_cmpuint (next.to, ==, 10000);
  /* All was read: it is what it is. */
  sketch.is_read = TRUE;
  next = pen_sketch_picture_get_span (&sketch, 1, next);
  g_assert_cmpuint (next.from, ==, 1000);
  g_assert_cmpuint (next.to, ==, 6000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sketch-picture/samples", test_samples);
  g_test_add_func ("/sketch-picture/even", test_even);
  g_test_add_func ("/sketch-picture/span", test_span);
  return g_test_run ();
}
