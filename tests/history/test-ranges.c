/* test-ranges.c: ranges against a plain array, few of them and many
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ranges.h"

#define PLACES 1024u
#define ROUNDS 6000u

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
  /* Else one of the two shapes was not tried: more than a leaf, or less. */
  if (longest < 8)
    g_assert_cmpuint (most, >, 256);
  else
    g_assert_cmpuint (most, <, 128);
}

/* Up, down, and from both ends to the middle; and all of them away again. */
static void
test_orders (void)
{
  for (guint order = 0; order < 3; order++) {
    g_autoptr (PenRanges) ranges = pen_ranges_new ();
    Plain plain = { .n = 0 };

    for (guint i = 0; i < PLACES; i++) {
      guint place = order == 0   ? i
                    : order == 1 ? PLACES - 1 - i
                    : i % 2      ? PLACES - 1 - i / 2
                                 : i / 2;

      pen_ranges_take (ranges, place, place + 1, i + 1, NULL, NULL, NULL);
      plain.values[place] = i + 1;
      check (ranges, &plain);
    }
    for (guint i = 0; i < PLACES; i += 4) {
      pen_ranges_clear (ranges, i, i + 3, NULL, NULL, NULL);
      plain.values[i] = plain.values[i + 1] = plain.values[i + 2] = 0;
      check (ranges, &plain);
    }
    pen_ranges_clear (ranges, 0, PLACES, NULL, NULL, NULL);
    g_assert_cmpuint (pen_ranges_count (ranges), ==, 0);
    g_assert_null (pen_ranges_find (ranges, 0, PLACES));
    pen_ranges_take (ranges, 7, 9, 1, NULL, NULL, NULL);
    g_assert_nonnull (pen_ranges_find (ranges, 0, PLACES));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/history/ranges/many", GINT_TO_POINTER (3), test_random);
  g_test_add_data_func ("/history/ranges/few", GINT_TO_POINTER (128), test_random);
  g_test_add_func ("/history/ranges/orders", test_orders);
  return g_test_run ();
}
