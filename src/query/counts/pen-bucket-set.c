/* pen-bucket-set.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-set.h"

#include "pen-store-buckets.h"

static PenBucketSet *
set_new (void)
{
  PenBucketSet *self = g_new0 (PenBucketSet, 1);

  self->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  self->functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pen_bucket_set_free (PenBucketSet *self)
{
  g_array_unref (self->buckets);
  g_array_unref (self->functions);
  g_free (self->slots);
  g_free (self);
}

static void
add_bucket (PenBucketSet *self, const PenBucket *bucket)
{
  guint n = self->functions->len;

  g_array_append_val (self->buckets, *bucket);
  if (n == 0 || g_array_index (self->functions, guint32, n - 1) != bucket->function)
    g_array_append_val (self->functions, bucket->function);
}

/* At least half of the slots stay free. */
static void
index_buckets (PenBucketSet *self)
{
  guint n_slots = 16;
  guint32 mask;

  self->shift = 28;
  while (n_slots < 2 * (guint64) self->buckets->len && self->shift > 1) {
    n_slots *= 2;
    self->shift--;
  }
  mask = n_slots - 1;
  self->slots = g_new0 (guint32, n_slots);
  for (guint i = 0; i < self->buckets->len; i++) {
    guint32 slot = (pen_bucket_set_get (self, i)->id * PEN_BUCKET_SET_HASH) >> self->shift;

    while (self->slots[slot] != 0)
      slot = (slot + 1) & mask;
    self->slots[slot] = i + 1;
  }
}

PenBucketSet *
pen_bucket_set_new (PenQuery *query, const GArray *functions, PenBucketTest test,
                    gpointer user_data, GError **error)
{
  g_autoptr (PenBucketSet) self = set_new ();

  for (guint i = 0; i < functions->len; i++) {
    g_autoptr (GArray) buckets = pen_store_load_function_buckets (
        query->store, g_array_index (functions, guint32, i), error);

    if (!buckets)
      return NULL;
    for (guint j = 0; j < buckets->len; j++) {
      const PenBucket *bucket = &g_array_index (buckets, PenBucket, j);

      if (!test || test (bucket, user_data))
        add_bucket (self, bucket);
    }
  }
  index_buckets (self);
  return g_steal_pointer (&self);
}

PenBucketSet *
pen_bucket_set_new_part (const PenBucketSet *set, const GArray *indexes)
{
  PenBucketSet *self = set_new ();

  for (guint i = 0; i < indexes->len; i++)
    add_bucket (self, pen_bucket_set_get (set, g_array_index (indexes, guint, i)));
  index_buckets (self);
  return self;
}
