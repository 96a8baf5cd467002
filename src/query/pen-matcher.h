/* pen-matcher.h: which samples, which functions, which changes a filter means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/*
 * PenMatcher: a filter, prepared for one query's store.
 * @buckets, @threads, @functions: a flag for each; NULL: all
 * @asks_samples: it asks for something that only a sample itself tells (time, cpu, task)
 */
typedef struct {
  PenQuery *query;
  const PenFilter *filter;
  guint8 *buckets;
  guint8 *threads;
  guint8 *functions;
  gboolean asks_samples;
} PenMatcher;

PenMatcher *pen_matcher_new (PenQuery *query, const PenFilter *filter, GError **error);
void pen_matcher_free (PenMatcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMatcher, pen_matcher_free)

static inline gboolean
pen_matcher_has_bucket (const PenMatcher *self, guint32 bucket)
{
  return self->buckets == NULL || self->buckets[bucket];
}

static inline gboolean
pen_matcher_has_function (const PenMatcher *self, guint32 function)
{
  return self->functions == NULL || self->functions[function];
}

/* Does the filter ask for what only samples and changes tell? */
gboolean pen_matcher_asks_content (const PenMatcher *self);

gboolean pen_matcher_has_change (const PenMatcher *self, const PenChange *change);

/* Row @row of a block, but for its time. */
gboolean pen_matcher_has_sample (const PenMatcher *self, const PenSampleBlock *block, guint row);
/* All of them: nobody needs to ask. */
gboolean pen_matcher_has_all_samples (const PenMatcher *self);

G_END_DECLS
