/* pen-span-builder.h: counts blocks of samples in spans, level by level
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

#define PEN_SPAN_FAN 8

/*
 * PenSpanBuilder: sees every block before it is packed. A span is counted in a thread beside, and
 * written when the next one is complete: so the store does not depend on how long that took.
 */
typedef struct _PenSpanBuilder PenSpanBuilder;

/* @fan: how many blocks, or spans, make a span: 2 at least. Where there are no more blocks than
 * that, and pen_span_builder_end_span() was not called, there are no spans. @writer: must outlive
 * the builder */
PenSpanBuilder *pen_span_builder_new (guint fan, PenStoreWriter *writer);
void pen_span_builder_free (PenSpanBuilder *self);
/* There is one level, however many spans it has: of a store that is written on and on. */
void pen_span_builder_stay_flat (PenSpanBuilder *self);
/* Writes the spans of all blocks so far, but for those of a span that has not ended. */
gboolean pen_span_builder_settle (PenSpanBuilder *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpanBuilder, pen_span_builder_free)

/* TRUE: the next pen_span_builder_add_block() completes a span: function and kind of the buckets
 * of all samples since the last one, and of the block to be added, must be known. After it,
 * @buckets may begin anew. */
gboolean pen_span_builder_ends_span (PenSpanBuilder *self);

/* The next pen_span_builder_add_block() completes a span, of however few blocks. */
void pen_span_builder_end_span (PenSpanBuilder *self);

/*
 * pen_span_builder_add_block:
 * @buckets: element i has the id @first_bucket + i; ids in @block are not less than that. It may
 *   have moved and grown since the last call, but @first_bucket changes only after a call for
 *   which pen_span_builder_ends_span() was TRUE
 *
 * @block is only looked at.
 */
gboolean pen_span_builder_add_block (PenSpanBuilder *self, const PenSampleBlock *block,
                                     const PenBucket *buckets, guint32 first_bucket,
                                     GError **error);

/* After the last block: counts those that are left; of these, too, functions must be known. */
gboolean pen_span_builder_finish (PenSpanBuilder *self, const PenBucket *buckets,
                                  guint32 first_bucket, GError **error);

G_END_DECLS
