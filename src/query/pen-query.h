/* pen-query.h: a store, and what the questions about it keep of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"
#include "pen-store.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

#define PEN_QUERY_ERROR (pen_query_error_quark ())
GQuark pen_query_error_quark (void);

typedef enum {
  PEN_QUERY_ERROR_NOT_FOUND, /* no such symbol or address in this capture; the message says what is
                                near */
  PEN_QUERY_ERROR_USAGE,     /* the question is malformed */
} PenQueryError;

/* One store with what queries keep of it. Use from one thread at a time. */
#define PEN_TYPE_QUERY (pen_query_get_type ())
G_DECLARE_FINAL_TYPE (PenQuery, pen_query, PEN, QUERY, GObject)

PenQuery *pen_query_new (PenStore *store);
PenStore *pen_query_get_store (PenQuery *self);

/*
 * pen_query_get_waits:
 *
 * The same about the waits of the recording: what a question counts as samples are waits, and their
 * periods are nanoseconds off CPU (semantics.md, "Time off CPU"). What cancels @self cancels it.
 *
 * Returns: (transfer none): owned by @self
 */
PenQuery *pen_query_get_waits (PenQuery *self, GError **error);
/* Whether @self is one about waits. */
gboolean pen_query_is_of_waits (PenQuery *self);

/*
 * The cost of answers: opening loads the functions and where blocks and spans are: with
 * the samples grow only a few bytes per 65,536 of them. Without a filter, or with one that
 * functions answer (kind, occupant, symbol, changed, cause), counts come from the functions. A
 * stretch of time costs as much as its two ends: at most eight spans for each level of spans, and
 * eight blocks. Filters by address or event load all buckets; those by cpu or task read every block
 * of the stretch.
 *
 * A stretch of time takes the samples that have a time in it: see pen-sample-walk.h.
 */

/* First and last time of the samples and timed changes, ns; of waits, too, where @self is of these.
 * FALSE: nothing has a time. Cost: the spans of the highest level and a few changes, once. */
gboolean pen_query_get_time_range (PenQuery *self, guint64 *first, guint64 *last);
/* The same of the samples alone; of waits, as before. */
gboolean pen_query_get_sample_time_range (PenQuery *self, guint64 *first, guint64 *last);
/* Seconds of it that the filter leaves. @filter: (nullable). 0: none, or nothing has a time */
double pen_query_count_seconds (PenQuery *self, const PenFilter *filter);

/* Whether what is of that kind stands at one address in the kernel's space, for all. */
gboolean pen_query_is_kernel_kind (PenKind kind);
/* Whether it has a range in the kernel's space: a function's, or that of text that pokes alone tell
 * of (P6). */
gboolean pen_query_is_kernel_text (const PenFunction *function);

/* Samples under the filter, and of the whole capture. Cost: of spans, nothing is read. */
gboolean pen_query_count (PenQuery *self, const PenFilter *filter, guint64 *matching,
                          guint64 *total, GError **error);

G_END_DECLS
