/* pen-chain-tree.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-tree.h"

#include "pen-hash.h"

#define FIRST_SLOTS 4096u /* a power of two */
#define EMPTY G_MAXUINT32
/* Nodes that are remembered: 64 MiB with their slots. */
#define MAX_NODES (1u << 22)

struct _PenChainTree {
  GArray *nodes; /* PenChainNode: those with ids from first on */
  guint64 first;
  guint written;  /* of nodes */
  guint32 *slots; /* indexes of nodes, or EMPTY */
  guint n_slots;
  guint64 seed;
  GArray *blocks; /* PenChainBlock: to be taken */
};

static void
empty_slots (PenChainTree *self, guint n)
{
  self->n_slots = n;
  self->slots = g_renew (guint32, self->slots, n);
  for (guint i = 0; i < n; i++)
    self->slots[i] = EMPTY;
}

PenChainTree *
pen_chain_tree_new (void)
{
  PenChainTree *self = g_new0 (PenChainTree, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (PenChainNode));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (PenChainBlock));
  self->first = 1;
  self->seed = pen_hash_seed ();
  empty_slots (self, FIRST_SLOTS);

  return self;
}

void
pen_chain_tree_free (PenChainTree *self)
{
  if (self == NULL)
    return;

  for (guint i = 0; i < self->blocks->len; i++)
    g_free (g_array_index (self->blocks, PenChainBlock, i).nodes);
  g_array_unref (self->blocks);
  g_array_unref (self->nodes);
  g_free (self->slots);
  g_free (self);
}

static inline guint
first_slot (PenChainTree *self, PenChainNode node)
{
  guint64 hash = pen_hash_mix (self->seed, (guint64) node.parent << 32 | node.frame);

  return (guint) (hash >> 24) & (self->n_slots - 1);
}

static void
grow (PenChainTree *self)
{
  empty_slots (self, 2 * self->n_slots);
  for (guint i = 0; i < self->nodes->len; i++) {
    guint slot = first_slot (self, g_array_index (self->nodes, PenChainNode, i));

    while (self->slots[slot] != EMPTY)
      slot = (slot + 1) & (self->n_slots - 1);
    self->slots[slot] = i;
  }
}

static void
end_block (PenChainTree *self, guint n)
{
  PenChainBlock block = { .first = (guint32) self->first + self->written, .n = n };

  block.nodes = g_memdup2 (&g_array_index (self->nodes, PenChainNode, self->written),
                           n * sizeof (PenChainNode));
  g_array_append_val (self->blocks, block);
  self->written += n;
}

/* Room for one more node. */
static void
make_room (PenChainTree *self)
{
  if (self->nodes->len - self->written == PEN_BLOCK_CHAINS)
    end_block (self, PEN_BLOCK_CHAINS);

  /* A multiple of a block: all are handed out. */
  if (self->nodes->len == MAX_NODES) {
    self->first += MAX_NODES;
    self->written = 0;
    g_array_set_size (self->nodes, 0);
    empty_slots (self, self->n_slots);
  }
}

/* Returns: the node's id, or 0 if there are no more */
static guint32
get_node (PenChainTree *self, PenChainNode node)
{
  guint slot = first_slot (self, node);

  for (; self->slots[slot] != EMPTY; slot = (slot + 1) & (self->n_slots - 1)) {
    const PenChainNode *known = &g_array_index (self->nodes, PenChainNode, self->slots[slot]);

    if (known->parent == node.parent && known->frame == node.frame)
      return (guint32) self->first + self->slots[slot];
  }

  make_room (self);
  if (self->first + self->nodes->len >= EMPTY)
    return 0;
  /* The slots may have been emptied. */
  slot = first_slot (self, node);
  while (self->slots[slot] != EMPTY)
    slot = (slot + 1) & (self->n_slots - 1);

  self->slots[slot] = self->nodes->len;
  g_array_append_val (self->nodes, node);
  if (self->nodes->len > self->n_slots / 2)
    grow (self);

  return (guint32) (self->first + self->nodes->len - 1);
}

guint32
pen_chain_tree_get (PenChainTree *self, const guint32 *frames, gsize n)
{
  PenChainNode node = { 0 };

  for (gsize i = n; i-- > 0;) {
    node.frame = frames[i];
    node.parent = get_node (self, node);
    if (node.parent == 0)
      break;
  }

  return node.parent;
}

void
pen_chain_tree_take_blocks (PenChainTree *self, gboolean is_last, GArray *blocks)
{
  if (is_last && self->nodes->len > self->written)
    end_block (self, self->nodes->len - self->written);

  g_array_append_vals (blocks, self->blocks->data, self->blocks->len);
  g_array_set_size (self->blocks, 0);
}
