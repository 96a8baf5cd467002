/* pen-stack-readers.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-readers.h"

#define NO_BLOCK G_MAXUINT

typedef struct Crew Crew;

/*
 * A reader at work. In a turn it looks up the leaves of the block that it read in the turn before,
 * and reads the next one; between turns all are at rest, and the block is used by who asked.
 */
typedef struct {
  Crew *crew;
  PenStore *store; /* owned by the readers, or the query */
  GThread *thread; /* NULL: of the first one */
  PenSampleBlock *block;
  guint number; /* of @block, or NO_BLOCK */
  PenSampleBlock *ahead;
  guint next; /* to be read into @ahead, or NO_BLOCK */
  guint32 *rows;
  guint n_rows;
  PenStackCount all;
  guint32 *leaves;
  GError *error; /* of @next */
} Reader;

struct Crew {
  const PenStackReading *reading;
  guint columns;
  Reader readers[PEN_STACK_READERS_MAX];
  guint n;
  guint unread; /* blocks before it are read, or somebody's */

  GMutex lock;
  GCond begins;
  GCond ends;
  guint turn;
  guint n_busy;
  gboolean is_over;
};

PenStackReaders *
pen_stack_readers_new (PenStore *store, guint n)
{
  PenStackReaders *self = g_new0 (PenStackReaders, 1);

  self->stores = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 1; i < MIN (n, PEN_STACK_READERS_MAX); i++) {
    /* One reader is enough. */
    PenStore *other = pen_store_open_again (store, NULL);

    if (other)
      g_ptr_array_add (self->stores, other);
  }
  return self;
}

void
pen_stack_readers_free (PenStackReaders *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->stores);
  g_free (self);
}

/* ---- a turn of one reader ---- */

static void
work (Reader *self)
{
  const PenStackReading *reading = self->crew->reading;

  self->n_rows = 0;
  if (self->number != NO_BLOCK) {
    self->n_rows = pen_stack_index_select_rows (reading->matcher, self->block, reading->from,
                                                reading->to, self->rows);
    if (reading->narrow)
      self->n_rows
          = reading->narrow (self->block, self->rows, self->n_rows, &self->all, reading->data);
    if (reading->map)
      pen_stack_map_find_leaves (reading->map, reading->index->query->bucket_functions, self->block,
                                 self->rows, self->n_rows, self->leaves);
  }
  if (self->next != NO_BLOCK)
    pen_store_read_block_some (self->store, self->next, self->crew->columns, self->ahead,
                               &self->error);
}

static gpointer
run (gpointer data)
{
  Reader *self = data;
  Crew *crew = self->crew;
  guint turn = 0;

  g_mutex_lock (&crew->lock);
  while (!crew->is_over) {
    if (turn == crew->turn) {
      g_cond_wait (&crew->begins, &crew->lock);
      continue;
    }
    turn = crew->turn;
    g_mutex_unlock (&crew->lock);
    work (self);
    g_mutex_lock (&crew->lock);
    if (--crew->n_busy == 0)
      g_cond_signal (&crew->ends);
  }
  g_mutex_unlock (&crew->lock);
  return NULL;
}

/* ---- all of them ---- */

static void
crew_start (Crew *self, PenStackReaders *readers, const PenStackReading *reading)
{
  *self = (Crew){ .reading = reading, .n = readers->stores->len + 1, .unread = reading->first };
  self->columns = reading->columns
                  | pen_stack_index_find_columns (reading->matcher, reading->from, reading->to);
  g_mutex_init (&self->lock);
  g_cond_init (&self->begins);
  g_cond_init (&self->ends);
  for (guint i = 0; i < self->n; i++) {
    Reader *reader = &self->readers[i];

    *reader = (Reader){ .crew = self, .number = NO_BLOCK, .next = NO_BLOCK };
    reader->store = i == 0 ? reading->index->query->store : readers->stores->pdata[i - 1];
    reader->block = pen_sample_block_new ();
    reader->ahead = pen_sample_block_new ();
    reader->rows = g_new (guint32, PEN_BLOCK_SAMPLES);
    reader->leaves = g_new (guint32, PEN_BLOCK_SAMPLES);
    if (i > 0)
      reader->thread = g_thread_new ("stacks", run, reader);
  }
}

