/* pen-query-compare.h: before and after a change: did it make a difference?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poisson.h"
#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenRate: samples of a place in one stretch of time
 * @seconds: recorded; without @lost, in which records or samples were lost or throttled. Samples of
 *   that time are not in @samples either
 * @rate, @low, @high: per recorded second, and the interval that holds the true rate with 95 %; NAN
 *   where @seconds is 0
 * @share: of all samples that the filter leaves in the same time, 0–1; NAN where there are none
 */
typedef struct {
  guint64 samples;
  double seconds;
  double lost;
  double rate;
  double low;
  double high;
  double share;
} PenRate;

/* Sets @rate, @low and @high by the others. */
void pen_rate_find_interval (PenRate *rate);

typedef enum {
  PEN_VERDICT_UNKNOWN, /* nothing was recorded on one side */
  PEN_VERDICT_ALIKE,   /* no significant difference: there may be a small one */
  PEN_VERDICT_MORE,    /* sampled more often afterwards */
  PEN_VERDICT_LESS,
  PEN_VERDICTS,
} PenVerdict;

/* "unknown", "alike", "more", "less" */
const char *pen_verdict_to_string (PenVerdict verdict);

/*
 * PenComparison: one change of a place: the time from the change before it to it, and that from it
 * to the next
 * @number: from 1, in time order
 * @from, @to: ns: of its first and last poke: those of one batch are one change
 * @first_poke: id; @n_pokes: that touched the place
 * @test: of after against before
 */
typedef struct {
  guint number;
  guint64 from;
  guint64 to;
  guint32 first_poke;
  guint n_pokes;
  guint32 batch;
  PenCause cause;
  PenRate before;
  PenRate after;
  PenRateTest test;
  PenVerdict verdict;
} PenComparison;

/*
 * PenComparisons:
 * @start, @end: the place: a function, or the bytes that the pokes of one address covered
 * @is_coarse: too much was lost, here and there, to be left out
 */
typedef struct {
  char *symbol;
  guint64 start;
  guint64 end;
  gboolean is_coarse;
  GArray *rows; /* (element-type PenComparison): none where it was not patched */
} PenComparisons;

void pen_comparisons_free (PenComparisons *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenComparisons, pen_comparisons_free)

/* Cost: the buckets of the function, and for each change what two ends of a stretch cost. */
PenComparisons *pen_query_compare_function (PenQuery *self, const PenFilter *filter,
                                            guint32 function, GError **error);
/* Compares the samples on the bytes that pokes of @address covered. */
PenComparisons *pen_query_compare_address (PenQuery *self, const PenFilter *filter, guint64 address,
                                           GError **error);

/*
 * pen_query_write_comparison:
 * @target: SYMBOL for the whole function; SYMBOL+OFFSET or 0xADDRESS for one place
 * @change: 0: all; else only that one
 */
gboolean pen_query_write_comparison (PenQuery *self, const PenFilter *filter, const char *target,
                                     guint change, PenTableWriter *writer, GError **error);

G_END_DECLS
