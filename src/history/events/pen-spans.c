/* pen-spans.c: ranges of addresses that do not overlap, each with a value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-spans.h"

struct _PenSpans {
  GTree *tree; /* PenSpan by start: a key is its own value */
};

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const PenSpan *first = a;
  const PenSpan *second = b;

  return first->start < second->start ? -1 : first->start > second->start;
}

PenSpans *
pen_spans_new (void)
{
  PenSpans *self = g_new0 (PenSpans, 1);

  self->tree = g_tree_new_full (compare_starts, NULL, g_free, NULL);
  return self;
}

void
pen_spans_free (PenSpans *self)
{
  if (!self)
    return;
  g_tree_unref (self->tree);
  g_free (self);
}

static PenSpan *
find_span (PenSpans *self, guint64 start, guint64 end)
{
  PenSpan probe = { .start = start };
  GTreeNode *above = g_tree_upper_bound (self->tree, &probe);
  GTreeNode *below = above ? g_tree_node_previous (above) : g_tree_node_last (self->tree);
  PenSpan *span;

  if (below) {
    span = g_tree_node_key (below);
    if (span->end > start)
      return span;
  }
  if (above) {
    span = g_tree_node_key (above);
    if (span->start < end)
      return span;
  }
  return NULL;
}

const PenSpan *
pen_spans_find (PenSpans *self, guint64 start, guint64 end)
{
  return find_span (self, start, end);
}

static void
add_span (PenSpans *self, guint64 start, guint64 end, guint32 value)
{
  PenSpan *span = g_new (PenSpan, 1);

  *span = (PenSpan){ .start = start, .end = end, .value = value };
  g_tree_insert (self->tree, span, span);
}

void
pen_spans_clear (PenSpans *self, guint64 start, guint64 end, PenSpanLostFunc lost,
                 PenSpanLeftFunc left, gpointer user_data)
{
  PenSpan *span;

  g_return_if_fail (start < end);

  while ((span = find_span (self, start, end))) {
    PenSpan old = *span;

    if (lost)
      lost (&old, user_data);

    if (old.start < start) {
      span->end = start;
      span->value = left ? left (&old, old.start, start, user_data) : old.value;
    } else {
      g_tree_remove (self->tree, span);
    }
    if (old.end > end)
      add_span (self, end, old.end, left ? left (&old, end, old.end, user_data) : old.value);
  }
}

void
pen_spans_take (PenSpans *self, guint64 start, guint64 end, guint32 value, PenSpanLostFunc lost,
                PenSpanLeftFunc left, gpointer user_data)
{
  pen_spans_clear (self, start, end, lost, left, user_data);
  add_span (self, start, end, value);
}

guint
pen_spans_count (PenSpans *self)
{
  return (guint) g_tree_nnodes (self->tree);
}

void
pen_spans_foreach (PenSpans *self, PenSpanFunc func, gpointer user_data)
{
  for (GTreeNode *node = g_tree_node_first (self->tree); node; node = g_tree_node_next (node))
    func (g_tree_node_key (node), user_data);
}
