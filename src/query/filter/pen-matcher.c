/* pen-matcher.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-matcher.h"

#include <string.h>

#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-records.h"

/* ---- PenMatcher ---- */

static void
mark_function (const PenFunction *function, gpointer user_data)
{
  guint8 *marks = user_data;

  marks[function->id] = 1;
}

/* Functions that a patch of one of the causes touched. @causes: bit per PenCause */
static guint8 *
find_patched_functions (PenMatcher *self, guint32 causes, GError **error)
{
  if (!pen_query_load_ticks (self->query, error))
    return NULL;

  const GArray *ticks = self->query->ticks;
  guint8 *marks = g_malloc0 (self->query->n_functions + 1);

  for (guint i = 0; i < ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (ticks, PenPokeTick, i);

    if (causes >> tick->cause & 1)
      pen_query_foreach_function_in (self->query, tick->address, tick->address + 1, mark_function,
                                     marks);
  }
  return marks;
}

static gboolean
asks_functions (const PenFilter *filter)
{
  return pen_filter_asks (filter, PEN_FILTER_OCCUPANT)
         || pen_filter_asks (filter, PEN_FILTER_SYMBOL)
         || pen_filter_asks (filter, PEN_FILTER_CAUSE) || filter->changed;
}

static gboolean
match_functions (PenMatcher *self, GError **error)
{
  const PenFilter *filter = self->filter;
  g_autofree guint8 *patched = NULL;
  g_autofree guint8 *excluded = NULL;

  if (!asks_functions (filter))
    return TRUE;
  if (filter->only.causes != 0) {
    patched = find_patched_functions (self, filter->only.causes, error);
    if (!patched)
      return FALSE;
  }
  if (filter->none.causes != 0) {
    excluded = find_patched_functions (self, filter->none.causes, error);
    if (!excluded)
      return FALSE;
  }

  self->functions = g_malloc0 (self->query->n_functions + 1);
  for (guint i = 0; i < self->query->n_functions; i++) {
    const PenFunction *function = &self->query->functions[i];

    self->functions[i] = pen_filter_admits_word (filter, PEN_FILTER_OCCUPANT, function->occupant)
                         && pen_filter_admits_word (filter, PEN_FILTER_SYMBOL, function->symbol)
                         && (!filter->changed || function->versions > 1) && (!patched || patched[i])
                         && (!excluded || !excluded[i]);
  }
  return TRUE;
}

/* The kind of a bucket is that of its function. */
static void
match_counted (PenMatcher *self)
{
  if (!self->functions && !pen_filter_asks (self->filter, PEN_FILTER_KIND))
    return;
  self->counted = g_malloc0 (self->query->n_functions + 1);
  for (guint i = 0; i < self->query->n_functions; i++)
    self->counted[i] = (!self->functions || self->functions[i])
                       && pen_filter_admits_kind (self->filter, self->query->functions[i].kind);
}

typedef struct {
  const PenFilter *filter;
  GByteArray *marks; /* by number */
} TenureMarks;

static gboolean
mark_tenure (const PenTenure *tenure, gpointer user_data)
{
  TenureMarks *marks = user_data;
  guint before = marks->marks->len;

  if (tenure->id >= before) {
    g_byte_array_set_size (marks->marks, tenure->id + 1);
    memset (marks->marks->data + before, 0, tenure->id + 1 - before);
  }
  marks->marks->data[tenure->id]
      = (guint8) pen_filter_admits_tenure (marks->filter, tenure->id, tenure->bpf_id);
  return TRUE;
}

static gboolean
match_tenures (PenMatcher *self, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;
  guint8 none = (guint8) pen_filter_admits_tenure (self->filter, 0, 0);
  TenureMarks marks;
  gsize n;

  if (!pen_filter_asks_tenures (self->filter))
    return TRUE;
  bytes = g_byte_array_new ();
  g_byte_array_append (bytes, &none, 1);
  marks = (TenureMarks){ self->filter, bytes };
  if (!pen_store_foreach_tenure (self->query->store, TRUE, mark_tenure, &marks, error))
    return FALSE;
  self->tenures = g_byte_array_steal (bytes, &n);
  self->n_tenures = (guint32) n;
  return TRUE;
}

