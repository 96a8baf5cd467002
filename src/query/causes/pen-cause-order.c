/* pen-cause-order.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-order.h"

#include <math.h>
#include <string.h>

#include "pen-compare.h"
#include "pen-display.h"

/* ---- order ---- */

static double
get_amount (const PenCauseRate *side)
{
  return (double) pen_amount_get (side->amount);
}

/* @value, unless its side has no time and so no rate. */
static double
get_of_side (const PenCauseRate *side, double value)
{
  return isfinite (side->rate) ? value : NAN;
}

/* The key of a row for sorting, as a number; NAN where there is none, and nothing is shown. */
static double
get_number (const PenCauseTree *tree, const PenCauseRow *row, PenCauseSort sort)
{
  const PenCauseCost *cost;

  switch (sort) {
  case PEN_CAUSE_SORT_SITES:
    return row->sites;
  case PEN_CAUSE_SORT_ON:
    return row->on_seconds > 0 ? row->on_seconds : NAN;
  case PEN_CAUSE_SORT_SAMPLES_ON:
    return get_of_side (&row->on, get_amount (&row->on));
  case PEN_CAUSE_SORT_RATE_ON:
    return get_of_side (&row->on, row->on.rate);
  case PEN_CAUSE_SORT_SAMPLES_OFF:
    return get_of_side (&row->off, get_amount (&row->off));
  case PEN_CAUSE_SORT_RATE_OFF:
    return get_of_side (&row->off, row->off.rate);
  case PEN_CAUSE_SORT_RATIO:
    return row->on.amount.n + row->off.amount.n > 0 ? row->test.ratio : NAN;
  case PEN_CAUSE_SORT_FIRST:
    return row->flips > 0 ? -(double) row->first : NAN;
  case PEN_CAUSE_SORT_COST:
    cost = pen_cause_tree_get_cost (tree, row);
    return cost ? get_amount (&cost->while_on) : NAN;
  default:
    return (double) row->flips;
  }
}

static int
compare_names (const PenCauseRow *x, const PenCauseRow *y)
{
  int order = g_strcmp0 (x->level == 2 ? x->symbol : x->name, y->level == 2 ? y->symbol : y->name);

  return order != 0 ? order : PEN_COMPARE (x->offset, y->offset);
}

static int
compare_tasks (const PenCauseRow *x, const PenCauseRow *y)
{
  int order = g_strcmp0 (x->comm, y->comm);

  return order != 0 ? order : PEN_COMPARE (x->pid, y->pid);
}

/* Rows without a task, or a number, come last. @has_order: (out): they do whichever the order */
static int
compare_by (const PenCauseTree *tree, const PenCauseRow *x, const PenCauseRow *y, PenCauseSort sort,
            gboolean *is_last)
{
  double first;
  double second;

  *is_last = FALSE;
  if (sort == PEN_CAUSE_SORT_NAME)
    return x->level == 0 ? PEN_COMPARE (x->cause, y->cause) : compare_names (x, y);
  if (sort == PEN_CAUSE_SORT_TASK) {
    *is_last = x->has_task != y->has_task;
    return *is_last ? PEN_COMPARE (y->has_task, x->has_task) : compare_tasks (x, y);
  }
  first = get_number (tree, x, sort);
  second = get_number (tree, y, sort);
  *is_last = isnan (first) != 0 || isnan (second) != 0;
  if (*is_last)
    return PEN_COMPARE (isnan (first) != 0, isnan (second) != 0);
  return PEN_COMPARE (second, first);
}

typedef struct {
  const PenCauseTree *tree;
  const PenCauseOrder *order;
} Sorting;

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Sorting *sorting = user_data;
  guint i = *(const guint *) a;
  guint j = *(const guint *) b;
  const PenCauseRow *x = pen_cause_tree_get (sorting->tree, i);
  const PenCauseRow *y = pen_cause_tree_get (sorting->tree, j);
  gboolean is_last;
  int order = compare_by (sorting->tree, x, y, sorting->order->sort, &is_last);

  if (order != 0)
    return sorting->order->is_reversed && !is_last ? -order : order;
  if (x->flips != y->flips)
    return PEN_COMPARE (y->flips, x->flips);
  /* As they were: by cause, first appearance, address. */
  return PEN_COMPARE (i, j);
}

/* ---- search ---- */

static gboolean
holds (const char *text, const char *wanted)
{
  g_autofree char *shown = NULL;
  g_autofree char *folded = NULL;

  if (!text)
    return FALSE;
  shown = pen_display_text (text);
  folded = g_utf8_casefold (shown, -1);
  return strstr (folded, wanted) != NULL;
}

