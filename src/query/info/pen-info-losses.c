/* pen-info-losses.c: what is missing, and what was not as it should be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include <glib/gi18n-lib.h>

#include "pen-lost-count.h"
#include "pen-problem-count.h"
#include "pen-store-records.h"

#include "pen-reason.h"

/* ---- losses ---- */

/* Losses of one kind on one CPU. */
typedef struct {
  PenLossKind kind;
  guint32 cpu;
  guint64 stretches;
  guint64 count;
  guint64 from;
  guint64 to;
} LossSum;

static int
compare_sums (gconstpointer a, gconstpointer b)
{
  const LossSum *x = a;
  const LossSum *y = b;

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static LossSum
loss_sum_from (const PenLoss *loss)
{
  return (LossSum){ loss->kind, loss->cpu, 1, loss->count, loss->from, loss->to };
}

/* Returns: (element-type LossSum): by kind and CPU */
static GArray *
sum_losses (GArray *losses)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (LossSum));
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (LossSum));

  for (guint i = 0; i < losses->len; i++) {
    LossSum row = loss_sum_from (&g_array_index (losses, PenLoss, i));

    g_array_append_val (rows, row);
  }
  g_array_sort (rows, compare_sums);
  for (guint i = 0; i < rows->len; i++) {
    const LossSum *row = &g_array_index (rows, LossSum, i);
    LossSum *sum = sums->len > 0 ? &g_array_index (sums, LossSum, sums->len - 1) : NULL;

    if (!sum || compare_sums (sum, row) != 0) {
      g_array_append_vals (sums, row, 1);
      continue;
    }
    sum->stretches++;
    sum->count += row->count;
    sum->from = MIN (sum->from, row->from);
    sum->to = MAX (sum->to, row->to);
  }
  return sums;
}

static void
tell_sum (PenInfoSheet *sheet, const LossSum *sum)
{
  g_autofree char *kind = pen_info_sheet_dup_words (sheet, pen_loss_kind_to_string (sum->kind));
  g_autofree char *fact
      = sum->cpu == G_MAXUINT32
            ? g_strdup (kind)
            : g_strdup_printf (g_dgettext (sheet->domain, N_ ("%s, CPU %u")), kind, sum->cpu);
  g_autofree char *from = pen_info_format_seconds (sum->from);
  g_autofree char *to = pen_info_format_seconds (sum->to);
  g_autofree char *n = g_strdup_printf ("%" G_GUINT64_FORMAT, sum->stretches);
  g_autofree char *stretches = g_strdup_printf (
      g_dngettext (sheet->domain, "%s stretch, %s – %s", "%s stretches, %s – %s", sum->stretches),
      n, from, to);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, sum->count);
  /* a count, and the stretches of time that it is of */
  g_autofree char *text
      = sum->count == 0
            ? g_strdup (stretches)
            : g_strdup_printf (g_dgettext (sheet->domain, N_ ("%s in %s")), count, stretches);

  pen_info_sheet_tell_data (sheet, fact, text);
}

static void
tell_if_any (PenInfoSheet *sheet, const char *fact, const char *key)
{
  guint64 count = pen_info_sheet_get_count (sheet, key);

  if (count > 0)
    pen_info_sheet_tell_count (sheet, fact, count);
}

static void
tell_lost (PenInfoSheet *sheet)
{
  PenLostCount count;

  if (!pen_lost_count_load (sheet->query->store, &count, &sheet->error))
    return;
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "records or samples"), count.lost);
  if (count.repeated > 0) {
    g_autofree char *records = g_strdup_printf ("%" G_GUINT64_FORMAT, count.records);
    g_autofree char *samples = g_strdup_printf ("%" G_GUINT64_FORMAT, count.samples);
    g_autofree char *repeated = g_strdup_printf ("%" G_GUINT64_FORMAT, count.repeated);

    pen_info_sheet_tell (sheet, NC_ ("fact", "as told"),
                         N_ ("%s when it happened, %s by event; %s are in both"), records, samples,
                         repeated);
  }
  if (count.unwanted > 0) {
    g_autofree char *unwanted = g_strdup_printf ("%" G_GUINT64_FORMAT, count.unwanted);

    pen_info_sheet_tell (sheet, NC_ ("fact", "dropped by a filter"), N_ ("%s, as was wanted"),
                         unwanted);
  }
}

void
pen_info_tell_losses (PenInfoSheet *sheet)
{
  g_autoptr (GArray) losses = NULL;
  g_autoptr (GArray) sums = NULL;

  pen_info_sheet_begin_group (sheet, N_ ("Lost"), "lost");
  if (sheet->error)
    return;
  losses = pen_store_load_losses (sheet->query->store, &sheet->error);
  if (!losses)
    return;
  tell_lost (sheet);
  sums = sum_losses (losses);
  tell_if_any (sheet, NC_ ("fact", "callchains not kept"), "callchains_dropped");
  tell_if_any (sheet, NC_ ("fact", "callchains without their user half"), "callchains_unjoined");
  for (guint i = 0; i < sums->len; i++)
    tell_sum (sheet, &g_array_index (sums, LossSum, i));
}

/* ---- problems ---- */

static void
tell_problem (PenInfoSheet *sheet, const PenStoreProblem *problem)
{
  g_autofree char *reason = pen_reason_describe_in (sheet->domain, problem->reason);
  g_autofree char *action = pen_info_sheet_dup_words (sheet, problem->action);
  g_autofree char *offset = g_strdup_printf ("%" G_GINT64_MODIFIER "x", problem->offset);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, problem->count);
  g_autoptr (GString) text = g_string_new (NULL);

  if (problem->file && *problem->file != '\0')
    g_string_append_printf (text, "%s, ", problem->file);
  g_string_append_printf (text, g_dgettext (sheet->domain, N_ ("offset 0x%s")), offset);
  if (problem->record)
    g_string_append_printf (text, ", %s", problem->record);
  if (problem->count > 1)
    g_string_append_printf (text, g_dgettext (sheet->domain, N_ (", %s alike")), count);
  g_string_append_printf (text, ": %s", reason);
  pen_info_sheet_tell_data (sheet, action, text->str);
}

void
pen_info_tell_problems (PenInfoSheet *sheet)
{
  g_autoptr (GPtrArray) problems = NULL;
  PenProblemCount count = { 0 };

  pen_info_sheet_begin_group (sheet, N_ ("Damage"), NULL);
  if (sheet->error)
    return;
  problems = pen_store_load_problems (sheet->query->store, &sheet->error);
  if (!problems)
    return;
  pen_problem_count_add (&count, problems);
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "records repaired"), count.repaired);
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "records set aside"), count.set_aside);
  for (guint i = 0; i < problems->len; i++)
    tell_problem (sheet, problems->pdata[i]);
}
