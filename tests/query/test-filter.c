/* test-filter.c: what a filter says, and how its time is written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-filter-term.h"

#define SECOND 1000000000ull

/* A capture from 100 s to 200 s. */
#define FIRST (100 * SECOND)
#define LAST (200 * SECOND)

static void
assert_time (const char *text, guint64 from, guint64 to)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GError) error = NULL;

  pen_filter_set_time_from_string (filter, text, FIRST, LAST, &error);
  g_assert_no_error (error);
  g_assert_true (filter->has_time);
  g_assert_cmpuint (filter->from, ==, from);
  g_assert_cmpuint (filter->to, ==, to);
}

static void
test_time (void)
{
  assert_time ("4.81,7.29", 4810000000, 7290000000);
  assert_time ("4,7", 4 * SECOND, 7 * SECOND);
  assert_time ("0.000000001,.5", 1, 500000000);
  assert_time ("4.81,", 4810000000, G_MAXUINT64);
  assert_time (",7.29", 0, 7290000000);
  assert_time (" 1 , 2 ", SECOND, 2 * SECOND);
  assert_time ("5,5", 5 * SECOND, 5 * SECOND);
  /* finer than a nanosecond is cut off */
  assert_time ("1.1234567899,2", 1123456789, 2 * SECOND);
}

static void
test_time_per_cent (void)
{
  assert_time ("10%,20%", 110 * SECOND, 120 * SECOND);
  assert_time ("0%,100%", FIRST, LAST);
  assert_time ("12.5%,", 112 * SECOND + 500000000, G_MAXUINT64);
  assert_time (",50%", 0, 150 * SECOND);
  assert_time ("50%,180", 150 * SECOND, 180 * SECOND);
}

