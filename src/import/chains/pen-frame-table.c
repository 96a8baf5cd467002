/* pen-frame-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-table.h"

#include "pen-hash-index.h"
#include "pen-hash.h"

/* Frames for which no thread is started. */
#define FEW_FRAMES (2u * PEN_BLOCK_FRAMES)

/* @packer: or NULL: @packed blocks of all frames from @n_written on, its own until it has ended */
struct _PenFrameTable {
  GArray *frames;
  GThread *packer;
  GArray *packed; /* PenPackedFrames; or NULL */
  GCancellable *cancellable;
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

  /* Only those that are there take memory. */
  self->frames = g_array_sized_new (FALSE, FALSE, sizeof (PenTableFrame), PEN_FRAMES_MAX);
  pen_large_pages_advise_rest (self->frames->data, PEN_FRAMES_MAX * sizeof (PenTableFrame));
  self->max = PEN_FRAMES_MAX;
  self->key = pen_hash_key ();
  pen_hash_index_init (&self->index);
  return self;
}

static void
end_packing (PenFrameTable *self)
{
  if (self->packer)
    g_thread_join (g_steal_pointer (&self->packer));
}

void
pen_frame_table_free (PenFrameTable *self)
{
  end_packing (self);
  g_clear_pointer (&self->packed, g_array_unref);
  g_clear_object (&self->cancellable);
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

/* ---- blocks ---- */

static void
pack_block (PenFrameTable *self, guint first, PenFrame *block, PenPacker *packer,
            PenPackedFrames *packed)
{
  guint n = MIN (self->frames->len - first, PEN_BLOCK_FRAMES);

  for (guint i = 0; i < n; i++) {
    const PenTableFrame *frame = &g_array_index (self->frames, PenTableFrame, first + i);

    block[i] = (PenFrame){
      .address = frame->address,
      .tenure = frame->tenure,
      .revision = frame->revision,
      .kind = frame->kind,
      .is_return = frame->is_return,
      .function = frame->function,
    };
  }
  pen_packed_frames_pack (packed, block, n, packer);
}

static void
pack_blocks (PenFrameTable *self)
{
  g_autofree PenFrame *block = g_new (PenFrame, MIN (self->frames->len + 1, PEN_BLOCK_FRAMES));
  g_autoptr (PenPacker) packer = pen_packer_new ();

  for (guint first = self->n_written;
       first < self->frames->len && !g_cancellable_is_cancelled (self->cancellable);
       first += PEN_BLOCK_FRAMES) {
    PenPackedFrames packed;

    pack_block (self, first, block, packer, &packed);
    g_array_append_val (self->packed, packed);
  }
}

static gpointer
pack_frames (gpointer data)
{
  pack_blocks (data);
  return NULL;
}

static void
clear_packed (gpointer data)
{
  pen_packed_frames_clear (data);
}

void
pen_frame_table_begin_write (PenFrameTable *self, GCancellable *cancellable)
{
  g_return_if_fail (!self->packed);

  self->packed = g_array_new (FALSE, FALSE, sizeof (PenPackedFrames));
  g_array_set_clear_func (self->packed, clear_packed);
  g_set_object (&self->cancellable, cancellable);
  if (self->frames->len - self->n_written > FEW_FRAMES)
    self->packer = g_thread_new ("frames", pack_frames, self);
  else
    pack_blocks (self);
}

gboolean
pen_frame_table_write (PenFrameTable *self, PenStoreWriter *writer, PenProgress *progress,
                       GError **error)
{
  g_autoptr (GArray) packed = NULL;

  end_packing (self);
  packed = g_steal_pointer (&self->packed);
  for (guint i = 0; i < packed->len; i++) {
    const PenPackedFrames *block = &g_array_index (packed, PenPackedFrames, i);

    if (!pen_progress_step (progress, progress->state.done + block->n, error)
        || !pen_store_writer_add_packed_frames (writer, self->n_written + i * PEN_BLOCK_FRAMES,
                                                block, error))
      return FALSE;
  }
  self->n_written = self->frames->len / PEN_BLOCK_FRAMES * PEN_BLOCK_FRAMES;
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}
