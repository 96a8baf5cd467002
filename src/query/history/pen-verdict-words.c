/* pen-verdict-words.c: a verdict in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-verdict.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-ratio-words.h"

/* The most that is read at a glance; the table has all. */
#define SENTENCES 3
#define PATCHERS 3
/* Of the recorded time: more of it is unknown than known. */
#define MOSTLY 0.5

/* "12 %"; "< 1 %" and "> 99 %" for what would round to nothing and to all */
static char *
format_percent (double part)
{
  if (part > 0 && part < 0.005)
    return g_strdup (_ ("< 1 %"));
  if (part < 1 && part >= 0.995)
    return g_strdup (_ ("> 99 %"));
  return g_strdup_printf (_ ("%.0f %%"), 100 * part);
}

/* "1.2 M" */
static char *
format_large (double value)
{
  static const char *const prefixes[] = { "", " k", " M", " G", " T" };
  guint i = 0;
  g_autofree char *number = NULL;

  for (; value >= 1000 && i + 1 < G_N_ELEMENTS (prefixes); i++)
    value /= 1000;
  number = g_strdup_printf ("%.3g", value);
  return g_strconcat (number, prefixes[i], NULL);
}

/* ---- a cause ---- */

/* Is there another one of the same cause? */
static gboolean
is_one_of_several (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  for (guint i = 0; i < self->causes->len; i++) {
    const PenVerdictCause *other = self->causes->pdata[i];

    if (other != cause && other->cause == cause->cause)
      return TRUE;
  }
  return FALSE;
}

/* "static key memory_cgroup", "kprobe at +0x1c" */
static char *
name_cause (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  static const char *const names[PEN_CAUSES] = {
    [PEN_CAUSE_UNKNOWN] = N_ ("patch"),
    [PEN_CAUSE_STATIC_KEY] = N_ ("static key"),
    [PEN_CAUSE_STATIC_CALL] = N_ ("static call"),
    [PEN_CAUSE_FTRACE] = N_ ("ftrace"),
    [PEN_CAUSE_LIVEPATCH] = N_ ("live patch"),
    [PEN_CAUSE_KPROBE] = N_ ("kprobe"),
    [PEN_CAUSE_OPTPROBE] = N_ ("kprobe"),
    [PEN_CAUSE_BPF] = N_ ("BPF program"),
    [PEN_CAUSE_UNANNOUNCED] = N_ ("unannounced change"),
  };
  const char *name = _ (names[cause->cause]);
  g_autofree char *offset = NULL;

  if (cause->key)
    return g_strdup_printf ("%s %s", name, cause->key);
  if (!is_one_of_several (self, cause))
    return g_strdup (name);
  offset = g_strdup_printf ("+0x%" G_GINT64_MODIFIER "x", cause->address - self->start);
  return g_strdup_printf (_ ("%s at %s"), name, offset);
}

/* "the kprobe", "ftrace" */
static char *
name_with_article (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  g_autofree char *name = name_cause (self, cause);

  return cause->cause == PEN_CAUSE_FTRACE ? g_steal_pointer (&name)
                                          : g_strdup_printf (_ ("the %s"), name);
}

/* "while the kprobe was active" */
static char *
say_while (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  g_autofree char *name = name_with_article (self, cause);

  if (!cause->is_switch)
    return g_strdup_printf (cause->cause == PEN_CAUSE_STATIC_KEY    ? _ ("while %s was switched")
                            : cause->cause == PEN_CAUSE_STATIC_CALL ? _ ("while %s was retargeted")
                                                                    : _ ("while %s was changed"),
                            name);
  if (cause->cause == PEN_CAUSE_STATIC_KEY)
    return g_strdup_printf (_ ("while %s was on"), name);
  return g_strdup_printf (_ ("while %s was active"), name);
}

static char *
say_rate (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  const PenRateTest *test = &cause->two.rate_test;
  g_autofree char *when = say_while (self, cause);
  g_autofree char *interval = isnan (test->ratio) ? NULL : pen_ratio_format_interval (test);
  g_autofree char *ratio = NULL;

  if (!interval)
    return g_strdup_printf (_ ("No samples %s, and none without"), when);
  if (cause->two.rate == PEN_VERDICT_ALIKE)
    return g_strdup_printf (_ ("No significant difference in samples per second %s (%s×)"), when,
                            interval);
  if (!isfinite (test->ratio))
    return g_strdup_printf (_ ("Samples only %s (%s×)"), when, interval);
  if (test->ratio <= 0)
    return g_strdup_printf (_ ("No samples %s (%s×)"), when, interval);
  ratio = pen_ratio_format (test->ratio);
  return g_strdup_printf (_ ("%s× samples per second %s (%s)"), ratio, when, interval);
}

