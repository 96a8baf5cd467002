/* test-captures.c: real captures give as many records as perf counts, and no more trouble
 *
 * The small ones are in tests/data; for the large ones PENTIMENTO_CAPTURES names the directory that
 * they were unpacked in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-reader.h"

#define NS_PER_SECOND 1000000000ull

/* What `perf report -D` counts. */
typedef struct {
  const char *name;
  const char *shape;
  guint64 samples;
  guint64 mmap;
  guint64 mmap2;
  guint64 ksymbols;
  guint64 bpf_events;
  guint64 pokes;
  guint64 rounds;
  guint events;
  guint bpf_programs;
  const char *os_release;
} Expected;

static const Expected bundled[] = {
  { "a-jump-labels.data", "directory", 2088, 8, 106, 0, 0, 486, 4, 3, 0, "6.1.0-56-cloud-amd64" },
  { "b-ftrace.data", "directory", 4570, 8, 130, 6, 0, 90, 3, 3, 0, "6.1.0-56-cloud-amd64" },
  { "c-kprobes.data", "directory", 5049, 8, 147, 3, 0, 101, 2, 3, 0, "6.1.0-56-cloud-amd64" },
  { "d-bpf.data", "directory", 1564, 8, 90, 84, 74, 54, 2, 3, 26, "6.1.0-56-cloud-amd64" },
  { "e-modules.data", "directory", 2556, 8, 408, 1, 0, 33, 3, 3, 0, "6.1.0-56-cloud-amd64" },
  { "f-everything-z.data", "directory, compressed", 11564, 8, 601, 93, 74, 648, 16, 3, 37,
    "6.1.0-56-cloud-amd64" },
  { "k7-c-kprobes.data", "directory", 4426, 0, 197, 3, 0, 97, 2, 3, 0, "7.2.12+deb13-cloud-amd64" },
  { "k7-d-bpf.data", "directory", 1490, 0, 144, 93, 81, 71, 3, 3, 26, "7.2.12+deb13-cloud-amd64" },
  { "a-pipe.data", "pipe", 2045, 8, 50, 0, 0, 486, 236, 2, 0, NULL },
};

static void
count (PenReader *reader, guint64 counts[PEN_RECORD_TYPES])
{
  g_autoptr (GError) error = NULL;
  PenRecord record;

  memset (counts, 0, PEN_RECORD_TYPES * sizeof counts[0]);
  while (pen_reader_next (reader, &record, NULL, &error)) {
    g_assert_cmpuint (record.type, <, PEN_RECORD_TYPES);
    counts[record.type]++;
    if (record.type < PEN_RECORD_HEADER_ATTR)
      g_assert_true (record.has & PEN_HAS_TIME);
  }
  g_assert_no_error (error);
}

static void
test_bundled (gconstpointer data)
{
  const Expected *expected = data;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", expected->name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, &error);
  guint64 counts[PEN_RECORD_TYPES];
  const PenFeatures *features;

  g_assert_no_error (error);
  count (reader, counts);
  g_assert_cmpuint (counts[PEN_RECORD_SAMPLE], ==, expected->samples);
  g_assert_cmpuint (counts[PEN_RECORD_MMAP], ==, expected->mmap);
  g_assert_cmpuint (counts[PEN_RECORD_MMAP2], ==, expected->mmap2);
  g_assert_cmpuint (counts[PEN_RECORD_KSYMBOL], ==, expected->ksymbols);
  g_assert_cmpuint (counts[PEN_RECORD_BPF_EVENT], ==, expected->bpf_events);
  g_assert_cmpuint (counts[PEN_RECORD_TEXT_POKE], ==, expected->pokes);
  g_assert_cmpuint (counts[PEN_RECORD_FINISHED_ROUND], ==, expected->rounds);
  g_assert_cmpuint (pen_reader_get_attrs (reader)->len, ==, expected->events);
  g_assert_cmpstr (pen_reader_get_shape (reader), ==, expected->shape);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
  g_assert_cmpint (pen_reader_get_kcore_dir (reader) != NULL, ==,
                   g_str_has_prefix (expected->shape, "directory"));

  features = pen_reader_get_features (reader);
  g_assert_cmpstr (features->os_release, ==, expected->os_release);
  g_assert_cmpuint (features->bpf_programs->len, ==, expected->bpf_programs);
}

