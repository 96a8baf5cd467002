/* test-patch-path.c: the code that asked for a patch, by callchains of its task
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "query-fixture.h"

#include <string.h>

#include "pen-query-change-list.h"
#include "pen-query-history.h"
#include "pen-query-patch-path.h"
#include "pen-record.h"

#define MS 1000000ull
#define POKER (ALPHA + 0x100)
#define ENABLE (ALPHA + 0x200)
#define SYSCTL (ALPHA + 0x300)
#define WRITE (ALPHA + 0x400)
#define PROBE (ALPHA + 0x500)
#define SITE (ALPHA + 0x605)
#define SECOND_SITE (ALPHA + 0x705)

static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
/* To bpf_link_attach, from either site. */
static const guint8 call[] = { 0xe8, 0xf6, 0xfe, 0xff, 0xff };
static const guint8 second_call[] = { 0xe8, 0xf6, 0xfd, 0xff, 0xff };

static const char kallsyms[] = "ffffffff81000000 T _text\n"
                               "ffffffff81000100 T text_poke_bp\n"
                               "ffffffff81000200 T static_key_enable\n"
                               "ffffffff81000300 T sysctl_schedstats\n"
                               "ffffffff81000400 T vfs_write\n"
                               "ffffffff81000500 T bpf_link_attach\n"
                               "ffffffff81000600 T site\n"
                               "ffffffff81000700 T second_site\n"
                               "ffffffff81000800 T _etext\n";

static PenTestCapture *
make_capture (void)
{
  PenTestCapture *capture;
  guint8 text[0x1000];

  memset (text, 0x90, sizeof text);
  memcpy (text + (SITE - ALPHA), nop5, sizeof nop5);
  memcpy (text + (SECOND_SITE - ALPHA), nop5, sizeof nop5);
  capture = query_fixture_new_with_chains (kallsyms, text, sizeof text);
  pen_test_capture_add_comm (capture, 8, 8, FALSE, "two");
  return capture;
}

/* @caller: of the code that patches; above it, always vfs_write. */
static void
sample (PenTestCapture *capture, guint64 time, gint32 pid, guint64 address, guint64 caller)
{
  guint64 chain[] = { PEN_CONTEXT_KERNEL, address,      ENABLE + 0x10,
                      caller + 0x10,      WRITE + 0x10, 0xffffffffd0000000ull };

  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time, pid, pid, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, address, 1, chain,
                                              G_N_ELEMENTS (chain));
}

static void
patch (PenTestCapture *capture, guint64 time, gint32 pid, guint64 site, gboolean on)
{
  const guint8 *to = site == SITE ? call : second_call;

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, time, pid, pid, 0);
  pen_test_capture_add_text_poke (capture, site, on ? nop5 : to, 5, on ? to : nop5, 5);
}

static const PenPatchPath *
path_of (GPtrArray *rows, guint index)
{
  g_assert_cmpuint (index, <, rows->len);
  return &((const PenHistoryRow *) rows->pdata[index])->path;
}

static void
test_paths (void)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GPtrArray) second = NULL;
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;
  QueryFixture fixture = { 0 };
  const guint64 elsewhere[] = { PEN_CONTEXT_KERNEL, WRITE + 4, SYSCTL + 0x10 };

  /* The first: both sites by task 7, sampled three times meanwhile, once from elsewhere; and by
   * another task, which does not count. */
  patch (capture, 100 * MS, 7, SITE, TRUE);
  sample (capture, 101 * MS, 7, POKER + 4, PROBE);
  sample (capture, 102 * MS, 7, POKER + 4, SYSCTL);
  sample (capture, 103 * MS, 8, POKER + 4, PROBE);
  sample (capture, 104 * MS, 7, POKER + 8, SYSCTL);
  patch (capture, 105 * MS, 7, SECOND_SITE, TRUE);
  /* The second: one before it, nearer to it than to the first. */
  sample (capture, 480 * MS, 7, POKER + 4, PROBE);
  patch (capture, 500 * MS, 7, SITE, FALSE);
  /* The third: its task was sampled in other code only, or too long before. */
  sample (capture, 700 * MS, 7, POKER + 4, SYSCTL);
  pen_test_capture_at (capture, 899 * MS, 7, 7, 0);
  pen_test_capture_from (capture, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, WRITE + 4, 1, elsewhere,
                                              G_N_ELEMENTS (elsewhere));
  patch (capture, 900 * MS, 7, SITE, TRUE);
  query_fixture_import (&fixture, capture);

  rows = pen_query_history (fixture.query, NULL, SITE, PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 4);
  g_assert_cmpint (path_of (rows, 0)->source, ==, PEN_PATCH_PATH_UNKNOWN);
  g_assert_null (path_of (rows, 0)->callers);

  g_assert_cmpint (path_of (rows, 1)->source, ==, PEN_PATCH_PATH_DURING);
  g_assert_cmpstr (path_of (rows, 1)->callers, ==, "sysctl_schedstats < vfs_write");
  g_assert_cmpuint (path_of (rows, 1)->samples, ==, 2);
  g_assert_cmpuint (path_of (rows, 1)->looked_at, ==, 3);

  g_assert_cmpint (path_of (rows, 2)->source, ==, PEN_PATCH_PATH_NEAR);
  g_assert_cmpstr (path_of (rows, 2)->callers, ==, "bpf_link_attach < vfs_write");
  g_assert_cmpuint (path_of (rows, 2)->distance, ==, 20 * MS);
  words = pen_patch_path_describe (path_of (rows, 2));
  g_assert_cmpstr (words, ==,
                   "Called from bpf_link_attach < vfs_write (1 sample of the task, 20.0 ms away)");

  g_assert_cmpint (path_of (rows, 3)->source, ==, PEN_PATCH_PATH_UNKNOWN);

  second = pen_query_history (fixture.query, NULL, SECOND_SITE, PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (second->len, ==, 2);
  g_assert_cmpstr (path_of (second, 1)->callers, ==, "sysctl_schedstats < vfs_write");
  query_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/patch-path/paths", test_paths);
  return g_test_run ();
}
