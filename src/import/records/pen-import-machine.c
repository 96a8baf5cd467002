/* pen-import-machine.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-machine.h"

#include <string.h>

#include "pen-btf-strings.h"
#include "pen-record.h"
#include "pen-table-hash.h"

gboolean
pen_import_write_numbers (PenStoreWriter *writer, const PenNumberFact *numbers, guint n,
                          GError **error)
{
  for (guint i = 0; i < n; i++)
    if (numbers[i].is_known
        && !pen_store_writer_set_fact_int (writer, numbers[i].key, numbers[i].value, error))
      return FALSE;
  return TRUE;
}

static gboolean
write_texts (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  /* Added to a time of the capture, it gives the time of day (ns since 1970). */
  g_autofree char *offset = g_strdup_printf (
      "%" G_GINT64_FORMAT, (gint64) (features->wall_clock_ns - features->clock_ns));
  const struct {
    const char *key;
    const char *value;
  } texts[] = {
    { "hostname", features->hostname },
    { "osrelease", features->os_release },
    { "perf_version", features->perf_version },
    { "arch", features->arch },
    { "cpu_description", features->cpu_description },
    { "cpu_id", features->cpu_id },
    { "command_line", features->command_line },
    { "wall_clock_offset_ns", features->has_clock_data ? offset : NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!pen_store_writer_set_fact (writer, texts[i].key, texts[i].value, error))
      return FALSE;
  return TRUE;
}

static gboolean
write_numbers (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  const PenTimeConversion *conversion = &features->time_conversion;
  gboolean converts = features->has_time_conversion;
  const PenNumberFact numbers[] = {
    { "cpus_available", features->cpus_available, features->cpus_available != 0 },
    { "cpus_online", features->cpus_online, features->cpus_online != 0 },
    { "total_memory_kb", features->total_memory_kb, features->total_memory_kb != 0 },
    { "clock_resolution_ns", features->clock_resolution_ns, features->clock_resolution_ns != 0 },
    { "compression_ratio", features->compression_ratio, features->compression_ratio != 0 },
    { "clock_id", features->clock_id, features->has_clock_data },
    { "clock_ns", features->clock_ns, features->has_clock_data },
    { "wall_clock_ns", features->wall_clock_ns, features->has_clock_data },
    { "first_sample_time", features->first_sample_time, features->has_sample_times },
    { "last_sample_time", features->last_sample_time, features->has_sample_times },
    { "time_shift", conversion->shift, converts },
    { "time_multiplier", conversion->multiplier, converts },
    { "time_zero", conversion->zero, converts && conversion->has_zero },
    { "time_cycles", conversion->cycles, converts && conversion->has_short },
    { "time_mask", conversion->mask, converts && conversion->has_short },
  };

  return pen_import_write_numbers (writer, numbers, G_N_ELEMENTS (numbers), error);
}

static const char *
mode_of (guint16 misc)
{
  switch (misc & PEN_MISC_CPUMODE_MASK) {
  case PEN_CPUMODE_KERNEL:
    return "kernel";
  case PEN_CPUMODE_USER:
    return "user";
  case PEN_CPUMODE_GUEST_KERNEL:
    return "guest kernel";
  case PEN_CPUMODE_GUEST_USER:
    return "guest user";
  default:
    return "unknown";
  }
}

static gboolean
write_build_ids (PenStoreWriter *writer, GPtrArray *build_ids, GError **error)
{
  for (guint i = 0; i < build_ids->len; i++) {
    const PenBuildId *build_id = g_ptr_array_index (build_ids, i);
    PenStoredBuildId row = {
      .pid = build_id->pid,
      .mode = mode_of (build_id->misc),
      .id = build_id->id,
      .id_length = MIN (build_id->length, sizeof build_id->id),
      .name = build_id->name,
    };

    if (!pen_store_writer_add_build_id (writer, &row, error))
      return FALSE;
  }
  return TRUE;
}

static char *
describe_pmu (gconstpointer data)
{
  const PenPmu *pmu = data;

  return g_strdup_printf ("%s = %u", pmu->name, pmu->type);
}

static char *
describe_cache (gconstpointer data)
{
  const PenCpuCache *cache = data;

  return g_strdup_printf ("L%u %s %s [%s]", cache->level, cache->type, cache->size, cache->cpus);
}

