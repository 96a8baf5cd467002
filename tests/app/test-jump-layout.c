/* test-jump-layout.c: arrows of jumps: each whole, none over another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib.h>

#include "pen-jump-layout.h"

static guint
lanes_of (guint8 bits)
{
  guint n = 0;

  for (; bits; bits &= (guint8) (bits - 1))
    n++;
  return n;
}

/* Follows the line of @lane from the row of @jump to where it goes. */
static gboolean
leads_there (PenJumpLayout *layout, const PenJump *jump, guint lane)
{
  guint8 bit = (guint8) (1u << lane);
  int step = jump->to >= jump->from ? 1 : -1;
  guint row = jump->from;

  if ((pen_jump_layout_get_cell (layout, row)->origin & bit) == 0)
    return FALSE;
  for (; row != jump->to; row += (guint) step) {
    const PenJumpCell *here = pen_jump_layout_get_cell (layout, row);
    const PenJumpCell *next = pen_jump_layout_get_cell (layout, row + (guint) step);

    if (((step > 0 ? here->down : here->up) & bit) == 0
        || ((step > 0 ? next->up : next->down) & bit) == 0)
      return FALSE;
    /* The line of another would end here. */
    if (row != jump->from && (here->arrow & bit) != 0)
      return FALSE;
  }
  return (pen_jump_layout_get_cell (layout, row)->arrow & bit) != 0;
}

static gboolean
is_drawn (PenJumpLayout *layout, const PenJump *jump)
{
  for (guint lane = 0; lane < PEN_JUMP_LANES; lane++)
    if (leads_there (layout, jump, lane))
      return TRUE;
  return FALSE;
}

static void
test_nested (void)
{
  static const PenJump jumps[] = { { 0, 9 }, { 2, 5 }, { 7, 6 } };
  g_autoptr (PenJumpLayout) layout = pen_jump_layout_new (jumps, G_N_ELEMENTS (jumps), 10);

  for (gsize i = 0; i < G_N_ELEMENTS (jumps); i++)
    g_assert_true (is_drawn (layout, &jumps[i]));
  /* Those inside share the lane next to the text; the one round them has another. */
  g_assert_cmpuint (pen_jump_layout_get_n_lanes (layout), ==, 2);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 2)->origin, ==, 1);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 7)->origin, ==, 1);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 0)->origin, ==, 2);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 0)->up, ==, 0);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 9)->down, ==, 0);
}

static void
test_shared (void)
{
  static const PenJump jumps[] = { { 1, 4 }, { 3, 4 }, { 8, 4 }, { 4, 4 } };
  g_autoptr (PenJumpLayout) layout = pen_jump_layout_new (jumps, G_N_ELEMENTS (jumps), 9);

  g_assert_cmpuint (pen_jump_layout_get_n_lanes (layout), ==, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (jumps); i++)
    g_assert_true (is_drawn (layout, &jumps[i]));
}

static void
test_outside (void)
{
  static const PenJump jumps[] = { { 1, 4 }, { 4, 0 } };
  g_autoptr (PenJumpLayout) layout = pen_jump_layout_new (jumps, G_N_ELEMENTS (jumps), 4);

  g_assert_cmpuint (pen_jump_layout_get_n_lanes (layout), ==, 0);
  pen_jump_layout_mark (layout, G_MAXUINT);
}

static void
test_marks (void)
{
  static const PenJump jumps[] = { { 0, 9 }, { 2, 5 } };
  g_autoptr (PenJumpLayout) layout = pen_jump_layout_new (jumps, G_N_ELEMENTS (jumps), 10);

  pen_jump_layout_mark (layout, 5);
  for (guint row = 0; row < 10; row++)
    g_assert_cmphex (pen_jump_layout_get_cell (layout, row)->marked, ==,
                     row >= 2 && row <= 5 ? 1 : 0);
  pen_jump_layout_mark (layout, 0);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 3)->marked, ==, 2);
  pen_jump_layout_mark (layout, 1);
  g_assert_cmphex (pen_jump_layout_get_cell (layout, 3)->marked, ==, 0);
}

/* Whatever jumps there are, what is drawn is whole, and a lane that ends has one arrow. */
static void
test_random (void)
{
  for (guint round = 0; round < 300; round++) {
    guint n_rows = (guint) g_test_rand_int_range (1, 60);
    guint n = (guint) g_test_rand_int_range (0, 40);
    g_autofree PenJump *jumps = g_new0 (PenJump, n + 1);
    g_autoptr (PenJumpLayout) layout = NULL;
    guint n_origins = 0, n_drawn = 0;

    for (guint i = 0; i < n; i++)
      jumps[i] = (PenJump){ (guint) g_test_rand_int_range (0, (gint32) n_rows),
                            (guint) g_test_rand_int_range (0, (gint32) n_rows) };
    layout = pen_jump_layout_new (jumps, n, n_rows);
    for (guint row = 0; row < n_rows; row++) {
      const PenJumpCell *cell = pen_jump_layout_get_cell (layout, row);

      /* A line does not begin out of nothing, nor end in it. */
      if (row > 0)
        g_assert_cmphex (pen_jump_layout_get_cell (layout, row - 1)->down, ==, cell->up);
      g_assert_cmphex ((cell->up ^ cell->down) & ~(cell->origin | cell->arrow), ==, 0);
      g_assert_cmpuint (lanes_of (cell->arrow), <=, 1);
      n_origins += lanes_of (cell->origin);
    }
    for (guint i = 0; i < n; i++) {
      gboolean again = FALSE;

      for (guint k = 0; k < i; k++)
        again = again || (jumps[k].from == jumps[i].from && jumps[k].to == jumps[i].to);
      n_drawn += !again && is_drawn (layout, &jumps[i]);
    }
    g_assert_cmpuint (n_origins, ==, n_drawn);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/jump-layout/nested", test_nested);
  g_test_add_func ("/jump-layout/shared", test_shared);
  g_test_add_func ("/jump-layout/outside", test_outside);
  g_test_add_func ("/jump-layout/marks", test_marks);
  g_test_add_func ("/jump-layout/random", test_random);
  return g_test_run ();
}
