/* test-place.c: recordings that are replaced, and what is no recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-place.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-test-tree.h"

static void
write_file (const char *name, const char *text)
{
  g_autofree char *directory = g_path_get_dirname (name);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (name, text, -1, NULL));
}

static void
assert_file (const char *name, const char *expected)
{
  g_autofree char *text = NULL;

  g_file_get_contents (name, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, expected);
}

static gboolean
set_aside (const char *name, gboolean expected)
{
  gboolean was_moved;
  g_autoptr (GError) error = NULL;
  gboolean is_free = pen_record_place_set_aside (name, &was_moved, &error);

  g_assert_cmpint (is_free, ==, expected);
  g_assert_true (is_free || error->message[0] != '\0');
  return was_moved;
}

static void
test_replaced (void)
{
  g_assert_false (set_aside ("r", TRUE));
  write_file ("r/data", "1");
  write_file ("r/pentimento/start/kallsyms", "1");
  write_file ("r/kcore_dir/kcore", "1");
  write_file ("r/data.0", "1");
  g_assert_true (set_aside ("r//", TRUE));
  g_assert_false (g_file_test ("r", G_FILE_TEST_EXISTS));
  assert_file ("r.old/pentimento/start/kallsyms", "1");

  /* The one before goes. */
  write_file ("r", "2");
  g_assert_true (set_aside ("r", TRUE));
  assert_file ("r.old", "2");
}

static void
test_put_back (void)
{
  write_file ("p/data", "1");
  g_assert_true (set_aside ("p", TRUE));
  write_file ("p/data", "not begun");
  pen_record_place_put_back ("p", TRUE);
  assert_file ("p/data", "1");
  g_assert_false (g_file_test ("p.old", G_FILE_TEST_EXISTS));
}

/* Neither the place itself, nor what would have to go for it. */
static void
test_foreign (void)
{
  write_file ("f/data", "1");
  write_file ("f/letter", "1");
  g_assert_false (set_aside ("f", FALSE));
  assert_file ("f/letter", "1");

  write_file ("g/data", "1");
  write_file ("g.old/data", "1");
  write_file ("g.old/letter", "1");
  g_assert_false (set_aside ("g", FALSE));
  assert_file ("g/data", "1");
  assert_file ("g.old/data", "1");
  assert_file ("g.old/letter", "1");
}

/* Removing a recording does not reach beyond it. */
static void
test_links (void)
{
  write_file ("kept/data", "1");
  write_file ("l/data", "2");
  write_file ("l.old/data", "1");
  g_assert_cmpint (symlink ("../kept", "l.old/pentimento"), ==, 0);
  g_assert_true (set_aside ("l", TRUE));
  assert_file ("l.old/data", "2");
  assert_file ("kept/data", "1");

  g_assert_cmpint (symlink ("kept", "m.old"), ==, 0);
  write_file ("m/data", "3");
  g_assert_true (set_aside ("m", TRUE));
  assert_file ("m.old/data", "3");
  assert_file ("kept/data", "1");
}

static void
test_private (void)
{
  struct stat status;

  g_assert_true (pen_record_place_make ("d", NULL));
  g_assert_cmpint (g_lstat ("d", &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  g_assert_false (pen_record_place_make ("d", NULL));
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("pen-place-XXXXXX", NULL);
  int status;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (g_chdir (directory), ==, 0);
  g_test_add_func ("/record/place/replaced", test_replaced);
  g_test_add_func ("/record/place/put-back", test_put_back);
  g_test_add_func ("/record/place/foreign", test_foreign);
  g_test_add_func ("/record/place/links", test_links);
  g_test_add_func ("/record/place/private", test_private);
  status = g_test_run ();
  g_assert_cmpint (g_chdir ("/"), ==, 0);
  pen_test_remove_tree (directory);
  return status;
}
