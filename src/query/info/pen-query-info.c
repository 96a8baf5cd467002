/* pen-query-info.c: what was recorded, on what and when, and what could not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include <glib/gi18n-lib.h>

#include "pen-better-recording.h"
#include "pen-query-info.h"
#include "pen-store-programs.h"

static const PenColumn columns[] = {
  { "fact", PEN_COLUMN_TEXT },
  { "value", PEN_COLUMN_TEXT },
};

/* A fact whose value is shown as the store has it.
 * @format: of the value, or NULL; @is_words: it is translated */
typedef struct {
  const char *key;
  const char *name;
  const char *format;
  gboolean is_words;
} PlainFact;

static void
tell_facts (PenInfoSheet *sheet, const char *heading, const PlainFact *facts, guint n)
{
  pen_info_sheet_begin_group (sheet, heading, NULL);
  for (guint i = 0; i < n; i++) {
    const char *value = pen_store_get_fact (sheet->query->store, facts[i].key);

    if (!value || *value == '\0')
      continue;
    if (facts[i].format)
      pen_info_sheet_tell (sheet, facts[i].name, facts[i].format, value);
    else if (facts[i].is_words)
      pen_info_sheet_tell_words (sheet, facts[i].name, value);
    else
      pen_info_sheet_tell_text (sheet, facts[i].name, value);
  }
}

static void
tell_capture (PenInfoSheet *sheet)
{
  static const PlainFact capture[] = {
    { "capture", NC_ ("fact", "capture"), NULL, FALSE },
    { "shape", NC_ ("fact", "shape"), NULL, TRUE },
    { "size", NC_ ("fact", "size"), N_ ("%s bytes"), FALSE },
    { "compression_ratio", NC_ ("fact", "compressed to one part in"), NULL, FALSE },
    { "command_line", NC_ ("fact", "command line"), NULL, FALSE },
    { "perf_version", NC_ ("fact", "perf version"), NULL, FALSE },
    { "event_groups", NC_ ("fact", "event groups"), NULL, FALSE },
  };
  static const PlainFact machine[] = {
    { "hostname", NC_ ("fact", "host"), NULL, FALSE },
    { "osrelease", NC_ ("fact", "kernel release"), NULL, FALSE },
    { "arch", NC_ ("fact", "machine"), NULL, FALSE },
    { "byte_order", NC_ ("fact", "byte order"), NULL, TRUE },
    { "cpu_description", NC_ ("fact", "processor"), NULL, FALSE },
    { "cpu_id", NC_ ("fact", "processor id"), NULL, FALSE },
    { "cpus_online", NC_ ("fact", "CPUs online"), NULL, FALSE },
    { "cpus_available", NC_ ("fact", "CPUs available"), NULL, FALSE },
    { "total_memory_kb", NC_ ("fact", "memory"), N_ ("%s kB"), FALSE },
    { "pmus", NC_ ("fact", "PMUs"), NULL, FALSE },
    { "caches", NC_ ("fact", "caches"), NULL, FALSE },
  };

  tell_facts (sheet, N_ ("Recording"), capture, G_N_ELEMENTS (capture));
  tell_facts (sheet, N_ ("Machine"), machine, G_N_ELEMENTS (machine));
}

/* ---- what was recorded, and what would be better ---- */

static void
tell_recorded (PenInfoSheet *sheet, const PenBetterRecording *better)
{
  const char *pokes = better->has_pokes ? N_ ("recorded")
                      : better->can_have_pokes
                          ? N_ ("not recorded: patches in this recording are unknown")
                          : N_ ("none: kernels of this machine patch themselves and write no "
                                "records of it (Linux up to 7.2 does on x86 only). The "
                                "kernel's text is shown as it was when it was copied");
  const char *ksymbols
      = better->has_ksymbols
            ? N_ ("recorded")
            : N_ ("not recorded: programs and stubs that came or went are not known");
  const char *bytes
      = better->has_kcore ? N_ ("present (kcore)")
        : better->has_vmlinux
            ? N_ ("present (vmlinux): uncertain where the kernel rewrites itself at boot")
            : N_ ("missing: only patched instructions can be shown");
  const char *names = better->has_kallsyms  ? N_ ("present (kallsyms)")
                      : better->has_vmlinux ? N_ ("present (vmlinux)")
                                            : N_ ("missing: kernel samples have no symbol");

  pen_info_sheet_begin_group (sheet, N_ ("Recorded"), NULL);
  pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "text pokes"), pokes);
  pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "ksymbols"), ksymbols);
  pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "BPF events"),
                              better->has_bpf ? N_ ("recorded") : N_ ("not recorded"));
  pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "kernel bytes"), bytes);
  pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "kernel names"), names);
  if (!better->has_build_ids)
    pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "build IDs"),
                                N_ ("not recorded: files are matched by name and address only. "
                                    "Record with --buildid-mmap, which a pipe has, too"));
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "better recorded with"), better->command);
}

/* ---- what programs say of themselves ---- */

static void
tell_bpf_metadata (PenInfoSheet *sheet)
{
  g_autoptr (GArray) rows = NULL;

  if (sheet->error)
    return;
  rows = pen_store_load_bpf_metadata (sheet->query->store, NULL, &sheet->error);
  if (!rows || rows->len == 0)
    return;
  pen_info_sheet_begin_group (sheet, N_ ("BPF metadata"), "bpf metadata");
  for (guint i = 0; i < rows->len; i++) {
    const PenStoredBpfMetadata *row = &g_array_index (rows, PenStoredBpfMetadata, i);
    g_autofree char *text = g_strdup_printf ("%s=%s", row->key, row->value);

    pen_info_sheet_tell_data (sheet, row->program, text);
  }
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
  pen_info_tell_waits (sheet);
  pen_info_tell_witness (sheet);
  pen_info_tell_changes (sheet);
  pen_info_tell_tenures (sheet);
  pen_info_tell_misattribution (sheet);
  pen_info_tell_records (sheet);
  pen_info_tell_losses (sheet);
  pen_info_tell_problems (sheet);
  tell_bpf_metadata (sheet);
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
  sheet->domain = GETTEXT_PACKAGE;
  if (sheet->writer) {
    if (pen_table_writer_get_format (sheet->writer) != PEN_FORMAT_TABLE)
      sheet->domain = PEN_INFO_UNTRANSLATED;
    pen_table_writer_set_columns (sheet->writer, columns, G_N_ELEMENTS (columns));
  }
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

  g_free (fact->group);
  g_free (fact->heading);
  g_free (fact->key);
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