static void
test_time_refused (void)
{
  static const char *const wrong[] = {
    "",
    ",",
    "4",
    "4,5,6",
    "x,5",
    "5,x",
    "7,4",
    "-1,5",
    "1e3,2",
    "101%,",
    "100.1%,",
    "4..5,6",
    ".,5",
    "%,5",
    "5s,6s",
    "0x5,6",
    "1 2,3",
    "99999999999999999999,",
    ",18446744074",
    "1%%,2",
    "+1,2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (GError) error = NULL;

    g_test_message ("%s", wrong[i]);
    g_assert_false (pen_filter_set_time_from_string (filter, wrong[i], FIRST, LAST, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    g_assert_false (filter->has_time);
    g_assert_nonnull (strstr (error->message, wrong[i]));
  }
}

static void
test_time_wide_capture (void)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();

  g_assert_true (pen_filter_set_time_from_string (filter, "50%,100%", 0, G_MAXUINT64, NULL));
  g_assert_cmpuint (filter->from, ==, G_MAXUINT64 / 2);
  g_assert_cmpuint (filter->to, ==, G_MAXUINT64);
}

static PenFilter *
full_filter (void)
{
  PenFilter *filter = pen_filter_new ();
  guint32 cpu = 1;
  gint32 pids[] = { -1, 126 };

  filter->has_time = TRUE;
  filter->from = 1;
  filter->to = 2;
  filter->only.cpus = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (filter->only.cpus, cpu);
  filter->only.pids = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_array_append_vals (filter->only.pids, pids, 2);
  filter->only.comms = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (filter->only.comms, g_strdup ("sh"));
  filter->only.kinds = 1u << PEN_KIND_BPF;
  filter->changed = TRUE;
  return filter;
}

static void
test_copy (void)
{
  g_autoptr (PenFilter) filter = full_filter ();
  g_autoptr (PenFilter) copy = pen_filter_copy (filter);

  g_assert_true (pen_filter_equal (filter, copy));
  g_assert_true (pen_filter_equal (copy, filter));
  g_assert_false (pen_filter_is_empty (copy));
  g_ptr_array_add (copy->only.comms, g_strdup ("perf"));
  g_assert_cmpuint (filter->only.comms->len, ==, 1);
  g_assert_false (pen_filter_equal (filter, copy));
  g_assert_false (pen_filter_equal (copy, filter));
}

static void
test_equal (void)
{
  g_autoptr (PenFilter) a = full_filter ();
  g_autoptr (PenFilter) b = full_filter ();
  g_autoptr (PenFilter) empty = pen_filter_new ();

  /* the order of values does not matter */
  g_array_index (b->only.pids, gint32, 0) = 126;
  g_array_index (b->only.pids, gint32, 1) = -1;
  g_assert_true (pen_filter_equal (a, b));
  b->to = 3;
  g_assert_false (pen_filter_equal (a, b));

  /* a time that is not set is not compared; a list without values is no list */
  g_assert_true (pen_filter_is_empty (empty));
  empty->from = 5;
  empty->only.symbols = g_ptr_array_new_with_free_func (g_free);
  g_assert_true (pen_filter_is_empty (empty));
  g_ptr_array_add (empty->only.symbols, g_strdup ("vfs_read"));
  g_assert_false (pen_filter_is_empty (empty));
}

/* ---- in words ---- */

static PenFilter *
filter_of (const char *texts)
{
  PenFilter *filter = pen_filter_new ();
  g_auto (GStrv) words = g_strsplit (texts, " ", -1);

  for (guint i = 0; words[i]; i++) {
    g_autoptr (GError) error = NULL;

    pen_filter_add_text (filter, words[i], FIRST, LAST, &error);
    g_assert_no_error (error);
  }
  return filter;
}

static char *
write_filter (const PenFilter *filter)
{
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (filter);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < terms->len; i++) {
    g_autofree char *term = pen_filter_term_to_text (terms->pdata[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", term);
  }
  return g_string_free (text, FALSE);
}

/* @texts: terms with blanks between; @expected: the same, in order, as they are written */
static void
assert_words (const char *texts, const char *expected)
{
  g_autoptr (PenFilter) filter = filter_of (texts);
  g_autofree char *text = write_filter (filter);
  g_autoptr (PenFilter) again = NULL;

  g_assert_cmpstr (text, ==, expected);
  again = filter_of (text);
  g_assert_true (pen_filter_equal (filter, again));
}

static void
test_words (void)
{
  assert_words ("comm:sh", "comm:sh");
  assert_words ("comm:!sh", "!comm:sh");
  assert_words ("!comm:sh comm:perf", "comm:perf !comm:sh");
  /* a name that begins with a mark, only and excluded */
  assert_words ("comm:\\!sh", "comm:\\!sh");
  assert_words ("bpf:23,25 !tenure:104", "bpf:23 bpf:25 !tenure:104");
  /* one address is one address */
  assert_words ("address:0xffffffffc0000c10", "address:ffffffffc0000c10");
  assert_words ("address:1000-1000", "address:1000");
  assert_words ("!comm:\\!sh", "!comm:\\!sh");
  assert_words ("comm:\\\\sh", "comm:\\\\sh");
  assert_words ("comm:!\tsh", "!comm:\\\tsh");
  assert_words ("symbol:a:b,c", "symbol:a:b,c");
  assert_words ("!kind:dso,anon kind:dso", "kind:dso !kind:dso !kind:anon");
  assert_words ("cpu:0,2-4,3", "cpu:0 cpu:2 cpu:3 cpu:4");
  assert_words ("!pid:-1,7 tid:8 cause:ftrace !cause:bpf",
                "!pid:-1 !pid:7 tid:8 cause:ftrace !cause:bpf");
  assert_words ("time:4.81,7.290000001", "time:4.81,7.290000001");
  assert_words ("time:,7", "time:,7");
  assert_words ("time:0,", "time:0,");
  assert_words ("time:10%,20%", "time:110,120");
  assert_words ("address:0xFF-0x1ff changed", "address:ff-1ff changed");
}

static void
test_words_refused (void)
{
  static const char *const wrong[] = {
    "",       "sh",       "comm",   "comm:",     "!comm:",   "comm:!",    "colour:red",  "cpu:x",
    "cpu:1,", "kind:dos", "time:5", "!time:1,2", "!changed", "address:x", "cause:magic", "pid:1.5",
  };
  g_autoptr (PenFilter) empty = pen_filter_new ();

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (GError) error = NULL;

    g_test_message ("%s", wrong[i]);
    g_assert_false (pen_filter_add_text (filter, wrong[i], FIRST, LAST, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    g_assert_true (pen_filter_equal (filter, empty));
  }
}

static void
test_terms (void)
{
  g_autoptr (PenFilter) filter = filter_of ("comm:sh comm:perf !kind:dso cpu:1 time:1,2");
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (filter);
  g_autoptr (PenFilterTerm) turned = pen_filter_term_new (PEN_FILTER_COMM, TRUE, "sh");
  g_autoptr (PenFilterTerm) nonsense = pen_filter_term_new (PEN_FILTER_KIND, TRUE, "dos");
  g_autofree char *text = NULL;
  g_autofree char *argument = pen_filter_term_to_argument (turned);

  g_assert_cmpuint (terms->len, ==, 5);
  g_assert_cmpstr (argument, ==, "--comm=!sh");
  g_assert_true (pen_filter_add_term (filter, turned));
  g_assert_true (pen_filter_add_term (filter, turned));
  g_assert_false (pen_filter_add_term (filter, nonsense));
  text = write_filter (filter);
  g_assert_cmpstr (text, ==, "time:1,2 cpu:1 comm:perf !comm:sh !kind:dso");

  for (guint i = 0; i < terms->len; i++)
    pen_filter_remove_term (filter, terms->pdata[i]);
  pen_filter_remove_term (filter, turned);
  g_assert_true (pen_filter_is_empty (filter));
}

static void
test_admits (void)
{
  g_autoptr (PenFilter) filter = filter_of ("!comm:sh cpu:1,2 !cpu:2 !kind:dso !cause:ftrace");
  g_autoptr (PenFilter) none = filter_of ("!cpu:2 !symbol:vfs_read");
  g_autoptr (PenFilter) programs = filter_of ("bpf:23 !tenure:4");

  g_assert_false (pen_filter_admits_word (filter, PEN_FILTER_COMM, "sh"));
  g_assert_true (pen_filter_admits_word (filter, PEN_FILTER_COMM, "perf"));
  g_assert_true (pen_filter_admits_number (filter, PEN_FILTER_CPU, TRUE, 1));
  g_assert_false (pen_filter_admits_number (filter, PEN_FILTER_CPU, TRUE, 2));
  g_assert_false (pen_filter_admits_number (filter, PEN_FILTER_CPU, TRUE, 3));
  g_assert_false (pen_filter_admits_number (filter, PEN_FILTER_CPU, FALSE, 1));
  /* what is not known is none of what is excluded */
  g_assert_true (pen_filter_admits_number (none, PEN_FILTER_CPU, FALSE, 2));
  g_assert_true (pen_filter_admits_word (none, PEN_FILTER_SYMBOL, NULL));
  g_assert_true (pen_filter_asks_tenures (programs));
  g_assert_true (pen_filter_admits_tenure (programs, 5, 23));
  g_assert_false (pen_filter_admits_tenure (programs, 5, 24));
  g_assert_false (pen_filter_admits_tenure (programs, 5, 0));
  g_assert_false (pen_filter_admits_tenure (programs, 4, 23));
  g_assert_false (pen_filter_asks_tenures (filter));
  g_assert_false (pen_filter_admits_kind (filter, PEN_KIND_DSO));
  g_assert_true (pen_filter_admits_kind (filter, PEN_KIND_KERNEL));
  g_assert_cmpuint (pen_filter_get_kinds (filter), ==,
                    ((1u << PEN_KINDS) - 1) & ~(1u << PEN_KIND_DSO));
  g_assert_false (pen_filter_admits_cause (filter, TRUE, PEN_CAUSE_FTRACE));
  g_assert_true (pen_filter_admits_cause (filter, TRUE, PEN_CAUSE_BPF));
  g_assert_true (pen_filter_admits_cause (filter, FALSE, PEN_CAUSE_FTRACE));
  g_assert_true (pen_filter_asks (filter, PEN_FILTER_COMM));
  g_assert_false (pen_filter_asks (filter, PEN_FILTER_PID));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/time", test_time);
  g_test_add_func ("/filter/time/per-cent", test_time_per_cent);
  g_test_add_func ("/filter/time/refused", test_time_refused);
  g_test_add_func ("/filter/time/wide-capture", test_time_wide_capture);
  g_test_add_func ("/filter/copy", test_copy);
  g_test_add_func ("/filter/equal", test_equal);
  g_test_add_func ("/filter/words", test_words);
  g_test_add_func ("/filter/words/refused", test_words_refused);
  g_test_add_func ("/filter/terms", test_terms);
  g_test_add_func ("/filter/admits", test_admits);
  return g_test_run ();
}
