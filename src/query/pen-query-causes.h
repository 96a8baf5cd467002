/* pen-query-causes.h: what rewrites the text: how often, what for, for how long, at what cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"
#include "pen-query-compare.h"
#include "pen-query-cost.h"

G_BEGIN_DECLS

/* The middle level of the tree. */
typedef enum {
  PEN_CAUSES_BY_KEY, /* what it is for: a key, a call, a probe, a program, a user of ftrace */
  PEN_CAUSES_BY_TASK,
  PEN_CAUSES_BY_FUNCTION,
  PEN_CAUSE_GROUPINGS,
} PenCauseGrouping;

/* "key", "task", "function" */
const char *pen_cause_grouping_to_string (PenCauseGrouping grouping);
gboolean pen_cause_grouping_from_string (const char *word, PenCauseGrouping *grouping);

/* Numbers begin with the largest, words with A; unknown numbers come last in either direction. */
typedef enum {
  PEN_CAUSE_SORT_FLIPS,
  PEN_CAUSE_SORT_NAME,
  PEN_CAUSE_SORT_FIRST, /* the first flip */
  PEN_CAUSE_SORT_SITES,
  PEN_CAUSE_SORT_ON,
  PEN_CAUSE_SORT_SAMPLES_ON,
  PEN_CAUSE_SORT_RATE_ON,
  PEN_CAUSE_SORT_SAMPLES_OFF,
  PEN_CAUSE_SORT_RATE_OFF,
  PEN_CAUSE_SORT_RATIO,
  PEN_CAUSE_SORT_TASK,
  PEN_CAUSE_SORT_COST,
  PEN_CAUSE_SORTS,
} PenCauseSort;

/*
 * PenCauseOrder:
 * @is_reversed: numbers begin with the smallest, words with Z
 * @search: leaves rows of which a word, name or address holds it, case ignored, with the rows above
 *   and below them; NULL or "": all
 */
typedef struct {
  PenCauseGrouping grouping;
  PenCauseSort sort;
  gboolean is_reversed;
  const char *search;
} PenCauseOrder;

/*
 * A site is an address in one tenure. For a row it is, at a time, on: in the patched state that a
 * patch of this row left it in; off: no patch is there; unknown: records were lost, or the chain of
 * bytes is broken; or none of these: there is no text, or another row's patch is there
 * (docs/causes.md says which bytes are the patched state). Several sites together have the largest.
 */
typedef enum {
  PEN_CAUSE_NONE,
  PEN_CAUSE_OFF,
  PEN_CAUSE_UNSURE,
  PEN_CAUSE_ON,
  PEN_CAUSE_STATES,
} PenCauseState;

/* ns; @to is not in it any more */
typedef struct {
  guint64 from;
  guint64 to;
  PenCauseState state;
} PenCauseStretch;

/* Where more rows than that share a site, its stretches off and unknown are those of the rows alone
 * whose patches bound them. */
#define PEN_CAUSE_SITE_ROWS 16

/* Samples in the functions that hold a row's sites while the row is on (or off), or waits that
 * began there then.
 * @seconds: of that time, recorded: without losses
 * @rate: samples, or seconds off CPU, per recorded second; NAN where @seconds is 0
 * @low, @high: its interval; NAN of waits, too */
typedef struct {
  PenAmount amount;
  double seconds;
  double rate;
  double low;
  double high;
} PenCauseRate;

#define PEN_CAUSE_NO_ROW G_MAXUINT
#define PEN_CAUSE_NO_COST G_MAXUINT

/*
 * PenCauseCost: samples, or waits, in detours that patches of a row led to: in them as in
 * pen_query_cost(), and each in one row of a level
 * @parts: by PenCostPart: samples, or ns off CPU
 * @share: of all samples, or time off CPU, under the filter; NAN: there are none
 * @while_on: all of @parts, for the time that the row was on; without a rate where @elsewhere is
 * not 0
 * @elsewhere: of a cause: those of sites that are not known, or in no row below
 */
typedef struct {
  guint64 parts[PEN_COST_PARTS];
  double share;
  PenCauseRate while_on;
  PenAmount elsewhere;
} PenCauseCost;