static gboolean
match_bucket (const PenMatcher *self, const PenBucket *bucket)
{
  const PenFilter *filter = self->filter;

  if (filter->has_address
      && (!bucket->has_address || bucket->address < filter->address_from
          || bucket->address > filter->address_to))
    return FALSE;
  if (!pen_matcher_has_tenure (self, bucket->tenure))
    return FALSE;
  if (!pen_matcher_has_event (self, (guint) bucket->event))
    return FALSE;
  return !self->counted || self->counted[bucket->function];
}

/* Where all of them are meant, nothing is asked. */
static void
match_events (PenMatcher *self)
{
  const GPtrArray *events = self->query->events;
  g_autofree guint8 *admitted = g_malloc ((gsize) events->len + 1);
  guint n = 0;

  if (!pen_filter_asks (self->filter, PEN_FILTER_EVENT))
    return;
  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = events->pdata[i];

    admitted[i] = (guint8) pen_filter_admits_word (self->filter, PEN_FILTER_EVENT, event->name);
    n += admitted[i];
  }
  if (n < events->len)
    self->events = g_steal_pointer (&admitted);
}

gboolean
pen_matcher_load_buckets (PenMatcher *self, GError **error)
{
  if (self->buckets || (!self->asks_buckets && !self->events))
    return TRUE;
  if (!pen_query_load_buckets (self->query, error))
    return FALSE;
  self->buckets = g_malloc0 (self->query->n_buckets + 1);
  for (guint i = 0; i < self->query->n_buckets; i++)
    self->buckets[i] = match_bucket (self, &self->query->buckets[i]);
  return TRUE;
}

static gboolean
match_task (const PenFilter *filter, gboolean has_task, gint32 pid, gint32 tid, const char *comm)
{
  return pen_filter_admits_number (filter, PEN_FILTER_PID, has_task, pid)
         && pen_filter_admits_number (filter, PEN_FILTER_TID, has_task, tid)
         && pen_filter_admits_word (filter, PEN_FILTER_COMM, comm ? comm : "");
}

static gboolean
match_threads (PenMatcher *self, GError **error)
{
  const PenFilter *filter = self->filter;

  if (!pen_filter_asks (filter, PEN_FILTER_PID) && !pen_filter_asks (filter, PEN_FILTER_TID)
      && !pen_filter_asks (filter, PEN_FILTER_COMM))
    return TRUE;
  if (!pen_query_load_threads (self->query, error))
    return FALSE;
  self->threads = g_malloc0 (self->query->n_threads + 1);
  for (guint i = 0; i < self->query->n_threads; i++) {
    const PenThread *thread = &self->query->threads[i];

    self->threads[i]
        = match_task (filter, thread->has_task, thread->pid, thread->tid, thread->comm);
  }
  return TRUE;
}

static void
match_cpus (PenMatcher *self)
{
  self->asks_cpu = pen_filter_asks (self->filter, PEN_FILTER_CPU);
  if (!self->asks_cpu)
    return;
  self->cpus = g_malloc (PEN_MATCHER_CPUS);
  for (guint i = 0; i < PEN_MATCHER_CPUS; i++)
    self->cpus[i]
        = (guint8) pen_filter_admits_number (self->filter, PEN_FILTER_CPU, TRUE, (gint32) i);
}

PenMatcher *
pen_matcher_new_bare (PenQuery *query, const PenFilter *filter, GError **error)
{
  static const PenFilter everything = { 0 };
  g_autoptr (PenMatcher) self = g_new0 (PenMatcher, 1);

  if (!pen_query_load (query, error))
    return NULL;
  self->query = query;
  self->filter = filter ? filter : &everything;
  if (!match_functions (self, error))
    return NULL;
  match_counted (self);
  match_events (self);
  if (!match_tenures (self, error) || !match_threads (self, error))
    return NULL;
  self->asks_time
      = self->filter->has_time && (self->filter->from > 0 || self->filter->to < G_MAXUINT64);
  match_cpus (self);
  self->asks_rows = self->asks_cpu || self->threads;
  self->asks_buckets = self->filter->has_address || self->tenures;
  return g_steal_pointer (&self);
}

