/* fuzz-reader.c: any bytes as a capture, every record and every fact looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"
#include "pen-reader.h"

static void
touch_map (const PenMapRecord *map)
{
  g_assert_nonnull (map->name);
  g_assert_cmpuint (map->build_id_length, <=, PEN_BUILD_ID_MAX);
  pen_fuzz_touch (map->start + map->length + map->file_offset + map->prot + map->flags);
  pen_fuzz_touch_bytes (map->build_id, map->build_id_length);
  pen_fuzz_touch_string (map->name);
}

static void
touch_callchain (const guint64 *callchain, guint64 length)
{
  for (guint64 i = 0; callchain && i < length; i++)
    pen_fuzz_touch (callchain[i]);
}

static void
touch_sample (const PenRecord *record)
{
  const PenSampleRecord *sample = &record->sample;

  if ((record->has & PEN_HAS_ADDRESS) != 0)
    pen_fuzz_touch (sample->address);
  if ((record->has & PEN_HAS_PERIOD) != 0)
    pen_fuzz_touch (sample->period);
  if ((record->has & PEN_HAS_DATA_ADDRESS) != 0)
    pen_fuzz_touch (sample->data_address);
  if ((record->has & PEN_HAS_CGROUP) != 0)
    pen_fuzz_touch (sample->cgroup);
  if ((record->has & PEN_HAS_RAW) != 0)
    pen_fuzz_touch_bytes (sample->raw, sample->raw_length);
  touch_callchain (sample->callchain, sample->callchain_length);
}

static void
touch_record (const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    touch_map (&record->map);
    break;
  case PEN_RECORD_COMM:
    g_assert_nonnull (record->comm.comm);
    pen_fuzz_touch_string (record->comm.comm);
    break;
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    pen_fuzz_touch ((guint64) record->task.pid + (guint64) record->task.ptid);
    break;
  case PEN_RECORD_LOST:
  case PEN_RECORD_LOST_SAMPLES:
    pen_fuzz_touch (record->lost.id + record->lost.lost);
    break;
  case PEN_RECORD_THROTTLE:
  case PEN_RECORD_UNTHROTTLE:
    pen_fuzz_touch (record->throttle.time + record->throttle.id);
    break;
  case PEN_RECORD_KSYMBOL:
    g_assert_nonnull (record->ksymbol.name);
    pen_fuzz_touch (record->ksymbol.address + record->ksymbol.length + record->ksymbol.flags);
    pen_fuzz_touch_string (record->ksymbol.name);
    break;
  case PEN_RECORD_BPF_EVENT:
    pen_fuzz_touch (record->bpf_event.id);
    pen_fuzz_touch_bytes (record->bpf_event.tag, sizeof record->bpf_event.tag);
    break;
  case PEN_RECORD_TEXT_POKE:
    pen_fuzz_touch_bytes (record->text_poke.old_bytes, record->text_poke.old_length);
    pen_fuzz_touch_bytes (record->text_poke.new_bytes, record->text_poke.new_length);
    break;
  case PEN_RECORD_CGROUP:
    g_assert_nonnull (record->cgroup.path);
    pen_fuzz_touch (record->cgroup.id);
    pen_fuzz_touch_string (record->cgroup.path);
    break;
  case PEN_RECORD_CALLCHAIN_DEFERRED:
    pen_fuzz_touch (record->deferred.cookie);
    touch_callchain (record->deferred.callchain, record->deferred.callchain_length);
    break;
  case PEN_RECORD_SAMPLE:
    touch_sample (record);
    break;
  default:
    break;
  }
}

/* What holds of every record, whatever the file. */
static void
check_record (PenReader *reader, const PenRecord *record, guint n_files, guint64 last_position)
{
  g_assert_cmpuint (record->position, >, last_position);
  g_assert_cmpuint (record->file, <, n_files);
  g_assert_cmpuint (record->offset, <, pen_reader_get_size (reader));
  g_assert_cmpint (record->event, >=, -1);
  g_assert_cmpint (record->event, <, (int) pen_reader_get_attrs (reader)->len);
  pen_fuzz_touch (record->time + record->cpu + (guint64) record->pid + (guint64) record->tid);
}

