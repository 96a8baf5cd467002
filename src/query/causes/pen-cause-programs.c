/* pen-cause-programs.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-programs.h"

#include <math.h>

#include "pen-cause-counts.h"
#include "pen-cause-lanes.h"
#include "pen-cause-order.h"
#include "pen-poisson.h"
#include "pen-store-callchains.h"

typedef struct {
  PenQuery *query;
  PenCauseTree *tree;
  const PenCostTable *table;
  GArray *parts; /* PenCauseStretch: for unions */
} Build;

static const PenCostRow *
get_load (const Build *build, guint load)
{
  return &g_array_index (build->table->rows, PenCostRow, load);
}

static PenCauseRow *
get_row (const Build *build, guint row)
{
  return &g_array_index (build->tree->found->rows, PenCauseRow, row);
}

static const char *
keep (const Build *build, const char *text)
{
  return pen_names_add (build->tree->found->strings, text);
}

/* ---- rates ---- */

/* A row whose lane is there already. */
static void
count (const Build *build, PenStackCount found, PenCauseRow *row)
{
  PenStackCount all = build->table->total;
  PenAmount amount = pen_amount (build->query, found.samples, found.period);
  PenAmount total = pen_amount (build->query, all.samples, all.period);
  PenCauseCost cost = { .parts[PEN_COST_PROGRAM] = pen_amount_get (amount),
                        .elsewhere.population = amount.population };

  for (guint i = 0; i < row->n_stretches; i++) {
    const PenCauseStretch *stretch
        = &g_array_index (build->tree->stretches, PenCauseStretch, row->first_stretch + i);

    row->on_seconds += (double) (stretch->to - stretch->from) / 1e9;
  }
  row->on = (PenCauseRate){ .amount = amount, .seconds = row->on_seconds };
  row->off.amount.population = amount.population;
  pen_cause_rate_finish (&row->on);
  row->off.rate = row->off.low = row->off.high = NAN;
  cost.while_on = row->on;
  cost.share = pen_amount_get (total) > 0
                   ? (double) pen_amount_get (amount) / (double) pen_amount_get (total)
                   : NAN;
  row->cost = build->tree->costs->len;
  g_array_append_val (build->tree->costs, cost);
}

static PenVerdict
judge (const PenRateTest *test)
{
  if (isnan (test->p))
    return PEN_VERDICT_UNKNOWN;
  if (!(test->p < PEN_POISSON_ALPHA))
    return PEN_VERDICT_ALIKE;
  return test->ratio > 1 ? PEN_VERDICT_MORE : PEN_VERDICT_LESS;
}

/* ---- rows ---- */

static PenCauseRow
make_row (guint level, guint parent, const char *name)
{
  PenCauseRow row = { .level = level,
                      .parent = parent,
                      .cause = PEN_CAUSE_BPF,
                      .is_program = TRUE,
                      .name = name,
                      .verdict = PEN_VERDICT_UNKNOWN,
                      .test = { NAN, NAN, NAN, NAN } };

  return row;
}

static void
add_load (Build *build, guint load, guint parent)
{
  const PenCostRow *found = get_load (build, load);
  g_autofree char *symbol
      = found->bpf_id != 0
            ? g_strdup_printf ("%s (id %u)", found->name ? found->name : "", found->bpf_id)
            : g_strdup (found->name ? found->name : "");
  PenCauseRow row = make_row (2, parent, get_row (build, parent)->name);
  PenCauseStretch stretch = { found->from, found->to, PEN_CAUSE_ON };

  row.symbol = keep (build, symbol);
  row.detail = found->metadata && found->metadata[0] != '\0' ? keep (build, found->metadata) : NULL;
  row.address = found->tenure;
  row.has_function = found->function != G_MAXUINT32;
  row.function = row.has_function ? found->function : 0;
  row.kind = PEN_KIND_BPF;
  row.test = found->test;
  row.verdict = judge (&found->test);
  row.first_stretch = build->tree->stretches->len;
  pen_lane_append (build->tree->stretches, row.first_stretch, stretch);
  row.n_stretches = build->tree->stretches->len - row.first_stretch;
  count (build, found->count, &row);
  g_array_append_val (build->tree->found->rows, row);
}

/* The lane of a row, of those of the rows [@first, @first + @n). */
static void
join_lanes (Build *build, guint first, guint n, PenCauseRow *row)
{
  GArray *stretches = build->tree->stretches;

  g_array_set_size (build->parts, 0);
  for (guint i = first; i < first + n; i++) {
    const PenCauseRow *child = get_row (build, i);

    if (child->n_stretches > 0)
      g_array_append_vals (build->parts,
                           &g_array_index (stretches, PenCauseStretch, child->first_stretch),
                           child->n_stretches);
  }
  row->first_stretch = stretches->len;
  pen_lane_append_union (stretches, build->parts);
  row->n_stretches = stretches->len - row->first_stretch;
}

/* Loads of one name stand together. Returns: how many, from @first on */
static guint
count_loads (const Build *build, guint first)
{
  guint n = 1;

  while (first + n < build->table->rows->len
         && g_strcmp0 (get_load (build, first)->name, get_load (build, first + n)->name) == 0)
    n++;
  return n;
}

static void
add_rows (Build *build)
{
  GArray *rows = build->tree->found->rows;
  guint head = rows->len;
  guint n_names = 0;
  PenCauseRow row = make_row (0, PEN_CAUSE_NO_ROW, NULL);

  g_array_append_val (rows, row);
  for (guint load = 0; load < build->table->rows->len; load += count_loads (build, load)) {
    const char *name = get_load (build, load)->name;

    row = make_row (1, head, keep (build, name ? name : ""));
    row.kind = PEN_KIND_BPF;
    g_array_append_val (rows, row);
    n_names++;
  }
  for (guint load = 0, parent = head + 1; load < build->table->rows->len; parent++) {
    guint n = count_loads (build, load);
    guint first = rows->len;
    PenStackCount sum = { 0 };

    for (guint i = load; i < load + n; i++) {
      add_load (build, i, parent);
      sum.samples += get_load (build, i)->count.samples;
      sum.period += get_load (build, i)->count.period;
    }
    get_row (build, parent)->first_child = first;
    get_row (build, parent)->n_children = n;
    join_lanes (build, first, n, get_row (build, parent));
    count (build, sum, get_row (build, parent));
    load += n;
  }
  get_row (build, head)->first_child = head + 1;
  get_row (build, head)->n_children = n_names;
  join_lanes (build, head + 1, n_names, get_row (build, head));
  count (build, build->table->detours, get_row (build, head));
}

gboolean
pen_cause_programs_append (PenQuery *query, const PenFilter *filter, PenCauseTree *tree,
                           GError **error)
{
  g_autoptr (PenCostTable) table = NULL;
  g_autoptr (GArray) parts = NULL;
  Build build = { .tree = tree, .query = query };

  if (pen_store_count_chains (query->store) == 0)
    return TRUE;
  table = pen_query_cost (query, filter, PEN_COST_BY_PROGRAM, error);
  if (!table)
    return FALSE;
  if (table->detours.samples == 0)
    return TRUE;
  build.table = table;
  build.parts = parts = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  tree->found->has_programs = TRUE;
  tree->found->programs = tree->found->rows->len;
  add_rows (&build);
  return TRUE;
}
