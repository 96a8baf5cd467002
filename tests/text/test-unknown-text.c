/* test-unknown-text.c: what stands in place of an instruction whose bytes are unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib.h>

#include "pen-unknown-text.h"

static void
check (const char *text, const char *expected)
{
  g_autofree char *translated = pen_unknown_text_translate (text);

  g_assert_cmpstr (translated, ==, expected);
}

/* In English there is nothing to translate but the singular: each word is found. */
static void
test_words (void)
{
  check (NULL, NULL);
  check ("", "");
  check ("nopl   0x0(%rax,%rax,1)", "nopl   0x0(%rax,%rax,1)");
  check ("(bad)", "(bad)");
  check ("(5", "(5");
  check (PEN_UNKNOWN_TEXT_NOT_RECORDED, "(bytes not recorded)");
  check (PEN_UNKNOWN_TEXT_NOTHING, "(nothing known here)");
  check (PEN_UNKNOWN_TEXT_SEVERAL, "(several texts)");
}

static void
test_gaps (void)
{
  static const struct {
    PenGap gap;
    const char *one;
    const char *many;
    const char *many_in_a_table;
    const char *one_in_a_table;
  } cases[] = {
    { PEN_GAP_NOT_RECORDED, "(1 byte not recorded)", "(16 bytes not recorded)",
      "(16 bytes not recorded)", "(1 bytes not recorded)" },
    { PEN_GAP_NOTHING, "(1 byte, nothing known here)", "(16 bytes, nothing known here)",
      "(16 bytes, nothing known here)", "(1 bytes, nothing known here)" },
    { PEN_GAP_IN_CACHE, "(1 byte in the cache of the import, not in this store)",
      "(16 bytes in the cache of the import, not in this store)",
      "(16 bytes in the cache of the import, not in this store)",
      "(1 bytes in the cache of the import, not in this store)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *many = pen_unknown_text_of_gap (cases[i].gap, 16);
    g_autofree char *one = pen_unknown_text_of_gap (cases[i].gap, 1);

    g_assert_cmpstr (many, ==, cases[i].many_in_a_table);
    g_assert_cmpstr (one, ==, cases[i].one_in_a_table);
    check (many, cases[i].many);
    check (one, cases[i].one);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unknown-text/words", test_words);
  g_test_add_func ("/unknown-text/gaps", test_gaps);
  return g_test_run ();
}
