/* pen-wait-finder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-wait-finder.h"

#include <string.h>

#include "pen-loss-spans.h"
#include "pen-off-cpu.h"
#include "pen-table-hash.h"
#include "pen-tracepoint.h"
#include "pen-tracing-data.h"

/* In addition to PEN_SORTER_MEMORY. */
#define SORTER_MEMORY (8u << 20)
/* Tasks that are off CPU at one time. */
#define MAX_TASKS (1u << 17)
/* A task that has ended is off CPU for good within microseconds, but may have no id by then. */
#define KEPT_ENDED 4096u
/* No kernel's sched_switch has so many bytes. */
#define MAX_PAYLOAD 256u

/* Of prev_state: what a task waits for, or that it ended; the bits above say how it was switched
 * (include/trace/events/sched.h: __trace_sched_switch_state()). */
#define STATE_MASK 0xffu
#define STATE_ENDED 0x30u /* EXIT_DEAD, EXIT_ZOMBIE */

/* What a kept record says, in the field `payload`. */
typedef enum {
  MARK_OUT,   /* SWITCH, out */
  MARK_IN,    /* SWITCH, in */
  MARK_TRACE, /* sched:sched_switch: one task out, one in */
  MARK_EXIT,  /* EXIT */
} Mark;

/* The field `period` of a kept record: the low half has the next task's id. */
#define NEXT_MASK G_MAXUINT32
#define IS_PREEMPTED ((guint64) 1 << 32)
#define IS_ENDED ((guint64) 1 << 33)

/* Who says that a task went off CPU. */
enum {
  SEEN_BY_SWITCH = 1 << 0,
  SEEN_BY_TRACE = 1 << 1,
};

/* A task that is off CPU. @seen: SEEN_BY_…; @has_ended: it does not come back */
typedef struct {
  PenSortedSample mark;
  guint8 seen;
  guint8 has_ended;
} OffTask;

struct _PenWaitFinder {
  char *directory;
  const PenFeatures *features;
  PenSampleSorter *marks; /* NULL: none yet */
  PenSampleSorter *waits;
  guint64 n_switches; /* of the marks */
  guint64 n_traces;

  int trace_event;
  GBytes *blob;              /* borrowed: what the format was looked for in */
  PenTracepoint *tracepoint; /* sched:sched_switch; NULL: not known */
  guint64 tracepoint_id;

  GHashTable *tasks; /* tid → OffTask */
  gint32 *ended;     /* the last KEPT_ENDED tids that ended */
  guint64 n_ended;
  PenLossSpans *losses;
  PenWaitCounts counts;
};

PenWaitFinder *
pen_wait_finder_new (const char *directory, const PenFeatures *features)
{
  PenWaitFinder *self = g_new0 (PenWaitFinder, 1);

  self->directory = g_strdup (directory);
  self->features = features;
  return self;
}

void
pen_wait_finder_clear (PenWaitFinder *self)
{
  g_clear_pointer (&self->marks, pen_sample_sorter_free);
  g_clear_pointer (&self->waits, pen_sample_sorter_free);
  g_clear_pointer (&self->tasks, g_hash_table_unref);
  g_clear_pointer (&self->ended, g_free);
  g_clear_pointer (&self->losses, pen_loss_spans_free);
}

void
pen_wait_finder_free (PenWaitFinder *self)
{
  pen_wait_finder_clear (self);
  g_clear_pointer (&self->tracepoint, pen_tracepoint_free);
  g_free (self->directory);
  g_free (self);
}

/* ---- records ---- */

/* The first line of a format is its name. */
static void
find_format (PenWaitFinder *self)
{
  g_autoptr (PenTracingData) tracing = NULL;

  self->blob = self->features->tracing_data;
  g_clear_pointer (&self->tracepoint, pen_tracepoint_free);
  if (self->blob)
    tracing = pen_tracing_data_parse (self->blob);
  for (guint i = 0; tracing && !self->tracepoint && i < tracing->formats->len; i++) {
    const PenTracepointFormat *format = g_ptr_array_index (tracing->formats, i);

    if (g_strcmp0 (format->system, "sched") != 0
        || !g_str_has_prefix (format->text, "name: sched_switch\n"))
      continue;
    self->tracepoint_id = format->id;
    self->tracepoint = pen_tracepoint_new (format->system, format->text, tracing->big_endian,
                                           tracing->long_size, NULL);
  }
}

/* Only where each switch is a sample. */
static gboolean
is_tracepoint (PenWaitFinder *self, const PenAttr *attr)
{
  if (attr->type != PEN_ATTR_TYPE_TRACEPOINT || attr->period_or_frequency != 1
      || (attr->flags & PEN_ATTR_FREQ) != 0)
    return FALSE;
  if (self->features->tracing_data != self->blob)
    find_format (self);
  return self->tracepoint && attr->config == self->tracepoint_id;
}

