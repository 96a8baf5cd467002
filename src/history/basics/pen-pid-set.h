/* pen-pid-set.h: a sorted set of pids or tids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-binary-search.h"

G_BEGIN_DECLS

#define PEN_PID_SET_NONE G_MAXUINT

/*
 * PenPidSet: a set of pids or tids, each with a place from 0 on. Searched by halving, not hashed:
 * the numbers come from the capture, and could be chosen to collide.
 */
typedef struct {
  GArray *values; /* gint32, sorted after pen_pid_set_seal() */
} PenPidSet;

void pen_pid_set_init (PenPidSet *self);
void pen_pid_set_clear (PenPidSet *self);

void pen_pid_set_add (PenPidSet *self, gint32 value);
void pen_pid_set_seal (PenPidSet *self);

static inline guint
pen_pid_set_find (const PenPidSet *self, gint32 value)
{
  const gint32 *values = (const gint32 *) (gpointer) self->values->data;
  guint low = PEN_BINARY_SEARCH (i, 0, self->values->len, values[i] < value);

  return low < self->values->len && values[low] == value ? low : PEN_PID_SET_NONE;
}

G_END_DECLS
