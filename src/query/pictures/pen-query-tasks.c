/* pen-query-tasks.c: samples of each CPU or process over time, or time off CPU of each process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "pen-bins.h"
#include "pen-query-tasks.h"
#include "pen-sample-walk.h"
#include "pen-table-hash.h"
#include "pen-wait-steps.h"

/* A recording may have any number of processes: those met after so many have no row. */
#define MAX_MET 4096

void
pen_task_bins_free (PenTaskBins *bins)
{
  if (!bins)
    return;
  g_clear_pointer (&bins->rows, g_array_unref);
  g_free (bins->counts);
  g_free (bins);
}

typedef struct {
  PenTaskTotal row;
  guint64 *counts; /* of samples */
} Met;

typedef struct {
  PenQuery *query;
  PenTaskKey key;
  PenBins bins;
  GHashTable *indexes; /* number → index of @met plus one */
  GArray *met;         /* (element-type Met) */
  guint n_refused;
  guint stride;
  const PenBlockInfo *blocks;
  guint n_blocks;
} Binning;

static void
clear_met (gpointer data)
{
  g_free (((Met *) data)->counts);
}

static Met *
find_met (Binning *binning, gint64 number)
{
  gpointer key = GINT_TO_POINTER ((int) number);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (binning->indexes, key));

  if (index == G_MAXUINT)
    return NULL;
  if (index == 0) {
    Met met = { { number, NULL, 0 }, NULL };

    if (binning->met->len == MAX_MET) {
      g_hash_table_insert (binning->indexes, key, GUINT_TO_POINTER (G_MAXUINT));
      binning->n_refused++;
      return NULL;
    }
    if (!pen_query_is_of_waits (binning->query))
      met.counts = g_new0 (guint64, binning->bins.n);
    g_array_append_val (binning->met, met);
    index = binning->met->len;
    g_hash_table_insert (binning->indexes, key, GUINT_TO_POINTER (index));
  }
  return &g_array_index (binning->met, Met, index - 1);
}

/* When the blocks begin that the next one read stands for; the end of the stretch after the last.
 */
static guint64
get_next_time (const Binning *binning, guint number)
{
  guint next = number + binning->stride;

  return next < binning->n_blocks ? binning->blocks[next].first : binning->bins.to;
}

/* Samples of a block that stands for others are laid out over the time of all of them. */
static guint64
stretch_time (guint64 time, const PenBlockInfo *block, guint64 next)
{
  guint64 own = block->last - block->first;

  if (own == 0 || next <= block->last || time < block->first)
    return time;
  return block->first
         + (guint64) ((double) (time - block->first) / (double) own
                      * (double) (next - 1 - block->first));
}

/* As the process was called last. */
static void
name_process (Met *met, const PenThread *thread)
{
  if (thread->comm && (!met->row.comm || thread->tid == thread->pid))
    met->row.comm = thread->comm;
}

static gboolean
bin_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  Binning *binning = user_data;
  guint64 next = get_next_time (binning, batch->number);

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    const PenThread *thread = &binning->query->threads[block->thread[row]];
    guint64 time = block->time[row];
    Met *met;

    if (binning->key == PEN_TASKS_BY_CPU ? !(block->has[row] & PEN_SAMPLE_HAS_CPU)
                                         : !thread->has_task)
      continue;
    met = find_met (binning,
                    binning->key == PEN_TASKS_BY_CPU ? (gint64) block->cpu[row] : thread->pid);
    if (!met)
      continue;
    if (binning->stride > 1)
      time = stretch_time (time, &binning->blocks[batch->number], next);
    if (time < binning->bins.from || time >= binning->bins.to)
      continue;
    met->counts[pen_bins_find (&binning->bins, time)] += binning->stride;
    met->row.samples += binning->stride;
    if (binning->key == PEN_TASKS_BY_PROCESS)
      name_process (met, thread);
  }
  return TRUE;
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Met *x = a;
  const Met *y = b;

  if (x->row.samples != y->row.samples)
    return x->row.samples > y->row.samples ? -1 : 1;
  return x->row.number < y->row.number ? -1 : x->row.number > y->row.number;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const Met *x = a;
  const Met *y = b;

  return x->row.number < y->row.number ? -1 : x->row.number > y->row.number;
}

/* The busiest get rows. */
static void
choose_rows (Binning *binning, PenTaskBins *tasks, guint n_rows)
{
  guint n = MIN (n_rows, binning->met->len);

  tasks->n_left_out = binning->met->len - n + binning->n_refused;
  g_array_sort (binning->met, compare_samples);
  g_array_set_size (binning->met, n);
  if (binning->key == PEN_TASKS_BY_CPU)
    g_array_sort (binning->met, compare_numbers);

  tasks->rows = g_array_sized_new (FALSE, FALSE, sizeof (PenTaskTotal), n);
  tasks->counts = g_new0 (guint64, MAX ((gsize) n * tasks->n_bins, 1));
  for (guint i = 0; i < n; i++) {
    const Met *met = &g_array_index (binning->met, Met, i);

    g_array_append_val (tasks->rows, met->row);
    if (met->counts)
      memcpy (tasks->counts + (gsize) i * tasks->n_bins, met->counts,
              tasks->n_bins * sizeof *met->counts);
  }
}

