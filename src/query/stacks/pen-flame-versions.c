/* pen-flame-versions.c: which text the frames of a tree's nodes were in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-flame-build.h"

/*
 * @wanted: flag of each node of the tree
 * @tree_nodes: of each node of the trie: the node of the tree that it is, if that is wanted; 0:
 * none
 * @children: trees from where stacks end: of parent and group; its nodes are the tree's
 * @chains: of each chain: stacks through it; or, from where stacks end,
 * @nodes: each of them, and @versioned: flag of each: it, or one that called it, has a wanted group
 * @found: pairs of node (as parent) and version (as group); @counts: of each
 */
typedef struct {
  PenFlameBuild *build;
  const PenStackVersions *versions;
  const guint8 *groups;
  guint8 *wanted;
  guint32 *tree_nodes;
  PenStackTrie *children;
  PenStackCount *chains;
  PenChainNode *nodes;
  guint8 *versioned;
  PenStackTrie *found;
  GArray *counts;
} Search;

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->children, pen_stack_trie_free);
  g_clear_pointer (&self->found, pen_stack_trie_free);
  g_clear_pointer (&self->counts, g_array_unref);
  g_free (self->wanted);
  g_free (self->tree_nodes);
  g_free (self->chains);
  g_free (self->nodes);
  g_free (self->versioned);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static void
add (Search *self, guint32 node, guint32 version, PenStackCount count)
{
  guint32 pair = pen_stack_trie_get (self->found, node, version);

  if (pair >= self->counts->len)
    g_array_set_size (self->counts, pair + 1);
  pen_stack_count_add (&g_array_index (self->counts, PenStackCount, pair), count);
}

static gboolean
is_inverted (const Search *self)
{
  PenFlameOrder order = self->build->options->order;

  return order == PEN_FLAME_INNERMOST || order == PEN_FLAME_CALLERS;
}

static PenStore *
get_store (const Search *self)
{
  return self->build->counts->index->query->store;
}

/* The node of a chain: of the trie that the tree is made of. */
static guint32
get_node (const Search *self, guint32 chain)
{
  const PenStackCounts *counts = self->build->counts;

  return pen_stack_counts_get_node (counts, counts->map->nodes[chain]);
}

static guint32
get_caller (const Search *self, guint8 has, guint32 chain)
{
  const PenStackCounts *counts = self->build->counts;

  return pen_stack_counts_get_node (counts, pen_stack_map_get_caller (counts->map, has, chain));
}

/* ---- from the outermost frame on: chain by chain ---- */

static void
count_chain (const PenSampleBlock *block, guint row, guint32 leaf, gpointer user_data)
{
  Search *self = user_data;
  PenStackCount count = { 1, block->period[row], 0 };
  guint8 has = block->has[row];
  guint32 chain = block->chain[row];

  if (has & PEN_SAMPLE_HAS_CHAIN)
    pen_stack_count_add (&self->chains[chain], count);
  if (self->tree_nodes[leaf] != 0 && !pen_stack_chain_is_whole (has, chain)
      && leaf != get_caller (self, has, chain))
    add (self, self->tree_nodes[leaf], self->versions->of_bucket[block->bucket[row]], count);
}

static void
count_frame (Search *self, guint32 chain, PenChainNode called)
{
  guint32 node = get_node (self, chain);

  if (self->chains[chain].samples == 0)
    return;
  if (called.parent != 0)
    pen_stack_count_add (&self->chains[called.parent], self->chains[chain]);
  if (node != PEN_STACK_NOWHERE && self->tree_nodes[node] != 0
      && node != get_node (self, called.parent))
    add (self, self->tree_nodes[node], self->versions->of_frame[called.frame], self->chains[chain]);
}

