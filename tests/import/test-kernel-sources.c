/* test-kernel-sources.c: names and bytes of the kernel: which file is believed, and what is said of
 * it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "kernel-fixture.h"

#include "pen-kallsyms.h"
#include "pen-build-id.h"
#include "pen-store-functions.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"
#include "pen-store-sources.h"
#include "pen-store-symbols.h"
#include "pen-store-text.h"
#include "pen-test-kernel.h"

static void
assert_uses_kernel (PenStore *store)
{
  g_autoptr (GArray) pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  const PenBatch *batches;
  guint n_batches;
  const char *name;
  guint64 start;
  guint64 end;

  g_assert_true (kernel_fixture_has_function (store, "hot", TEXT + PEN_TEST_KERNEL_HOT));
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + PEN_TEST_KERNEL_HOT + 5, "vmlinux"),
                   ==, PEN_EVIDENCE_FILE);
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + PEN_TEST_KERNEL_FTRACE, "vmlinux"),
                   ==, PEN_EVIDENCE_FILE_UNCHECKED);
  /* What targets of calls are named by. */
  g_assert_true (pen_store_find_symbol (store, "[kernel.kallsyms]", TEXT + PEN_TEST_KERNEL_COLD,
                                        &name, &start, &end));
  g_assert_cmpstr (name, ==, "cold");

  g_assert_cmpuint (pokes->len, ==, 2);
  g_assert_cmpstr (g_array_index (pokes, PenPoke, 0).key, ==, "pen_key+0x8");
  g_assert_cmpstr (g_array_index (pokes, PenPoke, 0).rule, ==, "key of the table");
  batches = pen_store_get_batches (store, &n_batches, NULL);
  g_assert_cmpstr (batches[0].key, ==, "pen_key+0x8");
  g_assert_cmpint (batches[0].action, ==, PEN_ACTION_OFF);
  /* The file's call, which the poke did not find, is no break. */
  g_assert_cmpint (pen_store_get_fact_int (store, "chain_breaks", -1), ==, 0);
}

static void
test_given_kernel (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  const PenSources sources = { .vmlinux = self->vmlinux };
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GError) error = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  pen_test_kernel_build (self->vmlinux, ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, &sources);
  assert_uses_kernel (store);
  kernel_fixture_assert_sources (store, "vmlinux given file names, bytes, sites\n");
  g_clear_object (&store);

  /* Whether it is the recorded one cannot be known. */
  store = kernel_fixture_import (self, NULL, NULL, &sources);
  g_assert_true (kernel_fixture_has_function (store, "hot", TEXT + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "vmlinux given file, unchecked names, bytes, sites\n");

  capture = kernel_fixture_make_capture (OTHER_ID, NULL);
  g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_nonnull (strstr (error->message, ID));
  g_assert_nonnull (strstr (error->message, OTHER_ID));
  g_assert_nonnull (strstr (error->message, self->vmlinux));
}

/* What the capture brought along goes before the file, which still has what that does not know. */
static void
test_captured_first (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\n"
                                 "ffffffff9b000100 T captured\n"
                                 "ffffffff9b000200 T _etext\n";
  const PenSources sources = { .vmlinux = self->vmlinux };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (ID, NULL);
  g_autoptr (PenStore) store = NULL;
  g_autofree guint8 *bytes = g_malloc0 (0x110);
  GError *error = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  memcpy (bytes + PEN_TEST_KERNEL_JUMP, "\x0f\x1f\x44\x00\x00", 5);
  memcpy (bytes + PEN_TEST_KERNEL_FTRACE, "\x0f\x1f\x44\x00\x00", 5);
  pen_test_kernel_build (self->vmlinux, ID, FALSE);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_add_kcore_segment (capture, TEXT, bytes, 0x110);
  kernel_fixture_try_import (self, capture, &sources, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);

  g_assert_true (kernel_fixture_has_function (store, "captured", TEXT + PEN_TEST_KERNEL_HOT));
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + PEN_TEST_KERNEL_HOT + 5, "kcore"), ==,
                   PEN_EVIDENCE_FILE);
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + 0x118, "vmlinux"), ==,
                   PEN_EVIDENCE_FILE);
  kernel_fixture_assert_sources (store, "kallsyms kcore_dir file names\n"
                                        "kcore kcore_dir file bytes\n"
                                        "vmlinux given file bytes, sites\n");
}

