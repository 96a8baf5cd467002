/* test-source-lines.c: lines of the kernel and its modules, and where their debug information is
 * found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "import-fixture.h"
#include "pen-kernel-file.h"
#include "pen-query-annotation.h"
#include "pen-query-resolve.h"
#include "pen-query-text.h"
#include "pen-query.h"
#include "pen-source-lines.h"
#include "pen-store-sources.h"
#include "pen-test-kernel.h"

#define ID "000102030405060708090a0b0c0d0e0f10111213"
#define MODULE_ID "aa0102030405060708090a0b0c0d0e0f10111213"
#define RELEASE "6.1.0-test"
#define SLIDE 0x1a000000u
#define TEXT (PEN_TEST_KERNEL_TEXT + SLIDE)
#define LENGTH 0x1000u
#define MODULE_START G_GUINT64_CONSTANT (0xffffffffc0201000)
#define MODULE_PATH "/lib/modules/" RELEASE "/kernel/drivers/pen-test.ko"
#define DEBUG "usr/lib/debug"

/* Line 4 is inlined at line 8, and that at line 12. */
static const char source[]
    = "asm (\".text\\n.globl _text, _stext\\n_text:\\n_stext: .skip 256, 0xcc\\n\");\n"
      "__attribute__ ((always_inline)) static inline int innermost (volatile int *x)\n"
      "{\n"
      "  return *x + 1;\n"
      "}\n"
      "__attribute__ ((always_inline)) static inline int middle (volatile int *x)\n"
      "{\n"
      "  return innermost (x + 5);\n"
      "}\n"
      "int hot (volatile int *x)\n"
      "{\n"
      "  x[3] = middle (x);\n"
      "  return x[4];\n"
      "}\n"
      "__attribute__ ((section (\".text.seldom\"))) int seldom (volatile int *x)\n"
      "{\n"
      "  return x[1];\n"
      "}\n"
      "#ifdef PADDED\n"
      "asm (\".pushsection .debug_addr\\n.skip 3 << 20\\n.popsection\\n\");\n"
      "#endif\n";

