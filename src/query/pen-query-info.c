/* pen-query-info.c: what was recorded, on what and when, and what could not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-better-recording.h"

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

    if (value == NULL || *value == '\0')
      continue;
    if (facts[i].unit != NULL)
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
      better->has_pokes ? "recorded" : "not recorded: patches of this capture are not known");
  pen_info_sheet_tell_text (
      sheet, "ksymbols",
      better->has_ksymbols ? "recorded"
                           : "not recorded: programs and stubs that came or went are not known");
  pen_info_sheet_tell_text (sheet, "BPF events", better->has_bpf ? "recorded" : "not recorded");
  pen_info_sheet_tell_text (sheet, "kernel bytes",
                            better->has_kcore ? "there (kcore)"
                                              : "not there: instructions are known only where "
                                                "they were patched");
  pen_info_sheet_tell_text (sheet, "kernel names",
                            better->has_kallsyms ? "there (kallsyms)"
                                                 : "not there: kernel samples have no symbol");
  pen_info_sheet_tell_text (sheet, "better recorded with", better->command);
}

/* ---- build-ids ---- */

/* Tenures of files whose build-id is known, and the kernel's own. */
typedef struct {
  GHashTable *with;
  GHashTable *without;
  char *kernel;
} BuildIds;

static gboolean
has_file (PenKind kind)
{
  return kind == PEN_KIND_KERNEL || kind == PEN_KIND_MODULE || kind == PEN_KIND_DSO;
}

static gboolean
look_at_tenure (const PenTenure *tenure, gpointer user_data)
{
  BuildIds *ids = user_data;

  if (!has_file (tenure->kind))
    return TRUE;
  g_hash_table_add (tenure->build_id_length > 0 ? ids->with : ids->without,
                    (gpointer) tenure->occupant);
  if (tenure->kind == PEN_KIND_KERNEL && tenure->build_id_length > 0 && ids->kernel == NULL) {
    GString *text = g_string_new (NULL);

    for (guint i = 0; i < tenure->build_id_length; i++)
      g_string_append_printf (text, "%02x", tenure->build_id[i]);
    ids->kernel = g_string_free (text, FALSE);
  }
  return TRUE;
}

static void
tell_build_ids (PenInfoSheet *sheet)
{
  g_autoptr (GHashTable) with = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) without = g_hash_table_new (g_str_hash, g_str_equal);
  BuildIds ids = { with, without, NULL };

  if (sheet->error == NULL
      && pen_store_foreach_tenure (sheet->query->store, TRUE, look_at_tenure, &ids,
                                   &sheet->error)) {
    pen_info_sheet_begin_group (sheet, "Build-ids", "build-ids");
    pen_info_sheet_tell_text (sheet, "kernel", ids.kernel);
    pen_info_sheet_tell_count (sheet, "files with", g_hash_table_size (with));
    pen_info_sheet_tell_count (sheet, "files without", g_hash_table_size (without));
  }
  g_free (ids.kernel);
}

/* ---- all of it ---- */

static void
tell_all (PenInfoSheet *sheet, const PenBetterRecording *better)
{
  tell_capture (sheet);
  pen_info_tell_times (sheet);
  tell_recorded (sheet, better);
  pen_info_tell_events (sheet);
  pen_info_tell_samples (sheet);
  pen_info_tell_changes (sheet);
  pen_info_tell_tenures (sheet);
  tell_build_ids (sheet);
  pen_info_tell_records (sheet);
  pen_info_tell_losses (sheet);
  pen_info_tell_problems (sheet);
}

gboolean
pen_query_write_info (PenQuery *self, PenTableWriter *writer, GError **error)
{
  g_auto (PenInfoSheet) sheet = { self, writer, NULL, NULL };
  g_autoptr (PenBetterRecording) better = NULL;

  if (!pen_query_load (self, error))
    return FALSE;
  better = pen_better_recording_new (self->store, error);
  if (better == NULL)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  tell_all (&sheet, better);
  if (sheet.error != NULL) {
    g_propagate_error (error, g_steal_pointer (&sheet.error));
    return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
