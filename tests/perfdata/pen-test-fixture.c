/* pen-test-fixture.c: a directory and a path in it, for a test that writes captures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-fixture.h"

#include <fcntl.h>
#include <unistd.h>

#include "pen-test-lines.h"
#include "pen-test-samples.h"

void
fixture_set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->directory = pen_test_make_directory ();
  fixture->path = g_build_filename (fixture->directory, "perf.data", NULL);
}

void
fixture_tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  pen_test_remove_directory (fixture->directory);
  g_free (fixture->path);
  g_free (fixture->directory);
}

/* In place: to make a new file each time takes most of the time of tests that do so thousands of
 * times. */
void
fixture_write_bytes (Fixture *fixture, const char *bytes, gsize length)
{
  int fd = open (fixture->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, bytes, length, 0), ==, (gssize) length);
  g_assert_cmpint (ftruncate (fd, (off_t) length), ==, 0);
  close (fd);
}

char *
fixture_write_everything (Fixture *fixture, PenTestCaptureFlags flags, gsize *length)
{
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autoptr (GError) error = NULL;
  char *bytes;

  pen_test_capture_write (capture, fixture->path, flags, &error);
  g_assert_no_error (error);
  g_file_get_contents (fixture->path, &bytes, length, &error);
  g_assert_no_error (error);
  return bytes;
}

gboolean
pen_test_has_problem (GPtrArray *problems, const char *start)
{
  for (guint i = 0; i < problems->len; i++) {
    if (g_str_has_prefix (g_ptr_array_index (problems, i), start))
      return TRUE;
  }
  for (guint i = 0; i < problems->len; i++)
    g_test_message ("%s", (const char *) g_ptr_array_index (problems, i));
  return FALSE;
}
