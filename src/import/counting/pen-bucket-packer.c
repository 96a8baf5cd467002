/* pen-bucket-packer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-packer.h"

#include <string.h>

#include "pen-key-sort.h"
#include "pen-store-buckets.h"

#define FEW_KEYS 16
/* How many buckets ahead memory is asked for: they lie in it as they came. */
#define PREFETCH 32
/* Buckets for which no thread is started. */
#define FEW_BUCKETS (2u * PEN_BLOCK_BUCKETS)
/* Keys that are sorted between two looks at the cancellable, about. */
#define CANCEL_KEYS 8192u

typedef struct {
  PenPackedBuckets packed; /* without bytes: it was cancelled */
  GArray *places;          /* PenSampledPlace */
} Block;

/*
 * @keys: indexes of the buckets, and what they are sorted by; @other: room for as many
 * @is_done: all blocks are there
 * @at: the block that was taken last, plus one
 */
struct _PenBucketPacker {
  const PenBucket *buckets;
  guint n;
  PenHistory *history;
  GCancellable *cancellable;
  PenSortKey *keys;
  PenSortKey *other;
  Block *blocks;
  guint n_blocks;
  GThread *thread; /* or NULL */
  gboolean is_done;
  guint at;
};

/* What one of the two threads does: keys, or blocks, from @begin on, before @end. */
typedef struct {
  PenBucketPacker *packer;
  guint begin;
  guint end;
} Share;

/* ---- order ---- */

/* Few keys: each is moved to its place. */
static void
sort_few (PenSortKey *keys, guint n)
{
  for (guint i = 1; i < n; i++) {
    PenSortKey key = keys[i];
    guint k = i;

    for (; k > 0 && keys[k - 1].value > key.value; k--)
      keys[k] = keys[k - 1];
    keys[k] = key;
  }
}

/* More of them, but of one function: byte by byte, and those in which no two differ not at all.
 * @other: room for as many */
static void
sort_bytes (PenSortKey *keys, guint n, PenSortKey *other)
{
  PenSortKey *from = keys;
  guint64 differing = 0;

  for (guint i = 1; i < n; i++)
    differing |= keys[i].value ^ keys[0].value;

  for (guint shift = 0; shift < 64; shift += 8) {
    guint32 places[256] = { 0 };
    guint32 place = 0;
    PenSortKey *to = from == keys ? other : keys;

    if ((differing >> shift & 0xff) == 0)
      continue;

    for (guint i = 0; i < n; i++)
      places[from[i].value >> shift & 0xff]++;
    for (guint i = 0; i < 256; i++) {
      guint32 count = places[i];

      places[i] = place;
      place += count;
    }
    for (guint i = 0; i < n; i++)
      to[places[from[i].value >> shift & 0xff]++] = from[i];
    from = to;
  }

  if (from != keys)
    memcpy (keys, from, n * sizeof *keys);
}

/* Equal values keep their order. */
static void
sort_group (PenSortKey *keys, guint n, PenSortKey *other)
{
  if (n <= FEW_KEYS)
    sort_few (keys, n);
  else
    sort_bytes (keys, n, other);
}

static guint
find_end (const PenSortKey *keys, guint begin, guint n)
{
  guint end = begin + 1;

  while (end < n && keys[end].value == keys[begin].value)
    end++;
  return end;
}

/* Buckets of one address: by tenure, revision, event and id; as they came, they are by id. */
static void
sort_ties (PenSortKey *keys, guint n, const PenBucket *buckets, PenSortKey *other)
{
  for (guint i = 0; i < n; i++)
    keys[i].value = (guint64) (guint32) buckets[keys[i].index].event;
  sort_group (keys, n, other);
  for (guint i = 0; i < n; i++) {
    const PenBucket *bucket = &buckets[keys[i].index];

    keys[i].value = (guint64) bucket->tenure << 32 | bucket->revision;
  }
  sort_group (keys, n, other);
}

/* Buckets of one function: by address, and then by what else makes a key. */
static void
sort_function (PenSortKey *keys, guint n, const PenBucket *buckets, PenSortKey *other)
{
  for (guint i = 0; i < n; i++)
    keys[i].value = buckets[keys[i].index].address;
  sort_group (keys, n, other);

  for (guint begin = 0, end; begin < n; begin = end) {
    end = find_end (keys, begin, n);
    if (end - begin > 1)
      sort_ties (keys + begin, end - begin, buckets, other);
  }
}

/* The keys of a share are sorted by function, and begin with one. */
static gpointer
sort_share (gpointer data)
{
  const Share *share = data;
  PenBucketPacker *self = share->packer;
  guint looked = share->begin;

  for (guint begin = share->begin, end, asked = begin; begin < share->end; begin = end) {
    end = find_end (self->keys, begin, share->end);
    for (; asked < MIN (end + PREFETCH, share->end); asked++)
      __builtin_prefetch (&self->buckets[self->keys[asked].index]);
    sort_function (self->keys + begin, end - begin, self->buckets, self->other + begin);
    if (end - looked < CANCEL_KEYS)
      continue;
    looked = end;
    if (g_cancellable_is_cancelled (self->cancellable))
      break;
  }
  return NULL;
}