static void
test_perf_cache (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cached
      = g_build_filename (g_getenv ("HOME"), ".debug/.build-id/00", &ID[2], "elf", NULL);
  g_autofree char *elsewhere = g_build_filename (self->fixture.directory, "elsewhere", NULL);
  g_autofree char *moved = g_build_filename (elsewhere, ".build-id/00", &ID[2], "elf", NULL);
  g_autofree char *settings = g_build_filename (g_getenv ("HOME"), ".perfconfig", NULL);
  g_autofree char *text = g_strdup_printf ("# of perf\n[buildid]\n\tdir = %s\n", elsewhere);
  g_autoptr (PenStore) store = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  kernel_fixture_build_at (cached, ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, NULL);
  assert_uses_kernel (store);
  kernel_fixture_assert_sources (store, "vmlinux perf's cache file names, bytes, sites\n");
  g_clear_object (&store);

  /* Whatever lies under that name, its own build-id counts. */
  kernel_fixture_build_at (cached, OTHER_ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, NULL);
  g_assert_false (kernel_fixture_has_function (store, "hot", TEXT + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "file path unknown  refused\n");
  g_clear_object (&store);

  g_assert_true (g_file_set_contents (settings, "[buildid]\ndir = /dev/null\n", -1, NULL));
  kernel_fixture_build_at (cached, ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, NULL);
  kernel_fixture_assert_sources (store, "");
  g_clear_object (&store);

  g_assert_true (g_file_set_contents (settings, text, -1, NULL));
  kernel_fixture_build_at (moved, ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, NULL);
  assert_uses_kernel (store);
  g_clear_object (&store);
}

/* Beside the kernel itself, perf keeps copies of kallsyms and of kcore. */
static void
test_perf_snapshot (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\nffffffff9b000100 T snapshot\n";
  static const char other_boot[] = "ffffffff8b000000 T _text\nffffffff8b000100 T other\n";
  static const char *const boots[] = { "2026010100000000", "2026010200000000" };
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (PenStore) store = NULL;

  for (guint i = 0; i < 2; i++) {
    g_autofree char *directory
        = g_build_filename (g_getenv ("HOME"), ".debug/[kernel.kcore]", ID, boots[i], NULL);
    g_autofree char *path = g_build_filename (directory, "kallsyms", NULL);

    g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
    g_assert_true (g_file_set_contents (path, i == 0 ? kallsyms : other_boot, -1, NULL));
  }
  store = kernel_fixture_import (self, ID, NULL, NULL);
  g_assert_true (kernel_fixture_has_function (store, "snapshot", TEXT + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "kallsyms perf's cache file names\n"
                                        "kcore perf's cache unknown  refused\n");
  /* The capture is as good as it was. */
  problems = pen_store_load_problems (store, NULL);
  g_assert_cmpuint (problems->len, ==, 0);
  g_clear_object (&store);
}

/* What was found is no part of the cache's key: it is looked at when the import is opened. */
static void
test_changed_file (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cached
      = g_build_filename (g_getenv ("HOME"), ".debug/.build-id/00", &ID[2], "elf", NULL);
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (ID, NULL);
  const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

  if (!pen_test_kernel_can_build ())
    return;

  g_assert_true (
      pen_test_capture_write (capture, self->fixture.capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  kernel_fixture_build_at (cached, ID, FALSE);
  for (guint round = 0; round < 3; round++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = pen_import_open (self->fixture.capture, NULL, NULL, NULL, NULL, &error);
    g_autoptr (PenStore) store = NULL;

    g_assert_no_error (error);
    store = pen_store_open (path, &error);
    g_assert_no_error (error);
    /* Gone, it is still in the store; another in its place is not believed. */
    g_assert_true (kernel_fixture_has_function (store, "hot", TEXT + PEN_TEST_KERNEL_HOT)
                   == (round < 2));
    g_unlink (cached);
    if (round == 1) {
      kernel_fixture_build_at (cached, OTHER_ID, FALSE);
      g_assert_cmpint (utimensat (AT_FDCWD, cached, times, 0), ==, 0);
    }
  }
}

static void
test_symfs (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  const PenSources sources = { .symfs = self->root };
  g_autofree char *kernel
      = g_build_filename (self->root, "usr/lib/debug/boot/vmlinux-" RELEASE, NULL);
  g_autofree char *build = g_build_filename (self->root, "boot/vmlinux", NULL);
  g_autoptr (PenStore) store = NULL;

  if (!pen_test_kernel_can_build ())
    return;

  kernel_fixture_build_at (build, OTHER_ID, FALSE);
  kernel_fixture_build_at (kernel, ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, &sources);
  assert_uses_kernel (store);
  kernel_fixture_assert_sources (store, "vmlinux path file names, bytes, sites\n");
  g_clear_object (&store);

  kernel_fixture_build_at (kernel, OTHER_ID, FALSE);
  store = kernel_fixture_import (self, ID, NULL, &sources);
  g_assert_false (kernel_fixture_has_function (store, "hot", TEXT + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "file path unknown  refused\nfile path unknown  refused\n");
  g_clear_object (&store);
}

static void
test_kallsyms_of_other_boot (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char same[] = "ffffffff81000000 T _text\n"
                             "ffffffff81000100 T there\n"
                             "ffffffff810001a0 T _etext\n"
                             "ffffffffc0201100 t gone\t[pen_test]\n"
                             "ffffffffc0300000 t other\t[other]\n";
  static const char to_data[] = "ffffffff81000000 T _text\n"
                                "ffffffff81000100 T there\n"
                                "ffffffff81000180 T _etext\n"
                                "ffffffff810001a0 R _edata\n"
                                "ffffffff81000800 B _end\n";
  static const char *const others[] = {
    "ffffffff81000000 T _text\n"
    "ffffffff81000100 T there\n"
    "ffffffff810001b0 T _etext\n",
    "ffffffff81000000 T _text\n"
    "ffffffff81000050 T _etext\n"
    "ffffffff81000190 D _edata\n"
    "ffffffff81000800 B _end\n",
    /* Loaded at the same address. */
    "ffffffff9b000000 T _text\n"
    "ffffffff9b000050 T _etext\n"
    "ffffffff9b000190 D _edata\n"
    "ffffffff9b000800 B _end\n",
  };
  g_autofree char *path = g_build_filename (self->fixture.directory, "kallsyms", NULL);
  const PenSources sources = { .kallsyms = (const char *const[]){ path, NULL } };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (ID, NULL);
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) rows = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, same, -1, NULL));
  store = kernel_fixture_import (self, ID, NULL, &sources);
  g_assert_true (kernel_fixture_has_function (store, "there", TEXT + PEN_TEST_KERNEL_HOT));
  g_assert_false (kernel_fixture_has_function (store, "gone", MODULE_START + PEN_TEST_KERNEL_HOT));
  kernel_fixture_assert_sources (store, "kallsyms given file, unchecked names\n");
  rows = pen_store_load_sources (store, NULL);
  g_assert_cmphex (g_array_index (rows, PenStoreSource, 0).moved, ==, SLIDE);

  /* Modules lie where there was room: those of that boot say nothing of this one. */
  g_assert_cmpint (pen_store_get_fact_int (store, "modules_added", -1), ==, 0);
  g_clear_object (&store);

  /* Other kernels: by what recorders of their time let the map end with. */
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
    g_assert_true (g_file_set_contents (path, others[i], -1, NULL));
    g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    g_assert_nonnull (strstr (error->message, "another kernel"));
    g_clear_error (&error);
  }

  g_assert_true (g_file_set_contents (path, to_data, -1, NULL));
  store = kernel_fixture_import (self, ID, NULL, &sources);
  g_assert_true (kernel_fixture_has_function (store, "there", TEXT + PEN_TEST_KERNEL_HOT));
}

static guint
count_stubs (PenStore *store, PenEvidence evidence)
{
  g_autoptr (GArray) tenures = pen_store_load_tenures (store, PEN_SPACE_KERNEL, 0xffffffffc0500000,
                                                       0xffffffffc0505000, NULL);
  guint n = 0;

  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    n += tenure->kind == PEN_KIND_STUB && tenure->from_bound == PEN_BOUND_INITIAL
         && tenure->evidence == evidence;
  }
  return n;
}

