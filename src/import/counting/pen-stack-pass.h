/* pen-stack-pass.h: functions of frames, and stacks of samples, while these are written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-book.h"
#include "pen-stack-counter.h"

G_BEGIN_DECLS

/*
 * PenStackPass: tells a PenStackCounter of which functions the frames of new callchains and the
 * instructions of samples are. 4 bytes for each frame.
 */
typedef struct _PenStackPass PenStackPass;

/* All outlive it. */
PenStackPass *pen_stack_pass_new (PenBucketTable *table, PenBucketBook *book,
                                  PenStoreWriter *writer);
void pen_stack_pass_free (PenStackPass *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackPass, pen_stack_pass_free)

/* What comes with the next samples.
 * @frames: (element-type PenTableFrame), @nodes: (element-type PenChainNode): by their ids
 * @has_nodes: FALSE: they are not all there, and no more is counted */
gboolean pen_stack_pass_take_chains (PenStackPass *self, const GArray *frames, const GArray *nodes,
                                     gboolean has_nodes, GError **error);

/* Samples [@first, @first + @n) of @block, the next ones, PEN_STACK_PASS_SAMPLES at most. They are
 * in their buckets. */
#define PEN_STACK_PASS_SAMPLES 256u
gboolean pen_stack_pass_count (PenStackPass *self, const PenSampleBlock *block, guint first,
                               guint n, GError **error);

/* Returns: (transfer full) (element-type guint32): of the first frames, as far as they came; for
 * g_array_unref() */
GArray *pen_stack_pass_take_functions (PenStackPass *self);

/* See PenStackCounter. */
gboolean pen_stack_pass_end_block (PenStackPass *self, GError **error);
gboolean pen_stack_pass_finish (PenStackPass *self, GError **error);

G_END_DECLS
