/* test-filter.c: what a filter says, and how its time is written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-filter.h"

#define SECOND 1000000000ull

/* A capture from 100 s to 200 s. */
#define FIRST (100 * SECOND)
#define LAST (200 * SECOND)

static void
assert_time (const char *text, guint64 from, guint64 to)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GError) error = NULL;

  pen_filter_set_time_from_string (filter, text, FIRST, LAST, &error);
  g_assert_no_error (error);
  g_assert_true (filter->has_time);
  g_assert_cmpuint (filter->from, ==, from);
  g_assert_cmpuint (filter->to, ==, to);
}

static void
test_time (void)
{
  assert_time ("4.81,7.29", 4810000000, 7290000000);
  assert_time ("4,7", 4 * SECOND, 7 * SECOND);
  assert_time ("0.000000001,.5", 1, 500000000);
  assert_time ("4.81,", 4810000000, G_MAXUINT64);
  assert_time (",7.29", 0, 7290000000);
  assert_time (" 1 , 2 ", SECOND, 2 * SECOND);
  assert_time ("5,5", 5 * SECOND, 5 * SECOND);
  /* finer than a nanosecond is cut off */
  assert_time ("1.1234567899,2", 1123456789, 2 * SECOND);
}

static void
test_time_per_cent (void)
{
  assert_time ("10%,20%", 110 * SECOND, 120 * SECOND);
  assert_time ("0%,100%", FIRST, LAST);
  assert_time ("12.5%,", 112 * SECOND + 500000000, G_MAXUINT64);
  assert_time (",50%", 0, 150 * SECOND);
  assert_time ("50%,180", 150 * SECOND, 180 * SECOND);
}

static void
test_time_refused (void)
{
  static const char *const wrong[] = {
    "",
    ",",
    "4",
    "4,5,6",
    "x,5",
    "5,x",
    "7,4",
    "-1,5",
    "1e3,2",
    "101%,",
    "100.1%,",
    "4..5,6",
    ".,5",
    "%,5",
    "5s,6s",
    "0x5,6",
    "1 2,3",
    "99999999999999999999,",
    ",18446744074",
    "1%%,2",
    "+1,2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (GError) error = NULL;

    g_test_message ("%s", wrong[i]);
    g_assert_false (pen_filter_set_time_from_string (filter, wrong[i], FIRST, LAST, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    g_assert_false (filter->has_time);
    g_assert_nonnull (strstr (error->message, wrong[i]));
  }
}

static void
test_time_wide_capture (void)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();

  g_assert_true (pen_filter_set_time_from_string (filter, "50%,100%", 0, G_MAXUINT64, NULL));
  g_assert_cmpuint (filter->from, ==, G_MAXUINT64 / 2);
  g_assert_cmpuint (filter->to, ==, G_MAXUINT64);
}

static PenFilter *
full_filter (void)
{
  PenFilter *filter = pen_filter_new ();
  guint32 cpu = 1;
  gint32 pids[] = { -1, 126 };

  filter->has_time = TRUE;
  filter->from = 1;
  filter->to = 2;
  filter->cpus = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (filter->cpus, cpu);
  filter->pids = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_array_append_vals (filter->pids, pids, 2);
  filter->comms = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (filter->comms, g_strdup ("sh"));
  filter->kinds = 1u << PEN_KIND_BPF;
  filter->changed = TRUE;
  return filter;
}

static void
test_copy (void)
{
  g_autoptr (PenFilter) filter = full_filter ();
  g_autoptr (PenFilter) copy = pen_filter_copy (filter);

  g_assert_true (pen_filter_equal (filter, copy));
  g_assert_true (pen_filter_equal (copy, filter));
  g_assert_false (pen_filter_is_empty (copy));
  g_ptr_array_add (copy->comms, g_strdup ("perf"));
  g_assert_cmpuint (filter->comms->len, ==, 1);
  g_assert_false (pen_filter_equal (filter, copy));
  g_assert_false (pen_filter_equal (copy, filter));
}

static void
test_equal (void)
{
  g_autoptr (PenFilter) a = full_filter ();
  g_autoptr (PenFilter) b = full_filter ();
  g_autoptr (PenFilter) empty = pen_filter_new ();

  /* the order of values does not matter */
  g_array_index (b->pids, gint32, 0) = 126;
  g_array_index (b->pids, gint32, 1) = -1;
  g_assert_true (pen_filter_equal (a, b));
  b->to = 3;
  g_assert_false (pen_filter_equal (a, b));

  /* a time that is not set is not compared; a list without values is no list */
  g_assert_true (pen_filter_is_empty (empty));
  empty->from = 5;
  empty->symbols = g_ptr_array_new_with_free_func (g_free);
  g_assert_true (pen_filter_is_empty (empty));
  g_ptr_array_add (empty->symbols, g_strdup ("vfs_read"));
  g_assert_false (pen_filter_is_empty (empty));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/time", test_time);
  g_test_add_func ("/filter/time/per-cent", test_time_per_cent);
  g_test_add_func ("/filter/time/refused", test_time_refused);
  g_test_add_func ("/filter/time/wide-capture", test_time_wide_capture);
  g_test_add_func ("/filter/copy", test_copy);
  g_test_add_func ("/filter/equal", test_equal);
  return g_test_run ();
}
