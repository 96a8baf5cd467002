/* pen-sample-writer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-writer.h"

#include "pen-mapped-memory.h"
#include "pen-span-builder.h"
#include "pen-stack-pass.h"

#define CHUNKS 16
#define CHUNKS_LENGTH (CHUNKS * sizeof (PenSampleChunk))
/* Samples that are counted, and then put into the block: few enough to stay in a core's own cache
 * meanwhile. */
#define BATCH 256u

struct _PenSampleWriter {
  PenBucketTable *table;
  PenBucketBook *book;
  PenPayloads *payloads;
  PenOutputPass *outputs;
  PenStoreWriter *writer;
  PenSpanBuilder *spans; /* NULL: so few samples that their blocks are read at once */
  PenStackPass *stacks;  /* or NULL */
  PenSampleRest *rest;   /* or NULL: whose block and spans are used */

  PenSampleChunk *chunks; /* CHUNKS of them, mapped */
  GAsyncQueue *empty;
  GAsyncQueue *filled;
  GThread *thread;
  int has_failed;   /* atomic */
  int is_abandoned; /* atomic */
  GError *error;    /* the thread's, until it has ended */

  PenSampleBlock *block;
  guint64 n_blocks;
};

/* Returns: which PEN_SAMPLE_HAS_… there are among them */
static guint
put_samples (PenSampleBlock *block, const PenPlacedSample *samples, const guint32 *buckets, guint n)
{
  PenSampleBlock to = *block;
  guint from = block->n;
  guint all_has = 0;

  for (guint i = 0; i < n; i++) {
    const PenPlacedSample *sample = &samples[i];

    to.has[from + i] = sample->has;
    to.time[from + i] = sample->time_is_max ? G_MAXUINT64 : sample->time;
    to.bucket[from + i] = buckets[i];
    to.thread[from + i] = sample->thread;
    to.cpu[from + i] = sample->cpu;
    to.period[from + i] = sample->period;
    to.chain[from + i] = sample->chain;
    all_has |= sample->has;
  }
  block->n += n;
  return all_has;
}

