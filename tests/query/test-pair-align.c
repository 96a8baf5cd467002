/* test-pair-align.c: the shortest edit from one list to another, against one that is found plainly
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-align.h"

/* The length of the longest common sequence. */
static guint
count_common (const char *const *a, guint n, const char *const *b, guint m)
{
  g_autofree guint *row = g_new0 (guint, m + 1);

  for (guint i = 0; i < n; i++) {
    guint diagonal = 0;

    for (guint k = 0; k < m; k++) {
      guint above = row[k + 1];

      row[k + 1] = a[i] == b[k] ? diagonal + 1 : MAX (above, row[k]);
      diagonal = above;
    }
  }
  return row[m];
}

/* Each index once, ascending, and only equal ones together. Returns: how many are */
static guint
check_matches (const GArray *matches, const char *const *a, guint n, const char *const *b, guint m)
{
  guint next[2] = { 0, 0 };
  guint n_equal = 0;

  for (guint i = 0; i < matches->len; i++) {
    const PenPairMatch *match = &g_array_index (matches, PenPairMatch, i);

    if (match->a != G_MAXUINT)
      g_assert_cmpuint (match->a, ==, next[0]++);
    if (match->b != G_MAXUINT)
      g_assert_cmpuint (match->b, ==, next[1]++);
    if (match->a == G_MAXUINT || match->b == G_MAXUINT)
      continue;
    g_assert_true (a[match->a] == b[match->b]);
    n_equal++;
  }
  g_assert_cmpuint (next[0], ==, n);
  g_assert_cmpuint (next[1], ==, m);
  return n_equal;
}

static const char *const words[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };

static void
test_shortest (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint round = 0; round < 2000; round++) {
    guint n = (guint) g_rand_int_range (random, 0, 24),
          m = (guint) g_rand_int_range (random, 0, 24);
    gint32 kinds = g_rand_int_range (random, 1, 10);
    const char *a[24], *b[24];
    PenCancelCheck check = { 0 };
    g_autoptr (GArray) matches = NULL;

    for (guint i = 0; i < n; i++)
      a[i] = words[g_rand_int_range (random, 0, kinds)];
    for (guint i = 0; i < m; i++)
      b[i] = words[g_rand_int_range (random, 0, kinds)];
    matches = pen_pair_align (a, n, b, m, G_MAXUINT, &check);
    g_assert_cmpuint (check_matches (matches, a, n, b, m), ==, count_common (a, n, b, m));
    g_clear_pointer (&matches, g_array_unref);
    /* With few steps, or none, it is still an alignment. */
    matches = pen_pair_align (a, n, b, m, round % 40, &check);
    check_matches (matches, a, n, b, m);
  }
}

/* A hundred thousand instructions without one in common cost as many steps as they may, and one
 * that is there once in each is found nevertheless. */
static void
test_hostile (void)
{
  enum { N = 100000 };
  g_autofree const char **a = g_new (const char *, N);
  g_autofree const char **b = g_new (const char *, N);
  PenCancelCheck check = { 0 };
  g_autoptr (GArray) matches = NULL;

  for (guint i = 0; i < N; i++) {
    a[i] = words[i % 3];
    b[i] = words[3 + i % 4];
  }
  a[70000] = b[20] = words[9];
  matches = pen_pair_align (a, N, b, N, 1 << 16, &check);
  g_assert_cmpuint (check_matches (matches, a, N, b, N), ==, 1);
  g_assert_cmpuint (check.steps, <, (1 << 16) + 20 * N);
}

static gboolean
stop (G_GNUC_UNUSED gpointer user_data)
{
  return FALSE;
}

static void
test_stopped (void)
{
  enum { N = 20000 };
  g_autofree const char **a = g_new (const char *, N);
  g_autofree const char **b = g_new (const char *, N);
  PenCancelCheck check = { .func = stop };
  g_autoptr (GArray) matches = NULL;

  for (guint i = 0; i < N; i++) {
    a[i] = words[i % 3];
    b[i] = words[3 + i % 4];
  }
  matches = pen_pair_align (a, N, b, N, G_MAXUINT, &check);
  g_assert_true (check.is_stopped);
  g_assert_cmpuint (check.steps, <, 5 * PEN_CANCEL_CHECK_STEPS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-align/shortest", test_shortest);
  g_test_add_func ("/pair-align/hostile", test_hostile);
  g_test_add_func ("/pair-align/stopped", test_stopped);
  return g_test_run ();
}
