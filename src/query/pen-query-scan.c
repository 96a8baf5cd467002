/* pen-query-scan.c: filters prepared, samples scanned
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

/* ---- lists of a filter ---- */

static gboolean
is_set (const GPtrArray *words)
{
  return words != NULL && words->len > 0;
}

static gboolean
has_word (const GPtrArray *words, const char *word)
{
  if (!is_set (words))
    return TRUE;
  for (guint i = 0; i < words->len; i++) {
    if (g_strcmp0 (words->pdata[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_number (const GArray *numbers, gint32 number)
{
  if (numbers == NULL || numbers->len == 0)
    return TRUE;
  for (guint i = 0; i < numbers->len; i++) {
    if (g_array_index (numbers, gint32, i) == number)
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_number_set (const GArray *numbers)
{
  return numbers != NULL && numbers->len > 0;
}

/* ---- PenMatcher ---- */

static void
mark_function (const PenFunction *function, gpointer user_data)
{
  guint8 *marks = user_data;

  marks[function->id] = 1;
}

/* Functions that a patch of one of the causes touched. */
static guint8 *
find_patched_functions (PenMatcher *self, GError **error)
{
  g_autoptr (GArray) ticks = pen_store_load_poke_ticks (self->query->store, error);

  if (ticks == NULL)
    return NULL;

  guint8 *marks = g_malloc0 (self->query->n_functions + 1);

  for (guint i = 0; i < ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (ticks, PenPokeTick, i);

    if (self->filter->causes >> tick->cause & 1)
      pen_query_foreach_function_in (self->query, tick->address, tick->address + 1, mark_function,
                                     marks);
  }
  return marks;
}

static gboolean
asks_functions (const PenFilter *filter)
{
  return is_set (filter->occupants) || is_set (filter->symbols) || filter->changed
         || filter->causes != 0;
}

static gboolean
match_functions (PenMatcher *self, GError **error)
{
  const PenFilter *filter = self->filter;
  g_autofree guint8 *patched = NULL;

  if (!asks_functions (filter))
    return TRUE;
  if (filter->causes != 0) {
    patched = find_patched_functions (self, error);
    if (patched == NULL)
      return FALSE;
  }

  self->functions = g_malloc0 (self->query->n_functions + 1);
  for (guint i = 0; i < self->query->n_functions; i++) {
    const PenFunction *function = &self->query->functions[i];

    self->functions[i] = has_word (filter->occupants, function->occupant)
                         && has_word (filter->symbols, function->symbol)
                         && (!filter->changed || function->versions > 1)
                         && (patched == NULL || patched[i]);
  }
  return TRUE;
}

static gboolean
match_bucket (PenMatcher *self, const PenBucket *bucket)
{
  const PenFilter *filter = self->filter;

  if (filter->kinds != 0 && !(filter->kinds >> bucket->kind & 1))
    return FALSE;
  if (filter->has_address
      && (!bucket->has_address || bucket->address < filter->address_from
          || bucket->address > filter->address_to))
    return FALSE;
  if (is_set (filter->events)) {
    GPtrArray *events = self->query->events;
    const PenStoreEvent *event = bucket->event >= 0 && (guint) bucket->event < events->len
                                     ? events->pdata[bucket->event]
                                     : NULL;

    if (event == NULL || !has_word (filter->events, event->name))
      return FALSE;
  }
  if (self->functions != NULL)
    return bucket->function < self->query->n_functions && self->functions[bucket->function];
  return TRUE;
}

static void
match_buckets (PenMatcher *self)
{
  const PenFilter *filter = self->filter;

  if (filter->kinds == 0 && !filter->has_address && !is_set (filter->events)
      && self->functions == NULL)
    return;
  self->buckets = g_malloc0 (self->query->n_buckets + 1);
  for (guint i = 0; i < self->query->n_buckets; i++)
    self->buckets[i] = match_bucket (self, &self->query->buckets[i]);
}

static gboolean
match_task (const PenFilter *filter, gboolean has_task, gint32 pid, gint32 tid, const char *comm)
{
  if (!has_task && (is_number_set (filter->pids) || is_number_set (filter->tids)))
    return FALSE;
  return has_number (filter->pids, pid) && has_number (filter->tids, tid)
         && has_word (filter->comms, comm != NULL ? comm : "");
}

static void
match_threads (PenMatcher *self)
{
  const PenFilter *filter = self->filter;

  if (!is_number_set (filter->pids) && !is_number_set (filter->tids) && !is_set (filter->comms))
    return;
  self->threads = g_malloc0 (self->query->n_threads + 1);
  for (guint i = 0; i < self->query->n_threads; i++) {
    const PenThread *thread = &self->query->threads[i];

    self->threads[i]
        = match_task (filter, thread->has_task, thread->pid, thread->tid, thread->comm);
  }
}

PenMatcher *
pen_matcher_new (PenQuery *query, const PenFilter *filter, GError **error)
{
  static const PenFilter everything = { 0 };
  g_autoptr (PenMatcher) self = g_new0 (PenMatcher, 1);

  if (!pen_query_load (query, error))
    return NULL;
  self->query = query;
  self->filter = filter != NULL ? filter : &everything;
  if (!match_functions (self, error))
    return NULL;
  match_buckets (self);
  match_threads (self);
  self->asks_samples
      = self->filter->has_time || is_number_set (self->filter->cpus) || self->threads != NULL;
  return g_steal_pointer (&self);
}

void
pen_matcher_free (PenMatcher *self)
{
  g_free (self->buckets);
  g_free (self->threads);
  g_free (self->functions);
  g_free (self);
}

typedef struct {
  const PenMatcher *matcher;
  gboolean is_meant;
} ChangeAt;

static void
mean_change (const PenFunction *function, gpointer user_data)
{
  ChangeAt *at = user_data;

  at->is_meant |= function->versions > 1;
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
  if (filter->kinds != 0 && !(filter->kinds >> change->kind & 1))
    return FALSE;
  if (filter->causes != 0 && !(change->is_poke && filter->causes >> change->cause & 1))
    return FALSE;
  if (filter->has_address
      && !overlaps (change->address, change->length, filter->address_from, filter->address_to))
    return FALSE;
  if (is_number_set (filter->cpus)
      && (change->cpu == G_MAXUINT32 || !has_number (filter->cpus, (gint32) change->cpu)))
    return FALSE;
  if (!match_task (filter, change->has_task, change->pid, change->tid, change->comm))
    return FALSE;
  if (!has_word (filter->occupants, change->occupant)
      || !has_word (filter->symbols, change->symbol))
    return FALSE;
  if (filter->changed) {
    ChangeAt at = { self, FALSE };

    pen_query_foreach_function_in (self->query, change->address,
                                   change->address + MAX (change->length, 1), mean_change, &at);
    return at.is_meant;
  }
  return TRUE;
}

/* ---- scanning ---- */

static gboolean
match_sample (const PenMatcher *self, const PenSampleBlock *block, guint i)
{
  const PenFilter *filter = self->filter;

  if (self->buckets != NULL && !self->buckets[block->bucket[i]])
    return FALSE;
  if (self->threads != NULL && !self->threads[block->thread[i]])
    return FALSE;
  if (is_number_set (filter->cpus)
      && (!(block->has[i] & PEN_SAMPLE_HAS_CPU)
          || !has_number (filter->cpus, (gint32) block->cpu[i])))
    return FALSE;
  return TRUE;
}

static guint
select_rows (const PenMatcher *matcher, const PenSampleBlock *block, guint64 from, guint64 to,
             guint32 *rows)
{
  gboolean asks_time = from > 0 || to < G_MAXUINT64;
  gboolean asks_more = matcher->buckets != NULL || matcher->threads != NULL
                       || is_number_set (matcher->filter->cpus);
  guint n = 0;

  for (guint i = 0; i < block->n; i++) {
    if (asks_time
        && (!(block->has[i] & PEN_SAMPLE_HAS_TIME) || block->time[i] < from || block->time[i] > to))
      continue;
    if (asks_more && !match_sample (matcher, block, i))
      continue;
    rows[n++] = i;
  }
  return n;
}

/* The bucket and thread of each row index arrays of this query: a damaged block must not. */
static gboolean
check_block (PenQuery *self, const PenSampleBlock *block, GError **error)
{
  guint32 bucket = 0;
  guint32 thread = 0;

  for (guint i = 0; i < block->n; i++) {
    bucket = MAX (bucket, block->bucket[i]);
    thread = MAX (thread, block->thread[i]);
  }
  if (block->n > 0 && (bucket >= self->n_buckets || thread >= self->n_threads)) {
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
                 "%s: a block of samples names a bucket or thread that is not there; import the "
                 "capture again",
                 pen_store_get_path (self->store));
    return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_scan (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                gboolean ignore_time, PenScanFunc func, gpointer user_data, GError **error)
{
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (self->store, &n_blocks);
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autofree guint32 *rows = g_new (guint32, PEN_BLOCK_SAMPLES);

  if (matcher->filter->has_time && !ignore_time) {
    from = MAX (from, matcher->filter->from);
    to = MIN (to, matcher->filter->to);
  }
  for (guint i = 0; i < n_blocks; i++) {
    if (blocks[i].last < from || blocks[i].first > to)
      continue;
    if (!pen_store_read_block (self->store, i, block, error) || !check_block (self, block, error))
      return FALSE;

    guint n_rows = select_rows (matcher, block, from, to, rows);

    if (n_rows > 0 && !func (block, rows, n_rows, user_data, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- counting ---- */

static gboolean
count_rows (const PenSampleBlock *block, const guint32 *rows, guint n_rows, gpointer user_data,
            GError **error G_GNUC_UNUSED)
{
  PenBucketCount *counts = user_data;

  for (guint i = 0; i < n_rows; i++) {
    guint row = rows[i];
    PenBucketCount *count = &counts[block->bucket[row]];

    if (count->samples++ == 0)
      count->first = block->time[row];
    count->first = MIN (count->first, block->time[row]);
    count->last = MAX (count->last, block->time[row]);
    if (block->has[row] & PEN_SAMPLE_HAS_PERIOD)
      count->period += block->period[row];
  }
  return TRUE;
}

PenBucketCount *
pen_query_count_buckets (PenQuery *self, const PenMatcher *matcher, GError **error)
{
  g_autofree PenBucketCount *counts = g_new0 (PenBucketCount, self->n_buckets + 1);

  if (matcher->asks_samples) {
    if (!pen_query_scan (self, matcher, 0, G_MAXUINT64, FALSE, count_rows, counts, error))
      return NULL;
    return g_steal_pointer (&counts);
  }
  for (guint i = 0; i < self->n_buckets; i++) {
    const PenBucket *bucket = &self->buckets[i];

    if (pen_matcher_has_bucket (matcher, i))
      counts[i] = (PenBucketCount){ bucket->samples, bucket->period, bucket->first, bucket->last };
  }
  return g_steal_pointer (&counts);
}

gboolean
pen_query_count (PenQuery *self, const PenFilter *filter, guint64 *matching, guint64 *total,
                 GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autofree PenBucketCount *counts = NULL;

  if (matcher == NULL)
    return FALSE;
  counts = pen_query_count_buckets (self, matcher, error);
  if (counts == NULL)
    return FALSE;
  *matching = *total = 0;
  for (guint i = 0; i < self->n_buckets; i++) {
    *matching += counts[i].samples;
    *total += self->buckets[i].samples;
  }
  return TRUE;
}
