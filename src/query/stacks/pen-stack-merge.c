/* pen-stack-merge.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-merge.h"

PenStackMerge *
pen_stack_merge_new (const PenStackTrie *trie, const guint8 *hidden, gboolean collapses_recursion,
                     gboolean keeps_first)
{
  PenStackMerge *self = g_new0 (PenStackMerge, 1);

  self->trie = pen_stack_trie_new ();
  self->nodes = g_new (guint32, trie->n);
  self->nodes[0] = 0;
  for (guint32 i = 1; i < trie->n; i++) {
    PenStackNode node = trie->nodes[i];
    guint32 caller = self->nodes[node.parent];
    gboolean is_hidden = hidden && hidden[node.group] && !(keeps_first && node.parent == 0);
    gboolean is_repeated
        = collapses_recursion && caller != 0 && self->trie->nodes[caller].group == node.group;

    self->nodes[i]
        = is_hidden || is_repeated ? caller : pen_stack_trie_get (self->trie, caller, node.group);
  }
  return self;
}

void
pen_stack_merge_free (PenStackMerge *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->trie, pen_stack_trie_free);
  g_free (self->nodes);
  g_free (self);
}
