/* test-jit.c: code that a runtime made while it ran, by its jitdump (rule U6)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "import-fixture.h"
#include "pen-jit-dump.h"
#include "pen-query-annotation.h"
#include "pen-query-history.h"
#include "pen-query-resolve.h"
#include "pen-query.h"
#include "pen-store-functions.h"
#include "pen-store-records.h"

#include "pen-reason.h"

#define PID 10
#define ARENA G_GUINT64_CONSTANT (0x7f0000000000)
#define ARENA_LENGTH 0x10000u
#define CODE (ARENA + 0x100)
#define MOVED (ARENA + 0x400)
#define LIBRARY (ARENA + 0x8000)
#define USE_CLOCKID (G_GUINT64_CONSTANT (1) << 25)

typedef struct {
  ImportFixture fixture;
  char *dump;
} Fixture;

/* ---- writing a dump ---- */

typedef struct {
  GByteArray *bytes;
  gboolean is_swapped;
} Dump;

static void
put32 (Dump *self, guint32 value)
{
  if (self->is_swapped)
    value = GUINT32_SWAP_LE_BE (value);
  g_byte_array_append (self->bytes, (const guint8 *) &value, sizeof value);
}

static void
put64 (Dump *self, guint64 value)
{
  if (self->is_swapped)
    value = GUINT64_SWAP_LE_BE (value);
  g_byte_array_append (self->bytes, (const guint8 *) &value, sizeof value);
}

static void
put_header (Dump *self, guint64 flags)
{
  put32 (self, 0x4a695444);
  put32 (self, 1);
  put32 (self, 40);
  put32 (self, 62);
  put32 (self, 0);
  put32 (self, PID);
  put64 (self, 5);
  put64 (self, flags);
}

static void
put_load (Dump *self, guint64 time, guint64 index, guint64 address, const char *name,
          const void *code, guint32 length)
{
  gsize name_length = strlen (name) + 1;

  put32 (self, 0);
  put32 (self, (guint32) (16 + 40 + name_length + length));
  put64 (self, time);
  put32 (self, PID);
  put32 (self, PID);
  put64 (self, address);
  put64 (self, address);
  put64 (self, length);
  put64 (self, index);
  g_byte_array_append (self->bytes, (const guint8 *) name, (guint) name_length);
  g_byte_array_append (self->bytes, code, length);
}

static void
put_move (Dump *self, guint64 time, guint64 index, guint64 from, guint64 to, guint64 length)
{
  put32 (self, 1);
  put32 (self, 16 + 48);
  put64 (self, time);
  put32 (self, PID);
  put32 (self, PID);
  put64 (self, to);
  put64 (self, from);
  put64 (self, to);
  put64 (self, length);
  put64 (self, index);
}

typedef struct {
  guint64 address;
  const char *file;
  guint32 line;
} Line;

/* Of the code that comes next. */
static void
put_lines (Dump *self, guint64 address, const Line *lines, guint n)
{
  guint size = 16 + 16;

  for (guint i = 0; i < n; i++)
    size += 16 + (guint) strlen (lines[i].file) + 1;
  put32 (self, 2);
  put32 (self, size);
  put64 (self, 1);
  put64 (self, address);
  put64 (self, n);
  for (guint i = 0; i < n; i++) {
    put64 (self, lines[i].address);
    put32 (self, lines[i].line);
    put32 (self, 0);
    g_byte_array_append (self->bytes, (const guint8 *) lines[i].file,
                         (guint) strlen (lines[i].file) + 1);
  }
}

/* Unwinding information, and one that nobody knows. */
static void
put_others (Dump *self)
{
  for (guint id = 4; id <= 77; id += 73) {
    put32 (self, id);
    put32 (self, 16 + 24);
    put64 (self, 1);
    put64 (self, 8);
    put64 (self, 0);
    put64 (self, 0);
  }
}

static const guint8 nops[8] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3 };
static const guint8 zeros[8] = { 0x31, 0xc0, 0x31, 0xc0, 0x31, 0xc0, 0x90, 0xc3 };

