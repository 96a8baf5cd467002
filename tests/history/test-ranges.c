/* test-ranges.c: ranges against a plain array, few of them and many
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ranges.h"

#define PLACES 512u
#define ROUNDS 4000u

/* @values: of each place; 0: free */
typedef struct {
  guint32 values[PLACES];
  guint next; /* the place that comes next */
  guint n;
} Plain;

static void
check_range (const PenRange *range, gpointer user_data)
{
  Plain *plain = user_data;

  g_assert_cmpuint (range->start, >=, plain->next);
  g_assert_cmpuint (range->start, <, range->end);
  for (; plain->next < range->start; plain->next++)
    g_assert_cmpuint (plain->values[plain->next], ==, 0);
  for (; plain->next < range->end; plain->next++)
    g_assert_cmpuint (plain->values[plain->next], ==, range->value);
  plain->n++;
}

static void
check (PenRanges *ranges, Plain *plain)
{
  guint start = (guint) g_test_rand_int_range (0, PLACES);
  guint end = (guint) g_test_rand_int_range ((gint32) start + 1, PLACES + 1);
  const PenRange *found = pen_ranges_find (ranges, start, end);
  guint first = start;

  plain->next = plain->n = 0;
  pen_ranges_foreach (ranges, check_range, plain);
  for (; plain->next < PLACES; plain->next++)
    g_assert_cmpuint (plain->values[plain->next], ==, 0);
  g_assert_cmpuint (pen_ranges_count (ranges), ==, plain->n);

  while (first < end && plain->values[first] == 0)
    first++;
  g_assert_cmpint (found != NULL, ==, first < end);
  if (found) {
    g_assert_cmpuint (found->start, <=, first);
    g_assert_cmpuint (found->end, >, first);
    g_assert_cmpuint (found->value, ==, plain->values[first]);
  }
}

static void
test_random (gconstpointer data)
{
  const gint32 longest = GPOINTER_TO_INT (data);
  g_autoptr (PenRanges) ranges = pen_ranges_new ();
  Plain plain = { .n = 0 };
  guint most = 0;

  for (guint32 i = 1; i <= ROUNDS; i++) {
    guint start = (guint) g_test_rand_int_range (0, PLACES);
    guint length = (guint) g_test_rand_int_range (1, longest);
    guint end = MIN (start + length, PLACES);
    guint32 value = i % 4 == 0 ? 0 : i;

    if (value == 0)
      pen_ranges_clear (ranges, start, end, NULL, NULL, NULL);
    else
      pen_ranges_take (ranges, start, end, value, NULL, NULL, NULL);
    for (guint place = start; place < end; place++)
      plain.values[place] = value;
    check (ranges, &plain);
    most = MAX (most, plain.n);
  }
  /* Else one of the two shapes was not tried. */
  if (longest < 8)
    g_assert_cmpuint (most, >, 128);
  else
    g_assert_cmpuint (most, <, 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/history/ranges/many", GINT_TO_POINTER (3), test_random);
  g_test_add_data_func ("/history/ranges/few", GINT_TO_POINTER (128), test_random);
  return g_test_run ();
}
