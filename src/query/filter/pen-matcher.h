/* pen-matcher.h: which samples, which functions, which changes a filter means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-store-changes.h"
#include "pen-store-outputs.h"
#include "pen-store-pokes.h"
#include "pen-store-samples.h"

G_BEGIN_DECLS

#define PEN_MATCHER_CPUS 1024u

/*
 * PenMatcher: a filter, prepared for one query's store. Flags are bytes, one for each; NULL: all.
 *
 * @functions: by names, changes and causes
 * @counted: the same, and by kind: those whose samples count
 * @events: by number
 * @buckets: where the filter asks for addresses or events; with all that @counted asks for
 * @tenures: by number, where the filter asks for them or their programs; the first is that of what
 *   has none
 * @threads: by task
 * @cpus: where it asks for them: of the first PEN_MATCHER_CPUS
 * @asks_time: it asks for a stretch of time. One from 0 to G_MAXUINT64 does not: it is everything,
 *   with and without a time
 * @asks_rows: it asks for a cpu or task, which only a sample itself tells
 * @asks_buckets: it asks for an address, a tenure or a program, which only a bucket tells
 */
typedef struct {
  PenQuery *query;
  const PenFilter *filter;
  guint8 *functions;
  guint8 *counted;
  guint8 *events;
  guint8 *buckets;
  guint8 *tenures;
  guint32 n_tenures;
  guint8 *threads;
  gboolean asks_time;
  gboolean asks_cpu;
  guint8 *cpus;
  gboolean asks_rows;
  gboolean asks_buckets;
} PenMatcher;

/* Cost: with addresses or events all buckets are loaded, with tasks all threads. */
PenMatcher *pen_matcher_new (PenQuery *query, const PenFilter *filter, GError **error);
/* The same without buckets, for who may not need samples at all: before these are asked for,
 * pen_matcher_load_buckets() has to be called. */
PenMatcher *pen_matcher_new_bare (PenQuery *query, const PenFilter *filter, GError **error);
gboolean pen_matcher_load_buckets (PenMatcher *self, GError **error);
void pen_matcher_free (PenMatcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMatcher, pen_matcher_free)

/* But for its time, and what only samples tell. */
static inline gboolean
pen_matcher_has_bucket (const PenMatcher *self, guint32 bucket, guint32 function)
{
  if (self->buckets)
    return self->buckets[bucket];
  return !self->counted || self->counted[function];
}

static inline gboolean
pen_matcher_has_function (const PenMatcher *self, guint32 function)
{
  return !self->functions || self->functions[function];
}

static inline gboolean
pen_matcher_has_event (const PenMatcher *self, guint event)
{
  return !self->events || self->events[event];
}

static inline gboolean
pen_matcher_has_tenure (const PenMatcher *self, guint32 tenure)
{
  return !self->tenures || self->tenures[tenure < self->n_tenures ? tenure : 0];
}

/* Does the filter ask for what only samples and changes tell? */
gboolean pen_matcher_asks_content (const PenMatcher *self);
/* … and must there be some, or are values only excluded? */
gboolean pen_matcher_requires_content (const PenMatcher *self);

gboolean pen_matcher_has_tick (const PenMatcher *self, const PenPokeTick *tick);
gboolean pen_matcher_has_change (const PenMatcher *self, const PenChange *change);

/* An output of a BPF program, with its time. */
gboolean pen_matcher_has_output (const PenMatcher *self, const PenBpfOutput *output);
/* Is it listed among the samples? A witness's only where its event is asked for (W1). */
gboolean pen_matcher_lists_output (const PenMatcher *self, const PenBpfOutput *output);

/* Finds out what pen_matcher_has_sample() needs of the rows of the store's block @number. */
gboolean pen_matcher_learn (const PenMatcher *self, guint number, const PenSampleBlock *block,
                            GError **error);
/* Row @row of a block that was learnt, but for its time. */
gboolean pen_matcher_has_sample (const PenMatcher *self, const PenSampleBlock *block, guint row);
/* Leaves those of @n @rows for which that is so. Returns: how many */
guint pen_matcher_narrow (const PenMatcher *self, const PenSampleBlock *block, guint32 *rows,
                          guint n);
/* All of them: nobody needs to ask. */
gboolean pen_matcher_has_all_samples (const PenMatcher *self);

G_END_DECLS
