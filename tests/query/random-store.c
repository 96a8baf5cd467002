/* random-store.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-store.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-span-builder.h"
#include "pen-stack-counter.h"
#include "pen-store-writer.h"

#define FIRST_TIME 1000000u

const char *const random_store_comms[RANDOM_THREADS] = { "one", "two", "" };
const char *const random_store_events[RANDOM_EVENTS] = { "cycles", "faults" };

PenKind
random_store_get_kind (guint32 function)
{
  if (function < N_KERNEL)
    return PEN_KIND_KERNEL;
  if (function < N_KERNEL + N_PROGRAMS)
    return PEN_KIND_BPF;
  return function == N_KERNEL + N_PROGRAMS ? PEN_KIND_UNKNOWN : PEN_KIND_DSO;
}

const char *
random_store_get_symbol (guint32 function)
{
  static const char *const names[]
      = { "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "p0", "p1" };

  return function < G_N_ELEMENTS (names) ? names[function] : NULL;
}

guint32
random_store_get_bpf_id (guint32 tenure)
{
  return tenure >= RANDOM_TENURE_PROGRAM && tenure < RANDOM_TENURE_FILE
             ? tenure - RANDOM_TENURE_PROGRAM + 1
             : 0;
}

const char *
random_store_get_occupant (guint32 function)
{
  static const char *const files[] = { "", "/bin/a", "/bin/b", "/bin/c" };

  if (function < N_KERNEL)
    return "[kernel.kallsyms]";
  if (function < N_KERNEL + N_PROGRAMS)
    return random_store_get_symbol (function);
  return files[function - N_KERNEL - N_PROGRAMS];
}

static guint64
get_start (guint32 function)
{
  if (function < N_KERNEL)
    return TEXT + function * FUNCTION_LENGTH;
  if (function < N_KERNEL + N_PROGRAMS)
    return TEXT + OVERLAID * FUNCTION_LENGTH;
  return 0;
}

static guint32
get_tenure (guint32 function)
{
  if (function < N_KERNEL)
    return RANDOM_TENURE_KERNEL;
  if (function < N_KERNEL + N_PROGRAMS)
    return RANDOM_TENURE_PROGRAM + function - N_KERNEL;
  return function == N_KERNEL + N_PROGRAMS
             ? 0
             : RANDOM_TENURE_FILE + function - N_KERNEL - N_PROGRAMS - 1;
}

/* ---- samples ---- */

guint
random_store_draw (RandomStore *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

static PenBucket
draw_bucket (RandomStore *self, const RandomStoreShape *shape)
{
  /* Some functions have most of the samples. */
  guint32 limit = 1 + random_store_draw (self, N_FUNCTIONS);
  guint32 function = random_store_draw (self, 4) == 0 ? OVERLAID : random_store_draw (self, limit);
  guint32 length = 1 + random_store_draw (self, FUNCTION_LENGTH);
  gboolean has_range = function < N_KERNEL + N_PROGRAMS;
  /* Drawn in an order of its own, not in that of the fields. */
  int event = random_store_draw (self, 8) == 0;
  guint32 revision = has_range && function != OVERLAID ? random_store_draw (self, 2) : 0;
  guint64 address = has_range ? get_start (function) + random_store_draw (self, length)
                              : 0x400000 + random_store_draw (self, shape->n_places);

  return (PenBucket){
    .event = event,
    .tenure = get_tenure (function),
    .revision = revision,
    .kind = random_store_get_kind (function),
    .has_address = TRUE,
    .address = address,
    .function = function,
  };
}

static gboolean
has_same_key (const PenBucket *a, const PenBucket *b)
{
  return a->event == b->event && a->tenure == b->tenure && a->revision == b->revision
         && a->address == b->address && a->function == b->function;
}

static guint
hash_key (gconstpointer key)
{
  const PenBucket *bucket = key;

  return (guint) (bucket->address * 31 + bucket->revision * 7 + bucket->function * 131
                  + (guint) bucket->event);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return has_same_key (a, b);
}

/* @known: PenBucket → id + 1, of this generation */
static guint32
place_sample (RandomStore *self, GHashTable *known, PenBucket key, const RandomSample *sample)
{
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (known, &key));
  PenBucket *bucket;

  if (id == 0) {
    key.id = self->buckets->len;
    g_array_append_val (self->buckets, key);
    id = self->buckets->len;
    g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (id));
  }
  bucket = &g_array_index (self->buckets, PenBucket, id - 1);
  bucket->first = bucket->samples == 0 ? sample->time : MIN (bucket->first, sample->time);
  bucket->last = MAX (bucket->last, sample->time);
  bucket->samples++;
  bucket->period += sample->has & PEN_SAMPLE_HAS_PERIOD ? sample->period : 0;
  return id - 1;
}

