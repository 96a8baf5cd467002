/* pen-query-heat.h: samples by column of time and by its fraction
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* Patches in one cell. @cause: of most of them; of several, the first of the causes */
typedef struct {
  guint column;
  guint row;
  guint n;
  PenCause cause;
} PenHeatTick;

/*
 * PenHeat: time runs down a column, from row 0, and goes on at the top of the next one
 * @from: begins the first column
 * @to: ends what was counted: in the last column, or at its end
 * @column: length of one, ns
 * @population: PEN_POPULATION_WAITS: counts are ns off CPU
 * @counts: column c, row r at [c * n_rows + r]
 * @max: the largest of them
 * @ticks: (element-type PenHeatTick): by column and row
 * @causes: (element-type PenHeatTick): the same, one for each cause of a cell
 */
typedef struct {
  guint64 from;
  guint64 to;
  guint64 column;
  guint n_columns;
  guint n_rows;
  PenPopulation population;
  guint64 *counts;
  guint64 max;
  GArray *ticks;
  GArray *causes;
} PenHeat;

#define PEN_HEAT_ROWS 50
#define PEN_HEAT_MOST_COLUMNS 4096

void pen_heat_free (PenHeat *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenHeat, pen_heat_free)

/* A length of columns for [@from, @to): 1, 2 or 5 times a power of ten, so that there are @n of
 * them or fewer. */
guint64 pen_heat_choose_column (guint64 from, guint64 to, guint n);

/* The time at which a cell begins. */
static inline guint64
pen_heat_get_time (const PenHeat *self, guint column, guint row)
{
  return self->from + column * self->column
         + (guint64) ((double) row * (double) self->column / self->n_rows);
}

/* The cell that @time is in; it lies in the columns. */
static inline void
pen_heat_find_cell (const PenHeat *self, guint64 time, guint *column, guint *row)
{
  guint64 since = time - self->from;
  guint64 within = since % self->column;

  *column = (guint) (since / self->column);
  *row = (guint) ((double) within * self->n_rows / (double) self->column);
  *row = MIN (*row, self->n_rows - 1);
}

/*
 * pen_query_heat: samples and patches of [@from, @to) under @filter, whose time is not applied
 * @column: ns
 *
 * Cost: the times of all samples of the stretch; where the filter asks for a cpu or task, their
 * other columns, too. Of waits, each has its time in the cells over which it lasted (semantics.md,
 * O6): all waits that begin before @to.
 */
PenHeat *pen_query_heat (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                         guint64 column, GError **error);

G_END_DECLS
