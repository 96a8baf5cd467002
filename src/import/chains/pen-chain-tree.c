/* pen-chain-tree.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-tree.h"

#include "pen-hash.h"
#include "pen-tagged-slots.h"

/* Nodes that are remembered: 32 MiB with their slots. */
#define MAX_NODES (PEN_TAGGED_SLOTS_MAX / 2)

struct _PenChainTree {
  PenChainNode *blocks[MAX_NODES / PEN_BLOCK_CHAINS]; /* nodes with ids from first on */
  guint n;                                            /* of these nodes */
  guint64 first;
  PenTaggedSlots slots;
  PenHashKey key;
  GPtrArray *finished; /* PenChainNode *: blocks that were not taken */
  guint64 taken;       /* nodes, since the beginning */
};

PenChainTree *
pen_chain_tree_new (void)
{
  PenChainTree *self = g_new0 (PenChainTree, 1);

  self->first = 1;
  self->key = pen_hash_key ();
  self->finished = g_ptr_array_new_with_free_func (g_free);
  pen_tagged_slots_clear (&self->slots, PEN_TAGGED_SLOTS_FIRST);
  return self;
}

void
pen_chain_tree_free (PenChainTree *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    g_free (self->blocks[i]);
  g_ptr_array_unref (self->finished);
  g_free (self->slots.slots);
  g_free (self);
}

static inline PenChainNode *
get_place (PenChainTree *self, guint index)
{
  return &self->blocks[index / PEN_BLOCK_CHAINS][index % PEN_BLOCK_CHAINS];
}

static inline guint64
hash_node (PenChainTree *self, PenChainNode node)
{
  return pen_hash_pair (&self->key, node.parent, node.frame);
}

static void
grow (PenChainTree *self)
{
  pen_tagged_slots_clear (&self->slots, 2 * self->slots.n_slots);
  for (guint i = 0; i < self->n; i++)
    pen_tagged_slots_add (&self->slots, hash_node (self, *get_place (self, i)), i);
}

static void
finish_block (PenChainTree *self, guint block)
{
  g_ptr_array_add (self->finished,
                   g_memdup2 (self->blocks[block], PEN_BLOCK_CHAINS * sizeof *self->blocks[block]));
}

/* Returns: its id, or 0 if there are no more */
static guint32
add_node (PenChainTree *self, PenChainNode node, guint64 hash)
{
  guint block;

  if (self->first + self->n >= G_MAXUINT32)
    return 0;

  if (self->n == MAX_NODES) {
    /* A multiple of a block: all are finished. */
    self->first += MAX_NODES;
    self->n = 0;
    pen_tagged_slots_clear (&self->slots, self->slots.n_slots);
  }
  if (pen_tagged_slots_are_full (&self->slots))
    grow (self);

  block = self->n / PEN_BLOCK_CHAINS;
  if (!self->blocks[block])
    self->blocks[block] = g_new (PenChainNode, PEN_BLOCK_CHAINS);
  pen_tagged_slots_add (&self->slots, hash, self->n);
  *get_place (self, self->n) = node;
  if (++self->n % PEN_BLOCK_CHAINS == 0)
    finish_block (self, block);
  return (guint32) (self->first + self->n - 1);
}

static guint32
get_node (PenChainTree *self, PenChainNode node)
{
  guint64 hash = hash_node (self, node);
  guint slot = 0;
  guint32 index = pen_tagged_slots_find (&self->slots, hash, &slot, TRUE);

  while (index != PEN_TAGGED_SLOTS_NONE) {
    const PenChainNode *known = get_place (self, index);

    if (known->parent == node.parent && known->frame == node.frame)
      return (guint32) self->first + index;
    index = pen_tagged_slots_find (&self->slots, hash, &slot, FALSE);
  }
  return add_node (self, node, hash);
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
  } else if (rest && self->first + self->n - 1 > self->taken) {
    *n = left;
    nodes = g_memdup2 (get_place (self, self->n - left), left * sizeof *nodes);
  }
  self->taken += *n;
  return nodes;
}
