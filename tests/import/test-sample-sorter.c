/* test-sample-sorter.c: the order of moments, in memory and spilled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-sorter.h"

#include <string.h>

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const PenSortedSample *x = a;
  const PenSortedSample *y = b;

  return pen_moment_compare ((PenMoment){ x->time, x->position },
                             (PenMoment){ y->time, y->position });
}

static GArray *
make_samples (guint n, guint64 time_range)
{
  GArray *samples = g_array_new (FALSE, TRUE, sizeof (PenSortedSample));
  guint64 position = 0;

  for (guint i = 0; i < n; i++) {
    PenSortedSample sample = { 0 };

    position += (guint64) g_test_rand_int_range (1, 9);
    sample.position = position;
    sample.time = ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ()) % time_range;
    sample.address = ~sample.time;
    sample.period = sample.time >> g_test_rand_int_range (0, 64);
    sample.pid = (gint32) g_test_rand_int ();
    sample.tid = (gint32) i;
    sample.cpu = (guint32) g_test_rand_int () >> g_test_rand_int_range (0, 32);
    sample.chain = (guint32) g_test_rand_int ();
    sample.payload = i % 3 == 0 ? (guint32) g_test_rand_int () : 0;
    sample.event = (guint) i % PEN_SORTED_NO_EVENT;
    sample.has = i % 128;
    sample.cpumode = i % 8;
    sample.chain_is_whole = i % 5 == 0;
    sample.time_is_max = i % 2;
    g_array_append_val (samples, sample);
  }
  return samples;
}

static void
check_sorted (GArray *samples, gsize memory)
{
  g_autoptr (PenSampleSorter) sorter = pen_sample_sorter_new (g_get_tmp_dir (), memory);
  GError *error = NULL;

  for (guint i = 0; i < samples->len; i++) {
    PenSortedSample *added = pen_sample_sorter_add (sorter, &error);

    g_assert_no_error (error);
    *added = g_array_index (samples, PenSortedSample, i);
  }
  g_assert_cmpuint (pen_sample_sorter_get_count (sorter), ==, samples->len);
  g_assert_true (pen_sample_sorter_sort (sorter, &error));
  g_assert_no_error (error);

  g_array_sort (samples, compare_samples);
  for (guint i = 0; i < samples->len; i++) {
    const PenSortedSample *wanted = &g_array_index (samples, PenSortedSample, i);

    const PenSortedSample *sample = pen_sample_sorter_next (sorter, &error);

    g_assert_nonnull (sample);
    g_assert_cmpuint (sample->position, ==, wanted->position);
    g_assert_cmpmem (sample, sizeof *sample, wanted, sizeof *wanted);
  }
  g_assert_null (pen_sample_sorter_next (sorter, &error));
  g_assert_no_error (error);
}

/* Few times, so that many samples share one; and all 64 bits. */
static void
test_order (void)
{
  static const guint counts[] = { 0, 1, 2, 15, 16, 17, 32, 1000, 20000 };
  static const guint64 ranges[] = { 1, 7, 100000, G_MAXUINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ranges); k++) {
      g_autoptr (GArray) in_memory = make_samples (counts[i], ranges[k]);
      g_autoptr (GArray) spilled = g_array_copy (in_memory);
      g_autoptr (GArray) packed = g_array_copy (in_memory);
      g_autoptr (GArray) often = g_array_copy (in_memory);

      check_sorted (in_memory, PEN_SORTER_MEMORY);
      check_sorted (packed, counts[i] * sizeof (PenSortedSample));
      check_sorted (spilled, 1500 * sizeof (PenSortedSample));
      check_sorted (often, 0);
    }
}

static void
test_spill_fails (void)
{
  g_autoptr (PenSampleSorter) sorter = pen_sample_sorter_new ("/proc/no/such/place", 0);
  g_autoptr (GError) error = NULL;
  PenSortedSample *sample = NULL;

  for (guint i = 0; i < 100; i++) {
    sample = pen_sample_sorter_add (sorter, &error);
    if (!sample)
      break;
    *sample = (PenSortedSample){ .position = i };
  }

  g_assert_null (sample);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/proc/no/such/place"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/import/sample-sorter/order", test_order);
  g_test_add_func ("/import/sample-sorter/spill-fails", test_spill_fails);
  return g_test_run ();
}
