/* test-user-names.c: names of user space: which file is believed, and what is said of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "program-fixture.h"

#include "pen-elf-file.h"
#include "pen-query-history.h"
#include "pen-query-resolve.h"
#include "pen-query-strips.h"
#include "pen-query.h"
#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-text.h"

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
assert_named (ProgramFixture *self, PenStore *store, const char *path, const char *table,
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
test_mapped_path (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  store = program_fixture_import_recorded (self);
  assert_named (self, store, self->program, ".symtab", PEN_EVIDENCE_FILE);
}

/* The very file, by ways that a recording must not send us. */
static void
test_refused_places (ProgramFixture *self, gconstpointer data)
{
  static const char *const ways[] = { "/proc/self/root", "/proc/thread-self/root", "/", "/." };

  (void) data;
  if (!program_fixture_can_run ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autofree char *direct = self->program;
    g_autofree char *way = g_strconcat (ways[i], direct, NULL);
    g_autoptr (PenStore) store = NULL;
    g_autofree char *refused = NULL;
    g_autofree char *expected = g_strconcat (way, "|file|place-refused", NULL);

    g_assert_true (g_file_test (way, G_FILE_TEST_IS_REGULAR));
    self->program = way;
    store = program_fixture_import_recorded (self);
    self->program = g_steal_pointer (&direct);
    assert_unnamed (store);
    refused = import_fixture_ask (
        store, "SELECT group_concat(path || '|' || what || '|' || refused) FROM source"
               " WHERE refused IS NOT NULL");
    g_assert_cmpstr (refused, ==, expected);
  }
}

static void
test_other_build_id (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  guint8 other[20];

  (void) data;
  if (!program_fixture_can_run ())
    return;
  memcpy (other, self->build_id, sizeof other);
  other[19] ^= 1;
  capture = program_fixture_make_capture (self, other);
  store = program_fixture_import (self, capture, NULL);
  assert_unnamed (store);
}

static void
test_no_build_id (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) given = NULL;
  g_autofree char *path = NULL;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  capture = program_fixture_make_capture (self, NULL);
  store = program_fixture_import (self, capture, NULL);
  assert_unnamed (store);

  /* The user says so; nothing can be compared. */
  given = program_fixture_import (self, capture, "/");
  path = g_strconcat ("/", self->program, NULL);
  assert_named (self, given, path, ".symtab", PEN_EVIDENCE_FILE_UNCHECKED);
}

static void
test_build_id_feature (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) unsure = NULL;
  guint8 other[20] = { 1 };

  (void) data;
  if (!program_fixture_can_run ())
    return;
  capture = program_fixture_make_capture (self, NULL);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_USER, self->build_id, 20, self->program);
  store = program_fixture_import (self, capture, NULL);
  assert_named (self, store, self->program, ".symtab", PEN_EVIDENCE_FILE);

  /* Two files of one name: who had which is not known. */
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_USER, other, 20, self->program);
  unsure = program_fixture_import (self, capture, NULL);
  assert_unnamed (unsure);
}

/* Returns: (transfer full): where perf keeps @name of the program */
static char *
make_cache_path (ProgramFixture *self, const char *name)
{
  g_autoptr (GString) hex = g_string_new (NULL);
  g_autofree char *directory = NULL;

  for (guint i = 0; i < sizeof self->build_id; i++)
    g_string_append_printf (hex, "%02x%s", self->build_id[i], i == 0 ? "/" : "");
  directory = g_build_filename (g_getenv ("HOME"), ".debug", ".build-id", hex->str, NULL);
  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  return g_build_filename (directory, name, NULL);
}

static void
test_perf_cache (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) stripped = NULL;
  g_autofree char *elf = NULL;
  g_autofree char *debug = NULL;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  elf = make_cache_path (self, "elf");
  debug = make_cache_path (self, "debug");
  g_assert_cmpint (g_rename (self->program, elf), ==, 0);
  store = program_fixture_import_recorded (self);
  assert_named (self, store, elf, ".symtab", PEN_EVIDENCE_FILE);

  g_free (program_fixture_run ("objcopy --only-keep-debug %s %s", elf, debug));
  g_free (program_fixture_run ("strip %s", elf));
  stripped = program_fixture_import_recorded (self);
  assert_named (self, stripped, debug, ".symtab", PEN_EVIDENCE_FILE);
}

static void
test_debug_link (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) checked = NULL;
  g_autoptr (PenStore) spoilt = NULL;
  g_autofree char *debug = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  debug = g_strconcat (self->program, ".debug", NULL);
  g_free (program_fixture_run ("objcopy --only-keep-debug %s %s", self->program, debug));
  g_free (program_fixture_run ("strip %s", self->program));
  g_free (program_fixture_run ("objcopy --add-gnu-debuglink=%s %s", debug, self->program));
  store = program_fixture_import_recorded (self);
  assert_named (self, store, debug, ".symtab", PEN_EVIDENCE_FILE);

  /* Without a build-id of its own its checksum tells. */
  g_free (program_fixture_run ("objcopy -R .note.gnu.build-id %s", debug));
  g_free (program_fixture_run ("objcopy -R .gnu_debuglink %s", self->program));
  g_free (program_fixture_run ("objcopy --add-gnu-debuglink=%s %s", debug, self->program));
  checked = program_fixture_import_recorded (self);
  assert_named (self, checked, debug, ".symtab", PEN_EVIDENCE_FILE);

  g_assert_true (g_file_get_contents (debug, &bytes, &length, NULL));
  bytes[length - 1] ^= 1;
  g_assert_true (g_file_set_contents (debug, bytes, (gssize) length, NULL));
  spoilt = program_fixture_import_recorded (self);
  assert_unnamed (spoilt);
}

