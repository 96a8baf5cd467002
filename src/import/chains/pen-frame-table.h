/* pen-frame-table.h: the places that callchains go through
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-progress.h"
#include "pen-store-writer.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

#define PEN_FRAME_NONE G_MAXUINT32
/* More places than the text of any machine has callers; a capture made to fill memory stops here.
 */
#define PEN_FRAMES_MAX (1u << 21)

/* PenTableFrame: see PenFrame; @function is found out at the end */
typedef struct {
  guint64 address;
  guint32 tenure;
  guint32 revision;
  guint32 function;
  guint8 kind;
  guint8 is_return;
} PenTableFrame;

/* Asked once per frame of each callchain that is not the same as one before. */
typedef struct _PenFrameTable PenFrameTable;

PenFrameTable *pen_frame_table_new (void);
void pen_frame_table_free (PenFrameTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFrameTable, pen_frame_table_free)

/* At most @max frames, and never more than PEN_FRAMES_MAX. */
void pen_frame_table_limit (PenFrameTable *self, guint max);

/* @key: all but function is read. Returns: the frame's id, or PEN_FRAME_NONE where there are too
 * many */
guint32 pen_frame_table_get (PenFrameTable *self, const PenTableFrame *key);

/* Memory that pen_frame_table_get() needs for a new frame is on its way into the cache. */
void pen_frame_table_expect (PenFrameTable *self, const PenTableFrame *key);

/* (element-type PenTableFrame): element i has id i */
GArray *pen_frame_table_get_frames (PenFrameTable *self);
/* No more will come, and all have their functions: a thread packs them until they are written.
 * @cancellable: (nullable) */
void pen_frame_table_begin_write (PenFrameTable *self, GCancellable *cancellable);
/* Those that were not written before, and with them all of their block. */
gboolean pen_frame_table_write (PenFrameTable *self, PenStoreWriter *writer, PenProgress *progress,
                                GError **error);

G_END_DECLS
