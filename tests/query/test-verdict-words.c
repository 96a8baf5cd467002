/* test-verdict-words.c: sentences of a verdict, from numbers that are given
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-poisson.h"
#include "pen-query-verdict.h"
#include "pen-ratio-words.h"

static PenVerdictCause *
add_cause (PenVerdictReport *report, PenCause cause, const char *key, guint64 off, guint64 on)
{
  PenVerdictCause *made = g_new0 (PenVerdictCause, 1);
  PenPhase *phases = made->two.phases;

  made->cause = cause;
  made->key = g_strdup (key);
  made->address = report->start + 16 * (report->causes->len + 1);
  made->is_switch = TRUE;
  made->period_test = (PenRateTest){ NAN, NAN, NAN, NAN };
  made->overlap = -1;
  made->tasks = g_ptr_array_new ();
  phases[PEN_TEXT_OFF].rate = (PenRate){ .samples = off, .seconds = 10, .share = NAN };
  phases[PEN_TEXT_ON].rate = (PenRate){ .samples = on, .seconds = 10, .share = NAN };
  made->two.rate_test = pen_poisson_compare (off, 10, on, 10);
  made->two.rate = made->two.rate_test.p >= PEN_POISSON_ALPHA ? PEN_VERDICT_ALIKE
                   : on > off                                 ? PEN_VERDICT_MORE
                                                              : PEN_VERDICT_LESS;
  g_ptr_array_add (report->causes, made);
  return made;
}

static void
free_made (gpointer data)
{
  PenVerdictCause *made = data;

  g_free (made->key);
  g_ptr_array_unref (made->tasks);
  g_free (made);
}

static PenVerdictReport *
make_report (void)
{
  PenVerdictReport *report = g_new0 (PenVerdictReport, 1);

  report->patchers = g_ptr_array_new_with_free_func (g_free);
  report->causes = g_ptr_array_new_with_free_func (free_made);
  report->known = 20;
  report->patched = 19.99;
  return report;
}

static void
assert_words (const PenVerdictReport *report, const char *expected)
{
  g_autofree char *text = pen_verdict_report_describe (report);

  g_assert_cmpstr (text, ==, expected);
}

/* Nothing on one side is no ratio; causes without a difference share a sentence, and so do two that
 * were on at the same times. */
static void
test_words (void)
{
  g_autoptr (PenVerdictReport) report = make_report ();
  PenVerdictCause *call;

  add_cause (report, PEN_CAUSE_STATIC_KEY, "one", 0, 100);
  assert_words (report, "Patched > 99 % of the time. Samples only while the static key one was on "
                        "(at least 27×).");
  call = add_cause (report, PEN_CAUSE_STATIC_CALL, "two", 0, 100);
  call->is_switch = FALSE;
  call->overlap = 0;
  call->overlap_on = 1;
  ((PenVerdictCause *) report->causes->pdata[0])->overlap = 1;
  ((PenVerdictCause *) report->causes->pdata[0])->overlap_on = 1;
  assert_words (report, "Patched > 99 % of the time. Samples only while the static key one was on "
                        "(at least 27×). Also active: static call two, at the same times.");

  g_ptr_array_set_size (report->causes, 0);
  add_cause (report, PEN_CAUSE_FTRACE, NULL, 100, 0);
  assert_words (report, "Patched > 99 % of the time. No samples while ftrace was active "
                        "(0.00–0.04×).");
  add_cause (report, PEN_CAUSE_KPROBE, NULL, 100, 100);
  add_cause (report, PEN_CAUSE_KPROBE, NULL, 0, 0);
  report->traced = 5;
  g_ptr_array_add (report->patchers, g_strdup ("sh [1]"));
  assert_words (report, "Traced 25 % of the time. No samples while ftrace was active "
                        "(0.00–0.04×). No significant difference in samples per second: kprobe at "
                        "+0x20 (0.75–1.3×), kprobe at +0x30 (no samples). Patched by sh [1].");
}

/* A part of the time in which the text is known says little where that is short. */
static void
test_unknown_words (void)
{
  g_autoptr (PenVerdictReport) report = make_report ();

  add_cause (report, PEN_CAUSE_FTRACE, NULL, 100, 0);
  report->traced = 5;
  report->recorded = report->known / 0.51;
  assert_words (report, "Traced 25 % of the time. No samples while ftrace was active "
                        "(0.00–0.04×).");
  report->recorded = 100 * report->known;
  assert_words (report, "Text unknown for 99 % of the time. Traced 25 % of the rest. No samples "
                        "while ftrace was active (0.00–0.04×).");
  report->known = report->traced = report->patched = 0;
  assert_words (report, "Text unknown for 100 % of the time. No samples while ftrace was active "
                        "(0.00–0.04×).");
}

