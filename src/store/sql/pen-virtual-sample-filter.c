/* pen-virtual-sample-filter.c: which samples a query wants, and the way to the next of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-virtual-sample.h"

#include "pen-store-buckets.h"
#include "pen-store-records.h"

void
pen_sample_cursor_forget (PenSampleCursor *self)
{
  g_clear_pointer (&self->wanted_threads, g_free);
  g_clear_pointer (&self->wanted_buckets, g_free);
  g_clear_pointer (&self->wanted_cpus, g_array_unref);
}

gboolean
pen_sample_cursor_need_threads (PenSampleCursor *self, GError **error)
{
  if (!self->threads)
    self->threads = pen_store_get_threads (self->store, &self->n_threads, error);
  return self->threads != NULL;
}

gboolean
pen_sample_column_is_of_function (int column)
{
  return column == SAMPLE_OCCUPANT || column == SAMPLE_SYMBOL || column == SAMPLE_FUNCTION
         || column == SAMPLE_BUCKET;
}

gboolean
pen_sample_cursor_need_bucket (PenSampleCursor *self, int column, GError **error)
{
  guint n;

  if (!self->functions)
    self->functions = pen_store_get_functions (self->store, &n, error);
  if (!self->functions)
    return FALSE;

  if (!self->bucket_functions)
    self->bucket_functions = pen_store_get_bucket_functions (self->store, &self->n_buckets, error);
  if (!self->bucket_functions)
    return FALSE;

  if (!self->buckets && !pen_sample_column_is_of_function (column))
    self->buckets = pen_store_get_buckets (self->store, &n, error);
  return self->buckets || pen_sample_column_is_of_function (column);
}

const char *
pen_sample_cursor_get_event (PenSampleCursor *self, int event)
{
  GPtrArray *events = pen_store_get_events (self->store);

  return event >= 0 && (guint) event < events->len
             ? ((const PenStoreEvent *) g_ptr_array_index (events, event))->name
             : NULL;
}

static gboolean
thread_may_match (const PenSampleCursor *self, guint32 index, int column, sqlite3_value *value)
{
  const PenThread *thread = &self->threads[index];

  switch (column) {
  case SAMPLE_THREAD:
    return pen_virtual_may_equal_integer (value, index);
  case SAMPLE_COMM:
    return pen_virtual_may_equal_text (value, thread->comm);
  case SAMPLE_PID:
    return thread->has_task && pen_virtual_may_equal_integer (value, thread->pid);
  default:
    return thread->has_task && pen_virtual_may_equal_integer (value, thread->tid);
  }
}

static gboolean
function_may_match (PenSampleCursor *self, guint32 index, int column, sqlite3_value *value)
{
  const PenFunction *function = &self->functions[self->bucket_functions[index]];

  switch (column) {
  case SAMPLE_OCCUPANT:
    return pen_virtual_may_equal_text (value, function->occupant);
  case SAMPLE_SYMBOL:
    return pen_virtual_may_equal_text (value, function->symbol);
  case SAMPLE_FUNCTION:
    return pen_virtual_may_equal_integer (value, function->id);
  default:
    return pen_virtual_may_equal_integer (value, index);
  }
}

static gboolean
bucket_may_match (PenSampleCursor *self, guint32 index, int column, sqlite3_value *value)
{
  const PenBucket *bucket;

  if (pen_sample_column_is_of_function (column))
    return function_may_match (self, index, column, value);

  bucket = &self->buckets[index];
  switch (column) {
  case SAMPLE_EVENT:
    return pen_virtual_may_equal_text (value, pen_sample_cursor_get_event (self, bucket->event));
  case SAMPLE_ADDRESS:
    return bucket->has_address && pen_virtual_may_equal_integer (value, (gint64) bucket->address);
  case SAMPLE_KIND:
    return pen_virtual_may_equal_text (value, pen_kind_to_string (bucket->kind));
  case SAMPLE_REVISION:
    return pen_virtual_may_equal_integer (value, bucket->revision);
  default:
    return pen_virtual_may_equal_integer (value, bucket->tenure);
  }
}

typedef void (*ValueFunc) (PenSampleCursor *self, int column, sqlite3_value *value, guint8 *found);

static void
find_threads (PenSampleCursor *self, int column, sqlite3_value *value, guint8 *found)
{
  for (guint i = 0; i < self->n_threads; i++)
    found[i] |= thread_may_match (self, i, column, value);
}

static void
find_buckets (PenSampleCursor *self, int column, sqlite3_value *value, guint8 *found)
{
  for (guint i = 0; i < self->n_buckets; i++)
    found[i] |= bucket_may_match (self, i, column, value);
}

static int
find_all (PenSampleCursor *self, const PenVirtualConstraint *constraint, sqlite3_value *value,
          ValueFunc func, guint8 *found)
{
  sqlite3_value *one;
  int code;

  if (!constraint->is_set) {
    func (self, constraint->column, value, found);
    return SQLITE_OK;
  }

  for (code = sqlite3_vtab_in_first (value, &one); code == SQLITE_OK;
       code = sqlite3_vtab_in_next (value, &one))
    func (self, constraint->column, one, found);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Several constraints must all hold: *@wanted keeps what all of them leave. */
