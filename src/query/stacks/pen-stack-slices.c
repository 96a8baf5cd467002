/* pen-stack-slices.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-slices.h"

static void
clear_slice (gpointer data)
{
  PenStackSlice *slice = data;

  g_clear_pointer (&slice->own, g_free);
}

PenStackSlices *
pen_stack_slices_new (gsize limit)
{
  PenStackSlices *self = g_new0 (PenStackSlices, 1);

  self->slices = g_array_new (FALSE, FALSE, sizeof (PenStackSlice));
  g_array_set_clear_func (self->slices, clear_slice);
  self->step = 1;
  self->limit = limit;
  return self;
}

void
pen_stack_slices_free (PenStackSlices *self)
{
  if (!self)
    return;
  g_array_unref (self->slices);
  g_free (self);
}

/* The first one, of no blocks, stays. */
static void
forget_half (PenStackSlices *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->slices->len; i++) {
    PenStackSlice *slice = &g_array_index (self->slices, PenStackSlice, i);

    if (i % 2 != 0) {
      self->size -= slice->n * sizeof *slice->own;
      clear_slice (slice);
      continue;
    }
    g_array_index (self->slices, PenStackSlice, kept) = *slice;
    if (kept++ != i)
      slice->own = NULL;
  }
  g_array_set_size (self->slices, kept);
  self->step *= 2;
}

void
pen_stack_slices_finish (PenStackSlices *self, guint block, const PenStackCount *own, guint n)
{
  PenStackSlice slice = { block, block > 0 ? n : 0, NULL };

  slice.own = g_memdup2 (own, slice.n * sizeof *own);
  self->size += slice.n * sizeof *own;
  g_array_append_val (self->slices, slice);
}

void
pen_stack_slices_note (PenStackSlices *self, guint block, const PenStackCount *own, guint n)
{
  guint n_slices = self->slices->len;

  if (n_slices > 0
      && block < g_array_index (self->slices, PenStackSlice, n_slices - 1).block + self->step)
    return;
  pen_stack_slices_finish (self, block, own, n);
  while (self->size > self->limit && self->slices->len > 2)
    forget_half (self);
}

gboolean
pen_stack_slices_find (const PenStackSlices *self, guint *first, guint *end,
                       const PenStackSlice **before, const PenStackSlice **after)
{
  *before = *after = NULL;
  for (guint i = 0; i < self->slices->len; i++) {
    const PenStackSlice *slice = &g_array_index (self->slices, PenStackSlice, i);

    if (!*before && slice->block >= *first)
      *before = slice;
    if (slice->block <= *end)
      *after = slice;
  }
  if (!*before || !*after || (*before)->block >= (*after)->block)
    return FALSE;
  *first = (*before)->block;
  *end = (*after)->block;
  return TRUE;
}
