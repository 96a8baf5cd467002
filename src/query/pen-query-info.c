/* pen-query-info.c: what was recorded, on what and when, and what could not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-better-recording.h"
#include "pen-lost-count.h"

static const PenColumn columns[] = {
  { "fact", PEN_COLUMN_TEXT },
  { "value", PEN_COLUMN_TEXT },
};

/* Facts that are shown as the store has them, in this order. */
static const struct {
  const char *key;
  const char *name;
} plain_facts[] = {
  { "capture", "capture" },
  { "shape", "shape" },
  { "hostname", "host" },
  { "osrelease", "kernel release" },
  { "arch", "machine" },
  { "cpu_description", "processor" },
  { "cpus_online", "CPUs online" },
  { "cpus_available", "CPUs available" },
  { "command_line", "command line" },
  { "perf_version", "perf version" },
};

typedef struct {
  PenQuery *query;
  PenTableWriter *writer;
  GError *error;
} InfoSheet;

static gboolean tell (InfoSheet *sheet, const char *fact, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns: FALSE when the writer refused; @sheet has the error. */
static gboolean
tell (InfoSheet *sheet, const char *fact, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list values;

  if (sheet->error != NULL)
    return FALSE;
  va_start (values, format);
  value = g_strdup_vprintf (format, values);
  va_end (values);
  pen_table_writer_text (sheet->writer, fact);
  pen_table_writer_text (sheet->writer, value);
  return pen_table_writer_end_row (sheet->writer, &sheet->error);
}

static void
tell_count (InfoSheet *sheet, const char *group, const char *what, guint64 count)
{
  g_autofree char *fact = g_strdup_printf ("%s %s", group, what);

  tell (sheet, fact, "%" G_GUINT64_FORMAT, count);
}

/* ---- the capture and its machine ---- */

static void
tell_facts (InfoSheet *sheet)
{
  PenStore *store = sheet->query->store;
  gint64 size = pen_store_get_fact_int (store, "size", -1);

  for (guint i = 0; i < G_N_ELEMENTS (plain_facts); i++) {
    const char *value = pen_store_get_fact (store, plain_facts[i].key);

    if (value != NULL && *value != '\0')
      tell (sheet, plain_facts[i].name, "%s", value);
  }
  if (size >= 0)
    tell (sheet, "size", "%" G_GINT64_FORMAT " bytes", size);
}

static void
tell_events (InfoSheet *sheet)
{
  for (guint i = 0; i < sheet->query->events->len; i++) {
    const PenStoreEvent *event = sheet->query->events->pdata[i];

    tell (sheet, "event", "%s: %" G_GUINT64_FORMAT " samples", event->name, event->samples);
  }
}

/* ---- time ---- */

static char *
format_seconds (guint64 ns)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT ".%09u", ns / 1000000000u,
                          (guint) (ns % 1000000000u));
}

static char *
format_wall_clock (gint64 ns)
{
  g_autoptr (GDateTime) seconds = g_date_time_new_from_unix_utc (ns / 1000000000);
  g_autofree char *date = NULL;

  if (seconds == NULL)
    return NULL;
  date = g_date_time_format (seconds, "%Y-%m-%d %H:%M:%S");
  return g_strdup_printf ("%s.%09u UTC", date, (guint) (ns % 1000000000));
}

static void
tell_wall_clock (InfoSheet *sheet, guint64 first)
{
  PenStore *store = sheet->query->store;
  gint64 wall = pen_store_get_fact_int (store, "wall_clock_ns", 0);
  gint64 clock = pen_store_get_fact_int (store, "clock_ns", 0);
  gint64 began;
  g_autofree char *date = NULL;

  if (wall <= 0 || clock <= 0 || first > G_MAXINT64)
    return;
  if (__builtin_sub_overflow (wall, clock, &began)
      || __builtin_add_overflow (began, (gint64) first, &began) || began < 0)
    return;
  date = format_wall_clock (began);
  if (date != NULL)
    tell (sheet, "began", "%s", date);
}