static gboolean
has_moment (const PenRecord *record)
{
  return (record->has & PEN_HAS_TASK) != 0 && (record->has & PEN_HAS_TIME) != 0 && record->time != 0
         && record->time != G_MAXUINT64;
}

gboolean
pen_wait_finder_wants (PenWaitFinder *self, const PenRecord *record, const PenAttr *attr)
{
  switch (record->type) {
  case PEN_RECORD_SAMPLE:
    if (!attr || (record->has & PEN_HAS_TASK) == 0)
      return FALSE;
    return pen_off_cpu_is_event (attr)
           || ((record->has & PEN_HAS_RAW) != 0 && has_moment (record)
               && record->sample.raw_length <= MAX_PAYLOAD && is_tracepoint (self, attr));
  case PEN_RECORD_SWITCH:
  case PEN_RECORD_SWITCH_CPU_WIDE:
  case PEN_RECORD_EXIT:
    return has_moment (record);
  default:
    return FALSE;
  }
}

gboolean
pen_wait_finder_ends_run (PenWaitFinder *self)
{
  return (self->marks && pen_sample_sorter_ends_run (self->marks))
         || (self->waits && pen_sample_sorter_ends_run (self->waits));
}

static PenSortedSample *
add_to (PenWaitFinder *self, PenSampleSorter **sorter, GError **error)
{
  if (!*sorter) {
    *sorter = pen_sample_sorter_new (self->directory, SORTER_MEMORY);
    if (sorter == &self->waits)
      pen_sample_sorter_mix_positions (*sorter);
  }
  return pen_sample_sorter_add (*sorter, error);
}

/* But for its callchain. */
static PenSortedSample
keep (const PenRecord *record)
{
  return (PenSortedSample){
    .time = (record->has & PEN_HAS_TIME) != 0 ? record->time : 0,
    .position = record->position,
    .pid = record->pid,
    .cpu = record->cpu,
    .tid = record->tid,
    .event = record->event >= 0 ? (guint32) record->event : PEN_SORTED_NO_EVENT,
    .has = record->has & (PEN_HAS_TIME | PEN_HAS_TASK | PEN_HAS_CPU),
  };
}

static void
take_place (const PenRecord *record, PenSortedSample *kept)
{
  kept->address = record->sample.address;
  kept->cpumode = pen_record_get_cpumode (record);
  kept->has |= record->has & PEN_HAS_ADDRESS;
}

/* The sample has its time, if any, at the end of the wait. */
static PenSortedSample
take_off_cpu (const PenRecord *record)
{
  PenSortedSample kept = keep (record);

  take_place (record, &kept);
  kept.has |= record->has & PEN_HAS_PERIOD;
  kept.period = (record->has & PEN_HAS_PERIOD) != 0 ? record->sample.period : 0;
  if ((kept.has & PEN_HAS_TIME) != 0 && kept.time > kept.period) {
    kept.time -= kept.period;
  } else {
    kept.time = 0;
    kept.has &= ~(guint32) PEN_HAS_TIME;
  }
  return kept;
}

/* Ids in the payload are those of the machine: in a container the sample's own are others, and
 * nothing can be joined. A task that has ended may have none (-1) in its last one. Returns: FALSE:
 * it is no use */
static gboolean
take_trace (PenWaitFinder *self, const PenRecord *record, PenSortedSample *kept)
{
  const guint8 *raw = record->sample.raw;
  gsize n = record->sample.raw_length;
  guint64 before;
  guint64 next;
  guint64 state;

  if (!pen_tracepoint_get_number (self->tracepoint, "prev_pid", raw, n, &before)
      || !pen_tracepoint_get_number (self->tracepoint, "next_pid", raw, n, &next)
      || !pen_tracepoint_get_number (self->tracepoint, "prev_state", raw, n, &state)
      || ((gint32) (guint32) before != record->tid && record->tid != -1))
    return FALSE;

  *kept = keep (record);
  take_place (record, kept);
  kept->tid = (gint32) (guint32) before;
  kept->payload = MARK_TRACE;
  kept->period = (guint32) next | ((state & STATE_MASK) == 0 ? IS_PREEMPTED : 0)
                 | ((state & STATE_ENDED) != 0 ? IS_ENDED : 0);
  return TRUE;
}

