/* pen-import-machine.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-machine.h"

#include "pen-record.h"

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