static void
tell_times (InfoSheet *sheet)
{
  guint64 first;
  guint64 last;

  if (!pen_query_get_time_range (sheet->query, &first, &last)) {
    tell (sheet, "time", "nothing in it has a time");
    return;
  }

  g_autofree char *from = format_seconds (first);
  g_autofree char *to = format_seconds (last);
  g_autofree char *length = format_seconds (last - first);

  tell (sheet, "first time", "%s", from);
  tell (sheet, "last time", "%s", to);
  tell (sheet, "duration", "%s s", length);
  tell_wall_clock (sheet, first);
}

/* ---- what was recorded, and what would be better ---- */

static void
tell_recorded (InfoSheet *sheet, const PenBetterRecording *better)
{
  tell (sheet, "text pokes",
        better->has_pokes ? "recorded" : "not recorded: patches of this capture are not known");
  tell (sheet, "ksymbols",
        better->has_ksymbols ? "recorded"
                             : "not recorded: programs and stubs that came or went are not known");
  tell (sheet, "BPF events", better->has_bpf ? "recorded" : "not recorded");
  tell (sheet, "kernel bytes", "%s",
        better->has_kcore ? "there (kcore)"
                          : "not there: instructions are known only where they "
                            "were patched");
  tell (sheet, "kernel names", "%s",
        better->has_kallsyms ? "there (kallsyms)" : "not there: kernel samples have no symbol");
  if (better->command != NULL)
    tell (sheet, "better recorded with", "%s", better->command);
}

/* ---- counts ---- */

static void
tell_records (InfoSheet *sheet)
{
  g_autoptr (GPtrArray) counts = NULL;

  if (sheet->error != NULL)
    return;
  counts = pen_store_load_record_counts (sheet->query->store, &sheet->error);
  for (guint i = 0; counts != NULL && i < counts->len; i++) {
    const PenRecordCount *count = counts->pdata[i];

    tell_count (sheet, "records", count->name, count->records);
  }
}

static void
tell_samples (InfoSheet *sheet)
{
  guint64 counts[PEN_KINDS] = { 0 };
  guint64 total = 0;

  for (guint i = 0; i < sheet->query->n_buckets; i++) {
    const PenBucket *bucket = &sheet->query->buckets[i];

    counts[MIN (bucket->kind, PEN_KINDS - 1)] += bucket->samples;
    total += bucket->samples;
  }
  tell (sheet, "samples", "%" G_GUINT64_FORMAT, total);
  for (guint kind = 0; kind < PEN_KINDS; kind++) {
    if (counts[kind] > 0)
      tell_count (sheet, "samples", pen_kind_to_string (kind), counts[kind]);
  }
}

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

  if (change->is_poke) {
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
tell_changes (InfoSheet *sheet)
{
  ChangeCounts counts = { 0 };
  PenStore *store = sheet->query->store;

  if (sheet->error != NULL
      || !pen_store_foreach_change (store, count_change, &counts, &sheet->error))
    return;
  tell_count (sheet, "changes", "map", counts.maps);
  tell_count (sheet, "changes", "register", counts.registers);
  tell_count (sheet, "changes", "unregister", counts.unregisters);
  for (guint effect = 0; effect < PEN_POKE_EFFECTS; effect++) {
    if (counts.effects[effect] > 0 || effect == PEN_POKE_PATCH)
      tell_count (sheet, "pokes", pen_poke_effect_to_string (effect), counts.effects[effect]);
  }
  for (guint cause = 0; cause < PEN_CAUSES; cause++) {
    if (counts.causes[cause] > 0)
      tell_count (sheet, "patches", pen_cause_to_string (cause), counts.causes[cause]);
  }
  tell (sheet, "ksymbols ignored (length 0)", "%" G_GINT64_FORMAT,
        pen_store_get_fact_int (store, "ksymbols_ignored", 0));
  tell (sheet, "ksymbols seen twice", "%" G_GINT64_FORMAT,
        pen_store_get_fact_int (store, "ksymbols_repeated", 0));
}

/* ---- trust ---- */

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

static void
tell_evidence (InfoSheet *sheet)
{
  TenureCounts counts = { { 0 }, 0 };

  if (sheet->error != NULL
      || !pen_store_foreach_tenure (sheet->query->store, TRUE, count_tenure, &counts,
                                    &sheet->error))
    return;
  for (guint grade = PEN_EVIDENCES; grade > 0; grade--) {
    if (counts.grades[grade - 1] > 0)
      tell_count (sheet, "tenures", pen_evidence_to_string (grade - 1), counts.grades[grade - 1]);
  }
  tell_count (sheet, "tenures", "unverified after a loss", counts.unverified);

  tell (sheet, "chain breaks", "%" G_GINT64_FORMAT,
        pen_store_get_fact_int (sheet->query->store, "chain_breaks", 0));
}

static void
tell_loss (InfoSheet *sheet, const PenLoss *loss)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *from = format_seconds (loss->from);
  g_autofree char *to = format_seconds (loss->to);

  g_string_append_printf (text, "%s – %s", from, to);
  if (loss->cpu != G_MAXUINT32)
    g_string_append_printf (text, ", CPU %u", loss->cpu);
  if (loss->count > 0)
    g_string_append_printf (text, ", %" G_GUINT64_FORMAT, loss->count);

  g_autofree char *fact = g_strdup_printf ("loss: %s", pen_loss_kind_to_string (loss->kind));

  tell (sheet, fact, "%s", text->str);
}

