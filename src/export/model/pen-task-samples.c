/* pen-task-samples.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-task-samples.h"

/*
 * @of_thread: task of each thread, plus 1; 0: it has none
 * @kept: (element-type PenTaskSample): of tasks @first_kept to @end_kept - 1, by task
 * @starts: where those of each task begin in @kept, from @first_kept on, and the end
 */
struct _PenTaskSamples {
  PenWeightedStacks *stacks;
  guint most;
  GArray *tasks;
  guint32 *of_thread;
  guint n_threads;
  GArray *kept;
  guint first_kept;
  guint end_kept;
  GArray *starts;
};

static gboolean
add_sample (const PenWeightedSample *sample, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  PenTaskSamples *self = user_data;
  PenTaskTotal *total;

  if (self->of_thread[sample->thread] == 0) {
    PenTaskTotal task = { .thread = sample->thread };

    g_array_append_val (self->tasks, task);
    self->of_thread[sample->thread] = self->tasks->len;
  }
  total = &g_array_index (self->tasks, PenTaskTotal, self->of_thread[sample->thread] - 1);
  total->n++;
  total->period += sample->period;
  if (sample->has & PEN_SAMPLE_HAS_TIME) {
    total->first = total->has_time ? MIN (total->first, sample->time) : sample->time;
    total->last = total->has_time ? MAX (total->last, sample->time) : sample->time;
    total->has_time = TRUE;
  }
  return TRUE;
}

static int
compare_tasks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenTaskTotal *x = a;
  const PenTaskTotal *y = b;
  PenStackMeasure measure = *(const PenStackMeasure *) user_data;
  guint64 of_x = pen_stack_count_get ((PenStackCount){ x->n, x->period, 0 }, measure);
  guint64 of_y = pen_stack_count_get ((PenStackCount){ y->n, y->period, 0 }, measure);

  if (of_x != of_y)
    return of_x > of_y ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

PenTaskSamples *
pen_task_samples_new (PenWeightedStacks *stacks, PenStackMeasure measure, guint most,
                      GError **error)
{
  g_autoptr (PenTaskSamples) self = g_new0 (PenTaskSamples, 1);
  PenStore *store = pen_query_get_store (pen_weighted_stacks_get_query (stacks));

  self->stacks = stacks;
  self->most = most;
  self->tasks = g_array_new (FALSE, FALSE, sizeof (PenTaskTotal));
  self->kept = g_array_new (FALSE, FALSE, sizeof (PenTaskSample));
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint));
  if (!pen_store_get_threads (store, &self->n_threads, error))
    return NULL;
  self->of_thread = g_new0 (guint32, (gsize) self->n_threads + 1);
  if (!pen_weighted_stacks_foreach (stacks, add_sample, self, error))
    return NULL;
  g_array_sort_with_data (self->tasks, compare_tasks, &measure);
  for (guint32 i = 0; i < self->tasks->len; i++)
    self->of_thread[g_array_index (self->tasks, PenTaskTotal, i).thread] = i + 1;
  return g_steal_pointer (&self);
}

void
pen_task_samples_free (PenTaskSamples *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->tasks, g_array_unref);
  g_clear_pointer (&self->kept, g_array_unref);
  g_clear_pointer (&self->starts, g_array_unref);
  g_free (self->of_thread);
  g_free (self);
}

const PenTaskTotal *
pen_task_samples_get (PenTaskSamples *self, guint *n)
{
  *n = self->tasks->len;
  return (const PenTaskTotal *) (gpointer) self->tasks->data;
}

PenTaskTotal
pen_task_samples_get_total (PenTaskSamples *self)
{
  PenTaskTotal total = { .thread = G_MAXUINT32 };

  for (guint i = 0; i < self->tasks->len; i++) {
    const PenTaskTotal *task = &g_array_index (self->tasks, PenTaskTotal, i);

    total.n += task->n;
    total.period += task->period;
    if (!task->has_time)
      continue;
    total.first = total.has_time ? MIN (total.first, task->first) : task->first;
    total.last = total.has_time ? MAX (total.last, task->last) : task->last;
    total.has_time = TRUE;
  }
  return total;
}

static PenTaskSample
make_sample (const PenWeightedSample *sample, guint32 task)
{
  return (PenTaskSample){ sample->time, sample->period, sample->stack,
                          sample->cpu,  task,           sample->has };
}

/* ---- tasks whose samples are kept ---- */

static gboolean
keep_sample (const PenWeightedSample *sample, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  PenTaskSamples *self = user_data;
  guint32 task = self->of_thread[sample->thread] - 1;

  if (task >= self->first_kept && task < self->end_kept) {
    guint *place = &g_array_index (self->starts, guint, task - self->first_kept);

    g_array_index (self->kept, PenTaskSample, (*place)++) = make_sample (sample, task);
  }
  return TRUE;
}

/* As many tasks from @first on as fit; there is at least one. */
static gboolean
keep_tasks (PenTaskSamples *self, guint first, GError **error)
{
  guint n = 0;
  guint end;

  g_array_set_size (self->starts, 0);
  for (end = first; end < self->tasks->len; end++) {
    guint64 more = g_array_index (self->tasks, PenTaskTotal, end).n;

    if (more > self->most - n)
      break;
    g_array_append_val (self->starts, n);
    n += (guint) more;
  }
  self->first_kept = first;
  self->end_kept = end;
  g_array_set_size (self->kept, n);
  if (!pen_weighted_stacks_foreach (self->stacks, keep_sample, self, error)) {
    self->end_kept = first;
    return FALSE;
  }
  /* Each start has become the next one's. */
  g_array_append_val (self->starts, n);
  for (guint i = self->starts->len - 1; i > 0; i--)
    g_array_index (self->starts, guint, i) = g_array_index (self->starts, guint, i - 1);
  g_array_index (self->starts, guint, 0) = 0;
  return TRUE;
}

static gboolean
foreach_kept (PenTaskSamples *self, guint task, PenTaskFunc func, gpointer user_data,
              GError **error)
{
  const guint *starts = &g_array_index (self->starts, guint, task - self->first_kept);
  PenStore *store = pen_query_get_store (pen_weighted_stacks_get_query (self->stacks));

  for (guint i = starts[0]; i < starts[1]; i++) {
    if (!pen_store_steps_on (store, i - starts[0], error)
        || !func (&g_array_index (self->kept, PenTaskSample, i), user_data, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- a task of its own ---- */

typedef struct {
  guint32 thread;
  guint32 task;
  PenTaskFunc func;
  gpointer user_data;
} Walk;

static gboolean
hand_sample (const PenWeightedSample *sample, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  PenTaskSample own;

  if (sample->thread != walk->thread)
    return TRUE;
  own = make_sample (sample, walk->task);
  return walk->func (&own, walk->user_data, error);
}

gboolean
pen_task_samples_foreach (PenTaskSamples *self, guint task, PenTaskFunc func, gpointer user_data,
                          GError **error)
{
  const PenTaskTotal *total = &g_array_index (self->tasks, PenTaskTotal, task);

  if (total->n > self->most) {
    Walk walk = { total->thread, task, func, user_data };

    return pen_weighted_stacks_foreach (self->stacks, hand_sample, &walk, error);
  }
  if (!(task >= self->first_kept && task < self->end_kept) && !keep_tasks (self, task, error))
    return FALSE;
  return foreach_kept (self, task, func, user_data, error);
}
