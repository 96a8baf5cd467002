/* pen-query-info.c: what was recorded, on what and when, and what could not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-better-recording.h"
#include "pen-query-info.h"

static const PenColumn columns[] = {
  { "fact", PEN_COLUMN_TEXT },
  { "value", PEN_COLUMN_TEXT },
};

/* A fact that is shown as the store has it; @unit: behind it, or NULL. */
typedef struct {
  const char *key;
  const char *name;
  const char *unit;
} PlainFact;

static void
tell_facts (PenInfoSheet *sheet, const char *heading, const PlainFact *facts, guint n)
{
  pen_info_sheet_begin_group (sheet, heading, NULL);
  for (guint i = 0; i < n; i++) {
    const char *value = pen_store_get_fact (sheet->query->store, facts[i].key);

    if (!value || *value == '\0')
      continue;
    if (facts[i].unit)
      pen_info_sheet_tell (sheet, facts[i].name, "%s %s", value, facts[i].unit);
    else
      pen_info_sheet_tell_text (sheet, facts[i].name, value);
  }
}

static void
tell_capture (PenInfoSheet *sheet)
{
  static const PlainFact capture[] = {
    { "capture", "capture", NULL },
    { "shape", "shape", NULL },
    { "size", "size", "bytes" },
    { "compression_ratio", "compressed to one part in", NULL },
    { "command_line", "command line", NULL },
    { "perf_version", "perf version", NULL },
    { "event_groups", "event groups", NULL },
  };
  static const PlainFact machine[] = {
    { "hostname", "host", NULL },
    { "osrelease", "kernel release", NULL },
    { "arch", "machine", NULL },
    { "byte_order", "byte order", NULL },
    { "cpu_description", "processor", NULL },
    { "cpu_id", "processor id", NULL },
    { "cpus_online", "CPUs online", NULL },
    { "cpus_available", "CPUs available", NULL },
    { "total_memory_kb", "memory", "kB" },
    { "pmus", "PMUs", NULL },
    { "caches", "caches", NULL },
  };

  tell_facts (sheet, "Capture", capture, G_N_ELEMENTS (capture));
  tell_facts (sheet, "Machine", machine, G_N_ELEMENTS (machine));
}

/* ---- what was recorded, and what would be better ---- */

static void
tell_recorded (PenInfoSheet *sheet, const PenBetterRecording *better)
{
  pen_info_sheet_begin_group (sheet, "Recorded", NULL);
  pen_info_sheet_tell_text (
      sheet, "text pokes",
      better->has_pokes ? "recorded"
      : better->can_have_pokes
          ? "not recorded: patches of this capture are not known"
          : "none: kernels of this machine patch themselves and write no records of it (Linux up "
            "to "
            "7.2 does on x86 only). The kernel's text is shown as it was when it was copied");
  pen_info_sheet_tell_text (
      sheet, "ksymbols",
      better->has_ksymbols ? "recorded"
                           : "not recorded: programs and stubs that came or went are not known");
  pen_info_sheet_tell_text (sheet, "BPF events", better->has_bpf ? "recorded" : "not recorded");
  pen_info_sheet_tell_text (
      sheet, "kernel bytes",
      better->has_kcore ? "there (kcore)"
      : better->has_vmlinux
          ? "there (vmlinux): not sure where the kernel rewrites itself when it starts"
          : "not there: instructions are known only where they were patched");
  pen_info_sheet_tell_text (sheet, "kernel names",
                            better->has_kallsyms  ? "there (kallsyms)"
                            : better->has_vmlinux ? "there (vmlinux)"
                                                  : "not there: kernel samples have no symbol");
  pen_info_sheet_tell_text (sheet, "better recorded with", better->command);
}

/* ---- all of it ---- */

static void
tell_all (PenInfoSheet *sheet, const PenBetterRecording *better)
{
  tell_capture (sheet);
  pen_info_tell_times (sheet);
  tell_recorded (sheet, better);
  pen_info_tell_sources (sheet);
  pen_info_tell_events (sheet);
  pen_info_tell_samples (sheet);
  pen_info_tell_changes (sheet);
  pen_info_tell_tenures (sheet);
  pen_info_tell_misattribution (sheet);
  pen_info_tell_records (sheet);
  pen_info_tell_losses (sheet);
  pen_info_tell_problems (sheet);
  pen_info_tell_build_ids (sheet);
}

static gboolean
fill_sheet (PenInfoSheet *sheet, GError **error)
{
  g_autoptr (PenBetterRecording) better = NULL;

  if (!pen_query_load (sheet->query, error))
    return FALSE;
  better = pen_better_recording_new (sheet->query->store, error);
  if (!better)
    return FALSE;
  if (sheet->writer)
    pen_table_writer_set_columns (sheet->writer, columns, G_N_ELEMENTS (columns));
  tell_all (sheet, better);
  if (!sheet->error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&sheet->error));
  return FALSE;
}

gboolean
pen_query_write_info (PenQuery *self, PenTableWriter *writer, GError **error)
{
  g_auto (PenInfoSheet) sheet = { .query = self, .writer = writer };

  return fill_sheet (&sheet, error) && pen_table_writer_finish (writer, error);
}

static void
free_fact (gpointer data)
{
  PenInfoFact *fact = data;

  g_free (fact->heading);
  g_free (fact->fact);
  g_free (fact->value);
  g_free (fact);
}

GPtrArray *
pen_query_load_info (PenQuery *self, GError **error)
{
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func (free_fact);
  g_auto (PenInfoSheet) sheet = { .query = self, .facts = facts };

  return fill_sheet (&sheet, error) ? g_steal_pointer (&facts) : NULL;
}
