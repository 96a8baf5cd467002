/* pen-import-machine.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-machine.h"

#include "pen-record.h"

static gboolean
write_simple (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
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
  };
  const struct {
    const char *key;
    guint64 value;
  } numbers[] = {
    { "cpus_available", features->cpus_available },
    { "cpus_online", features->cpus_online },
    { "total_memory_kb", features->total_memory_kb },
    { "clock_resolution_ns", features->clock_resolution_ns },
    { "compression_ratio", features->compression_ratio },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!pen_store_writer_set_fact (writer, texts[i].key, texts[i].value, error))
      return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].value != 0
        && !pen_store_writer_set_fact_int (writer, numbers[i].key, numbers[i].value, error))
      return FALSE;
  return TRUE;
}

/* Added to a time of the capture, it gives the time of day (ns since 1970). */
static gboolean
write_offset (PenStoreWriter *writer, guint64 offset, GError **error)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) offset);

  return pen_store_writer_set_fact (writer, "wall_clock_offset_ns", text, error);
}

static gboolean
write_clock (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  return !features->has_clock_data
         || (pen_store_writer_set_fact_int (writer, "clock_id", features->clock_id, error)
             && pen_store_writer_set_fact_int (writer, "clock_ns", features->clock_ns, error)
             && pen_store_writer_set_fact_int (writer, "wall_clock_ns", features->wall_clock_ns,
                                               error)
             && write_offset (writer, features->wall_clock_ns - features->clock_ns, error));
}

static gboolean
write_times (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  return !features->has_sample_times
         || (pen_store_writer_set_fact_int (writer, "first_sample_time",
                                            features->first_sample_time, error)
             && pen_store_writer_set_fact_int (writer, "last_sample_time",
                                               features->last_sample_time, error));
}

static gboolean
write_conversion (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  const PenTimeConversion *conversion = &features->time_conversion;
  const struct {
    const char *key;
    guint64 value;
    gboolean is_known;
  } numbers[] = {
    { "time_shift", conversion->shift, TRUE },
    { "time_multiplier", conversion->multiplier, TRUE },
    { "time_zero", conversion->zero, conversion->has_zero },
    { "time_cycles", conversion->cycles, conversion->has_short },
    { "time_mask", conversion->mask, conversion->has_short },
  };

  for (guint i = 0; features->has_time_conversion && i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].is_known
        && !pen_store_writer_set_fact_int (writer, numbers[i].key, numbers[i].value, error))
      return FALSE;
  return TRUE;
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

/* Takes @list. An empty one is not known. */
static gboolean
write_list (PenStoreWriter *writer, const char *key, GString *list, GError **error)
{
  g_autofree char *text = g_string_free (list, FALSE);

  return pen_store_writer_set_fact (writer, key, *text != '\0' ? text : NULL, error);
}

static void
separate (GString *list)
{
  if (list->len > 0)
    g_string_append (list, ", ");
}

static gboolean
write_pmus (PenStoreWriter *writer, GPtrArray *pmus, GError **error)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < pmus->len; i++) {
    const PenPmu *pmu = g_ptr_array_index (pmus, i);

    separate (list);
    g_string_append_printf (list, "%s = %u", pmu->name, pmu->type);
  }
  return write_list (writer, "pmus", list, error);
}

static gboolean
write_caches (PenStoreWriter *writer, GPtrArray *caches, GError **error)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < caches->len; i++) {
    const PenCpuCache *cache = g_ptr_array_index (caches, i);

    separate (list);
    g_string_append_printf (list, "L%u %s %s [%s]", cache->level, cache->type, cache->size,
                            cache->cpus);
  }
  return write_list (writer, "caches", list, error);
}

static gboolean
write_groups (PenStoreWriter *writer, GPtrArray *groups, GError **error)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < groups->len; i++) {
    const PenEventGroup *group = g_ptr_array_index (groups, i);

    separate (list);
    g_string_append_printf (list, "%s: %u events from event %u on", group->name, group->members,
                            group->leader);
  }
  return write_list (writer, "event_groups", list, error);
}

gboolean
pen_import_machine_write (PenStoreWriter *writer, const PenFeatures *features, GError **error)
{
  return write_simple (writer, features, error) && write_clock (writer, features, error)
         && write_times (writer, features, error) && write_conversion (writer, features, error)
         && write_build_ids (writer, features->build_ids, error)
         && write_pmus (writer, features->pmus, error)
         && write_caches (writer, features->caches, error)
         && write_groups (writer, features->groups, error);
}
