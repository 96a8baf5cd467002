/* pen-import-facts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-facts.h"

#include <stdlib.h>

#include "pen-cause-finder.h"
#include "pen-import-machine.h"
#include "pen-reason.h"

/* A kind of record that no event asked for is missing, not absent. So are text pokes of a machine
 * that writes none. */
static gboolean
write_asked (PenStoreWriter *writer, PenReader *reader, const char *arch, PenHistory *history,
             GError **error)
{
  const GPtrArray *attrs = pen_reader_get_attrs (reader);
  guint64 flags = pen_reader_has_own_patches (reader) ? PEN_ATTR_TEXT_POKE : 0;
  guint n_pokes;

  for (guint i = 0; i < attrs->len; i++)
    flags |= ((const PenAttr *) g_ptr_array_index (attrs, i))->flags;
  pen_history_get_pokes (history, &n_pokes);
  if (n_pokes == 0 && !pen_cause_is_recorded (arch))
    flags &= ~PEN_ATTR_TEXT_POKE;

  const PenNumberFact asked[] = {
    { "text_pokes_recorded", (flags & PEN_ATTR_TEXT_POKE) != 0, TRUE },
    { "ksymbols_recorded", (flags & PEN_ATTR_KSYMBOL) != 0, TRUE },
    { "bpf_events_recorded", (flags & PEN_ATTR_BPF_EVENT) != 0, TRUE },
  };

  return pen_import_write_numbers (writer, asked, G_N_ELEMENTS (asked), error);
}

static gboolean
write_sources (PenStoreWriter *writer, PenKernelSources *sources, GError **error)
{
  static const char *const kinds[] = { "kallsyms", "kcore", "modules", "vmlinux" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!pen_store_writer_set_fact (writer, kinds[i],
                                    pen_kernel_sources_get_path (sources, kinds[i]), error))
      return FALSE;
  return (!pen_kernel_sources_get_path (sources, "kallsyms")
          || pen_store_writer_set_fact_int (writer, "kallsyms_lines_skipped",
                                            pen_kernel_sources_get_skipped (sources), error))
         && pen_kernel_sources_write (sources, writer, error);
}

static void
add_format (PenStoreEvent *event, const PenTracepointFormat *format)
{
  if (!format)
    return;

  event->system = format->system;
  event->format = format->text;
}

static gboolean
write_events (PenStoreWriter *writer, GPtrArray *attrs, PenTracingData *tracing,
              const guint64 *samples, gboolean has_no_event, GError **error)
{
  for (guint i = 0; i < attrs->len; i++) {
    const PenAttr *attr = g_ptr_array_index (attrs, i);
    PenStoreEvent event = {
      .name = attr->name,
      .type = attr->type,
      .size = attr->size,
      .config = attr->config,
      .flags = attr->flags,
      .sample_type = attr->sample_type,
      .read_format = attr->read_format,
      .period_or_frequency = attr->period_or_frequency,
      .ids = attr->ids ? attr->ids->len : 0,
      .samples = samples[i],
    };

    if (tracing && attr->type == PEN_ATTR_TYPE_TRACEPOINT)
      add_format (&event, pen_tracing_data_find (tracing, attr->config));
    if (!pen_store_writer_add_event (writer, i, &event, error))
      return FALSE;
  }

  if (samples[attrs->len] > 0 || has_no_event) {
    PenStoreEvent event = { .name = "unknown", .samples = samples[attrs->len] };

    return pen_store_writer_add_event (writer, attrs->len, &event, error);
  }
  return TRUE;
}

static gboolean
write_record_counts (PenStoreWriter *writer, const PenImportCounts *counts, GError **error)
{
  for (guint i = 0; i < PEN_RECORD_TYPES; i++)
    if (counts->types[i] > 0
        && !pen_store_writer_add_record_count (writer, i, pen_record_type_get_name (i),
                                               counts->types[i], error))
      return FALSE;

  for (GTreeNode *node = g_tree_node_first (counts->others); node; node = g_tree_node_next (node)) {
    guint type = GPOINTER_TO_UINT (g_tree_node_key (node));
    g_autofree char *name = g_strdup_printf ("type %u", type);

    if (!pen_store_writer_add_record_count (writer, type, name,
                                            *(guint64 *) g_tree_node_value (node), error))
      return FALSE;
  }
  return TRUE;
}