/* @first: where the first of them is in the block */
static gboolean
put_payloads (PenSampleWriter *self, const PenPlacedSample *samples, guint first, guint n,
              GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!pen_payloads_put (self->payloads, samples[i].payload, self->n_blocks, first + i,
                           self->writer, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_to_spans (PenSampleWriter *self, GError **error)
{
  if (!self->spans)
    return TRUE;
  if (pen_span_builder_ends_span (self->spans)
      && !pen_bucket_book_find_functions (self->book, error))
    return FALSE;
  return pen_span_builder_add_block (self->spans, self->block,
                                     pen_bucket_table_get_buckets (self->table, NULL),
                                     pen_bucket_table_get_first (self->table), error);
}

/* A span counts buckets of one generation. Eight blocks of samples at random have as many buckets
 * as two generations: the span ends with the block that fills its generation. */
static gboolean
end_block (PenSampleWriter *self, GError **error)
{
  gboolean ends_generation = pen_bucket_book_is_full (self->book);

  if (ends_generation && self->spans)
    pen_span_builder_end_span (self->spans);
  self->n_blocks++;
  return (!self->stacks || pen_stack_pass_end_block (self->stacks, error))
         && add_to_spans (self, error)
         && pen_store_writer_add_block (self->writer, self->block, error)
         && (!ends_generation || pen_bucket_book_write (self->book, self->writer, error));
}

static gboolean
write_chains (PenSampleWriter *self, PenSampleChunk *chunk, GError **error)
{
  for (guint i = 0; i < chunk->chains->len; i++) {
    const PenNewChains *chains = &g_array_index (chunk->chains, PenNewChains, i);

    if (!pen_store_writer_add_chains (self->writer, chains->first, chains->nodes, chains->n, error))
      return FALSE;
  }
  return TRUE;
}

/* Leaves the samples of the profile in the chunk. */
static gboolean
take_outputs (PenSampleWriter *self, PenSampleChunk *chunk, GError **error)
{
  guint64 before = self->n_blocks * PEN_BLOCK_SAMPLES + self->block->n;
  guint n = 0;

  if (!chunk->has_outputs)
    return TRUE;
  for (guint i = 0; i < chunk->n; i++) {
    if ((chunk->samples[i].has & PEN_PLACED_IS_OUTPUT) == 0)
      chunk->samples[n++] = chunk->samples[i];
    else if (!pen_output_pass_add (self->outputs, &chunk->samples[i], before + n,
                                   chunk->places[i].position, error))
      return FALSE;
  }
  chunk->n = n;
  return TRUE;
}

static gboolean
write_chunk (PenSampleWriter *self, PenSampleChunk *chunk, GError **error)
{
  guint32 buckets[BATCH];

  if (!write_chains (self, chunk, error) || !take_outputs (self, chunk, error)
      || (self->stacks
          && !pen_stack_pass_take_chains (self->stacks, chunk->frames, chunk->nodes,
                                          chunk->has_nodes, error)))
    return FALSE;

  for (guint done = 0; done < chunk->n;) {
    const PenPlacedSample *samples = chunk->samples + done;
    guint first = self->block->n;
    guint n = MIN (MIN (chunk->n - done, BATCH), PEN_BLOCK_SAMPLES - first);
    guint has;

    pen_bucket_table_count (self->table, samples, n, buckets);
    has = put_samples (self->block, samples, buckets, n);
    if (self->stacks && !pen_stack_pass_count (self->stacks, self->block, first, n, error))
      return FALSE;
    if ((has & PEN_SAMPLE_HAS_PAYLOAD) != 0 && !put_payloads (self, samples, first, n, error))
      return FALSE;
    if (self->block->n == PEN_BLOCK_SAMPLES && !end_block (self, error))
      return FALSE;
    done += n;
  }

  /* Bit by bit, while the other thread asks for more. */
  return pen_bucket_book_find_functions (self->book, error);
}

static void
empty_chunk (PenSampleChunk *chunk)
{
  for (guint i = 0; i < chunk->chains->len; i++)
    g_free (g_array_index (chunk->chains, PenNewChains, i).nodes);
  g_array_set_size (chunk->chains, 0);
  g_array_set_size (chunk->frames, 0);
  g_array_set_size (chunk->nodes, 0);
  chunk->has_nodes = TRUE;
  chunk->n = 0;
  chunk->has_chains = FALSE;
  chunk->has_outputs = FALSE;
}

/* An empty chunk is the last one. */
static gpointer
write_samples (gpointer data)
{
  PenSampleWriter *self = data;

  for (;;) {
    PenSampleChunk *chunk = g_async_queue_pop (self->filled);
    gboolean is_last = chunk->n == 0;

    if (!self->error && !g_atomic_int_get (&self->is_abandoned)
        && !write_chunk (self, chunk, &self->error))
      g_atomic_int_set (&self->has_failed, TRUE);

    empty_chunk (chunk);
    g_async_queue_push (self->empty, chunk);
    if (is_last)
      return NULL;
  }
}

PenSampleWriter *
pen_sample_writer_new (guint64 n_samples, PenBucketTable *table, PenBucketBook *book,
                       PenPayloads *payloads, PenOutputPass *outputs, PenStoreWriter *writer)
{
  PenSampleWriter *self = g_new0 (PenSampleWriter, 1);

  self->table = table;
  self->book = book;
  self->payloads = payloads;
  self->outputs = outputs;
  self->writer = writer;
  self->block = pen_sample_block_new ();
  if (n_samples > (guint64) PEN_SPAN_FAN * PEN_BLOCK_SAMPLES)
    self->spans = pen_span_builder_new (PEN_SPAN_FAN, writer);
  self->empty = g_async_queue_new ();
  self->filled = g_async_queue_new ();
  self->chunks = pen_mapped_memory_new (CHUNKS_LENGTH);
  for (guint i = 0; i < CHUNKS; i++) {
    PenSampleChunk *chunk = &self->chunks[i];

    chunk->n = 0;
    chunk->has_chains = FALSE;
    chunk->has_outputs = FALSE;
    chunk->chains = g_array_new (FALSE, FALSE, sizeof (PenNewChains));
    chunk->frames = g_array_new (FALSE, FALSE, sizeof (PenTableFrame));
    chunk->nodes = g_array_new (FALSE, FALSE, sizeof (PenChainNode));
    chunk->has_nodes = TRUE;
    g_async_queue_push (self->empty, chunk);
  }
  self->thread = g_thread_new ("samples", write_samples, self);
  return self;
}

void
pen_sample_rest_init (PenSampleRest *self, PenStoreWriter *writer)
{
  *self = (PenSampleRest){ .block = pen_sample_block_new () };
  self->spans = pen_span_builder_new (PEN_SPAN_FAN, writer);
  pen_span_builder_stay_flat (self->spans);
}

void
pen_sample_rest_clear (PenSampleRest *self)
{
  g_clear_pointer (&self->block, pen_sample_block_free);
  g_clear_pointer (&self->spans, pen_span_builder_free);
}

void
pen_sample_writer_go_on (PenSampleWriter *self, PenSampleRest *rest)
{
  pen_sample_block_free (self->block);
  g_clear_pointer (&self->spans, pen_span_builder_free);
  self->rest = rest;
  self->block = rest->block;
  self->n_blocks = rest->n_blocks;
  self->spans = rest->spans;
}

static void
end_thread (PenSampleWriter *self)
{
  PenSampleChunk *chunk;

  if (!self->thread)
    return;

  chunk = g_async_queue_pop (self->empty);
  chunk->n = 0;
  g_async_queue_push (self->filled, chunk);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
pen_sample_writer_free (PenSampleWriter *self)
{
  g_atomic_int_set (&self->is_abandoned, TRUE);
  end_thread (self);
  for (guint i = 0; i < CHUNKS; i++) {
    empty_chunk (&self->chunks[i]);
    g_array_unref (self->chunks[i].chains);
    g_array_unref (self->chunks[i].frames);
    g_array_unref (self->chunks[i].nodes);
  }
  pen_mapped_memory_free (self->chunks, CHUNKS_LENGTH);
  g_async_queue_unref (self->empty);
  g_async_queue_unref (self->filled);
  g_clear_pointer (&self->stacks, pen_stack_pass_free);
  if (!self->rest) {
    g_clear_pointer (&self->spans, pen_span_builder_free);
    pen_sample_block_free (self->block);
  }
  g_clear_error (&self->error);
  g_free (self);
}

void
pen_sample_writer_count_stacks (PenSampleWriter *self)
{
  if (self->spans)
    self->stacks = pen_stack_pass_new (self->table, self->book, self->writer);
}

gboolean
pen_sample_writer_counts_stacks (PenSampleWriter *self)
{
  return self->stacks != NULL;
}

GArray *
pen_sample_writer_take_functions (PenSampleWriter *self)
{
  return self->stacks ? pen_stack_pass_take_functions (self->stacks) : NULL;
}

PenSampleChunk *
pen_sample_writer_take (PenSampleWriter *self, GError **error)
{
  if (!g_atomic_int_get (&self->has_failed))
    return g_async_queue_pop (self->empty);

  end_thread (self);
  g_propagate_error (error, g_steal_pointer (&self->error));
  return NULL;
}

void
pen_sample_writer_give (PenSampleWriter *self, PenSampleChunk *chunk)
{
  g_async_queue_push (chunk->n > 0 || chunk->chains->len > 0 ? self->filled : self->empty, chunk);
}

/* The block is taken apart while it is packed. */
static gboolean
finish_part (PenSampleWriter *self, GError **error)
{
  g_autoptr (PenSampleBlock) copy = pen_sample_block_new ();

  self->rest->n_blocks = self->n_blocks;
  if (!pen_span_builder_settle (self->spans, error)
      || !pen_store_writer_begin_rest (self->writer, error))
    return FALSE;
  pen_bucket_book_add_up (self->book);
  if (self->block->n == 0)
    return TRUE;
  pen_sample_block_copy (self->block, copy);
  return pen_store_writer_add_block (self->writer, copy, error);
}

gboolean
pen_sample_writer_finish (PenSampleWriter *self, GError **error)
{
  end_thread (self);
  if (self->error) {
    g_propagate_error (error, g_steal_pointer (&self->error));
    return FALSE;
  }
  if (self->rest)
    return finish_part (self, error);

  if ((self->block->n > 0 && !end_block (self, error))
      || (self->stacks && !pen_stack_pass_finish (self->stacks, error)))
    return FALSE;
  if (self->spans
      && (!pen_bucket_book_find_functions (self->book, error)
          || !pen_span_builder_finish (self->spans,
                                       pen_bucket_table_get_buckets (self->table, NULL),
                                       pen_bucket_table_get_first (self->table), error)))
    return FALSE;

  pen_bucket_book_add_up (self->book);
  return pen_payloads_flush (self->payloads, self->writer, error);
}