static gboolean
matches (const PenCauseRow *row, const char *wanted)
{
  g_autofree char *cause = g_strdelimit (g_strdup (pen_cause_to_string (row->cause)), "-", ' ');
  g_autofree char *place = NULL;

  if (row->is_program && row->level == 0)
    return holds ("bpf programs", wanted);
  if (row->level == 0)
    return holds (cause, wanted) || holds (pen_cause_to_string (row->cause), wanted);
  if (holds (row->comm, wanted) || holds (row->occupant, wanted))
    return TRUE;
  if (row->level == 1 || row->is_program)
    return holds (row->name, wanted) || holds (row->symbol, wanted) || holds (row->detail, wanted)
           || holds (row->purpose, wanted);
  place = row->symbol ? g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x 0x%" G_GINT64_MODIFIER "x",
                                         row->symbol, row->offset, row->address)
                      : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->address);
  return holds (place, wanted);
}

/* Returns: (nullable): one byte for each row: it, a row above, or one below is searched for */
static guint8 *
find_kept (const PenCauseTree *tree, const char *search)
{
  g_autofree char *shown = search && search[0] != '\0' ? pen_display_text (search) : NULL;
  g_autofree char *wanted = shown ? g_utf8_casefold (shown, -1) : NULL;
  guint8 *kept;

  if (!wanted)
    return NULL;
  kept = g_malloc0 (tree->rows->len + 1);
  /* Rows above come first. */
  for (guint i = 0; i < tree->rows->len; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);

    kept[i] = (row->level > 0 && kept[row->parent]) || matches (row, wanted);
  }
  for (guint i = tree->rows->len; i-- > 0;) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);

    if (row->level > 0 && kept[i])
      kept[row->parent] = 1;
  }
  return kept;
}

/* ---- all ---- */

PenCauseRows *
pen_cause_rows_new (void)
{
  PenCauseRows *self = g_atomic_rc_box_new0 (PenCauseRows);

  self->rows = g_array_new (FALSE, FALSE, sizeof (PenCauseRow));
  self->strings = pen_names_new ();
  return self;
}

static void
clear_rows (gpointer data)
{
  PenCauseRows *self = data;

  g_array_unref (self->rows);
  pen_names_free (self->strings);
}

void
pen_cause_rows_unref (PenCauseRows *self)
{
  g_atomic_rc_box_release_full (self, clear_rows);
}

/* Appends rows [@first, @first + @n) of the tree to @rows, in order. Returns: how many */
static guint
append_sorted (const Sorting *sorting, const guint8 *kept, guint first, guint n, guint parent,
               GArray *rows)
{
  g_autofree guint *indexes = g_new (guint, n + 1);
  guint n_kept = 0;

  for (guint i = 0; i < n; i++) {
    if (!kept || kept[first + i])
      indexes[n_kept++] = first + i;
  }
  g_qsort_with_data (indexes, (gint) n_kept, sizeof *indexes, compare_rows, (gpointer) sorting);
  for (guint i = 0; i < n_kept; i++) {
    PenCauseRow row = *pen_cause_tree_get (sorting->tree, indexes[i]);

    row.parent = parent;
    g_array_append_val (rows, row);
  }
  return n_kept;
}

void
pen_cause_tree_put_in_order (PenCauseTree *tree, const PenCauseOrder *order)
{
  g_autofree guint8 *kept = NULL;
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (PenCauseRow), tree->found->rows->len);
  Sorting sorting = { tree, order };

  tree->rows = g_array_ref (tree->found->rows);
  tree->n_causes = tree->found->n_causes;
  kept = find_kept (tree, order->search);
  tree->n_causes = append_sorted (&sorting, kept, 0, tree->n_causes, PEN_CAUSE_NO_ROW, rows);
  tree->has_programs
      = tree->found->has_programs
        && append_sorted (&sorting, kept, tree->found->programs, 1, PEN_CAUSE_NO_ROW, rows) > 0;
  for (guint i = 0; i < rows->len; i++) {
    PenCauseRow row = g_array_index (rows, PenCauseRow, i);
    guint first = rows->len;
    guint n = append_sorted (&sorting, kept, row.first_child, row.n_children, i, rows);

    g_array_index (rows, PenCauseRow, i).first_child = first;
    g_array_index (rows, PenCauseRow, i).n_children = n;
  }
  g_array_unref (tree->rows);
  tree->rows = rows;
}

PenCauseTree *
pen_cause_tree_reorder (const PenCauseTree *self, const PenCauseOrder *order)
{
  PenCauseTree *tree = g_new0 (PenCauseTree, 1);

  tree->found = g_atomic_rc_box_acquire (self->found);
  tree->stretches = g_array_ref (self->stretches);
  tree->changes = g_array_ref (self->changes);
  tree->costs = g_array_ref (self->costs);
  pen_cause_tree_put_in_order (tree, order);
  return tree;
}
