/* test-kernel-modules.c: names and bytes of modules: lists, folders and files that may be theirs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kernel-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-kernel-file.h"
#include "pen-store-occupants.h"
#include "pen-store-sources.h"
#include "pen-store-text.h"
#include "pen-test-kernel.h"

static void
test_modules (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  const PenSources sources = { .symfs = self->root };
  g_autofree char *path = g_build_filename (self->root, MODULE_PATH, NULL);
  g_autofree char *packed = g_strconcat (path, ".xz", NULL);
  g_autoptr (PenStore) store = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  kernel_fixture_build_at (path, ID, TRUE);
  pen_test_kernel_run ("xz --check=crc32 %s", path);
  store = kernel_fixture_import (self, NULL, ID, &sources);
  g_assert_true (kernel_fixture_has_function (store, "hot", MODULE_START + PEN_TEST_KERNEL_HOT));
  g_assert_cmpint (
      kernel_fixture_get_evidence (store, MODULE_START + PEN_TEST_KERNEL_HOT + 5, "module file"),
      ==, PEN_EVIDENCE_FILE);
  /* Nobody traces; where a call of the kernel leads, and what became of a lock, is not known. */
  g_assert_cmpint (
      kernel_fixture_get_evidence (store, MODULE_START + PEN_TEST_KERNEL_FTRACE + 1, "module file"),
      ==, PEN_EVIDENCE_FILE_UNCHECKED);
  g_assert_cmpint (
      kernel_fixture_get_evidence (store, MODULE_START + PEN_TEST_KERNEL_LOCK + 4, "module file"),
      ==, PEN_EVIDENCE_UNKNOWN);
  g_assert_cmpint (
      kernel_fixture_get_evidence (store, MODULE_START + PEN_TEST_KERNEL_LOCK, "module file"), ==,
      PEN_EVIDENCE_UNKNOWN);
  kernel_fixture_assert_sources (store, "module path file names, bytes\n");
  g_clear_object (&store);

  /* The user said that they are that machine's, and nothing says otherwise. */
  store = kernel_fixture_import (self, NULL, NULL, &sources);
  g_assert_true (kernel_fixture_has_function (store, "hot", MODULE_START + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "module path file, unchecked names, bytes\n");
  g_clear_object (&store);

  store = kernel_fixture_import (self, NULL, OTHER_ID, &sources);
  g_assert_false (kernel_fixture_has_function (store, "hot", MODULE_START + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "file path unknown  refused\n");
  g_clear_object (&store);
}

/* A module that only a snapshot knows is found through modules.dep; its calls of the kernel lead to
 * where the kernel's names say. */
static void
test_listed_module (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\nffffffff9b000100 T cold\n";
  g_autofree char *names = g_build_filename (self->fixture.directory, "kallsyms", NULL);
  g_autofree char *modules = g_build_filename (self->fixture.directory, "modules", NULL);
  g_autofree char *list
      = g_build_filename (self->root, "lib/modules/" RELEASE "/modules.dep", NULL);
  g_autofree char *path
      = g_build_filename (self->root, "lib/modules/" RELEASE "/extra/pen-more.ko", NULL);
  const PenSources sources = { .symfs = self->root,
                               .modules = (const char *const[]){ modules, NULL },
                               .kallsyms = (const char *const[]){ names, NULL } };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  kernel_fixture_build_at (path, ID, TRUE);
  g_assert_true (g_file_set_contents (
      list, "kernel/drivers/other.ko:\nextra/pen-more.ko: kernel/drivers/other.ko\n", -1, NULL));
  g_assert_true (
      g_file_set_contents (modules, "pen_more 16384 0 - Live 0xffffffffc0300000\n", -1, NULL));
  g_assert_true (g_file_set_contents (names, kallsyms, -1, NULL));
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, 3000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0300105, 1);
  kernel_fixture_try_import (self, capture, &sources, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);
  g_assert_true (kernel_fixture_has_function (store, "hot", 0xffffffffc0300100));
  g_assert_cmpint (kernel_fixture_get_evidence (
                       store, 0xffffffffc0300000 + PEN_TEST_KERNEL_LOCK + 4, "module file"),
                   ==, PEN_EVIDENCE_FILE_UNCHECKED);
}

