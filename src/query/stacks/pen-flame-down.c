/* pen-flame-down.c: trees from the outermost frame on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-build.h"

/*
 * @totals: of each node of the trie, with all below it
 * @kept: flag of each: it is in the tree
 * @first, @next: of each, its first child in the tree and its next sibling; 0: none
 * @n_children: of each, with those that are not
 */
typedef struct {
  const PenStackTrie *trie;
  PenStackCount *totals;
  guint8 *kept;
  guint32 *first;
  guint32 *next;
  guint32 *n_children;
} Down;

static void
down_clear (Down *self)
{
  g_free (self->totals);
  g_free (self->kept);
  g_free (self->first);
  g_free (self->next);
  g_free (self->n_children);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Down, down_clear)

static void
sum_up (Down *self, const PenStackCounts *counts)
{
  const PenStackTrie *trie = self->trie;

  self->totals = g_new0 (PenStackCount, trie->n);
  self->n_children = g_new0 (guint32, trie->n);
  for (guint32 i = trie->n; i-- > 0;) {
    if (i < counts->n)
      pen_stack_count_add (&self->totals[i], counts->own[i]);
    if (i > 0 && !pen_stack_count_is_zero (self->totals[i])) {
      pen_stack_count_add (&self->totals[trie->nodes[i].parent], self->totals[i]);
      self->n_children[trie->nodes[i].parent]++;
    }
  }
}

/* Marks the nodes down to that which is looked into. Returns: it; 0: the root */
static guint32
mark_zoom (Down *self, const PenFlameOptions *options)
{
  guint32 at = 0;

  for (guint i = 0; i < options->n_zoom; i++) {
    guint32 child = pen_stack_trie_find (self->trie, at, options->zoom[i]);

    if (child == 0 || pen_stack_count_is_zero (self->totals[child]))
      break;
    at = child;
    self->kept[at] = TRUE;
  }
  self->kept[0] = TRUE;
  return at;
}

static guint
count_at_least (const Down *self, const guint8 *is_below, PenStackMeasure measure, guint64 least)
{
  guint n = 0;

  for (guint32 i = 1; i < self->trie->n; i++)
    n += is_below[i] && !pen_stack_count_is_zero (self->totals[i])
         && pen_stack_count_get (self->totals[i], measure) >= least;
  return n;
}

/* The smallest number from @least on that no more than @n_most nodes have at least. */
static guint64
find_least (const Down *self, const guint8 *is_below, PenStackMeasure measure, guint64 least,
            guint n_most)
{
  guint64 low = least;
  guint64 high = pen_stack_count_get (self->totals[0], measure);

  if (count_at_least (self, is_below, measure, least) <= n_most)
    return least;
  while (low < high) {
    guint64 middle = low + (high - low) / 2;

    if (count_at_least (self, is_below, measure, middle) <= n_most)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* No node has more than its parent: those that have enough make a tree. */
static void
choose_nodes (Down *self, PenFlameBuild *build)
{
  const PenFlameOptions *options = build->options;
  const PenStackTrie *trie = self->trie;
  g_autofree guint8 *is_below = g_malloc0 (trie->n);
  guint32 zoomed;

  self->kept = g_malloc0 (trie->n);
  self->first = g_new0 (guint32, trie->n);
  self->next = g_new0 (guint32, trie->n);
  zoomed = mark_zoom (self, options);
  is_below[zoomed] = TRUE;
  for (guint32 i = zoomed + 1; i < trie->n; i++)
    is_below[i] = is_below[trie->nodes[i].parent];
  build->least
      = find_least (self, is_below, options->measure,
                    pen_flame_build_get_least (options, self->totals[zoomed]), build->max_nodes);
  for (guint32 i = trie->n; i-- > 1;) {
    guint32 parent = trie->nodes[i].parent;

    if (is_below[i] && !pen_stack_count_is_zero (self->totals[i])
        && pen_stack_count_get (self->totals[i], options->measure) >= build->least)
      self->kept[i] = TRUE;
    if (self->kept[i]) {
      self->next[i] = self->first[parent];
      self->first[parent] = i;
    }
  }
  build->tree->zoomed = zoomed;
}

static gboolean
add_nodes (Down *self, PenFlameBuild *build, GError **error)
{
  const PenStackCounts *counts = build->counts;
  guint32 zoomed = build->tree->zoomed;

  pen_flame_build_start (build, self->totals[0]);
  for (guint i = 0; i < build->tree->nodes->len; i++) {
    guint32 source = g_array_index (build->sources, guint32, i);
    PenStackCount own = source < counts->n ? counts->own[source] : (PenStackCount){ 0 };

    if (!pen_store_steps_on (counts->index->query->store, i, error))
      return FALSE;
    for (guint32 k = self->first[source]; k != 0; k = self->next[k]) {
      PenFlameChild child = { self->totals[k], self->trie->nodes[k].group, k };

      g_array_append_val (build->children, child);
    }
    if (source == zoomed)
      build->tree->zoomed = i;
    pen_flame_build_add (build, i, own, self->n_children[source] - build->children->len);
  }
  return TRUE;
}

gboolean
pen_flame_build_down (PenFlameBuild *self, GError **error)
{
  g_auto (Down) down = { .trie = self->counts->trie };

  sum_up (&down, self->counts);
  if (!pen_store_goes_on (self->counts->index->query->store, error))
    return FALSE;
  choose_nodes (&down, self);
  return add_nodes (&down, self, error);
}