/* From one burst to the next, at most. */
#define BURST_STEPS 50000u

static guint64
draw_step (RandomStore *self, const RandomStoreShape *shape)
{
  if (shape->is_even)
    return shape->step;
  if (random_store_draw (self, 4) == 0)
    return 0;
  if (shape->is_bursty && random_store_draw (self, 20) == 0)
    return random_store_draw (self, BURST_STEPS * shape->step);
  return random_store_draw (self, 200) == 0 ? random_store_draw (self, 300 * shape->step)
                                            : random_store_draw (self, shape->step + 1);
}

static RandomSample
draw_sample (RandomStore *self, guint64 time, guint odd)
{
  RandomSample sample = {
    .time = time,
    .has = PEN_SAMPLE_HAS_TIME,
    .thread = random_store_draw (self, RANDOM_THREADS),
    .period = random_store_draw (self, 1000),
    .cpu = random_store_draw (self, RANDOM_CPUS),
  };

  sample.has |= random_store_draw (self, 10) > 0 ? PEN_SAMPLE_HAS_PERIOD : 0;
  sample.has |= random_store_draw (self, 10) > 0 ? PEN_SAMPLE_HAS_CPU : 0;
  sample.period = sample.has & PEN_SAMPLE_HAS_PERIOD ? sample.period : 0;
  if (odd % 3 == 1)
    sample.has &= ~PEN_SAMPLE_HAS_TIME;
  if (odd > 0)
    sample.time = odd % 3 == 2 ? G_MAXUINT64 : 0;
  return sample;
}

/* ---- callchains ---- */

static PenFrame
draw_frame (RandomStore *self)
{
  guint32 function = random_store_draw (self, N_FUNCTIONS);
  gboolean is_return = random_store_draw (self, 3) > 0;
  gboolean has_range = function < N_KERNEL + N_PROGRAMS;

  return (PenFrame){
    .address = (has_range ? get_start (function) : 0x400000)
               + random_store_draw (self, FUNCTION_LENGTH) + (is_return ? 1 : 0),
    .tenure = get_tenure (function),
    .revision = function < N_KERNEL && function != OVERLAID ? random_store_draw (self, 2) : 0,
    .kind = random_store_get_kind (function),
    .is_return = is_return,
    .function = function,
  };
}

/* Some are deep, and many are made of few frames: so recursions come, and equal stacks. */
static void
draw_chains (RandomStore *self, const RandomStoreShape *shape)
{
  for (guint i = 0; shape->n_chains > 0 && i < RANDOM_FRAMES; i++) {
    PenFrame frame = draw_frame (self);

    g_array_append_val (self->frames, frame);
  }
  for (guint i = 0; i < shape->n_chains; i++) {
    guint back = random_store_draw (self, 20);
    PenChainNode chain
        = { back > i || random_store_draw (self, 6) == 0 ? 0 : i - back,
            random_store_draw (self, random_store_draw (self, 2) == 0 ? 8 : RANDOM_FRAMES) };

    g_array_append_val (self->chains, chain);
  }
}

static void
draw_chain (RandomStore *self, RandomSample *sample)
{
  if (self->chains->len == 0 || random_store_draw (self, 8) == 0)
    return;
  sample->has |= PEN_SAMPLE_HAS_CHAIN;
  if (random_store_draw (self, 10) == 0)
    sample->has |= PEN_SAMPLE_CHAIN_IS_WHOLE;
  if (random_store_draw (self, 10) > 0)
    sample->chain = 1 + random_store_draw (self, self->chains->len);
}