/* K6: stubs that were there before the recording began have no records, but names; in a copy of
 * kallsyms of the start. */
static void
test_early_stubs (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\n"
                                 "ffffffffc0500000 t ftrace_trampoline\t[__builtin__ftrace]\n"
                                 "ffffffffc0502000 t kprobe_insn_page\t[__builtin__kprobes]\n"
                                 "ffffffffc0504000 t kprobe_insn_page\t[__builtin__kprobes]\n";
  g_autofree char *names = g_build_filename (self->fixture.directory, "kallsyms", NULL);
  g_autofree char *of_start = g_strconcat (names, "@start", NULL);
  const PenSources sources = { .kallsyms = (const char *const[]){ of_start, NULL } };
  const PenSources later = { .kallsyms = (const char *const[]){ names, NULL } };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (NULL, NULL);
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  g_assert_true (g_file_set_contents (names, kallsyms, -1, NULL));
  pen_test_capture_at (capture, 3000, 42, 42, 0);
  /* In a module that nothing tells of: a call of the first. */
  pen_test_capture_add_text_poke (capture, 0xffffffffc0400004,
                                  (const guint8 *) "\x0f\x1f\x44\x00\x00", 5,
                                  (const guint8 *) "\xe8\xf7\xff\x0f\x00", 5);
  pen_test_capture_at (capture, 3001, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, 0xffffffffc0502010, NULL, 0, (const guint8 *) "\x90", 1);
  pen_test_capture_at (capture, 3002, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, 0xffffffffc0504010, NULL, 0, (const guint8 *) "\x90", 1);
  pen_test_capture_at (capture, 3003, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, 0xffffffffc0504000, 4096, 2, 0, "kprobe_optinsn_page");
  kernel_fixture_try_import (self, capture, &sources, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);
  g_assert_cmpint (kernel_fixture_get_cause (store, 0xffffffffc0400004), ==, PEN_CAUSE_FTRACE);
  g_assert_cmpint (kernel_fixture_get_cause (store, 0xffffffffc0502010), ==, PEN_CAUSE_KPROBE);
  g_assert_cmpint (kernel_fixture_get_cause (store, 0xffffffffc0504010), ==, PEN_CAUSE_KPROBE);
  g_assert_cmpuint (count_stubs (store, PEN_EVIDENCE_FILE_UNCHECKED), ==, 3);
  g_clear_object (&store);

  kernel_fixture_try_import (self, capture, &later, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);
  g_assert_cmpuint (count_stubs (store, PEN_EVIDENCE_FILE_UNCHECKED), ==, 0);
  g_clear_object (&store);

  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  kernel_fixture_try_import (self, capture, NULL, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);
  g_assert_cmpuint (count_stubs (store, PEN_EVIDENCE_RECORDED), ==, 3);
}

