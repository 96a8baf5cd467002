/* pen-flame-up.c: trees from where stacks end, level by level
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-build.h"

/* So many entries are gone through between two looks at the cancellable, or a few more. */
#define STEPS (1u << 18)

/* Stacks that go through a node of the tree: @at: the node of the trie that is above; 0: none. */
typedef struct {
  PenStackCount count;
  guint32 at;
} Entry;

/* The entries of a node of the tree. */
typedef struct {
  guint first;
  guint n;
} Slice;

/*
 * @level, @next: (element-type Entry): of the level at hand, and of the one below it
 * @slices: (element-type Slice): of each node of the tree, in @level or @next
 * @children: of each group: index in @found plus one; 0: none
 * @found: (element-type PenFlameChild): of the node at hand; their source is how many entries
 * @places: of each group, where its next entry goes
 */
typedef struct {
  PenFlameBuild *build;
  const PenStackTrie *trie;
  GArray *level;
  GArray *next;
  GArray *slices;
  guint32 *children;
  GArray *found;
  guint *places;
} Up;

static void
up_clear (Up *self)
{
  g_clear_pointer (&self->level, g_array_unref);
  g_clear_pointer (&self->next, g_array_unref);
  g_clear_pointer (&self->slices, g_array_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_free (self->children);
  g_free (self->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Up, up_clear)

static void
up_init (Up *self, PenFlameBuild *build)
{
  const PenStackCounts *counts = build->counts;
  guint n_groups = build->tree->n_groups;
  PenStackCount total = { 0 };

  *self = (Up){ .build = build, .trie = counts->trie };
  self->level = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->next = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  self->found = g_array_new (FALSE, FALSE, sizeof (PenFlameChild));
  self->children = g_new0 (guint32, n_groups);
  self->places = g_new (guint, n_groups);
  for (guint32 i = 0; i < MIN (self->trie->n, counts->n); i++) {
    Entry entry = { counts->own[i], i };

    if (pen_stack_count_is_zero (entry.count))
      continue;
    pen_stack_count_add (&total, entry.count);
    g_array_append_val (self->level, entry);
  }
  pen_flame_build_start (build, total);
  g_array_append_val (self->slices, ((Slice){ 0, self->level->len }));
}

/* Sums up the entries of a slice by group. Returns: those that are nobody's child */
static PenStackCount
find_children (Up *self, Slice slice)
{
  PenStackCount own = { 0 };

  g_array_set_size (self->found, 0);
  for (guint i = slice.first; i < slice.first + slice.n; i++) {
    const Entry *entry = &g_array_index (self->level, Entry, i);
    guint32 group = self->trie->nodes[entry->at].group;
    PenFlameChild *child;

    if (entry->at == 0) {
      pen_stack_count_add (&own, entry->count);
      continue;
    }
    if (self->children[group] == 0) {
      PenFlameChild added = { .group = group };

      g_array_append_val (self->found, added);
      self->children[group] = self->found->len;
    }
    child = &g_array_index (self->found, PenFlameChild, self->children[group] - 1);
    pen_stack_count_add (&child->total, entry->count);
    child->source++;
  }
  return own;
}

/* Whether the way to the zoomed node goes on from @node, at whose end it was so far. */
static gboolean
goes_on (Up *self, guint node)
{
  PenFlameBuild *build = self->build;
  guint depth = pen_flame_tree_get (build->tree, node)->depth;

  return node == build->tree->zoomed && depth < build->options->n_zoom
         && build->options->zoom[depth] < build->tree->n_groups
         && self->children[build->options->zoom[depth]] != 0;
}

static void
choose_children (Up *self, guint node)
{
  PenFlameBuild *build = self->build;
  const PenFlameOptions *options = build->options;
  gboolean is_above = goes_on (self, node);
  guint room = build->max_nodes - MIN (build->tree->nodes->len, build->max_nodes);

  if (node == build->tree->zoomed && !is_above)
    build->least
        = pen_flame_build_get_least (options, pen_flame_tree_get (build->tree, node)->total);
  for (guint i = 0; i < self->found->len && build->children->len < room; i++) {
    const PenFlameChild *child = &g_array_index (self->found, PenFlameChild, i);

    if (is_above ? child->group == options->zoom[pen_flame_tree_get (build->tree, node)->depth]
                 : pen_stack_count_get (child->total, options->measure) >= build->least)
      g_array_append_val (build->children, *child);
  }
}

/* The entries of the children that were added, each child's side by side. */
static void
hand_down (Up *self, guint node, Slice slice)
{
  const PenFlameTree *tree = self->build->tree;
  const PenFlameNode *parent = pen_flame_tree_get (tree, node);

  for (guint i = 0; i < self->found->len; i++)
    self->places[g_array_index (self->found, PenFlameChild, i).group] = G_MAXUINT;
  for (guint i = 0; i < parent->n_children; i++) {
    Slice added = { self->next->len,
                    g_array_index (self->build->sources, guint32, parent->first_child + i) };

    self->places[pen_flame_tree_get (tree, parent->first_child + i)->group] = added.first;
    g_array_append_val (self->slices, added);
    g_array_set_size (self->next, added.first + added.n);
  }
  for (guint i = slice.first; i < slice.first + slice.n; i++) {
    const Entry *entry = &g_array_index (self->level, Entry, i);
    PenStackNode at = self->trie->nodes[entry->at];

    if (entry->at != 0 && self->places[at.group] != G_MAXUINT)
      g_array_index (self->next, Entry, self->places[at.group]++)
          = (Entry){ entry->count, at.parent };
  }
  for (guint i = 0; i < self->found->len; i++)
    self->children[g_array_index (self->found, PenFlameChild, i).group] = 0;
}

static void
begin_level (Up *self)
{
  GArray *level = self->level;

  self->level = self->next;
  self->next = level;
  g_array_set_size (self->next, 0);
}

gboolean
pen_flame_build_up (PenFlameBuild *self, GError **error)
{
  PenFlameTree *tree = self->tree;
  g_auto (Up) up = { 0 };
  guint depth = 0;
  guint64 steps = 0;

  up_init (&up, self);
  for (guint i = 0; i < tree->nodes->len; i++) {
    PenStackCount own;
    Slice slice;

    if (steps >= STEPS) {
      if (!pen_store_goes_on (self->counts->index->query->store, error))
        return FALSE;
      steps = 0;
    }
    if (pen_flame_tree_get (tree, i)->depth > depth) {
      depth++;
      begin_level (&up);
    }
    slice = g_array_index (up.slices, Slice, i);
    steps += slice.n + 1;
    own = find_children (&up, slice);
    choose_children (&up, i);
    if (goes_on (&up, i) && self->children->len > 0)
      tree->zoomed = tree->nodes->len;
    pen_flame_build_add (self, i, own, up.found->len - self->children->len);
    hand_down (&up, i, slice);
  }
  return TRUE;
}
