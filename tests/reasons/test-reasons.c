/* test-reasons.c: reasons as they are kept, and as they are shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-reason.h"

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

/* A store is a file like any other: it may hold anything. */
static void
test_foreign (void)
{
  assert_sentence ("", "");
  assert_sentence ("no word of ours", "no word of ours");
  assert_sentence ("%s%n\t1", "%s%n\t1");
  assert_sentence ("no-type\t1\t2\t3\t4\t5\t6", "There is no record type 0");
  assert_sentence ("other-build-id", "Its build-id is , and  was recorded");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reasons/arguments", test_arguments);
  g_test_add_func ("/reasons/foreign", test_foreign);
  return g_test_run ();
}