static void
write_core (const char *path, const guint8 *bytes, gsize length)
{
  kernel_fixture_write_core_at (path, TEXT, bytes, length);
}

static void
test_given_kcore (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->fixture.directory, "kcore", NULL);
  const PenSources sources = { .kcore = (const char *const[]){ path, NULL } };
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (ID, NULL);
  g_autofree guint8 *bytes = g_malloc0 (0x200);
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GError) error = NULL;

  memcpy (bytes + PEN_TEST_KERNEL_JUMP, "\x0f\x1f\x44\x00\x00", 5);
  memcpy (bytes + PEN_TEST_KERNEL_FTRACE, "\x0f\x1f\x44\x00\x00", 5);
  write_core (path, bytes, 0x200);
  store = kernel_fixture_import (self, ID, NULL, &sources);
  kernel_fixture_assert_sources (store, "kcore given file bytes\n");

  memset (bytes, 0x90, 0x200);
  import_fixture_remove (path);
  write_core (path, bytes, 0x200);
  g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_nonnull (strstr (error->message, "another boot"));
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);

  /* Another boot put the kernel elsewhere: none of it is there. */
  import_fixture_remove (path);
  kernel_fixture_write_core_at (path, TEXT + 0x200000, bytes, 0x200);
  g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_nonnull (strstr (error->message, "another boot"));
  g_assert_nonnull (strstr (error->message, path));
}

