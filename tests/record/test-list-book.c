/* test-list-book.c: lists of this machine, read more than once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-list-book.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pen-test-tree.h"

#define MS 1000000u

/* Any user may read which tracers and live patches there are; most see none. */
static void
check_entries (const char *text, const char *name, guint n_lists, guint n_same)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint64 last = 0;

  for (guint i = 0; lines[i] && *lines[i]; i++) {
    char word[8];
    char list[32];
    guint64 begun;
    guint64 ended;
    guint n = 0;
    int found = sscanf (lines[i], "%7s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %31s %u", word,
                        &begun, &ended, list, &n);

    g_assert_cmpint (found, ==, g_str_equal (word, "list") ? 5 : 4);
    g_assert_cmpuint (begun, >=, last);
    g_assert_cmpuint (ended, >=, begun);
    last = ended;
    for (; n > 0; n--)
      g_assert_nonnull (lines[++i]);
    if (!g_str_equal (list, name))
      continue;
    if (g_str_equal (word, "same"))
      n_same--;
    else
      n_lists--;
  }
  g_assert_cmpuint (n_lists, ==, 0);
  g_assert_cmpuint (n_same, ==, 0);
}

static void
test_entries (void)
{
  g_autofree char *folder = g_dir_make_tmp ("pentimento-book-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pentimento", "lists", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) lacks = pen_record_lacks_new ();
  PenListBook *book = pen_list_book_new (folder);
  struct stat status;

  for (guint i = 0; i < 3; i++)
    pen_list_book_add (book);
  pen_list_book_close (book, lacks);
  g_assert_cmpuint (lacks->len, ==, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  check_entries (text, "livepatch", 1, 0);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 0777, ==, 0600);
  pen_test_remove_tree (folder);
}

/* What there is already is not written over, and that is said. */
static void
test_taken (void)
{
  g_autofree char *folder = g_dir_make_tmp ("pentimento-book-XXXXXX", NULL);
  g_autofree char *ours = g_build_filename (folder, "pentimento", NULL);
  g_autofree char *path = g_build_filename (ours, "lists", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) lacks = pen_record_lacks_new ();
  PenListBook *book;

  g_mkdir (ours, 0700);
  g_assert_true (g_file_set_contents (path, "x", -1, NULL));
  book = pen_list_book_new (folder);
  g_assert_false (pen_list_book_may_add (book, MS));
  g_assert_true (pen_list_book_is_over (book));
  pen_list_book_close (book, lacks);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "x");
  g_assert_nonnull (pen_record_lacks_find (lacks, PEN_LACK_LISTS));
  pen_test_remove_tree (folder);
}

/* A few times at once; then ten times a second at most. */
static void
test_rate (void)
{
  g_autofree char *folder = g_dir_make_tmp ("pentimento-book-XXXXXX", NULL);
  g_autoptr (GPtrArray) lacks = pen_record_lacks_new ();
  PenListBook *book = pen_list_book_new (folder);
  guint64 now = 1000u * (guint64) MS;
  guint n = 0;

  for (; n < 100 && pen_list_book_may_add (book, now); n++)
    pen_list_book_add (book);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, 4);
  for (guint i = 0; i < 1000; i++, now += MS)
    if (pen_list_book_may_add (book, now)) {
      pen_list_book_add (book);
      n++;
    }
  g_assert_cmpuint (n, <=, 15);
  /* What took long is made up for, too. */
  now += 3600u * 1000u * (guint64) MS;
  g_assert_true (pen_list_book_may_add (book, now));
  pen_list_book_close (book, lacks);
  pen_test_remove_tree (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/list-book/entries", test_entries);
  g_test_add_func ("/list-book/taken", test_taken);
  g_test_add_func ("/list-book/rate", test_rate);
  return g_test_run ();
}
