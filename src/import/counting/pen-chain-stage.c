/* pen-chain-stage.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-stage.h"

/* Between the two threads. A part ends with its chunk, or where it has so many words: callchains
 * may be long. */
#define PARTS 4u
#define PART_WORDS (1u << 16)

/*
 * Part: samples of @chunk from @first on, up to @end, whose callchains are resolved; of a failure,
 * none
 * @words: (element-type guint32): see PenResolvedChain
 */
typedef struct {
  PenSampleChunk *chunk;
  guint first;
  guint end;
  gboolean has_failed;
  GArray *words;
} Part;

struct _PenChainStage {
  PenHistory *history;
  PenChainResolver *chains;
  PenChainCallers *callers;
  PenSampleWriter *writer;
  gboolean counts_stacks; /* the writer does, from frames and nodes */
  guint n_frames;         /* that are in chunks */
  GAsyncQueue *filled;    /* PenSampleChunk, or the stage: it ends */
  GAsyncQueue *resolved;  /* Part, or the stage */
  GAsyncQueue *empty;     /* Part */
  Part parts[PARTS];
  GThread *resolver; /* NULL until there is a callchain */
  GThread *caller;
  int has_failed;   /* atomic */
  int is_abandoned; /* atomic */
  GError *error;    /* the resolver's, until it has ended */
};

/* ---- frames ---- */

/* How many samples ahead of the one that is resolved memory is asked for, step by step. */
#define FAR 16u
#define RUNS_AHEAD 11u
#define FRAMES_AHEAD 6u
#define UNKNOWN_AHEAD 3u

/* Chains that are expected, by sample. */
typedef PenExpectedChain Expected[FAR];

static gboolean
has_chain (const PenSampleChunk *chunk, guint i)
{
  return i < chunk->n && (chunk->samples[i].has & PEN_SAMPLE_HAS_CHAIN) != 0;
}

/* Before sample @i. */
static void
look_ahead (PenChainStage *self, PenSweep *sweep, const PenSampleChunk *chunk, guint i,
            Expected expected)
{
  PenExpectedChain *runs = &expected[(i + RUNS_AHEAD) % FAR];

  if (has_chain (chunk, i + FAR))
    pen_chain_resolver_expect (self->chains, &chunk->places[i + FAR]);
  *runs = (PenExpectedChain){ 0 };
  if (has_chain (chunk, i + RUNS_AHEAD))
    pen_chain_resolver_expect_runs (self->chains, &chunk->places[i + RUNS_AHEAD], sweep, runs);
  pen_chain_resolver_expect_frames (self->chains, &expected[(i + FRAMES_AHEAD) % FAR]);
  pen_chain_resolver_expect_unknown (self->chains, &expected[(i + UNKNOWN_AHEAD) % FAR]);
}

/* From part->first on. */
static gboolean
resolve_part (PenChainStage *self, PenSweep *sweep, Part *part, GError **error)
{
  PenSampleChunk *chunk = part->chunk;
  Expected expected = { 0 };

  for (part->end = part->first; part->end < chunk->n; part->end++) {
    PenPlacedSample *sample = &chunk->samples[part->end];
    const PenSampleChain *chain = &chunk->places[part->end];

    look_ahead (self, sweep, chunk, part->end, expected);
    if ((sample->has & PEN_SAMPLE_HAS_CHAIN) == 0)
      continue;
    if (g_atomic_int_get (&self->is_abandoned))
      return TRUE;
    if (part->words->len >= PART_WORDS)
      return TRUE;

    pen_sweep_advance (sweep, pen_moment (sample->time, chain->position));
    if (!pen_chain_resolver_get (self->chains, chain, sweep, &sample->chain, part->words, error))
      return FALSE;
  }
  return TRUE;
}

/* With the last part goes the chunk. */
static void
resolve_chunk (PenChainStage *self, PenSweep *sweep, PenSampleChunk *chunk)
{
  guint n = chunk->n;
  guint done = 0;

  do {
    Part *part = g_async_queue_pop (self->empty);

    part->chunk = chunk;
    part->first = done;
    g_array_set_size (part->words, 0);
    if (!self->error && !g_atomic_int_get (&self->is_abandoned)
        && !resolve_part (self, sweep, part, &self->error))
      g_atomic_int_set (&self->has_failed, TRUE);
    part->has_failed = self->error || g_atomic_int_get (&self->is_abandoned);
    done = part->has_failed ? n : part->end;
    if (self->counts_stacks && done == n)
      pen_chain_resolver_add_new_frames (self->chains, &self->n_frames, chunk->frames);
    g_async_queue_push (self->resolved, part);
  } while (done < n);
}

static gboolean
is_wanted (gpointer data)
{
  PenChainStage *self = data;

  return !g_atomic_int_get (&self->is_abandoned);
}