/* ---- waits ---- */

/* What they took of the stretch. */
static gboolean
add_waits (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  Binning *binning = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    const PenThread *thread = &binning->query->threads[block->thread[row]];
    guint64 time = block->time[row];
    guint64 length = block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;
    guint64 from = MAX (time, binning->bins.from);
    guint64 to = MIN (time + MIN (length, G_MAXUINT64 - time), binning->bins.to);
    Met *met = thread->has_task && from < to ? find_met (binning, thread->pid) : NULL;

    if (!met)
      continue;
    met->row.samples += to - from;
    name_process (met, thread);
  }
  return TRUE;
}

/* @user_data: pid → index of its row plus one */
static guint
find_process_row (PenQuery *query, guint32 bucket G_GNUC_UNUSED, guint32 function G_GNUC_UNUSED,
                  guint32 thread, gpointer user_data)
{
  const PenThread *task = &query->threads[thread];
  guint row = task->has_task
                  ? GPOINTER_TO_UINT (g_hash_table_lookup (user_data, GINT_TO_POINTER (task->pid)))
                  : 0;

  return row > 0 ? row - 1 : PEN_WAIT_NO_SERIES;
}

/* Laid out over the steps: of the processes that have rows. */
static gboolean
lay_out_waits (Binning *binning, const PenMatcher *matcher, PenTaskBins *tasks, GError **error)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (pen_direct_hash, NULL);
  g_autofree guint64 *edges = g_new (guint64, tasks->n_bins + 1);
  g_autofree guint64 *sums = g_new0 (guint64, MAX ((gsize) tasks->n_bins * tasks->rows->len, 1));
  guint n = tasks->rows->len;

  if (n == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (
        rows, GINT_TO_POINTER ((int) g_array_index (tasks->rows, PenTaskTotal, i).number),
        GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < tasks->n_bins; i++)
    edges[i] = pen_bins_get_start (&binning->bins, i);
  edges[tasks->n_bins] = tasks->to;
  if (!pen_query_lay_out_waits (binning->query, matcher, edges, tasks->n_bins, n, find_process_row,
                                rows, sums, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    for (guint bin = 0; bin < tasks->n_bins; bin++)
      tasks->counts[(gsize) i * tasks->n_bins + bin] = sums[(gsize) bin * n + i];
  }
  return TRUE;
}

/* No CPU waits. */
static gboolean
bin_waits (Binning *binning, const PenMatcher *matcher, PenTaskBins *tasks, guint n_rows,
           GError **error)
{
  if (binning->key == PEN_TASKS_BY_PROCESS
      && !pen_query_scan (binning->query, matcher, 0, tasks->to - 1, add_waits, binning, error))
    return FALSE;
  choose_rows (binning, tasks, n_rows);
  return lay_out_waits (binning, matcher, tasks, error);
}

/* ---- both ---- */

static void
find_max (PenTaskBins *tasks)
{
  gsize n = (gsize) tasks->rows->len * tasks->n_bins;

  for (gsize i = 0; i < n; i++)
    tasks->max = MAX (tasks->max, tasks->counts[i]);
}

static gboolean
bin_samples (Binning *binning, const PenMatcher *matcher, PenTaskBins *tasks, guint n_rows,
             guint n_blocks, GError **error)
{
  binning->blocks = pen_store_get_blocks (binning->query->store, &binning->n_blocks);
  if (!pen_query_scan_some (binning->query, matcher, tasks->from, tasks->to - 1, n_blocks,
                            &binning->stride, bin_rows, binning, error))
    return FALSE;
  choose_rows (binning, tasks, n_rows);
  return TRUE;
}

PenTaskBins *
pen_query_task_bins (PenQuery *self, const PenFilter *filter, PenTaskKey key, guint64 from,
                     guint64 to, guint n_bins, guint n_rows, guint n_blocks, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenTaskBins) tasks = g_new0 (PenTaskBins, 1);
  g_autoptr (GHashTable) indexes = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (Met));
  Binning binning = { .query = self, .key = key, .indexes = indexes, .met = met, .stride = 1 };

  g_return_val_if_fail (n_bins > 0 && to > from, NULL);

  if (!matcher || !pen_query_load_threads (self, error))
    return NULL;
  g_array_set_clear_func (met, clear_met);
  pen_bins_init (&binning.bins, from, to, n_bins);
  tasks->from = from;
  tasks->to = to;
  tasks->n_bins = n_bins;
  tasks->population = pen_store_get_population (self->store);
  if (!(pen_query_is_of_waits (self)
            ? bin_waits (&binning, matcher, tasks, n_rows, error)
            : bin_samples (&binning, matcher, tasks, n_rows, n_blocks, error)))
    return NULL;
  tasks->stride = binning.stride;
  find_max (tasks);
  return g_steal_pointer (&tasks);
}
