/* pen-query-causes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-causes.h"

#include <math.h>
#include <string.h>

#include "pen-cause-cost.h"
#include "pen-cause-counts.h"
#include "pen-cause-leaves.h"
#include "pen-cause-order.h"
#include "pen-cause-programs.h"
#include "pen-cause-tree.h"
#include "pen-compare.h"
#include "pen-table-hash.h"

static const char *const grouping_words[PEN_CAUSE_GROUPINGS] = {
  [PEN_CAUSES_BY_KEY] = "key",
  [PEN_CAUSES_BY_TASK] = "task",
  [PEN_CAUSES_BY_FUNCTION] = "function",
};

const char *
pen_cause_grouping_to_string (PenCauseGrouping grouping)
{
  g_return_val_if_fail (grouping < PEN_CAUSE_GROUPINGS, NULL);
  return grouping_words[grouping];
}

gboolean
pen_cause_grouping_from_string (const char *word, PenCauseGrouping *grouping)
{
  for (guint i = 0; i < PEN_CAUSE_GROUPINGS; i++) {
    if (g_strcmp0 (word, grouping_words[i]) == 0) {
      *grouping = i;
      return TRUE;
    }
  }
  return FALSE;
}

/* ---- building: rows in the order of causes, groups and addresses ---- */

typedef struct {
  gboolean has_task;
  gint32 pid;
  const char *comm;
} Task;

typedef struct {
  PenCauseTree *tree;
  PenCauseLeaves *leaves;
  PenCauseCounts *counts;
  PenCauseCosts *costs;
  GHashTable *task_ids; /* word → index + 1 */
  GArray *tasks;        /* Task */
  guint32 *task_of;     /* of each flip */
  GArray *numbers;      /* guint32: for counting what is distinct */
  GArray *parts;        /* PenCauseStretch: for unions */
} Build;

static void
build_clear (Build *build)
{
  g_clear_pointer (&build->leaves, pen_cause_leaves_free);
  g_clear_pointer (&build->counts, pen_cause_counts_free);
  g_clear_pointer (&build->costs, pen_cause_costs_free);
  g_clear_pointer (&build->task_ids, g_hash_table_unref);
  g_clear_pointer (&build->tasks, g_array_unref);
  g_clear_pointer (&build->numbers, g_array_unref);
  g_clear_pointer (&build->parts, g_array_unref);
  g_free (build->task_of);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

static const PenCauseGroup *
get_group (const PenCauseLeaves *leaves, const PenCauseLeaf *leaf)
{
  return &g_array_index (leaves->groups, PenCauseGroup, leaf->group);
}

static int
compare_leaves (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenCauseLeaf *x = a;
  const PenCauseLeaf *y = b;
  PenCause first = get_group (user_data, x)->cause;
  PenCause second = get_group (user_data, y)->cause;

  if (first != second)
    return PEN_COMPARE (first, second);
  if (x->group != y->group)
    return PEN_COMPARE (x->group, y->group);
  return PEN_COMPARE (x->site, y->site);
}

static PenCauseRow *
get_row (const Build *build, guint row)
{
  return &g_array_index (build->tree->found->rows, PenCauseRow, row);
}

static const PenCauseLeaf *
get_leaf (const Build *build, guint leaf)
{
  return &g_array_index (build->leaves->leaves, PenCauseLeaf, leaf);
}

static const char *
keep (const Build *build, const char *text)
{
  return text ? pen_names_add (build->tree->found->strings, text) : NULL;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return PEN_COMPARE (*(const guint32 *) a, *(const guint32 *) b);
}

/* Sorts, and leaves one of each. */
static void
make_distinct (GArray *numbers)
{
  guint n = 0;

  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++) {
    guint32 number = g_array_index (numbers, guint32, i);

    if (n == 0 || g_array_index (numbers, guint32, n - 1) != number)
      g_array_index (numbers, guint32, n++) = number;
  }
  g_array_set_size (numbers, n);
}

/* ---- who patched ---- */

static guint32
find_task (Build *build, const PenPoke *poke)
{
  g_autofree char *key = poke->has_task ? g_strdup_printf ("%d %s", poke->pid, poke->comm) : NULL;
  const char *word = key ? key : "";
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (build->task_ids, word));
  Task task = { poke->has_task, poke->pid, poke->comm };

  if (found != 0)
    return found - 1;
  g_array_append_val (build->tasks, task);
  g_hash_table_insert (build->task_ids, g_strdup (word), GUINT_TO_POINTER (build->tasks->len));
  return build->tasks->len - 1;
}

