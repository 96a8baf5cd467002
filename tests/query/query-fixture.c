/* query-fixture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "query-fixture.h"

#include <string.h>

#include "pen-test-tree.h"

/* alpha: nopl 0x0(%rax,%rax,1); mov %rdi,%rax; ret */
static const guint8 alpha_text[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x48, 0x89, 0xf8, 0xc3 };
/* call beta */
static const guint8 alpha_call[] = { 0xe8, 0x3b, 0x00, 0x00, 0x00 };
/* nopl 0x0(%rax,%rax,1); push %rbp; pop %rbp; ret */
static const guint8 a_text[0x20] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x55, 0x5d, 0xc3 };
/* movabs $0x1122334455667788,%rax: goes over A; push %rbp; ret */
static const guint8 b_text[0x40]
    = { 0x48, 0xb8, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x55, 0xc3 };

static const guint8 a_tag[8] = { 1 };
static const guint8 b_tag[8] = { 2 };

static void
sample (PenTestCapture *capture, guint64 time, gint32 pid, guint32 cpu, guint16 misc,
        guint64 address)
{
  pen_test_capture_at (capture, time, pid, pid, cpu);
  pen_test_capture_from (capture, 0);
  pen_test_capture_add_sample (capture, misc, address, 10);
}

static void
change_at (PenTestCapture *capture, guint64 time, gint32 pid, guint32 cpu)
{
  pen_test_capture_at (capture, time, pid, pid, cpu);
  pen_test_capture_from (capture, 1);
}

static void
add_initial_state (PenTestCapture *capture)
{
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, ALPHA, 0x1000, ALPHA,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0, "/lib/m.ko");
  pen_test_capture_add_comm (capture, 7, 7, FALSE, "one");
  pen_test_capture_add_comm (capture, 8, 8, FALSE, "two");
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 8, 8, 0x400000, 0x1000, 0, 5, 2, NULL,
                              "/bin/two");
}

static void
add_story (PenTestCapture *capture)
{
  sample (capture, 1000, 7, 0, PEN_TEST_KERNEL, ALPHA);
  sample (capture, 1100, 7, 0, PEN_TEST_KERNEL, A);
  change_at (capture, 1500, 7, 0);
  pen_test_capture_add_ksymbol (capture, A, 0x20, 1, 0, "bpf_prog_a");
  pen_test_capture_add_bpf_event (capture, 1, 1, a_tag);
  sample (capture, 1600, 7, 0, PEN_TEST_KERNEL, A);
  sample (capture, 1700, 8, 1, PEN_TEST_KERNEL, A + 5);
  change_at (capture, 2000, 7, 0);
  pen_test_capture_add_text_poke (capture, ALPHA, alpha_text, 5, alpha_call, 5);
  sample (capture, 2500, 7, 0, PEN_TEST_KERNEL, ALPHA);
  sample (capture, 2600, 7, 0, PEN_TEST_KERNEL, ALPHA + 5);
  change_at (capture, 3000, 7, 0);
  pen_test_capture_add_ksymbol (capture, A, 0x20, 1, 1, "bpf_prog_a");
  sample (capture, 3100, 7, 0, PEN_TEST_KERNEL, A);
  sample (capture, 3100, 7, 0, PEN_TEST_KERNEL, A);
  change_at (capture, 3500, 8, 1);
  pen_test_capture_add_ksymbol (capture, B, 0x40, 1, 0, "bpf_prog_b");
  pen_test_capture_add_bpf_event (capture, 1, 2, b_tag);
  sample (capture, 3600, 8, 1, PEN_TEST_KERNEL, B + 10);
  change_at (capture, 4000, 8, 1);
  pen_test_capture_add_text_poke (capture, ALPHA, alpha_call, 5, alpha_text, 5);
  for (guint i = 0; i < 3; i++)
    sample (capture, 4500, 8, 1, PEN_TEST_KERNEL, ALPHA);
  sample (capture, 4600, 8, 1, PEN_TEST_KERNEL, ALPHA + 2);
  sample (capture, 4700, 8, 1, PEN_TEST_KERNEL, 0xffffffffd0000000ull);
  sample (capture, 4800, 8, 1, PEN_TEST_USER, 0x400123);
}

