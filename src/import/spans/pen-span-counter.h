/* pen-span-counter.h: the samples of a span, counted by function and bucket in a thread beside
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span-output.h"

G_BEGIN_DECLS

/*
 * PenSpanSamples: those with a time of the blocks of a span
 * @buckets: numbers in the array of buckets
 * @first, @last: of @times
 * @n_buckets: one more than the greatest of @buckets
 * @size: of the arrays
 */
typedef struct {
  guint n;
  guint size;
  guint32 n_buckets;
  guint64 first;
  guint64 last;
  guint64 *times;
  guint32 *buckets;
  guint64 *periods;
} PenSpanSamples;

void pen_span_samples_clear (PenSpanSamples *samples);

/*
 * PenSpanCounter: one span at a time. Keeps 58 bytes per sample of it, and 12 per bucket.
 */
typedef struct _PenSpanCounter PenSpanCounter;

PenSpanCounter *pen_span_counter_new (void);
void pen_span_counter_free (PenSpanCounter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpanCounter, pen_span_counter_free)

/*
 * pen_span_counter_start:
 * @span: what is known of it but for its samples and times
 * @samples: taken; what is left there is empty
 * @buckets: function and kind are known of those that occur. Element i has the id @first_bucket + i
 *
 * Nothing may be in the works. @buckets are only looked at before it returns.
 */
void pen_span_counter_start (PenSpanCounter *self, const PenStoreSpan *span,
                             PenSpanSamples *samples, const PenBucket *buckets,
                             guint32 first_bucket);

/* Waits for the thread.
 * Returns: (transfer none) (nullable): the span, to be finished before the next one is started;
 * NULL: nothing was in the works */
PenSpanOutput *pen_span_counter_wait (PenSpanCounter *self);

G_END_DECLS