static gboolean
find_tasks (Build *build, GError **error)
{
  const GArray *flips = build->leaves->flips;

  build->task_ids = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  build->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  build->task_of = g_new (guint32, flips->len + 1);
  for (guint i = 0; i < flips->len; i++) {
    if (!pen_store_steps_on (build->leaves->query->store, i, error))
      return FALSE;
    build->task_of[i] = find_task (
        build, pen_poke_sites_get (build->leaves->sites, g_array_index (flips, guint32, i)));
  }
  return TRUE;
}

/* The task of most of the flips of leaves [@first, @end); of several, the one that came first. */
static void
tell_tasks (Build *build, guint first, guint end, PenCauseRow *row)
{
  GArray *numbers = build->numbers;
  guint most = 0;

  g_array_set_size (numbers, 0);
  for (guint i = first; i < end; i++) {
    const PenCauseLeaf *leaf = get_leaf (build, i);

    g_array_append_vals (numbers, build->task_of + leaf->first_flip, leaf->n_flips);
  }
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0, run = 0; i < numbers->len; i++) {
    guint32 number = g_array_index (numbers, guint32, i);
    const Task *task = &g_array_index (build->tasks, Task, number);

    run = i > 0 && g_array_index (numbers, guint32, i - 1) == number ? run + 1 : 1;
    row->n_tasks += run == 1 && task->has_task;
    if (run <= most)
      continue;
    most = run;
    row->has_task = task->has_task;
    row->pid = task->pid;
    row->comm = task->has_task ? keep (build, task->comm) : NULL;
  }
}

/* ---- rows ---- */

static void
tell_flips (const Build *build, guint first, guint end, PenCauseRow *row)
{
  for (guint i = first; i < end; i++) {
    const PenCauseLeaf *leaf = get_leaf (build, i);

    for (guint j = leaf->first_flip; j < leaf->first_flip + leaf->n_flips; j++) {
      const PenPoke *poke = pen_poke_sites_get (build->leaves->sites,
                                                g_array_index (build->leaves->flips, guint32, j));

      if (row->flips == 0 || poke->moment.time < row->first)
        row->first = poke->moment.time;
      row->last = MAX (row->last, poke->moment.time);
      row->flips++;
    }
  }
}

static void
tell_sites (Build *build, guint first, guint end, PenCauseRow *row)
{
  g_array_set_size (build->numbers, 0);
  for (guint i = first; i < end; i++)
    g_array_append_val (build->numbers, get_leaf (build, i)->site);
  make_distinct (build->numbers);
  row->sites = build->numbers->len;
}

/* Samples of the row's functions, in its lane; the one with most samples is the row's. */
static void
tell_samples (Build *build, guint first, guint end, PenCauseRow *row)
{
  const PenCauseStretch *lane
      = &g_array_index (build->tree->stretches, PenCauseStretch, row->first_stretch);
  guint64 most = 0;

  g_array_set_size (build->numbers, 0);
  for (guint i = first; i < end; i++) {
    if (get_leaf (build, i)->function != PEN_POKE_NO_FUNCTION)
      g_array_append_val (build->numbers, get_leaf (build, i)->function);
  }
  make_distinct (build->numbers);
  for (guint i = 0; i < build->numbers->len; i++) {
    guint32 function = g_array_index (build->numbers, guint32, i);
    guint64 amount = pen_cause_counts_get (build->counts, function);

    pen_cause_counts_add (build->counts, function, lane, row->n_stretches, row);
    if (!row->has_function || amount > most) {
      row->has_function = TRUE;
      row->function = function;
      most = amount;
    }
  }
  pen_cause_counts_finish (build->counts, lane, row->n_stretches, row);
}

/* After its samples, for the time that it is on. */
static void
tell_cost (const Build *build, guint first, guint end, PenCauseRow *row)
{
  PenDetourCount sum = { 0 };
  PenCauseCost cost;

  row->cost = PEN_CAUSE_NO_COST;
  if (!pen_cause_costs_has (build->costs, row->cause))
    return;
  for (guint i = first; i < end; i++)
    pen_cause_costs_add (build->costs, get_leaf (build, i), &sum);
  cost = pen_cause_costs_finish (build->costs, row, &sum);
  row->cost = build->tree->costs->len;
  g_array_append_val (build->tree->costs, cost);
}

/* A row that stands for leaves [@first, @end), and whose lane is there already. */
static void
finish_row (Build *build, guint first, guint end, PenCauseRow *row)
{
  tell_flips (build, first, end, row);
  tell_sites (build, first, end, row);
  tell_tasks (build, first, end, row);
  tell_samples (build, first, end, row);
  tell_cost (build, first, end, row);
}

