/* pen-info-contents.c: counts of what was recorded, and what it came to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-query-cells.h"
#include "pen-query-misattribution.h"
#include "pen-store-changes.h"
#include "pen-store-occupants.h"
#include "pen-store-records.h"
#include "pen-witness-count.h"

/* ---- records ---- */

/* perf counts its own records under shorter names than the ones that they have. A type that has
 * no name is shown by its number. */
static char *
name_records (PenInfoSheet *sheet, const PenRecordCount *count)
{
  static const char prefix[] = "HEADER_";

  if (g_str_equal (count->name, "unknown"))
    return g_strdup_printf (g_dgettext (sheet->domain, N_ ("type %u")), count->type);
  return g_strdup (g_str_has_prefix (count->name, prefix) ? count->name + strlen (prefix)
                                                          : count->name);
}

void
pen_info_tell_records (PenInfoSheet *sheet)
{
  g_autoptr (GPtrArray) counts = NULL;
  guint64 total = 0;

  pen_info_sheet_begin_group (sheet, N_ ("Records"), "records");
  if (sheet->error)
    return;
  counts = pen_store_load_record_counts (sheet->query->store, &sheet->error);
  for (guint i = 0; counts && i < counts->len; i++) {
    const PenRecordCount *count = counts->pdata[i];
    g_autofree char *name = name_records (sheet, count);

    pen_info_sheet_tell_data_count (sheet, name, count->records);
    total += count->records;
  }
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "TOTAL"), total);
}

/* ---- samples ---- */

void
pen_info_tell_samples (PenInfoSheet *sheet)
{
  guint64 counts[PEN_KINDS] = { 0 };
  guint64 total = 0;

  for (guint i = 0; i < sheet->query->n_functions; i++) {
    const PenFunction *function = &sheet->query->functions[i];

    counts[MIN (function->kind, PEN_KINDS - 1)] += function->samples;
    total += function->samples;
  }
  pen_info_sheet_begin_group (sheet, N_ ("Samples"), "samples");
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "total"), total);
  for (guint kind = 0; kind < PEN_KINDS; kind++) {
    if (counts[kind] > 0)
      pen_info_sheet_tell_word_count (sheet, pen_kind_to_string (kind), counts[kind]);
  }
}

/* ---- time off CPU ---- */

static void
tell_seconds (PenInfoSheet *sheet, const char *fact, const char *key)
{
  g_autofree char *seconds = pen_info_format_seconds (pen_info_sheet_get_count (sheet, key));

  pen_info_sheet_tell (sheet, fact, N_ ("%s s"), seconds);
}

/* Nothing where the recording says nothing about it. */
void
pen_info_tell_waits (PenInfoSheet *sheet)
{
  const char *source = pen_store_get_fact (sheet->query->store, "wait_source");
  guint64 left_out = pen_info_sheet_get_count (sheet, "switches_left_out");

  if (!source)
    return;
  pen_info_sheet_begin_group (sheet, N_ ("Time off CPU"), "off-cpu");
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "source"), source);
  tell_seconds (sheet, NC_ ("fact", "waiting"), "off_cpu_ns");
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "waits"),
                             pen_info_sheet_get_count (sheet, "waits"));
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "waits without a recorded end"),
                             pen_info_sheet_get_count (sheet, "waits_open"));
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "waits across a loss"),
                             pen_info_sheet_get_count (sheet, "waits_cut"));
  tell_seconds (sheet, NC_ ("fact", "preempted"), "preempted_ns");
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "times preempted"),
                             pen_info_sheet_get_count (sheet, "preempted"));
  if (left_out > 0)
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "switches left out"), left_out);
}

void
pen_info_tell_witness (PenInfoSheet *sheet)
{
  const PenWitnessCount count = pen_witness_count_load (sheet->query->store);
  g_autofree char *some = g_strdup_printf ("%" G_GUINT64_FORMAT, count.agree);
  g_autofree char *all = g_strdup_printf ("%" G_GUINT64_FORMAT, count.agree + count.differ);
  g_autofree char *changes = g_strdup_printf ("%" G_GUINT64_FORMAT, count.unannounced);
  g_autofree char *unheld = g_strdup_printf ("%" G_GUINT64_FORMAT, count.unheld);

  if (count.readings == 0)
    return;
  pen_info_sheet_begin_group (sheet, N_ ("Witness"), "witness");
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "readings"), count.readings);
  pen_info_sheet_tell (sheet, NC_ ("fact", "agreement"),
                       N_ ("%s of %s samples agree with what the kernel saw"), some, all);
  if (count.told > 0)
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "samples whose text only it knows"), count.told);
  if (count.unread > 0)
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "kernel samples without a reading"),
                               count.unread);
  if (count.lost > 0)
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "readings lost"), count.lost);
  if (count.lost > 0 || count.are_counters_missing)
    pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "holding"),
                                N_ ("each reading holds at its own time only: readings were lost, "
                                    "or the recorder was killed before it wrote its counters"));
  if (count.unannounced > 0)
    pen_info_sheet_tell (
        sheet, NC_ ("fact", "unannounced changes"),
        N_ ("%s: text changed without a record. See “changes --cause unannounced”: "
            "a module that came unseen, a debugger, or something that hides"),
        changes);
  if (count.unheld > 0)
    pen_info_sheet_tell (sheet, NC_ ("fact", "changes of unknown text"),
                         N_ ("%s: no record says whose text it is; probably another module came to "
                             "the same place. See “changes --cause unannounced”"),
                         unheld);
}