static void
test_debug_data (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autofree char *mini = NULL;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  mini = g_strconcat (self->program, ".mini", NULL);
  g_free (program_fixture_run ("objcopy --only-keep-debug %s %s", self->program, mini));
  g_free (program_fixture_run ("xz %s", mini));
  g_free (program_fixture_run ("strip %s", self->program));
  g_free (
      program_fixture_run ("objcopy --add-section .gnu_debugdata=%s.xz %s", mini, self->program));
  store = program_fixture_import_recorded (self);
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
  pen_elf_file_load_symbols (file, NULL);
  for (guint64 address = 0x400000; address < 0x402000; address += 16)
    if (pen_elf_file_find_symbol (file, address, &symbol)) {
      g_assert_cmphex (symbol.start, <=, address);
      g_assert_cmphex (symbol.end, >, address);
      g_assert_cmpuint (strlen (symbol.name), >, 0);
    }
}

static void
test_damaged_files (ProgramFixture *self, gconstpointer data)
{
  g_autofree char *damaged = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  GRand *random;

  (void) data;
  if (!program_fixture_can_run ())
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
assert_annotated (ProgramFixture *self, PenQuery *query)
{
  g_autoptr (GArray) found = pen_query_find_functions (query, "inner", NULL);
  const PenTenure *tenure;
  g_autoptr (PenAnnotated) annotated = NULL;
  g_autoptr (GPtrArray) history = NULL;
  g_autoptr (PenStripCounts) counts = NULL;
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

  counts = pen_query_strips (query, NULL, annotated, 0, 4000, 2, NULL);
  for (guint i = 0; i < counts->cells->len; i++)
    drawn += g_array_index (counts->cells, PenStripCell, i).n;
  g_assert_cmpuint (drawn, ==, 2);

  history = pen_query_history (query, NULL, program_fixture_place (self, BASE, self->inner) + 1,
                               PEN_SYNTAX_ATT, NULL);
  g_assert_cmpuint (history->len, ==, 1);
  g_assert_cmpstr (((PenHistoryRow *) history->pdata[0])->instruction, !=, "(bytes not recorded)");
}

/* What is needed later is in the store: it is shown where the program is not. */
static void
test_bytes (ProgramFixture *self, gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenElfFile) file = NULL;
  g_autoptr (PenQuery) query = NULL;
  const PenFunction *inner;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  store = program_fixture_import_recorded (self);
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

/* A debug file's tables say where code was: it is not there. */
static void
test_no_bytes_of_debug_file (ProgramFixture *self, gconstpointer data)
{
  g_autofree char *debug = g_strconcat (self->program, ".debug", NULL);
  g_autoptr (PenElfFile) file = NULL;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  g_free (program_fixture_run ("objcopy --only-keep-debug %s %s", self->program, debug));
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
  g_free (
      program_fixture_run ("cc -O1 -fPIC -shared -nostdlib %s -o %s %s", options, library, code));
  listing = program_fixture_run ("objdump -d %s", library);
  address = program_fixture_get_address (listing, heading);

  file = pen_elf_file_open (library);
  g_assert_nonnull (file);
  pen_elf_file_load_symbols (file, NULL);
  g_assert_true (pen_elf_file_find_stub (file, address + 4, &symbol));
  g_assert_cmpstr (symbol.name, ==, name);
  g_assert_cmphex (symbol.start, ==, address);
  g_assert_false (pen_elf_file_find_symbol (file, address, &symbol));

  import_fixture_remove (directory);
}

static void
test_stubs (void)
{
  if (!program_fixture_can_run ())
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

static void
add_tests (void)
{
  PROGRAM_FIXTURE_ADD ("/user-names/mapped-path", test_mapped_path);
  PROGRAM_FIXTURE_ADD ("/user-names/refused-places", test_refused_places);
  PROGRAM_FIXTURE_ADD ("/user-names/other-build-id", test_other_build_id);
  PROGRAM_FIXTURE_ADD ("/user-names/no-build-id", test_no_build_id);
  PROGRAM_FIXTURE_ADD ("/user-names/build-id-feature", test_build_id_feature);
  PROGRAM_FIXTURE_ADD ("/user-names/perf-cache", test_perf_cache);
  PROGRAM_FIXTURE_ADD ("/user-names/debug-link", test_debug_link);
  PROGRAM_FIXTURE_ADD ("/user-names/debug-data", test_debug_data);
  PROGRAM_FIXTURE_ADD ("/user-names/damaged-files", test_damaged_files);
  PROGRAM_FIXTURE_ADD ("/user-names/bytes", test_bytes);
  PROGRAM_FIXTURE_ADD ("/user-names/no-bytes-of-debug-file", test_no_bytes_of_debug_file);
  g_test_add_func ("/user-names/stubs", test_stubs);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