static GBytes *
make_dump (gboolean is_swapped, guint64 flags)
{
  /* In any order; a name may be that of the entry before; one is of other code. */
  const Line first[] = {
    { CODE + 4, "/app/main.js", 12 },
    { CODE, "\377", 10 },
    { CODE + 8, "/app/main.js", 99 },
    { CODE + 5, "/app/other.js", 3 },
  };
  const Line second[] = { { CODE + 2, "/app/second.js", 21 } };
  Dump dump = { g_byte_array_new (), is_swapped };

  put_header (&dump, flags);
  put_lines (&dump, CODE, second, 1);
  put_lines (&dump, CODE, first, G_N_ELEMENTS (first));
  put_load (&dump, 1200, 1, CODE, "first", nops, sizeof nops);
  put_others (&dump);
  put_lines (&dump, CODE, second, 1);
  put_load (&dump, 1400, 2, CODE, "second", zeros, sizeof zeros);
  put_move (&dump, 1500, 2, CODE, MOVED, sizeof zeros);
  put_load (&dump, 1600, 3, LIBRARY + 0x10, "builtin", nops, sizeof nops);
  put_move (&dump, 1700, 99, CODE, MOVED, 8); /* of what was never there */

  return g_byte_array_free_to_bytes (dump.bytes);
}

static void
write_dump (Fixture *self, GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  g_assert_true (g_file_set_contents (self->dump, data, (gssize) length, NULL));
}

/* ---- the capture ---- */

static void
set_up (Fixture *self, gconstpointer data)
{
  import_fixture_set_up (&self->fixture, data);
  self->dump = g_build_filename (self->fixture.directory, "jit-10.dump", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  import_fixture_tear_down (&self->fixture, data);
  g_free (self->dump);
}

static void
add_map (PenTestCapture *capture, guint64 time, guint64 start, guint64 length, const char *name)
{
  pen_test_capture_at (capture, time, PID, PID, 0);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, PID, PID, start, length, 0, 5, 2, NULL, name);
}

static void
add_sample (PenTestCapture *capture, guint64 time, guint64 address)
{
  pen_test_capture_at (capture, time, PID, PID, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_USER, address, 1);
}

static PenTestCapture *
make_capture (Fixture *self, gint32 clockid)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  PenTestCapture *capture = pen_test_capture_new ();

  event.flags |= USE_CLOCKID;
  event.clockid = clockid;
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_at (capture, 1000, PID, PID, 0);
  pen_test_capture_add_comm (capture, PID, PID, TRUE, "runtime");
  add_map (capture, 1010, LIBRARY, 0x1000, "/lib/runtime.so");
  add_map (capture, 1020, ARENA, 0x8000, "//anon");
  add_map (capture, 1030, ARENA + 0x20000, 0x1000, self->dump);
  add_sample (capture, 1100, CODE + 1);
  add_sample (capture, 1250, CODE + 1);
  /* Memory is made executable again: it is the same memory. */
  add_map (capture, 1300, ARENA, 0x8000, "//anon");
  add_sample (capture, 1350, CODE + 1);
  add_sample (capture, 1360, CODE + 0x20);
  add_sample (capture, 1450, CODE + 2);
  add_sample (capture, 1550, MOVED + 2);
  add_sample (capture, 1560, CODE + 2);
  add_sample (capture, 1650, LIBRARY + 0x12);
  return capture;
}

static PenStore *
import (Fixture *self, gint32 clockid)
{
  g_autoptr (PenTestCapture) capture = make_capture (self, clockid);

  return import_fixture_import_with (&self->fixture, capture, NULL);
}

static const PenFunction *
find_function (PenStore *store, const char *symbol)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (functions[i].symbol, symbol) == 0)
      return &functions[i];
  return NULL;
}

static void
assert_function (Fixture *self, PenStore *store, const char *symbol, guint64 start, guint samples)
{
  const PenFunction *function = find_function (store, symbol);

  g_assert_nonnull (function);
  g_assert_cmphex (function->start, ==, start);
  g_assert_cmpuint (function->length, ==, 8);
  g_assert_cmpuint (function->samples, ==, samples);
  g_assert_cmpuint (function->versions, ==, 1);
  g_assert_cmpint (function->kind, ==, PEN_KIND_ANON);
  g_assert_cmpstr (function->occupant, ==, self->dump);
}