/* A function without samples is kept if one with samples calls it; bytes that look like a call of
 * the middle of one are none. */
static void
test_called (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char kallsyms[] = "ffffffff9b000000 T _text\nffffffff9b000100 T hot\n"
                                 "ffffffff9b000180 T cold\nffffffff9b000300 T called\n"
                                 "ffffffff9b000400 T other\nffffffff9b000500 T last\n";
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree guint8 *bytes = g_malloc (0x1000);
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  memset (bytes, 0x90, 0x1000);
  memcpy (bytes + 0x110, "\xe8\xeb\x01\x00\x00", 5); /* called */
  memcpy (bytes + 0x120, "\xe8\xfb\x02\x00\x00", 5); /* other+0x20 */
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0x1000, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + 0x105, 1);
  pen_test_capture_add_kcore_segment (capture, TEXT, bytes, 0x1000);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  kernel_fixture_try_import (self, capture, NULL, &error);
  g_assert_no_error (error);
  store = import_fixture_open (&self->fixture);
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + 0x110, "kcore"), ==,
                   PEN_EVIDENCE_FILE);
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + 0x300, "kcore"), ==,
                   PEN_EVIDENCE_FILE);
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + 0x3ff, "kcore"), ==,
                   PEN_EVIDENCE_FILE);
  g_assert_cmpint (kernel_fixture_get_evidence (store, TEXT + 0x420, "kcore"), ==,
                   PEN_EVIDENCE_UNKNOWN);
}

#define STUB G_GUINT64_CONSTANT (0xffffffffc0400000)

/* Two trampolines of which one is gone at the end, and a dispatcher; a poke in the other. */
static PenTestCapture *
make_capture_with_stubs (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x10, 0x00, 0x00, 0x00 };
  PenTestCapture *capture = kernel_fixture_make_capture (NULL, NULL);

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 3000, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, STUB, 0x80, 2, 0, "bpf_trampoline_1");
  pen_test_capture_add_ksymbol (capture, STUB + 0x80, 0x80, 2, 0, "bpf_trampoline_2");
  pen_test_capture_add_ksymbol (capture, STUB + 0x100, 0x80, 2, 0, "bpf_dispatcher_xdp");
  pen_test_capture_at (capture, 4000, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, STUB + 0x10, nop, 5, call, 5);
  pen_test_capture_at (capture, 6000, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, STUB + 0x80, 0x80, 2, 1, "bpf_trampoline_2");
  pen_test_capture_at (capture, 8000, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, STUB + 0x20, nop, 5, call, 5);
  pen_test_capture_from (capture, 0);
  for (guint i = 0; i < 3; i++) {
    pen_test_capture_at (capture, 5000 + i, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, STUB + i * 0x80 + 8, 1);
  }
  pen_test_capture_at (capture, 9000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, STUB + 8, 1);
  return capture;
}

