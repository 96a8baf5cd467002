/* test-recorder-files.c: snapshots that `pentimento-cli record` leaves beside a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kernel-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-store-occupants.h"
#include "pen-store-sources.h"
#include "pen-test-kernel.h"

#define USE_CLOCKID (G_GUINT64_CONSTANT (1) << 25)
#define CLOCK_MONOTONIC 1
#define LOADED G_GUINT64_CONSTANT (0xffffffffc0300000)
#define LOADED_SECTIONS                                                                            \
  "/sys/module/pen_more/sections/.init.text 0xffffffffc0900000\n"                                  \
  "/sys/module/pen_more/sections/.text 0xffffffffc0300000\n"                                       \
  "/sys/module/pen_more/sections/.text.unlikely 0xffffffffc0301000\n"

static void
write_file (KernelFixture *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->fixture.capture, "pentimento", name, NULL);
  g_autofree char *directory = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Samples at 1000 and 3000 ns where a module is that no record describes. */
static void
write_capture (KernelFixture *self, gboolean is_monotonic)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  if (is_monotonic) {
    event.flags |= USE_CLOCKID;
    event.clockid = CLOCK_MONOTONIC;
  }
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_set_os_release (capture, RELEASE);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, PEN_TEST_KERNEL_END, TEXT,
                             "[kernel.kallsyms]_text");
  for (guint64 time = 1000; time <= 4000; time += 1000) {
    pen_test_capture_at (capture, time, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, LOADED + 0x105, 1);
  }
  import_fixture_remove (self->fixture.capture);
  g_assert_true (
      pen_test_capture_write (capture, self->fixture.capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  write_file (self, "witness", "version 1\nlost 0\n");
}

static PenStore *
import (KernelFixture *self)
{
  const PenSources sources = { .symfs = self->root };
  GError *error = NULL;

  import_fixture_remove (self->fixture.store);
  pen_import (self->fixture.capture, self->fixture.store, &sources, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return import_fixture_open (&self->fixture);
}

static void
assert_answer (PenStore *store, const char *sql, const char *expected)
{
  g_autofree char *answer = import_fixture_ask (store, sql);

  g_assert_cmpstr (answer, ==, expected);
}

/* A module that was loaded meanwhile, and stayed. */
static void
test_loads (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  write_capture (self, TRUE);
  write_file (self, "start/modules", "other 16384 0 - Live 0xffffffffc0201000\n");
  write_file (self, "loads",
              "load 2500 pen_more\n" LOADED_SECTIONS "load many pen_other\n"
              "/sys/module/pen_other/sections/.text 0xffffffffc0400000\n");
  store = import (self);
  kernel_fixture_assert_sources (store, "modules recorder file modules\n"
                                        "loads recorder file modules\n");
  assert_answer (store,
                 "SELECT occupant || printf(' %x %x', start, \"end\") FROM tenure"
                 " WHERE kind = 'module' AND occupant LIKE '%more%'",
                 "[pen_more] ffffffffc0300000 ffffffffc0302000");
}

/* Times of another clock order nothing. */
static void
test_clock (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  write_capture (self, FALSE);
  write_file (self, "loads", "load 2500 pen_more\n" LOADED_SECTIONS);
  store = import (self);
  kernel_fixture_assert_sources (store, "loads recorder file \n");
  assert_answer (store, "SELECT '' || count(*) FROM tenure WHERE kind = 'module'", "0");
}

/* By the build ID in the notes, a file is the module's. */
static void
test_build_id (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const ids[] = { ID, OTHER_ID };
  g_autofree char *path
      = g_build_filename (self->root, "lib/modules/" RELEASE "/extra/pen-more.ko", NULL);
  g_autofree char *list
      = g_build_filename (self->root, "lib/modules/" RELEASE "/modules.dep", NULL);

  if (!pen_test_kernel_can_build ())
    return;
  kernel_fixture_build_at (path, ID, TRUE);
  g_assert_true (g_file_set_contents (list, "extra/pen-more.ko:\n", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_autofree char *notes = g_strdup_printf ("/sys/module/pen_more/notes/.note.gnu.build-id "
                                              "040000001400000003000000474e5500%s\n",
                                              ids[i]);
    g_autoptr (PenStore) store = NULL;

    write_capture (self, TRUE);
    write_file (self, "start/sections", LOADED_SECTIONS);
    write_file (self, "start/notes", notes);
    store = import (self);
    g_assert_cmpint (kernel_fixture_has_function (store, "hot", LOADED + PEN_TEST_KERNEL_HOT), ==,
                     i == 0);
    if (i == 0)
      g_assert_cmpint (
          kernel_fixture_get_evidence (store, LOADED + PEN_TEST_KERNEL_HOT + 5, "module file"), ==,
          PEN_EVIDENCE_FILE);
  }
}

/* The list of the end, dated: a module that the one of the start lacks came in between (M5). */
static void
test_end (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  write_capture (self, TRUE);
  write_file (self, "start/modules", "other 16384 0 - Live 0xffffffffc0201000\n");
  write_file (self, "end/modules",
              "other 16384 0 - Live 0xffffffffc0201000\n"
              "pen_more 16384 0 - Live 0xffffffffc0300000\n");
  write_file (self, "end/kallsyms", "ffffffffc0300100 t more_hot\t[pen_more]\n");
  write_file (self, "end/times", "begun 3500\nended 3600\n");
  store = import (self);
  assert_answer (store,
                 "SELECT from_bound || ' ' || evidence FROM tenure WHERE occupant = '[pen_more]'",
                 "inferred file");
  g_assert_true (kernel_fixture_has_function (store, "more_hot", LOADED + 0x100));
  g_clear_object (&store);

  /* Names of the end are not read again where no module came. */
  write_file (self, "end/modules", "other 16384 0 - Live 0xffffffffc0201000\n");
  store = import (self);
  assert_answer (store, "SELECT '' || count(*) FROM source WHERE what = 'kallsyms'", "0");
}

#define PROBED (TEXT + 0x100)
#define CALLED (TEXT + 0x140)
#define TRACED (TEXT + 0x180)
#define TRAMPOLINE G_GUINT64_CONSTANT (0xffffffffc0500000)
#define FTRACE G_GUINT64_CONSTANT (0xffffffffc0600000)

static void
add_branch (PenTestCapture *capture, guint64 time, guint64 site, guint64 target, gboolean is_set)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  guint32 distance = GUINT32_TO_LE ((guint32) (target - site - sizeof nop));
  guint8 call[5] = { 0xe8 };

  memcpy (call + 1, &distance, sizeof distance);
  pen_test_capture_at (capture, time, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, site, is_set ? nop : call, 5, is_set ? call : nop, 5);
}

/* A breakpoint, a call of BPF and one of ftrace go, and come again. */
static void
write_patches (KernelFixture *self)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, PEN_TEST_KERNEL_END, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, TRAMPOLINE, 4096, 1, FALSE, "bpf_trampoline_6442492247");
  for (guint i = 0; i < 2; i++) {
    guint64 time = 100000000 * (i + 1);
    static const guint8 bytes[] = { 0x55, 0xcc };

    pen_test_capture_at (capture, time, 42, 42, 0);
    pen_test_capture_add_text_poke (capture, PROBED, &bytes[!i], 1, &bytes[i], 1);
    add_branch (capture, time + 30000000, CALLED, TRAMPOLINE, i == 1);
    add_branch (capture, time + 60000000, TRACED, FTRACE, i == 1);
  }
  import_fixture_remove (self->fixture.capture);
  g_assert_true (
      pen_test_capture_write (capture, self->fixture.capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  write_file (self, "start/kallsyms",
              "ffffffff9b000000 T _text\nffffffff9b000100 T probed\n"
              "ffffffff9b000140 T called\nffffffff9b000180 T traced\n"
              "ffffffffc0600000 t ftrace_trampoline\t[__builtin__ftrace]\n");
}

#define PURPOSES                                                                                   \
  "SELECT group_concat(cause || ' ' || rule || ': ' || coalesce(purpose, '-'), '; ')"              \
  " FROM (SELECT * FROM text_poke ORDER BY id)"

static void
test_purposes (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  write_patches (self);
  store = import (self);
  assert_answer (store, PURPOSES,
                 "kprobe breakpoint: -; bpf branch to bpf: -; ftrace branch to unnamed ftrace: -; "
                 "kprobe breakpoint: -; bpf branch to bpf: -; ftrace branch to unnamed ftrace: -");
  g_clear_object (&store);

  /* Of the two moments, the one at which the patch is there. */
  write_file (self, "end/kprobes", "ffffffff9b000100  k  probed+0x0    [FTRACE]\n");
  write_file (self, "end/kprobe_events",
              "p:probes/open probed+0 name=%si\n"
              "r16:probes/out probed+0 $retval\np:probes/no other\n");
  write_file (self, "start/kprobes", "ffffffff9b000100  k  probed+0x0\n");
  write_file (self, "start/kprobe_events", "p:probes/old 0xffffffff9b000100\n");
  write_file (self, "end/programs",
              "[\n{\"id\":34,\"type\":\"tracing\",\"name\":\"on_call\","
              "\"tag\":\"00\"}\n]\n");
  write_file (self, "end/links",
              "[\n{\"id\":5,\"type\":\"tracing\",\"prog_id\":34,"
              "\"attach_type\":\"trace_fentry\",\"target_obj_id\":1,"
              "\"target_btf_id\":41303}\n]\n");
  write_file (self, "start/enabled_functions",
              "traced (1) R I \ttramp: 0xffffffffc0600000 (function_trace_call+0x0/0x1d0) "
              "->ftrace_ops_list_func+0x0/0x1\n");
  write_file (self, "start/tracers",
              "/sys/kernel/tracing/current_tracer function\n"
              "/sys/kernel/tracing/instances/two/current_tracer function\n"
              "/sys/kernel/tracing/instances/no/current_tracer nop\n");
  store = import (self);
  assert_answer (store, PURPOSES,
                 "kprobe breakpoint: kprobe probes/old; "
                 "bpf branch to bpf: -; "
                 "ftrace branch to ftrace: tracer function, tracer function (two); "
                 "kprobe breakpoint: kprobe probes/open; "
                 "bpf branch to bpf: trace_fentry on_call (id 34); "
                 "ftrace branch to ftrace: -");
  assert_answer (store, "SELECT purpose FROM batch ORDER BY id LIMIT 1", "kprobe probes/old");
  assert_answer (store, "SELECT '' || count(*) FROM problem", "0");
  g_clear_object (&store);

  /* A list that is none says so, and names nobody. */
  write_file (self, "end/kprobes", "ffffffff9b000100  k\nzz k probed+0x0\n\n");
  write_file (self, "start/kprobes", "?\n");
  write_file (self, "start/kprobe_events", "p:\nprobed\n");
  store = import (self);
  assert_answer (store,
                 "SELECT group_concat(coalesce(purpose, '-')) FROM text_poke"
                 " WHERE cause = 'kprobe'",
                 "-,-");
  assert_answer (store, "SELECT '' || count(*) FROM problem WHERE reason LIKE 'lines-skipped%'",
                 "3");
}

/* Lines of anything: left out. Paths in them are names only. */
static void
test_damaged (KernelFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *digits = g_strnfill (4000, 'f');
  g_autofree char *lines = g_strdup_printf (
      "/sys/module/\n/sys/module//sections/.text 0x1000\n/sys/module/a/sections/.text\n"
      "/sys/module/a/sections/.text 0x0\n/sys/module/b/sections/.text 0xffffffffffffffff\n"
      "/sys/module/c/notes/.note.gnu.build-id zz\n/sys/module/c/notes/.note.gnu.build-id %s\n"
      "/sys/module/../../etc/passwd 0x1000\n/etc/passwd 0xffffffffc0300000\nload\nload 1\n"
      "/sys/module/d/sections/.text 0x1000\n/sys/module/d/sections/.text 0xffffffffc0300000\n",
      digits);
  g_autoptr (PenStore) store = NULL;

  write_capture (self, TRUE);
  write_file (self, "start/sections", lines);
  write_file (self, "start/notes", lines);
  write_file (self, "loads", lines);
  write_file (self, "end/times", "ended\nended x\nended 99999999999999999999\n");
  store = import (self);
  assert_answer (store, "SELECT '' || count(*) FROM tenure WHERE kind = 'module'", "0");
}

static void
add_tests (void)
{
  KERNEL_FIXTURE_ADD ("/recorder-files/loads", test_loads);
  KERNEL_FIXTURE_ADD ("/recorder-files/clock", test_clock);
  KERNEL_FIXTURE_ADD ("/recorder-files/build-id", test_build_id);
  KERNEL_FIXTURE_ADD ("/recorder-files/end", test_end);
  KERNEL_FIXTURE_ADD ("/recorder-files/purposes", test_purposes);
  KERNEL_FIXTURE_ADD ("/recorder-files/damaged", test_damaged);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