/* Each line of the source is at an address within one of the program's functions. */
static void
count_lines (const PenBpfProgram *program, guint *lines, guint *functions)
{
  for (guint i = 0; i < program->functions->len; i++) {
    const PenBpfFunction *function = &g_array_index (program->functions, PenBpfFunction, i);

    g_assert_true (function->has_tag);
    g_assert_nonnull (function->bytes);
    (*functions)++;
    for (guint k = 0; k < program->lines->len; k++) {
      const PenBpfLine *line = &g_array_index (program->lines, PenBpfLine, k);

      *lines += line->address - function->address < function->length;
    }
  }
}

static void
test_bpf_lines (gconstpointer data)
{
  gboolean is_newer = GPOINTER_TO_INT (data);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data",
                                                 is_newer ? "k7-d-bpf.data" : "d-bpf.data", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, &error);
  const PenFeatures *features;
  guint recorded = 0, placed = 0, functions = 0;
  guint64 counts[PEN_RECORD_TYPES];

  g_assert_no_error (error);
  count (reader, counts);
  features = pen_reader_get_features (reader);
  for (guint i = 0; i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    recorded += program->lines->len;
    count_lines (program, &placed, &functions);
  }
  g_assert_cmpuint (recorded, ==, is_newer ? 216 : 205);
  g_assert_cmpuint (placed, ==, recorded);
  g_assert_cmpuint (functions, ==, 29);
  g_assert_cmpint (g_tree_nnodes (features->btf), ==, 10);
  g_assert_cmpuint (features->pmus->len, ==, is_newer ? 8 : 6);
  g_assert_cmpint (features->has_time_conversion, ==, is_newer);
  g_assert_true (features->has_sample_times);
  g_assert_cmpuint (features->first_sample_time, <, features->last_sample_time);
}

static const char *
get_captures (void)
{
  const char *path = g_getenv ("PENTIMENTO_CAPTURES");

  if (!path || !g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("PENTIMENTO_CAPTURES does not name a directory of large captures");
    return NULL;
  }
  return path;
}

/* Lines of `COUNT PERF_RECORD_NAME`. */
static void
read_counts (const char *path, guint64 counts[PEN_RECORD_TYPES])
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  memset (counts, 0, PEN_RECORD_TYPES * sizeof counts[0]);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    const char *name = strstr (lines[i], "PERF_RECORD_");

    if (!name)
      continue;
    name += strlen ("PERF_RECORD_");
    if (g_str_equal (name, "ATTR"))
      name = "HEADER_ATTR";
    if (g_str_equal (name, "FEATURE"))
      name = "HEADER_FEATURE";
    for (guint type = 1; type < PEN_RECORD_TYPES; type++) {
      if (g_str_equal (pen_record_type_get_name (type), name))
        counts[type] = g_ascii_strtoull (lines[i], NULL, 10);
    }
  }
}