static PenSortedSample
take_switch (const PenRecord *record)
{
  PenSortedSample kept = keep (record);

  if (record->type == PEN_RECORD_EXIT) {
    kept.tid = record->task.tid;
    kept.payload = MARK_EXIT;
  } else {
    kept.payload = (record->misc & PEN_MISC_SWITCH_OUT) != 0 ? MARK_OUT : MARK_IN;
    kept.period = (record->misc & PEN_MISC_SWITCH_PREEMPTED) != 0 ? IS_PREEMPTED : 0;
  }
  return kept;
}

gboolean
pen_wait_finder_add (PenWaitFinder *self, const PenRecord *record, const PenAttr *attr,
                     PenSortedSample **kept, GError **error)
{
  PenSortedSample mark;
  PenSortedSample *place;

  *kept = NULL;
  if (record->type != PEN_RECORD_SAMPLE) {
    mark = take_switch (record);
    /* Before the first switch, no one is known to be off CPU. */
    if (mark.payload == MARK_EXIT && !self->marks)
      return TRUE;
    self->n_switches += mark.payload != MARK_EXIT;
    place = add_to (self, &self->marks, error);
  } else if (pen_off_cpu_is_event (attr)) {
    mark = take_off_cpu (record);
    self->counts.time += mark.period;
    place = *kept = add_to (self, &self->waits, error);
  } else {
    if (!take_trace (self, record, &mark))
      return TRUE;
    self->n_traces++;
    self->trace_event = record->event;
    place = *kept = add_to (self, &self->marks, error);
  }

  if (!place)
    return FALSE;
  *place = mark;
  return TRUE;
}

/* ---- waits ---- */

/* @mark: of who went off CPU. @period: ns */
static gboolean
add_wait (PenWaitFinder *self, const PenSortedSample *mark, gboolean has_period, guint64 period,
          GError **error)
{
  PenSortedSample *wait = add_to (self, &self->waits, error);

  if (!wait)
    return FALSE;
  *wait = *mark;
  self->counts.without_event += mark->event == PEN_SORTED_NO_EVENT;
  wait->payload = 0;
  wait->period = has_period ? period : 0;
  wait->has |= has_period ? PEN_HAS_PERIOD : 0;
  return TRUE;
}

static gboolean
is_wait (const OffTask *task)
{
  return !task->has_ended && (task->mark.period & IS_PREEMPTED) == 0;
}

/* Its end was not recorded. */
static gboolean
leave_open (PenWaitFinder *self, const OffTask *task, GError **error)
{
  if (!is_wait (task))
    return TRUE;
  self->counts.open++;
  return add_wait (self, &task->mark, FALSE, 0, error);
}

static gboolean
end_wait (PenWaitFinder *self, const OffTask *task, guint64 time, GError **error)
{
  guint64 begin = task->mark.time;

  if (task->has_ended || time < begin)
    return TRUE;
  if (pen_loss_spans_meet (self->losses, begin, time)) {
    if (!is_wait (task))
      return TRUE;
    self->counts.cut++;
    return add_wait (self, &task->mark, FALSE, 0, error);
  }
  if (!is_wait (task)) {
    self->counts.preempted++;
    self->counts.preempted_time += time - begin;
    return TRUE;
  }
  self->counts.time += time - begin;
  return add_wait (self, &task->mark, TRUE, time - begin, error);
}

static gboolean
go_on (PenWaitFinder *self, gint32 tid, guint64 time, GError **error)
{
  gpointer key = GINT_TO_POINTER (tid);
  g_autofree OffTask *task = g_hash_table_lookup (self->tasks, key);

  if (!task)
    return TRUE;
  g_hash_table_steal (self->tasks, key);
  return end_wait (self, task, time, error);
}

/* In place of the one that ended long before. */
static void
keep_ended (PenWaitFinder *self, gint32 tid)
{
  gint32 *place = &self->ended[self->n_ended++ % KEPT_ENDED];
  const OffTask *old = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (*place));

  if (old && old->has_ended && *place != tid)
    g_hash_table_remove (self->tasks, GINT_TO_POINTER (*place));
  *place = tid;
}

/* A task that has ended is kept for the record of its last switch alone. */
static void
keep_task (PenWaitFinder *self, const PenSortedSample *mark, guint8 seen, gboolean has_ended)
{
  gpointer key = GINT_TO_POINTER (mark->tid);
  OffTask *task = g_hash_table_lookup (self->tasks, key);

  if (has_ended && self->n_switches == 0) {
    g_hash_table_remove (self->tasks, key);
    return;
  }
  if (!task && g_hash_table_size (self->tasks) >= MAX_TASKS) {
    self->counts.left_out++;
    return;
  }
  if (!task) {
    task = g_new (OffTask, 1);
    g_hash_table_insert (self->tasks, key, task);
  }
  *task = (OffTask){ *mark, seen, has_ended != 0 };
  if (has_ended)
    keep_ended (self, mark->tid);
}