/* The words after the rate: ", 1.8× share of samples (1.5–2.1)" */
static char *
say_share (const PenTwoPhases *two)
{
  const PenRateTest *test = &two->share_test;
  g_autofree char *interval = NULL;
  g_autofree char *ratio = NULL;

  if (two->share == PEN_VERDICT_UNKNOWN)
    return g_strdup ("");
  if (two->share == PEN_VERDICT_ALIKE)
    return g_strdup (two->rate == PEN_VERDICT_ALIKE
                         ? ""
                         : _ (", no significant difference in share of samples"));
  interval = pen_ratio_format_interval (test);
  if (!isfinite (test->ratio) || test->ratio <= 0)
    return g_strdup ("");
  ratio = pen_ratio_format (test->ratio);
  return g_strdup_printf (_ (", %s× share of samples (%s)"), ratio, interval);
}

/* The words after both: ", 1.3× cycles per sample (1.1–1.5)". It is what a hit costs where the
 * kernel keeps to a frequency. */
static char *
say_period (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  const PenRateTest *test = &cause->period_test;
  g_autofree char *ratio = NULL;
  g_autofree char *interval = NULL;

  if (!self->event || isnan (test->ratio))
    return g_strdup ("");
  ratio = pen_ratio_format (test->ratio);
  if (isnan (test->low))
    return g_strdup_printf (_ (", %s× %s per sample (no interval)"), ratio, self->event);
  interval = pen_ratio_format_interval (test);
  if (test->low <= 1 && test->high >= 1)
    return g_strdup_printf (_ (", no significant difference in %s per sample (%s×)"), self->event,
                            interval);
  return g_strdup_printf (_ (", %s× %s per sample (%s)"), ratio, self->event, interval);
}

/* In a list: ", 0.91–1.4× cycles per sample" */
static char *
say_period_shortly (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  const PenRateTest *test = &cause->period_test;
  g_autofree char *number = NULL;

  if (!self->event || isnan (test->ratio))
    return g_strdup ("");
  number = isnan (test->low) ? pen_ratio_format (test->ratio) : pen_ratio_format_interval (test);
  return g_strdup_printf (_ (", %s× %s per sample"), number, self->event);
}

static gboolean
is_contradicted (const PenTwoPhases *two)
{
  return two->share != PEN_VERDICT_UNKNOWN && two->share != two->rate;
}

static gboolean
claims (PenVerdict verdict)
{
  return verdict == PEN_VERDICT_MORE || verdict == PEN_VERDICT_LESS;
}

static gboolean
has_claim (const PenVerdictCause *cause)
{
  return claims (cause->two.rate) || claims (cause->two.share) || cause->period_test.low > 1
         || cause->period_test.high < 1;
}

/* The claim of one may be the load's. */
static gboolean
is_uneven (const PenTwoPhases *two)
{
  return claims (two->rate) && !is_contradicted (two)
         && (two->phases[PEN_TEXT_OFF].is_uneven || two->phases[PEN_TEXT_ON].is_uneven);
}

/* Causes without a difference share a sentence. */
static gboolean
is_alike (const PenVerdictCause *cause)
{
  return cause->two.rate == PEN_VERDICT_ALIKE && !has_claim (cause);
}

static guint
count_alike (const PenVerdictReport *self)
{
  guint n = 0;

  for (guint i = 0; i < self->causes->len; i++)
    n += is_alike (self->causes->pdata[i]);
  return n;
}

static void
add_space (GString *text)
{
  if (text->len > 0)
    g_string_append_c (text, ' ');
}

/* On and off at the same times, nearly. */
static gboolean
is_same_time (const PenVerdictCause *cause)
{
  return cause->overlap >= 0 && cause->overlap_on > 0.95 && cause->overlap_off < 0.05;
}