typedef struct {
  ImportFixture fixture;
  char *source;
  char *root; /* of the recorded machine's files */
  char *vmlinux;
  PenStore *opened; /* what was imported last; queries ask it */
  gboolean has_no_module_id;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  import_fixture_set_up (&self->fixture, data);
  self->source = g_build_filename (self->fixture.directory, "kernel.c", NULL);
  self->root = g_build_filename (self->fixture.directory, "root", NULL);
  self->vmlinux = g_build_filename (self->fixture.directory, "vmlinux", NULL);
  g_assert_true (g_file_set_contents (self->source, source, -1, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_clear_object (&self->opened);
  import_fixture_tear_down (&self->fixture, data);
  g_free (self->source);
  g_free (self->root);
  g_free (self->vmlinux);
}

/* ---- files ---- */

static char *
get_path (Fixture *self, const char *path)
{
  char *full = g_build_filename (self->root, path, NULL);
  g_autofree char *directory = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  return full;
}

static void
build (Fixture *self, const char *path, gboolean is_module, const char *options)
{
  g_autofree char *object = g_strconcat (path, ".o", NULL);

  pen_test_kernel_run ("cc -c -g -O1 -ffreestanding -fno-pic -mcmodel=kernel -fcf-protection=none "
                       "-fno-asynchronous-unwind-tables -fno-stack-protector "
                       "-fno-toplevel-reorder %s -o %s %s",
                       options, object, self->source);
  if (is_module)
    pen_test_kernel_run ("ld -r --build-id=0x" MODULE_ID " -o %s %s", path, object);
  else
    pen_test_kernel_run ("ld -nostdlib -static --build-id=0x" ID " -Ttext=0x%" G_GINT64_MODIFIER
                         "x -e _text -o %s %s",
                         PEN_TEST_KERNEL_TEXT, path, object);
  g_unlink (object);
}

typedef struct {
  const char *name;
  guint64 start;
} Wanted;

static void
match_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  Wanted *wanted = user_data;

  (void) occupant;
  if (strcmp (symbol->name, wanted->name) == 0)
    wanted->start = symbol->start;
}

/* @place: see pen_kernel_file_place() */
static guint64
find_symbol (const char *path, guint64 place, const char *name)
{
  g_autoptr (PenKernelFile) file = pen_kernel_file_open (path, NULL);
  Wanted wanted = { .name = name };

  g_assert_nonnull (file);
  pen_kernel_file_place (file, place);
  pen_kernel_file_load_symbols (file);
  pen_kernel_file_foreach_symbol (file, match_symbol, "", &wanted);
  g_assert_cmphex (wanted.start, !=, 0);
  return wanted.start;
}

/* ---- captures ---- */

static void
parse_id (const char *digits, guint8 id[20])
{
  for (guint i = 0; i < 20; i++)
    id[i] = (guint8) (g_ascii_xdigit_value (digits[2 * i]) << 4
                      | g_ascii_xdigit_value (digits[2 * i + 1]));
}

/* A kernel that was moved, and a module; samples at @addresses, which end with 0. */
static void
write_capture (Fixture *self, const guint64 *addresses)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  guint8 id[20];

  import_fixture_remove (self->fixture.capture);
  import_fixture_remove (self->fixture.store);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_set_os_release (capture, RELEASE);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, LENGTH, TEXT,
                             "[kernel.kallsyms]_text");
  parse_id (MODULE_ID, id);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_KERNEL, -1, 0, MODULE_START, 0x3000, 0, 5, 2,
                              self->has_no_module_id ? NULL : id, MODULE_PATH);
  for (guint i = 0; addresses[i] != 0; i++) {
    pen_test_capture_at (capture, 1000 + i, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, addresses[i], 1);
  }
  parse_id (ID, id);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, 20, "[kernel.kallsyms]");
  g_assert_true (
      pen_test_capture_write (capture, self->fixture.capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
}

static PenQuery *
import (Fixture *self, const PenSources *sources)
{
  GError *error = NULL;

  g_clear_object (&self->opened);
  import_fixture_remove (self->fixture.store);
  pen_import (self->fixture.capture, self->fixture.store, sources, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  self->opened = import_fixture_open (&self->fixture);
  return pen_query_new (self->opened);
}

/* ---- what is told ---- */

/* "kernel.c:4 innermost at kernel.c:8; …" of each line that is another than that before. */
static char *
tell_lines (Fixture *self, PenQuery *query, const char *symbol)
{
  GError *error = NULL;
  g_autoptr (GArray) found = pen_query_find_functions (query, symbol, &error);
  g_autoptr (PenAnnotated) annotated = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *last = NULL;
  g_autofree char *directory = g_strconcat (self->fixture.directory, "/", NULL);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 1);
  annotated
      = pen_query_annotate (query, NULL, g_array_index (found, guint32, 0), PEN_SYNTAX_ATT, NULL);
  g_assert_nonnull (annotated);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    g_autofree char *told = !line->source_file
                                ? g_strdup ("none")
                                : g_strdup_printf ("%s:%u %s", line->source_file, line->source_line,
                                                   line->inlined ? line->inlined : "-");

    if (g_strcmp0 (last, told) != 0)
      g_string_append_printf (text, "%s\n", told);
    g_free (last);
    last = g_steal_pointer (&told);
  }
  g_string_replace (text, directory, "", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_lines (Fixture *self, PenQuery *query, const char *symbol, gboolean are_known)
{
  g_autofree char *told = tell_lines (self, query, symbol);

  g_test_message ("%s", told);
  if (!are_known) {
    g_assert_cmpstr (told, ==, "none\n");
  } else if (g_str_equal (symbol, "hot")) {
    g_assert_nonnull (strstr (told, "kernel.c:4 innermost at kernel.c:8\nmiddle at kernel.c:12\n"));
    g_assert_nonnull (strstr (told, "kernel.c:12 -\n"));
    g_assert_nonnull (strstr (told, "kernel.c:13 -\n"));
  } else {
    g_assert_true (g_str_has_prefix (told, "kernel.c:17 -\n"));
  }
}

/* What the commands print of it. */
static void
assert_tables (Fixture *self, PenQuery *query)
{
  static const struct {
    PenFormat format;
    const char *expected[2];
  } tables[] = {
    { PEN_FORMAT_CSV, { ",evidence,inlined", "innermost at kernel.c:8; middle at kernel.c:12" } },
    { PEN_FORMAT_TABLE,
      { "kernel.c:4 (innermost at kernel.c:8, middle at kernel.c:12)\n", " kernel.c:13\n" } },
  };
  g_autofree char *directory = g_strconcat (self->fixture.directory, "/", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (guint is_text = 0; is_text < 2; is_text++) {
      g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
      g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, tables[i].format);
      g_autoptr (GString) text = NULL;
      GError *error = NULL;

      if (is_text)
        pen_query_write_text (query, "hot", 0, "end", PEN_SYNTAX_ATT, writer, &error);
      else
        pen_query_write_annotation (query, NULL, "hot", PEN_SYNTAX_ATT, writer, &error);
      g_assert_no_error (error);
      g_assert_true (pen_table_writer_finish (writer, &error));
      g_output_stream_write (stream, "", 1, NULL, NULL);
      text = g_string_new (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)));
      g_string_replace (text, directory, "", 0);
      for (guint k = 0; k < 2; k++)
        if (!strstr (text->str, tables[i].expected[k]))
          g_error ("no “%s” in %s", tables[i].expected[k], text->str);
    }
}