/* ---- blocks ---- */

static void
gather (PenBucketPacker *self, guint first, guint n, PenBucket *buckets, GArray *places)
{
  for (guint i = 0; i < n; i++) {
    PenBucket *bucket = &buckets[i];
    const PenTenure *tenure;

    __builtin_prefetch (&self->buckets[self->keys[MIN (first + i + PREFETCH, self->n - 1)].index]);
    *bucket = self->buckets[self->keys[first + i].index];
    tenure = pen_history_get_tenure (self->history, bucket->tenure);
    if (tenure && tenure->space == PEN_SPACE_KERNEL) {
      PenSampledPlace place = { bucket->address, bucket->tenure, bucket->function };

      g_array_append_val (places, place);
    }
  }
}

static gpointer
pack_share (gpointer data)
{
  const Share *share = data;
  PenBucketPacker *self = share->packer;
  g_autoptr (PenPacker) packer = pen_packer_new ();
  g_autofree PenBucket *buckets = g_new (PenBucket, MIN (self->n, PEN_BLOCK_BUCKETS));

  for (guint i = share->begin; i < share->end; i++) {
    Block *block = &self->blocks[i];
    guint first = i * PEN_BLOCK_BUCKETS;
    guint n = MIN (self->n - first, PEN_BLOCK_BUCKETS);

    if (g_cancellable_is_cancelled (self->cancellable))
      break;
    block->places = g_array_new (FALSE, FALSE, sizeof (PenSampledPlace));
    gather (self, first, n, buckets, block->places);
    pen_packed_buckets_pack (&block->packed, buckets, n, packer);
  }
  return NULL;
}

/* ---- threads ---- */

/* From 0 to @middle in this thread, and from there to @end in another one. */
static void
run_shares (PenBucketPacker *self, GThreadFunc func, guint middle, guint end)
{
  Share shares[] = { { self, 0, middle }, { self, middle, end } };
  GThread *other = middle < end ? g_thread_new ("buckets", func, &shares[1]) : NULL;

  func (&shares[0]);
  if (other)
    g_thread_join (other);
}

/* Two threads are not worth it for few. */
static guint
get_middle (const PenBucketPacker *self, guint n)
{
  return self->n > FEW_BUCKETS ? n / 2 : n;
}

static gpointer
pack (gpointer data)
{
  PenBucketPacker *self = data;
  guint middle = get_middle (self, self->n);

  self->keys = g_new (PenSortKey, self->n);
  for (guint i = 0; i < self->n; i++)
    self->keys[i] = (PenSortKey){ self->buckets[i].function, i };
  pen_key_sort (&self->keys, self->n);
  self->other = g_new (PenSortKey, self->n);

  while (middle < self->n && self->keys[middle].value == self->keys[middle - 1].value)
    middle++;
  run_shares (self, sort_share, middle, self->n);
  g_clear_pointer (&self->other, g_free);
  run_shares (self, pack_share, get_middle (self, self->n_blocks), self->n_blocks);
  g_clear_pointer (&self->keys, g_free);
  return NULL;
}

static void
wait_for_blocks (PenBucketPacker *self)
{
  if (self->is_done)
    return;

  self->is_done = TRUE;
  if (self->thread)
    g_thread_join (g_steal_pointer (&self->thread));
  else if (self->n > 0)
    pack (self);
}

PenBucketPacker *
pen_bucket_packer_start (const PenBucket *buckets, guint n, PenHistory *history,
                         GCancellable *cancellable)
{
  PenBucketPacker *self = g_new0 (PenBucketPacker, 1);

  self->buckets = buckets;
  self->n = n;
  self->history = history;
  g_set_object (&self->cancellable, cancellable);
  self->n_blocks = (n + PEN_BLOCK_BUCKETS - 1) / PEN_BLOCK_BUCKETS;
  self->blocks = g_new0 (Block, self->n_blocks);
  if (n > FEW_BUCKETS)
    self->thread = g_thread_new ("buckets", pack, self);
  return self;
}

static void
clear_block (Block *block)
{
  pen_packed_buckets_clear (&block->packed);
  g_clear_pointer (&block->places, g_array_unref);
}

void
pen_bucket_packer_free (PenBucketPacker *self)
{
  if (self->thread)
    g_thread_join (self->thread);
  for (guint i = 0; i < self->n_blocks; i++)
    clear_block (&self->blocks[i]);
  g_free (self->blocks);
  g_clear_object (&self->cancellable);
  g_free (self);
}

const PenPackedBuckets *
pen_bucket_packer_next (PenBucketPacker *self, const GArray **places)
{
  Block *block;

  wait_for_blocks (self);
  if (self->at > 0)
    clear_block (&self->blocks[self->at - 1]);
  if (self->at == self->n_blocks || !self->blocks[self->at].packed.bytes)
    return NULL;

  block = &self->blocks[self->at++];
  *places = block->places;
  return &block->packed;
}