/* Returns: (transfer full) (nullable) */
static char *
say_overlap (const PenVerdictReport *self, const PenVerdictCause *cause)
{
  g_autofree char *name = NULL;
  g_autofree char *on = NULL;
  g_autofree char *off = NULL;

  if (cause->overlap < 0)
    return NULL;
  name = name_cause (self, self->causes->pdata[cause->overlap]);
  if (is_same_time (cause))
    return g_strdup_printf (_ ("Also active: %s, at the same times."), name);
  on = format_percent (cause->overlap_on);
  off = format_percent (cause->overlap_off);
  return g_strdup_printf (_ ("Also active: %s, %s of that time and %s of the rest."), name, on,
                          off);
}

static void
add_cause (GString *text, const PenVerdictReport *self, const PenVerdictCause *cause)
{
  g_autofree char *rate = say_rate (self, cause);
  g_autofree char *share = say_share (&cause->two);
  g_autofree char *period = say_period (self, cause);
  g_autofree char *other = say_overlap (self, cause);

  add_space (text);
  g_string_append_printf (text, "%s%s%s.", rate, share, period);
  if (has_claim (cause) && other)
    g_string_append_printf (text, " %s", other);
  if (is_contradicted (&cause->two))
    g_string_append (text, _ (" Rate and share disagree: the load differed."));
}

/* A cause that was on at the same times as one before it says nothing new. */
static gboolean
is_repeated (const PenVerdictReport *self, guint index)
{
  const PenVerdictCause *cause = self->causes->pdata[index];

  return is_same_time (cause) && (guint) cause->overlap < index
         && has_claim (self->causes->pdata[cause->overlap]);
}

static void
add_claims (GString *text, const PenVerdictReport *self)
{
  guint n = 0, more = 0, n_uneven = 0;

  for (guint i = 0; i < self->causes->len; i++) {
    const PenVerdictCause *cause = self->causes->pdata[i];

    if (!has_claim (cause) || is_repeated (self, i))
      continue;
    if (n++ >= SENTENCES) {
      more++;
      continue;
    }
    add_cause (text, self, cause);
    n_uneven += is_uneven (&cause->two);
  }
  if (more > 0)
    g_string_append_printf (
        text,
        ngettext (" %u more cause with a difference.", " %u more causes with a difference.", more),
        more);
  /* Once, for all of them. */
  if (n_uneven > 0)
    g_string_append (text, _ (" Rates vary within the same text, too: the load was uneven."));
}

static void
add_alike (GString *text, const PenVerdictReport *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_alike = count_alike (self), n = 0;

  for (guint i = 0; i < self->causes->len && n < SENTENCES; i++) {
    const PenVerdictCause *cause = self->causes->pdata[i];
    g_autofree char *name = name_cause (self, cause);
    g_autofree char *interval = NULL;
    g_autofree char *period = say_period_shortly (self, cause);

    if (!is_alike (cause))
      continue;
    if (n_alike == 1) {
      add_cause (text, self, cause);
      return;
    }
    interval = isnan (cause->two.rate_test.ratio)
                   ? g_strdup (_ ("no samples"))
                   : pen_ratio_format_interval (&cause->two.rate_test);
    g_string_append_printf (list, "%s%s (%s%s%s)", n++ > 0 ? ", " : "", name, interval,
                            isnan (cause->two.rate_test.ratio) ? "" : "×", period);
  }
  if (n == 0)
    return;
  add_space (text);
  if (n_alike > n)
    g_string_append_printf (
        text,
        ngettext ("No significant difference in samples per second: %s, and %u more.",
                  "No significant difference in samples per second: %s, and %u more.", n_alike - n),
        list->str, n_alike - n);
  else
    g_string_append_printf (text, _ ("No significant difference in samples per second: %s."),
                            list->str);
}

/* Where no cause has two phases to compare. */
static void
add_missing (GString *text, const PenVerdictReport *self)
{
  const PenVerdictCause *cause = self->causes->pdata[0];
  g_autofree char *name = name_with_article (self, cause);
  gboolean was_on = cause->two.phases[PEN_TEXT_ON].rate.seconds > 0;
  gboolean was_off = cause->two.phases[PEN_TEXT_OFF].rate.seconds > 0;
  gboolean was_unknown = cause->two.phases[PEN_TEXT_UNKNOWN].rate.seconds > 0;

  add_space (text);
  if (was_unknown && was_on != was_off) {
    g_string_append_printf (
        text,
        was_on ? _ ("No verdict: any time without %s is where the text is unknown.")
               : _ ("No verdict: any time with %s is where the text is unknown."),
        name);
    return;
  }
  g_string_append_printf (text,
                          was_on    ? _ ("Nothing to compare: no recorded time without %s.")
                          : was_off ? _ ("Nothing to compare: no recorded time with %s.")
                                    : _ ("Nothing to compare: the text is unknown (%s)."),
                          name);
}

