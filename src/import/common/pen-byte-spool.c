/* pen-byte-spool.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-byte-spool.h"

#include <string.h>

#include "pen-scratch-file.h"

#define FIRST_SIZE 65536u

/* Once the memory was full, what comes is written so many bytes at a time, in a thread beside: so
 * that little is left to write when it is full again. */
#define STEP (1u << 20)

/* The parts of the file that were read lately. A capture has the samples of each CPU one after the
 * other, and they are asked for in the order of their times. */
#define PAGE_SIZE 16384u
#define PAGES 256u
/* Each may be in so many places; the one used longest ago gives way. The orders that are mixed may
 * be any distance apart. */
#define WAYS 4u

typedef struct {
  guint64 number;
  guint64 used; /* the count of looks */
  gsize filled; /* 0: none */
  guint8 *bytes;
} Page;

struct _PenByteSpool {
  PenScratchFile file; /* what was before that in memory */
  PenSpoolMemory newest;
  gsize size;
  gsize memory;
  GThread *thread; /* writes @n_writing bytes from @written on; NULL: nothing is being written */
  gsize written;   /* of the newest bytes */
  gsize n_writing;
  GError *error;     /* the thread's */
  Page pages[PAGES]; /* in sets by number */
  guint64 looks;
  guint8 *run; /* one that is in no page as a whole */
};

PenByteSpool *
pen_byte_spool_new (const char *directory, gsize memory)
{
  PenByteSpool *self = g_new0 (PenByteSpool, 1);

  pen_scratch_file_init (&self->file, directory);
  self->memory = MAX (memory, 8);
  return self;
}

/* From @written on. */
static gpointer
write_newest (gpointer data)
{
  PenByteSpool *self = data;

  pen_scratch_file_write (&self->file, self->newest.base + self->written,
                          self->newest.bytes + self->written, self->n_writing, &self->error);
  return NULL;
}