/* What is not known is said once, and plainly. */
static void
test_lost_words (void)
{
  g_autoptr (PenVerdictReport) report = make_report ();
  PenVerdictCause *cause = add_cause (report, PEN_CAUSE_FTRACE, NULL, 0, 0);

  report->patched = 0;
  report->recorded = 100 * report->known;
  cause->two.rate = PEN_VERDICT_UNKNOWN;
  cause->two.phases[PEN_TEXT_ON].rate.seconds = 0;
  cause->two.phases[PEN_TEXT_UNKNOWN].rate.seconds = report->recorded - report->known;
  assert_words (report,
                "Text unknown for 99 % of the time. Not patched in the rest. No verdict: any "
                "time with ftrace is where the text is unknown.");
  cause->two.phases[PEN_TEXT_UNKNOWN].rate.seconds = 0;
  report->recorded = report->known;
  assert_words (report, "Not patched in recorded time. Nothing to compare: no recorded time with "
                        "ftrace.");
}

/* Cycles per sample beside samples per second; also in a list. */
static void
test_period_words (void)
{
  g_autoptr (PenVerdictReport) report = make_report ();
  PenVerdictCause *cause = add_cause (report, PEN_CAUSE_FTRACE, NULL, 100, 200);

  report->event = g_strdup ("cycles");
  cause->period_test = (PenRateTest){ 1.3, 1.1, 1.5, NAN };
  assert_words (report,
                "Patched > 99 % of the time. 2.0× samples per second while ftrace was active "
                "(1.6–2.6), 1.3× cycles per sample (1.1–1.5).");
  cause->period_test = (PenRateTest){ 1.3, 0.9, 1.9, NAN };
  assert_words (report,
                "Patched > 99 % of the time. 2.0× samples per second while ftrace was active "
                "(1.6–2.6), no significant difference in cycles per sample (0.90–1.9×).");
  cause->period_test = (PenRateTest){ 1.3, NAN, NAN, NAN };
  assert_words (report,
                "Patched > 99 % of the time. 2.0× samples per second while ftrace was active "
                "(1.6–2.6), 1.3× cycles per sample (no interval).");
  g_ptr_array_set_size (report->causes, 0);
  for (guint i = 0; i < 2; i++)
    add_cause (report, PEN_CAUSE_KPROBE, NULL, 100, 100)->period_test
        = (PenRateTest){ 1.3, i == 0 ? 0.9 : NAN, i == 0 ? 1.9 : NAN, NAN };
  assert_words (report,
                "Patched > 99 % of the time. No significant difference in samples per second: "
                "kprobe at +0x10 (0.75–1.3×, 0.90–1.9× cycles per sample), kprobe at +0x20 "
                "(0.75–1.3×, 1.3× cycles per sample).");
  g_clear_pointer (&report->event, g_free);
}

static void
assert_ratio (double value, const char *expected)
{
  g_autofree char *text = pen_ratio_format (value);

  g_assert_cmpstr (text, ==, expected);
}

/* A bound that is rounded to 1 would hide on which side of it it is. */
static void
test_ratios (void)
{
  const PenRateTest test = { .low = 0.84, .high = 1.046 },
                    open = { .low = 0.996, .high = INFINITY };
  g_autofree char *interval = pen_ratio_format_interval (&test);
  g_autofree char *half = pen_ratio_format_interval (&open);
  g_autofree char *fixed = pen_ratio_format_fixed (1.0004, 2);

  assert_ratio (1, "1.0");
  assert_ratio (1.04, "1.04");
  assert_ratio (1.06, "1.1");
  assert_ratio (0.996, "0.996");
  assert_ratio (0.99996, "0.99996");
  assert_ratio (1.0000001, "1.00000");
  assert_ratio (0.12, "0.12");
  assert_ratio (12.3, "12");
  g_assert_cmpstr (interval, ==, "0.84–1.05");
  g_assert_cmpstr (half, ==, "at least 0.996");
  g_assert_cmpstr (fixed, ==, "1.0004");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/words", test_words);
  g_test_add_func ("/verdict/unknown-words", test_unknown_words);
  g_test_add_func ("/verdict/ratios", test_ratios);
  g_test_add_func ("/verdict/lost-words", test_lost_words);
  g_test_add_func ("/verdict/period-words", test_period_words);
  return g_test_run ();
}
