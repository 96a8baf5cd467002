/* test-shapes.c: the same capture in every shape gives the same records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-reason.h"
#include "pen-test-lines.h"
#include "pen-test-samples.h"

typedef struct {
  const char *name;
  PenTestCaptureFlags flags;
  const char *shape;
  guint problems;
  gboolean has_features;
} Shape;

static const Shape shapes[] = {
  { "file", 0, "file", 0, TRUE },
  { "file-big-endian", PEN_TEST_CAPTURE_BIG_ENDIAN, "file", 0, TRUE },
  { "file-zstd", PEN_TEST_CAPTURE_ZSTD, "file, compressed", 0, TRUE },
  { "file-zstd-2", PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2, "file, compressed", 0,
    TRUE },
  { "file-zstd-2-big-endian",
    PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2 | PEN_TEST_CAPTURE_BIG_ENDIAN,
    "file, compressed", 0, TRUE },
  { "file-inflated", PEN_TEST_CAPTURE_INFLATED, "file", 3, TRUE },
  { "file-inflated-big-endian", PEN_TEST_CAPTURE_INFLATED | PEN_TEST_CAPTURE_BIG_ENDIAN, "file", 3,
    TRUE },
  { "file-inflated-zstd", PEN_TEST_CAPTURE_INFLATED | PEN_TEST_CAPTURE_ZSTD, "file, compressed", 3,
    TRUE },
  { "file-unterminated", PEN_TEST_CAPTURE_UNTERMINATED, "file", 1, FALSE },
  { "file-old-header", PEN_TEST_CAPTURE_OLD_HEADER, "file", 0, FALSE },
  { "file-attrs-last", PEN_TEST_CAPTURE_ATTRS_LAST, "file", 0, TRUE },
  { "file-version-1", PEN_TEST_CAPTURE_VERSION_1, "file", 0, TRUE },
  { "file-version-1-big-endian", PEN_TEST_CAPTURE_VERSION_1 | PEN_TEST_CAPTURE_BIG_ENDIAN, "file",
    0, TRUE },
  { "pipe-version-1-big-endian",
    PEN_TEST_CAPTURE_VERSION_1 | PEN_TEST_CAPTURE_BIG_ENDIAN | PEN_TEST_CAPTURE_PIPE, "pipe", 0,
    TRUE },
  { "pipe", PEN_TEST_CAPTURE_PIPE, "pipe", 0, TRUE },
  { "pipe-big-endian", PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_BIG_ENDIAN, "pipe", 0, TRUE },
  { "pipe-zstd", PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_ZSTD, "pipe, compressed", 0, TRUE },
  { "directory", PEN_TEST_CAPTURE_DIRECTORY, "directory", 0, TRUE },
  { "directory-big-endian", PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_BIG_ENDIAN, "directory",
    0, TRUE },
  { "threads", PEN_TEST_CAPTURE_THREADS, "directory", 0, TRUE },
  { "threads-zstd", PEN_TEST_CAPTURE_THREADS | PEN_TEST_CAPTURE_ZSTD, "directory, compressed", 0,
    TRUE },
  { "threads-inflated", PEN_TEST_CAPTURE_THREADS | PEN_TEST_CAPTURE_INFLATED, "directory", 3,
    TRUE },
};

static guint64
get_time (const char *line)
{
  const char *time = strstr (line, " time=");

  return time ? g_ascii_strtoull (time + strlen (" time="), NULL, 10) : 0;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  guint64 left = get_time (*(const char *const *) a);
  guint64 right = get_time (*(const char *const *) b);

  return (left > right) - (left < right);
}

/* Events without a recorded name have the derived one. */
static char *
expect_line (const char *line, gboolean has_names)
{
  g_autoptr (GString) expected = g_string_new (line);

  if (!has_names) {
    g_string_replace (expected, "event=cpu-clock", "event=cpu-clock:HG", 0);
    g_string_replace (expected, "event=dummy:u", "event=dummy:HG", 0);
  }
  return g_string_free (g_steal_pointer (&expected), FALSE);
}

static void
assert_everything (GPtrArray *lines, gboolean has_names)
{
  guint n = g_strv_length ((char **) pen_test_everything_lines);

  g_ptr_array_sort (lines, compare_times); /* stable: only the order of CPUs changes */
  for (guint i = 0; i < MIN (n, lines->len); i++) {
    g_autofree char *expected = expect_line (pen_test_everything_lines[i], has_names);

    g_assert_cmpstr (g_ptr_array_index (lines, i), ==, expected);
  }
  g_assert_cmpuint (lines->len, ==, n);
}

