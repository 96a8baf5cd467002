/* pen-frame-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-table.h"

#include "pen-hash-index.h"
#include "pen-hash.h"

struct _PenFrameTable {
  GArray *frames;
  guint n_written; /* whole blocks */
  guint max;
  PenHashIndex index;
  PenHashKey key;
};

G_STATIC_ASSERT (PEN_FRAMES_MAX <= PEN_HASH_INDEX_MAX);
G_STATIC_ASSERT (PEN_FRAME_NONE == PEN_HASH_INDEX_NONE);

PenFrameTable *
pen_frame_table_new (void)
{
  PenFrameTable *self = g_new0 (PenFrameTable, 1);

  self->frames = g_array_new (FALSE, FALSE, sizeof (PenTableFrame));
  self->max = PEN_FRAMES_MAX;
  self->key = pen_hash_key ();
  pen_hash_index_init (&self->index);
  return self;
}

void
pen_frame_table_free (PenFrameTable *self)
{
  g_array_unref (self->frames);
  pen_hash_index_clear (&self->index);
  g_free (self);
}

void
pen_frame_table_limit (PenFrameTable *self, guint max)
{
  self->max = MIN (max, PEN_FRAMES_MAX);
}

GArray *
pen_frame_table_get_frames (PenFrameTable *self)
{
  return self->frames;
}

static inline guint64
hash_frame (const PenFrameTable *self, const PenTableFrame *frame)
{
  guint64 words[] = { frame->address, (guint64) frame->tenure << 32 | frame->revision };

  return pen_hash_words (&self->key, (guint) frame->kind << 1 | frame->is_return, words,
                         G_N_ELEMENTS (words));
}

static guint64
hash_of (gconstpointer owner, guint32 index)
{
  const PenFrameTable *self = owner;

  return hash_frame (self, &g_array_index (self->frames, PenTableFrame, index));
}

static gboolean
is_same (gconstpointer owner, guint32 index, gconstpointer key)
{
  const PenTableFrame *a
      = &g_array_index (((const PenFrameTable *) owner)->frames, PenTableFrame, index);
  const PenTableFrame *b = key;

  return a->address == b->address && a->tenure == b->tenure && a->revision == b->revision
         && a->kind == b->kind && a->is_return == b->is_return;
}

guint32
pen_frame_table_get (PenFrameTable *self, const PenTableFrame *key)
{
  guint64 hash = hash_frame (self, key);
  guint32 id = pen_hash_index_find (&self->index, hash, is_same, self, key);

  if (id == PEN_FRAME_NONE && self->frames->len < self->max) {
    id = self->frames->len;
    pen_hash_index_add (&self->index, hash, hash_of, self);
    g_array_append_vals (self->frames, key, 1);
  }
  return id;
}

void
pen_frame_table_expect (PenFrameTable *self, const PenTableFrame *key)
{
  pen_hash_index_prefetch (&self->index, hash_frame (self, key));
}

gboolean
pen_frame_table_write (PenFrameTable *self, PenStoreWriter *writer, PenProgress *progress,
                       GError **error)
{
  GArray *frames = self->frames;
  g_autofree PenFrame *block = g_new (PenFrame, MIN (frames->len + 1, PEN_BLOCK_FRAMES));
  guint n = 0;

  for (guint i = self->n_written; i < frames->len; i++) {
    const PenTableFrame *frame = &g_array_index (frames, PenTableFrame, i);

    block[n++] = (PenFrame){
      .address = frame->address,
      .tenure = frame->tenure,
      .revision = frame->revision,
      .kind = frame->kind,
      .is_return = frame->is_return,
      .function = frame->function,
    };
    if (n < PEN_BLOCK_FRAMES && i + 1 < frames->len)
      continue;

    if (!pen_progress_step (progress, progress->state.done + n, error)
        || !pen_store_writer_add_frames (writer, i + 1 - n, block, n, error))
      return FALSE;
    n = 0;
  }
  self->n_written = frames->len / PEN_BLOCK_FRAMES * PEN_BLOCK_FRAMES;
  return TRUE;
}
