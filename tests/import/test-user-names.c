/* test-user-names.c: names of user space: which file is believed, and what is said of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "import-fixture.h"
#include "pen-elf-file.h"
#include "pen-query-history.h"
#include "pen-query-resolve.h"
#include "pen-query-strips.h"
#include "pen-query.h"
#include "pen-source-lines.h"
#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-text.h"

#define BASE G_GUINT64_CONSTANT (0x7f0000000000)
#define OTHER_BASE G_GUINT64_CONSTANT (0x7e0000100000)
#define PAGE G_GUINT64_CONSTANT (0x1000)

/* Addresses differ from offsets in a program that is not position-independent. */
static const char source[]
    = "static __attribute__((noinline, used)) int inner (int x) { return x * 3 + 1; }\n"
      "int shown (int) __asm__ (\"_ZN3pen5shownEi\");\n"
      "__attribute__((noinline)) int shown (int x) { return inner (x) ^ 5; }\n"
      "__attribute__((noinline)) int outer (int x) { return shown (x) + inner (x + 1); }\n";

static char *home;

typedef struct {
  ImportFixture fixture;
  char *program;
  guint64 offset; /* of the executable segment, and */
  guint64 address;
  guint64 inner;
  guint64 shown;
  guint8 build_id[20];
} Fixture;