/* A copy of a moment after the start: of the memory of who had it then, and no more. */
static void
test_dated_kcore (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *date;
    gboolean has_second;
  } cases[] = { { "@end", FALSE }, { "@0.000005", TRUE }, { "@50%", TRUE } };
  g_autofree char *path = g_build_filename (self->fixture.directory, "kcore", NULL);
  guint8 bytes[0x180];

  memset (bytes, 0x90, sizeof bytes);
  memcpy (bytes + 0x10, "\xe8\x10\x00\x00\x00", 5);
  memcpy (bytes + 0x20, "\x0f\x1f\x44\x00\x00", 5);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *word = g_strconcat (path, cases[i].date, NULL);
    const PenSources sources = { .kcore = (const char *const[]){ word, NULL } };
    g_autoptr (PenTestCapture) capture = make_capture_with_stubs ();
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;

    /* After the poke of 8000 it is there, too. */
    memcpy (bytes + 0x20, i == 0 ? "\xe8\x10\x00\x00\x00" : "\x0f\x1f\x44\x00\x00", 5);
    import_fixture_remove (path);
    kernel_fixture_write_core_at (path, STUB, bytes, sizeof bytes);
    kernel_fixture_try_import (self, capture, &sources, &error);
    g_assert_no_error (error);
    store = import_fixture_open (&self->fixture);
    kernel_fixture_assert_sources (store, "kcore given file bytes\n");
    g_assert_cmpint (kernel_fixture_get_evidence (store, STUB + 0xf, "kcore"), ==,
                     PEN_EVIDENCE_FILE);
    g_assert_cmpint (kernel_fixture_get_evidence (store, STUB + 0x15, "kcore"), ==,
                     PEN_EVIDENCE_FILE);
    /* The pokes say these themselves. */
    g_assert_cmpint (kernel_fixture_get_evidence (store, STUB + 0x10, "kcore"), ==,
                     PEN_EVIDENCE_UNKNOWN);
    g_assert_cmpint (kernel_fixture_get_evidence (store, STUB + 0x24, "kcore"), ==,
                     PEN_EVIDENCE_UNKNOWN);
    g_assert_cmpint (kernel_fixture_get_evidence (store, STUB + 0x88, "kcore"), ==,
                     cases[i].has_second ? PEN_EVIDENCE_FILE : PEN_EVIDENCE_UNKNOWN);
    g_assert_cmpint (kernel_fixture_get_evidence (store, STUB + 0x108, "kcore"), ==,
                     PEN_EVIDENCE_UNKNOWN);
  }

  /* Another one's: neither of the two pokes left what is there. */
  {
    g_autofree char *word = g_strconcat (path, "@end", NULL);
    const PenSources sources = { .kcore = (const char *const[]){ word, NULL } };
    g_autoptr (PenTestCapture) capture = make_capture_with_stubs ();
    g_autoptr (GError) error = NULL;

    memset (bytes, 0x90, sizeof bytes);
    import_fixture_remove (path);
    kernel_fixture_write_core_at (path, STUB, bytes, sizeof bytes);
    g_assert_false (kernel_fixture_try_import (self, capture, &sources, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    g_assert_nonnull (strstr (error->message, "another boot"));
  }
}

/* This very machine's: only if it is the recorded kernel. */
static void
test_own_kernel (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) rows = NULL;
  g_autofree char *notes = NULL;
  g_autofree char *digits = NULL;
  const guint8 *id = NULL;
  guint length = 0;
  gsize n = 0;

  if (g_file_get_contents ("/sys/kernel/notes", &notes, &n, NULL))
    id = pen_build_id_find_in_notes ((const guint8 *) notes, n, &length);
  if (!id || length != 20 || !g_file_test ("/proc/kallsyms", G_FILE_TEST_EXISTS)) {
    g_test_skip ("this kernel does not tell its build-id");
    return;
  }

  digits = pen_build_id_to_string (id, length);
  store = kernel_fixture_import (self, digits, NULL, NULL);
  rows = pen_store_load_sources (store, NULL);
  g_assert_cmpuint (rows->len, >=, 2);
  g_assert_cmpstr (g_array_index (rows, PenStoreSource, 0).path, ==, "/proc/kallsyms");
  g_assert_cmpstr (g_array_index (rows, PenStoreSource, 0).found, ==, "this machine");
  g_clear_object (&store);

  store = kernel_fixture_import (self, OTHER_ID, NULL, NULL);
  kernel_fixture_assert_sources (store, "");
}

