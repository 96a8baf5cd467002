/* pen-bucket-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-table.h"

#include "pen-hash-index.h"
#include "pen-hash.h"
#include "pen-mapped-memory.h"

/* Samples whose slots and buckets are fetched ahead: a look into a large table waits for memory,
 * and many may wait together. */
#define BATCH 64u

#define LENGTH ((gsize) PEN_BUCKET_TABLE_MAX * sizeof (PenBucket))

G_STATIC_ASSERT (sizeof (PenBucket) == 64);
G_STATIC_ASSERT (PEN_BUCKET_TABLE_MAX <= PEN_HASH_INDEX_MAX);

/* @buckets: mapped, so that each is in one line of the processor's cache */
struct _PenBucketTable {
  PenBucket *buckets;
  guint n;
  guint32 first;
  PenHashIndex index;
  guint64 seed;
};

PenBucketTable *
pen_bucket_table_new (void)
{
  PenBucketTable *self = g_new0 (PenBucketTable, 1);

  self->buckets = pen_mapped_memory_new (LENGTH);
  pen_large_pages_advise_rest (self->buckets, LENGTH);
  self->seed = pen_hash_seed ();
  pen_hash_index_init (&self->index);
  return self;
}

void
pen_bucket_table_free (PenBucketTable *self)
{
  pen_mapped_memory_free (self->buckets, LENGTH);
  pen_hash_index_clear (&self->index);
  g_free (self);
}

PenBucket *
pen_bucket_table_get_buckets (PenBucketTable *self, guint *n)
{
  if (n)
    *n = self->n;
  return self->buckets;
}

guint32
pen_bucket_table_get_first (PenBucketTable *self)
{
  return self->first;
}

void
pen_bucket_table_begin_generation (PenBucketTable *self)
{
  self->first += self->n;
  self->n = 0;
  pen_hash_index_empty (&self->index);
}

static inline guint64
hash_key (const PenBucketTable *self, guint64 address, guint32 tenure, guint32 revision,
          guint32 rest)
{
  guint64 hash = pen_hash_mix (self->seed, address);

  hash = pen_hash_mix (hash, (guint64) tenure << 32 | revision);
  return pen_hash_mix (hash, rest);
}

static inline guint64
hash_sample (const PenBucketTable *self, const PenPlacedSample *sample)
{
  return hash_key (self, sample->address, sample->tenure, sample->revision,
                   sample->event << 8 | (guint) sample->kind << 1 | sample->has_address);
}

static guint64
hash_of (gconstpointer owner, guint32 index)
{
  const PenBucketTable *self = owner;
  const PenBucket *bucket = &self->buckets[index];

  return hash_key (self, bucket->address, bucket->tenure, bucket->revision,
                   (guint) bucket->event << 8 | (guint) bucket->kind << 1
                       | (bucket->has_address != 0));
}

static inline gboolean
is_bucket_of (const PenBucket *bucket, const PenPlacedSample *sample)
{
  return bucket->address == sample->address && bucket->tenure == sample->tenure
         && bucket->revision == sample->revision && bucket->event == (int) sample->event
         && bucket->kind == (PenKind) sample->kind
         && (bucket->has_address != 0) == (sample->has_address != 0);
}

static gboolean
is_same (gconstpointer owner, guint32 index, gconstpointer key)
{
  const PenBucketTable *self = owner;

  return is_bucket_of (&self->buckets[index], key);
}

static PenBucket *
find_or_add (PenBucketTable *self, guint64 hash, const PenPlacedSample *sample)
{
  guint32 index = pen_hash_index_find (&self->index, hash, is_same, self, sample);
  PenBucket bucket = {
    .id = self->first + self->n,
    .event = (int) sample->event,
    .tenure = sample->tenure,
    .revision = sample->revision,
    .kind = sample->kind,
    .has_address = sample->has_address,
    .address = sample->address,
    .function = G_MAXUINT32,
  };

  if (index == PEN_HASH_INDEX_NONE) {
    g_assert (self->n < PEN_BUCKET_TABLE_MAX);
    index = self->n++;
    pen_hash_index_add (&self->index, hash, hash_of, self);
    self->buckets[index] = bucket;
  }
  return &self->buckets[index];
}

static inline void
count_sample (PenBucket *bucket, const PenPlacedSample *sample)
{
  if (sample->time != 0) {
    if (bucket->first == 0)
      bucket->first = sample->time;
    bucket->last = sample->time;
  }

  bucket->samples++;
  if ((sample->has & PEN_SAMPLE_HAS_PERIOD) != 0)
    bucket->period += sample->period;
}

static void
count_batch (PenBucketTable *self, const PenPlacedSample *samples, guint n, guint32 *ids)
{
  guint64 hashes[BATCH];
  guint32 guesses[BATCH];

  for (guint i = 0; i < n; i++) {
    hashes[i] = hash_sample (self, &samples[i]);
    pen_hash_index_prefetch (&self->index, hashes[i]);
  }

  for (guint i = 0; i < n; i++) {
    guesses[i] = pen_hash_index_find (&self->index, hashes[i], NULL, NULL, NULL);
    if (guesses[i] != PEN_HASH_INDEX_NONE)
      __builtin_prefetch (&self->buckets[guesses[i]], 1);
  }

  for (guint i = 0; i < n; i++) {
    PenBucket *bucket = NULL;

    if (guesses[i] != PEN_HASH_INDEX_NONE)
      bucket = &self->buckets[guesses[i]];
    if (G_UNLIKELY (!bucket || !is_bucket_of (bucket, &samples[i])))
      bucket = find_or_add (self, hashes[i], &samples[i]);

    count_sample (bucket, &samples[i]);
    ids[i] = bucket->id;
  }
}

void
pen_bucket_table_count (PenBucketTable *self, const PenPlacedSample *samples, guint n, guint32 *ids)
{
  for (guint i = 0; i < n; i += BATCH)
    count_batch (self, samples + i, MIN (BATCH, n - i), ids + i);
}
