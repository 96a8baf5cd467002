/* pen-query-instants.h: the text of two instants side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"
#include "pen-filter.h"
#include "pen-query-text.h"

G_BEGIN_DECLS

/* The first instant is A, the second B, whichever is earlier. */
typedef enum {
  PEN_INSTANT_SAME,
  PEN_INSTANT_CHANGED,  /* other bytes */
  PEN_INSTANT_ADDED,    /* only at B does an instruction begin there */
  PEN_INSTANT_REMOVED,  /* only at A */
  PEN_INSTANT_OCCUPANT, /* text of another occupant */
  PEN_INSTANT_UNKNOWN,  /* the bytes of one of them are not known */
  PEN_INSTANT_DIFFERENCES,
} PenInstantDifference;

/* "same", "changed" …: as in tables */
const char *pen_instant_difference_to_string (PenInstantDifference difference);

/*
 * PenInstantSide: the range at one of the instants
 * @from, @to: the stretch around it in which no byte of the range changed, nor who held it
 * @samples: on the range in [@from, @to), under the filter
 * @period: of waits, their time off CPU; else 0
 */
typedef struct {
  PenTextAt *text;
  PenMoment from;
  PenMoment to;
  guint64 samples;
  guint64 period;
} PenInstantSide;

/*
 * PenInstantRow: lines that begin at one address
 * @stretches: (nullable elements): of each side's text, what held @address
 * @lines: (nullable elements): of each side's text: NULL: none begins there
 * @samples, @periods: of each line, in the stretch of its side
 */
typedef struct {
  guint64 address;
  const PenTextStretch *stretches[2];
  const PenAnnotationLine *lines[2];
  guint64 samples[2];
  guint64 periods[2];
  PenInstantDifference difference;
} PenInstantRow;

/* @rows: (element-type PenInstantRow): by address. @n_different: how many of them are not the same.
 * @population: PEN_POPULATION_WAITS: samples are waits that began there */
typedef struct {
  PenPopulation population;
  guint64 start;
  guint64 end;
  PenInstantSide sides[2];
  GArray *rows;
  guint n_different;
} PenInstants;

static inline PenAmount
pen_instants_get_amount (const PenInstants *self, guint side)
{
  return (PenAmount){ self->population, self->sides[side].samples, self->sides[side].period };
}

/* Of a row. */
static inline PenAmount
pen_instants_get_row_amount (const PenInstants *self, const PenInstantRow *row, guint side)
{
  return (PenAmount){ self->population, row->samples[side], row->periods[side] };
}

void pen_instants_free (PenInstants *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenInstants, pen_instants_free)

/*
 * pen_query_instants:
 * @start, @end: of the kernel's space; at most PEN_ANNOTATION_MAX bytes
 * @moments: A and B: each text is that just before
 *
 * Cost: pen_query_text_at() twice, the buckets of the functions in the range, and with each stretch
 * its spans and the blocks at its ends.
 */
PenInstants *pen_query_instants (PenQuery *self, const PenFilter *filter, guint64 start,
                                 guint64 end, const PenMoment *moments, PenSyntax syntax,
                                 GError **error);

/* The row's name and offset: of A, or where A has none of B. FALSE: it has no symbol */
gboolean pen_instant_row_get_place (const PenInstantRow *row, const char **symbol, guint64 *offset);

/* As a table: a row for each that differs, or with @all for each. */
gboolean pen_query_write_instants_of (PenQuery *self, const PenFilter *filter, guint64 start,
                                      guint64 end, const PenMoment *moments, PenSyntax syntax,
                                      gboolean all, PenTableWriter *writer, GError **error);
/* @target, @length: as pen_query_find_text() takes them, at A or B. @at: two, for
 * pen_query_parse_moment() */
gboolean pen_query_write_instants (PenQuery *self, const PenFilter *filter, const char *target,
                                   guint64 length, char **at, PenSyntax syntax, gboolean all,
                                   PenTableWriter *writer, GError **error);

G_END_DECLS