/* "vmlinux given bytes, lines" of each source. */
static void
assert_sources (PenQuery *query, const char *expected)
{
  g_autoptr (GArray) sources = pen_store_load_sources (pen_query_get_store (query), NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sources->len; i++) {
    const PenStoreSource *row = &g_array_index (sources, PenStoreSource, i);

    g_string_append_printf (text, "%s %s %s\n", row->what, row->found, row->gives);
  }
  g_assert_cmpstr (text->str, ==, expected);
}

/* ---- tests ---- */

static void
write_kernel_capture (Fixture *self, const char *path)
{
  const guint64 addresses[] = {
    find_symbol (path, SLIDE, "hot") + 1,
    find_symbol (path, SLIDE, "seldom"),
    0,
  };

  write_capture (self, addresses);
}

static void
test_kernel (Fixture *self, gconstpointer data)
{
  static const char *const options[] = { "", "-gz", "-gdwarf-4", "-DPADDED" };
  PenSources sources = { .vmlinux = self->vmlinux };

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++) {
    g_autoptr (PenQuery) query = NULL;

    build (self, self->vmlinux, FALSE, options[i]);
    write_kernel_capture (self, self->vmlinux);
    query = import (self, &sources);
    assert_lines (self, query, "hot", TRUE);
    assert_lines (self, query, "seldom", TRUE);
    assert_sources (query, "vmlinux given names, bytes, lines\n");
    assert_tables (self, query);
  }
}

/* What was given is stripped; its debug information lies elsewhere. */
static void
test_kernel_debug_file (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *path;
    const char *sources;
  } places[] = {
    { DEBUG "/.build-id/00/0102030405060708090a0b0c0d0e0f10111213.debug",
      "vmlinux given names, bytes\nvmlinux debug directory lines\n" },
    { DEBUG "/boot/vmlinux-" RELEASE, "vmlinux given names, bytes\nvmlinux path lines\n" },
  };
  PenSources sources = { .vmlinux = self->vmlinux, .symfs = self->root };
  g_autofree char *link = g_strconcat (self->vmlinux, ".linked", NULL);

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *debug = get_path (self, places[i].path);
    g_autoptr (PenQuery) query = NULL;

    build (self, self->vmlinux, FALSE, "");
    write_kernel_capture (self, self->vmlinux);
    pen_test_kernel_run ("objcopy --only-keep-debug %s %s", self->vmlinux, debug);
    pen_test_kernel_run ("strip --strip-debug %s", self->vmlinux);
    query = import (self, &sources);
    assert_lines (self, query, "hot", TRUE);
    assert_sources (query, places[i].sources);
    g_unlink (debug);
  }

  /* A link counts by the build-id of what it leads to, or else by its checksum. */
  for (guint i = 0; i < 3; i++) {
    g_autoptr (PenQuery) query = NULL;

    build (self, self->vmlinux, FALSE, "");
    pen_test_kernel_run ("objcopy --only-keep-debug %s %s", self->vmlinux, link);
    if (i > 0)
      pen_test_kernel_run ("objcopy --remove-section=.note.gnu.build-id %s", link);
    pen_test_kernel_run ("strip --strip-debug %s", self->vmlinux);
    pen_test_kernel_run ("objcopy --add-gnu-debuglink=%s %s", link, self->vmlinux);
    if (i > 1)
      pen_test_kernel_run ("objcopy --set-section-alignment .debug_info=8 %s", link);
    query = import (self, &sources);
    assert_lines (self, query, "hot", i < 2);
    assert_sources (query, i < 2 ? "vmlinux given names, bytes\nvmlinux debug link lines\n"
                                 : "vmlinux given names, bytes\n");
  }
}