static void
tell_losses (InfoSheet *sheet)
{
  g_autoptr (GArray) losses = NULL;
  PenLostCount count;

  if (sheet->error != NULL || !pen_lost_count_load (sheet->query->store, &count, &sheet->error))
    return;
  losses = pen_store_load_losses (sheet->query->store, &sheet->error);
  tell (sheet, "lost", "%" G_GUINT64_FORMAT, count.lost);
  if (count.records > 0 && count.samples > 0)
    tell (sheet, "lost, as told",
          "%" G_GUINT64_FORMAT " when it happened, %" G_GUINT64_FORMAT
          " by event; what is in both is counted once",
          count.records, count.samples);
  if (count.unwanted > 0)
    tell (sheet, "dropped by a filter", "%" G_GUINT64_FORMAT, count.unwanted);
  for (guint i = 0; losses != NULL && i < losses->len; i++)
    tell_loss (sheet, &g_array_index (losses, PenLoss, i));
}

static void
tell_problems (InfoSheet *sheet)
{
  g_autoptr (GPtrArray) problems = NULL;

  if (sheet->error != NULL)
    return;
  problems = pen_store_load_problems (sheet->query->store, &sheet->error);
  for (guint i = 0; problems != NULL && i < problems->len; i++) {
    const PenStoreProblem *problem = problems->pdata[i];
    g_autoptr (GString) text = g_string_new (NULL);

    if (problem->file != NULL && *problem->file != '\0')
      g_string_append_printf (text, "%s, ", problem->file);
    g_string_append_printf (text, "offset 0x%" G_GINT64_MODIFIER "x", problem->offset);
    if (problem->record != NULL)
      g_string_append_printf (text, ", %s", problem->record);
    if (problem->count > 1)
      g_string_append_printf (text, ", %" G_GUINT64_FORMAT " alike", problem->count);
    g_string_append_printf (text, ": %s", problem->reason);
    tell (sheet, problem->action, "%s", text->str);
  }
}

gboolean
pen_query_write_info (PenQuery *self, PenTableWriter *writer, GError **error)
{
  InfoSheet sheet = { self, writer, NULL };
  g_autoptr (PenBetterRecording) better = NULL;

  if (!pen_query_load (self, error))
    return FALSE;
  better = pen_better_recording_new (self->store, error);
  if (better == NULL)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  tell_facts (&sheet);
  tell_events (&sheet);
  tell_times (&sheet);
  tell_recorded (&sheet, better);
  tell_samples (&sheet);
  tell_changes (&sheet);
  tell_evidence (&sheet);
  tell_records (&sheet);
  tell_losses (&sheet);
  tell_problems (&sheet);
  if (sheet.error != NULL) {
    g_propagate_error (error, sheet.error);
    return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