static gboolean
search_down (Search *self, GError **error)
{
  guint32 n = pen_store_count_chains (get_store (self));
  const PenFlameBuild *build = self->build;

  self->tree_nodes = g_new0 (guint32, build->counts->trie->size);
  for (guint i = 1; i < build->tree->nodes->len; i++) {
    if (self->wanted[i])
      self->tree_nodes[g_array_index (build->sources, guint32, i)] = i;
  }
  self->chains = g_new0 (PenStackCount, (gsize) n + 1);
  if (!pen_stack_counts_foreach (build->counts, count_chain, self, error))
    return FALSE;
  for (guint32 number = (guint32) (((guint64) n + PEN_BLOCK_CHAINS - 1) / PEN_BLOCK_CHAINS);
       number-- > 0;) {
    const PenChainNode *nodes;
    guint n_nodes;

    if (!pen_store_goes_on (get_store (self), error)
        || !pen_store_read_chain_block (get_store (self), number, &nodes, &n_nodes, error))
      return FALSE;
    for (guint i = n_nodes; i-- > 0;)
      count_frame (self, number * PEN_BLOCK_CHAINS + 1 + i, nodes[i]);
  }
  return TRUE;
}

/* ---- from where stacks end: stack by stack ---- */

/* Returns: the child of @at in the tree, or 0 */
static guint32
step_up (Search *self, guint32 at, guint32 node, guint32 version, PenStackCount count)
{
  guint32 group = self->build->counts->trie->nodes[node].group;
  guint32 child = pen_stack_trie_find (self->children, at, group);

  if (child != 0 && self->wanted[child])
    add (self, child, version, count);
  return child;
}

static void
walk_stack (const PenSampleBlock *block, guint row, guint32 leaf, gpointer user_data)
{
  Search *self = user_data;
  const PenStackSpot *place = self->build->counts->place;
  PenQuery *query = self->build->counts->index->query;
  PenStackCount count = { 1, block->period[row], 0 };
  guint8 has = block->has[row];
  guint32 chain = has & PEN_SAMPLE_HAS_CHAIN ? block->chain[row] : 0;
  guint32 bucket = block->bucket[row];
  gboolean has_begun = !place;
  guint32 at = 0;

  if (!pen_stack_chain_is_whole (has, chain)) {
    guint32 function = pen_bucket_functions_get (query->bucket_functions, bucket);
    guint32 caller = get_caller (self, has, block->chain[row]);

    has_begun |= place && pen_stack_spot_has_leaf (place, bucket, function);
    if (!self->versioned[chain]
        && !self->groups[self->build->counts->index->groups[self->build->options->grouping]
                             ->of_function[function]])
      return;
    if (has_begun && leaf != caller) {
      at = step_up (self, 0, leaf, self->versions->of_bucket[bucket], count);
      if (at == 0)
        return;
    }
  }
  while (self->versioned[chain]) {
    PenChainNode called = self->nodes[chain];
    guint32 node = get_node (self, chain);

    has_begun |= place && place->frames[called.frame];
    if (has_begun && node != get_node (self, called.parent)) {
      at = step_up (self, at, node, self->versions->of_frame[called.frame], count);
      if (at == 0)
        return;
    }
    chain = called.parent;
  }
}

static gboolean
keep_chains (Search *self, guint32 n, GError **error)
{
  const PenStackIndex *index = self->build->counts->index;
  const guint32 *of_function = index->groups[self->build->options->grouping]->of_function;

  self->nodes = g_new (PenChainNode, (gsize) n + 1);
  self->versioned = g_malloc0 ((gsize) n + 1);
  for (guint32 number = 0; number * (guint64) PEN_BLOCK_CHAINS < n; number++) {
    guint32 first = number * PEN_BLOCK_CHAINS + 1;
    const PenChainNode *nodes;
    guint n_nodes;

    if (!pen_store_goes_on (get_store (self), error)
        || !pen_store_read_chain_block (get_store (self), number, &nodes, &n_nodes, error))
      return FALSE;
    for (guint i = 0; i < n_nodes; i++) {
      guint32 group = of_function[index->frames->function[nodes[i].frame]];

      self->nodes[first + i] = nodes[i];
      self->versioned[first + i] = self->versioned[nodes[i].parent] || self->groups[group];
    }
  }
  return TRUE;
}