static char *
describe_group (gconstpointer data)
{
  const PenEventGroup *group = data;

  return g_strdup_printf ("%s: %u events from event %u on", group->name, group->members,
                          group->leader);
}

/* An empty list is unknown. */
static gboolean
write_list (PenStoreWriter *writer, const char *key, GPtrArray *list,
            char *(*describe) (gconstpointer), GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++) {
    g_autofree char *item = describe (g_ptr_array_index (list, i));

    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", item);
  }
  return pen_store_writer_set_fact (writer, key, text->len > 0 ? text->str : NULL, error);
}

gboolean
pen_import_machine_write (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  return write_texts (writer, features, error) && write_numbers (writer, features, error)
         && write_build_ids (writer, features->build_ids, error)
         && write_list (writer, "pmus", features->pmus, describe_pmu, error)
         && write_list (writer, "caches", features->caches, describe_cache, error)
         && write_list (writer, "event_groups", features->groups, describe_group, error);
}

/* ---- BPF programs ---- */

static gboolean
write_function (PenStoreWriter *writer, guint32 bpf_id, guint number,
                const PenBpfFunction *function, guint32 tenure, GError **error)
{
  PenStoredBpfFunction row = {
    .bpf_id = bpf_id,
    .number = number,
    .address = function->address,
    .length = function->length,
    .tenure = tenure,
    .tag = function->has_tag ? function->tag : NULL,
    .type_id = function->type_id,
    .bytes = function->bytes,
  };
  return pen_store_writer_add_bpf_function (writer, &row, error);
}

static gboolean
write_lines (PenStoreWriter *writer, const PenBpfProgram *program, GBytes *btf, GError **error)
{
  PenBtfStrings strings = pen_btf_strings_find (btf);

  for (guint i = 0; i < program->lines->len; i++) {
    const PenBpfLine *line = &g_array_index (program->lines, PenBpfLine, i);
    PenStoredBpfLine row = {
      .bpf_id = program->id,
      .address = line->address,
      .instruction = line->instruction,
      .file = pen_btf_strings_get (&strings, line->file_name),
      .line = line->line,
      .column = line->column,
      .text = pen_btf_strings_get (&strings, line->text),
    };

    if (!pen_store_writer_add_bpf_line (writer, &row, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_program (PenStoreWriter *writer, const PenFeatures *features, const PenBpfProgram *program,
               const guint32 *tenures, GError **error)
{
  GBytes *btf = g_tree_lookup (features->btf, GUINT_TO_POINTER (program->btf_id));
  PenStoredBpfProgram row = {
    .id = program->id,
    .type = program->type,
    .name = program->name,
    .load_time = program->load_time,
    .btf_id = program->btf_id,
  };

  memcpy (row.tag, program->tag, sizeof row.tag);
  if (!pen_store_writer_add_bpf_program (writer, &row, error))
    return FALSE;

  for (guint i = 0; i < program->functions->len; i++)
    if (!write_function (writer, program->id, i,
                         &g_array_index (program->functions, PenBpfFunction, i), tenures[i], error))
      return FALSE;
  return write_lines (writer, program, btf, error);
}

static gboolean
write_btf (PenStoreWriter *writer, GTree *btf, GError **error)
{
  for (GTreeNode *node = g_tree_node_first (btf); node; node = g_tree_node_next (node))
    if (!pen_store_writer_add_btf (writer, GPOINTER_TO_UINT (g_tree_node_key (node)),
                                   g_tree_node_value (node), error))
      return FALSE;
  return TRUE;
}

gboolean
pen_import_programs_write (PenStoreWriter *writer, const PenFeatures *features, GArray *tenures,
                           GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);
  const guint32 *next = (const guint32 *) (gpointer) tenures->data; /* NULL: no functions at all */

  for (guint i = 0; i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    if (g_hash_table_add (seen, GUINT_TO_POINTER (program->id))
        && !write_program (writer, features, program, next, error))
      return FALSE;
    if (program->functions->len > 0)
      next += program->functions->len;
  }
  for (guint i = 0; i < features->bpf_metadata->len; i++) {
    const PenBpfMetadata *metadata = g_ptr_array_index (features->bpf_metadata, i);
    const PenStoredBpfMetadata row = { metadata->program, metadata->key, metadata->value };

    if (!pen_store_writer_add_bpf_metadata (writer, &row, error))
      return FALSE;
  }
  return write_btf (writer, features->btf, error);
}
