/* pen-hash-index.h: a hash table of the indexes of an array
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <string.h>

#include "pen-large-pages.h"

G_BEGIN_DECLS

/* Indexes are below this. */
#define PEN_HASH_INDEX_MAX (1u << 22)
#define PEN_HASH_INDEX_NONE G_MAXUINT32
#define PEN_HASH_INDEX_FIRST_SLOTS 4096u

/*
 * PenHashIndex: for what is asked once per sample or frame, where a GHashTable would cost an
 * allocation per entry and two calls per look. Open addressing: each slot has an index and ten bits
 * of the hash, so that hardly any other element has to be looked at. Elements 0 to @n - 1 of the
 * array are in it.
 */
typedef struct {
  guint32 *slots;
  guint n_slots; /* a power of two */
  guint n;
} PenHashIndex;

/* The hash of element @index of the array that @owner has. These functions are known where they are
 * passed, so the compiler inlines them. */
typedef guint64 (*PenHashIndexHash) (gconstpointer owner, guint32 index);
typedef gboolean (*PenHashIndexIsSame) (gconstpointer owner, guint32 index, gconstpointer key);

/* All bits set: an empty slot. */
static inline guint32
pen_hash_index_tag (guint64 hash)
{
  guint32 tag = (guint32) (hash >> 54);

  return (tag == 1023 ? 0 : tag) << 22;
}

static inline void
pen_hash_index_resize (PenHashIndex *self, guint n_slots)
{
  self->n_slots = n_slots;
  g_free (self->slots);
  self->slots = g_new (guint32, n_slots);
  pen_large_pages_advise (self->slots, n_slots * sizeof *self->slots);
  memset (self->slots, 0xff, n_slots * sizeof *self->slots);
}

static inline void
pen_hash_index_init (PenHashIndex *self)
{
  *self = (PenHashIndex){ 0 };
  pen_hash_index_resize (self, PEN_HASH_INDEX_FIRST_SLOTS);
}

static inline void
pen_hash_index_clear (PenHashIndex *self)
{
  g_free (self->slots);
}

/* Forgets all. */
static inline void
pen_hash_index_empty (PenHashIndex *self)
{
  memset (self->slots, 0xff, self->n_slots * sizeof *self->slots);
  self->n = 0;
}

static inline void
pen_hash_index_prefetch (const PenHashIndex *self, guint64 hash)
{
  __builtin_prefetch (&self->slots[(guint) hash & (self->n_slots - 1)]);
}

/* Returns: the index of the element that is the same as @key, or PEN_HASH_INDEX_NONE. Without
 * @is_same: of the first that may be */
static inline guint32
pen_hash_index_find (const PenHashIndex *self, guint64 hash, PenHashIndexIsSame is_same,
                     gconstpointer owner, gconstpointer key)
{
  guint32 tag = pen_hash_index_tag (hash);
  guint mask = self->n_slots - 1;

  for (guint at = (guint) hash & mask; self->slots[at] != PEN_HASH_INDEX_NONE;
       at = (at + 1) & mask) {
    guint32 index = self->slots[at] & (PEN_HASH_INDEX_MAX - 1);

    if ((self->slots[at] ^ index) == tag && (!is_same || is_same (owner, index, key)))
      return index;
  }
  return PEN_HASH_INDEX_NONE;
}

static inline void
pen_hash_index_put (PenHashIndex *self, guint64 hash, guint32 index)
{
  guint mask = self->n_slots - 1;
  guint at = (guint) hash & mask;

  while (self->slots[at] != PEN_HASH_INDEX_NONE)
    at = (at + 1) & mask;
  self->slots[at] = pen_hash_index_tag (hash) | index;
}

/* So many elements are put at a time when it grows: each waits for its slot's memory. */
#define PEN_HASH_INDEX_TOGETHER 32u

/* Twice as many slots, for the same elements. */
static inline void
pen_hash_index_grow (PenHashIndex *self, PenHashIndexHash hash_of, gconstpointer owner)
{
  guint64 hashes[PEN_HASH_INDEX_TOGETHER];

  pen_hash_index_resize (self, 2 * self->n_slots);
  for (guint i = 0; i < self->n; i += PEN_HASH_INDEX_TOGETHER) {
    guint n = MIN (self->n - i, PEN_HASH_INDEX_TOGETHER);

    for (guint k = 0; k < n; k++) {
      hashes[k] = hash_of (owner, i + k);
      pen_hash_index_prefetch (self, hashes[k]);
    }
    for (guint k = 0; k < n; k++)
      pen_hash_index_put (self, hashes[k], i + k);
  }
}

/* Adds element @n, which @hash is of. @hash_of is asked for those before it only. */
static inline void
pen_hash_index_add (PenHashIndex *self, guint64 hash, PenHashIndexHash hash_of, gconstpointer owner)
{
  if (self->n >= self->n_slots / 2)
    pen_hash_index_grow (self, hash_of, owner);
  pen_hash_index_put (self, hash, self->n++);
}

G_END_DECLS