static void
write_chains (RandomStore *self, PenStoreWriter *writer)
{
  const PenFrame *frames = (const PenFrame *) (gpointer) self->frames->data;
  const PenChainNode *chains = (const PenChainNode *) (gpointer) self->chains->data;

  if (self->chains->len == 0)
    return;
  g_assert_true (pen_store_writer_add_frames (writer, 0, frames, self->frames->len, NULL));
  g_assert_true (pen_store_writer_add_chains (writer, 1, chains, self->chains->len, NULL));
  for (guint32 i = 0; i < OVERLAID; i++) {
    guint8 old_bytes[FUNCTION_LENGTH] = { 0 };
    guint8 new_bytes[FUNCTION_LENGTH] = { 1 };
    PenPoke poke = { .id = i + 1,
                     .change = i + 1,
                     .moment = { self->first + i, i + 1 },
                     .time = self->first + i,
                     .has_time = TRUE,
                     .address = get_start (i),
                     .old_length = FUNCTION_LENGTH,
                     .new_length = FUNCTION_LENGTH,
                     .length = FUNCTION_LENGTH,
                     .old_bytes = old_bytes,
                     .new_bytes = new_bytes,
                     .effect = PEN_POKE_PATCH,
                     .tenure = RANDOM_TENURE_KERNEL,
                     .revision = 1,
                     .function = i,
                     .cause = PEN_CAUSE_FTRACE };

    g_assert_true (pen_store_writer_add_poke (writer, &poke, NULL));
  }
}

static void
fill_block (RandomStore *self, const RandomStoreShape *shape, GHashTable *known,
            PenSampleBlock *block)
{
  block->n = shape->block_samples / 2 + random_store_draw (self, shape->block_samples / 2) + 1;
  for (guint i = 0; i < block->n; i++) {
    guint place = self->samples->len;
    guint odd = place < shape->n_odd ? 1 + place : 0;
    RandomSample sample;

    if (odd == 0)
      self->last += draw_step (self, shape);
    sample = draw_sample (self, self->last, odd);
    draw_chain (self, &sample);
    sample.bucket = place_sample (self, known, draw_bucket (self, shape), &sample);
    g_array_append_val (self->samples, sample);
    block->time[i] = sample.time;
    block->has[i] = sample.has;
    block->bucket[i] = sample.bucket;
    block->thread[i] = sample.thread;
    block->cpu[i] = sample.cpu;
    block->period[i] = sample.period;
    block->chain[i] = sample.chain;
  }
}

/* ---- stacks ---- */

static PenStackCounter *
start_stacks (RandomStore *self, const PenStackCounterLimits *limits, PenStoreWriter *writer)
{
  PenStackCounter *counter = limits->blocks > 0 ? pen_stack_counter_new (limits, writer) : NULL;

  for (guint i = 0; counter && i < self->chains->len; i++) {
    PenChainNode chain = g_array_index (self->chains, PenChainNode, i);

    pen_stack_counter_add_chain (counter, chain.parent,
                                 g_array_index (self->frames, PenFrame, chain.frame).function);
  }
  return counter;
}

static void
count_stacks (RandomStore *self, PenStackCounter *counter, const PenSampleBlock *block)
{
  for (guint i = 0; i < block->n; i++) {
    const PenBucket *bucket = &g_array_index (self->buckets, PenBucket, block->bucket[i]);
    guint32 event = (guint32) bucket->event;

    pen_stack_counter_count (counter, block, i, 1, &bucket->function, &event);
  }
  g_assert_true (pen_stack_counter_end_block (counter, NULL));
}

/* ---- writing ---- */

static int
compare_buckets (gconstpointer a, gconstpointer b)
{
  const PenBucket *x = a;
  const PenBucket *y = b;

  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->revision != y->revision)
    return x->revision < y->revision ? -1 : 1;
  if (x->event != y->event)
    return x->event < y->event ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

#define BUCKETS_WRITTEN 40u

static void
write_generation (RandomStore *self, PenStoreWriter *writer, guint first)
{
  guint n = self->buckets->len - first;
  g_autofree PenBucket *sorted
      = g_memdup2 (&g_array_index (self->buckets, PenBucket, first), n * sizeof (PenBucket));

  qsort (sorted, n, sizeof *sorted, compare_buckets);
  for (guint i = 0; i < n; i += BUCKETS_WRITTEN)
    g_assert_true (
        pen_store_writer_add_buckets (writer, sorted + i, MIN (n - i, BUCKETS_WRITTEN), NULL));
}

