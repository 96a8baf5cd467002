/* test-strip-counts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-counts.h"

/* So many that they are added up before the end. */
static void
test_sums (void)
{
  enum { LINES = 50, BINS = 30 };
  g_autoptr (PenStripCounts) counts = pen_strip_counts_new (LINES, BINS);
  g_autofree guint64 *expected = g_new0 (guint64, LINES * BINS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  PenCancelCheck never = { 0 };
  guint64 max = 0;

  for (guint i = 0; i < 2500000; i++) {
    /* Of some lines and bins none. */
    guint line = (guint) g_rand_int_range (rand, 0, LINES / 2) * 2;
    guint bin = (guint) g_rand_int_range (rand, 0, BINS - 3);
    guint64 n = (guint64) g_rand_int_range (rand, 0, 3);

    pen_strip_counts_add (counts, line, bin, n);
    expected[line * BINS + bin] += n;
    g_assert_true (pen_strip_counts_trim (counts, &never));
    g_assert_cmpuint (counts->cells->len, <=, 1u << 20);
  }
  g_assert_true (pen_strip_counts_pack (counts, &never));
  g_assert_cmpuint (counts->cells->len, ==, LINES / 2 * (BINS - 3));
  for (guint line = 0; line < LINES; line++) {
    guint64 bins[BINS] = { 0 };

    pen_strip_counts_sum (counts, line, 1, bins);
    for (guint bin = 0; bin < BINS; bin++) {
      g_assert_cmpuint (bins[bin], ==, expected[line * BINS + bin]);
      max = MAX (max, bins[bin]);
    }
  }
  g_assert_cmpuint (counts->max, ==, max);
}

static gboolean
stop (gpointer user_data G_GNUC_UNUSED)
{
  return FALSE;
}

static void
test_cancel (void)
{
  g_autoptr (PenStripCounts) counts = pen_strip_counts_new (100000, 10);
  PenCancelCheck check = { .func = stop };

  for (guint i = 0; i < 100000; i++)
    pen_strip_counts_add (counts, i, i % 10, 1);
  g_assert_false (pen_strip_counts_pack (counts, &check));
}

static void
test_none (void)
{
  g_autoptr (PenStripCounts) counts = pen_strip_counts_new (3, 2);
  PenCancelCheck never = { 0 };
  guint64 sums[2] = { 0 };

  g_assert_true (pen_strip_counts_pack (counts, &never));
  pen_strip_counts_sum (counts, 0, 3, sums);
  g_assert_cmpuint (sums[0] + sums[1] + counts->max, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strip-counts/sums", test_sums);
  g_test_add_func ("/strip-counts/cancel", test_cancel);
  g_test_add_func ("/strip-counts/none", test_none);
  return g_test_run ();
}
