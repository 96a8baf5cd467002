/* pen-problem-list.c: the parts of a recording that are damaged or missing, row by row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-problem-list.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-loss-words.h"
#include "pen-phrases.h"
#include "pen-store-records.h"

#include "pen-reason.h"

static const char *const group_titles[PEN_PROBLEM_GROUPS] = {
  [PEN_PROBLEMS_DAMAGE] = N_ ("Damage"),
  [PEN_PROBLEMS_LOST] = N_ ("Lost"),
  [PEN_PROBLEMS_FILTERED] = N_ ("Dropped by a BPF Filter"),
};

const char *
pen_problem_group_title (PenProblemGroup group)
{
  g_return_val_if_fail (group < PEN_PROBLEM_GROUPS, NULL);
  return _ (group_titles[group]);
}

static void
free_row (gpointer data)
{
  PenProblemRow *row = data;

  g_free (row->title);
  g_free (row->place);
  g_free (row->detail);
  g_free (row);
}

/* ---- damage ---- */

static char *
describe_action (const char *action)
{
  static const char *const words[][2] = {
    { "repaired", N_ ("Repaired") },
    { "set aside", N_ ("Set aside") },
    { "ended", N_ ("Ends here: the rest cannot be read") },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++) {
    if (g_strcmp0 (action, words[i][0]) == 0)
      return g_strdup (_ (words[i][1]));
  }
  return pen_display_text (action);
}

static char *
describe_place (const PenStoreProblem *problem)
{
  g_autofree char *file = pen_display_text (problem->file);
  g_autofree char *record = pen_display_text (problem->record);
  g_autofree char *offset = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", problem->offset);
  g_autoptr (GString) text = g_string_new (file);

  if (file[0])
    g_string_append (text, " · ");
  g_string_append_printf (text, _ ("offset %s"), offset);
  if (record[0])
    g_string_append_printf (text, " · %s", record);
  if (problem->count > 1) {
    g_autofree char *count = pen_format_count (problem->count);

    g_string_append_printf (text, _ (" · %s times"), count);
  }
  return g_strdup (text->str);
}

static void
add_damage (GPtrArray *rows, const PenStoreProblem *problem)
{
  g_autofree char *reason = pen_reason_describe (problem->reason);
  PenProblemRow *row = g_new0 (PenProblemRow, 1);

  row->group = PEN_PROBLEMS_DAMAGE;
  row->title = describe_action (problem->action);
  row->place = describe_place (problem);
  row->detail = pen_display_text (reason);
  g_ptr_array_add (rows, row);
}

/* ---- losses ---- */

/* Losses of one kind on one CPU. */
typedef struct {
  PenLoss loss; /* the first's beginning, the last's end, the counts of all */
  guint stretches;
} PenLossSum;

static int
compare_sums (gconstpointer a, gconstpointer b)
{
  const PenLossSum *x = a;
  const PenLossSum *y = b;

  if (x->loss.kind != y->loss.kind)
    return x->loss.kind < y->loss.kind ? -1 : 1;
  return (x->loss.cpu > y->loss.cpu) - (x->loss.cpu < y->loss.cpu);
}

static GArray *
sum_losses (GArray *losses)
{
  g_autoptr (GArray) each = g_array_new (FALSE, FALSE, sizeof (PenLossSum));
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (PenLossSum));

  for (guint i = 0; i < losses->len; i++) {
    PenLossSum sum = { g_array_index (losses, PenLoss, i), 1 };

    g_array_append_val (each, sum);
  }
  g_array_sort (each, compare_sums);
  for (guint i = 0; i < each->len; i++) {
    const PenLossSum *next = &g_array_index (each, PenLossSum, i);
    PenLossSum *sum = sums->len > 0 ? &g_array_index (sums, PenLossSum, sums->len - 1) : NULL;

    if (!sum || compare_sums (sum, next) != 0) {
      g_array_append_vals (sums, next, 1);
      continue;
    }
    sum->stretches++;
    sum->loss.count += next->loss.count;
    sum->loss.repeated += next->loss.repeated;
    sum->loss.from = MIN (sum->loss.from, next->loss.from);
    sum->loss.to = MAX (sum->loss.to, next->loss.to);
  }
  return sums;
}

static char *
describe_when (const PenLossSum *sum, const PenClock *clock)
{
  g_autofree char *when = pen_loss_describe_span (sum->loss.from, sum->loss.to, clock);
  g_autoptr (GString) text = g_string_new (when);

  if (sum->stretches > 1)
    g_string_append_printf (text, ngettext (", in %u stretch", ", in %u stretches", sum->stretches),
                            sum->stretches);
  if (pen_loss_is_repeated (&sum->loss)) {
    g_string_append (text, _ (". All are counted in the rows above"));
  } else if (sum->loss.repeated > 0) {
    g_autofree char *repeated = pen_format_count (sum->loss.repeated);

    g_string_append_printf (text, _ (". %s are counted in the rows above"), repeated);
  }
  return g_strdup (text->str);
}

static void
add_loss (GPtrArray *rows, const PenLossSum *sum, const PenClock *clock)
{
  const PenLoss *loss = &sum->loss;
  PenProblemRow *row = g_new0 (PenProblemRow, 1);

  row->group = loss->kind == PEN_LOSS_UNWANTED ? PEN_PROBLEMS_FILTERED : PEN_PROBLEMS_LOST;
  row->title = pen_loss_describe_amount (loss->kind, loss->cpu, loss->count);
  row->place = g_strdup ("");
  row->detail = describe_when (sum, clock);
  row->is_repeated = pen_loss_is_repeated (loss);
  row->span = (PenSpan){ MAX (loss->from, clock->span.from), MIN (loss->to, clock->span.to) };
  g_ptr_array_add (rows, row);
}

/* ---- all ---- */

GPtrArray *
pen_problem_list_new (const PenOpened *opened, const PenClock *clock)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);
  g_autoptr (GArray) sums = sum_losses (opened->outline->losses);

  for (guint i = 0; i < opened->problems->len; i++)
    add_damage (rows, g_ptr_array_index (opened->problems, i));
  for (guint unwanted = 0; unwanted <= 1; unwanted++) {
    for (guint i = 0; i < sums->len; i++) {
      const PenLossSum *sum = &g_array_index (sums, PenLossSum, i);

      if ((sum->loss.kind == PEN_LOSS_UNWANTED) == unwanted)
        add_loss (rows, sum, clock);
    }
  }
  return rows;
}

gboolean
pen_problem_list_ends_early (const PenOpened *opened)
{
  for (guint i = 0; i < opened->problems->len; i++) {
    const PenStoreProblem *problem = g_ptr_array_index (opened->problems, i);

    if (g_strcmp0 (problem->action, "ended") == 0)
      return TRUE;
  }
  return FALSE;
}

char *
pen_problem_list_describe_kept (const PenOpened *opened, const PenClock *clock)
{
  guint64 resolution = MAX (pen_span_length (clock->span) / 1000, 1);
  g_autofree char *samples = pen_phrase_samples (opened->samples, FALSE);
  g_autofree char *from = pen_clock_format_long (clock, clock->span.from, resolution);
  g_autofree char *to = pen_clock_format_long (clock, clock->span.to, resolution);

  return g_strdup_printf (_ ("%s, %s – %s"), samples, from, to);
}
