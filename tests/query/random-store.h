/* random-store.h: a store of random samples in small blocks, and every one of them at hand
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-store-callchains.h"

G_BEGIN_DECLS

#define TEXT 0xffffffff81000000ull
#define FUNCTION_LENGTH 64u
#define N_KERNEL 12u
/* The last of the kernel's functions, over which two programs lie for a while, one after the other:
 * its tenure has three turns. */
#define OVERLAID (N_KERNEL - 1)
#define N_PROGRAMS 2u
#define N_UNRANGED 4u /* unknown, and three files */
#define N_FUNCTIONS (N_KERNEL + N_PROGRAMS + N_UNRANGED)

/*
 * RandomStoreShape:
 * @n_blocks, @block_samples: blocks have half of that to all of it
 * @fan: of the spans
 * @step: ns between two samples, at most
 * @n_odd: samples without a time, or with 0 or all ones for one
 * @n_places: addresses that samples of a file fall on
 * @n_generations: of buckets
 * @is_even: two samples are always @step apart
 * @is_bursty: now and then nothing happens for so long that a tile of a span holds many samples
 * @n_chains: callchains, of RANDOM_FRAMES frames; and a poke of all of each function of the kernel
 * but the overlaid one: 0: none of these
 * @stack_blocks: so many are counted together by stacks, until there are @max_stacks of these: 0:
 * none are
 */
typedef struct {
  guint32 seed;
  guint n_blocks;
  guint block_samples;
  guint fan;
  guint step;
  guint n_odd;
  guint n_places;
  guint n_generations;
  gboolean is_even;
  gboolean is_bursty;
  guint n_chains;
  guint stack_blocks;
  guint max_stacks;
} RandomStoreShape;

#define RANDOM_FRAMES 70u
#define RANDOM_THREADS 3u
#define RANDOM_CPUS 4u
#define RANDOM_EVENTS 2u

/* Of its tenures. */
enum {
  RANDOM_TENURE_KERNEL = 1,
  RANDOM_TENURE_PROGRAM,
  RANDOM_TENURE_FILE = RANDOM_TENURE_PROGRAM + N_PROGRAMS,
};

typedef struct {
  guint64 time;
  guint8 has;
  guint32 thread;
  guint32 cpu;
  guint64 period;
  guint32 bucket;
  guint32 chain;
} RandomSample;

typedef struct {
  GRand *rand;
  char *directory;
  char *path;
  GArray *samples; /* RandomSample, in the order of the sample table */
  GArray *buckets; /* PenBucket */
  GArray *frames;  /* PenFrame */
  GArray *chains;  /* PenChainNode: element i has id i + 1 */
  guint64 first;   /* of the times that are one */
  guint64 last;
  PenStore *store;
  PenQuery *query;
} RandomStore;

RandomStore *random_store_new (const RandomStoreShape *shape);
void random_store_free (RandomStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RandomStore, random_store_free)

/* A store that is opened anew: nothing is loaded yet. */
void random_store_reopen (RandomStore *self);

PenKind random_store_get_kind (guint32 function);
const char *random_store_get_symbol (guint32 function); /* or NULL */

guint32 random_store_get_bpf_id (guint32 tenure);
const char *random_store_get_occupant (guint32 function);
extern const char *const random_store_comms[RANDOM_THREADS];
extern const char *const random_store_events[RANDOM_EVENTS];

/* Returns: a number below @n */
guint random_store_draw (RandomStore *self, guint n);

/* What a filter means, looked at sample by sample. */
gboolean random_store_has_sample (const RandomStore *self, const PenFilter *filter,
                                  const RandomSample *sample);

/* A filter of a random stretch of time, and sometimes more. */
PenFilter *random_store_make_filter (RandomStore *self);

/* A stretch of time to be drawn, from the whole down to a few ns. */
void random_store_draw_view (RandomStore *self, guint64 *from, guint64 *to);

G_END_DECLS
