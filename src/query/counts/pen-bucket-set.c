/* pen-bucket-set.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-set.h"

#include "pen-compare.h"
#include "pen-store-buckets.h"
#include "pen-table-hash.h"

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

typedef struct {
  PenBucket bucket;
  guint rank;  /* of its function, in those asked for */
  guint order; /* as the store has them */
} Found;

typedef struct {
  GHashTable *ranks; /* function → rank */
  PenBucketTest test;
  gpointer user_data;
  GArray *found; /* Found */
} Search;

static void
take_bucket (const PenBucket *bucket, gpointer user_data)
{
  Search *search = user_data;
  Found found = { *bucket, 0, search->found->len };

  if (search->test && !search->test (bucket, search->user_data))
    return;
  found.rank
      = GPOINTER_TO_UINT (g_hash_table_lookup (search->ranks, GUINT_TO_POINTER (bucket->function)));
  g_array_append_val (search->found, found);
}

static int
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *x = a;
  const Found *y = b;
  int order = PEN_COMPARE (x->rank, y->rank);

  return order != 0 ? order : PEN_COMPARE (x->order, y->order);
}

PenBucketSet *
pen_bucket_set_new (PenQuery *query, const GArray *functions, PenBucketTest test,
                    gpointer user_data, GError **error)
{
  g_autoptr (PenBucketSet) self = set_new ();
  g_autoptr (GHashTable) ranks = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  Search search = { ranks, test, user_data, found };

  for (guint i = 0; i < functions->len; i++)
    g_hash_table_insert (ranks, GUINT_TO_POINTER (g_array_index (functions, guint32, i)),
                         GUINT_TO_POINTER (i));
  if (!pen_store_foreach_bucket_of (query->store, functions, take_bucket, &search, error))
    return NULL;
  g_array_sort (found, compare_found);
  for (guint i = 0; i < found->len; i++)
    add_bucket (self, &g_array_index (found, Found, i).bucket);
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
