/* pen-bucket-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-table.h"

#include "pen-hash.h"
#include "pen-store.h"

#define FIRST_SLOTS 4096u /* a power of two */
#define EMPTY G_MAXUINT32
/* Samples whose slots and buckets are fetched ahead: a look into a large table waits for memory,
 * and many may wait together. */
#define BATCH 64u

typedef struct {
  guint32 tag; /* of the hash, so that few buckets of other keys are looked at */
  guint32 index;
} Slot;

struct _PenBucketTable {
  GArray *buckets;
  guint32 first;
  Slot *slots;
  guint n_slots;
  guint64 seed;
};

static void
empty_slots (PenBucketTable *self, guint n)
{
  self->n_slots = n;
  self->slots = g_renew (Slot, self->slots, n);
  for (guint i = 0; i < n; i++)
    self->slots[i].index = EMPTY;
}

PenBucketTable *
pen_bucket_table_new (void)
{
  PenBucketTable *self = g_new0 (PenBucketTable, 1);

  self->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  self->seed = pen_hash_seed ();
  empty_slots (self, FIRST_SLOTS);
  return self;
}

void
pen_bucket_table_free (PenBucketTable *self)
{
  g_array_unref (self->buckets);
  g_free (self->slots);
  g_free (self);
}

GArray *
pen_bucket_table_get_buckets (PenBucketTable *self)
{
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
  self->first += self->buckets->len;
  g_array_set_size (self->buckets, 0);
  empty_slots (self, self->n_slots);
}

static inline guint64
hash_key (PenBucketTable *self, guint64 address, guint32 tenure, guint32 revision, guint32 rest)
{
  guint64 hash = pen_hash_mix (self->seed, address);

  hash = pen_hash_mix (hash, (guint64) tenure << 32 | revision);
  return pen_hash_mix (hash, rest);
}

static inline guint64
hash_sample (PenBucketTable *self, const PenPlacedSample *sample)
{
  return hash_key (self, sample->address, sample->tenure, sample->revision,
                   sample->event << 8 | (guint) sample->kind << 1 | sample->has_address);
}

static inline guint64
hash_bucket (PenBucketTable *self, const PenBucket *bucket)
{
  return hash_key (self, bucket->address, bucket->tenure, bucket->revision,
                   (guint) bucket->event << 8 | (guint) bucket->kind << 1
                       | (bucket->has_address != 0));
}

static inline guint
first_slot (PenBucketTable *self, guint64 hash)
{
  return (guint) hash & (self->n_slots - 1);
}

static inline guint
next_slot (PenBucketTable *self, guint slot)
{
  return (slot + 1) & (self->n_slots - 1);
}

static inline guint32
get_tag (guint64 hash)
{
  return (guint32) (hash >> 32);
}

static inline gboolean
is_bucket_of (const PenBucket *bucket, const PenPlacedSample *sample)
{
  return bucket->address == sample->address && bucket->tenure == sample->tenure
         && bucket->revision == sample->revision && bucket->event == (int) sample->event
         && bucket->kind == (PenKind) sample->kind
         && (bucket->has_address != 0) == (sample->has_address != 0);
}

static void
put_slot (PenBucketTable *self, guint64 hash, guint32 index)
{
  guint slot = first_slot (self, hash);

  while (self->slots[slot].index != EMPTY)
    slot = next_slot (self, slot);

  self->slots[slot] = (Slot){ get_tag (hash), index };
}

static void
grow (PenBucketTable *self)
{
  empty_slots (self, 2 * self->n_slots);
  for (guint i = 0; i < self->buckets->len; i++)
    put_slot (self, hash_bucket (self, &g_array_index (self->buckets, PenBucket, i)), i);
}

/* The first bucket with this hash's tag, or EMPTY: nearly always the one that is looked for. */
static inline guint32
guess (PenBucketTable *self, guint64 hash)
{
  for (guint slot = first_slot (self, hash); self->slots[slot].index != EMPTY;
       slot = next_slot (self, slot))
    if (self->slots[slot].tag == get_tag (hash))
      return self->slots[slot].index;
  return EMPTY;
}

static PenBucket *
find_or_add (PenBucketTable *self, guint64 hash, const PenPlacedSample *sample)
{
  PenBucket bucket = {
    .id = self->first + self->buckets->len,
    .event = (int) sample->event,
    .tenure = sample->tenure,
    .revision = sample->revision,
    .kind = sample->kind,
    .has_address = sample->has_address,
    .address = sample->address,
    .function = G_MAXUINT32,
  };

  for (guint slot = first_slot (self, hash); self->slots[slot].index != EMPTY;
       slot = next_slot (self, slot)) {
    PenBucket *known = &g_array_index (self->buckets, PenBucket, self->slots[slot].index);

    if (self->slots[slot].tag == get_tag (hash) && is_bucket_of (known, sample))
      return known;
  }

  put_slot (self, hash, self->buckets->len);
  g_array_append_val (self->buckets, bucket);
  if (self->buckets->len > self->n_slots / 2)
    grow (self);
  return &g_array_index (self->buckets, PenBucket, self->buckets->len - 1);
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
    __builtin_prefetch (&self->slots[first_slot (self, hashes[i])]);
  }

  for (guint i = 0; i < n; i++) {
    guesses[i] = guess (self, hashes[i]);
    if (guesses[i] != EMPTY) {
      const PenBucket *bucket = &g_array_index (self->buckets, PenBucket, guesses[i]);

      __builtin_prefetch (bucket, 1);
      __builtin_prefetch (&bucket->last, 1);
    }
  }

  for (guint i = 0; i < n; i++) {
    PenBucket *bucket = NULL;

    if (guesses[i] != EMPTY)
      bucket = &g_array_index (self->buckets, PenBucket, guesses[i]);
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
