/* pen-sample-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-pass.h"

#include "pen-record.h"

#define PROGRESS_STEP 1024

static const PenTenure *
find_tenure (const PenSortedSample *sample, PenSweep *sweep, PenBucket *key)
{
  switch (sample->cpumode) {
  case PEN_CPUMODE_KERNEL:
    return pen_sweep_find_kernel (sweep, sample->address, &key->revision);
  case PEN_CPUMODE_USER:
    return (sample->has & PEN_HAS_TASK) != 0
               ? pen_sweep_find_process (sweep, sample->pid, sample->address)
               : NULL;
  case PEN_CPUMODE_GUEST_KERNEL:
  case PEN_CPUMODE_GUEST_USER:
    key->kind = PEN_KIND_GUEST;
    return NULL;
  default:
    return NULL;
  }
}

static PenBucket
make_key (const PenSortedSample *sample, PenSweep *sweep, guint no_event)
{
  PenBucket key = {
    .event = (int) (sample->event == PEN_SORTED_NO_EVENT ? no_event : sample->event),
    .kind = PEN_KIND_UNKNOWN,
    .has_address = (sample->has & PEN_HAS_ADDRESS) != 0,
  };
  const PenTenure *tenure;

  if (!key.has_address)
    return key;

  key.address = sample->address;
  tenure = find_tenure (sample, sweep, &key);
  if (tenure != NULL) {
    key.tenure = tenure->id;
    key.kind = tenure->kind;
  } else {
    key.revision = 0;
  }

  return key;
}

static void
count_sample (PenBucket *bucket, const PenSortedSample *sample)
{
  if (sample->time != 0) {
    if (bucket->first == 0)
      bucket->first = sample->time;
    bucket->last = sample->time;
  }

  bucket->samples++;
  if ((sample->has & PEN_HAS_PERIOD) != 0)
    bucket->period += sample->period;
}

static void
put_sample (PenSampleBlock *block, const PenSortedSample *sample, guint32 bucket, guint32 thread,
            guint32 chain)
{
  guint i = block->n++;
  gboolean has_time = (sample->has & PEN_HAS_TIME) != 0;
  gboolean has_period = (sample->has & PEN_HAS_PERIOD) != 0;
  gboolean has_cpu = (sample->has & PEN_HAS_CPU) != 0;

  block->has[i] = (has_time ? PEN_SAMPLE_HAS_TIME : 0) | (has_period ? PEN_SAMPLE_HAS_PERIOD : 0)
                  | (has_cpu ? PEN_SAMPLE_HAS_CPU : 0)
                  | (sample->chain != 0 ? PEN_SAMPLE_HAS_CHAIN : 0)
                  | (sample->payload != 0 ? PEN_SAMPLE_HAS_PAYLOAD : 0)
                  | (sample->chain_is_whole ? PEN_SAMPLE_CHAIN_IS_WHOLE : 0);
  block->time[i] = sample->time_is_max ? G_MAXUINT64 : sample->time;
  block->bucket[i] = bucket;
  block->thread[i] = thread;
  block->cpu[i] = has_cpu ? sample->cpu : 0;
  block->period[i] = has_period ? sample->period : 0;
  block->chain[i] = chain;
}

static guint32
get_thread (const PenSortedSample *sample, PenSweep *sweep, PenThreadTable *threads)
{
  PenThread thread = { .comm = "" };

  if ((sample->has & PEN_HAS_TASK) != 0) {
    thread.has_task = TRUE;
    thread.pid = sample->pid;
    thread.tid = sample->tid;
    thread.comm = pen_sweep_find_comm (sweep, sample->tid);
  }

  return pen_thread_table_get (threads, &thread);
}

gboolean
pen_sample_pass_run (PenSampleSorter *sorter, PenHistory *history, guint no_event,
                     PenBucketTable *buckets, PenThreadTable *threads, PenChainResolver *chains,
                     PenPayloads *payloads, PenStoreWriter *writer, PenProgress *progress,
                     GError **error)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (history);
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *local_error = NULL;
  PenSortedSample sample;
  guint64 done = 0;
  guint64 n_blocks = 0;

  while (pen_sample_sorter_next (sorter, &sample, &local_error)) {
    PenBucket key;
    PenBucket *bucket;
    guint32 chain;

    if (++done % PROGRESS_STEP == 0 && !pen_progress_step (progress, done, error))
      return FALSE;

    pen_sweep_advance (sweep, pen_moment (sample.time, sample.position));
    key = make_key (&sample, sweep, no_event);
    bucket = pen_bucket_table_get (buckets, &key);
    count_sample (bucket, &sample);
    if (!pen_chain_resolver_get (chains, &sample, sweep, &chain, error)
        || !pen_payloads_put (payloads, sample.payload, n_blocks, block->n, writer, error))
      return FALSE;
    put_sample (block, &sample, bucket->id, get_thread (&sample, sweep, threads), chain);

    if (block->n == PEN_BLOCK_SAMPLES) {
      if (!pen_store_writer_add_block (writer, block, error))
        return FALSE;
      n_blocks++;
    }
  }

  if (local_error != NULL) {
    g_propagate_error (error, local_error);
    return FALSE;
  }

  return (block->n == 0 || pen_store_writer_add_block (writer, block, error))
         && pen_chain_resolver_finish (chains, error)
         && pen_payloads_flush (payloads, writer, error);
}