static char *
find_capture (const char *directory)
{
  static const char *const names[] = { "perf.data", "pipe.data" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (directory, names[i], NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
  return NULL;
}

static void
test_large (void)
{
  const char *captures = get_captures ();
  g_autoptr (GDir) dir = captures ? g_dir_open (captures, 0, NULL) : NULL;
  const char *name;
  guint seen = 0;

  if (!captures)
    return;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *directory = g_build_filename (captures, name, NULL);
    g_autofree char *counts_path = g_build_filename (directory, "counts.txt", NULL);
    g_autofree char *path = find_capture (directory);
    g_autoptr (GError) error = NULL;
    g_autoptr (PenReader) reader = NULL;
    guint64 expected[PEN_RECORD_TYPES], counts[PEN_RECORD_TYPES];

    if (!path || !g_file_test (counts_path, G_FILE_TEST_EXISTS))
      continue;
    reader = pen_reader_open (path, NULL, &error);
    g_assert_no_error (error);
    read_counts (counts_path, expected);
    count (reader, counts);
    for (guint type = 0; type < PEN_RECORD_TYPES; type++) {
      g_test_message ("%s %s", name, pen_record_type_get_name (type));
      g_assert_cmpuint (counts[type], ==, expected[type]);
    }
    g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
    seen++;
  }
  g_assert_cmpuint (seen, >, 0);
}

typedef struct {
  guint64 time;
  guint64 address;
  guint32 length;
} Load;

/* Lines `LAB SECONDS load NAME … addr=HEX len=N …`, written by the program that loaded them. */
static GArray *
read_loads (const char *path)
{
  GArray *loads = g_array_new (FALSE, FALSE, sizeof (Load));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    const char *address = strstr (lines[i], " addr=");
    const char *length = strstr (lines[i], " len=");
    Load load;

    if (!g_str_has_prefix (lines[i], "LAB ") || !strstr (lines[i], " load ") || !address || !length)
      continue;
    load.time = (guint64) (g_ascii_strtod (lines[i] + 4, NULL) * 1e9);
    load.address = g_ascii_strtoull (address + strlen (" addr="), NULL, 16);
    load.length = (guint32) g_ascii_strtoull (length + strlen (" len="), NULL, 10);
    g_array_append_val (loads, load);
  }
  return loads;
}

static gboolean
is_near (guint64 a, guint64 b)
{
  return MAX (a, b) - MIN (a, b) < NS_PER_SECOND / 10;
}

/* Every program that was loaded is there, at its time, although the records were inflated. */
static void
test_two_recorders (void)
{
  const char *captures = get_captures ();
  g_autofree char *path = NULL;
  g_autofree char *truth = NULL;
  g_autoptr (GArray) loads = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  guint repaired = 0;
  GPtrArray *problems;
  PenRecord record;

  if (!captures)
    return;
  path = g_build_filename (captures, "h-two-recorders", "perf.data", NULL);
  truth = g_build_filename (captures, "h-two-recorders", "bpf-truth.txt", NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("PENTIMENTO_CAPTURES has no h-two-recorders");
    return;
  }
  loads = read_loads (truth);
  g_assert_cmpuint (loads->len, >, 20);
  reader = pen_reader_open (path, NULL, &error);
  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error)) {
    repaired += record.was_inflated;
    if (record.was_inflated) {
      g_assert_true (record.has & PEN_HAS_TASK);
      g_assert_cmpuint (record.time, >, 6 * NS_PER_SECOND);
      g_assert_cmpuint (record.time, <, 20 * NS_PER_SECOND);
      g_assert_cmpuint (record.cpu, <, 2);
    }
    if (record.type != PEN_RECORD_KSYMBOL || (record.ksymbol.flags & PEN_KSYMBOL_UNREGISTER))
      continue;
    for (guint i = 0; i < loads->len; i++) {
      const Load *load = &g_array_index (loads, Load, i);

      if (load->address == record.ksymbol.address && load->length == record.ksymbol.length
          && is_near (load->time, record.time)) {
        g_array_remove_index (loads, i);
        break;
      }
    }
  }
  g_assert_no_error (error);
  g_assert_cmpuint (loads->len, ==, 0);
  g_assert_cmpuint (repaired, ==, 243);

  problems = pen_reader_get_problems (reader);
  g_assert_cmpuint (problems->len, ==, 2);
  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);

    g_assert_cmpuint (problem->action, ==, PEN_PROBLEM_REPAIRED);
    repaired -= (guint) problem->count;
  }
  g_assert_cmpuint (repaired, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bundled); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/bundled/%s", bundled[i].name);

    g_test_add_data_func (path, &bundled[i], test_bundled);
  }
  g_test_add_data_func ("/perfdata/bundled/bpf-lines", GINT_TO_POINTER (FALSE), test_bpf_lines);
  g_test_add_data_func ("/perfdata/bundled/bpf-lines-newer", GINT_TO_POINTER (TRUE),
                        test_bpf_lines);
  g_test_add_func ("/perfdata/large/counts", test_large);
  g_test_add_func ("/perfdata/large/two-recorders", test_two_recorders);
  return g_test_run ();
}