static void
write_samples (RandomStore *self, const RandomStoreShape *shape, PenStoreWriter *writer)
{
  g_autoptr (PenSpanBuilder) builder = pen_span_builder_new (shape->fan, writer);
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GHashTable) known = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  PenStackCounterLimits limits = { shape->stack_blocks, 1, shape->max_stacks };
  g_autoptr (PenStackCounter) stacks = start_stacks (self, &limits, writer);
  guint first = 0;
  guint generation = 1;

  for (guint i = 0; i < shape->n_blocks; i++) {
    gboolean ends = pen_span_builder_ends_span (builder);

    fill_block (self, shape, known, block);
    g_assert_true (pen_span_builder_add_block (
        builder, block, &g_array_index (self->buckets, PenBucket, first), first, NULL));
    if (stacks)
      count_stacks (self, stacks, block);
    g_assert_true (pen_store_writer_add_block (writer, block, NULL));
    if (ends && i + 1 >= shape->n_blocks * generation / shape->n_generations
        && generation < shape->n_generations) {
      write_generation (self, writer, first);
      g_hash_table_remove_all (known);
      first = self->buckets->len;
      generation++;
    }
  }
  g_assert_true (pen_span_builder_finish (builder, &g_array_index (self->buckets, PenBucket, first),
                                          first, NULL));
  g_assert_true (!stacks || pen_stack_counter_finish (stacks, NULL));
  write_generation (self, writer, first);
}

static guint64
sum_samples (const RandomStore *self, guint32 function, guint32 tenure, guint64 *period)
{
  guint64 samples = 0;

  *period = 0;
  for (guint i = 0; i < self->buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (self->buckets, PenBucket, i);

    if (bucket->function == function || (tenure != 0 && bucket->tenure == tenure)) {
      samples += bucket->samples;
      *period += bucket->period;
    }
  }
  return samples;
}

static void
write_functions (RandomStore *self, PenStoreWriter *writer)
{
  for (guint32 i = 0; i < N_FUNCTIONS; i++) {
    PenFunction function = {
      .id = i,
      .symbol = random_store_get_symbol (i),
      .kind = random_store_get_kind (i),
      .occupant = random_store_get_occupant (i),
      .start = get_start (i),
      .length = i < N_KERNEL + N_PROGRAMS ? FUNCTION_LENGTH : 0,
      .versions = 1 + i % 3,
    };

    function.samples = sum_samples (self, i, 0, &function.period);
    g_assert_true (pen_store_writer_add_function (writer, &function, NULL));
  }
}

static void
write_tenure (RandomStore *self, PenStoreWriter *writer, PenTenure tenure)
{
  guint64 period;

  tenure.samples = sum_samples (self, N_FUNCTIONS, tenure.id, &period);
  tenure.name = tenure.occupant;
  tenure.unverified_from = PEN_MOMENT_END;
  g_assert_true (pen_store_writer_add_tenure (writer, &tenure, NULL));
}

static PenMoment
get_moment (const RandomStore *self, guint fifth)
{
  return (PenMoment){ self->first + (self->last - self->first) / 5 * fifth, 1 };
}

static void
write_tenures (RandomStore *self, PenStoreWriter *writer)
{
  PenSpace kernel = { 0, -1, PEN_MOMENT_START, PEN_MOMENT_END };
  PenSpace process = { 1, 7, PEN_MOMENT_START, PEN_MOMENT_END };
  PenTenure tenure = { .id = RANDOM_TENURE_KERNEL,
                       .kind = PEN_KIND_KERNEL,
                       .occupant = "[kernel.kallsyms]",
                       .start = TEXT,
                       .end = TEXT + N_KERNEL * FUNCTION_LENGTH,
                       .from = PEN_MOMENT_START,
                       .to = PEN_MOMENT_END };

  g_assert_true (pen_store_writer_add_space (writer, &kernel, NULL));
  g_assert_true (pen_store_writer_add_space (writer, &process, NULL));
  write_tenure (self, writer, tenure);
  for (guint i = 0; i < N_PROGRAMS; i++) {
    tenure.id = RANDOM_TENURE_PROGRAM + i;
    tenure.layer = PEN_LAYER_KSYMBOL;
    tenure.kind = PEN_KIND_BPF;
    tenure.bpf_id = random_store_get_bpf_id (tenure.id);
    tenure.occupant = random_store_get_symbol (N_KERNEL + i);
    tenure.start = get_start (N_KERNEL + i);
    tenure.end = tenure.start + FUNCTION_LENGTH;
    tenure.from = get_moment (self, 2 * i + 1);
    tenure.to = get_moment (self, 2 * i + 2);
    write_tenure (self, writer, tenure);
  }
  for (guint i = 1; i < N_UNRANGED; i++) {
    tenure.id = RANDOM_TENURE_FILE + i - 1;
    tenure.space = 1;
    tenure.bpf_id = 0;
    tenure.layer = PEN_LAYER_MAP;
    tenure.kind = PEN_KIND_DSO;
    tenure.occupant = random_store_get_occupant (N_KERNEL + N_PROGRAMS + i);
    tenure.start = 0x400000;
    tenure.end = 0x500000;
    tenure.from = PEN_MOMENT_START;
    tenure.to = PEN_MOMENT_END;
    write_tenure (self, writer, tenure);
  }
}