static int
narrow (PenSampleCursor *self, const PenVirtualConstraint *constraint, sqlite3_value *value,
        ValueFunc func, guint n, guint8 **wanted)
{
  g_autofree guint8 *found = g_malloc0 ((gsize) n + 1);
  int code = find_all (self, constraint, value, func, found);

  if (code != SQLITE_OK)
    return code;

  for (guint i = 0; *wanted && i < n; i++)
    found[i] &= (*wanted)[i];
  g_free (*wanted);
  *wanted = g_steal_pointer (&found);
  return SQLITE_OK;
}

static void
add_cpu (PenSampleCursor *self, G_GNUC_UNUSED int column, sqlite3_value *value, guint8 *is_any)
{
  gint64 cpu = sqlite3_value_int64 (value);

  if (sqlite3_value_type (value) == SQLITE_INTEGER)
    g_array_append_val (self->wanted_cpus, cpu);
  else
    *is_any |= sqlite3_value_type (value) != SQLITE_NULL;
}

/* Only the first constraint of this kind is used: SQLite sees to the others. */
static int
narrow_cpus (PenSampleCursor *self, const PenVirtualConstraint *constraint, sqlite3_value *value)
{
  guint8 is_any = FALSE;
  int code;

  if (self->wanted_cpus)
    return SQLITE_OK;

  self->wanted_cpus = g_array_new (FALSE, FALSE, sizeof (gint64));
  code = find_all (self, constraint, value, add_cpu, &is_any);
  if (is_any)
    g_clear_pointer (&self->wanted_cpus, g_array_unref);
  return code;
}

static int
apply (PenSampleCursor *self, const PenVirtualConstraint *constraint, sqlite3_value *value,
       GError **error)
{
  switch (constraint->column) {
  case SAMPLE_TIME:
    self->has_time_range = TRUE;
    pen_virtual_range_narrow (&self->time, constraint->operator, value);
    return SQLITE_OK;
  case SAMPLE_ID:
    pen_virtual_range_narrow (&self->id, constraint->operator, value);
    return SQLITE_OK;
  case SAMPLE_CPU:
    return narrow_cpus (self, constraint, value);
  case SAMPLE_PID:
  case SAMPLE_TID:
  case SAMPLE_COMM:
  case SAMPLE_THREAD:
    return pen_sample_cursor_need_threads (self, error) ? narrow (
               self, constraint, value, find_threads, self->n_threads, &self->wanted_threads)
                                                        : SQLITE_ERROR;
  default:
    return pen_sample_cursor_need_bucket (self, constraint->column, error) ? narrow (
               self, constraint, value, find_buckets, self->n_buckets, &self->wanted_buckets)
                                                                           : SQLITE_ERROR;
  }
}

