/* pen-thread-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-thread-table.h"

#include <string.h>

#include "pen-names.h"
#include "pen-table-hash.h"

typedef struct {
  PenThread thread;
  guint32 id;
} Entry;

/* Threads that were asked for lately, by tid: nearly every sample's is among them. */
#define RECENT 512u

struct _PenThreadTable {
  GHashTable *entries; /* Entry → itself */
  GPtrArray *order;    /* owns the entries */
  const Entry *recent[RECENT];
  PenNames *names; /* NULL: strings stay where they are */
  guint n_written;
  guint most;
  guint64 n_dropped;
};

static guint
entry_hash (gconstpointer data)
{
  const PenThread *thread = &((const Entry *) data)->thread;
  guint32 key[] = { (guint32) thread->pid, (guint32) thread->tid, pen_str_hash (thread->comm) };

  return pen_data_hash (key, sizeof key);
}

static gboolean
entry_equal (gconstpointer a, gconstpointer b)
{
  const PenThread *x = &((const Entry *) a)->thread;
  const PenThread *y = &((const Entry *) b)->thread;

  return x->pid == y->pid && x->tid == y->tid && x->has_task == y->has_task
         && (x->comm == y->comm || strcmp (x->comm, y->comm) == 0);
}

PenThreadTable *
pen_thread_table_new (void)
{
  PenThreadTable *self = g_new0 (PenThreadTable, 1);

  self->entries = g_hash_table_new (entry_hash, entry_equal);
  self->order = g_ptr_array_new_with_free_func (g_free);
  self->most = G_MAXUINT;
  return self;
}

void
pen_thread_table_keep_names (PenThreadTable *self)
{
  self->names = pen_names_new ();
}

void
pen_thread_table_free (PenThreadTable *self)
{
  g_clear_pointer (&self->names, pen_names_free);
  g_hash_table_unref (self->entries);
  g_ptr_array_unref (self->order);
  g_free (self);
}

void
pen_thread_table_limit (PenThreadTable *self, guint n)
{
  self->most = n;
}

guint64
pen_thread_table_get_dropped (PenThreadTable *self)
{
  return self->n_dropped;
}

static Entry *
add_entry (PenThreadTable *self, const Entry *key)
{
  Entry *entry = g_memdup2 (key, sizeof *key);

  if (self->names)
    entry->thread.comm = pen_names_add (self->names, key->thread.comm);
  entry->id = self->order->len;
  g_ptr_array_add (self->order, entry);
  g_hash_table_add (self->entries, entry);
  return entry;
}

guint32
pen_thread_table_get (PenThreadTable *self, gboolean has_task, gint32 pid, gint32 tid,
                      const char *comm)
{
  const Entry **recent = &self->recent[(guint32) tid % RECENT];
  Entry key = { .thread = { has_task, pid, tid, comm } };
  Entry *entry;

  if (*recent && (*recent)->thread.comm == comm && (*recent)->thread.pid == pid
      && (*recent)->thread.tid == tid && (*recent)->thread.has_task == has_task)
    return (*recent)->id;
  if (*recent && entry_equal (*recent, &key))
    return (*recent)->id;

  entry = g_hash_table_lookup (self->entries, &key);
  if (!entry && has_task && self->order->len >= self->most) {
    self->n_dropped++;
    return pen_thread_table_get (self, FALSE, 0, 0, "");
  }
  if (!entry)
    entry = add_entry (self, &key);
  *recent = entry;
  return entry->id;
}

gboolean
pen_thread_table_write (PenThreadTable *self, PenStoreWriter *writer, GError **error)
{
  for (; self->n_written < self->order->len; self->n_written++) {
    const Entry *entry = g_ptr_array_index (self->order, self->n_written);

    if (!pen_store_writer_add_thread (writer, entry->id, &entry->thread, error))
      return FALSE;
  }
  return TRUE;
}