static char *
run (const char *format, ...)
{
  g_autofree char *command = NULL;
  g_autofree char *errors = NULL;
  char *output = NULL;
  GError *error = NULL;
  int status = 0;
  va_list arguments;

  va_start (arguments, format);
  command = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_spawn_command_line_sync (command, &output, &errors, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s: %s", command, errors);
  return output;
}

static guint64
get_address (const char *names, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (names, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    if (g_str_has_suffix (lines[i], name))
      return g_ascii_strtoull (lines[i], NULL, 16);
  g_assert_not_reached ();
}

static void
read_program (Fixture *self)
{
  g_autofree char *names = run ("nm %s", self->program);
  g_autofree char *headers = run ("readelf -lW %s", self->program);
  g_autoptr (PenElfFile) file = pen_elf_file_open (self->program);
  g_auto (GStrv) lines = g_strsplit (headers, "\n", -1);
  const guint8 *build_id;
  guint length;

  self->inner = get_address (names, " inner");
  self->shown = get_address (names, " _ZN3pen5shownEi");
  for (guint i = 0; lines[i]; i++)
    if (strstr (lines[i], " LOAD ") && strstr (lines[i], " R E "))
      g_assert_cmpint (sscanf (lines[i], " LOAD %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
                               &self->offset, &self->address),
                       ==, 2);
  g_assert_cmphex (self->address, !=, self->offset);
  build_id = pen_elf_file_get_build_id (file, &length);
  g_assert_cmpuint (length, ==, sizeof self->build_id);
  memcpy (self->build_id, build_id, length);
}

static gboolean
has_tools (void)
{
  static const char *const tools[] = { "cc", "nm", "readelf", "objcopy", "objdump", "strip", "xz" };

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_autofree char *path = g_find_program_in_path (tools[i]);

    if (!path)
      return FALSE;
  }
  return TRUE;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *code = NULL;

  import_fixture_set_up (&self->fixture, data);
  self->program = g_build_filename (self->fixture.directory, "program", NULL);
  if (!has_tools ())
    return;

  code = g_strconcat (self->program, ".c", NULL);
  g_assert_true (g_file_set_contents (code, source, -1, NULL));
  g_free (run ("cc -O1 -no-pie -static -nostdlib -Wl,-e,outer -Wl,--build-id=sha1 -o %s %s",
               self->program, code));
  read_program (self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autofree char *cache = g_build_filename (home, ".debug", NULL);

  import_fixture_remove (cache);
  import_fixture_tear_down (&self->fixture, data);
  g_free (self->program);
}

static gboolean
can_run (void)
{
  if (has_tools ())
    return TRUE;
  g_test_skip ("needs a compiler, binutils and xz");
  return FALSE;
}

/* Where a process has the byte that the linker put at @address. */
static guint64
place (const Fixture *self, guint64 base, guint64 address)
{
  return base + (address - self->address);
}

static void
add_process (Fixture *self, PenTestCapture *capture, gint32 pid, guint64 base,
             const guint8 *build_id)
{
  pen_test_capture_at (capture, 1000, pid, pid, 0);
  pen_test_capture_add_comm (capture, pid, pid, TRUE, "program");
  pen_test_capture_at (capture, 1001, pid, pid, 0);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, pid, pid, base, PAGE, self->offset, 5, 2,
                              build_id, self->program);
  pen_test_capture_at (capture, 1002, pid, pid, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_USER, place (self, base, self->inner) + 1, 1);
  pen_test_capture_at (capture, 1003, pid, pid, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_USER, place (self, base, self->shown), 1);
}

static PenTestCapture *
make_capture (Fixture *self, const guint8 *build_id)
{
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  add_process (self, capture, 10, BASE, build_id);
  add_process (self, capture, 11, OTHER_BASE, build_id);
  return capture;
}

static PenStore *
import (Fixture *self, PenTestCapture *capture, const char *symfs)
{
  const PenSources sources = { .symfs = symfs };
  GError *error = NULL;

  import_fixture_remove (self->fixture.capture);
  import_fixture_remove (self->fixture.store);
  pen_test_capture_write (capture, self->fixture.capture, PEN_TEST_CAPTURE_FILE, &error);
  g_assert_no_error (error);
  pen_import (self->fixture.capture, self->fixture.store, &sources, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return import_fixture_open (&self->fixture);
}

static PenStore *
import_recorded (Fixture *self)
{
  g_autoptr (PenTestCapture) capture = make_capture (self, self->build_id);

  return import (self, capture, NULL);
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
assert_unnamed (PenStore *store)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);
  g_autofree char *files
      = import_fixture_ask (store, "SELECT CAST(count(*) AS TEXT) FROM name_file");

  g_assert_cmpstr (files, ==, "0");
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (functions[0].symbol);
  g_assert_cmpuint (functions[0].samples, ==, 4);
}

/* One function for both processes, and each sample's offset in it. */
static void
assert_named (Fixture *self, PenStore *store, const char *path, const char *table,
              PenEvidence evidence)
{
  g_autofree char *files = import_fixture_ask (
      store,
      "SELECT group_concat(path || '|' || source || '|' || evidence || '|' || occupant || '|'"
      " || hex(build_id)) FROM name_file");
  g_autoptr (GString) expected = g_string_new (path);
  const PenFunction *inner = find_function (store, "inner");
  const PenFunction *shown = find_function (store, "pen::shown");
  guint n;
  const PenBucket *buckets = pen_store_get_buckets (store, &n, NULL);

  g_string_append_printf (expected, "|%s|%s|%s|", table, pen_evidence_to_string (evidence),
                          self->program);
  for (guint i = 0; i < sizeof self->build_id; i++)
    g_string_append_printf (expected, "%02X", self->build_id[i]);
  g_assert_cmpstr (files, ==, expected->str);

  g_assert_nonnull (inner);
  g_assert_nonnull (shown);
  g_assert_cmphex (inner->start, ==, self->inner);
  g_assert_cmpuint (inner->samples, ==, 2);
  g_assert_null (inner->linkage_name);
  g_assert_cmphex (shown->start, ==, self->shown);
  g_assert_cmpstr (shown->linkage_name, ==, "_ZN3pen5shownEi");

  g_assert_cmpuint (n, ==, 4);
  for (guint i = 0; i < n; i++) {
    const PenFunction *function = buckets[i].function == inner->id ? inner : shown;

    g_assert_cmphex (pen_store_get_offset (store, function, buckets[i].tenure, buckets[i].address),
                     ==, function == inner ? 1 : 0);
  }
}

static void
test_mapped_path (Fixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  (void) data;
  if (!can_run ())
    return;
  store = import_recorded (self);
  assert_named (self, store, self->program, ".symtab", PEN_EVIDENCE_FILE);
}

static void
test_other_build_id (Fixture *self, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  guint8 other[20];

  (void) data;
  if (!can_run ())
    return;
  memcpy (other, self->build_id, sizeof other);
  other[19] ^= 1;
  capture = make_capture (self, other);
  store = import (self, capture, NULL);
  assert_unnamed (store);
}

static void
test_no_build_id (Fixture *self, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) given = NULL;
  g_autofree char *path = NULL;

  (void) data;
  if (!can_run ())
    return;
  capture = make_capture (self, NULL);
  store = import (self, capture, NULL);
  assert_unnamed (store);

  /* The user says so; nothing can be compared. */
  given = import (self, capture, "/");
  path = g_strconcat ("/", self->program, NULL);
  assert_named (self, given, path, ".symtab", PEN_EVIDENCE_FILE_UNCHECKED);
}

