/* pen-numbers.h: pids and tids, numbered densely
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-binary-search.h"

G_BEGIN_DECLS

#define PEN_NUMBERS_NONE G_MAXUINT

/*
 * PenNumbers: a set of pids or tids, each with a place from 0 on. Searched by halving, not hashed:
 * the numbers come from the capture, and could be chosen to collide.
 */
typedef struct {
  GArray *values; /* gint32, sorted after pen_numbers_seal() */
} PenNumbers;

void pen_numbers_init (PenNumbers *self);
void pen_numbers_clear (PenNumbers *self);

void pen_numbers_add (PenNumbers *self, gint32 value);
void pen_numbers_seal (PenNumbers *self);

static inline guint
pen_numbers_find (const PenNumbers *self, gint32 value)
{
  const gint32 *values = (const gint32 *) (gpointer) self->values->data;
  guint low = PEN_BINARY_SEARCH (i, 0, self->values->len, values[i] < value);

  return low < self->values->len && values[low] == value ? low : PEN_NUMBERS_NONE;
}

G_END_DECLS