static void
assert_features (const PenFeatures *features)
{
  const PenBpfProgram *program;
  const PenBpfFunction *function;
  const PenBuildId *build_id;

  g_assert_cmpstr (features->hostname, ==, "testhost");
  g_assert_cmpstr (features->os_release, ==, "6.1.0-test");
  g_assert_cmpstr (features->arch, ==, "x86_64");
  g_assert_cmpstr (features->perf_version, ==, "6.1.176");
  g_assert_cmpstr (features->cpu_description, ==, "A processor");
  g_assert_cmpstr (features->cpu_id, ==, "Vendor,1,2,3");
  g_assert_cmpuint (features->cpus_available, ==, 8);
  g_assert_cmpuint (features->cpus_online, ==, 4);
  g_assert_cmpuint (features->total_memory_kb, ==, 2970364);
  g_assert_cmpstr (features->command_line, ==, "perf record -e 'a b' -- 'it'\\''s'");
  g_assert_true (features->has_clock_data);
  g_assert_cmpuint (features->clock_id, ==, 1);
  g_assert_cmpuint (features->wall_clock_ns, ==, 1795188775619334000);
  g_assert_cmpuint (features->clock_ns, ==, 3534260498056);
  g_assert_cmpuint (features->clock_resolution_ns, ==, 1);

  g_assert_cmpuint (features->build_ids->len, ==, 2);
  build_id = g_ptr_array_index (features->build_ids, 1);
  g_assert_cmpint (build_id->pid, ==, 42);
  g_assert_cmpuint (build_id->length, ==, 16);
  g_assert_cmpuint (build_id->id[15], ==, 16);
  g_assert_cmpstr (build_id->name, ==, "/usr/bin/dash");

  g_assert_cmpuint (features->bpf_programs->len, ==, 2);
  program = g_ptr_array_index (features->bpf_programs, 0);
  g_assert_cmpuint (program->id, ==, 17);
  g_assert_cmpuint (program->btf_id, ==, 3);
  g_assert_cmpuint (program->load_time, ==, 123456789);
  g_assert_cmpmem (program->tag, 8, "\xde\xad\xbe\xef\1\2\3\4", 8);
  g_assert_cmpstr (program->name, ==, "name");
  g_assert_cmpuint (program->functions->len, ==, 2);
  function = &g_array_index (program->functions, PenBpfFunction, 1);
  g_assert_cmphex (function->address, ==, 0xffffffffc0001c10);
  g_assert_cmpmem (function->bytes, function->length, "\6\7\10\11\12\13", 6);
  program = g_ptr_array_index (features->bpf_programs, 1);
  g_assert_cmpstr (program->name, ==, "a_name_of_fifte");
  g_assert_cmpuint (g_bytes_get_size (g_tree_lookup (features->btf, GUINT_TO_POINTER (3))), ==, 4);
}

static void
read_all (PenReader *reader, GPtrArray *lines)
{
  g_autoptr (GError) error = NULL;
  guint64 position = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, &error)) {
    g_assert_cmpuint (record.position, >, position);
    position = record.position;
    if (record.type < PEN_RECORD_HEADER_ATTR)
      g_ptr_array_add (lines, pen_test_describe (reader, &record));
  }
  g_assert_no_error (error);
}

static void
assert_problems (PenReader *reader, const Shape *shape)
{
  GPtrArray *problems = pen_reader_get_problems (reader);

  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);

    g_test_message ("%u %" G_GUINT64_FORMAT " × %s", problem->action, problem->count,
                    problem->reason);
    g_assert_cmpuint (problem->action, ==, PEN_PROBLEM_REPAIRED);
  }
  g_assert_cmpuint (problems->len, ==, shape->problems);
}

static void
test_shape (gconstpointer data)
{
  const Shape *shape = data;
  g_autofree char *directory = pen_test_make_directory ();
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  pen_test_capture_write (capture, path, shape->flags, &error);
  g_assert_no_error (error);

  reader = pen_reader_open (path, NULL, &error);
  g_assert_no_error (error);
  read_all (reader, lines);
  assert_everything (lines, shape->has_features);
  assert_problems (reader, shape);
  g_assert_cmpstr (pen_reader_get_shape (reader), ==, shape->shape);
  g_assert_cmpuint (pen_reader_get_bytes_read (reader), ==, pen_reader_get_size (reader));
  if (shape->has_features)
    assert_features (pen_reader_get_features (reader));
  pen_test_remove_directory (directory);
}