/* One-byte instructions: each address of the function has a line for each turn. */
static void
write_text (PenStoreWriter *writer)
{
  guint8 nops[FUNCTION_LENGTH];
  g_autoptr (GBytes) bytes = NULL;
  PenStoredText text
      = { RANDOM_TENURE_KERNEL, get_start (OVERLAID), NULL, PEN_EVIDENCE_RECORDED, "kcore" };

  memset (nops, 0x90, sizeof nops);
  text.bytes = bytes = g_bytes_new (nops, sizeof nops);
  g_assert_true (pen_store_writer_add_text (writer, &text, NULL));
}

static void
write_store (RandomStore *self, const RandomStoreShape *shape)
{
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (self->path, 0666, NULL, NULL);

  g_assert_nonnull (writer);
  g_assert_true (pen_store_writer_set_fact (writer, "arch", "x86_64", NULL));
  for (guint i = 0; i < RANDOM_EVENTS; i++) {
    PenStoreEvent event = { .name = (char *) random_store_events[i] };

    g_assert_true (pen_store_writer_add_event (writer, i, &event, NULL));
  }
  for (guint i = 0; i < RANDOM_THREADS; i++) {
    PenThread thread = { i > 0, 7, 7 + (gint32) i, random_store_comms[i] };

    g_assert_true (pen_store_writer_add_thread (writer, i, &thread, NULL));
  }
  draw_chains (self, shape);
  write_samples (self, shape, writer);
  write_chains (self, writer);
  write_functions (self, writer);
  write_tenures (self, writer);
  write_text (writer);
  g_assert_true (pen_store_writer_finish (writer, NULL));
}

/* ---- the store ---- */

void
random_store_reopen (RandomStore *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_object (&self->query);
  g_clear_object (&self->store);
  self->store = pen_store_open (self->path, &error);
  g_assert_no_error (error);
  self->query = pen_query_new (self->store);
}

RandomStore *
random_store_new (const RandomStoreShape *shape)
{
  RandomStore *self = g_new0 (RandomStore, 1);

  self->rand = g_rand_new_with_seed (shape->seed);
  self->directory = g_dir_make_tmp ("pentimento-spans-XXXXXX", NULL);
  self->path = g_build_filename (self->directory, "random.pentimento", NULL);
  self->samples = g_array_new (FALSE, FALSE, sizeof (RandomSample));
  self->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  self->frames = g_array_new (FALSE, FALSE, sizeof (PenFrame));
  self->chains = g_array_new (FALSE, FALSE, sizeof (PenChainNode));
  self->first = self->last = FIRST_TIME + random_store_draw (self, FIRST_TIME);
  write_store (self, shape);
  for (guint i = shape->n_odd; i == shape->n_odd && i < self->samples->len; i++)
    self->first = g_array_index (self->samples, RandomSample, i).time;
  random_store_reopen (self);
  return self;
}

void
random_store_free (RandomStore *self)
{
  g_clear_object (&self->query);
  g_clear_object (&self->store);
  g_remove (self->path);
  g_rmdir (self->directory);
  g_free (self->path);
  g_free (self->directory);
  g_array_unref (self->samples);
  g_array_unref (self->buckets);
  g_array_unref (self->frames);
  g_array_unref (self->chains);
  g_rand_free (self->rand);
  g_free (self);
}
