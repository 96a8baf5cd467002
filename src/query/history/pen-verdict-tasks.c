/* pen-verdict-tasks.c: samples of a place, task by task, while a cause was on, and while off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-verdict-tasks.h"

#include "pen-compare.h"
#include "pen-sample-walk.h"
#include "pen-table-hash.h"

/* Some 250 ms on a slow machine. */
#define BLOCKS_MAX 64
/* The tasks that are looked at, and how many samples make one worth that. */
#define TASKS_MAX 8
#define SAMPLES_MIN 5

void
pen_verdict_task_free (gpointer data)
{
  PenVerdictTask *self = data;

  g_free (self->comm);
  g_free (self);
}

/* Samples of tasks of one name: in the place, and anywhere, by PenTextState. */
typedef struct {
  const char *comm;
  guint64 samples[PEN_TEXT_STATES];
  guint64 all[PEN_TEXT_STATES];
} Task;

typedef struct {
  const PenPatchedPlace *place;
  const PenTextCause *turns;
  GArray *tasks;      /* Task */
  guint32 *of_thread; /* index of @tasks */
  Task total;
  guint64 from; /* of the turn that the last sample was in */
  guint64 to;
  PenTextState state;
} Count;

static void
name_tasks (Count *count)
{
  const PenQuery *query = count->place->query;
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_str_hash, g_str_equal);

  count->tasks = g_array_new (FALSE, TRUE, sizeof (Task));
  count->of_thread = g_new0 (guint32, query->n_threads + 1);
  for (guint i = 0; i < query->n_threads; i++) {
    const char *comm = query->threads[i].comm ? query->threads[i].comm : "";
    guint index = GPOINTER_TO_UINT (g_hash_table_lookup (seen, comm));

    if (index == 0) {
      Task task = { .comm = comm };

      g_array_append_val (count->tasks, task);
      index = count->tasks->len;
      g_hash_table_insert (seen, (gpointer) comm, GUINT_TO_POINTER (index));
    }
    count->of_thread[i] = index - 1;
  }
}

static void
count_clear (Count *count)
{
  g_clear_pointer (&count->tasks, g_array_unref);
  g_clear_pointer (&count->of_thread, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Count, count_clear)

static PenTextState
find_state (Count *count, guint64 time)
{
  if (time < count->from || time >= count->to)
    count->state = pen_text_cause_find_turn (count->turns, time, &count->from, &count->to);
  return count->state;
}

static gboolean
add_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Count *count = user_data;
  const PenSampleBlock *block = batch->block;
  guint n_threads = count->place->query->n_threads;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    PenTextState state;
    Task *task;

    if (!(block->has[row] & PEN_SAMPLE_HAS_TIME) || block->thread[row] >= n_threads
        || !pen_patched_place_has_time (count->place, block->time[row]))
      continue;
    state = find_state (count, block->time[row]);
    task = &g_array_index (count->tasks, Task, count->of_thread[block->thread[row]]);
    task->all[state]++;
    count->total.all[state]++;
    if (pen_bucket_set_find (count->place->set, block->bucket[row]) == G_MAXUINT)
      continue;
    task->samples[state]++;
    count->total.samples[state]++;
  }
  return TRUE;
}

/* ---- what differs ---- */

static guint64
get_samples (const Task *task)
{
  return task->samples[PEN_TEXT_OFF] + task->samples[PEN_TEXT_ON];
}

static int
compare_tasks (gconstpointer a, gconstpointer b)
{
  const Task *x = a, *y = b;
  guint64 first = get_samples (x), second = get_samples (y);

  return first != second ? PEN_COMPARE (second, first) : g_strcmp0 (x->comm, y->comm);
}

/* @part: of the phase's time that was looked at */
static void
set_phase (PenPhase *phase, const PenPhase *whole, guint64 samples, guint64 all, double part)
{
  phase->rate.samples = samples;
  phase->rate.seconds = whole->rate.seconds * part;
  phase->rate.lost = whole->rate.lost;
  phase->stretches = whole->stretches;
  phase->all = all;
}

static void
set_phases (PenVerdictTask *task, const PenVerdictCause *cause, const Count *count,
            const Task *counted)
{
  static const PenTextState states[] = { PEN_TEXT_OFF, PEN_TEXT_ON };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
    PenTextState state = states[i];
    const PenPhase *whole = &cause->two.phases[state];
    double part = whole->all > 0 ? (double) count->total.all[state] / (double) whole->all : 1;

    set_phase (&task->two.phases[state], whole, counted->samples[state], counted->all[state], part);
    set_phase (&task->others.phases[state], whole,
               count->total.samples[state] - counted->samples[state],
               count->total.all[state] - counted->all[state], part);
  }
}

static gboolean
parts (const PenTwoPhases *a, const PenTwoPhases *b)
{
  if (a->rate == PEN_VERDICT_UNKNOWN || b->rate == PEN_VERDICT_UNKNOWN)
    return FALSE;
  return a->rate_test.low > b->rate_test.high || a->rate_test.high < b->rate_test.low;
}

static void
judge_tasks (Count *count, PenVerdictCause *cause)
{
  guint n = 0;

  g_array_sort (count->tasks, compare_tasks);
  while (n < MIN (count->tasks->len, TASKS_MAX)
         && get_samples (&g_array_index (count->tasks, Task, n)) >= SAMPLES_MIN)
    n++;
  for (guint i = 0; i < n; i++) {
    const Task *counted = &g_array_index (count->tasks, Task, i);
    PenVerdictTask *task = g_new0 (PenVerdictTask, 1);
    double level = PEN_POISSON_ALPHA / n;

    task->comm = g_strdup (counted->comm);
    set_phases (task, cause, count, counted);
    pen_two_phases_judge (&task->two, level);
    pen_two_phases_judge (&task->others, level);
    task->differs = parts (&task->two, &task->others);
    g_ptr_array_add (cause->tasks, task);
  }
}

gboolean
pen_verdict_tasks_load (const PenPatchedPlace *place, const PenTextCause *turns,
                        PenVerdictCause *cause, guint *stride, GError **error)
{
  g_auto (Count) count = { .place = place, .turns = turns };
  const GArray *pieces = place->time->pieces;

  if (pieces->len == 0)
    return TRUE;
  if (!pen_query_load_threads (place->query, error))
    return FALSE;
  name_tasks (&count);
  if (!pen_query_scan_some (place->query, place->matcher, g_array_index (pieces, PenPiece, 0).from,
                            g_array_index (pieces, PenPiece, pieces->len - 1).to, BLOCKS_MAX,
                            stride, add_rows, &count, error))
    return FALSE;
  judge_tasks (&count, cause);
  return TRUE;
}