static void
add_sources (PenTestCapture *capture)
{
  static const char kallsyms[] = "ffffffff81000000 T alpha\n"
                                 "ffffffff81000040 T beta\n"
                                 "ffffffff81000080 T _etext\n"
                                 "ffffffffc0000000 t m_function\t[m]\n";
  const char *const command[] = { "perf", "record", "--kcore", "-a", "--", "true", NULL };
  const guint64 a = A;
  const guint64 b = B;
  const guint32 a_length = sizeof a_text;
  const guint32 b_length = sizeof b_text;
  guint8 text[0x1000];

  memset (text, 0xcc, sizeof text);
  memcpy (text, alpha_text, sizeof alpha_text);
  text[BETA - ALPHA] = 0xc3;
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_add_kcore_segment (capture, ALPHA, text, sizeof text);
  pen_test_capture_add_bpf_program (capture, 1, "a", a_tag, 0, &a, &a_length, 1, a_text,
                                    sizeof a_text);
  pen_test_capture_add_bpf_program (capture, 2, "b", b_tag, 0, &b, &b_length, 1, b_text,
                                    sizeof b_text);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_set_os_release (capture, "6.1.0-test");
  pen_test_capture_set_command_line (capture, command);
}

PenTestCapture *
query_fixture_new_with_chains (const char *kallsyms, const guint8 *text, gsize n)
{
  return query_fixture_new_with_event (kallsyms, text, n, NULL);
}

PenTestCapture *
query_fixture_new_with_event (const char *kallsyms, const guint8 *text, gsize n,
                              const PenTestEvent *more)
{
  PenTestCapture *capture = pen_test_capture_new ();
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.sample_type |= 1 << 5; /* PERF_SAMPLE_CALLCHAIN */
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  if (more)
    pen_test_capture_add_event (capture, more);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  if (text)
    pen_test_capture_add_kcore_segment (capture, ALPHA, text, n);
  pen_test_capture_set_arch (capture, "x86_64");

  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, ALPHA, 0x1000000, ALPHA,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 7, 7, FALSE, "one");
  return capture;
}

typedef gboolean (*ImportFunc) (const char *capture, const char *store, const PenSources *sources,
                                PenImportFunc func, gpointer user_data, GCancellable *cancellable,
                                GError **error);

static void
import_with (QueryFixture *fixture, PenTestCapture *capture, ImportFunc import)
{
  g_autoptr (GError) error = NULL;

  fixture->directory = g_dir_make_tmp ("pentimento-query-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->capture = g_build_filename (fixture->directory, "perf.data", NULL);
  fixture->store_path = g_build_filename (fixture->directory, "s.pentimento", NULL);
  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);

  import (fixture->capture, fixture->store_path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  fixture->store = pen_store_open (fixture->store_path, &error);
  g_assert_no_error (error);
  fixture->query = pen_query_new (fixture->store);
}

void
query_fixture_import (QueryFixture *fixture, PenTestCapture *capture)
{
  import_with (fixture, capture, pen_import);
}

void
query_fixture_import_with_kernel_text (QueryFixture *fixture, PenTestCapture *capture)
{
  import_with (fixture, capture, pen_import_with_kernel_text);
}

void
query_fixture_set_up (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  add_sources (capture);
  add_initial_state (capture);
  add_story (capture);
  query_fixture_import (fixture, capture);
}

void
query_fixture_tear_down (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_clear_object (&fixture->query);
  g_clear_object (&fixture->store);
  pen_test_remove_tree (fixture->directory);
  g_free (fixture->directory);
  g_free (fixture->capture);
  g_free (fixture->store_path);
}

PenFilter *
query_fixture_time_filter (guint64 from, guint64 to)
{
  PenFilter *filter = pen_filter_new ();

  filter->has_time = TRUE;
  filter->from = from;
  filter->to = to;
  return filter;
}

void
query_fixture_add_tests (const QueryFixtureTest *tests, guint n)
{
  for (guint i = 0; i < n; i++)
    g_test_add (tests[i].path, QueryFixture, NULL, query_fixture_set_up, tests[i].test,
                query_fixture_tear_down);
}
