/* pen-chain-tree.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-tree.h"

#include "pen-hash-index.h"
#include "pen-hash.h"

G_STATIC_ASSERT (PEN_CHAIN_NODES_MAX <= PEN_HASH_INDEX_MAX / 2);

struct _PenChainTree {
  PenChainNode *blocks[PEN_CHAIN_NODES_MAX / PEN_BLOCK_CHAINS]; /* nodes with ids from first on */
  guint64 first;
  guint n;
  guint max;          /* a multiple of a block */
  PenHashIndex index; /* of these nodes, but for those that follow their parent */
  PenHashKey key;
  GPtrArray *finished; /* PenChainNode *: blocks that were not taken */
  guint64 taken;       /* nodes, since the beginning */
  gboolean is_open;    /* more will come after the rest was taken */
  guint64 shown;       /* with what was taken as the rest */
  GArray *new;         /* PenChainNode: that nobody took; NULL: they are not kept */
};

PenChainTree *
pen_chain_tree_new (guint max)
{
  PenChainTree *self = g_new0 (PenChainTree, 1);

  self->max
      = CLAMP (max / PEN_BLOCK_CHAINS * PEN_BLOCK_CHAINS, PEN_BLOCK_CHAINS, PEN_CHAIN_NODES_MAX);
  self->first = 1;
  self->key = pen_hash_key ();
  self->finished = g_ptr_array_new_with_free_func (g_free);
  pen_hash_index_init (&self->index);
  return self;
}

void
pen_chain_tree_free (PenChainTree *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    g_free (self->blocks[i]);
  g_ptr_array_unref (self->finished);
  g_clear_pointer (&self->new, g_array_unref);
  pen_hash_index_clear (&self->index);
  g_free (self);
}

static inline PenChainNode *
get_place (const PenChainTree *self, guint index)
{
  return &self->blocks[index / PEN_BLOCK_CHAINS][index % PEN_BLOCK_CHAINS];
}

static inline guint64
hash_node (const PenChainTree *self, PenChainNode node)
{
  return pen_hash_pair (&self->key, node.parent, node.frame);
}

static gboolean
is_same (gconstpointer owner, guint32 index, gconstpointer key)
{
  const PenChainNode *known = get_place (owner, index);
  const PenChainNode *node = key;

  return known->parent == node->parent && known->frame == node->frame;
}

/* A new callchain's nodes follow each other: where one is the next after its parent, it needs no
 * slot. If callchains hardly repeat, that is nearly all of them. */
static inline gboolean
follows_parent (const PenChainTree *self, guint index)
{
  return self->first + index == (guint64) get_place (self, index)->parent + 1;
}

/* Those before @index, many at a time: each waits for its slot's memory. */
static void
grow (PenChainTree *self, guint index)
{
  guint64 hashes[PEN_HASH_INDEX_TOGETHER];
  guint32 indexes[PEN_HASH_INDEX_TOGETHER];
  guint n = 0;

  pen_hash_index_resize (&self->index, 2 * self->index.n_slots);
  for (guint i = 0; i < index; i++) {
    if (!follows_parent (self, i)) {
      indexes[n] = i;
      hashes[n] = hash_node (self, *get_place (self, i));
      pen_hash_index_prefetch (&self->index, hashes[n++]);
    }
    if (n < PEN_HASH_INDEX_TOGETHER && i + 1 < index)
      continue;
    for (guint k = 0; k < n; k++)
      pen_hash_index_put (&self->index, hashes[k], indexes[k]);
    n = 0;
  }
}

static void
add_slot (PenChainTree *self, guint index)
{
  if (self->index.n >= self->index.n_slots / 2)
    grow (self, index);
  pen_hash_index_put (&self->index, hash_node (self, *get_place (self, index)), index);
  self->index.n++;
}

static void
finish_block (PenChainTree *self, guint block)
{
  g_ptr_array_add (self->finished,
                   g_memdup2 (self->blocks[block], PEN_BLOCK_CHAINS * sizeof *self->blocks[block]));
}

static void
keep_new (PenChainTree *self, PenChainNode node)
{
  if (self->new->len < PEN_CHAIN_NEW_MAX)
    g_array_append_val (self->new, node);
  else
    g_clear_pointer (&self->new, g_array_unref);
}

void
pen_chain_tree_keep_new (PenChainTree *self)
{
  self->new = g_array_new (FALSE, FALSE, sizeof (PenChainNode));
}

