/* pen-block-packer.h: packs a block of samples while the next one is being filled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-block.h"

G_BEGIN_DECLS

/* One block at a time is being packed, in a thread of its own. */
typedef struct _PenBlockPacker PenBlockPacker;

typedef struct {
  guint n;
  guint64 first; /* ns: smallest and largest time in it */
  guint64 last;
  const guint8 *bytes; /* owned by the packer, until it is started again */
  gsize length;
} PenPackedBlock;

PenBlockPacker *pen_block_packer_new (void);
/* Waits for the thread. */
void pen_block_packer_free (PenBlockPacker *self);

/* Takes the samples out of @block, which is empty afterwards. Nothing may be in the works. */
void pen_block_packer_start (PenBlockPacker *self, PenSampleBlock *block);

/* Waits for what was started last. Returns: FALSE if nothing was */
gboolean pen_block_packer_wait (PenBlockPacker *self, PenPackedBlock *packed);

G_END_DECLS
