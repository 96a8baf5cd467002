/* pen-test-lines.c: a capture's records as lines of text, to be compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-lines.h"

#include <glib/gstdio.h>

#include "pen-reason.h"

static void
append_hex (GString *line, const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    g_string_append_printf (line, "%02x", bytes[i]);
}

static void
append_addresses (GString *line, const guint64 *addresses, guint64 length)
{
  for (guint64 i = 0; i < length; i++)
    g_string_append_printf (line, " %" G_GINT64_MODIFIER "x", addresses[i]);
}

static void
append_sample (GString *line, const PenSampleRecord *sample)
{
  g_string_append_printf (line, " address=%" G_GINT64_MODIFIER "x period=%" G_GUINT64_FORMAT,
                          sample->address, sample->period);
  append_addresses (line, sample->callchain, sample->callchain_length);
  if (sample->raw) {
    g_string_append (line, " raw=");
    append_hex (line, sample->raw, sample->raw_length);
  }
}

static void
append_map (GString *line, const PenMapRecord *map)
{
  g_string_append_printf (line,
                          " %d/%d %" G_GINT64_MODIFIER "x+%" G_GINT64_MODIFIER
                          "x@%" G_GINT64_MODIFIER "x prot=%x flags=%x id=",
                          map->pid, map->tid, map->start, map->length, map->file_offset, map->prot,
                          map->flags);
  append_hex (line, map->build_id, map->build_id_length);
  g_string_append_printf (line, " %s", map->name);
}

static void
append_fields (GString *line, const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    append_map (line, &record->map);
    break;
  case PEN_RECORD_COMM:
    g_string_append_printf (line, " %d/%d %s", record->comm.pid, record->comm.tid,
                            record->comm.comm);
    break;
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    g_string_append_printf (line, " %d<%d %d<%d", record->task.pid, record->task.ppid,
                            record->task.tid, record->task.ptid);
    break;
  case PEN_RECORD_LOST:
  case PEN_RECORD_LOST_SAMPLES:
    g_string_append_printf (line, " %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, record->lost.lost,
                            record->lost.id);
    break;
  case PEN_RECORD_THROTTLE:
  case PEN_RECORD_UNTHROTTLE:
    g_string_append_printf (line, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                            record->throttle.time, record->throttle.id);
    break;
  case PEN_RECORD_KSYMBOL:
    g_string_append_printf (line, " %" G_GINT64_MODIFIER "x+%u type=%u flags=%u %s",
                            record->ksymbol.address, record->ksymbol.length, record->ksymbol.type,
                            record->ksymbol.flags, record->ksymbol.name);
    break;
  case PEN_RECORD_BPF_EVENT:
    g_string_append_printf (line, " type=%u flags=%u id=%u tag=", record->bpf_event.type,
                            record->bpf_event.flags, record->bpf_event.id);
    append_hex (line, record->bpf_event.tag, 8);
    break;
  case PEN_RECORD_TEXT_POKE:
    g_string_append_printf (line, " %" G_GINT64_MODIFIER "x ", record->text_poke.address);
    append_hex (line, record->text_poke.old_bytes, record->text_poke.old_length);
    g_string_append (line, "->");
    append_hex (line, record->text_poke.new_bytes, record->text_poke.new_length);
    break;
  case PEN_RECORD_CGROUP:
    g_string_append_printf (line, " %" G_GUINT64_FORMAT " %s", record->cgroup.id,
                            record->cgroup.path);
    break;
  case PEN_RECORD_CALLCHAIN_DEFERRED:
    g_string_append_printf (line, " %" G_GUINT64_FORMAT, record->deferred.cookie);
    append_addresses (line, record->deferred.callchain, record->deferred.callchain_length);
    break;
  case PEN_RECORD_SAMPLE:
    append_sample (line, &record->sample);
    break;
  default:
    break;
  }
}

char *
pen_test_describe (PenReader *reader, const PenRecord *record)
{
  GString *line = g_string_new (pen_record_type_get_name (record->type));

  g_string_append_printf (line, " misc=%x", record->misc);
  if (record->has & PEN_HAS_TIME)
    g_string_append_printf (line, " time=%" G_GUINT64_FORMAT, record->time);
  if (record->has & PEN_HAS_TASK)
    g_string_append_printf (line, " task=%d/%d", record->pid, record->tid);
  if (record->has & PEN_HAS_CPU)
    g_string_append_printf (line, " cpu=%u", record->cpu);
  if (record->event >= 0) {
    const PenAttr *attr = g_ptr_array_index (pen_reader_get_attrs (reader), record->event);

    g_string_append_printf (line, " event=%s", attr->name);
  }
  append_fields (line, record);
  return g_string_free (line, FALSE);
}

static GPtrArray *
describe_problems (PenReader *reader)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *problems = pen_reader_get_problems (reader);

  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);
    g_autofree char *sentence = pen_reason_describe (problem->reason);

    g_assert_cmpstr (sentence, !=, problem->reason);
    g_ptr_array_add (lines, g_strdup_printf ("%u %s %" G_GUINT64_FORMAT " %s", problem->action,
                                             pen_record_type_get_name (problem->record_type),
                                             problem->count, sentence));
  }
  return lines;
}

GPtrArray *
pen_test_read_lines (const char *path, GPtrArray **problems, GError **error)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, error);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GError *inner = NULL;
  PenRecord record;

  if (problems)
    *problems = NULL;
  if (!reader)
    return NULL;
  while (pen_reader_next (reader, &record, NULL, &inner)) {
    if (record.type < PEN_RECORD_HEADER_ATTR)
      g_ptr_array_add (lines, pen_test_describe (reader, &record));
  }
  if (inner) {
    g_propagate_error (error, inner);
    return NULL;
  }
  if (problems)
    *problems = describe_problems (reader);
  return g_steal_pointer (&lines);
}

void
pen_test_assert_same_lines (GPtrArray *actual, GPtrArray *expected)
{
  for (guint i = 0; i < MIN (actual->len, expected->len); i++)
    g_assert_cmpstr (g_ptr_array_index (actual, i), ==, g_ptr_array_index (expected, i));
  g_assert_cmpuint (actual->len, ==, expected->len);
}

gint64
pen_test_count_records (const char *path, GError **error)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, error);
  g_autoptr (GError) inner = NULL;
  PenRecord record;
  gint64 count = 0;

  if (!reader)
    return -1;
  while (pen_reader_next (reader, &record, NULL, &inner)) {
    g_autofree char *line = pen_test_describe (reader, &record);

    count += line[0] != '\0' && record.type < PEN_RECORD_HEADER_ATTR;
  }
  g_assert_no_error (inner);
  return count;
}

char *
pen_test_make_directory (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("pen-test-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

void
pen_test_remove_directory (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
      pen_test_remove_directory (child);
    else
      g_unlink (child);
  }
  g_rmdir (path);
}