/* A place of the module's text where loading changes little. Returns: its offset */
static gsize
read_place (const char *path, guint64 address, guint8 bytes[64])
{
  g_autoptr (PenKernelFile) file = pen_kernel_file_open (path, NULL);
  gsize length;

  pen_kernel_file_place (file, address);
  length = pen_kernel_file_get_code_end (file) - address;
  for (gsize at = 0; at + 64 <= length; at += 32) {
    guint8 states[64];
    guint n = 0;

    pen_kernel_file_read (file, address + at, 64, bytes, states, NULL);
    for (guint i = 0; i < 64; i++)
      n += states[i] == PEN_FILE_BYTE_SAME;
    if (n >= 40 && memchr (bytes, 0xe8, 64))
      return at;
  }
  g_assert_not_reached ();
}

static void
add_reading (PenTestCapture *capture, guint64 start, const guint8 bytes[64])
{
  struct {
    guint32 magic;
    guint8 version;
    guint8 length;
    guint16 flags;
    guint64 start;
    guint64 address;
    guint8 bytes[64];
  } payload = { 0x54495750, 1, 64, 2, start, start, { 0 } };

  memcpy (payload.bytes, bytes, 64);
  pen_test_capture_set_payload (capture, (const guint8 *) &payload, sizeof payload);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, start, 1);
  pen_test_capture_set_payload (capture, NULL, 0);
}

/* A module that no list has, and a witness saw: its file is known by the bytes. @twins: how many
 * files have them. @has_program: a BPF program is there. */
static void
import_witnessed (KernelFixture *self, guint twins, guint8 change, gboolean has_program)
{
  static const char *const names[] = { "pen-more", "pen-twin" };
  const PenSources sources = { .symfs = self->root };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *list
      = g_build_filename (self->root, "lib/modules/" RELEASE "/modules.dep", NULL);
  PenTestEvent output = PEN_TEST_EVENT_CLOCK;
  guint8 bytes[64];
  gsize at = 0;
  GError *error = NULL;

  for (guint i = 0; i < twins; i++) {
    g_autofree char *path
        = g_strdup_printf ("%s/lib/modules/" RELEASE "/extra/%s.ko", self->root, names[i]);

    kernel_fixture_build_at (path, i == 0 ? ID : OTHER_ID, TRUE);
    at = read_place (path, 0xffffffffc0300000, bytes);
    g_string_append_printf (lines, "extra/%s.ko:\n", names[i]);
  }
  g_assert_true (g_file_set_contents (list, lines->str, -1, NULL));
  bytes[20] ^= change;

  output.name = "witness";
  output.config = 10;
  output.sample_type |= 1 << 10;
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &output);
  pen_test_capture_set_os_release (capture, RELEASE);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, PEN_TEST_KERNEL_END, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  if (has_program)
    pen_test_capture_add_ksymbol (capture, 0xffffffffc0300000, 0x1000, 1, 0, "bpf_prog_p");
  pen_test_capture_at (capture, 2000, 42, 42, 0);
  add_reading (capture, 0xffffffffc0300000 + at, bytes);
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, 3000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0300105, 1);
  kernel_fixture_try_import (self, capture, &sources, &error);
  g_assert_no_error (error);
}

static void
assert_holder (KernelFixture *self, const char *expected)
{
  g_autoptr (PenStore) store = import_fixture_open (&self->fixture);
  g_autofree char *samples = import_fixture_dump_samples (store);

  if (!strstr (samples, expected))
    g_error ("no “%s” in\n%s", expected, samples);
}