static void
assert_bytes (PenStore *store, const char *symbol, const char *instruction)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (GArray) found = pen_query_find_functions (query, symbol, NULL);
  g_autoptr (PenAnnotated) annotated
      = pen_query_annotate (query, NULL, g_array_index (found, guint32, 0), PEN_SYNTAX_ATT, NULL);
  const PenAnnotationLine *line = annotated->lines->pdata[0];

  g_assert_cmpuint (annotated->tenures->len, ==, 1);
  g_assert_cmpstr (line->instruction, ==, instruction);
  g_assert_cmpint (line->evidence, ==, PEN_EVIDENCE_FILE_UNCHECKED);
}

/* "main.js:10 main.js:12 …" of each instruction. */
static void
assert_lines (PenStore *store, const char *symbol, guint which, const char *expected)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (GArray) found = pen_query_find_functions (query, symbol, NULL);
  g_autoptr (PenAnnotated) annotated = pen_query_annotate (
      query, NULL, g_array_index (found, guint32, which), PEN_SYNTAX_ATT, NULL);
  g_autoptr (GString) told = g_string_new (NULL);

  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    g_autofree char *name
        = line->source_file ? g_path_get_basename (line->source_file) : g_strdup ("-");

    g_string_append_printf (told, "%s:%u ", name, line->source_line);
  }
  g_assert_cmpstr (told->str, ==, expected);
}

/* The same address, as what it was each time. */
static void
assert_history (PenStore *store)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (GPtrArray) rows = pen_query_history (query, NULL, CODE + 2, PEN_SYNTAX_ATT, NULL);
  guint n = 0;

  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    if (strcmp (row->instruction, "xor    %eax,%eax") == 0) {
      g_assert_cmpuint (row->samples, ==, 1);
      n++;
    }
  }
  g_assert_cmpuint (n, ==, 1);
}

static guint
count_samples_of (PenStore *store, PenKind kind, const char *occupant)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);

  for (guint i = 0; i < n; i++)
    if (!functions[i].symbol && functions[i].kind == kind
        && strcmp (functions[i].occupant, occupant) == 0)
      return (guint) functions[i].samples;
  return 0;
}

static void
test_times (Fixture *self, gconstpointer data)
{
  (void) data;
  for (guint swapped = 0; swapped < 2; swapped++) {
    g_autoptr (GBytes) dump = make_dump (swapped != 0, 0);
    g_autoptr (PenStore) store = NULL;

    write_dump (self, dump);
    store = import (self, 1);
    assert_function (self, store, "first", CODE, 2);
    /* The same name at both places: a function for each. */
    g_assert_nonnull (find_function (store, "second"));
    g_assert_cmpuint (count_samples_of (store, PEN_KIND_ANON, "//anon"), ==, 2);
    g_assert_cmpuint (count_samples_of (store, PEN_KIND_ANON, self->dump), ==, 1);
    g_assert_cmpuint (count_samples_of (store, PEN_KIND_DSO, "/lib/runtime.so"), ==, 1);
    g_assert_null (find_function (store, "builtin"));
    if (swapped == 0) {
      import_fixture_remove (self->dump);
      assert_history (store);
      assert_bytes (store, "first", "nop");
      assert_bytes (store, "second", "xor    %eax,%eax");
      assert_lines (store, "first", 0,
                    "main.js:10 main.js:10 main.js:10 main.js:10 main.js:12 other.js:3 other.js:3 "
                    "other.js:3 ");
      /* Where it was, and where it was moved to. */
      for (guint i = 0; i < 2; i++)
        assert_lines (store, "second", i,
                      "-:0 second.js:21 second.js:21 second.js:21 second.js:21 ");
    }
  }
}