/* Returns: whether it was said */
static gboolean
add_unknown_time (GString *text, const PenVerdictReport *self)
{
  double unknown = self->recorded - self->known;
  g_autofree char *part = NULL;

  if (self->recorded <= 0 || unknown < MOSTLY * self->recorded)
    return FALSE;
  part = format_percent (unknown / self->recorded);
  g_string_append_printf (text, _ ("Text unknown for %s of the time."), part);
  return TRUE;
}

static void
add_time (GString *text, const PenVerdictReport *self)
{
  gboolean is_rest = add_unknown_time (text, self);
  gboolean is_traced = self->traced > 0;
  g_autofree char *part = NULL;

  if (self->known <= 0)
    return;
  add_space (text);
  if (self->traced <= 0 && self->patched <= 0) {
    g_string_append (text, is_rest ? _ ("Not patched in the rest.")
                                   : _ ("Not patched in recorded time."));
    return;
  }
  part = format_percent ((is_traced ? self->traced : self->patched) / self->known);
  if (is_rest)
    g_string_append_printf (
        text, is_traced ? _ ("Traced %s of the rest.") : _ ("Patched %s of the rest."), part);
  else
    g_string_append_printf (
        text, is_traced ? _ ("Traced %s of the time.") : _ ("Patched %s of the time."), part);
}

static void
add_patchers (GString *text, const PenVerdictReport *self)
{
  g_autofree char *names = NULL;
  guint n = MIN (self->patchers->len, PATCHERS);
  guint more = self->patchers->len - n;
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, i > 0 ? ", %s" : "%s", (const char *) self->patchers->pdata[i]);
  if (n == 0)
    return;
  add_space (text);
  names = g_string_free (g_steal_pointer (&list), FALSE);
  if (more > 0)
    g_string_append_printf (
        text, ngettext ("Patched by %s and %u more.", "Patched by %s and %u more.", more), names,
        more);
  else
    g_string_append_printf (text, _ ("Patched by %s."), names);
}

char *
pen_verdict_report_describe (const PenVerdictReport *self)
{
  GString *text = g_string_new (NULL);

  if (self->causes->len == 0)
    return g_string_free (text, FALSE);
  add_time (text, self);
  add_claims (text, self);
  add_alike (text, self);
  if (((const PenVerdictCause *) self->causes->pdata[0])->two.rate == PEN_VERDICT_UNKNOWN)
    add_missing (text, self);
  add_patchers (text, self);
  return g_string_free (text, FALSE);
}

/* ---- more ---- */

static void
add_line (GString *text, char *line)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, line);
  g_free (line);
}

/* "114 samples in 4.70 s: 24/s (20–29), 1.2 % of all" */
static char *
say_phase (const PenPhase *phase)
{
  g_autofree char *rate = NULL;
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, phase->rate.samples);
  g_autofree char *counted = g_strdup_printf (
      ngettext ("%s sample in %.3g s", "%s samples in %.3g s", (gulong) phase->rate.samples),
      number, phase->rate.seconds);

  if (phase->rate.seconds <= 0)
    return g_strdup (_ ("nothing recorded"));
  rate = pen_ratio_format (phase->rate.rate);
  low = pen_ratio_format (phase->rate.low);
  high = pen_ratio_format (phase->rate.high);
  if (isnan (phase->rate.share))
    return g_strdup_printf (_ ("%s: %s/s (%s–%s)"), counted, rate, low, high);
  return g_strdup_printf (_ ("%s: %s/s (%s–%s), %.3g %% of all"), counted, rate, low, high,
                          100 * phase->rate.share);
}