static void
test_witnessed_module (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  import_witnessed (self, 1, 0, FALSE);
  assert_holder (self, "module [pen_more] r0 hot+5");
  store = import_fixture_open (&self->fixture);
  kernel_fixture_assert_sources (store, "modules witness file, unchecked modules\n"
                                        "module path file, unchecked names, bytes\n");
  g_clear_object (&store);

  /* A byte is another one's; or two files have them all. */
  import_witnessed (self, 1, 1, FALSE);
  assert_holder (self, "unknown  r0");
  import_witnessed (self, 2, 0, FALSE);
  assert_holder (self, "unknown  r0");
  /* A record says whose they are. */
  import_witnessed (self, 1, 0, TRUE);
  store = import_fixture_open (&self->fixture);
  kernel_fixture_assert_sources (store, "");
}

static void
write_part (const char *root, const char *part, gconstpointer data, gssize length)
{
  g_autofree char *path = g_build_filename (root, "pen_more", part, NULL);
  g_autofree char *directory = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, data, length, NULL));
}

/* A copy of /sys/module says where the module was, and by its build-id which file is its own. */
static void
test_module_folder (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const ids[] = { ID, OTHER_ID };
  g_autofree char *folder = g_build_filename (self->fixture.directory, "module", NULL);
  g_autofree char *path
      = g_build_filename (self->root, "lib/modules/" RELEASE "/extra/pen-more.ko", NULL);
  g_autofree char *list
      = g_build_filename (self->root, "lib/modules/" RELEASE "/modules.dep", NULL);
  const PenSources sources
      = { .symfs = self->root, .modules = (const char *const[]){ folder, NULL } };
  g_autoptr (GError) error = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  kernel_fixture_build_at (path, ID, TRUE);
  g_assert_true (g_file_set_contents (list, "extra/pen-more.ko:\n", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    guint8 note[36] = "\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU";
    g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
    g_autoptr (PenStore) store = NULL;
    g_autoptr (GArray) rows = NULL;

    kernel_fixture_parse_id (ids[i], note + 16);
    write_part (folder, "sections/.text", "0xffffffffc0300000\n", -1);
    write_part (folder, "notes/.note.gnu.build-id", note, sizeof note);
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 3000, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0300105, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0301000, 1);
    kernel_fixture_try_import (self, capture, &sources, &error);
    g_assert_no_error (error);
    store = import_fixture_open (&self->fixture);
    rows = pen_store_load_sources (store, NULL);
    g_assert_cmpstr (g_array_index (rows, PenStoreSource, 0).gives, ==, "modules");
    g_assert_cmpint (kernel_fixture_has_function (store, "hot", 0xffffffffc0300100), ==, i == 0);
    if (i == 0)
      g_assert_cmpint (kernel_fixture_get_evidence (
                           store, 0xffffffffc0300000 + PEN_TEST_KERNEL_HOT + 5, "module file"),
                       ==, PEN_EVIDENCE_FILE_UNCHECKED);
  }
}

/* A list of modules without addresses would say that all were gone. */
static void
test_empty_lists (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const texts[] = { "", "pen_test 16384 0 - Live 0x0000000000000000\n" };
  g_autofree char *path = g_build_filename (self->fixture.directory, "modules", NULL);
  const PenSources sources = { .modules = (const char *const[]){ path, NULL } };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
    g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    g_assert_nonnull (strstr (error->message, "no module with an address"));
    g_clear_error (&error);
  }
  g_unlink (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
  g_assert_nonnull (strstr (error->message, "/sys/module"));
}

