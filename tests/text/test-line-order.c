/* test-line-order.c: lines of an annotation that stood at a time, beside a search of them all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-order.h"

#define N_LINES 60u
#define N_TIMES 12

typedef struct {
  GRand *random;
  GPtrArray *lines;
  PenLineOrder *order;
  gboolean by_revision;
} Check;

static guint32
choose (const Check *check, guint n)
{
  return (guint32) g_rand_int_range (check->random, 0, (gint32) n);
}

/* Of few addresses, tenures and revisions; some overlap in time. By their beginnings, as those of
 * an annotation. */
static void
make_lines (Check *check, guint n)
{
  guint32 from = 0;

  check->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_annotation_line_free);
  for (guint i = 0; i < n; i++) {
    PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);

    from += choose (check, 3) == 0;
    line->address = 0x1000 + choose (check, 3);
    line->tenure = 1 + choose (check, 2);
    line->revision = choose (check, 3);
    line->from = (PenMoment){ from, i };
    line->to = (PenMoment){ from + choose (check, 4), i };
    g_ptr_array_add (check->lines, line);
  }
}

static gboolean
is_in (const Check *check, const PenAnnotationLine *line, const PenAnnotationLine *key)
{
  return line->address == key->address && line->tenure == key->tenure
         && (!check->by_revision || line->revision == key->revision);
}

static void
check_key (const Check *check, const PenAnnotationLine *key)
{
  PenLineRange of_address = pen_line_order_find_address (check->order, key->address);
  PenLineRange range = pen_line_order_find (check->order, of_address, key->tenure, key->revision);
  guint n = 0;

  for (guint i = 0; i < check->lines->len; i++) {
    if (!is_in (check, check->lines->pdata[i], key))
      continue;
    g_assert_cmpuint (pen_line_order_get (check->order, range.first + n), ==, i);
    n++;
  }
  g_assert_cmpuint (range.end - range.first, ==, n);
  for (guint64 time = 0; time < 2 * N_TIMES; time++) {
    guint first = G_MAXUINT;
    guint last = G_MAXUINT;

    for (guint place = range.first; place < range.end; place++) {
      const PenAnnotationLine *line = check->lines->pdata[pen_line_order_get (check->order, place)];

      if (line->from.time > time || time > line->to.time)
        continue;
      first = MIN (first, place);
      last = place;
    }
    g_assert_cmpuint (pen_line_order_find_first_at (check->order, range, time), ==, first);
    g_assert_cmpuint (pen_line_order_find_last_at (check->order, range, time), ==, last);
  }
}

static void
check_order (guint32 seed, gboolean by_revision)
{
  Check check = { g_rand_new_with_seed (seed), NULL, NULL, by_revision };

  make_lines (&check, seed % N_LINES);
  check.order = pen_line_order_new (check.lines, by_revision, NULL);
  for (guint64 address = 0xfff; address < 0x1005; address++)
    for (guint32 i = 0; i < 16; i++)
      check_key (&check,
                 &(PenAnnotationLine){ .address = address, .tenure = i % 4, .revision = i / 4 });
  pen_line_order_free (check.order);
  g_ptr_array_unref (check.lines);
  g_rand_free (check.random);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < 2 * N_LINES; seed++) {
    check_order (seed, FALSE);
    check_order (seed, TRUE);
  }
}

static gboolean
refuse (gpointer user_data G_GNUC_UNUSED)
{
  return FALSE;
}

static void
test_stopped (void)
{
  Check check = { g_rand_new_with_seed (1), NULL, NULL, FALSE };
  PenCancelCheck stop = { .func = refuse, .steps = PEN_CANCEL_CHECK_STEPS - 1 };

  make_lines (&check, 4);
  g_assert_null (pen_line_order_new (check.lines, FALSE, &stop));
  g_ptr_array_unref (check.lines);
  g_rand_free (check.random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/line-order/random", test_random);
  g_test_add_func ("/text/line-order/stopped", test_stopped);
  return g_test_run ();
}
