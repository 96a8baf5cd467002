/* test-last-view.c: what is kept of a view, written, read back, and from hostile files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-filter-term.h"
#include "pen-lanes.h"
#include "pen-last-view.h"
#include "pen-test-tree.h"

static char *directory;

static PenLastView *
make_view (void)
{
  PenLastView *view = pen_last_view_new ();

  view->span = (PenSpan){ 1000, 9000 };
  view->samples = 77;
  view->state.visible = (PenSpan){ 2000, 3000 };
  view->state.playhead = 2500;
  view->state.has_mark = TRUE;
  view->state.mark = 2700;
  view->state.mark_all = TRUE;
  view->state.has_function = TRUE;
  view->symbol = g_strdup ("odd\n\xff\"name");
  view->start = 0xffffffff81000000;
  view->state.has_line = TRUE;
  view->state.line = 0xffffffff81000010;
  view->state.page = PEN_PAGE_CAUSES;
  view->state.times = PEN_TIMES_RELATIVE;
  view->state.folded = 1u << PEN_LANE_PATCHES | 1u << PEN_LANE_LOST;
  view->state.shows_tasks[PEN_TASKS_BY_PROCESS] = TRUE;
  view->has_addresses = TRUE;
  view->address_from = 0xffffffff81000000;
  view->address_to = 0xffffffff82000000;
  g_assert_true (pen_filter_add_text (view->state.filter, "!comm:a=b;[c]\n", 0, 0, NULL));
  g_assert_true (pen_filter_add_text (view->state.filter, "comm:\xfe", 0, 0, NULL));
  g_assert_true (pen_filter_add_text (view->state.filter, "time:0.000000001,2", 0, 0, NULL));
  g_assert_true (pen_filter_add_text (view->state.filter, "changed", 0, 0, NULL));
  return view;
}

static void
assert_same (const PenLastView *a, const PenLastView *b)
{
  g_assert_true (pen_span_equal (a->span, b->span));
  g_assert_cmpuint (a->samples, ==, b->samples);
  g_assert_true (pen_span_equal (a->state.visible, b->state.visible));
  g_assert_cmpuint (a->state.playhead, ==, b->state.playhead);
  g_assert_cmpint (a->state.has_mark, ==, b->state.has_mark);
  g_assert_cmpuint (a->state.mark, ==, b->state.mark);
  g_assert_cmpint (a->state.mark_all, ==, b->state.mark_all);
  g_assert_true (pen_filter_equal (a->state.filter, b->state.filter));
  g_assert_cmpint (a->state.has_function, ==, b->state.has_function);
  g_assert_cmpstr (a->symbol, ==, b->symbol);
  g_assert_cmpuint (a->start, ==, b->start);
  g_assert_cmpint (a->state.has_line, ==, b->state.has_line);
  g_assert_cmpuint (a->state.line, ==, b->state.line);
  g_assert_cmpint (a->state.page, ==, b->state.page);
  g_assert_cmpint (a->state.times, ==, b->state.times);
  g_assert_cmphex (a->state.folded, ==, b->state.folded);
  for (guint key = 0; key < G_N_ELEMENTS (a->state.shows_tasks); key++)
    g_assert_cmpint (a->state.shows_tasks[key], ==, b->state.shows_tasks[key]);
  g_assert_cmpint (a->has_addresses, ==, b->has_addresses);
  g_assert_cmphex (a->address_from, ==, b->address_from);
  g_assert_cmphex (a->address_to, ==, b->address_to);
}

/* What is loaded from a file with that text. */
static PenLastView *
load_text (const char *text)
{
  g_autofree char *file = g_build_filename (directory, "hostile.ini", NULL);
  PenLastView *view;

  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  view = pen_last_view_load (file);
  g_unlink (file);
  return view;
}