static void
touch_attrs (PenReader *reader)
{
  GPtrArray *attrs = pen_reader_get_attrs (reader);

  for (guint i = 0; i < attrs->len; i++) {
    const PenAttr *attr = g_ptr_array_index (attrs, i);
    g_autofree char *derived = pen_attr_derive_name (attr);

    g_assert_nonnull (attr->name);
    pen_fuzz_touch_string (attr->name);
    pen_fuzz_touch_string (derived);
    for (guint j = 0; j < attr->ids->len; j++)
      pen_fuzz_touch (g_array_index (attr->ids, guint64, j));
  }
}

static void
touch_bytes (GBytes *bytes)
{
  gsize length = 0;
  const guint8 *at = bytes ? g_bytes_get_data (bytes, &length) : NULL;

  pen_fuzz_touch_bytes (at, length);
}

static void
touch_programs (GPtrArray *programs)
{
  for (guint i = 0; i < programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (programs, i);

    pen_fuzz_touch_string (program->name);
    pen_fuzz_touch_bytes (program->tag, sizeof program->tag);
    for (guint j = 0; program->functions && j < program->functions->len; j++) {
      const PenBpfFunction *function = &g_array_index (program->functions, PenBpfFunction, j);

      if (function->bytes)
        pen_fuzz_touch_bytes (function->bytes, function->length);
    }
    for (guint j = 0; program->lines && j < program->lines->len; j++)
      pen_fuzz_touch (g_array_index (program->lines, PenBpfLine, j).address);
  }
}

static void
touch_machine (const PenFeatures *features)
{
  for (guint i = 0; i < features->pmus->len; i++)
    pen_fuzz_touch_string (((const PenPmu *) g_ptr_array_index (features->pmus, i))->name);
  for (guint i = 0; i < features->groups->len; i++)
    pen_fuzz_touch_string (((const PenEventGroup *) g_ptr_array_index (features->groups, i))->name);
  for (guint i = 0; i < features->caches->len; i++) {
    const PenCpuCache *cache = g_ptr_array_index (features->caches, i);

    pen_fuzz_touch_string (cache->type);
    pen_fuzz_touch_string (cache->size);
    pen_fuzz_touch_string (cache->cpus);
  }
}

static void
touch_features (const PenFeatures *features)
{
  const char *const texts[] = {
    features->hostname,        features->os_release, features->perf_version, features->arch,
    features->cpu_description, features->cpu_id,     features->command_line,
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    pen_fuzz_touch_string (texts[i]);
  touch_programs (features->bpf_programs);
  for (guint i = 0; i < features->build_ids->len; i++) {
    const PenBuildId *id = g_ptr_array_index (features->build_ids, i);

    g_assert_cmpuint (id->length, <=, sizeof id->id);
    pen_fuzz_touch_bytes (id->id, id->length);
    pen_fuzz_touch_string (id->name);
  }
  for (GTreeNode *node = g_tree_node_first (features->btf); node; node = g_tree_node_next (node))
    touch_bytes (g_tree_node_value (node));
  touch_bytes (features->tracing_data);
  touch_machine (features);
}

static void
check_problems (PenReader *reader, guint n_files)
{
  GPtrArray *problems = pen_reader_get_problems (reader);

  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);

    g_assert_cmpuint (problem->file, <, n_files);
    g_assert_cmpuint (problem->count, >, 0);
    g_assert_nonnull (problem->reason);
    pen_fuzz_touch_string (problem->reason);
  }
}

static void
read_all (PenReader *reader)
{
  guint n_files = g_strv_length ((char **) pen_reader_get_files (reader));
  g_autoptr (GError) error = NULL;
  guint64 last_position = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, &error)) {
    check_record (reader, &record, n_files, last_position);
    last_position = record.position;
    touch_record (&record);
  }
  g_assert_no_error (error);
  g_assert_cmpuint (pen_reader_get_bytes_read (reader), ==, pen_reader_get_size (reader));
  check_problems (reader, n_files);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const char *path = pen_fuzz_write_capture (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, &error);

  g_assert_true ((!reader) == (error != NULL));
  if (!reader) {
    pen_fuzz_touch_string (error->message);
    return 0;
  }

  read_all (reader);
  touch_attrs (reader);
  touch_features (pen_reader_get_features (reader));
  pen_fuzz_touch_string (pen_reader_get_shape (reader));
  return 0;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  if (pen_fuzz_random (&seed, 2) == 0 || !pen_fuzz_mutate_records (data, size, &seed))
    return LLVMFuzzerMutate (data, size, max_size);
  return size;
}