static void
crew_stop (Crew *self)
{
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_broadcast (&self->begins);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->n; i++) {
    Reader *reader = &self->readers[i];

    if (reader->thread)
      g_thread_join (reader->thread);
    g_clear_pointer (&reader->block, pen_sample_block_free);
    g_clear_pointer (&reader->ahead, pen_sample_block_free);
    g_clear_error (&reader->error);
    g_free (reader->rows);
    g_free (reader->leaves);
  }
  g_cond_clear (&self->begins);
  g_cond_clear (&self->ends);
  g_mutex_clear (&self->lock);
}

static void
take_turn (Crew *self)
{
  g_mutex_lock (&self->lock);
  self->n_busy = self->n - 1;
  self->turn++;
  g_cond_broadcast (&self->begins);
  g_mutex_unlock (&self->lock);
  work (&self->readers[0]);
  g_mutex_lock (&self->lock);
  while (self->n_busy > 0)
    g_cond_wait (&self->ends, &self->lock);
  g_mutex_unlock (&self->lock);
}

static guint
find_next (Crew *self)
{
  const PenStackReading *reading = self->reading;
  guint n;
  const PenBlockInfo *blocks = pen_store_get_blocks (reading->index->query->store, &n);

  while (self->unread < reading->end
         && (blocks[self->unread].last < reading->from || blocks[self->unread].first > reading->to))
    self->unread++;
  return self->unread < reading->end ? self->unread++ : NO_BLOCK;
}

static gboolean
hand_out (const Reader *reader, PenStackBatchFunc func, gpointer user_data, GError **error)
{
  const PenStackReading *reading = reader->crew->reading;
  PenStackBatch batch = { .number = reader->number,
                          .block = reader->block,
                          .rows = reader->rows,
                          .n_rows = reader->n_rows,
                          .found = reading->map ? reader->leaves : NULL,
                          .is_narrowed = reading->narrow != NULL,
                          .all = reader->all };

  if (!batch.is_narrowed && batch.n_rows == 0)
    return TRUE;
  return func (&batch, user_data, error);
}

/* What was read ahead is next. Returns: FALSE: @error, or nothing is left */
static gboolean
turn_over (Crew *self, GError **error)
{
  PenQuery *query = self->reading->index->query;
  gboolean is_left = FALSE;

  for (guint i = 0; i < self->n; i++) {
    Reader *reader = &self->readers[i];
    PenSampleBlock *block = reader->ahead;

    if (reader->error) {
      g_propagate_error (error, g_steal_pointer (&reader->error));
      return FALSE;
    }
    reader->ahead = reader->block;
    reader->block = block;
    reader->number = reader->next;
    reader->next = find_next (self);
    is_left |= reader->number != NO_BLOCK || reader->next != NO_BLOCK;
    if (reader->number != NO_BLOCK
        && (!pen_bucket_functions_learn (query->bucket_functions, reader->number, block, error)
            || !pen_matcher_learn (self->reading->matcher, reader->number, block, error)))
      return FALSE;
  }
  return is_left;
}

gboolean
pen_stack_readers_scan (PenStackReaders *self, const PenStackReading *reading,
                        PenStackBatchFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  Crew crew;

  crew_start (&crew, self, reading);
  while (!wrong && turn_over (&crew, &wrong)
         && pen_store_goes_on (reading->index->query->store, &wrong)) {
    take_turn (&crew);
    for (guint i = 0; i < crew.n && !wrong; i++) {
      if (crew.readers[i].number != NO_BLOCK)
        hand_out (&crew.readers[i], func, user_data, &wrong);
    }
  }
  crew_stop (&crew);
  if (!wrong)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

gboolean
pen_stack_readers_scan_all (const PenStackReading *reading, PenStackBatchFunc func,
                            gpointer user_data, GError **error)
{
  PenStackIndex *index = reading->index;
  PenStackReading all = *reading;

  pen_store_get_blocks (index->query->store, &all.end);
  if (!pen_stack_index_shares (index, 0, all.end, all.from, all.to))
    return pen_stack_index_scan (index, all.matcher, PEN_STACK_GROUPINGS, all.columns, all.from,
                                 all.to, func, user_data, error);
  return pen_stack_index_learn_functions (index, 0, all.end, all.from, all.to, error)
         && pen_stack_readers_scan (index->readers, &all, func, user_data, error);
}
