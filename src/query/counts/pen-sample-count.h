/* pen-sample-count.h: how many samples a filter leaves
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"
#include "pen-bucket-set.h"
#include "pen-matcher.h"

G_BEGIN_DECLS

/*
 * Counts under a matcher. Without a stretch of time they are those that the store has of functions
 * and buckets; with one they come from spans, and at its ends from blocks; only where the filter
 * asks for a cpu or task, all blocks of the stretch are read.
 */

/* @first, @last: of the samples that are counted; only where it says so below */
typedef struct {
  guint64 samples;
  guint64 period;
  guint64 first;
  guint64 last;
} PenBucketCount;

typedef struct {
  guint64 samples;
  guint64 period;
} PenFunctionCount;

/* Returns: (transfer full): one for each function */
PenFunctionCount *pen_query_count_functions (PenQuery *self, const PenMatcher *matcher,
                                             GError **error);

/* All samples under the matcher. Cost: with no more than a stretch of time to ask for, nothing is
 * read of a span but its count. */
gboolean pen_query_count_samples (PenQuery *self, const PenMatcher *matcher, guint64 *n,
                                  GError **error);
/* The same as an amount; of samples, without their periods. Cost: of waits, as
 * pen_query_count_functions(). */
gboolean pen_query_count_amount (PenQuery *self, const PenMatcher *matcher, PenAmount *amount,
                                 GError **error);

/* Counts all buckets, without @first and @last. Heavy: the buckets are loaded.
 * Returns: (transfer full): one for each bucket */
PenBucketCount *pen_query_count_buckets (PenQuery *self, const PenMatcher *matcher, GError **error);

/* @with_ends: with @first and @last: a stretch of time then costs what pen_query_find_ends() does.
 * Returns: (transfer full): one for each bucket of the set */
PenBucketCount *pen_query_count_set (PenQuery *self, const PenMatcher *matcher,
                                     const PenBucketSet *set, gboolean with_ends, GError **error);

/* The same of a stretch of time, on top of the matcher's; adds to @counts. Without @first and
 * @last. */
gboolean pen_query_add_set (PenQuery *self, const PenMatcher *matcher, const PenBucketSet *set,
                            guint64 from, guint64 to, PenBucketCount *counts, GError **error);

G_END_DECLS