static gpointer
resolve_chunks (gpointer data)
{
  PenChainStage *self = data;
  g_autoptr (PenSweep) sweep = pen_sweep_new_for_samples (self->history);
  gpointer given;

  pen_sweep_set_func (sweep, is_wanted, self);
  while ((given = g_async_queue_pop (self->filled)) != self)
    resolve_chunk (self, sweep, given);
  g_async_queue_push (self->resolved, self);
  return NULL;
}

/* ---- nodes ---- */

static void
take_nodes (PenChainStage *self, gboolean is_last, PenSampleChunk *chunk)
{
  PenNewChains block;

  for (;;) {
    block.nodes = pen_chain_callers_take_block (self->callers, is_last, &block.first, &block.n);
    if (!block.nodes)
      return;
    g_array_append_val (chunk->chains, block);
  }
}

/* Before the end comes a chunk that is not full. */
static void
find_nodes (PenChainStage *self, const Part *part)
{
  PenSampleChunk *chunk = part->chunk;
  PenResolvedChain chains[PEN_CHUNK_SAMPLES];
  guint n = 0;

  for (guint i = part->first; i < part->end; i++)
    if ((chunk->samples[i].has & PEN_SAMPLE_HAS_CHAIN) != 0)
      chains[n++] = chunk->samples[i].chain;
  pen_chain_callers_get (self->callers, chains, n,
                         (const guint32 *) (gconstpointer) part->words->data);
  n = 0;
  for (guint i = part->first; i < part->end; i++)
    if ((chunk->samples[i].has & PEN_SAMPLE_HAS_CHAIN) != 0)
      chunk->samples[i].chain = chains[n++];
  if (part->end < chunk->n)
    return;
  if (self->counts_stacks)
    chunk->has_nodes = pen_chain_callers_take_new (self->callers, chunk->nodes);
  take_nodes (self, chunk->n < PEN_CHUNK_SAMPLES, chunk);
}

static gpointer
find_callers (gpointer data)
{
  PenChainStage *self = data;
  gpointer given;

  while ((given = g_async_queue_pop (self->resolved)) != self) {
    Part *part = given;
    PenSampleChunk *chunk = part->chunk;
    gboolean is_whole = part->has_failed || part->end == chunk->n;

    if (part->has_failed)
      chunk->n = 0;
    else
      find_nodes (self, part);
    g_async_queue_push (self->empty, part);
    if (is_whole)
      pen_sample_writer_give (self->writer, chunk);
  }
  return NULL;
}

/* ---- with the thread that places ---- */

PenChainStage *
pen_chain_stage_new (PenHistory *history, PenChainResolver *chains, PenChainCallers *callers,
                     PenSampleWriter *writer)
{
  PenChainStage *self = g_new0 (PenChainStage, 1);

  self->history = history;
  self->chains = chains;
  self->callers = callers;
  self->writer = writer;
  self->counts_stacks = pen_sample_writer_counts_stacks (writer);
  if (self->counts_stacks)
    pen_chain_callers_keep_new (callers);
  self->filled = g_async_queue_new ();
  self->resolved = g_async_queue_new ();
  self->empty = g_async_queue_new ();
  for (guint i = 0; i < PARTS; i++) {
    self->parts[i].words = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_async_queue_push (self->empty, &self->parts[i]);
  }
  return self;
}

static void
start_threads (PenChainStage *self)
{
  self->resolver = g_thread_new ("chains", resolve_chunks, self);
  self->caller = g_thread_new ("callers", find_callers, self);
}

/* Nothing but the stage itself is no chunk. */
static void
end_threads (PenChainStage *self)
{
  if (!self->resolver)
    return;
  g_async_queue_push (self->filled, self);
  g_thread_join (g_steal_pointer (&self->resolver));
  g_thread_join (g_steal_pointer (&self->caller));
}

void
pen_chain_stage_free (PenChainStage *self)
{
  g_atomic_int_set (&self->is_abandoned, TRUE);
  end_threads (self);
  for (guint i = 0; i < PARTS; i++)
    g_array_unref (self->parts[i].words);
  g_async_queue_unref (self->filled);
  g_async_queue_unref (self->resolved);
  g_async_queue_unref (self->empty);
  g_clear_error (&self->error);
  g_free (self);
}

static gboolean
check (PenChainStage *self, GError **error)
{
  if (!self->error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

PenSampleChunk *
pen_chain_stage_take (PenChainStage *self, GError **error)
{
  if (g_atomic_int_get (&self->has_failed)) {
    end_threads (self);
    check (self, error);
    return NULL;
  }
  return pen_sample_writer_take (self->writer, error);
}

void
pen_chain_stage_give (PenChainStage *self, PenSampleChunk *chunk)
{
  if (!self->resolver && !chunk->has_chains) {
    pen_sample_writer_give (self->writer, chunk);
    return;
  }

  if (!self->resolver)
    start_threads (self);
  g_async_queue_push (self->filled, chunk);
}

gboolean
pen_chain_stage_finish (PenChainStage *self, GError **error)
{
  end_threads (self);
  return check (self, error);
}
