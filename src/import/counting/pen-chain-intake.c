/* pen-chain-intake.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-intake.h"

#include <string.h>

/* The part that goes to the thread at a time: few enough to stay in a core's own cache until it is
 * there, and room for the longest callchain. */
#define BATCHES 4u
#define BATCH_CHAINS 512u
#define BATCH_WORDS (2u * PEN_CHAIN_LENGTH_MAX)

/* How many callchains ahead memory is asked for. */
#define AHEAD 8u
#define CUT_AHEAD 4u

/* Callchains for which no thread is started. */
#define FEW 4096u

/*
 * Arrival: a callchain, @n words, or the user half of those of @tid that wait for @cookie
 * @sample: where it is to be noted; NULL: it is such a half
 */
typedef struct {
  PenSortedSample *sample;
  guint64 cookie;
  gint32 tid;
  guint32 n;
} Arrival;

typedef struct {
  guint n;
  guint n_words;
  Arrival arrivals[BATCH_CHAINS];
  guint64 words[BATCH_WORDS];
} Batch;

struct _PenChainIntake {
  PenChainSpool *spool;
  guint n_added; /* without the thread */
  Batch *batches[BATCHES];
  Batch *filling; /* or NULL */
  GAsyncQueue *empty;
  GAsyncQueue *filled;
  GThread *thread;  /* or NULL */
  int has_failed;   /* atomic */
  int is_abandoned; /* atomic */
  GError *error;    /* the thread's, until it has ended */
};

PenChainIntake *
pen_chain_intake_new (PenChainSpool *spool)
{
  PenChainIntake *self = g_new0 (PenChainIntake, 1);

  self->spool = spool;
  self->empty = g_async_queue_new ();
  self->filled = g_async_queue_new ();
  return self;
}

/* ---- with the spool ---- */

static gboolean
add_chain (PenChainSpool *spool, const PenSampleRecord *chain, gint32 tid, PenSortedSample *sample,
           GError **error)
{
  gboolean is_whole;
  guint32 place;

  if (!pen_chain_spool_add (spool, chain, sample->cpumode, tid, &place, &is_whole, error))
    return FALSE;
  sample->chain = place;
  sample->chain_is_whole = is_whole;
  return TRUE;
}

/* @words: (inout): of @arrival; and of the next one */
static void
get_ready (PenChainIntake *self, const Arrival *arrival, const guint64 **words,
           PenReadyChain *ready)
{
  PenSampleRecord chain = { .callchain = *words, .callchain_length = arrival->n };

  if (arrival->sample) {
    chain.address = arrival->sample->address;
    pen_chain_spool_get_ready (self->spool, &chain, arrival->sample->cpumode, ready);
  } else {
    ready->run.entries = *words;
  }
  *words += arrival->n;
}

static gboolean
add_ready (PenChainIntake *self, const Arrival *arrival, const PenReadyChain *ready, GError **error)
{
  guint32 place;

  if (!arrival->sample)
    return pen_chain_spool_add_deferred (self->spool, arrival->cookie, arrival->tid,
                                         ready->run.entries, arrival->n, error);

  if (!pen_chain_spool_add_ready (self->spool, ready, arrival->tid, &place, error))
    return FALSE;
  arrival->sample->chain = place;
  arrival->sample->chain_is_whole = ready->is_whole;
  return TRUE;
}

static gboolean
add_batch (PenChainIntake *self, const Batch *batch, GError **error)
{
  const guint64 *words = batch->words;
  PenReadyChain ready[AHEAD];

  for (guint i = 0; i < MIN (batch->n, AHEAD); i++)
    get_ready (self, &batch->arrivals[i], &words, &ready[i]);

  for (guint i = 0; i < batch->n; i++) {
    if (g_atomic_int_get (&self->is_abandoned))
      return TRUE;
    if (i + CUT_AHEAD < batch->n && batch->arrivals[i + CUT_AHEAD].sample)
      pen_chain_spool_cut_ready (self->spool, &ready[(i + CUT_AHEAD) % AHEAD]);
    if (!add_ready (self, &batch->arrivals[i], &ready[i % AHEAD], error))
      return FALSE;
    if (i + AHEAD < batch->n)
      get_ready (self, &batch->arrivals[i + AHEAD], &words, &ready[i % AHEAD]);
  }
  return TRUE;
}

