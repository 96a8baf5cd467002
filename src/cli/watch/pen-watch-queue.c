/* pen-watch-queue.c: a binary heap
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-queue.h"

#include <string.h>

struct _PenWatchQueue {
  GPtrArray *heap; /* PenWatchItem */
  gsize bytes;
  guint64 n_added;
};

PenWatchItem *
pen_watch_item_new (const guint8 *bytes, guint32 size)
{
  PenWatchItem *item = g_malloc0 (sizeof *item + size);

  item->size = size;
  memcpy (item->bytes, bytes, size);
  return item;
}

PenWatchQueue *
pen_watch_queue_new (void)
{
  PenWatchQueue *self = g_new0 (PenWatchQueue, 1);

  self->heap = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
pen_watch_queue_free (PenWatchQueue *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->heap);
  g_free (self);
}

static gboolean
is_before (const PenWatchItem *a, const PenWatchItem *b)
{
  return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static gsize
measure (const PenWatchItem *item)
{
  return sizeof *item + item->size;
}

static void
swap (gpointer *all, guint a, guint b)
{
  gpointer kept = all[a];

  all[a] = all[b];
  all[b] = kept;
}

void
pen_watch_queue_add (PenWatchQueue *self, PenWatchItem *item)
{
  gpointer *all;

  item->number = self->n_added++;
  self->bytes += measure (item);
  g_ptr_array_add (self->heap, item);
  all = self->heap->pdata;
  for (guint i = self->heap->len - 1; i > 0 && is_before (all[i], all[(i - 1) / 2]);
       i = (i - 1) / 2)
    swap (all, i, (i - 1) / 2);
}

static void
sink (PenWatchQueue *self)
{
  gpointer *all = self->heap->pdata;
  guint n = self->heap->len;
  guint i = 0;

  for (;;) {
    guint least = i;

    for (guint child = 2 * i + 1; child <= 2 * i + 2; child++)
      if (child < n && is_before (all[child], all[least]))
        least = child;
    if (least == i)
      return;
    swap (all, i, least);
    i = least;
  }
}

PenWatchItem *
pen_watch_queue_take (PenWatchQueue *self, guint64 until)
{
  gboolean is_full
      = self->heap->len > PEN_WATCH_WAITING_MAX || self->bytes > PEN_WATCH_WAITING_BYTES;
  PenWatchItem *first = self->heap->len > 0 ? self->heap->pdata[0] : NULL;

  if (!first || (first->time >= until && !is_full))
    return NULL;
  self->heap->pdata[0] = self->heap->pdata[self->heap->len - 1];
  self->heap->pdata[self->heap->len - 1] = NULL;
  g_ptr_array_set_size (self->heap, (gint) self->heap->len - 1);
  sink (self);
  self->bytes -= measure (first);
  return first;
}

guint
pen_watch_queue_get_length (PenWatchQueue *self)
{
  return self->heap->len;
}