static const char *
problem_action (PenProblemAction action)
{
  switch (action) {
  case PEN_PROBLEM_REPAIRED:
    return "repaired";
  case PEN_PROBLEM_ENDED:
    return "ended";
  default:
    return "set aside";
  }
}

/* What is left out, mostly since an import has no memory for it. */
static gboolean
write_lacks (PenStoreWriter *writer, const PenImportCounts *counts, GError **error)
{
  const struct {
    guint32 record_type; /* 0: several */
    guint64 count;
    const char *reason;
  } lacks[] = {
    { PEN_RECORD_MMAP2, counts->module_build_ids_dropped, PEN_REASON_SAME_BUILD_ID },
    { 0, counts->chains_dropped, PEN_REASON_TOO_MANY_CHAINS },
    { 0, counts->losses_joined, PEN_REASON_TOO_MANY_LOSSES },
    { 0, counts->tasks_dropped, PEN_REASON_TOO_MANY_TASKS },
    { 0, counts->module_events_dropped, PEN_REASON_TOO_MANY_MODULE_EVENTS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lacks); i++) {
    const char *record
        = lacks[i].record_type != 0 ? pen_record_type_get_name (lacks[i].record_type) : NULL;

    if (lacks[i].count > 0
        && !pen_store_writer_add_problem (writer, "set aside", 0, 0, record, lacks[i].count,
                                          lacks[i].reason, error))
      return FALSE;
  }
  return TRUE;
}

/* Files of the reader keep their numbers; sources that could not be used come after them. */
static gboolean
write_problems (PenStoreWriter *writer, PenReader *reader, PenLoadedSources *sources,
                const PenImportCounts *counts, GError **error)
{
  const char *const *files = pen_reader_get_files (reader);
  GPtrArray *problems = pen_reader_get_problems (reader);
  guint32 n_files = 0;

  for (; files[n_files]; n_files++)
    if (!pen_store_writer_add_file (writer, n_files, files[n_files], error))
      return FALSE;

  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);
    const char *record
        = problem->record_type != 0 ? pen_record_type_get_name (problem->record_type) : NULL;

    if (!pen_store_writer_add_problem (writer, problem_action (problem->action), problem->file,
                                       problem->offset, record, problem->count, problem->reason,
                                       error))
      return FALSE;
  }

  if (!write_lacks (writer, counts, error))
    return FALSE;
  for (guint i = 0; i < sources->problems->len; i++) {
    const PenSourceProblem *problem = g_ptr_array_index (sources->problems, i);

    if (!pen_store_writer_add_file (writer, n_files + i, problem->file, error)
        || !pen_store_writer_add_problem (writer, "set aside", n_files + i, 0, NULL, 1,
                                          problem->reason, error))
      return FALSE;
  }
  return TRUE;
}

/* As given, and so that it is found from anywhere. */
static gboolean
write_capture (PenStoreWriter *writer, const char *capture, GError **error)
{
  char *path = pen_import_is_stream (capture) ? NULL : realpath (capture, NULL);
  gboolean is_written = pen_store_writer_set_fact (writer, "capture", capture, error)
                        && pen_store_writer_set_fact (writer, "capture_path", path, error);

  free (path);
  return is_written;
}

/* Nothing where the recording has nothing to say about waits. */
static gboolean
write_waits (PenStoreWriter *writer, const PenImportCounts *counts, GError **error)
{
  static const char *const sources[] = {
    [PEN_WAITS_TRACEPOINT] = "sched:sched_switch",
    [PEN_WAITS_OFF_CPU] = "offcpu-time",
    [PEN_WAITS_SWITCHES] = "switches",
  };
  const PenWaitCounts *waits = &counts->waits;
  const PenNumberFact numbers[] = {
    { "waits", waits->waits, TRUE },
    { "off_cpu_ns", waits->time, TRUE },
    { "waits_open", waits->open, TRUE },
    { "waits_cut", waits->cut, TRUE },
    { "preempted", waits->preempted, TRUE },
    { "preempted_ns", waits->preempted_time, TRUE },
    { "switches_left_out", waits->left_out, waits->left_out > 0 },
    { "timeless_waits", counts->timeless_waits, TRUE },
    { "timeless_waits_unknown", counts->timeless_waits_unknown, TRUE },
    { "wait_callchains_dropped", counts->wait_chains_dropped, TRUE },
  };

  return waits->source == PEN_WAITS_NONE
         || (pen_store_writer_set_fact (writer, "wait_source", sources[waits->source], error)
             && pen_import_write_numbers (writer, numbers, G_N_ELEMENTS (numbers), error));
}

