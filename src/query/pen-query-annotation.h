/* pen-query-annotation.h: a function's text over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"
#include "pen-annotation.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenAnnotated: a function's text over time
 * @function: its id
 * @lines: (element-type PenAnnotationLine), by address, then time
 * @tenures: (element-type PenTenure) that its lines name. Code of a file is the same for all that
 *   mapped it: then it is one, PEN_SHARED_TENURE, from when the first had it until the last
 * @jumps: (element-type PenAnnotatedJump), @calls: (element-type PenAnnotatedCall): by line
 * @population: PEN_POPULATION_WAITS: samples, here and of lines, are waits that began there, and
 *   periods ns off CPU
 * @total_samples, @total_period: under the filter, of the whole capture; of samples, without their
 *   periods
 * @hot: (element-type guint): lines with samples, most samples, or most time off CPU, first
 */
#define PEN_SHARED_TENURE G_MAXUINT32

typedef struct {
  guint32 function;
  char *symbol;
  char *occupant;
  PenKind kind;
  guint64 start;
  guint64 end;
  PenPopulation population;
  guint64 samples;
  guint64 period;
  guint64 total_samples;
  guint64 total_period;
  GPtrArray *lines;
  GArray *tenures;
  GArray *pokes; /* (element-type PenPoke), in time order */
  GArray *jumps;
  GArray *calls;
  GArray *hot;
} PenAnnotated;

static inline PenAmount
pen_annotated_get_amount (const PenAnnotated *annotated)
{
  return (PenAmount){ annotated->population, annotated->samples, annotated->period };
}

/* Of the whole capture. */
static inline PenAmount
pen_annotated_get_total (const PenAnnotated *annotated)
{
  return (PenAmount){ annotated->population, annotated->total_samples, annotated->total_period };
}

/* Of one of its lines. */
static inline PenAmount
pen_annotated_get_line_amount (const PenAnnotated *annotated, const PenAnnotationLine *line)
{
  return (PenAmount){ annotated->population, line->samples, line->period };
}

/* A line that jumps within the function, and the one that stands at its target when it begins to
 * stand. */
typedef struct {
  guint line;
  guint target;
  guint64 address;
} PenAnnotatedJump;

/* A line that leads out of the function. @function: what was at @address when the line began to
 * stand; G_MAXUINT32 where that has neither samples nor changes: pen_query_text_at() shows it. */
typedef struct {
  guint line;
  guint64 address;
  guint32 function;
} PenAnnotatedCall;

void pen_annotated_free (PenAnnotated *annotated);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAnnotated, pen_annotated_free)

/* Leaves the lines that stood just before @moment; samples are those of all of their time. */
void pen_annotated_keep (PenAnnotated *annotated, PenMoment moment);

/* @function: id, as pen_query_functions() gives it. Cost: the buckets of that function and of
 * others in its range; with a stretch of time, of each span at its ends the piece that has them,
 * and two blocks at most for each bucket's first and last sample in it. */
PenAnnotated *pen_query_annotate (PenQuery *self, const PenFilter *filter, guint32 function,
                                  PenSyntax syntax, GError **error);
/*
 * The same of whatever held @address of the kernel's space just before @moment, over all time, also
 * where no samples and no changes were recorded: then @function of it is G_MAXUINT32. The whole
 * symbol, or where none is known a stretch from the address on, which has to be an instruction's.
 */
PenAnnotated *pen_query_annotate_at (PenQuery *self, const PenFilter *filter, guint64 address,
                                     PenMoment moment, PenSyntax syntax, GError **error);

/* @target: SYMBOL, or an address in hexadecimal ("0x…") */
gboolean pen_query_write_annotation (PenQuery *self, const PenFilter *filter, const char *target,
                                     PenSyntax syntax, PenTableWriter *writer, GError **error);
/*
 * Only what stood at that moment; @at: for pen_query_parse_moment(), or NULL for all.
 * @all_loads: of a name or an address that several loads had, a listing has all, in place of the
 * one with most samples. Rows are of all.
 */
gboolean pen_query_write_annotation_at (PenQuery *self, const PenFilter *filter, const char *target,
                                        const char *at, gboolean all_loads, PenSyntax syntax,
                                        PenTableWriter *writer, GError **error);

G_END_DECLS