static void
add_phases (GString *text, const PenVerdictReport *self, const PenVerdictCause *cause)
{
  g_autofree char *name = name_with_article (self, cause);
  g_autofree char *on = say_phase (&cause->two.phases[PEN_TEXT_ON]);
  g_autofree char *off = say_phase (&cause->two.phases[PEN_TEXT_OFF]);

  add_line (text, g_strdup_printf (cause->is_switch ? _ ("With %s: %s; without: %s.")
                                                    : _ ("With %s changed: %s; unchanged: %s."),
                                   name, on, off));
}

static void
add_period (GString *text, const PenVerdictReport *self, const PenVerdictCause *cause)
{
  const PenPhase *on = &cause->two.phases[PEN_TEXT_ON], *off = &cause->two.phases[PEN_TEXT_OFF];
  g_autofree char *mean_on = NULL;
  g_autofree char *mean_off = NULL;
  g_autofree char *rate_on = NULL;
  g_autofree char *rate_off = NULL;

  if (!self->event || on->rate.samples == 0 || off->rate.samples == 0)
    return;
  mean_on = format_large ((double) on->period / (double) on->rate.samples);
  mean_off = format_large ((double) off->period / (double) off->rate.samples);
  rate_on = format_large ((double) on->period / on->rate.seconds);
  rate_off = format_large ((double) off->period / off->rate.seconds);
  add_line (text, g_strdup_printf (_ ("%s per sample: %s with, %s without; per second: %s with, "
                                      "%s without."),
                                   self->event, mean_on, mean_off, rate_on, rate_off));
  /* How much the means of stretches differ is all that sums say of how much periods vary. */
  if (isnan (cause->period_test.low))
    add_line (text, g_strdup (_ ("Too few time ranges for an interval: a difference may be "
                                 "chance.")));
}

static char *
say_ratio (const PenTwoPhases *two)
{
  g_autofree char *interval
      = isnan (two->rate_test.ratio) ? NULL : pen_ratio_format_interval (&two->rate_test);
  g_autofree char *ratio = NULL;

  if (!interval)
    return g_strdup (_ ("no samples"));
  if (!isfinite (two->rate_test.ratio))
    return g_strdup_printf ("%s×", interval);
  ratio = pen_ratio_format (two->rate_test.ratio);
  return g_strdup_printf ("%s× (%s)", ratio, interval);
}

static void
add_tasks (GString *text, const PenVerdictCause *cause)
{
  for (guint i = 0; i < cause->tasks->len; i++) {
    const PenVerdictTask *task = cause->tasks->pdata[i];
    g_autofree char *own = NULL;
    g_autofree char *others = NULL;
    g_autofree char *share = NULL;

    if (!task->differs)
      continue;
    own = say_ratio (&task->two);
    others = say_ratio (&task->others);
    share = say_share (&task->two);
    add_line (text, g_strdup_printf (_ ("Tasks differ: %s %s%s; others %s."), task->comm, own,
                                     share, others));
  }
}

static void
add_unknown (GString *text, const PenVerdictCause *cause)
{
  const PenPhase *unknown = &cause->two.phases[PEN_TEXT_UNKNOWN];
  double lost = 0;

  for (guint i = 0; i < PEN_TEXT_STATES; i++)
    lost += cause->two.phases[i].rate.lost;
  if (lost > 0)
    add_line (text, g_strdup_printf (_ ("%.3g s with lost records or samples excluded."), lost));
  if (unknown->rate.seconds > 0)
    add_line (text, g_strdup_printf (_ ("%.3g s in which the text is unknown excluded."),
                                     unknown->rate.seconds));
}

char *
pen_verdict_report_describe_more (const PenVerdictReport *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (self->causes->len, SENTENCES); i++) {
    const PenVerdictCause *cause = self->causes->pdata[i];
    g_autofree char *other = say_overlap (self, cause);

    add_phases (text, self, cause);
    add_period (text, self, cause);
    if (other && !has_claim (cause))
      add_line (text, g_strdup (other));
    add_tasks (text, cause);
  }
  if (self->causes->len > 0)
    add_unknown (text, self->causes->pdata[0]);
  if (self->stride > 1)
    add_line (text,
              g_strdup_printf (_ ("Tasks: one in %u blocks of samples was read."), self->stride));
  if (self->is_coarse)
    add_line (text, g_strdup (_ ("Too much was lost to be excluded.")));
  return g_string_free (text, FALSE);
}