gboolean
pen_chain_tree_take_new (PenChainTree *self, GArray *nodes)
{
  g_array_set_size (nodes, 0);
  if (!self->new)
    return FALSE;
  g_array_append_vals (nodes, self->new->data, self->new->len);
  g_array_set_size (self->new, 0);
  return TRUE;
}

/* Returns: its id, or 0 if there are no more */
static guint32
add_node (PenChainTree *self, PenChainNode node)
{
  guint n = self->n;
  guint block;

  if (self->first + n >= G_MAXUINT32)
    return 0;

  if (n == self->max) {
    /* All blocks are finished. */
    self->first += n;
    self->n = n = 0;
    pen_hash_index_empty (&self->index);
  }

  block = n / PEN_BLOCK_CHAINS;
  if (!self->blocks[block])
    self->blocks[block] = g_new (PenChainNode, PEN_BLOCK_CHAINS);
  *get_place (self, n) = node;
  if (self->new)
    keep_new (self, node);
  if (!follows_parent (self, n))
    add_slot (self, n);
  self->n++;
  if ((n + 1) % PEN_BLOCK_CHAINS == 0)
    finish_block (self, block);
  return (guint32) (self->first + n);
}

static guint32
get_node (PenChainTree *self, PenChainNode node)
{
  guint64 next = (guint64) node.parent + 1;
  guint64 hash;
  guint32 index;

  /* Nobody was called by the newest yet. */
  if (next == self->first + self->n)
    return add_node (self, node);
  if (next >= self->first && next < self->first + self->n
      && is_same (self, (guint32) (next - self->first), &node))
    return (guint32) next;

  hash = hash_node (self, node);
  index = pen_hash_index_find (&self->index, hash, is_same, self, &node);
  return index != PEN_HASH_INDEX_NONE ? (guint32) self->first + index : add_node (self, node);
}

guint32
pen_chain_tree_get (PenChainTree *self, guint32 caller, const guint32 *frames, gsize n)
{
  PenChainNode node = { .parent = caller };

  for (gsize i = n; i-- > 0;) {
    node.frame = frames[i];
    node.parent = get_node (self, node);
    if (node.parent == 0)
      break;
  }
  return node.parent;
}

static inline guint64
hash_root (const PenChainTree *self, const PenChainRoots *roots)
{
  return hash_node (self, (PenChainNode){ .frame = roots->frames[0] });
}

void
pen_chain_tree_expect_slot (const PenChainTree *self, const PenChainRoots *roots)
{
  if (roots->n > 0)
    pen_hash_index_prefetch (&self->index, hash_root (self, roots));
}

void
pen_chain_tree_expect_node (const PenChainTree *self, const PenChainRoots *roots)
{
  guint32 index;

  if (roots->n == 0)
    return;
  index = pen_hash_index_find (&self->index, hash_root (self, roots), NULL, NULL, NULL);
  if (index != PEN_HASH_INDEX_NONE)
    __builtin_prefetch (get_place (self, index));
}

void
pen_chain_tree_expect_called (const PenChainTree *self, const PenChainRoots *roots)
{
  PenChainNode node = { .frame = roots->frames[0] };
  guint32 index;

  if (roots->n < 2)
    return;
  index = pen_hash_index_find (&self->index, hash_root (self, roots), is_same, self, &node);
  if (index == PEN_HASH_INDEX_NONE)
    return;
  node = (PenChainNode){ (guint32) self->first + index, roots->frames[1] };
  pen_hash_index_prefetch (&self->index, hash_node (self, node));
}

guint64
pen_chain_tree_get_first (PenChainTree *self)
{
  return self->first;
}

void
pen_chain_tree_stay_open (PenChainTree *self)
{
  self->is_open = TRUE;
}

static PenChainNode *
take_rest (PenChainTree *self, guint left)
{
  if (self->is_open)
    self->shown = self->taken + left;
  else
    self->taken += left;
  return g_memdup2 (get_place (self, self->n - left), left * sizeof (PenChainNode));
}

PenChainNode *
pen_chain_tree_take_block (PenChainTree *self, gboolean rest, guint32 *first, guint *n)
{
  guint left = self->n % PEN_BLOCK_CHAINS;
  PenChainNode *nodes = NULL;

  *first = (guint32) self->taken + 1;
  *n = 0;
  if (self->finished->len > 0) {
    *n = PEN_BLOCK_CHAINS;
    nodes = g_ptr_array_steal_index (self->finished, 0);
    self->taken += *n;
  } else if (rest && self->first + self->n - 1 > MAX (self->taken, self->shown)) {
    *n = left;
    nodes = take_rest (self, left);
  }
  return nodes;
}
