/* pen-test-between.c: captures with a case to be tested between two good records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-between.h"

#include "pen-reader.h"
#include "pen-test-lines.h"

PenTestCapture *
between_start_with (const PenTestEvent *event)
{
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, event);
  pen_test_capture_at (capture, 1, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "before");
  return capture;
}

PenTestCapture *
between_start (void)
{
  return between_start_with (&PEN_TEST_EVENT_CLOCK);
}

GPtrArray *
between_end (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
             const char *problem)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *lines;

  pen_test_capture_at (capture, 2, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "after");
  pen_test_capture_write (capture, fixture->path, flags, &error);
  g_assert_no_error (error);
  pen_test_capture_free (capture);

  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, >=, 2);
  g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, 0), " before"));
  g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, lines->len - 1), " after"));
  g_assert_true (problem ? pen_test_has_problem (problems, problem) : problems->len == 0);
  g_assert_cmpuint (problems->len, ==, problem != NULL);
  g_ptr_array_remove_index (lines, lines->len - 1);
  g_ptr_array_remove_index (lines, 0);
  return lines;
}

void
between_check (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
               const char *problem, guint n_between)
{
  g_autoptr (GPtrArray) lines = between_end (fixture, capture, flags, problem);

  g_assert_cmpuint (lines->len, ==, n_between);
}

guint64
between_count (Fixture *fixture, guint32 type)
{
  g_autoptr (PenReader) reader = pen_reader_open (fixture->path, NULL, NULL);
  guint64 count = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, NULL))
    count += record.type == type;
  return count;
}
