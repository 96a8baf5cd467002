/* test-tree.c: what is removed with a directory, and what stays
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-tree.h"

#include <glib/gstdio.h>
#include <unistd.h>

static void
test_links (void)
{
  g_autofree char *root = g_dir_make_tmp ("pen-tree-XXXXXX", NULL);
  g_autofree char *tree = g_build_filename (root, "tree", NULL);
  g_autofree char *inner = g_build_filename (tree, "inner", "most", NULL);
  g_autofree char *link = g_build_filename (inner, "link", NULL);
  g_autofree char *lost = g_build_filename (inner, "lost", NULL);
  g_autofree char *kept = g_build_filename (root, "kept", NULL);
  g_autofree char *file = g_build_filename (kept, "file", NULL);
  g_autofree char *start = g_build_filename (root, "start", NULL);

  g_assert_no_errno (g_mkdir_with_parents (inner, 0700));
  g_assert_no_errno (g_mkdir (kept, 0700));
  g_assert_true (g_file_set_contents (file, "", -1, NULL));
  g_assert_no_errno (symlink (kept, link));
  g_assert_no_errno (symlink ("nowhere", lost));
  g_assert_no_errno (symlink (kept, start));

  pen_test_remove_tree (tree);
  g_assert_false (g_file_test (tree, G_FILE_TEST_EXISTS));
  pen_test_remove_tree (start);
  g_assert_false (g_file_test (start, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));

  pen_test_remove_tree (tree);
  pen_test_remove_tree (root);
  g_assert_false (g_file_test (root, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/support/tree/links", test_links);
  return g_test_run ();
}