/* What nobody gave is read so far as it costs little. */
static void
test_large (Fixture *self, gconstpointer data)
{
  PenSources sources = { .symfs = self->root };
  g_autofree char *path = get_path (self, DEBUG "/boot/vmlinux-" RELEASE);

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  build (self, path, FALSE, "-DPADDED");
  write_kernel_capture (self, path);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (PenQuery) query = NULL;

    sources.source_lines = i == 1;
    query = import (self, &sources);
    assert_lines (self, query, "hot", sources.source_lines);
    g_assert_cmpint (pen_store_get_fact_int (pen_query_get_store (query), "source_lines_unread", 0),
                     ==, i == 0 ? 1 : 0);
  }
}

/* A module's sections are where the kernel put them, and so are their lines. */
static void
test_module (Fixture *self, gconstpointer data)
{
  static const char *const places[]
      = { DEBUG MODULE_PATH, DEBUG MODULE_PATH ".debug",
          DEBUG "/.build-id/aa/0102030405060708090a0b0c0d0e0f10111213.debug" };
  static const char *const options[] = { "", "-gdwarf-4", "-gz" };
  PenSources sources = { .symfs = self->root };
  g_autofree char *file = get_path (self, MODULE_PATH);

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *debug = get_path (self, places[i]);
    guint64 addresses[3] = { 0 };

    /* Then the user's word counts, who said where the machine's files are. */
    self->has_no_module_id = i == 0;
    build (self, file, TRUE, options[i]);
    addresses[0] = find_symbol (file, MODULE_START, "hot");
    addresses[1] = find_symbol (file, MODULE_START, "seldom");
    g_assert_cmphex (addresses[1], >, addresses[0]);
    write_capture (self, addresses);
    for (guint k = 0; k < 3; k++) {
      g_autoptr (PenQuery) query = NULL;

      /* In the module itself; in a file of its own; nowhere. */
      if (k == 1) {
        pen_test_kernel_run ("cp %s %s", file, debug);
        pen_test_kernel_run ("strip --strip-debug %s", file);
      } else if (k == 2) {
        g_unlink (debug);
      }
      query = import (self, &sources);
      assert_lines (self, query, "hot", k < 2);
      assert_lines (self, query, "seldom", k < 2);
    }
  }
}

/* Lines that several files have in common, as dwz(1) puts them. */
static void
test_alternate (Fixture *self, gconstpointer data)
{
  PenSources sources = { .vmlinux = self->vmlinux };
  g_autofree char *dwz = g_find_program_in_path ("dwz");
  g_autofree char *other = g_strconcat (self->vmlinux, ".other", NULL);
  g_autofree char *common = g_build_filename (self->fixture.directory, "common.debug", NULL);
  g_autoptr (PenQuery) query = NULL;

  (void) data;
  if (!dwz) {
    g_test_skip ("needs dwz");
    return;
  }
  if (!pen_test_kernel_can_build ())
    return;

  build (self, self->vmlinux, FALSE, "-gdwarf-4");
  build (self, other, FALSE, "-gdwarf-4");
  pen_test_kernel_run ("dwz -h -m %s -M common.debug %s %s", common, self->vmlinux, other);
  write_kernel_capture (self, self->vmlinux);
  query = import (self, &sources);
  assert_lines (self, query, "hot", TRUE);
}