PenMatcher *
pen_matcher_new (PenQuery *query, const PenFilter *filter, GError **error)
{
  g_autoptr (PenMatcher) self = pen_matcher_new_bare (query, filter, error);

  return self && pen_matcher_load_buckets (self, error) ? g_steal_pointer (&self) : NULL;
}

void
pen_matcher_free (PenMatcher *self)
{
  g_free (self->buckets);
  g_free (self->events);
  g_free (self->cpus);
  g_free (self->tenures);
  g_free (self->threads);
  g_free (self->functions);
  g_free (self->counted);
  g_free (self);
}

/* The parts that only samples and changes answer. */
static const PenFilterPart content_parts[]
    = { PEN_FILTER_CPU,   PEN_FILTER_PID,    PEN_FILTER_TID,   PEN_FILTER_COMM,
        PEN_FILTER_EVENT, PEN_FILTER_SYMBOL, PEN_FILTER_CAUSE, PEN_FILTER_CHANGED };

gboolean
pen_matcher_asks_content (const PenMatcher *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (content_parts); i++) {
    if (pen_filter_asks (self->filter, content_parts[i]))
      return TRUE;
  }
  return FALSE;
}

gboolean
pen_matcher_requires_content (const PenMatcher *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (content_parts); i++) {
    if (pen_filter_requires (self->filter, content_parts[i]))
      return TRUE;
  }
  return FALSE;
}

static void
mean_change (const PenFunction *function, gpointer user_data)
{
  gboolean *is_meant = user_data;

  *is_meant |= function->versions > 1;
}

static gboolean
overlaps (guint64 start, guint64 length, guint64 from, guint64 to)
{
  guint64 last = length > 0 ? start + (length - 1) : start;

  return start <= to && last >= from;
}

gboolean
pen_matcher_has_change (const PenMatcher *self, const PenChange *change)
{
  const PenFilter *filter = self->filter;

  if (filter->has_time
      && (!change->has_time || change->time < filter->from || change->time > filter->to))
    return FALSE;
  if (!pen_matcher_has_tenure (self, change->tenure)
      || !pen_filter_admits_kind (filter, change->kind)
      || !pen_filter_admits_cause (filter, change->poke != 0, change->cause))
    return FALSE;
  if (filter->has_address
      && !overlaps (change->address, change->length, filter->address_from, filter->address_to))
    return FALSE;
  if (!pen_filter_admits_number (filter, PEN_FILTER_CPU, change->cpu != G_MAXUINT32,
                                 (gint32) change->cpu))
    return FALSE;
  if (!match_task (filter, change->has_task, change->pid, change->tid, change->comm))
    return FALSE;
  if (!pen_filter_admits_word (filter, PEN_FILTER_OCCUPANT, change->occupant)
      || !pen_filter_admits_word (filter, PEN_FILTER_SYMBOL, change->symbol))
    return FALSE;
  if (filter->changed) {
    gboolean is_meant = FALSE;

    pen_query_foreach_function_in (self->query, change->address,
                                   change->address + MAX (change->length, 1), mean_change,
                                   &is_meant);
    return is_meant;
  }
  return TRUE;
}

/* ---- samples ---- */

gboolean
pen_matcher_learn (const PenMatcher *self, guint number, const PenSampleBlock *block,
                   GError **error)
{
  if (self->buckets || !self->counted)
    return TRUE;
  return pen_bucket_functions_learn (self->query->bucket_functions, number, block, error);
}

static gboolean
has_bucket (const PenMatcher *self, guint32 bucket)
{
  if (self->buckets)
    return self->buckets[bucket];
  return !self->counted
         || self->counted[pen_bucket_functions_get (self->query->bucket_functions, bucket)];
}

