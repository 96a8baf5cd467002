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

static gboolean
write_block (PenChainTree *self, guint n, PenStoreWriter *writer, GError **error)
{
  guint32 first = (guint32) self->first + self->written;

  if (!pen_store_writer_add_chains (
          writer, first, &g_array_index (self->nodes, PenChainNode, self->written), n, error))
    return FALSE;
  self->written += n;

  return TRUE;
}

/* Room for one more node. */
static gboolean
make_room (PenChainTree *self, PenStoreWriter *writer, GError **error)
{
  if (self->nodes->len - self->written == PEN_BLOCK_CHAINS
      && !write_block (self, PEN_BLOCK_CHAINS, writer, error))
    return FALSE;

  /* A multiple of a block: all are written. */
  if (self->nodes->len == MAX_NODES) {
    self->first += MAX_NODES;
    self->written = 0;
    g_array_set_size (self->nodes, 0);
    empty_slots (self, self->n_slots);
  }

  return TRUE;
}

/* Returns: the node's id, 0 if there are no more, or EMPTY with @error */
static guint32
get_node (PenChainTree *self, PenChainNode node, PenStoreWriter *writer, GError **error)
{
  guint slot = first_slot (self, node);

  for (; self->slots[slot] != EMPTY; slot = (slot + 1) & (self->n_slots - 1)) {
    const PenChainNode *known = &g_array_index (self->nodes, PenChainNode, self->slots[slot]);

    if (known->parent == node.parent && known->frame == node.frame)
      return (guint32) self->first + self->slots[slot];
  }

  if (!make_room (self, writer, error))
    return EMPTY;
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

gboolean
pen_chain_tree_get (PenChainTree *self, const guint32 *frames, gsize n, PenStoreWriter *writer,
                    guint32 *chain, GError **error)
{
  PenChainNode node = { 0 };

  for (gsize i = n; i-- > 0;) {
    node.frame = frames[i];
    node.parent = get_node (self, node, writer, error);
    if (node.parent == EMPTY)
      return FALSE;
    if (node.parent == 0)
      break;
  }
  *chain = node.parent;

  return TRUE;
}

gboolean
pen_chain_tree_finish (PenChainTree *self, PenStoreWriter *writer, GError **error)
{
  guint left = self->nodes->len - self->written;

  return left == 0 || write_block (self, left, writer, error);
}