/* Another build of a module has functions at other places than kallsyms says. */
static void
test_misplaced_module (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->root, MODULE_PATH, NULL);

  if (!pen_test_kernel_can_build ())
    return;

  kernel_fixture_build_at (path, ID, TRUE);
  for (guint64 shift = 0; shift <= 0x40; shift += 0x40) {
    const PenSources sources = { .symfs = self->root };
    g_autofree char *kallsyms = g_strdup_printf (
        "ffffffff9b000000 T _text\n%" G_GINT64_MODIFIER "x t hot\t[pen_test]\n%" G_GINT64_MODIFIER
        "x t hot_inner\t[pen_test]\n%" G_GINT64_MODIFIER "x t __SCT__pen_hook\t[pen_test]\n",
        MODULE_START + PEN_TEST_KERNEL_HOT + shift, MODULE_START + PEN_TEST_KERNEL_LABEL + shift,
        MODULE_START + PEN_TEST_KERNEL_TRAMPOLINE + shift);
    g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;

    pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
    kernel_fixture_try_import (self, capture, &sources, &error);
    g_assert_no_error (error);
    store = import_fixture_open (&self->fixture);
    g_assert_cmpint (
        kernel_fixture_get_evidence (store, MODULE_START + PEN_TEST_KERNEL_HOT + 5, "module file"),
        ==, shift == 0 ? PEN_EVIDENCE_FILE_UNCHECKED : PEN_EVIDENCE_UNKNOWN);
  }
}

/* Are bytes of @address kept that some copy had? */
static gboolean
has_copy (PenStore *store, guint64 address)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pieces = pen_store_load_text (store, address, address + 1, &error);

  g_assert_no_error (error);
  return pieces->len > 0;
}

/* A module's map that reaches beyond its text, as recorders write it: what another module, loaded
 * unseen, has there is not what the copy of the kernel's memory holds, and that is no broken chain.
 * Memory that kallsyms knows has its own name. */
static void
test_beyond_module (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\n"
                                 "ffffffffc0201000 t own\t[pen_test]\n"
                                 "ffffffffc0203000 t ftrace_trampoline\t[__builtin__ftrace]\n";
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
  g_autofree guint8 *bytes = g_malloc (0x3000);
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  memset (bytes, 0x90, 0x3000);
  memcpy (bytes + 0x2020, nop, sizeof nop);
  pen_test_capture_add_kcore_segment (capture, MODULE_START, bytes, 0x3000);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  for (guint page = 0; page < 3; page++) {
    pen_test_capture_at (capture, 3000 + page, 42, 42, 0);
    pen_test_capture_add_text_poke (capture, MODULE_START + page * 0x1000 + 0x20, nop, 5, jump, 5);
  }
  kernel_fixture_try_import (self, capture, NULL, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);
  g_assert_cmpint (pen_store_get_fact_int (store, "chain_breaks", -1), ==, 1);
  g_assert_true (kernel_fixture_has_function (store, "own", MODULE_START));
  g_assert_true (kernel_fixture_has_function (store, "ftrace_trampoline", MODULE_START + 0x2000));
  g_assert_cmpint (kernel_fixture_get_cause (store, MODULE_START + 0x2020), ==, PEN_CAUSE_FTRACE);
  g_assert_true (has_copy (store, MODULE_START + 0x20));
  g_assert_false (has_copy (store, MODULE_START + 0x1020));
}

/* How far it can be trusted that the module holds an address of its map. */
static PenEvidence
grade_module (PenStore *store, guint64 address, const char **source)
{
  g_autoptr (GArray) tenures
      = pen_store_load_tenures (store, PEN_SPACE_KERNEL, address, address + 1, NULL);
  const PenTenure *tenure = &g_array_index (tenures, PenTenure, 0);

  g_assert_cmpuint (tenures->len, ==, 1);
  g_assert_cmpstr (tenure->occupant, ==, "[pen_test]");
  *source = pen_tenure_get_source (tenure, address);
  return pen_tenure_get_evidence (tenure, address, tenure->from, tenure->to);
}

