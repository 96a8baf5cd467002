/* pen-tagged-slots.h: where things of an array are, by their hashes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* So many things can be found. */
#define PEN_TAGGED_SLOTS_MAX (1u << 22)
#define PEN_TAGGED_SLOTS_NONE G_MAXUINT32

/*
 * PenTaggedSlots: open addressing; each slot has the index of a thing and ten bits of its hash, so
 * that hardly any other thing has to be looked at
 */
typedef struct {
  guint32 *slots;
  guint n_slots; /* a power of two, or 0 */
  guint n;
} PenTaggedSlots;

#define PEN_TAGGED_SLOTS_FIRST 4096u

static inline guint32
pen_tagged_slots_tag (guint64 hash)
{
  guint32 tag = (guint32) (hash >> 54);

  /* All bits set: nothing there. */
  return (tag == 1023 ? 0 : tag) << 22;
}

/* Forgets all. */
static inline void
pen_tagged_slots_clear (PenTaggedSlots *self, guint n_slots)
{
  if (n_slots != self->n_slots) {
    g_free (self->slots);
    self->slots = g_new (guint32, n_slots);
    self->n_slots = n_slots;
  }
  self->n = 0;
  for (guint i = 0; i < n_slots; i++)
    self->slots[i] = PEN_TAGGED_SLOTS_NONE;
}

/*
 * pen_tagged_slots_find:
 * @slot: (inout): of the first call for @hash: any number; of those that follow: as it was left
 * @is_first: whether it is the first call
 *
 * Returns: the next index that may be of what has @hash, or PEN_TAGGED_SLOTS_NONE
 */
static inline guint32
pen_tagged_slots_find (const PenTaggedSlots *self, guint64 hash, guint *slot, gboolean is_first)
{
  guint32 tag = pen_tagged_slots_tag (hash);
  guint mask = self->n_slots - 1;

  *slot = (is_first ? (guint) hash : *slot + 1) & mask;
  for (; self->slots[*slot] != PEN_TAGGED_SLOTS_NONE; *slot = (*slot + 1) & mask)
    if ((self->slots[*slot] & ~(PEN_TAGGED_SLOTS_MAX - 1)) == tag)
      return self->slots[*slot] & (PEN_TAGGED_SLOTS_MAX - 1);
  return PEN_TAGGED_SLOTS_NONE;
}

/* Whether the slots are too few for one more. */
static inline gboolean
pen_tagged_slots_are_full (const PenTaggedSlots *self)
{
  return self->n >= self->n_slots / 2;
}

/* @index: below PEN_TAGGED_SLOTS_MAX; not there yet; the slots are not full. */
static inline void
pen_tagged_slots_add (PenTaggedSlots *self, guint64 hash, guint32 index)
{
  guint mask = self->n_slots - 1;
  guint slot = (guint) hash & mask;

  while (self->slots[slot] != PEN_TAGGED_SLOTS_NONE)
    slot = (slot + 1) & mask;
  self->slots[slot] = pen_tagged_slots_tag (hash) | index;
  self->n++;
}

G_END_DECLS