/* No build-id: host, release and the kernel's address say that it is still running. */
static void
test_own_boot (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenKallsyms) kallsyms = pen_kallsyms_load ("/proc/kallsyms", NULL, NULL);
  guint64 address = kallsyms ? pen_kallsyms_lookup (kallsyms, "_text") : 0;
  struct utsname own;

  if (address == 0 || uname (&own) != 0) {
    g_test_skip ("this kernel does not tell where it is");
    return;
  }

  for (guint other = 0; other < 4; other++) {
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    g_autoptr (PenStore) store = NULL;
    guint64 start = address + (other == 1 ? 0x200000 : 0);
    GError *error = NULL;

    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
    pen_test_capture_set_os_release (capture, other == 2 ? "1.0" : own.release);
    pen_test_capture_set_text (capture, 3, other == 3 ? "elsewhere" : own.nodename);
    pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, start, 0x100000, start,
                               "[kernel.kallsyms]_text");
    pen_test_capture_at (capture, 1000, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, start + 0x1000, 1);
    kernel_fixture_try_import (self, capture, NULL, &error);
    g_assert_no_error (error);
    store = import_fixture_open (&self->fixture);
    if (other == 0) {
      g_autoptr (GArray) rows = pen_store_load_sources (store, NULL);

      g_assert_cmpuint (rows->len, >=, 1);
      g_assert_cmpstr (g_array_index (rows, PenStoreSource, 0).path, ==, "/proc/kallsyms");
      g_assert_cmpint (g_array_index (rows, PenStoreSource, 0).evidence, ==,
                       PEN_EVIDENCE_FILE_UNCHECKED);
    } else {
      kernel_fixture_assert_sources (store, "");
    }
  }
}

static void
add_tests (void)
{
  KERNEL_FIXTURE_ADD ("/kernel-sources/given-kernel", test_given_kernel);
  KERNEL_FIXTURE_ADD ("/kernel-sources/captured-first", test_captured_first);
  KERNEL_FIXTURE_ADD ("/kernel-sources/perf-cache", test_perf_cache);
  KERNEL_FIXTURE_ADD ("/kernel-sources/perf-snapshot", test_perf_snapshot);
  KERNEL_FIXTURE_ADD ("/kernel-sources/changed-file", test_changed_file);
  KERNEL_FIXTURE_ADD ("/kernel-sources/symfs", test_symfs);
  KERNEL_FIXTURE_ADD ("/kernel-sources/kallsyms-of-other-boot", test_kallsyms_of_other_boot);
  KERNEL_FIXTURE_ADD ("/kernel-sources/early-stubs", test_early_stubs);
  KERNEL_FIXTURE_ADD ("/kernel-sources/given-kcore", test_given_kcore);
  KERNEL_FIXTURE_ADD ("/kernel-sources/called", test_called);
  KERNEL_FIXTURE_ADD ("/kernel-sources/dated-kcore", test_dated_kcore);
  KERNEL_FIXTURE_ADD ("/kernel-sources/own-kernel", test_own_kernel);
  KERNEL_FIXTURE_ADD ("/kernel-sources/own-boot", test_own_boot);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