/*
 * PenCauseRow:
 * @level: 0: a cause; 1: what for, by whom, or where; 2: a site
 * @parent, @first_child: index of a row; @first_child ... + @n_children stand together
 * @is_program: no cause, but all BPF programs (level 0), those of a name (1), or a load (2): these
 *   have their name, @symbol with the id, @detail of metadata, a number of their own as @address,
 *   their lane, @on and cost, and of a load its function, @test and @verdict against the load
 * before
 * @name: of a level 1 row, and of those below it; NULL: of a cause. Where no name is known of a key
 *   or call, the place of its first site, with @is_place
 * @detail: BPF programs that were loaded for the function, or NULL
 * @purpose: for whom it was, by the recorder's snapshots: "kprobe probes/open"; or NULL
 * @address: of a site; @symbol, @offset: of what holds it, or NULL; @symbol and @occupant are those
 *   of a row by function, too
 * @function: for pen_query_annotate(): of a site, else that with most samples
 * @flips: patches, under the filter; @first, @last: times of such, ns; 0: none
 * @sites: distinct ones
 * @on_seconds, @off_seconds, @unknown_seconds: as in the stretches
 * @first_stretch, @n_stretches: of PenCauseTree.stretches: by time
 * @first_change, @n_changes: of PenCauseTree.changes: those of its flips
 * @on, @off: @test: of on against off; of waits, their ratio alone; @verdict: MORE: sampled more
 *   often while on; UNKNOWN: of waits, too
 * @cost: for pen_cause_tree_get_cost()
 * @n_tasks: distinct tasks that patched; @pid, @comm: the one that patched most, with @has_task
 */
typedef struct {
  guint level;
  guint parent;
  guint first_child;
  guint n_children;
  PenCause cause;
  const char *name;
  gboolean is_place;
  gboolean is_program;
  const char *detail;
  const char *purpose;
  guint64 address;
  const char *symbol;
  guint64 offset;
  PenKind kind;
  const char *occupant;
  gboolean has_function;
  guint32 function;
  guint64 flips;
  guint sites;
  guint64 first;
  guint64 last;
  double on_seconds;
  double off_seconds;
  double unknown_seconds;
  guint first_stretch;
  guint n_stretches;
  guint first_change;
  guint n_changes;
  PenCauseRate on;
  PenCauseRate off;
  PenRateTest test;
  PenVerdict verdict;
  guint cost;
  guint n_tasks;
  gboolean has_task;
  gint32 pid;
  const char *comm;
} PenCauseRow;

/* All rows as they were found, whatever the order and the search. */
typedef struct _PenCauseRows PenCauseRows;

/*
 * PenCauseTree:
 * @rows: (element-type PenCauseRow): the causes first, @n_causes of them
 * @has_programs: after these, one row for BPF programs: where samples with callchains are in any
 * @stretches: (element-type PenCauseStretch)
 * @changes: (element-type guint32): ids for pen_query_load_changes()
 * @costs: (element-type PenCauseCost)
 * @found: shared, as the arrays before it are, by all trees of one answer
 */
typedef struct {
  GArray *rows;
  guint n_causes;
  gboolean has_programs;
  GArray *stretches;
  GArray *changes;
  GArray *costs;
  PenCauseRows *found;
} PenCauseTree;

/*
 * pen_query_causes: flips are counted under the whole filter; lanes are cut to its time, and take
 * only patches that its other parts leave
 *
 * Cost: one pass over the pokes and one over the samples of the filter's time, both sorted; eight
 * bytes for each sample in a patched function meanwhile, sixteen for each wait. Where rows have a
 * cost, that of pen_query_cost(), twice.
 */
PenCauseTree *pen_query_causes (PenQuery *self, const PenFilter *filter, const PenCauseOrder *order,
                                GError **error);
/*
 * pen_cause_tree_reorder: the same answer in another order, or with another search
 * @order: its grouping is that of the answer
 *
 * Returns: (transfer full): also where a search had left out rows of @self, all that were found.
 * Cost: a sort of the rows; no question to the store. Any thread may ask, of a tree that others
 * read meanwhile.
 */
PenCauseTree *pen_cause_tree_reorder (const PenCauseTree *self, const PenCauseOrder *order);
void pen_cause_tree_free (PenCauseTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseTree, pen_cause_tree_free)

static inline const PenCauseRow *
pen_cause_tree_get (const PenCauseTree *self, guint row)
{
  return &g_array_index (self->rows, PenCauseRow, row);
}

/* (nullable): NULL: no callchains were recorded, or the cause is none whose patches lead to detours
 */
static inline const PenCauseCost *
pen_cause_tree_get_cost (const PenCauseTree *self, const PenCauseRow *row)
{
  return row->cost != PEN_CAUSE_NO_COST ? &g_array_index (self->costs, PenCauseCost, row->cost)
                                        : NULL;
}

/* Rows of level 0. */
static inline guint
pen_cause_tree_count_heads (const PenCauseTree *self)
{
  return self->n_causes + (self->has_programs ? 1 : 0);
}

/* Writes a whole table: each row, then those below it. Programs are in the
 * table of pen_query_write_cost(). */
gboolean pen_query_write_causes (PenQuery *self, const PenFilter *filter,
                                 const PenCauseOrder *order, PenTableWriter *writer,
                                 GError **error);

G_END_DECLS