static void
test_build_id_feature (Fixture *self, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) unsure = NULL;
  guint8 other[20] = { 1 };

  (void) data;
  if (!can_run ())
    return;
  capture = make_capture (self, NULL);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_USER, self->build_id, 20, self->program);
  store = import (self, capture, NULL);
  assert_named (self, store, self->program, ".symtab", PEN_EVIDENCE_FILE);

  /* Two files of one name: who had which is not known. */
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_USER, other, 20, self->program);
  unsure = import (self, capture, NULL);
  assert_unnamed (unsure);
}

/* Returns: (transfer full): where perf keeps @name of the program */
static char *
make_cache_path (Fixture *self, const char *name)
{
  g_autoptr (GString) hex = g_string_new (NULL);
  g_autofree char *directory = NULL;

  for (guint i = 0; i < sizeof self->build_id; i++)
    g_string_append_printf (hex, "%02x%s", self->build_id[i], i == 0 ? "/" : "");
  directory = g_build_filename (home, ".debug", ".build-id", hex->str, NULL);
  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  return g_build_filename (directory, name, NULL);
}

static void
test_perf_cache (Fixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) stripped = NULL;
  g_autofree char *elf = NULL;
  g_autofree char *debug = NULL;

  (void) data;
  if (!can_run ())
    return;
  elf = make_cache_path (self, "elf");
  debug = make_cache_path (self, "debug");
  g_assert_cmpint (g_rename (self->program, elf), ==, 0);
  store = import_recorded (self);
  assert_named (self, store, elf, ".symtab", PEN_EVIDENCE_FILE);

  g_free (run ("objcopy --only-keep-debug %s %s", elf, debug));
  g_free (run ("strip %s", elf));
  stripped = import_recorded (self);
  assert_named (self, stripped, debug, ".symtab", PEN_EVIDENCE_FILE);
}

static void
test_debug_link (Fixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) checked = NULL;
  g_autoptr (PenStore) spoilt = NULL;
  g_autofree char *debug = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  (void) data;
  if (!can_run ())
    return;
  debug = g_strconcat (self->program, ".debug", NULL);
  g_free (run ("objcopy --only-keep-debug %s %s", self->program, debug));
  g_free (run ("strip %s", self->program));
  g_free (run ("objcopy --add-gnu-debuglink=%s %s", debug, self->program));
  store = import_recorded (self);
  assert_named (self, store, debug, ".symtab", PEN_EVIDENCE_FILE);

  /* Without a build-id of its own its checksum tells. */
  g_free (run ("objcopy -R .note.gnu.build-id %s", debug));
  g_free (run ("objcopy -R .gnu_debuglink %s", self->program));
  g_free (run ("objcopy --add-gnu-debuglink=%s %s", debug, self->program));
  checked = import_recorded (self);
  assert_named (self, checked, debug, ".symtab", PEN_EVIDENCE_FILE);

  g_assert_true (g_file_get_contents (debug, &bytes, &length, NULL));
  bytes[length - 1] ^= 1;
  g_assert_true (g_file_set_contents (debug, bytes, (gssize) length, NULL));
  spoilt = import_recorded (self);
  assert_unnamed (spoilt);
}

static void
test_debug_data (Fixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autofree char *mini = NULL;

  (void) data;
  if (!can_run ())
    return;
  mini = g_strconcat (self->program, ".mini", NULL);
  g_free (run ("objcopy --only-keep-debug %s %s", self->program, mini));
  g_free (run ("xz %s", mini));
  g_free (run ("strip %s", self->program));
  g_free (run ("objcopy --add-section .gnu_debugdata=%s.xz %s", mini, self->program));
  store = import_recorded (self);
  assert_named (self, store, self->program, ".gnu_debugdata", PEN_EVIDENCE_FILE);
}

