/* test-end-tree.c: the tree of ends against a plain scan
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-end-tree.h"

static guint
scan_last (const guint64 *ends, guint index, guint64 address)
{
  for (guint i = index + 1; i-- > 0;) {
    if (ends[i] > address)
      return i;
  }
  return PEN_END_TREE_NONE;
}

static guint
scan_next (const guint64 *ends, guint n, guint index)
{
  for (guint i = index; i < n; i++) {
    if (ends[i] > 0)
      return i;
  }
  return PEN_END_TREE_NONE;
}

static void
check_tree (guint n)
{
  g_autoptr (PenEndTree) tree = pen_end_tree_new (n);
  g_autofree guint64 *ends = g_new0 (guint64, n + 1);

  for (guint step = 0; step < 20 * n; step++) {
    guint set = (guint) g_test_rand_int_range (0, (gint32) n);
    guint index = (guint) g_test_rand_int_range (0, (gint32) n);
    guint64 address = (guint64) g_test_rand_int_range (0, 20);

    ends[set] = g_test_rand_bit () ? 0 : (guint64) g_test_rand_int_range (1, 20);
    pen_end_tree_set (tree, set, ends[set]);
    g_assert_cmpuint (pen_end_tree_find_last (tree, index, address), ==,
                      scan_last (ends, index, address));
    g_assert_cmpuint (pen_end_tree_find_next (tree, index), ==, scan_next (ends, n, index));
  }
  g_assert_cmpuint (pen_end_tree_find_next (tree, tree->size), ==, PEN_END_TREE_NONE);
}

static void
test_scan (void)
{
  for (guint n = 1; n < 70; n++)
    check_tree (n);
}

static void
test_build (void)
{
  g_autoptr (PenEndTree) set = pen_end_tree_new (13);
  g_autoptr (PenEndTree) built = pen_end_tree_new (13);

  for (guint i = 0; i < 13; i++) {
    pen_end_tree_set (set, i, (i * 7) % 13);
    built->max[built->size + i] = (i * 7) % 13;
  }
  pen_end_tree_build (built);
  for (guint node = 1; node < 2 * set->size; node++)
    g_assert_cmpuint (set->max[node], ==, built->max[node]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/end-tree/scan", test_scan);
  g_test_add_func ("/end-tree/build", test_build);
  return g_test_run ();
}