gint64
pen_sample_cursor_get_id (const PenSampleCursor *self)
{
  return (gint64) self->number << BLOCK_BITS | self->row;
}

static gboolean
has_wanted_cpu (const PenSampleCursor *self)
{
  if (!(self->block->has[self->row] & PEN_SAMPLE_HAS_CPU))
    return FALSE;
  for (guint i = 0; i < self->wanted_cpus->len; i++)
    if (g_array_index (self->wanted_cpus, gint64, i) == self->block->cpu[self->row])
      return TRUE;
  return FALSE;
}

static gboolean
is_wanted (const PenSampleCursor *self)
{
  const PenSampleBlock *block = self->block;
  guint row = self->row;
  gint64 time = (gint64) block->time[row];

  if (self->has_time_range
      && (!(block->has[row] & PEN_SAMPLE_HAS_TIME) || time < self->time.first
          || time > self->time.last))
    return FALSE;
  if (self->wanted_threads && !self->wanted_threads[block->thread[row]])
    return FALSE;
  if (self->wanted_buckets && !self->wanted_buckets[block->bucket[row]])
    return FALSE;
  return !self->wanted_cpus || has_wanted_cpu (self);
}

/* Times are unsigned in a block; a range that has no negative numbers means the same in both. */
static gboolean
block_may_match (const PenSampleCursor *self, guint number, const PenBlockInfo *info)
{
  gint64 first_id = (gint64) number << BLOCK_BITS;

  if (self->id.first > self->id.last || self->id.last < first_id
      || self->id.first > first_id + PEN_BLOCK_SAMPLES - 1)
    return FALSE;
  if (!self->has_time_range)
    return TRUE;
  if (self->time.first > self->time.last)
    return FALSE;
  return self->time.first < 0
         || (info->last >= (guint64) self->time.first && info->first <= (guint64) self->time.last);
}

static gboolean
cursor_seek (PenSampleCursor *self, GError **error)
{
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (self->store, &n_blocks);

  for (;;) {
    for (; self->row < self->block->n; self->row++) {
      gint64 id = pen_sample_cursor_get_id (self);

      if (id > self->id.last)
        break;
      if (id >= self->id.first && is_wanted (self))
        return TRUE;
    }

    do
      self->number++;
    while (self->number < n_blocks && !block_may_match (self, self->number, &blocks[self->number]));

    self->row = 0;
    self->block->n = 0;
    if (self->number >= n_blocks) {
      self->is_at_end = TRUE;
      return TRUE;
    }
    if (!pen_store_read_block (self->store, self->number, self->block, error))
      return FALSE;
  }
}

int
pen_sample_cursor_go (PenSampleCursor *self)
{
  GError *error = NULL;

  if (cursor_seek (self, &error))
    return SQLITE_OK;

  self->is_at_end = TRUE;
  return pen_virtual_table_fail (self->base.pVtab, error);
}

int
pen_sample_filter (sqlite3_vtab_cursor *cursor, G_GNUC_UNUSED int number, const char *taken,
                   int argc, sqlite3_value **argv)
{
  PenSampleCursor *self = (PenSampleCursor *) cursor;

  pen_sample_cursor_forget (self);
  self->time = self->id = PEN_VIRTUAL_RANGE_ALL;
  self->has_time_range = FALSE;
  self->is_at_end = FALSE;

  for (int i = 0; i < argc; i++) {
    PenVirtualConstraint constraint = pen_virtual_get_constraint (taken, i);
    GError *error = NULL;
    int code = apply (self, &constraint, argv[i], &error);

    if (error)
      return pen_virtual_table_fail (cursor->pVtab, error);
    if (code != SQLITE_OK)
      return code;
  }

  /* Before the first block, so that seeking goes to it. */
  self->number = G_MAXUINT;
  self->block->n = 0;
  self->row = 0;
  return pen_sample_cursor_go (self);
}
