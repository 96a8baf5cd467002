/* test-reasons.c: reasons as they are kept, and as they are shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-reason.h"

#include <errno.h>

static void
assert_sentence (const char *reason, const char *expected)
{
  g_autofree char *sentence = pen_reason_describe (reason);

  g_assert_cmpstr (sentence, ==, expected);
}

static void
test_arguments (void)
{
  g_autofree char *plain = pen_reason_new (PEN_REASON_NO_TYPE, NULL);
  g_autofree char *failed = pen_reason_new (PEN_REASON_LINES_FAILED, "a\tb", "100 %s", NULL);

  g_assert_cmpstr (plain, ==, "no-type");
  assert_sentence (plain, "There is no record type 0");
  g_assert_cmpstr (failed, ==, "lines-failed\ta b\t100 %s");
  assert_sentence (failed, "a b: the lines of its source were not read: 100 %s");
}

/* The system's errors by their names, and a reason as the argument of another. */
static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) foreign
      = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "as a library says it");
  g_autofree char *reason = NULL;
  g_autofree char *of_root = NULL;
  g_autofree char *lines = NULL;
  g_autofree char *of_library = pen_reason_new_from_error (foreign);
  g_autofree char *plain = NULL;

  g_assert_false (pen_reason_set_error (&error, G_IO_ERROR_PERMISSION_DENIED, PEN_REASON_SYSTEM,
                                        "a\tb", pen_reason_name_errno (EACCES), NULL));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  reason = pen_reason_new_from_error (error);
  g_assert_cmpstr (reason, ==, "system\ta b\tEACCES");
  assert_sentence (reason, "a b: Permission denied");
  plain = pen_reason_describe_in ("no-translations", reason);
  g_assert_cmpstr (plain, ==, "a b: Permission denied");

  of_root = pen_reason_new_with_error (PEN_REASON_ERROR_OF_ROOT, NULL, error);
  g_assert_cmpstr (of_root, ==, "error-of-root\tsystem\ta b\tEACCES");
  assert_sentence (of_root, "a b: Permission denied. If the recorder ran as root: sudo chown -R "
                            "\"$USER\" on the recording's folder");
  lines = pen_reason_new_with_error (PEN_REASON_LINES_FAILED, "vmlinux", error);
  assert_sentence (lines, "vmlinux: the lines of its source were not read: a b: Permission denied");
  g_assert_cmpstr (of_library, ==, "error\tas a library says it");
  assert_sentence (of_library, "as a library says it");

  pen_reason_phrase_error (error);
  g_assert_cmpstr (error->message, ==, "a b: Permission denied");
  pen_reason_phrase_error (foreign);
  g_assert_cmpstr (foreign->message, ==, "as a library says it");
}

/* A store is a file like any other: it may hold anything. */
static void
test_foreign (void)
{
  assert_sentence ("", "");
  assert_sentence ("no word of ours", "no word of ours");
  assert_sentence ("%s%n\t1", "%s%n\t1");
  assert_sentence ("no-type\t1\t2\t3\t4\t5\t6", "There is no record type 0");
  assert_sentence ("other-build-id", "Its build-id is , and  was recorded");
  assert_sentence ("system\tx\tENOTHING", "x: ENOTHING");
  assert_sentence ("system", ": ");
  assert_sentence ("servers-unreachable\t\tx",
                   "The servers of DEBUGINFOD_URLS cannot be reached (): no more is asked from "
                   "them");
  assert_sentence ("lines-failed\tx\tlines-failed\ty\tno-type",
                   "x: the lines of its source were not read: lines-failed\ty\tno-type");
  assert_sentence ("lines-failed", ": the lines of its source were not read: ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reasons/arguments", test_arguments);
  g_test_add_func ("/reasons/errors", test_errors);
  g_test_add_func ("/reasons/foreign", test_foreign);
  return g_test_run ();
}
