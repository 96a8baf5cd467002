/* pen-stack-trie.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-trie.h"

#define FIRST_SLOTS 65536u

static guint64
get_random (void)
{
  return (guint64) g_random_int () << 32 | g_random_int ();
}

PenStackTrie *
pen_stack_trie_new (void)
{
  PenStackTrie *self = g_new0 (PenStackTrie, 1);

  self->n_slots = FIRST_SLOTS;
  self->slots = g_new0 (guint32, self->n_slots);
  self->size = FIRST_SLOTS / 2;
  self->nodes = g_new (PenStackNode, self->size);
  self->nodes[0] = (PenStackNode){ 0, G_MAXUINT32 };
  self->n = 1;
  self->key[0] = get_random ();
  self->key[1] = get_random () | 1;
  return self;
}

void
pen_stack_trie_free (PenStackTrie *self)
{
  if (!self)
    return;
  g_free (self->nodes);
  g_free (self->slots);
  g_free (self);
}

guint32
pen_stack_trie_find (const PenStackTrie *self, guint32 parent, guint32 group)
{
  guint mask = self->n_slots - 1;
  guint at = pen_stack_trie_hash (self, (PenStackNode){ parent, group }) & mask;
  guint32 index;

  while ((index = self->slots[at]) != 0) {
    if (self->nodes[index].parent == parent && self->nodes[index].group == group)
      break;
    at = (at + 1) & mask;
  }
  return index;
}

static void
put (PenStackTrie *self, guint32 index)
{
  guint mask = self->n_slots - 1;
  guint at = pen_stack_trie_hash (self, self->nodes[index]) & mask;

  while (self->slots[at] != 0)
    at = (at + 1) & mask;
  self->slots[at] = index;
}

static void
grow (PenStackTrie *self)
{
  self->size *= 2;
  self->nodes = g_renew (PenStackNode, self->nodes, self->size);
  g_free (self->slots);
  self->n_slots *= 2;
  self->slots = g_new0 (guint32, self->n_slots);
  for (guint32 i = 1; i < self->n; i++)
    put (self, i);
}

guint32
pen_stack_trie_add (PenStackTrie *self, PenStackNode node)
{
  if (self->n == PEN_STACK_NODES_MAX) {
    self->is_full = TRUE;
    return node.parent;
  }
  if (self->n == self->size)
    grow (self);
  self->nodes[self->n] = node;
  put (self, self->n);
  return self->n++;
}
