/* test-cause-order.c: the tree of causes in other orders and searched, and its lanes joined
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "flip-history.h"
#include "pen-cause-lanes.h"
#include "pen-query-causes.h"

/* ---- order and search ---- */

static PenCauseTree *
ask (FlipHistory *history, PenCauseOrder order)
{
  g_autoptr (GError) error = NULL;
  PenCauseTree *tree = pen_query_causes (history->fixture.query, NULL, &order, &error);

  g_assert_no_error (error);
  return tree;
}

static void
test_order (void)
{
  FlipHistory history;

  flip_history_init (&history, 21, 2, FALSE);
  for (PenCauseSort sort = 0; sort < PEN_CAUSE_SORTS; sort++) {
    g_autoptr (PenCauseTree) tree
        = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, sort, FALSE, NULL });
    g_autoptr (PenCauseTree) reversed
        = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, sort, TRUE, NULL });

    g_assert_cmpuint (tree->rows->len, ==, reversed->rows->len);
    for (guint i = 1; i < tree->n_causes && sort == PEN_CAUSE_SORT_FLIPS; i++) {
      g_assert_cmpuint (pen_cause_tree_get (tree, i - 1)->flips, >=,
                        pen_cause_tree_get (tree, i)->flips);
      g_assert_cmpuint (pen_cause_tree_get (reversed, i - 1)->flips, <=,
                        pen_cause_tree_get (reversed, i)->flips);
    }
    for (guint i = 0; i < tree->rows->len; i++) {
      const PenCauseRow *row = pen_cause_tree_get (tree, i);

      for (guint k = 0; k < row->n_children; k++)
        g_assert_cmpuint (pen_cause_tree_get (tree, row->first_child + k)->parent, ==, i);
    }
  }
  flip_history_clear (&history);
}

static void
test_search (void)
{
  FlipHistory history;
  g_autoptr (PenCauseTree) one = NULL;
  g_autoptr (PenCauseTree) none = NULL;
  g_autoptr (PenCauseTree) cause = NULL;

  flip_history_init (&history, 22, 2, FALSE);
  one = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, "F3+0x28" });
  none = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, "nothing" });
  cause = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, "static key" });
  /* The site, its function, and its cause. */
  g_assert_cmpuint (one->rows->len, ==, 3);
  g_assert_cmpuint (pen_cause_tree_get (one, 0)->cause, ==, PEN_CAUSE_KPROBE);
  g_assert_cmpstr (pen_cause_tree_get (one, 2)->symbol, ==, "f3");
  g_assert_cmpuint (none->rows->len, ==, 0);
  g_assert_cmpuint (cause->n_causes, ==, 1);
  g_assert_cmpuint (cause->rows->len, ==, 1 + N_FUNCTIONS + 2 * N_FUNCTIONS);
  flip_history_clear (&history);
}

static void
assert_same_rows (const PenCauseTree *a, const PenCauseTree *b)
{
  g_assert_cmpuint (a->rows->len, ==, b->rows->len);
  g_assert_cmpuint (a->n_causes, ==, b->n_causes);
  for (guint i = 0; i < a->rows->len; i++) {
    const PenCauseRow *x = pen_cause_tree_get (a, i);
    const PenCauseRow *y = pen_cause_tree_get (b, i);

    g_assert_cmpint (x->cause, ==, y->cause);
    g_assert_cmpstr (x->name, ==, y->name);
    g_assert_cmphex (x->address, ==, y->address);
    g_assert_cmpuint (x->parent, ==, y->parent);
    g_assert_cmpuint (x->first_child, ==, y->first_child);
    g_assert_cmpuint (x->n_children, ==, y->n_children);
    g_assert_cmpuint (x->first_change, ==, y->first_change);
    g_assert_cmpuint (x->n_changes, ==, y->n_changes);
  }
}

/* An answer in another order is that which the store would give, and shares what is alike. */
static void
test_reorder (void)
{
  static const char *const searches[] = { "", "F3", "nothing", NULL };
  FlipHistory history;
  g_autoptr (PenCauseTree) tree = NULL;

  flip_history_init (&history, 23, 2, FALSE);
  tree = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, NULL });
  for (guint i = 0; i < PEN_CAUSE_SORTS * 2; i++) {
    const PenCauseOrder order
        = { PEN_CAUSES_BY_FUNCTION, i / 2, i % 2 == 1, searches[i % G_N_ELEMENTS (searches)] };
    g_autoptr (PenCauseTree) other = pen_cause_tree_reorder (tree, &order);
    g_autoptr (PenCauseTree) expected = ask (&history, order);

    assert_same_rows (other, expected);
    g_assert_true (other->changes == tree->changes);
    pen_cause_tree_free (tree);
    tree = g_steal_pointer (&other);
  }
  flip_history_clear (&history);
}

/* ---- lanes ---- */

static void
test_union (void)
{
  static const PenCauseStretch parts[] = {
    { 10, 20, PEN_CAUSE_ON },       { 5, 30, PEN_CAUSE_OFF },  { 15, 25, PEN_CAUSE_UNSURE },
    { 40, 50, PEN_CAUSE_OFF },      { 50, 60, PEN_CAUSE_OFF }, { 18, 22, PEN_CAUSE_ON },
    { 100, 110, PEN_CAUSE_UNSURE },
  };
  static const PenCauseStretch expected[] = {
    { 5, 10, PEN_CAUSE_OFF },  { 10, 22, PEN_CAUSE_ON },  { 22, 25, PEN_CAUSE_UNSURE },
    { 25, 30, PEN_CAUSE_OFF }, { 40, 60, PEN_CAUSE_OFF }, { 100, 110, PEN_CAUSE_UNSURE },
  };
  g_autoptr (GArray) in = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  g_autoptr (GArray) out = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));

  g_array_append_vals (in, parts, G_N_ELEMENTS (parts));
  pen_lane_append_union (out, in);
  g_assert_cmpuint (out->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < out->len; i++) {
    const PenCauseStretch *stretch = &g_array_index (out, PenCauseStretch, i);

    g_assert_cmpuint (stretch->from, ==, expected[i].from);
    g_assert_cmpuint (stretch->to, ==, expected[i].to);
    g_assert_cmpuint (stretch->state, ==, expected[i].state);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/causes/order", test_order);
  g_test_add_func ("/causes/search", test_search);
  g_test_add_func ("/causes/reorder", test_reorder);
  g_test_add_func ("/causes/union", test_union);
  return g_test_run ();
}
