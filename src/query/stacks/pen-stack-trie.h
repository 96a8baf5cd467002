/* pen-stack-trie.h: stacks as a tree from the outermost frame on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of 24 bytes each, with its slot. */
#define PEN_STACK_NODES_MAX (1u << 24)

typedef struct {
  guint32 parent;
  guint32 group;
} PenStackNode;

/*
 * PenStackTrie: a node is a group and the node of those that called it; equal stacks are one node
 * @nodes: node 0 is the root; a parent is less than its node
 * @slots: a node each, by a hash that is random for each table; 0: free
 * @is_full: there are more, and what was asked for is not all there
 */
typedef struct {
  PenStackNode *nodes;
  guint n;
  guint size;
  guint32 *slots;
  guint n_slots; /* a power of two */
  guint64 key[2];
  gboolean is_full;
} PenStackTrie;

PenStackTrie *pen_stack_trie_new (void);
void pen_stack_trie_free (PenStackTrie *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackTrie, pen_stack_trie_free)

/* The node of @group under @parent; 0: there is none. */
guint32 pen_stack_trie_find (const PenStackTrie *self, guint32 parent, guint32 group);

/* For pen_stack_trie_get(). */
guint32 pen_stack_trie_add (PenStackTrie *self, PenStackNode node);

static inline guint
pen_stack_trie_hash (const PenStackTrie *self, PenStackNode node)
{
  guint64 hash = (((guint64) node.parent << 32 | node.group) ^ self->key[0]) * self->key[1];

  hash ^= hash >> 32;
  hash *= self->key[1];
  return (guint) (hash >> 32);
}

/* For memory that is about to be looked at. */
static inline void
pen_stack_trie_prefetch_slot (const PenStackTrie *self, guint32 parent, guint32 group)
{
  guint hash = pen_stack_trie_hash (self, (PenStackNode){ parent, group });

  __builtin_prefetch (&self->slots[hash & (self->n_slots - 1)]);
}

/* Returns: which node that most likely is; 0: there is none yet */
static inline guint32
pen_stack_trie_prefetch_node (const PenStackTrie *self, guint32 parent, guint32 group)
{
  guint hash = pen_stack_trie_hash (self, (PenStackNode){ parent, group });
  guint32 index = self->slots[hash & (self->n_slots - 1)];

  __builtin_prefetch (&self->nodes[index]);
  return index;
}

/* The node of @group under @parent, which is made if there is none; @parent where there are too
 * many. */
static inline guint32
pen_stack_trie_get (PenStackTrie *self, guint32 parent, guint32 group)
{
  PenStackNode node = { parent, group };
  guint mask = self->n_slots - 1;
  guint at = pen_stack_trie_hash (self, node) & mask;
  guint32 index;

  while ((index = self->slots[at]) != 0) {
    if (self->nodes[index].parent == parent && self->nodes[index].group == group)
      return index;
    at = (at + 1) & mask;
  }
  return pen_stack_trie_add (self, node);
}

G_END_DECLS
