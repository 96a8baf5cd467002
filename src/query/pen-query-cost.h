/* pen-query-cost.h: what instrumentation costs: samples in the detours of patched sites
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-compare.h"
#include "pen-query-stacks.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * A detour is what a site of ftrace, a probe or a BPF trampoline leads to: all that is called from
 * the patched instruction, but for the original function where a trampoline calls it. A stack that
 * goes through several counts for the outermost: so no sample is in two rows.
 */
typedef enum {
  PEN_COST_BY_SITE,
  PEN_COST_BY_CAUSE,
  PEN_COST_BY_PROGRAM, /* of all BPF programs, wherever they were called: not of detours alone */
  PEN_COST_GROUPINGS,
} PenCostGrouping;

/* "site", "cause", "program" */
const char *pen_cost_grouping_to_string (PenCostGrouping grouping);
gboolean pen_cost_grouping_from_string (const char *word, PenCostGrouping *grouping);

/* Where in a detour a sample is. */
typedef enum {
  PEN_COST_TRAMPOLINE, /* a stub, or the kernel's own entry to ftrace */
  PEN_COST_HANDLER,    /* the kernel's code below it */
  PEN_COST_PROGRAM,    /* a BPF program, or what it called */
  PEN_COST_PARTS,
} PenCostPart;

/* Can a patch for @cause lead to a detour? */
gboolean pen_cause_has_detours (PenCause cause);

/*
 * PenCostRow:
 * @has_site: else: sites that are not known, or (by cause) all of them
 * @address, @symbol, @offset, @function: of the site; @function: also of a program; G_MAXUINT32:
 * none
 * @user: whom the trampoline calls, as of its last patch, or NULL
 * @bpf_id, @tenure: of a program; 0: not known
 * @name: of a program, without its tag; @metadata: what it says of itself ("" or NULL: nothing)
 * @from, @to: of a program's load: ns, within the filter's time
 * @count: samples in the detour, or through the program; @own: in the program itself
 * @parts: samples of a detour, by PenCostPart
 *   Of waits, @own and @parts are ns off CPU
 * @weight: samples of @count, or of waits ns off CPU
 * @share: of all samples under the filter, or of their time off CPU, 0–1; NAN: there are none
 * @seconds: in which the site led there, or the program was loaded, within the filter's time; NAN:
 *   not known
 * @rate, @low, @high: samples per such second with the interval of 95 %, or NAN. Waits have no
 *   interval: they do not come at random
 * @previous: of a program: row of the load before of the same name; G_MAXUINT: none
 * @test: of this load's rate against that one's; of waits: NAN
 * Strings are owned by the store or by the table.
 */
typedef struct {
  PenCause cause;
  gboolean has_site;
  guint64 address;
  const char *symbol;
  guint64 offset;
  guint32 function;
  const char *user;
  guint32 bpf_id;
  guint32 tenure;
  const char *name;
  char *metadata;
  guint64 from;
  guint64 to;
  PenStackCount count;
  guint64 weight;
  guint64 own;
  guint64 parts[PEN_COST_PARTS];
  double share;
  double seconds;
  double rate;
  double low;
  double high;
  guint previous;
  PenRateTest test;
} PenCostRow;

/*
 * PenCostTable:
 * @rows: (element-type PenCostRow): most samples, or most time off CPU, first; programs by name,
 * then time
 * @total: all samples under the filter; @detours: of them, those in detours
 */
typedef struct {
  GArray *rows;
  PenStackCount total;
  PenStackCount detours;
} PenCostTable;

void pen_cost_table_free (PenCostTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCostTable, pen_cost_table_free)

/* Cost: all pokes, one step for each callchain and each frame, and the samples of the filter's time
 * as in pen_query_flame(). */
PenCostTable *pen_query_cost (PenQuery *self, const PenFilter *filter, PenCostGrouping grouping,
                              GError **error);

/* Writes a whole table. */
gboolean pen_query_write_cost (PenQuery *self, const PenFilter *filter, PenCostGrouping grouping,
                               PenTableWriter *writer, GError **error);

G_END_DECLS
