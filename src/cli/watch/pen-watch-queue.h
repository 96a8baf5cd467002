/* pen-watch-queue.h: records of several CPUs, put in order of time in bounded memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record.h"

G_BEGIN_DECLS

/* Records that wait, and their bytes; beyond that the earliest do not wait any longer. */
#define PEN_WATCH_WAITING_MAX 65536u
#define PEN_WATCH_WAITING_BYTES (16u << 20)

/*
 * PenWatchItem: a record with its own copy of its bytes
 * @number: in the order of arrival
 * @poke: of those in order of time, from 0: for who keeps the item
 */
typedef struct {
  guint64 time;
  guint64 number;
  guint64 poke;
  PenRecord record; /* its strings and bytes are @bytes */
  guint32 size;
  guint8 bytes[];
} PenWatchItem;

PenWatchItem *pen_watch_item_new (const guint8 *bytes, guint32 size);

typedef struct _PenWatchQueue PenWatchQueue;

PenWatchQueue *pen_watch_queue_new (void);
void pen_watch_queue_free (PenWatchQueue *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWatchQueue, pen_watch_queue_free)

/* @item: (transfer full): with its time. Cost: amortised O(log n) */
void pen_watch_queue_add (PenWatchQueue *self, PenWatchItem *item);

/* Records before @until, and those for which there is no room, come out of it, by time, then in the
 * order in which they came. Returns: (transfer full) (nullable): NULL: no more */
PenWatchItem *pen_watch_queue_take (PenWatchQueue *self, guint64 until);

guint pen_watch_queue_get_length (PenWatchQueue *self);

G_END_DECLS