static gboolean
has_cpu (const PenMatcher *self, const PenSampleBlock *block, guint row)
{
  gboolean is_known = (block->has[row] & PEN_SAMPLE_HAS_CPU) != 0;

  if (is_known && block->cpu[row] < PEN_MATCHER_CPUS)
    return self->cpus[block->cpu[row]];
  return pen_filter_admits_number (self->filter, PEN_FILTER_CPU, is_known,
                                   (gint32) block->cpu[row]);
}

gboolean
pen_matcher_has_sample (const PenMatcher *self, const PenSampleBlock *block, guint row)
{
  if (!has_bucket (self, block->bucket[row]))
    return FALSE;
  if (self->threads && !self->threads[block->thread[row]])
    return FALSE;
  return !self->asks_cpu || has_cpu (self, block, row);
}

/* Leaves those of @n @rows for which @is_meant, without a branch that nobody can foresee. */
#define NARROW(rows, n, row, is_meant)                                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint narrow_n = 0;                                                                            \
                                                                                                   \
    for (guint narrow_i = 0; narrow_i < (n); narrow_i++) {                                         \
      guint32 row = (rows)[narrow_i];                                                              \
                                                                                                   \
      (rows)[narrow_n] = row;                                                                      \
      narrow_n += (is_meant) ? 1 : 0;                                                              \
    }                                                                                              \
    (n) = narrow_n;                                                                                \
  }                                                                                                \
  G_STMT_END

guint
pen_matcher_narrow (const PenMatcher *self, const PenSampleBlock *block, guint32 *rows, guint n)
{
  if (self->buckets || self->counted)
    NARROW (rows, n, row, has_bucket (self, block->bucket[row]));
  if (self->threads)
    NARROW (rows, n, row, self->threads[block->thread[row]]);
  if (self->asks_cpu)
    NARROW (rows, n, row, has_cpu (self, block, row));
  return n;
}

gboolean
pen_matcher_has_all_samples (const PenMatcher *self)
{
  return !self->buckets && !self->counted && !self->asks_rows;
}

/* ---- outputs ---- */

gboolean
pen_matcher_has_output (const PenMatcher *self, const PenBpfOutput *output)
{
  const PenBucket bucket = {
    .event = output->event == PEN_OUTPUT_NO_EVENT ? -1 : (int) output->event,
    .tenure = output->tenure,
    .kind = output->kind,
    .has_address = output->has_address,
    .address = output->address,
    .function = output->function,
  };

  if (self->asks_time
      && (!output->has_time || output->time < self->filter->from
          || output->time > self->filter->to))
    return FALSE;
  if (output->function >= self->query->n_functions || !match_bucket (self, &bucket))
    return FALSE;
  if (self->threads && (output->thread >= self->query->n_threads || !self->threads[output->thread]))
    return FALSE;
  return !self->asks_cpu
         || pen_filter_admits_number (self->filter, PEN_FILTER_CPU, output->cpu != G_MAXUINT32,
                                      (gint32) output->cpu);
}

gboolean
pen_matcher_lists_output (const PenMatcher *self, const PenBpfOutput *output)
{
  return (!output->is_witness || pen_filter_requires (self->filter, PEN_FILTER_EVENT))
         && pen_matcher_has_output (self, output);
}

/* ---- pokes ---- */

typedef struct {
  const PenMatcher *matcher;
  gboolean is_meant;
} TickAt;

static void
mean_tick (const PenFunction *function, gpointer user_data)
{
  TickAt *at = user_data;

  at->is_meant |= pen_matcher_has_function (at->matcher, function->id);
}

gboolean
pen_matcher_has_tick (const PenMatcher *matcher, const PenPokeTick *tick)
{
  const PenFilter *filter = matcher->filter;
  TickAt at = { matcher, FALSE };

  if (!pen_filter_admits_cause (filter, TRUE, tick->cause)
      || !pen_matcher_has_tenure (matcher, tick->tenure))
    return FALSE;
  if (filter->has_address
      && (tick->address < filter->address_from || tick->address > filter->address_to))
    return FALSE;
  if (!matcher->functions)
    return TRUE;
  pen_query_foreach_function_in (matcher->query, tick->address, tick->address + 1, mean_tick, &at);
  return at.is_meant;
}