gboolean
pen_import_facts_write (PenStoreWriter *writer, const char *capture, PenReader *reader,
                        PenHistory *history, PenLoadedSources *sources, PenTracingData *tracing,
                        const PenImportCounts *counts, const guint64 *samples_of_event,
                        guint64 chain_breaks, guint64 explained_breaks, guint64 changed_early,
                        guint64 snapshot_modules, GError **error)
{
  GPtrArray *attrs = pen_reader_get_attrs (reader);
  const PenFeatures *features = pen_reader_get_features (reader);
  guint64 samples = 0;

  for (guint i = 0; i <= attrs->len; i++)
    samples += samples_of_event[i];

  const PenNumberFact numbers[] = {
    { "size", pen_reader_get_size (reader), TRUE },
    { "records", counts->records, TRUE },
    { "samples", samples, TRUE },
    { "records_repaired", counts->inflated, TRUE },
    { "ksymbols_ignored", pen_history_get_ignored_ksymbols (history), TRUE },
    { "ksymbols_repeated", pen_history_get_repeated_ksymbols (history), TRUE },
    { "chain_breaks", chain_breaks, TRUE },
    { "chain_breaks_explained", explained_breaks, TRUE },
    { "changed_early", changed_early, TRUE },
    { "modules_added", snapshot_modules, TRUE },
    { "module_space_samples", counts->module_space_samples, TRUE },
    { "timeless_samples", counts->timeless_samples, TRUE },
    { "timeless_unknown", counts->timeless_unknown, TRUE },
    { "callchains_dropped", counts->chains_dropped, TRUE },
    { "callchains_unjoined", counts->chains_unjoined, TRUE },
    { "outputs", counts->outputs, counts->outputs > 0 },
    { "readings", counts->readings, counts->readings > 0 },
    { "witness_agree", counts->witness.agree, counts->readings > 0 },
    { "witness_differ", counts->witness.differ, counts->readings > 0 },
    { "witness_told", counts->witness.told, counts->readings > 0 },
    { "witness_unread", counts->witness.unread, counts->readings > 0 },
    { "witness_lost", counts->counters.lost, counts->readings > 0 },
    { "witness_counters_missing", counts->counters.is_missing, counts->readings > 0 },
    { "unannounced", counts->unannounced, counts->readings > 0 },
    { "unannounced_unheld", counts->unannounced_unheld, counts->readings > 0 },
    { "long_size", tracing ? tracing->long_size : 0, tracing != NULL },
    { "first_time", counts->first, counts->last != 0 },
    { "last_time", counts->last, counts->last != 0 },
  };

  pen_loaded_sources_note_debuginfod (sources);
  pen_loaded_sources_note_refused (sources);
  return write_capture (writer, capture, error)
         && pen_store_writer_set_fact (writer, "shape", pen_reader_get_shape (reader), error)
         && pen_store_writer_set_fact (writer, "writer", "pentimento " PEN_VERSION, error)
         && pen_store_writer_set_fact (writer, "byte_order",
                                       pen_reader_is_big_endian (reader) ? "big" : "little", error)
         && pen_import_write_numbers (writer, numbers, G_N_ELEMENTS (numbers), error)
         && write_waits (writer, counts, error)
         && pen_import_machine_write (writer, features, error)
         && pen_user_names_write (sources->user_names, writer, error)
         && write_asked (writer, reader, features->arch, history, error)
         && write_sources (writer, sources->kernel, error)
         && write_events (writer, attrs, tracing, samples_of_event, counts->waits.without_event > 0,
                          error)
         && write_record_counts (writer, counts, error)
         && write_problems (writer, reader, sources, counts, error)
         && pen_import_programs_write (writer, features, sources->bpf_tenures, error);
}