static void
add_changes (const Build *build, const PenCauseLeaf *leaf)
{
  for (guint i = leaf->first_flip; i < leaf->first_flip + leaf->n_flips; i++) {
    guint32 flip = g_array_index (build->leaves->flips, guint32, i);

    g_array_append_val (build->tree->changes,
                        pen_poke_sites_get (build->leaves->sites, flip)->change);
  }
}

static void
name_site (const Build *build, const PenCauseLeaf *leaf, PenCauseRow *row)
{
  PenCauseLeaves *leaves = build->leaves;
  const PenPokeSites *sites = leaves->sites;
  const PenPoke *poke = pen_poke_sites_get (sites, sites->order[sites->starts[leaf->site]]);
  const PenTenure *tenure = pen_cause_names_get_tenure (leaves->names, poke->tenure);
  const PenFunction *function = pen_query_get_function (leaves->query, leaf->function);

  row->address = poke->address;
  row->kind = tenure ? tenure->kind : PEN_KIND_UNKNOWN;
  row->occupant = keep (build, tenure ? tenure->occupant : NULL);
  if (function && function->symbol && function->symbol[0] != '\0') {
    row->symbol = keep (build, function->symbol);
    row->offset
        = pen_store_get_offset (leaves->query->store, function, poke->tenure, poke->address);
  }
}

/* @words: (nullable). Returns: (nullable) */
static const char *
keep_words (const Build *build, const GPtrArray *words)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; words && i < words->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) words->pdata[i]);
  return words ? keep (build, text->str) : NULL;
}

static void
name_group (const Build *build, const PenCauseGroup *group, PenCauseRow *row)
{
  const PenFunction *function = pen_query_get_function (build->leaves->query, group->function);

  row->name = keep (build, group->name ? group->name : "");
  row->is_place = group->is_place;
  row->detail = keep_words (build, group->programs);
  row->purpose = keep_words (build, group->purposes);
  if (function) {
    row->symbol = keep (build, function->symbol);
    row->kind = function->kind;
    row->occupant = keep (build, function->occupant);
    row->address = function->start;
  }
}

/* ---- the tree, from the leaves up ---- */

/* The last leaf of a cause, or of a group, plus one. */
static guint
find_end (const Build *build, guint first, gboolean of_group)
{
  const PenCauseLeaves *leaves = build->leaves;
  const PenCauseLeaf *leaf = get_leaf (build, first);
  guint end = first;

  while (end < leaves->leaves->len
         && (of_group ? get_leaf (build, end)->group == leaf->group
                      : get_group (leaves, get_leaf (build, end))->cause
                            == get_group (leaves, leaf)->cause))
    end++;
  return end;
}

static void
add_heads (Build *build)
{
  GArray *rows = build->tree->found->rows;

  for (guint i = 0; i < build->leaves->leaves->len; i = find_end (build, i, FALSE)) {
    PenCauseRow row = { .parent = PEN_CAUSE_NO_ROW,
                        .cause = get_group (build->leaves, get_leaf (build, i))->cause };

    g_array_append_val (rows, row);
  }
  build->tree->found->n_causes = rows->len;
  for (guint i = 0, parent = 0; i < build->leaves->leaves->len; i = find_end (build, i, TRUE)) {
    const PenCauseGroup *group = get_group (build->leaves, get_leaf (build, i));
    PenCauseRow row = { .level = 1, .cause = group->cause };

    if (get_row (build, parent)->cause != group->cause)
      parent++;
    if (get_row (build, parent)->n_children++ == 0)
      get_row (build, parent)->first_child = rows->len;
    row.parent = parent;
    name_group (build, group, &row);
    g_array_append_val (rows, row);
  }
}

static gboolean
add_sites (Build *build, GError **error)
{
  GArray *rows = build->tree->found->rows;
  guint parent = build->tree->found->n_causes;
  guint first = rows->len;

  for (guint i = 0; i < build->leaves->leaves->len; i++) {
    const PenCauseLeaf *leaf = get_leaf (build, i);
    PenCauseRow row = { .level = 2, .cause = get_group (build->leaves, leaf)->cause };

    /* Judging a site's samples takes some tenth of a millisecond. */
    if (!pen_store_goes_on (build->leaves->query->store, error))
      return FALSE;
    if (i > 0 && get_leaf (build, i - 1)->group != leaf->group)
      parent++;
    if (get_row (build, parent)->n_children++ == 0)
      get_row (build, parent)->first_child = first + i;
    row.parent = parent;
    row.name = get_row (build, parent)->name;
    row.is_place = get_row (build, parent)->is_place;
    row.first_stretch = build->tree->stretches->len;
    row.n_stretches = leaf->n_stretches;
    if (leaf->n_stretches > 0)
      g_array_append_vals (
          build->tree->stretches,
          &g_array_index (build->leaves->stretches, PenCauseStretch, leaf->first_stretch),
          leaf->n_stretches);
    row.first_change = build->tree->changes->len;
    row.n_changes = leaf->n_flips;
    add_changes (build, leaf);
    name_site (build, leaf, &row);
    finish_row (build, i, i + 1, &row);
    g_array_append_val (rows, row);
  }
  return TRUE;
}