static char *
get_problems (PenStore *store)
{
  g_autoptr (GPtrArray) problems = pen_store_load_problems (store, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++) {
    g_autofree char *sentence
        = pen_reason_describe (((PenStoreProblem *) problems->pdata[i])->reason);

    g_string_append_printf (text, "%s\n", sentence);
  }
  return g_string_free (text, FALSE);
}

static void
assert_unused (PenStore *store, const char *reason)
{
  g_autofree char *problems = get_problems (store);

  g_assert_null (find_function (store, "first"));
  g_assert_nonnull (strstr (problems, reason));
}

static void
test_clocks (Fixture *self, gconstpointer data)
{
  g_autoptr (GBytes) dump = make_dump (FALSE, 0);
  g_autoptr (GBytes) of_cpu = make_dump (FALSE, 1);
  g_autoptr (PenStore) other = NULL;
  g_autoptr (PenStore) counter = NULL;

  (void) data;
  write_dump (self, dump);
  other = import (self, 7);
  assert_unused (other, "CLOCK_MONOTONIC");

  write_dump (self, of_cpu);
  counter = import (self, 1);
  assert_unused (counter, "CPU's counter");
}

/* The very file, by a way that a recording must not send us; not by the name that it has beside the
 * recording. */
static void
test_refused_place (Fixture *self, gconstpointer data)
{
  g_autoptr (GBytes) dump = make_dump (FALSE, 0);
  g_autofree char *folder = g_build_filename (self->fixture.directory, "dumps", NULL);
  g_autofree char *beside = self->dump;
  g_autofree char *base = g_path_get_basename (beside);
  g_autofree char *dumped = g_build_filename (folder, base, NULL);
  g_autoptr (PenStore) followed = NULL;
  g_autoptr (PenStore) refused = NULL;

  (void) data;
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  self->dump = dumped;
  write_dump (self, dump);
  followed = import (self, 1);
  assert_function (self, followed, "first", CODE, 2);

  self->dump = g_strconcat ("/proc/self/root", dumped, NULL);
  refused = import (self, 1);
  assert_unused (refused, "not looked for on this machine");
  g_free (self->dump);
  self->dump = g_steal_pointer (&beside);
  import_fixture_remove (folder);
}

static PenStore *
import_cut (Fixture *self, GBytes *dump, gsize length)
{
  g_autoptr (GBytes) part = g_bytes_new_from_bytes (dump, 0, length);

  write_dump (self, part);
  return import (self, 1);
}

static void
assert_damage (PenJitDump *read)
{
  const char *damage = read ? pen_jit_dump_get_damage (read) : NULL;
  g_autofree char *sentence = damage ? pen_reason_describe (damage) : NULL;

  if (!damage)
    return;
  g_assert_true (g_str_has_prefix (damage, "jit-"));
  g_assert_true (g_str_has_prefix (sentence, "at offset "));
}

/* A file may end anywhere, and may say anything: what was good before counts. */
static void
test_damaged (Fixture *self, gconstpointer data)
{
  g_autoptr (GBytes) dump = make_dump (FALSE, 0);
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (dump, &length);
  guint most = 0;

  (void) data;
  for (gsize end = 0; end <= length; end++) {
    g_autoptr (GBytes) part = g_bytes_new (bytes, end);
    g_autoptr (PenJitDump) read = NULL;

    write_dump (self, part);
    read = pen_jit_dump_open (self->dump, NULL, NULL);
    g_assert_true ((read != NULL) == (end >= 40));
    assert_damage (read);
    if (read) {
      guint n = pen_jit_dump_get_codes (read)->len;

      g_assert_cmpuint (n, >=, most);
      most = n;
    }
  }
  g_assert_cmpuint (most, ==, 4);

  store = import_cut (self, dump, length - 1);
  problems = pen_store_load_problems (store, NULL);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_true (
      g_str_has_prefix (((PenStoreProblem *) problems->pdata[0])->reason, "jit-record-too-long\t"));

  for (gsize at = 8; at < length; at++) {
    g_autofree guint8 *copy = g_memdup2 (bytes, length);
    g_autoptr (GBytes) wrong = NULL;
    g_autoptr (PenJitDump) read = NULL;

    copy[at] = 0xff;
    wrong = g_bytes_new (copy, length);
    write_dump (self, wrong);
    read = pen_jit_dump_open (self->dump, NULL, NULL);
    assert_damage (read);
    for (guint i = 0; read && i < pen_jit_dump_get_codes (read)->len; i++) {
      const PenJitCode *code = &g_array_index (pen_jit_dump_get_codes (read), PenJitCode, i);
      g_autoptr (GBytes) code_bytes
          = pen_jit_dump_read_code (read, code->offset, (gsize) code->length);

      g_assert_cmpuint (code->length, >, 0);
      g_assert_cmpuint (code->start, <=, G_MAXUINT64 - code->length);
      g_assert_cmpuint (strlen (code->name), <, 4096);
    }
  }
}