static void
ask (const char *path)
{
  g_autoptr (PenElfFile) file = pen_elf_file_open (path);
  PenSymbol symbol;
  guint64 bias;
  guint32 crc;
  guint length;

  if (!file)
    return;
  pen_elf_file_get_build_id (file, &length);
  g_assert_cmpuint (length, <=, PEN_ELF_BUILD_ID_MAX);
  pen_elf_file_get_debug_link (file, &crc);
  pen_elf_file_find_bias (file, 0, G_MAXUINT64, &bias);
  pen_elf_file_load_symbols (file);
  for (guint64 address = 0x400000; address < 0x402000; address += 16)
    if (pen_elf_file_find_symbol (file, address, &symbol)) {
      g_assert_cmphex (symbol.start, <=, address);
      g_assert_cmphex (symbol.end, >, address);
      g_assert_cmpuint (strlen (symbol.name), >, 0);
    }
}

static void
test_damaged_files (Fixture *self, gconstpointer data)
{
  g_autofree char *damaged = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  GRand *random;

  (void) data;
  if (!can_run ())
    return;
  damaged = g_strconcat (self->program, ".damaged", NULL);
  g_assert_true (g_file_get_contents (self->program, &bytes, &length, NULL));
  for (gsize n = 0; n < length; n += 1 + n / 16) {
    g_assert_true (g_file_set_contents_full (damaged, bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE,
                                             0600, NULL));
    ask (damaged);
  }

  random = g_rand_new_with_seed (5);
  for (guint i = 0; i < 400; i++) {
    g_autofree char *copy = g_memdup2 (bytes, length);

    /* What matters most is at the beginning and the end: headers. */
    for (guint k = 0; k < 12; k++) {
      gsize at = (gsize) g_rand_int_range (random, 0, k % 3 == 0 ? 1024 : 2048);

      copy[k % 2 == 0 ? at : length - 1 - at]
          = (char) (i % 4 == 0 ? 0xff : g_rand_int_range (random, 0, 256));
    }
    memcpy (copy, "\177ELF", 4);
    g_assert_true (g_file_set_contents_full (damaged, copy, (gssize) length,
                                             G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    ask (damaged);
  }
  g_rand_free (random);
}

/* Lines with bytes, one set for both processes, with the samples of both. */
static void
assert_annotated (Fixture *self, PenQuery *query)
{
  g_autoptr (GArray) found = pen_query_find_functions (query, "inner", NULL);
  const PenTenure *tenure;
  g_autoptr (PenAnnotated) annotated = NULL;
  g_autoptr (GPtrArray) history = NULL;
  g_autofree guint32 *counts = NULL;
  guint64 samples = 0;
  guint64 drawn = 0;
  guint64 at;

  g_assert_cmpuint (found->len, ==, 1);
  annotated
      = pen_query_annotate (query, NULL, g_array_index (found, guint32, 0), PEN_SYNTAX_ATT, NULL);
  g_assert_nonnull (annotated);
  g_assert_cmpuint (annotated->lines->len, >, 1);
  g_assert_cmpuint (annotated->tenures->len, ==, 1);
  tenure = &g_array_index (annotated->tenures, PenTenure, 0);
  g_assert_cmpuint (tenure->id, ==, PEN_SHARED_TENURE);
  g_assert_cmpstr (tenure->occupant, ==, self->program);
  at = annotated->start;
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    samples += line->samples;
    g_assert_cmpuint (line->version, ==, 0);
    if (line->is_inside)
      continue;
    g_assert_cmphex (line->address, ==, at);
    g_assert_cmpuint (line->n_bytes, >, 0);
    g_assert_cmpint (line->evidence, ==, PEN_EVIDENCE_FILE);
    at += line->n_bytes;
  }
  g_assert_cmphex (at, ==, annotated->end);
  g_assert_cmpuint (samples, ==, 2);

  counts = g_new (guint32, annotated->lines->len * 2);
  g_assert_true (pen_query_strips (query, NULL, annotated, 0, 4000, 2, counts, NULL));
  for (guint i = 0; i < annotated->lines->len * 2; i++)
    drawn += counts[i];
  g_assert_cmpuint (drawn, ==, 2);

  history
      = pen_query_history (query, NULL, place (self, BASE, self->inner) + 1, PEN_SYNTAX_ATT, NULL);
  g_assert_cmpuint (history->len, ==, 1);
  g_assert_cmpstr (((PenHistoryRow *) history->pdata[0])->instruction, !=, "(bytes not recorded)");
}

/* What is needed later is in the store: it is shown where the program is not. */
static void
test_bytes (Fixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenElfFile) file = NULL;
  g_autoptr (PenQuery) query = NULL;
  const PenFunction *inner;

  (void) data;
  if (!can_run ())
    return;
  store = import_recorded (self);
  file = pen_elf_file_open (self->program);
  inner = find_function (store, "inner");
  for (guint i = 0; i < 2; i++) {
    const PenFunction *function = i == 0 ? inner : find_function (store, "pen::shown");
    g_autoptr (GBytes) code
        = pen_elf_file_read_code (file, function->start, (gsize) function->length);
    g_autoptr (GPtrArray) texts = pen_store_load_file_text (
        store, function->name_file, function->start, function->start + 1, NULL);
    const PenStoredText *text;

    g_assert_cmpuint (texts->len, ==, 1);
    text = texts->pdata[0];
    g_assert_true (g_bytes_equal (text->bytes, code));
    g_assert_cmphex (text->start, ==, function->start);
    g_assert_cmpstr (text->source, ==, self->program);
    g_assert_cmpint (text->evidence, ==, PEN_EVIDENCE_FILE);
  }

  import_fixture_remove (self->program);
  query = pen_query_new (store);
  assert_annotated (self, query);
}

