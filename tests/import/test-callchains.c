/* test-callchains.c: every frame is told as of its sample's time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-frame-table.h"
#include "pen-reason.h"
#include "pen-record.h"
#include "pen-store-callchains.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"

/* As many as perf records by default, with the context before them. */
#define CHAIN 127u

static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };

static PenTestCapture *
make_capture (void)
{
  static const char kallsyms[] = "ffffffff81000000 T _text\n"
                                 "ffffffff81001000 T vfs_read\n"
                                 "ffffffff81001100 T vfs_write\n"
                                 "ffffffff81001200 T last\n";
  PenTestCapture *capture = pen_test_capture_new ();
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, sizeof kallsyms - 1);

  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x1000000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "worker");
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 42, 42, 0x400000, 0x1000, 0, 5, 2, NULL,
                              "/bin/worker");
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 43, 43, 0x400000, 0x1000, 0, 5, 2, NULL,
                              "/bin/other");
  return capture;
}

static void
sample (PenTestCapture *capture, guint64 time, gint32 pid, guint16 misc, guint64 address,
        const guint64 *chain, guint n)
{
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time, pid, pid, 1);
  pen_test_capture_add_sample_with_callchain (capture, misc, address, 1, chain, n);
}

static void
dump_chain (PenStore *store, const PenSampleBlock *block, guint i, GString *text)
{
  g_autoptr (GArray) chain = NULL;
  GError *error = NULL;

  g_string_append_printf (text, "%" G_GUINT64_FORMAT, block->time[i]);
  if ((block->has[i] & PEN_SAMPLE_HAS_CHAIN) == 0)
    g_string_append (text, " none");
  if ((block->has[i] & PEN_SAMPLE_CHAIN_IS_WHOLE) != 0)
    g_string_append (text, " whole");

  chain = pen_store_load_callchain (store, block->chain[i], &error);
  g_assert_no_error (error);
  for (guint k = 0; k < chain->len; k++) {
    const PenFrame *frame = &g_array_index (chain, PenFrame, k);

    g_string_append_printf (
        text, " | %" G_GINT64_MODIFIER "x %s %s r%u %s+%" G_GINT64_MODIFIER "x%s", frame->address,
        pen_kind_to_string (frame->kind), frame->occupant, frame->revision,
        frame->symbol ? frame->symbol : "-", frame->offset, frame->is_return ? "<" : "");
  }
  g_string_append_c (text, '\n');
}

static char *
import_and_dump (ImportFixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (PenStore) store = NULL;
  GString *text = g_string_new (NULL);
  GError *error = NULL;

  import_fixture_import (fixture, capture, flags);
  store = import_fixture_open (fixture);
  pen_store_read_block (store, 0, block, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < block->n; i++)
    dump_chain (store, block, i, text);
  return g_string_free (text, FALSE);
}

static void
test_as_of_time (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint64 chain[]
      = { PEN_CONTEXT_KERNEL, KERNEL + 0x1110, KERNEL + 0x1015, KERNEL + 0x1100,
          PEN_CONTEXT_USER,   0x400100,        0x400200 };
  static const guint64 precise[] = { PEN_CONTEXT_KERNEL, KERNEL + 0x1114, KERNEL + 0x1015 };
  static const guint64 guest[]
      = { PEN_CONTEXT_GUEST_KERNEL, 0x1000, PEN_CONTEXT_GUEST_USER, 0x2000 };
  static const PenTestCaptureFlags shapes[] = {
    PEN_TEST_CAPTURE_DIRECTORY,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_ZSTD,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_BIG_ENDIAN,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_THREADS,
  };
  g_autoptr (PenTestCapture) capture = make_capture ();

  sample (capture, 3000, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  sample (capture, 1000, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  sample (capture, 1500, 43, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  sample (capture, 5000, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  sample (capture, 5100, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, precise, G_N_ELEMENTS (precise));
  sample (capture, 5200, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, NULL, 0);
  sample (capture, 5300, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, 2);
  sample (capture, 5400, 42, 4, 0x1000, guest, G_N_ELEMENTS (guest));
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 2000, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, nop5, 5, jump, 5);
  pen_test_capture_at (capture, 4000, 42, 42, 1);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 42, 42, 0x400000, 0x1000, 0, 5, 2, NULL,
                              "/lib/new");

#define KERNEL_PART(revision)                                                                      \
  " | ffffffff81001015 kernel [kernel.kallsyms] r" revision " vfs_read+15<"                        \
  " | ffffffff81001100 kernel [kernel.kallsyms] r0 vfs_read+100<"
#define USER_PART(dso) " | 400100 dso " dso " r0 -+0 | 400200 dso " dso " r0 -+0<\n"
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *text = import_and_dump (fixture, capture, shapes[i]);

    g_assert_cmpstr (
        text, ==,
        "1000" KERNEL_PART ("0") USER_PART ("/bin/worker") "1500" KERNEL_PART ("0") USER_PART (
            "/bin/other") "3000" KERNEL_PART ("1")
            USER_PART ("/bin/worker") "5000" KERNEL_PART ("1") USER_PART (
                "/lib/new") "5100 whole | ffffffff81001114 kernel [kernel.kallsyms] r0 vfs_write+14"
                            " | ffffffff81001015 kernel [kernel.kallsyms] r1 vfs_read+15<\n"
                            "5200 none\n"
                            "5300\n"
                            "5400 | 2000 guest  r0 -+0\n");
  }
}

/* CALLCHAIN_DEFERRED: cookie, count, addresses. */
static void
add_deferred (PenTestCapture *capture, guint64 time, gint32 tid, guint64 cookie)
{
  const guint64 body[] = { cookie, 3, PEN_CONTEXT_USER, 0x400100 + cookie, 0x400200 };

  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time, 42, tid, 1);
  pen_test_capture_add_raw (capture, PEN_RECORD_CALLCHAIN_DEFERRED, PEN_TEST_USER, body,
                            sizeof body, TRUE);
}

