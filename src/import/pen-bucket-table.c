/* pen-bucket-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-table.h"

#define FIRST_SLOTS 4096u /* a power of two */
#define EMPTY G_MAXUINT32

struct _PenBucketTable {
  GArray *buckets;
  guint32 *slots; /* indexes of buckets, or EMPTY */
  guint n_slots;
};

PenBucketTable *
pen_bucket_table_new (void)
{
  PenBucketTable *self = g_new0 (PenBucketTable, 1);

  self->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  self->n_slots = FIRST_SLOTS;
  self->slots = g_new (guint32, self->n_slots);
  for (guint i = 0; i < self->n_slots; i++)
    self->slots[i] = EMPTY;

  return self;
}

void
pen_bucket_table_free (PenBucketTable *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->buckets);
  g_free (self->slots);
  g_free (self);
}

GArray *
pen_bucket_table_get_buckets (PenBucketTable *self)
{
  return self->buckets;
}

/* The multiplier is 2^64 / φ: spreads addresses that differ in few bits. */
static inline guint64
bucket_hash (const PenBucket *key)
{
  guint64 hash = key->address * 0x9e3779b97f4a7c15u;

  hash ^= hash >> 32;
  hash += ((guint64) key->tenure << 32) | key->revision;
  hash *= 0x9e3779b97f4a7c15u;
  hash ^= (guint64) (guint) key->event << 8 | (guint) key->kind << 1 | (guint) key->has_address;
  hash *= 0x9e3779b97f4a7c15u;

  return hash ^ hash >> 29;
}

static inline gboolean
bucket_equal (const PenBucket *a, const PenBucket *b)
{
  return a->address == b->address && a->tenure == b->tenure && a->revision == b->revision
         && a->event == b->event && a->kind == b->kind && a->has_address == b->has_address;
}

static void
put_slot (PenBucketTable *self, guint32 index)
{
  guint mask = self->n_slots - 1;
  guint slot = (guint) bucket_hash (&g_array_index (self->buckets, PenBucket, index)) & mask;

  while (self->slots[slot] != EMPTY)
    slot = (slot + 1) & mask;

  self->slots[slot] = index;
}

static void
grow (PenBucketTable *self)
{
  self->n_slots *= 2;
  self->slots = g_renew (guint32, self->slots, self->n_slots);
  for (guint i = 0; i < self->n_slots; i++)
    self->slots[i] = EMPTY;
  for (guint i = 0; i < self->buckets->len; i++)
    put_slot (self, i);
}

PenBucket *
pen_bucket_table_get (PenBucketTable *self, const PenBucket *key)
{
  guint mask = self->n_slots - 1;
  guint slot = (guint) bucket_hash (key) & mask;
  PenBucket bucket;

  for (; self->slots[slot] != EMPTY; slot = (slot + 1) & mask) {
    PenBucket *found = &g_array_index (self->buckets, PenBucket, self->slots[slot]);

    if (bucket_equal (found, key))
      return found;
  }

  bucket = (PenBucket){
    .id = self->buckets->len,
    .event = key->event,
    .tenure = key->tenure,
    .revision = key->revision,
    .kind = key->kind,
    .has_address = key->has_address,
    .address = key->address,
  };
  g_array_append_val (self->buckets, bucket);
  self->slots[slot] = bucket.id;
  if (self->buckets->len > self->n_slots / 2)
    grow (self);

  return &g_array_index (self->buckets, PenBucket, bucket.id);
}