/* ---- names without times ---- */

static PenStore *
import_with_map (Fixture *self, const char *path)
{
  g_autoptr (PenTestCapture) capture = make_capture (self, 1);
  const PenSources sources = { .perf_map = path };

  return import_fixture_import_with (&self->fixture, capture, &sources);
}

static void
assert_mapped (PenStore *store, const char *path)
{
  const PenFunction *function = find_function (store, "later name");
  g_autofree char *files = import_fixture_ask (
      store, "SELECT group_concat(path || '|' || source || '|' || evidence) FROM name_file");
  g_autofree char *expected = g_strdup_printf ("%s|perf map|file, unchecked", path);

  g_assert_nonnull (function);
  g_assert_cmphex (function->start, ==, CODE);
  g_assert_cmphex (function->length, ==, 0x10);
  g_assert_cmpuint (function->samples, ==, 5);
  g_assert_null (find_function (store, "earlier"));
  g_assert_cmpstr (files, ==, expected);
}

static void
test_perf_map (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->fixture.directory, "perf-10.map", NULL);
  g_autofree char *other = g_build_filename (self->fixture.directory, "perf-11.map", NULL);
  g_autofree char *text
      = g_strdup_printf ("no line\n%" G_GINT64_MODIFIER "x 10 earlier\n"
                         "%" G_GINT64_MODIFIER "x 10 later name\n%" G_GINT64_MODIFIER "x 0 empty\n"
                         "ffffffffffffffff 10 beyond\n12 ",
                         CODE, CODE, ARENA + 0x300);
  g_autoptr (PenStore) unasked = NULL;
  g_autoptr (PenStore) by_file = NULL;
  g_autoptr (PenStore) by_directory = NULL;
  g_autoptr (PenStore) of_other = NULL;

  (void) data;
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (g_file_set_contents (other, text, -1, NULL));
  unasked = import_with_map (self, NULL);
  g_assert_null (find_function (unasked, "later name"));
  by_file = import_with_map (self, path);
  assert_mapped (by_file, path);
  by_directory = import_with_map (self, self->fixture.directory);
  assert_mapped (by_directory, path);
  of_other = import_with_map (self, other);
  g_assert_null (find_function (of_other, "later name"));
}

static void
test_names (void)
{
  gint32 pid = -1;

  g_assert_true (pen_jit_dump_is_name ("/tmp/jit-4711.dump", &pid));
  g_assert_cmpint (pid, ==, 4711);
  g_assert_false (pen_jit_dump_is_name ("/tmp/jit-.dump", &pid));
  g_assert_false (pen_jit_dump_is_name ("/tmp/jit--1.dump", &pid));
  g_assert_false (pen_jit_dump_is_name ("/tmp/jit-4711.dump.so", &pid));
  g_assert_false (pen_jit_dump_is_name ("/tmp/jit-99999999999.dump", &pid));
}

#define ADD(name, func) g_test_add ("/jit/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("times", test_times);
  ADD ("clocks", test_clocks);
  ADD ("refused-place", test_refused_place);
  ADD ("damaged", test_damaged);
  ADD ("perf-map", test_perf_map);
  g_test_add_func ("/jit/names", test_names);
  return g_test_run ();
}