static void
read_line (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  PenInlinedCall call;

  (void) address;
  if (place->file)
    g_assert_cmpuint (strlen (place->file) + place->line, >, 0);
  for (guint number = place->call; number != 0; number = call.outer) {
    pen_source_lines_get_call (user_data, number, &call);
    g_assert_cmpuint (call.outer, <, number);
    g_assert_cmpuint (strlen (call.name) + (call.file ? strlen (call.file) : 0), <, G_MAXINT);
  }
}

/* Each function of the source has a line of its own. */
static void
assert_lines (PenQuery *query)
{
  static const char *const functions[][2]
      = { { "inner", "program.c:1" }, { "pen::shown", "program.c:3" } };

  for (guint f = 0; f < G_N_ELEMENTS (functions); f++) {
    g_autoptr (GArray) found = pen_query_find_functions (query, functions[f][0], NULL);
    g_autoptr (PenAnnotated) annotated
        = pen_query_annotate (query, NULL, g_array_index (found, guint32, 0), PEN_SYNTAX_ATT, NULL);

    g_assert_cmpuint (annotated->lines->len, >, 1);
    for (guint i = 0; i < annotated->lines->len; i++) {
      const PenAnnotationLine *line = annotated->lines->pdata[i];
      g_autofree char *name = NULL;
      g_autofree char *told = NULL;

      g_assert_nonnull (line->source_file);
      name = g_path_get_basename (line->source_file);
      told = g_strdup_printf ("%s:%u", name, line->source_line);
      g_assert_cmpstr (told, ==, functions[f][1]);
    }
  }
}

static void
compile_with_lines (Fixture *self)
{
  g_free (run ("cc -g -O1 -no-pie -static -nostdlib -Wl,-e,outer -Wl,--build-id=sha1 -o %s %s.c",
               self->program, self->program));
}

static void
test_source_lines (Fixture *self, gconstpointer data)
{
  g_autofree char *debug = g_strconcat (self->program, ".debug", NULL);

  (void) data;
  if (!can_run ())
    return;
  compile_with_lines (self);
  read_program (self);

  /* In the program, then in a debug file beside it. */
  for (guint i = 0; i < 2; i++) {
    g_autoptr (PenStore) store = import_recorded (self);
    g_autoptr (PenQuery) query = pen_query_new (store);

    assert_lines (query);
    if (i == 0) {
      g_free (run ("objcopy --only-keep-debug %s %s", self->program, debug));
      g_free (run ("strip %s", self->program));
      g_free (run ("objcopy --add-gnu-debuglink=%s %s", debug, self->program));
    }
  }
}

