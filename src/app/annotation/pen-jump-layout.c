/* pen-jump-layout.c: where the arrows of jumps run beside the lines of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-jump-layout.h"

/* All jumps to one row. */
typedef struct {
  guint to;
  guint first; /* rows that its line covers */
  guint last;
  guint lane;
  guint first_jump; /* in the jumps, sorted by where they go */
  guint n_jumps;
} Bundle;

struct _PenJumpLayout {
  guint n_rows;
  guint n_lanes;
  PenJumpCell *cells;
  GArray *jumps;   /* of PenJump, by where they go */
  GArray *bundles; /* of those that have a lane */
};

static int
compare_jumps (gconstpointer a, gconstpointer b)
{
  const PenJump *left = a, *right = b;

  if (left->to != right->to)
    return left->to < right->to ? -1 : 1;
  return left->from < right->from ? -1 : left->from > right->from;
}

static int
compare_bundles (gconstpointer a, gconstpointer b)
{
  const Bundle *left = a, *right = b;
  guint left_length = left->last - left->first, right_length = right->last - right->first;

  if (left_length != right_length)
    return left_length < right_length ? -1 : 1;
  return left->first < right->first ? -1 : left->first > right->first;
}

static GArray *
bundle_jumps (GArray *jumps)
{
  GArray *bundles = g_array_new (FALSE, FALSE, sizeof (Bundle));

  for (guint i = 0; i < jumps->len; i++) {
    const PenJump *jump = &g_array_index (jumps, PenJump, i);
    Bundle *last = bundles->len > 0 ? &g_array_index (bundles, Bundle, bundles->len - 1) : NULL;

    if (last && last->to == jump->to) {
      last->first = MIN (last->first, jump->from);
      last->last = MAX (last->last, jump->from);
      last->n_jumps++;
    } else {
      Bundle bundle = { .to = jump->to,
                        .first = MIN (jump->from, jump->to),
                        .last = MAX (jump->from, jump->to),
                        .first_jump = i,
                        .n_jumps = 1 };

      g_array_append_val (bundles, bundle);
    }
  }
  return bundles;
}

/* The first lane that is free all the way. */
static gboolean
find_lane (PenJumpLayout *self, const Bundle *bundle, guint *lane)
{
  guint taken = 0;

  for (guint row = bundle->first; row <= bundle->last; row++) {
    const PenJumpCell *cell = &self->cells[row];

    taken |= cell->up | cell->down | cell->origin | cell->arrow;
    if (taken == (1u << PEN_JUMP_LANES) - 1)
      return FALSE;
  }
  *lane = 0;
  while (taken & (1u << *lane))
    *lane += 1;
  return TRUE;
}

static void
draw (PenJumpLayout *self, const Bundle *bundle)
{
  guint8 bit = (guint8) (1u << bundle->lane);

  for (guint row = bundle->first; row <= bundle->last; row++) {
    if (row > bundle->first)
      self->cells[row].up |= bit;
    if (row < bundle->last)
      self->cells[row].down |= bit;
  }
  self->cells[bundle->to].arrow |= bit;
  for (guint i = 0; i < bundle->n_jumps; i++)
    self->cells[g_array_index (self->jumps, PenJump, bundle->first_jump + i).from].origin |= bit;
  self->n_lanes = MAX (self->n_lanes, bundle->lane + 1);
}

PenJumpLayout *
pen_jump_layout_new (const PenJump *jumps, gsize n, guint n_rows)
{
  PenJumpLayout *self = g_new0 (PenJumpLayout, 1);
  g_autoptr (GArray) bundles = NULL;

  self->n_rows = n_rows;
  self->cells = g_new0 (PenJumpCell, n_rows);
  self->jumps = g_array_new (FALSE, FALSE, sizeof (PenJump));
  self->bundles = g_array_new (FALSE, FALSE, sizeof (Bundle));
  for (gsize i = 0; i < n; i++)
    if (jumps[i].from < n_rows && jumps[i].to < n_rows)
      g_array_append_val (self->jumps, jumps[i]);
  g_array_sort (self->jumps, compare_jumps);

  bundles = bundle_jumps (self->jumps);
  g_array_sort (bundles, compare_bundles);
  for (guint i = 0; i < bundles->len; i++) {
    Bundle *bundle = &g_array_index (bundles, Bundle, i);

    if (!find_lane (self, bundle, &bundle->lane))
      continue;
    draw (self, bundle);
    g_array_append_vals (self->bundles, bundle, 1);
  }
  return self;
}

void
pen_jump_layout_free (PenJumpLayout *self)
{
  g_free (self->cells);
  g_array_unref (self->jumps);
  g_array_unref (self->bundles);
  g_free (self);
}

guint
pen_jump_layout_get_n_lanes (PenJumpLayout *self)
{
  return self->n_lanes;
}

const PenJumpCell *
pen_jump_layout_get_cell (PenJumpLayout *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, NULL);
  return &self->cells[row];
}

static gboolean
begins_or_ends (PenJumpLayout *self, const Bundle *bundle, guint row)
{
  if (bundle->to == row)
    return TRUE;
  for (guint i = 0; i < bundle->n_jumps; i++)
    if (g_array_index (self->jumps, PenJump, bundle->first_jump + i).from == row)
      return TRUE;
  return FALSE;
}

void
pen_jump_layout_mark (PenJumpLayout *self, guint row)
{
  for (guint i = 0; i < self->n_rows; i++)
    self->cells[i].marked = 0;
  for (guint i = 0; i < self->bundles->len; i++) {
    const Bundle *bundle = &g_array_index (self->bundles, Bundle, i);

    if (!begins_or_ends (self, bundle, row))
      continue;
    for (guint k = bundle->first; k <= bundle->last; k++)
      self->cells[k].marked |= (guint8) (1u << bundle->lane);
  }
}