static gpointer
add_batches (gpointer data)
{
  PenChainIntake *self = data;
  gpointer given;

  while ((given = g_async_queue_pop (self->filled)) != self) {
    Batch *batch = given;

    if (!self->error && !add_batch (self, batch, &self->error))
      g_atomic_int_set (&self->has_failed, TRUE);
    batch->n = batch->n_words = 0;
    g_async_queue_push (self->empty, batch);
  }
  return NULL;
}

/* ---- with the thread that reads ---- */

static void
start_thread (PenChainIntake *self)
{
  for (guint i = 0; i < BATCHES; i++) {
    self->batches[i] = g_new (Batch, 1);
    self->batches[i]->n = self->batches[i]->n_words = 0;
    g_async_queue_push (self->empty, self->batches[i]);
  }
  self->thread = g_thread_new ("intake", add_batches, self);
}

static void
give_batch (PenChainIntake *self)
{
  if (self->filling)
    g_async_queue_push (self->filled, g_steal_pointer (&self->filling));
}

static void
end_thread (PenChainIntake *self)
{
  if (!self->thread)
    return;

  give_batch (self);
  g_async_queue_push (self->filled, self);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
pen_chain_intake_free (PenChainIntake *self)
{
  g_atomic_int_set (&self->is_abandoned, TRUE);
  end_thread (self);
  for (guint i = 0; i < BATCHES; i++)
    g_free (self->batches[i]);
  g_async_queue_unref (self->empty);
  g_async_queue_unref (self->filled);
  g_clear_error (&self->error);
  g_free (self);
}

gboolean
pen_chain_intake_finish (PenChainIntake *self, GError **error)
{
  end_thread (self);
  if (!self->error)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/* Returns: TRUE: the thread takes it */
static gboolean
is_threaded (PenChainIntake *self)
{
  if (!self->thread && self->n_added++ == FEW)
    start_thread (self);
  return self->thread != NULL;
}

static gboolean
add_arrival (PenChainIntake *self, const Arrival *arrival, const guint64 *words, GError **error)
{
  Batch *batch = self->filling;

  if (batch && (batch->n == BATCH_CHAINS || batch->n_words + arrival->n > BATCH_WORDS)) {
    give_batch (self);
    batch = NULL;
  }
  if (!batch) {
    if (g_atomic_int_get (&self->has_failed))
      return pen_chain_intake_finish (self, error);
    batch = self->filling = g_async_queue_pop (self->empty);
  }

  batch->arrivals[batch->n++] = *arrival;
  memcpy (batch->words + batch->n_words, words, arrival->n * sizeof *words);
  batch->n_words += arrival->n;
  return TRUE;
}

gboolean
pen_chain_intake_add (PenChainIntake *self, const PenRecord *record, PenSortedSample *sample,
                      GError **error)
{
  guint64 n = MIN (record->sample.callchain_length, PEN_CHAIN_LENGTH_MAX);
  Arrival arrival = { .sample = sample, .tid = record->tid, .n = (guint32) n };

  return is_threaded (self) ? add_arrival (self, &arrival, record->sample.callchain, error)
                            : add_chain (self->spool, &record->sample, record->tid, sample, error);
}

gboolean
pen_chain_intake_add_deferred (PenChainIntake *self, const PenRecord *record, GError **error)
{
  guint64 n = MIN (record->deferred.callchain_length, PEN_CHAIN_LENGTH_MAX);
  Arrival arrival = { .cookie = record->deferred.cookie, .tid = record->tid, .n = (guint32) n };

  return is_threaded (self)
             ? add_arrival (self, &arrival, record->deferred.callchain, error)
             : pen_chain_spool_add_deferred (self->spool, record->deferred.cookie, record->tid,
                                             record->deferred.callchain, n, error);
}

gboolean
pen_chain_intake_wait (PenChainIntake *self, GError **error)
{
  gpointer empty[BATCHES];

  if (!self->thread)
    return TRUE;

  give_batch (self);
  for (guint i = 0; i < BATCHES; i++)
    empty[i] = g_async_queue_pop (self->empty);
  for (guint i = 0; i < BATCHES; i++)
    g_async_queue_push (self->empty, empty[i]);
  return !g_atomic_int_get (&self->has_failed) || pen_chain_intake_finish (self, error);
}