/* Lane and changes of a row: those of its children. */
static void
join_children (Build *build, PenCauseRow *row)
{
  GArray *stretches = build->tree->stretches;

  g_array_set_size (build->parts, 0);
  row->first_change = get_row (build, row->first_child)->first_change;
  for (guint i = 0; i < row->n_children; i++) {
    const PenCauseRow *child = get_row (build, row->first_child + i);

    row->n_changes += child->n_changes;
    if (child->n_stretches > 0)
      g_array_append_vals (build->parts,
                           &g_array_index (stretches, PenCauseStretch, child->first_stretch),
                           child->n_stretches);
  }
  row->first_stretch = stretches->len;
  pen_lane_append_union (stretches, build->parts);
  row->n_stretches = stretches->len - row->first_stretch;
}

/* From the sites up. */
static gboolean
finish_heads (Build *build, GError **error)
{
  PenStore *store = build->leaves->query->store;
  guint n_groups = 0;
  guint first = 0;

  for (guint i = 0; i < build->tree->found->n_causes; i++)
    n_groups += get_row (build, i)->n_children;
  for (guint i = build->tree->found->n_causes; i < build->tree->found->n_causes + n_groups; i++) {
    PenCauseRow *row = get_row (build, i);

    if (!pen_store_goes_on (store, error))
      return FALSE;
    join_children (build, row);
    finish_row (build, first, first + row->n_children, row);
    first += row->n_children;
  }
  first = 0;
  for (guint i = 0; i < build->tree->found->n_causes; i++) {
    PenCauseRow *row = get_row (build, i);
    guint end = find_end (build, first, FALSE);

    if (!pen_store_goes_on (store, error))
      return FALSE;
    join_children (build, row);
    finish_row (build, first, end, row);
    first = end;
  }
  return TRUE;
}

static gboolean
count_samples (Build *build, const PenFilter *filter, guint8 **functions, GError **error)
{
  PenQuery *query = build->leaves->query;

  *functions = g_malloc0 (query->n_functions + 1);
  for (guint i = 0; i < build->leaves->leaves->len; i++) {
    guint32 function = get_leaf (build, i)->function;

    if (function < query->n_functions)
      (*functions)[function] = 1;
  }
  build->counts = pen_cause_counts_new (query, filter, *functions, error);
  return build->counts != NULL;
}

void
pen_cause_tree_free (PenCauseTree *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->stretches, g_array_unref);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->costs, g_array_unref);
  g_clear_pointer (&self->found, pen_cause_rows_unref);
  g_free (self);
}

PenCauseTree *
pen_query_causes (PenQuery *self, const PenFilter *filter, const PenCauseOrder *order,
                  GError **error)
{
  return pen_cause_tree_new (self, filter, order, TRUE, error);
}

PenCauseTree *
pen_cause_tree_new (PenQuery *self, const PenFilter *filter, const PenCauseOrder *order,
                    gboolean has_programs, GError **error)
{
  static const PenFilter everything = { 0 };
  g_autoptr (PenCauseTree) tree = g_new0 (PenCauseTree, 1);
  g_autofree guint8 *functions = NULL;
  g_auto (Build) build = { .tree = tree };

  if (!filter)
    filter = &everything;
  tree->found = pen_cause_rows_new ();
  tree->stretches = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  tree->changes = g_array_new (FALSE, FALSE, sizeof (guint32));
  tree->costs = g_array_new (FALSE, FALSE, sizeof (PenCauseCost));
  build.leaves = pen_cause_leaves_new (self, filter, order->grouping, error);
  if (!build.leaves || !count_samples (&build, filter, &functions, error))
    return NULL;
  build.costs = pen_cause_costs_new (build.leaves, filter, error);
  if (!build.costs)
    return NULL;
  build.numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  build.parts = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  g_array_sort_with_data (build.leaves->leaves, compare_leaves, build.leaves);
  if (!find_tasks (&build, error))
    return NULL;
  add_heads (&build);
  if (!add_sites (&build, error) || !finish_heads (&build, error)
      || (has_programs && tree->found->n_causes > 0
          && !pen_cause_programs_append (self, filter, tree, error)))
    return NULL;
  pen_cause_tree_put_in_order (tree, order);
  return g_steal_pointer (&tree);
}