static void
test_hostile (void)
{
  static const char *const useless[] = {
    "",
    "[view]",
    "from=1",
    "[view]\nfrom=1\nto=2\n",
    "[view]\nfrom=5\nto=2\nsamples=1\n",
    "[view]\nfrom=x\nto=2\nsamples=1\n",
    "[view]\nfrom=-1\nto=2\nsamples=1\n",
    "[view]\nfrom=1\nto=99999999999999999999999\nsamples=1\n",
    "\xff\xfe[view",
  };
  static const char odd[] = "[view]\nfrom=10\nto=20\nsamples=1\nvisible-from=90\nvisible-to=3\n"
                            "page=../etc\ntimes=7\nfunction=zz\nline=\nsymbol=\\\\777\\\\\n"
                            "filter-0=colour:red\nfilter-1=cpu:0-4294967295\n"
                            "filter-2=!kind:dso\nfilter-3=time:9,1\nfilter-5=comm:late\n";
  g_autoptr (PenLastView) view = load_text (odd);
  g_autoptr (PenFilter) filter = pen_filter_new ();

  for (guint i = 0; i < G_N_ELEMENTS (useless); i++) {
    g_test_message ("case %u", i);
    g_assert_null (load_text (useless[i]));
  }
  /* of what is odd the good parts are kept */
  g_assert_nonnull (view);
  g_assert_true (pen_span_equal (view->state.visible, view->span));
  g_assert_cmpuint (view->state.playhead, ==, 10);
  g_assert_cmpint (view->state.page, ==, PEN_PAGE_CODE);
  g_assert_cmpint (view->state.times, ==, PEN_TIMES_RECORDED);
  g_assert_false (view->state.has_function);
  g_assert_false (view->state.has_line);
  pen_filter_add_text (filter, "!kind:dso", 0, 0, NULL);
  g_assert_true (pen_filter_equal (view->state.filter, filter));
}

static void
test_files (void)
{
  g_autofree char *file = pen_last_view_dup_file ("some/./capture");
  g_autofree char *same = pen_last_view_dup_file ("some/capture");
  g_autofree char *other = pen_last_view_dup_file ("another");
  g_autoptr (PenLastView) view = make_view ();
  g_autoptr (PenLastView) again = NULL;
  g_autofree char *text = NULL;
  GStatBuf status;

  g_assert_true (g_str_has_prefix (file, directory));
  g_assert_cmpstr (file, ==, same);
  g_assert_cmpstr (file, !=, other);
  g_assert_null (pen_last_view_load (file));
  pen_last_view_save_later (file, view);
  pen_last_view_wait_all ();
  again = pen_last_view_load (file);
  g_assert_nonnull (again);
  assert_same (view, again);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_true (g_str_is_ascii (text));
  g_assert_cmpint (g_stat (file, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 077, ==, 0);
  pen_last_view_save_later (file, NULL);
  pen_last_view_wait_all ();
  g_assert_null (pen_last_view_load (file));

  /* what would hang, and what is too large, is not read */
  g_assert_cmpint (mkfifo (file, 0600), ==, 0);
  g_assert_null (pen_last_view_load (file));
  g_unlink (file);
  g_assert_true (g_file_set_contents (file, "[view]\nfrom=1\nto=2\nsamples=1\n", -1, NULL));
  g_assert_cmpint (truncate (file, 1 << 20), ==, 0);
  g_assert_null (pen_last_view_load (file));
}

static void
test_bounded (void)
{
  g_autoptr (PenLastView) view = make_view ();
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  guint n = 0;

  for (guint i = 0; i < PEN_LAST_VIEWS_MAX + 20; i++) {
    g_autofree char *capture = g_strdup_printf ("capture-%u", i);
    g_autofree char *file = pen_last_view_dup_file (capture);

    pen_last_view_save_later (file, view);
    if (!folder)
      folder = g_path_get_dirname (file);
  }
  pen_last_view_wait_all ();
  dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir))
    n++;
  g_assert_cmpuint (n, ==, PEN_LAST_VIEWS_MAX);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("pentimento-view-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", directory, TRUE);
  g_test_add_func ("/last-view/hostile", test_hostile);
  g_test_add_func ("/last-view/files", test_files);
  g_test_add_func ("/last-view/bounded", test_bounded);
  status = g_test_run ();
  pen_test_remove_tree (directory);
  g_free (directory);
  return status;
}