static void
tell_part (PenInfoSheet *sheet, const char *fact, guint64 samples, guint64 of)
{
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, samples);

  pen_info_sheet_tell (sheet, fact, N_ ("%s (%.2f %%)"), count,
                       100 * (double) samples / (double) MAX (of, 1));
}

void
pen_info_tell_misattribution (PenInfoSheet *sheet)
{
  g_autoptr (PenMisattribution) all = NULL;

  pen_info_sheet_begin_group (sheet, N_ ("Misattributed by perf annotate"), "misattribution");
  if (sheet->error)
    return;
  all = pen_query_misattribution (sheet->query, NULL, &sheet->error);
  if (!all)
    return;
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "kernel samples"), all->kernel_samples);
  if (all->is_known) {
    tell_part (sheet, NC_ ("fact", "in text that differed"), all->samples, all->kernel_samples);
    tell_part (sheet, NC_ ("fact", "on instructions that differed"), all->on_changed,
               all->kernel_samples);
  } else {
    pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "in text that differed"),
                                N_ ("not known: text pokes were not recorded"));
  }
  tell_part (sheet, NC_ ("fact", "in text that perf does not show"), all->no_text,
             all->kernel_samples);
}

/* ---- changes ---- */

typedef struct {
  guint64 maps;
  guint64 registers;
  guint64 unregisters;
  guint64 effects[PEN_POKE_EFFECTS];
  guint64 causes[PEN_CAUSES];
} ChangeCounts;

static gboolean
count_change (const PenChange *change, gpointer user_data)
{
  ChangeCounts *counts = user_data;

  if (change->poke != 0) {
    counts->effects[MIN (change->effect, PEN_POKE_EFFECTS - 1)]++;
    if (change->effect == PEN_POKE_PATCH)
      counts->causes[MIN (change->cause, PEN_CAUSES - 1)]++;
  } else if (g_str_equal (change->change, "register")) {
    counts->registers++;
  } else if (g_str_equal (change->change, "unregister")) {
    counts->unregisters++;
  } else {
    counts->maps++;
  }
  return TRUE;
}

static void
tell_pokes (PenInfoSheet *sheet, const ChangeCounts *counts)
{
  pen_info_sheet_begin_group (sheet, N_ ("Pokes"), "pokes");
  for (guint effect = 0; effect < PEN_POKE_EFFECTS; effect++) {
    if (counts->effects[effect] > 0 || effect == PEN_POKE_PATCH)
      pen_info_sheet_tell_word_count (sheet, pen_poke_effect_to_string (effect),
                                      counts->effects[effect]);
  }
  pen_info_sheet_begin_group (sheet, N_ ("Patches"), "patches");
  for (guint cause = 0; cause < PEN_CAUSES; cause++) {
    if (counts->causes[cause] > 0)
      pen_info_sheet_tell_word_count (sheet, pen_cause_to_string (cause), counts->causes[cause]);
  }
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "chain breaks"),
                             pen_info_sheet_get_count (sheet, "chain_breaks"));
  if (pen_info_sheet_get_count (sheet, "chain_breaks") > 0)
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "chain breaks after a loss"),
                               pen_info_sheet_get_count (sheet, "chain_breaks_explained"));
  if (pen_info_sheet_get_count (sheet, "changed_early") > 0)
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "changed between the copy and the start"),
                               pen_info_sheet_get_count (sheet, "changed_early"));
}

void
pen_info_tell_changes (PenInfoSheet *sheet)
{
  ChangeCounts counts = { 0 };

  if (sheet->error
      || !pen_store_foreach_change (sheet->query->store, count_change, &counts, &sheet->error))
    return;
  pen_info_sheet_begin_group (sheet, N_ ("Changes"), "changes");
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "map"), counts.maps);
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "register"), counts.registers);
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "unregister"), counts.unregisters);
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "register ignored (length 0)"),
                             pen_info_sheet_get_count (sheet, "ksymbols_ignored"));
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "register seen twice"),
                             pen_info_sheet_get_count (sheet, "ksymbols_repeated"));
  tell_pokes (sheet, &counts);
}

/* ---- tenures ---- */

typedef struct {
  guint64 grades[PEN_EVIDENCES];
  guint64 unverified;
} TenureCounts;

static gboolean
count_tenure (const PenTenure *tenure, gpointer user_data)
{
  TenureCounts *counts = user_data;

  counts->grades[MIN (tenure->evidence, PEN_EVIDENCES - 1)]++;
  counts->unverified += pen_query_is_unverified (tenure, tenure->to);
  return TRUE;
}

void
pen_info_tell_tenures (PenInfoSheet *sheet)
{
  TenureCounts counts = { { 0 }, 0 };

  if (sheet->error
      || !pen_store_foreach_tenure (sheet->query->store, TRUE, count_tenure, &counts,
                                    &sheet->error))
    return;
  pen_info_sheet_begin_group (sheet, N_ ("Tenures, by evidence"), "tenures");
  for (guint grade = PEN_EVIDENCES; grade > 0; grade--) {
    if (counts.grades[grade - 1] > 0)
      pen_info_sheet_tell_data_count (
          sheet, g_dpgettext2 (sheet->domain, "evidence", pen_evidence_to_string (grade - 1)),
          counts.grades[grade - 1]);
  }
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "unverified after a loss"), counts.unverified);
}