static void
test_data_of_directory (void)
{
  g_autofree char *directory = pen_test_make_directory ();
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autofree char *data = g_build_filename (path, "data", NULL);
  g_autofree char *kcore_dir = g_build_filename (path, "kcore_dir", NULL);
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_THREADS, &error);
  g_assert_no_error (error);
  reader = pen_reader_open (data, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (pen_reader_get_shape (reader), ==, "directory");
  g_assert_cmpstr (pen_reader_get_kcore_dir (reader), ==, kcore_dir);
  g_assert_cmpstr (pen_reader_get_files (reader)[2], ==, "data.1");
  g_assert_null (pen_reader_get_files (reader)[3]);
  read_all (reader, lines);
  assert_everything (lines, TRUE);
  pen_test_remove_directory (directory);
}

static void
test_repairs_are_told (void)
{
  g_autofree char *directory = pen_test_make_directory ();
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  guint64 first_offset[PEN_RECORD_TYPES] = { 0 };
  guint64 counts[PEN_RECORD_TYPES] = { 0 };
  GPtrArray *problems;
  PenRecord record;

  pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_INFLATED, &error);
  reader = pen_reader_open (path, NULL, &error);
  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error)) {
    if (!record.was_inflated)
      continue;
    if (counts[record.type]++ == 0)
      first_offset[record.type] = record.offset;
  }
  problems = pen_reader_get_problems (reader);
  g_assert_cmpuint (problems->len, ==, 3);
  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);

    g_assert_cmpuint (problem->count, ==, counts[problem->record_type]);
    g_assert_cmpuint (problem->offset, ==, first_offset[problem->record_type]);
    g_assert_cmpstr (problem->reason, ==, PEN_REASON_SIZE_TOO_LARGE);
  }
  g_assert_cmpuint (counts[PEN_RECORD_KSYMBOL], ==, 2); /* the synthesized one is not inflated */
  g_assert_cmpuint (counts[PEN_RECORD_BPF_EVENT], ==, 2);
  g_assert_cmpuint (counts[PEN_RECORD_TEXT_POKE], ==, 3);
  pen_test_remove_directory (directory);
}

static void
test_cancel (void)
{
  g_autofree char *directory = pen_test_make_directory ();
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, &error);
  reader = pen_reader_open (path, NULL, &error);
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_reader_next (reader, &record, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  pen_test_remove_directory (directory);
}

/* Enough that the stream's buffer is filled anew many times, at any place within a record. */
static void
test_many_records (gconstpointer data)
{
  PenTestCaptureFlags flags = (PenTestCaptureFlags) GPOINTER_TO_UINT (data);
  const guint n = 40000;
  g_autofree char *directory = pen_test_make_directory ();
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;
  guint seen = 0;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  for (guint i = 0; i < n; i++) {
    pen_test_capture_at (capture, 1000 + i, (gint32) i, (gint32) i, i % 4);
    if (i % 7 == 3)
      pen_test_capture_add_comm (capture, (gint32) i, (gint32) i, FALSE, "a comm of 15 chs");
    else
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000000 + i, i);
    if (i % 5000 == 0)
      pen_test_capture_add_finished_round (capture);
  }
  pen_test_capture_write (capture, path, flags, &error);
  reader = pen_reader_open (path, NULL, &error);
  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error)) {
    if (record.type >= PEN_RECORD_HEADER_ATTR)
      continue;
    g_assert_cmpuint (record.time, ==, 1000 + seen);
    g_assert_cmpint (record.pid, ==, seen);
    if (record.type == PEN_RECORD_SAMPLE)
      g_assert_cmpuint (record.sample.period, ==, seen);
    else
      g_assert_cmpstr (record.comm.comm, ==, "a comm of 15 chs");
    seen++;
  }
  g_assert_no_error (error);
  g_assert_cmpuint (seen, ==, n);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
  pen_test_remove_directory (directory);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/shape/%s", shapes[i].name);

    g_test_add_data_func (path, &shapes[i], test_shape);
  }
  g_test_add_func ("/perfdata/data-of-directory", test_data_of_directory);
  g_test_add_func ("/perfdata/repairs-are-told", test_repairs_are_told);
  g_test_add_func ("/perfdata/cancel", test_cancel);
  g_test_add_data_func ("/perfdata/many/file", GUINT_TO_POINTER (0), test_many_records);
  g_test_add_data_func ("/perfdata/many/zstd", GUINT_TO_POINTER (PEN_TEST_CAPTURE_ZSTD),
                        test_many_records);
  g_test_add_data_func ("/perfdata/many/pipe-big-endian",
                        GUINT_TO_POINTER (PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_BIG_ENDIAN),
                        test_many_records);
  return g_test_run ();
}
