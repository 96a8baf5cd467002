/* pen-flame-search.c: frames that are searched for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-view-private.h"

#include "pen-load-matches.h"

void
pen_flame_view_match (PenFlameView *self)
{
  const PenFlameTree *tree = pen_flame_view_get_tree (self);

  g_clear_pointer (&self->matches, g_free);
  if (!tree || !self->search || self->search[0] == '\0')
    return;
  self->matches = g_new0 (guint8, tree->n_groups);
  for (guint i = 0; i < tree->nodes->len; i++) {
    guint32 group = pen_flame_tree_get (tree, i)->group;

    /* Bit 1: looked at. */
    if (group == PEN_STACK_NO_GROUP || self->matches[group] & 2)
      continue;
    self->matches[group] = pen_load_matches_is_match (tree->groups, group, self->search) ? 3 : 2;
  }
  for (guint i = 0; i < tree->n_groups; i++)
    self->matches[i] &= 1;
}

/* Stacks through a frame that matches: below it, others are of the same stacks. */
static void
count_matches (const PenFlameTree *tree, const guint8 *matches, PenStackCount *count)
{
  g_autofree guint8 *is_below = g_new0 (guint8, tree->nodes->len);

  for (guint i = 1; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);

    is_below[i] = is_below[node->parent];
    if (is_below[i] || node->group == PEN_STACK_NO_GROUP || !matches[node->group])
      continue;
    is_below[i] = TRUE;
    count->samples += node->total.samples;
    count->period += node->total.period;
    count->after += node->total.after;
  }
}

guint
pen_flame_view_search (PenFlameView *self, const char *text, PenStackCount *count)
{
  const PenFlameTree *tree = pen_flame_view_get_tree (self);
  guint n = 0;

  g_free (self->search);
  self->search = g_utf8_casefold (text, -1);
  pen_flame_view_match (self);
  pen_flame_view_invalidate (self);
  *count = (PenStackCount){ 0 };
  if (!self->matches)
    return 0;
  count_matches (tree, self->matches, count);
  for (guint i = 0; i < tree->n_groups; i++)
    n += self->matches[i];
  return n;
}