/* Waits for the thread. */
static gboolean
end_writing (PenByteSpool *self, GError **error)
{
  if (self->thread) {
    g_thread_join (g_steal_pointer (&self->thread));
    self->written += self->n_writing;
    self->n_writing = 0;
  }
  if (!self->error)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

static gboolean
begin_writing (PenByteSpool *self, GError **error)
{
  if (!end_writing (self, error))
    return FALSE;

  self->n_writing = self->newest.filled - self->written;
  self->thread = g_thread_new ("spool", write_newest, self);
  return TRUE;
}

/* All bytes that are in memory. */
static gboolean
empty_memory (PenByteSpool *self, GError **error)
{
  if (!end_writing (self, error))
    return FALSE;

  if (!pen_scratch_file_write (&self->file, self->newest.base + self->written,
                               self->newest.bytes + self->written,
                               self->newest.filled - self->written, error))
    return FALSE;

  self->newest.base += self->newest.filled;
  self->newest.filled = 0;
  self->written = 0;
  return TRUE;
}

void
pen_byte_spool_free (PenByteSpool *self)
{
  end_writing (self, NULL);
  pen_scratch_file_clear (&self->file);
  for (guint i = 0; i < PAGES; i++)
    g_free (self->pages[i].bytes);
  g_free (self->newest.bytes);
  g_free (self->run);
  g_free (self);
}

static gboolean
make_room (PenByteSpool *self, gsize n, GError **error)
{
  if (self->newest.filled > 0 && self->newest.filled + n > self->memory
      && !empty_memory (self, error))
    return FALSE;
  if (self->newest.base > 0 && self->newest.filled >= self->written + self->n_writing + STEP
      && !begin_writing (self, error))
    return FALSE;

  if (self->newest.filled + n > self->size) {
    if (!end_writing (self, error))
      return FALSE;
    self->size
        = MAX (FIRST_SIZE, MAX (self->newest.filled + n, MIN (2 * self->size, self->memory)));
    self->newest.bytes = g_realloc (self->newest.bytes, self->size);
  }
  return TRUE;
}

guint8 *
pen_byte_spool_reserve (PenByteSpool *self, gsize n, guint32 *place, GError **error)
{
  guint64 offset = self->newest.base + self->newest.filled;
  gsize padded = (n + 7) & ~(gsize) 7;
  guint8 *bytes;

  g_return_val_if_fail (n <= PEN_SPOOL_RUN_MAX, NULL);

  *place = 0;
  if (offset / 8 >= PEN_SPOOL_PLACE_MAX || !make_room (self, padded, error))
    return NULL;

  bytes = self->newest.bytes + self->newest.filled;
  memset (bytes + n, 0, padded - n);
  self->newest.filled += padded;
  *place = (guint32) (offset / 8) + 1;
  return bytes;
}

gboolean
pen_byte_spool_add (PenByteSpool *self, const void *bytes, gsize n, guint32 *place, GError **error)
{
  GError *local_error = NULL;
  guint8 *room = pen_byte_spool_reserve (self, n, place, &local_error);

  if (room)
    memcpy (room, bytes, n);
  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return TRUE;
}

static guint64
get_offset (guint32 place)
{
  return ((guint64) place - 1) * 8;
}

const PenSpoolMemory *
pen_byte_spool_get_memory (PenByteSpool *self)
{
  return &self->newest;
}

static Page *
get_set (PenByteSpool *self, guint64 number)
{
  return &self->pages[number % (PAGES / WAYS) * WAYS];
}

/* Returns: where the page is, or else shall be */
static Page *
find_page (PenByteSpool *self, guint64 number)
{
  Page *set = get_set (self, number);
  Page *oldest = set;

  for (Page *page = set; page < set + WAYS; page++) {
    if (page->number == number && page->filled > 0)
      return page;
    if (page->used < oldest->used)
      oldest = page;
  }
  return oldest;
}

/* Returns: the page, with at least @needed bytes in it, or NULL with @error */
static Page *
get_page (PenByteSpool *self, guint64 number, gsize needed, GError **error)
{
  Page *page = find_page (self, number);
  guint64 start = number * PAGE_SIZE;
  gsize there = (gsize) MIN (PAGE_SIZE, self->newest.base - start);

  page->used = ++self->looks;
  /* The last page of the file may have grown. */
  if (page->number == number && page->filled >= needed)
    return page;

  if (!page->bytes)
    page->bytes = g_malloc (PAGE_SIZE);
  page->number = number;
  page->filled = 0;
  if (!pen_scratch_file_read (&self->file, start, page->bytes, there, error))
    return NULL;
  page->filled = there;
  return page;
}

static const guint8 *
read_run (PenByteSpool *self, guint64 offset, gsize n, GError **error)
{
  if (!self->run)
    self->run = g_malloc (PEN_SPOOL_RUN_MAX);
  return pen_scratch_file_read (&self->file, offset, self->run, n, error) ? self->run : NULL;
}

const guint8 *
pen_byte_spool_get (PenByteSpool *self, guint32 place, gsize n, GError **error)
{
  guint64 offset = get_offset (place);
  gsize within = offset % PAGE_SIZE;
  const Page *page;

  g_return_val_if_fail (place > 0 && n <= PEN_SPOOL_RUN_MAX
                            && offset + n <= self->newest.base + self->newest.filled,
                        NULL);

  if (offset >= self->newest.base)
    return self->newest.bytes + (offset - self->newest.base);
  if (within + n > PAGE_SIZE)
    return read_run (self, offset, n, error);

  page = get_page (self, offset / PAGE_SIZE, within + n, error);
  return page ? page->bytes + within : NULL;
}

const guint8 *
pen_byte_spool_peek (PenByteSpool *self, guint32 place, gsize n)
{
  guint64 offset = get_offset (place);
  gsize within = offset % PAGE_SIZE;
  const Page *page;

  if (place == 0 || offset + n > self->newest.base + self->newest.filled)
    return NULL;
  if (offset >= self->newest.base)
    return self->newest.bytes + (offset - self->newest.base);

  page = find_page (self, offset / PAGE_SIZE);
  return page->number == offset / PAGE_SIZE && page->filled >= within + n ? page->bytes + within
                                                                          : NULL;
}

gboolean
pen_byte_spool_change (PenByteSpool *self, guint32 place, const void *bytes, gsize n,
                       GError **error)
{
  guint64 offset = get_offset (place);

  g_return_val_if_fail (place > 0 && n <= PEN_SPOOL_RUN_MAX
                            && offset + n <= self->newest.base + self->newest.filled,
                        FALSE);

  if (!end_writing (self, error))
    return FALSE;
  if (offset >= self->newest.base) {
    memcpy (self->newest.bytes + (offset - self->newest.base), bytes, n);
    self->written = MIN (self->written, offset - self->newest.base);
    return TRUE;
  }

  for (guint64 number = offset / PAGE_SIZE; number <= (offset + n) / PAGE_SIZE; number++) {
    Page *page = find_page (self, number);

    if (page->number == number)
      page->filled = 0;
  }
  return pen_scratch_file_write (&self->file, offset, bytes, n, error);
}