static void
test_deferred (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  guint64 chain[]
      = { PEN_CONTEXT_KERNEL, KERNEL + 0x1110, KERNEL + 0x1015, PEN_CONTEXT_USER_DEFERRED, 1 };
  g_autofree char *text = NULL;
  g_autoptr (PenStore) store = NULL;

  sample (capture, 1000, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  sample (capture, 1100, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  add_deferred (capture, 1500, 42, 1);
  /* The record first: it was in the ring of another CPU. And the map is of after the sample. */
  add_deferred (capture, 2500, 42, 2);
  chain[4] = 2;
  sample (capture, 2000, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  /* The same cookie of another thread, and one that never comes. */
  add_deferred (capture, 3500, 99, 3);
  chain[4] = 3;
  sample (capture, 3000, 42, PEN_TEST_KERNEL, KERNEL + 0x1110, chain, G_N_ELEMENTS (chain));
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 2200, 42, 42, 1);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 42, 42, 0x400000, 0x1000, 0, 5, 2, NULL,
                              "/lib/new");

  text = import_and_dump (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
#define HALF " | ffffffff81001015 kernel [kernel.kallsyms] r0 vfs_read+15<"
#define OTHER(address) " | " address " dso /bin/worker r0 -+0 | 400200 dso /bin/worker r0 -+0<\n"
  g_assert_cmpstr (text, ==,
                   "1000" HALF OTHER ("400101") "1100" HALF OTHER ("400101") "2000" HALF OTHER (
                       "400102") "3000" HALF "\n");
  store = import_fixture_open (fixture);
  g_assert_cmpint (pen_store_get_fact_int (store, "callchains_unjoined", -1), ==, 1);
}

/* More places than are kept: what stays without its callchain is told of. */
static void
test_too_many (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree guint64 *chain = g_new (guint64, CHAIN);
  gint64 dropped;
  guint told = 0;

  for (guint i = 0; i < PEN_FRAMES_MAX / (CHAIN - 2) + 100; i++) {
    /* The first place is the sample's own, and not kept again. */
    chain[0] = PEN_CONTEXT_USER;
    for (guint k = 1; k < CHAIN; k++)
      chain[k] = 0x10000000 + ((guint64) i * CHAIN + k) * 16;
    sample (capture, 1000 + i, 42, PEN_TEST_USER, chain[1], chain, CHAIN);
  }
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);

  store = import_fixture_open (fixture);
  dropped = pen_store_get_fact_int (store, "callchains_dropped", -1);
  g_assert_cmpint (dropped, >=, 99);
  g_assert_cmpint (dropped, <=, 101);
  problems = pen_store_load_problems (store, NULL);
  for (guint i = 0; i < problems->len; i++) {
    const PenStoreProblem *problem = g_ptr_array_index (problems, i);

    if (!g_str_equal (problem->reason, PEN_REASON_TOO_MANY_CHAINS))
      continue;
    told++;
    g_assert_cmpstr (problem->action, ==, "set aside");
    g_assert_cmpint (problem->count, ==, dropped);
  }
  g_assert_cmpuint (told, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/import/callchains/too-many", ImportFixture, NULL, import_fixture_set_up,
              test_too_many, import_fixture_tear_down);
  g_test_add ("/import/callchains/as-of-time", ImportFixture, NULL, import_fixture_set_up,
              test_as_of_time, import_fixture_tear_down);
  g_test_add ("/import/callchains/deferred", ImportFixture, NULL, import_fixture_set_up,
              test_deferred, import_fixture_tear_down);
  return g_test_run ();
}