/* M8: since Linux 6.4 maps of modules count data, too. */
static void
test_code_end_by_names (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\n"
                                 "ffffffffc0201000 t own\t[pen_test]\n"
                                 "ffffffffc0201f00 t last\t[pen_test]\n"
                                 "ffffffffc0203000 d state\t[pen_test]\n";
  static const struct {
    const char *release;
    PenEvidence beyond;
  } cases[] = {
    { "6.1.0-test", PEN_EVIDENCE_RECORDED }, { "6.3.13", PEN_EVIDENCE_RECORDED },
    { "6.4.0", PEN_EVIDENCE_INFERRED },      { "7.2.12-test", PEN_EVIDENCE_INFERRED },
    { "unheard-of", PEN_EVIDENCE_INFERRED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gboolean is_inferred = cases[i].beyond == PEN_EVIDENCE_INFERRED;
    g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;
    const char *source;

    pen_test_capture_set_os_release (capture, cases[i].release);
    pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
    kernel_fixture_try_import (self, capture, NULL, &error);
    g_assert_no_error (error);
    store = import_fixture_open (&self->fixture);
    g_assert_cmpint (grade_module (store, MODULE_START, &source), ==, PEN_EVIDENCE_RECORDED);
    g_assert_null (source);
    g_assert_cmpint (grade_module (store, MODULE_START + 0xfff, &source), ==,
                     PEN_EVIDENCE_RECORDED);
    g_assert_cmpint (grade_module (store, MODULE_START + 0x1000, &source), ==, cases[i].beyond);
    g_assert_cmpstr (source, ==, is_inferred ? PEN_SOURCE_BEYOND_CODE : NULL);
    g_assert_cmpint (grade_module (store, MODULE_START + 0x2fff, &source), ==, cases[i].beyond);
  }
}

/* Without names the module's own file has its code, if it is that file. */
static void
test_code_end_by_file (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  const PenSources sources = { .symfs = self->root };
  g_autofree char *path = g_build_filename (self->root, MODULE_PATH, NULL);
  static const char *const ids[] = { ID, NULL };

  if (!pen_test_kernel_can_build ())
    return;
  kernel_fixture_build_at (path, ID, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, ids[i]);
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;
    const char *source;

    /* The path has the release of the capture's, which the file is found by. */
    pen_test_capture_set_os_release (capture, "6.4.0");
    kernel_fixture_try_import (self, capture, &sources, &error);
    g_assert_no_error (error);
    store = import_fixture_open (&self->fixture);
    g_assert_true (kernel_fixture_has_function (store, "hot", MODULE_START + PEN_TEST_KERNEL_HOT));
    g_assert_cmpint (grade_module (store, MODULE_START + PEN_TEST_KERNEL_HOT, &source), ==,
                     PEN_EVIDENCE_RECORDED);
    g_assert_cmpint (grade_module (store, MODULE_START + 0x2fff, &source), ==,
                     ids[i] ? PEN_EVIDENCE_INFERRED : PEN_EVIDENCE_RECORDED);
  }
}

static void
add_tests (void)
{
  KERNEL_FIXTURE_ADD ("/kernel-modules/witnessed", test_witnessed_module);
  KERNEL_FIXTURE_ADD ("/kernel-sources/modules", test_modules);
  KERNEL_FIXTURE_ADD ("/kernel-sources/listed-module", test_listed_module);
  KERNEL_FIXTURE_ADD ("/kernel-sources/module-folder", test_module_folder);
  KERNEL_FIXTURE_ADD ("/kernel-sources/empty-lists", test_empty_lists);
  KERNEL_FIXTURE_ADD ("/kernel-sources/misplaced-module", test_misplaced_module);
  KERNEL_FIXTURE_ADD ("/kernel-sources/beyond-module", test_beyond_module);
  KERNEL_FIXTURE_ADD ("/kernel-sources/code-end-by-names", test_code_end_by_names);
  KERNEL_FIXTURE_ADD ("/kernel-sources/code-end-by-file", test_code_end_by_file);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
