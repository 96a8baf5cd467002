/* pen-chain-stage.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-stage.h"

struct _PenChainStage {
  PenHistory *history;
  PenChainResolver *chains;
  PenSampleWriter *writer;
  GAsyncQueue *filled;
  GThread *thread;  /* NULL until there is a callchain */
  int has_failed;   /* atomic */
  int is_abandoned; /* atomic */
  GError *error;    /* the thread's, until it has ended */
};

static gboolean
resolve_chunk (PenChainStage *self, PenSweep *sweep, PenSampleChunk *chunk, GError **error)
{
  for (guint i = 0; i < chunk->n; i++) {
    PenPlacedSample *sample = &chunk->samples[i];
    const PenSampleChain *chain = &chunk->places[i];

    if ((sample->has & PEN_SAMPLE_HAS_CHAIN) == 0)
      continue;
    if (g_atomic_int_get (&self->is_abandoned))
      return TRUE;

    pen_sweep_advance (sweep, pen_moment (sample->time, chain->position));
    if (!pen_chain_resolver_get (self->chains, chain, sweep, &sample->chain, error))
      return FALSE;
  }
  return TRUE;
}

static void
take_chains (PenChainStage *self, gboolean is_last, PenSampleChunk *chunk)
{
  PenNewChains block;

  for (;;) {
    block.nodes = pen_chain_resolver_take_block (self->chains, is_last, &block.first, &block.n);
    if (!block.nodes)
      return;
    g_array_append_val (chunk->chains, block);
  }
}

/* Before the end comes a chunk that is not full. */
static gpointer
resolve_chains (gpointer data)
{
  PenChainStage *self = data;
  g_autoptr (PenSweep) sweep = pen_sweep_new_for_samples (self->history);
  gpointer given;

  while ((given = g_async_queue_pop (self->filled)) != self) {
    PenSampleChunk *chunk = given;

    if (!self->error && !resolve_chunk (self, sweep, chunk, &self->error))
      g_atomic_int_set (&self->has_failed, TRUE);
    if (self->error)
      chunk->n = 0;
    else
      take_chains (self, chunk->n < PEN_CHUNK_SAMPLES, chunk);
    pen_sample_writer_give (self->writer, chunk);
  }
  return NULL;
}

PenChainStage *
pen_chain_stage_new (PenHistory *history, PenChainResolver *chains, PenSampleWriter *writer)
{
  PenChainStage *self = g_new0 (PenChainStage, 1);

  self->history = history;
  self->chains = chains;
  self->writer = writer;
  self->filled = g_async_queue_new ();
  return self;
}

/* Nothing but the stage itself is no chunk. */
static void
end_thread (PenChainStage *self)
{
  if (!self->thread)
    return;
  g_async_queue_push (self->filled, self);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
pen_chain_stage_free (PenChainStage *self)
{
  g_atomic_int_set (&self->is_abandoned, TRUE);
  end_thread (self);
  g_async_queue_unref (self->filled);
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
    end_thread (self);
    check (self, error);
    return NULL;
  }
  return pen_sample_writer_take (self->writer, error);
}

void
pen_chain_stage_give (PenChainStage *self, PenSampleChunk *chunk)
{
  if (!self->thread && !chunk->has_chains) {
    pen_sample_writer_give (self->writer, chunk);
    return;
  }

  if (!self->thread)
    self->thread = g_thread_new ("chains", resolve_chains, self);
  g_async_queue_push (self->filled, chunk);
}

gboolean
pen_chain_stage_finish (PenChainStage *self, GError **error)
{
  end_thread (self);
  return check (self, error);
}