/* A tracepoint's sample and a record may both tell of one switch; the sample comes first. */
static gboolean
is_same_switch (const OffTask *task, const PenSortedSample *mark, guint8 seen)
{
  return !task->has_ended && seen == SEEN_BY_SWITCH && task->seen == SEEN_BY_TRACE
         && task->mark.cpu == mark->cpu;
}

static gboolean
go_off (PenWaitFinder *self, const PenSortedSample *mark, guint8 seen, GError **error)
{
  gpointer key = GINT_TO_POINTER (mark->tid);
  OffTask *task;

  /* 0: nothing runs; -1: it has ended, and has no id any more. */
  if (mark->tid <= 0)
    return TRUE;
  task = g_hash_table_lookup (self->tasks, key);
  if (task && is_same_switch (task, mark, seen)) {
    task->seen |= seen;
    return TRUE;
  }
  if (task && task->has_ended) {
    if (seen == SEEN_BY_SWITCH)
      g_hash_table_remove (self->tasks, key);
    return TRUE;
  }

  if (task && !leave_open (self, task, error))
    return FALSE;
  keep_task (self, mark, seen, (mark->period & IS_ENDED) != 0);
  return TRUE;
}

static gboolean
take_mark (PenWaitFinder *self, const PenSortedSample *mark, GError **error)
{
  switch ((Mark) mark->payload) {
  case MARK_OUT:
    return go_off (self, mark, SEEN_BY_SWITCH, error);
  case MARK_IN:
    return go_on (self, mark->tid, mark->time, error);
  case MARK_TRACE:
    return go_off (self, mark, SEEN_BY_TRACE, error)
           && go_on (self, (gint32) (guint32) (mark->period & NEXT_MASK), mark->time, error);
  default:
    /* It goes off CPU once more, and does not come back. */
    keep_task (self, mark, 0, TRUE);
    return TRUE;
  }
}

/* So that the order of those that end at no time follows from the recording alone. */
static int
compare_tasks (gconstpointer a, gconstpointer b)
{
  const PenSortedSample *x = &(*(const OffTask *const *) a)->mark;
  const PenSortedSample *y = &(*(const OffTask *const *) b)->mark;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->position < y->position ? -1 : x->position > y->position;
}

static gboolean
leave_rest (PenWaitFinder *self, GError **error)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer task;

  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, NULL, &task))
    g_ptr_array_add (left, task);
  g_ptr_array_sort (left, compare_tasks);
  for (guint i = 0; i < left->len; i++)
    if (!leave_open (self, g_ptr_array_index (left, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
join_marks (PenWaitFinder *self, GError **error)
{
  const PenSortedSample *mark;
  GError *local_error = NULL;

  /* What the recorder added up itself is about the same time. */
  g_clear_pointer (&self->waits, pen_sample_sorter_free);
  self->counts.time = 0;
  if (!pen_sample_sorter_sort (self->marks, error))
    return FALSE;

  self->tasks = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  self->ended = g_new0 (gint32, KEPT_ENDED);
  while ((mark = pen_sample_sorter_next (self->marks, &local_error)))
    if (!take_mark (self, mark, error))
      return FALSE;
  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return leave_rest (self, error);
}

static PenWaitSource
choose_source (PenWaitFinder *self)
{
  return self->n_traces > 0     ? PEN_WAITS_TRACEPOINT
         : self->waits          ? PEN_WAITS_OFF_CPU
         : self->n_switches > 0 ? PEN_WAITS_SWITCHES
                                : PEN_WAITS_NONE;
}

gboolean
pen_wait_finder_finish (PenWaitFinder *self, const GArray *losses, PenSampleSorter **waits,
                        PenWaitCounts *counts, GError **error)
{
  self->counts.source = choose_source (self);
  if (self->counts.source == PEN_WAITS_TRACEPOINT || self->counts.source == PEN_WAITS_SWITCHES) {
    self->losses = pen_loss_spans_new (losses, self->n_traces > 0 ? self->trace_event : -1);
    if (!join_marks (self, error))
      return FALSE;
  }
  g_clear_pointer (&self->marks, pen_sample_sorter_free);
  g_clear_pointer (&self->tasks, g_hash_table_unref);

  if (self->waits) {
    self->counts.waits = pen_sample_sorter_get_count (self->waits);
    if (!pen_sample_sorter_sort (self->waits, error))
      return FALSE;
  }
  *waits = self->waits;
  *counts = self->counts;
  return TRUE;
}
