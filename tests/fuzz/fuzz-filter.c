/* fuzz-filter.c: lines of text as filters: what a person types, and what a session's file says
 *
 * Whatever is taken can be told again, as text and term by term, and is the same filter then.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-filter-term.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"

#define FIRST 1000u
#define LAST 5000000000u

static void
check_texts (const PenFilter *filter)
{
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (filter);
  g_autoptr (PenFilter) again = pen_filter_new ();

  for (guint i = 0; i < terms->len; i++) {
    g_autofree char *text = pen_filter_term_to_text (terms->pdata[i]);
    g_autofree char *argument = pen_filter_term_to_argument (terms->pdata[i]);
    g_autoptr (GError) error = NULL;

    pen_fuzz_touch_string (argument);
    if (!pen_filter_add_text (again, text, FIRST, LAST, &error))
      g_error ("“%s” is not taken again: %s", text, error->message);
  }
  g_assert_true (pen_filter_equal (filter, again));
}

static PenFilter *
add_terms (const PenFilter *filter)
{
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (filter);
  PenFilter *again = pen_filter_new ();

  for (guint i = 0; i < terms->len; i++)
    g_assert_true (pen_filter_add_term (again, terms->pdata[i]));
  return again;
}

/* Each term is looked for among all: more of them than anybody types only cost time. */
#define TERMS_MAX 1000

static guint
count_terms (const PenFilter *filter)
{
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (filter);

  return terms->len;
}

/* What was asked for and then excluded changes sides, so only the second time is it the same. */
static void
check_terms (const PenFilter *filter)
{
  g_autoptr (PenFilter) once = add_terms (filter);
  g_autoptr (PenFilter) twice = add_terms (once);
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (twice);
  g_autoptr (GPtrArray) left = NULL;

  g_assert_true (pen_filter_equal (once, twice));
  for (guint i = 0; i < terms->len; i++)
    pen_filter_remove_term (twice, terms->pdata[i]);
  left = pen_filter_dup_terms (twice);
  g_assert_cmpuint (left->len, ==, 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);
  g_autoptr (PenFilter) filter = pen_filter_new ();

  for (guint i = 0; lines[i]; i++) {
    g_autoptr (GError) error = NULL;

    if (!pen_filter_add_text (filter, lines[i], FIRST, LAST, &error))
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  }
  check_texts (filter);
  if (count_terms (filter) <= TERMS_MAX)
    check_terms (filter);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  static const char *const words[] = { "cpu:",
                                       "pid:",
                                       "tid:",
                                       "event:",
                                       "cause:",
                                       "symbol:",
                                       "time:",
                                       "address:",
                                       "changed",
                                       "comm:",
                                       "kind:",
                                       "bpf:",
                                       "tenure:",
                                       "!",
                                       "\\",
                                       ",",
                                       "-",
                                       "%",
                                       "..",
                                       " ",
                                       "0.81",
                                       "10%",
                                       "ffffffff81000000",
                                       "trampoline",
                                       "\n",
                                       NULL };

  if (size == 0 || pen_fuzz_random (&seed, 3) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  return pen_fuzz_mutate_lines (data, size, max_size, &seed, words);
}