static gboolean
search_up (Search *self, GError **error)
{
  const PenFlameTree *tree = self->build->tree;
  guint32 n = pen_store_count_chains (get_store (self));

  self->children = pen_stack_trie_new ();
  for (guint i = 1; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);

    pen_stack_trie_add (self->children, (PenStackNode){ node->parent, node->group });
  }
  return keep_chains (self, n, error)
         && pen_stack_counts_foreach (self->build->counts, walk_stack, self, error);
}

/* ---- what was found ---- */

/* Returns: FALSE: none are */
static gboolean
choose_nodes (Search *self)
{
  const PenFlameTree *tree = self->build->tree;
  const PenFlameOptions *options = self->build->options;
  PenStackCount all = pen_flame_tree_get (tree, tree->zoomed)->total;
  double least = options->version_share * (double) pen_stack_count_get (all, options->measure);
  gboolean are_any = FALSE;

  self->wanted = g_malloc0 (tree->nodes->len);
  for (guint i = 1; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);

    self->wanted[i] = self->groups[node->group]
                      && (double) pen_stack_count_get (node->total, options->measure) >= least;
    are_any |= self->wanted[i];
  }
  return are_any;
}

typedef struct {
  guint32 node;
  PenFlameVersion version;
} Found;

static int
compare_found (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Found *x = a;
  const Found *y = b;
  PenStackMeasure measure = *(const PenStackMeasure *) user_data;
  guint64 count_x = pen_stack_count_get (x->version.count, measure);
  guint64 count_y = pen_stack_count_get (y->version.count, measure);

  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  if (count_x != count_y)
    return count_x > count_y ? -1 : 1;
  if (x->version.tenure != y->version.tenure)
    return x->version.tenure < y->version.tenure ? -1 : 1;
  if (x->version.revision != y->version.revision)
    return x->version.revision < y->version.revision ? -1 : 1;
  return x->version.poke < y->version.poke ? -1 : x->version.poke > y->version.poke;
}

static GArray *
list_found (Search *self)
{
  PenStackMeasure measure = self->build->options->measure;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Found));

  for (guint32 i = 1; i < self->counts->len; i++) {
    PenStackNode pair = self->found->nodes[i];
    const PenStackVersion *version = pen_stack_versions_get (self->versions, pair.group);
    Found found = { pair.parent,
                    { version->tenure, version->revision, version->poke, version->cause,
                      g_array_index (self->counts, PenStackCount, i) } };

    g_array_append_val (all, found);
  }
  g_array_sort_with_data (all, compare_found, &measure);
  return all;
}

static void
hand_out (Search *self)
{
  PenFlameTree *tree = self->build->tree;
  g_autoptr (GArray) all = list_found (self);
  guint end;

  for (guint first = 0; first < all->len; first = end) {
    const Found *found = &g_array_index (all, Found, first);
    PenFlameNode *node = &g_array_index (tree->nodes, PenFlameNode, found->node);

    for (end = first + 1; end < all->len && g_array_index (all, Found, end).node == found->node;)
      end++;
    if (end == first + 1 && found->version.revision == 0)
      continue;
    node->first_version = tree->versions->len;
    node->n_versions = end - first;
    for (guint i = first; i < end; i++)
      g_array_append_val (tree->versions, g_array_index (all, Found, i).version);
  }
}

gboolean
pen_flame_build_add_versions (PenFlameBuild *self, GError **error)
{
  PenStackIndex *index = self->counts->index;
  g_auto (Search) search = { .build = self };

  search.versions = pen_stack_index_get_versions (index, error);
  if (!search.versions)
    return FALSE;
  search.groups = pen_stack_index_get_versioned (index, self->options->grouping);
  if (!choose_nodes (&search))
    return TRUE;
  if (!pen_stack_counts_prepare_rows (self->counts, error))
    return FALSE;
  search.found = pen_stack_trie_new ();
  search.counts = g_array_new (FALSE, TRUE, sizeof (PenStackCount));
  if (!(is_inverted (&search) ? search_up (&search, error) : search_down (&search, error)))
    return FALSE;
  if (search.found->is_full)
    return pen_stack_map_refuse_size (error);
  hand_out (&search);
  return TRUE;
}