/* An import is made again when debug information has come; and not each time after that. */
static void
count_imports (const PenImportProgress *progress, gpointer user_data)
{
  guint *count = user_data;

  *count += progress->stage == PEN_IMPORT_HISTORY;
}

static guint
open_in_cache (Fixture *self, const PenSources *sources)
{
  guint count = 0;
  GError *error = NULL;
  g_autofree char *store
      = pen_import_open (self->fixture.capture, sources, count_imports, &count, NULL, &error);

  g_assert_no_error (error);
  return count > 0;
}

static void
test_installed_later (Fixture *self, gconstpointer data)
{
  PenSources sources = { .symfs = self->root };
  g_autofree char *file = get_path (self, MODULE_PATH);
  g_autofree char *debug
      = get_path (self, DEBUG "/.build-id/aa/0102030405060708090a0b0c0d0e0f10111213.debug");
  guint64 addresses[2] = { 0 };

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  build (self, debug, TRUE, "");
  pen_test_kernel_run ("strip --strip-debug -o %s %s", file, debug);
  g_unlink (debug);
  addresses[0] = find_symbol (file, MODULE_START, "hot");
  write_capture (self, addresses);
  g_assert_cmpuint (open_in_cache (self, &sources), ==, 1);
  g_assert_cmpuint (open_in_cache (self, &sources), ==, 0);
  build (self, debug, TRUE, "");
  g_assert_cmpuint (open_in_cache (self, &sources), ==, 1);
  g_assert_cmpuint (open_in_cache (self, &sources), ==, 0);
}

static void
read_line (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  (void) address;
  (void) user_data;
  if (place->file)
    g_assert_cmpuint (strlen (place->file) + place->line, >, 0);
}

/* Relocations of a damaged module lead anywhere; reading it ends. */
static void
test_damaged_module (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->fixture.directory, "pen-test.ko", NULL);
  g_autofree char *bytes = NULL;
  GRand *random = g_rand_new_with_seed (11);
  gsize length;

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  build (self, path, TRUE, "");
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (guint i = 0; i < 60; i++) {
    g_autofree char *copy = g_memdup2 (bytes, length);
    g_autoptr (PenKernelFile) file = NULL;
    g_autoptr (PenSourceLines) lines = NULL;
    guint64 budget = G_MAXUINT64;
    gboolean is_too_large;

    for (guint k = 0; k < 24; k++)
      copy[g_rand_int_range (random, 64, (gint32) length)] = (char) g_rand_int (random);
    g_assert_true (g_file_set_contents_full (path, copy, (gssize) length, G_FILE_SET_CONTENTS_NONE,
                                             0600, NULL));
    file = pen_kernel_file_open (path, NULL);
    if (!file)
      continue;
    pen_kernel_file_place (file, MODULE_START);
    lines = pen_source_lines_open_kernel (file, &budget, &is_too_large, NULL);
    if (lines)
      pen_source_lines_foreach (lines, MODULE_START, MODULE_START + 0x3000, read_line, NULL);
  }
  g_rand_free (random);
}

int
main (int argc, char *argv[])
{
  g_autofree char *home = g_dir_make_tmp ("pentimento-home-XXXXXX", NULL);
  g_autofree char *cache = g_build_filename (home, "cache", NULL);
  int status;

  g_assert_nonnull (home);
  g_setenv ("HOME", home, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/source-lines/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("kernel", test_kernel);
  ADD ("kernel-debug-file", test_kernel_debug_file);
  ADD ("large", test_large);
  ADD ("module", test_module);
  ADD ("alternate", test_alternate);
  ADD ("installed-later", test_installed_later);
  ADD ("damaged-module", test_damaged_module);
  status = g_test_run ();
  import_fixture_remove (home);
  return status;
}
