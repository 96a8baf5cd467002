/* pen-sample-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-pass.h"

#include "pen-chain-stage.h"
#include "pen-record.h"

typedef struct {
  PenSweep *sweep;
  guint no_event;
  const guint8 *is_output;  /* by event, and of none */
  PenWitnessJudge *witness; /* or NULL */
  PenThreadTable *threads;
  PenTimelessCounts *counts;
} SamplePass;

static const PenTenure *
find_tenure (PenSweep *sweep, const PenSortedSample *sample, PenPlacedSample *placed)
{
  switch (sample->cpumode) {
  case PEN_CPUMODE_KERNEL:
    return pen_sweep_find_kernel (sweep, sample->address, &placed->revision);
  case PEN_CPUMODE_USER:
    return (sample->has & PEN_HAS_TASK) != 0
               ? pen_sweep_find_process (sweep, sample->pid, sample->address)
               : NULL;
  case PEN_CPUMODE_GUEST_KERNEL:
  case PEN_CPUMODE_GUEST_USER:
    placed->kind = PEN_KIND_GUEST;
    return NULL;
  default:
    return NULL;
  }
}

static void
place (PenSweep *sweep, const PenSortedSample *sample, PenPlacedSample *placed)
{
  const PenTenure *tenure;

  placed->kind = PEN_KIND_UNKNOWN;
  placed->tenure = 0;
  placed->revision = 0;
  placed->address = 0;
  placed->has_address = (sample->has & PEN_HAS_ADDRESS) != 0;
  if (!placed->has_address)
    return;

  placed->address = sample->address;
  tenure = find_tenure (sweep, sample, placed);
  if (tenure) {
    placed->tenure = tenure->id;
    placed->kind = (guint8) tenure->kind;
  } else {
    placed->revision = 0;
  }
}

static void
count_timeless (SamplePass *self, const PenSortedSample *sample, const PenPlacedSample *placed)
{
  if (sample->time != 0)
    return;
  self->counts->samples++;
  self->counts->unknown += placed->has_address && placed->tenure == 0
                           && placed->kind == PEN_KIND_UNKNOWN
                           && pen_sweep_is_ambiguous (self->sweep);
}

static guint32
get_thread (SamplePass *self, const PenSortedSample *sample)
{
  if ((sample->has & PEN_HAS_TASK) == 0)
    return pen_thread_table_get (self->threads, FALSE, 0, 0, "");
  return pen_thread_table_get (self->threads, TRUE, sample->pid, sample->tid,
                               pen_sweep_find_comm (self->sweep, sample->tid));
}

static void
place_sample (SamplePass *self, const PenSortedSample *sample, PenPlacedSample *placed)
{
  gboolean has_period = (sample->has & PEN_HAS_PERIOD) != 0;
  gboolean has_cpu = (sample->has & PEN_HAS_CPU) != 0;

  PenMoment moment = pen_moment (sample->time, sample->position);
  guint event = sample->event == PEN_SORTED_NO_EVENT ? self->no_event : sample->event;
  gboolean is_output = self->is_output[event];

  pen_sweep_advance (self->sweep, moment);
  place (self->sweep, sample, placed);
  if (!is_output)
    count_timeless (self, sample, placed);
  if (self->witness && !is_output && sample->time != 0 && sample->cpumode == PEN_CPUMODE_KERNEL
      && placed->has_address)
    pen_witness_judge_count (self->witness, self->sweep, sample->address, moment, sample->position);
  placed->chain = 0;
  placed->time = sample->time;
  placed->time_is_max = sample->time_is_max;
  placed->event = event;
  placed->period = has_period ? sample->period : 0;
  placed->cpu = has_cpu ? sample->cpu : 0;
  placed->payload = sample->payload;
  placed->thread = get_thread (self, sample);
  placed->has = ((sample->has & PEN_HAS_TIME) != 0 ? PEN_SAMPLE_HAS_TIME : 0)
                | (has_period ? PEN_SAMPLE_HAS_PERIOD : 0) | (has_cpu ? PEN_SAMPLE_HAS_CPU : 0)
                | (sample->chain != 0 ? PEN_SAMPLE_HAS_CHAIN : 0)
                | (sample->payload != 0 ? PEN_SAMPLE_HAS_PAYLOAD : 0)
                | (sample->chain_is_whole ? PEN_SAMPLE_CHAIN_IS_WHOLE : 0)
                | (is_output ? PEN_PLACED_IS_OUTPUT : 0);
}

static gboolean
fill_chunk (SamplePass *self, PenSampleSorter *sorter, PenSampleChunk *chunk, GError **error)
{
  GError *local_error = NULL;
  const PenSortedSample *sample;

  while (chunk->n < PEN_CHUNK_SAMPLES && (sample = pen_sample_sorter_next (sorter, &local_error))) {
    place_sample (self, sample, &chunk->samples[chunk->n]);
    if (sample->chain != 0 || (chunk->samples[chunk->n].has & PEN_PLACED_IS_OUTPUT) != 0) {
      chunk->has_chains |= sample->chain != 0;
      chunk->has_outputs |= (chunk->samples[chunk->n].has & PEN_PLACED_IS_OUTPUT) != 0;
      chunk->places[chunk->n] = (PenSampleChain){
        .position = sample->position,
        .place = sample->chain,
        .pid = sample->pid,
        .has_task = (sample->has & PEN_HAS_TASK) != 0,
      };
    }
    chunk->n++;
  }

  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return TRUE;
}

/* Returns: a flag for each event, and one for none */
static guint8 *
mark_outputs (const GPtrArray *attrs, gboolean are_waits)
{
  guint8 *marks = g_malloc0 (attrs->len + 1);

  for (guint i = 0; i < attrs->len && !are_waits; i++)
    marks[i] = pen_attr_is_bpf_output (attrs->pdata[i]) != FALSE;
  return marks;
}

gboolean
pen_sample_pass_run (PenSampleSorter *sorter, PenHistory *history, const GPtrArray *attrs,
                     gboolean are_waits, PenWitnessJudge *witness, PenThreadTable *threads,
                     PenChainResolver *chains, PenChainCallers *callers, PenSampleWriter *writer,
                     PenSketcher *sketcher, PenTimelessCounts *counts, PenProgress *progress,
                     GError **error)
{
  g_autofree guint8 *is_output = mark_outputs (attrs, are_waits);
  g_autoptr (PenSweep) sweep = pen_sweep_new_for_samples (history);
  g_autoptr (PenChainStage) stage = pen_chain_stage_new (history, chains, callers, writer);
  SamplePass self = { sweep, attrs->len, is_output, witness, threads, counts };
  guint64 done = 0;
  gboolean is_last = FALSE;

  pen_sweep_set_func (sweep, pen_progress_may_go_on, progress);
  while (!is_last) {
    PenSampleChunk *chunk = pen_chain_stage_take (stage, error);
    gboolean is_ok;

    if (!chunk)
      return FALSE;

    is_ok = pen_progress_step (progress, done, error) && fill_chunk (&self, sorter, chunk, error);
    done += chunk->n;
    if (sketcher)
      pen_sketcher_place (sketcher, chunk->samples, chunk->n);
    is_last = chunk->n < PEN_CHUNK_SAMPLES;
    pen_chain_stage_give (stage, chunk);
    if (!is_ok)
      return FALSE;
  }
  return pen_chain_stage_finish (stage, error) && pen_sample_writer_finish (writer, error);
}