/* Bytes near to each other, or all over the file. */
static void
damage (char *bytes, gsize length, GRand *random)
{
  gsize middle = (gsize) g_rand_int_range (random, 64, (gint32) length);
  gboolean is_local = g_rand_boolean (random);

  for (guint n = 1u << g_rand_int_range (random, 0, 6); n > 0; n--) {
    gsize at = is_local ? middle + (gsize) g_rand_int_range (random, 0, 64)
                        : (gsize) g_rand_int_range (random, 64, (gint32) length);

    if (at < length)
      bytes[at] = (char) (g_rand_boolean (random) ? g_rand_int (random) : 0xff);
  }
}

/* What is not what it was, or damaged, has no lines; and reading it ends. */
static void
test_damaged_lines (Fixture *self, gconstpointer data)
{
  const guint8 other[20] = { 1 };
  /* More of them, for those who try by hand. */
  const char *times = g_getenv ("PENTIMENTO_TEST_DAMAGES");
  g_autofree char *damaged = g_strconcat (self->program, ".damaged", NULL);
  g_autofree char *bytes = NULL;
  GRand *random = g_rand_new_with_seed (7);
  guint64 budget = 100;
  guint n_whole = 0;
  gboolean is_too_large;
  gsize length;

  (void) data;
  if (!can_run ())
    return;
  compile_with_lines (self);
  /* All of a file's debug information is read, or none. */
  g_assert_null (pen_source_lines_open (self->program, NULL, 0, &budget, &is_too_large, NULL));
  g_assert_true (is_too_large);
  g_assert_cmpuint (budget, ==, 100);
  budget = G_MAXUINT64;
  g_assert_null (
      pen_source_lines_open (self->program, other, sizeof other, &budget, &is_too_large, NULL));
  g_assert_false (is_too_large);

  g_assert_true (g_file_get_contents (self->program, &bytes, &length, NULL));
  for (guint i = times ? (guint) strtoul (times, NULL, 10) : 100; i > 0; i--) {
    g_autofree char *copy = g_memdup2 (bytes, length);
    g_autoptr (PenSourceLines) lines = NULL;

    damage (copy, length, random);
    g_assert_true (g_file_set_contents_full (damaged, copy, (gssize) length,
                                             G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    budget = G_MAXUINT64;
    lines = pen_source_lines_open (damaged, NULL, 0, &budget, &is_too_large, NULL);
    if (!lines)
      continue;
    pen_source_lines_foreach (lines, 0, G_MAXUINT64, read_line, lines);
    n_whole += !pen_source_lines_get_failure (lines);
  }
  g_assert_cmpuint (n_whole, >, 0);
  g_rand_free (random);
}

/* A program that breaks, says what cannot be, or is not there costs the lines, and no more. */
static void
test_broken_program (Fixture *self, gconstpointer data)
{
  static const char *const scripts[] = {
    NULL,
    "exit 0",
    "kill -SEGV $$",
    "yes",
    /* A call of a name that was not told; a text, but only half of it; a text without end. */
    "printf '\\1\\0\\0\\0\\0\\0\\0\\0\\1'; head -c 64 /dev/zero; sleep 100",
    "printf '\\0\\0\\0\\0\\100'; head -c 40 /dev/zero",
    "printf '\\0\\0\\0\\0\\377\\377\\377\\377'; cat /dev/zero",
  };
  g_autofree char *old = g_strdup (g_getenv ("PENTIMENTO_LIBEXEC"));
  g_autofree char *directory = g_path_get_dirname (self->program);
  g_autofree char *path = g_build_filename (directory, "pentimento-source-lines", NULL);

  (void) data;
  if (!can_run ())
    return;
  compile_with_lines (self);
  g_setenv ("PENTIMENTO_LIBEXEC", directory, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++) {
    guint64 budget = G_MAXUINT64;
    gboolean is_too_large;
    g_autoptr (PenSourceLines) lines = NULL;

    if (scripts[i]) {
      g_autofree char *script = g_strdup_printf ("#!/bin/sh\n%s\n", scripts[i]);

      g_assert_true (g_file_set_contents (path, script, -1, NULL));
      g_assert_cmpint (g_chmod (path, 0700), ==, 0);
    }
    lines = pen_source_lines_open (self->program, NULL, 0, &budget, &is_too_large, NULL);
    g_assert_nonnull (lines);
    pen_source_lines_foreach (lines, 0, G_MAXUINT64, read_line, lines);
    g_assert_nonnull (pen_source_lines_get_failure (lines));
    g_assert_nonnull (strstr (pen_source_lines_get_failure (lines), self->program));
    /* There is nobody to ask any more. */
    pen_source_lines_foreach (lines, 0, G_MAXUINT64, read_line, lines);
  }

  /* What a user is told. */
  read_program (self);
  {
    g_autoptr (PenStore) store = import_recorded (self);

    g_assert_cmpint (pen_store_get_fact_int (store, "source_lines_failed", 0), ==, 1);
    g_assert_nonnull (strstr (pen_store_get_fact (store, "source_lines_failure"), "damaged"));
  }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_setenv ("PENTIMENTO_LIBEXEC", old, TRUE);
}

/* A debug file's tables say where code was: it is not there. */
static void
test_no_bytes_of_debug_file (Fixture *self, gconstpointer data)
{
  g_autofree char *debug = g_strconcat (self->program, ".debug", NULL);
  g_autoptr (PenElfFile) file = NULL;

  (void) data;
  if (!can_run ())
    return;
  g_free (run ("objcopy --only-keep-debug %s %s", self->program, debug));
  file = pen_elf_file_open (debug);
  g_assert_nonnull (file);
  g_assert_null (pen_elf_file_read_code (file, self->inner, 1));
}

/* What objdump calls a stub, at the place where it shows it. */
static void
assert_stub (const char *options, const char *name)
{
  g_autofree char *directory = g_dir_make_tmp ("pentimento-XXXXXX", NULL);
  g_autofree char *code = g_build_filename (directory, "code.c", NULL);
  g_autofree char *library = g_build_filename (directory, "library.so", NULL);
  g_autofree char *listing = NULL;
  g_autofree char *heading = g_strdup_printf (" <%s>:", name);
  g_autoptr (PenElfFile) file = NULL;
  PenSymbol symbol;
  guint64 address;

  g_assert_true (g_file_set_contents (code,
                                      "int outside (int x);\n"
                                      "int inside (int x) { return outside (x) + 1; }\n",
                                      -1, NULL));
  g_free (run ("cc -O1 -fPIC -shared -nostdlib %s -o %s %s", options, library, code));
  listing = run ("objdump -d %s", library);
  address = get_address (listing, heading);

  file = pen_elf_file_open (library);
  g_assert_nonnull (file);
  pen_elf_file_load_symbols (file);
  g_assert_true (pen_elf_file_find_stub (file, address + 4, &symbol));
  g_assert_cmpstr (symbol.name, ==, name);
  g_assert_cmphex (symbol.start, ==, address);
  g_assert_false (pen_elf_file_find_symbol (file, address, &symbol));

  import_fixture_remove (directory);
}

static void
test_stubs (void)
{
  if (!can_run ())
    return;
#if defined(__x86_64__)
  assert_stub ("-fcf-protection=none -Wl,-z,lazy", "outside@plt");
  assert_stub ("-fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy", "outside@plt");
  assert_stub ("-Wl,-z,now", "outside@plt");
#elif defined(__aarch64__)
  assert_stub ("-Wl,-z,lazy", "outside@plt");
#else
  g_test_skip ("stubs of this machine are not read");
#endif
}

#define ADD(name, func) g_test_add ("/user-names/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  int status;

  /* perf's cache is there: not the one of whoever runs the tests. */
  home = g_dir_make_tmp ("pentimento-home-XXXXXX", NULL);
  g_setenv ("HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("mapped-path", test_mapped_path);
  ADD ("other-build-id", test_other_build_id);
  ADD ("no-build-id", test_no_build_id);
  ADD ("build-id-feature", test_build_id_feature);
  ADD ("perf-cache", test_perf_cache);
  ADD ("debug-link", test_debug_link);
  ADD ("debug-data", test_debug_data);
  ADD ("damaged-files", test_damaged_files);
  ADD ("bytes", test_bytes);
  ADD ("source-lines", test_source_lines);
  ADD ("damaged-lines", test_damaged_lines);
  ADD ("broken-program", test_broken_program);
  ADD ("no-bytes-of-debug-file", test_no_bytes_of_debug_file);
  g_test_add_func ("/user-names/stubs", test_stubs);
  status = g_test_run ();
  import_fixture_remove (home);
  g_free (home);
  return status;
}
