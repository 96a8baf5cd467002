/* pen-pair-words.c: two recordings, as a person reads of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-phrases.h"

/* "1250", "12", "1.2", "0.12" */
static char *
format_number (double value)
{
  return g_strdup_printf ("%.*f", value >= 10 ? 0 : value >= 1 ? 1 : 2, value);
}

static void
append_side (GString *words, const PenRate *rate, guint side)
{
  g_autofree char *count = pen_format_count (rate->samples);
  g_autofree char *share = pen_format_share (isfinite (rate->share) ? rate->share : 0);

  g_string_append_printf (words, "%s: ", side == 0 ? C_ ("recording", "A") : C_ ("recording", "B"));
  if (isfinite (rate->rate)) {
    g_autofree char *middle = format_number (rate->rate);
    g_autofree char *low = format_number (rate->low);
    g_autofree char *high = format_number (rate->high);

    /* Translators: samples per second, and the interval that holds the true rate */
    g_string_append_printf (words, _ ("%s/s (%s–%s), "), middle, low, high);
  }
  g_string_append_printf (
      words, ngettext ("%s sample, %s", "%s samples, %s", (gulong) rate->samples), count, share);
}

char *
pen_pair_words_of_rate (const PenRate *rate, guint side)
{
  GString *words = g_string_new (NULL);

  append_side (words, rate, side);
  return g_string_free (words, FALSE);
}

char *
pen_pair_words_of_sides (PenPairItem *item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  GString *words = g_string_new (NULL);

  append_side (words, &row->rates[0], 0);
  g_string_append_c (words, '\n');
  append_side (words, &row->rates[1], 1);
  return g_string_free (words, FALSE);
}

const char *
pen_pair_words_get_ratio (guint i)
{
  return i == 0 ? C_ ("recording", "only A") : i == 1 ? C_ ("recording", "only B") : NULL;
}

char *
pen_pair_words_of_ratio (const PenPairTest *test)
{
  g_autofree char *number = NULL;

  if (isnan (test->test.ratio))
    return g_strdup ("");
  if (isinf (test->test.ratio))
    return g_strdup (pen_pair_words_get_ratio (1));
  if (test->test.ratio <= 0)
    return g_strdup (pen_pair_words_get_ratio (0));
  number = format_number (test->test.ratio);
  return g_strdup_printf ("%s×", number);
}

const char *
pen_pair_words_of_verdict (PenPairVerdict verdict)
{
  static const char *const words[PEN_PAIR_VERDICTS] = {
    [PEN_PAIR_SLOWER] = NC_ ("verdict", "Slower"),
    [PEN_PAIR_FASTER] = NC_ ("verdict", "Faster"),
    [PEN_PAIR_NEW] = NC_ ("verdict", "New"),
    [PEN_PAIR_GONE] = NC_ ("verdict", "Gone"),
  };

  return words[verdict] ? g_dpgettext2 (GETTEXT_PACKAGE, "verdict", words[verdict]) : "";
}

const char *
pen_pair_words_get_verdict (guint i)
{
  return i < PEN_PAIR_VERDICTS ? pen_pair_words_of_verdict (i) : NULL;
}

const char *
pen_pair_words_of_text (PenPairTextState text)
{
  static const char *const words[PEN_PAIR_TEXTS] = {
    [PEN_PAIR_TEXT_UNKNOWN] = NC_ ("texts", "Unknown"),
    [PEN_PAIR_TEXT_SAME] = NC_ ("texts", "Same"),
    [PEN_PAIR_TEXT_PATCHED] = NC_ ("texts", "Patched"),
    [PEN_PAIR_TEXT_DIFFERS] = NC_ ("texts", "Differs"),
  };

  return words[text] ? g_dpgettext2 (GETTEXT_PACKAGE, "texts", words[text]) : "";
}

const char *
pen_pair_words_get_text (guint i)
{
  return i < PEN_PAIR_TEXTS ? pen_pair_words_of_text (i) : NULL;
}

char *
pen_pair_words_of_texts (const PenPairRow *row)
{
  static const char *const sentences[PEN_PAIR_TEXTS] = {
    [PEN_PAIR_TEXT_NONE] = N_ ("Only one recording is known to have it."),
    [PEN_PAIR_TEXT_UNKNOWN] = N_ ("Not all bytes of both texts are known."),
    [PEN_PAIR_TEXT_SAME] = N_ ("The text is the same, but for addresses."),
    [PEN_PAIR_TEXT_PATCHED] = N_ ("The text is the same, but for patched places."),
    [PEN_PAIR_TEXT_DIFFERS] = N_ ("The text differs."),
  };
  GString *words = g_string_new (_ (sentences[row->text]));

  if (row->n_changed > 0)
    g_string_append_printf (
        words, ngettext ("\n%u instruction differs", "\n%u instructions differ", row->n_changed),
        row->n_changed);
  for (PenCause cause = 0; cause < PEN_CAUSES; cause++)
    if ((row->causes >> cause & 1) != 0)
      g_string_append_printf (words, "\n%s", pen_palette_cause_title (cause));
  return g_string_free (words, FALSE);
}

static const char *
get_stand (PenPairStandState state)
{
  static const char *const words[PEN_PAIR_STAND_STATES] = {
    [PEN_PAIR_STAND_IS_UNKNOWN] = NC_ ("stand", "Unknown"),
    [PEN_PAIR_STAND_IS_ABSENT] = NC_ ("stand", "Absent"),
    [PEN_PAIR_STAND_IS_OFF] = NC_ ("stand", "Off"),
    [PEN_PAIR_STAND_IS_ON] = NC_ ("stand", "On"),
    [PEN_PAIR_STAND_IS_BOTH] = NC_ ("stand", "In turn"),
  };

  return g_dpgettext2 (GETTEXT_PACKAGE, "stand", words[state]);
}

static char *
format_stand_share (double on)
{
  g_autofree char *share = pen_format_share (on);

  /* Translators: something was on for that share of the time */
  return g_strdup_printf (_ ("On %s"), share);
}

char *
pen_pair_words_of_stand (const PenPairStand *stand)
{
  return stand->state == PEN_PAIR_STAND_IS_BOTH && isfinite (stand->on)
             ? format_stand_share (stand->on)
             : g_strdup (get_stand (stand->state));
}

const char *
pen_pair_words_get_stand (guint i)
{
  static char *longest_share;

  if (i < PEN_PAIR_STAND_STATES)
    return get_stand (i);
  if (i > PEN_PAIR_STAND_STATES)
    return NULL;
  if (!longest_share)
    longest_share = format_stand_share (0.888);
  return longest_share;
}

const char *
pen_pair_words_of_difference (PenPairStandVerdict verdict)
{
  static const char *const words[PEN_PAIR_STANDS] = {
    [PEN_PAIR_STAND_UNKNOWN] = NC_ ("stand", "Unknown"),
    [PEN_PAIR_STAND_NEW] = NC_ ("stand", "New"),
    [PEN_PAIR_STAND_GONE] = NC_ ("stand", "Gone"),
    [PEN_PAIR_STAND_MORE] = NC_ ("stand", "More"),
    [PEN_PAIR_STAND_LESS] = NC_ ("stand", "Less"),
  };

  return words[verdict] ? g_dpgettext2 (GETTEXT_PACKAGE, "stand", words[verdict]) : "";
}

const char *
pen_pair_words_get_difference (guint i)
{
  return i < PEN_PAIR_STANDS ? pen_pair_words_of_difference (i) : NULL;
}

char *
pen_pair_words_of_causes (const PenPairCauses *causes)
{
  return g_strdup_printf (ngettext ("%u of %u thing that is patched, or BPF program, stands "
                                    "differently",
                                    "%u of %u things that are patched, and BPF programs, stand "
                                    "differently",
                                    causes->rows->len),
                          causes->n_different, causes->rows->len);
}

char *
pen_pair_words_of_recording (const PenPairList *list, guint side)
{
  const PenPairSide *facts = &list->pairs->sides[side];
  g_autofree char *samples = pen_format_count (facts->samples);
  g_autoptr (GString) words = g_string_new (list->names[side]);

  if (facts->release)
    g_string_append_printf (words, " · %s", facts->release);
  g_string_append_printf (words, _ (" · %.1f s"), facts->seconds);
  if (facts->n_cpus > 0)
    g_string_append_printf (words, ngettext (" · %u CPU", " · %u CPUs", facts->n_cpus),
                            facts->n_cpus);
  g_string_append_printf (words, " · %s · ", facts->sampling);
  g_string_append_printf (words, ngettext ("%s sample", "%s samples", (gulong) facts->samples),
                          samples);
  if (facts->lost > 0) {
    g_autofree char *lost = pen_format_count (facts->lost);

    /* Translators: a number of samples and records */
    g_string_append_printf (words, _ (" · %s lost"), lost);
  }
  return pen_display_text (words->str);
}

char *
pen_pair_words_of_basis (const PenPairs *pairs)
{
  const char *obstacle = pen_pair_obstacle_describe (pairs->obstacle);
  g_autoptr (GString) words = g_string_new (obstacle);

  if (!obstacle && pairs->factor != 1)
    g_string_append_printf (words, _ ("Rates of B are divided by %.3g, for its sampling and CPUs."),
                            pairs->factor);
  g_string_append (words, words->len > 0 ? " " : "");
  g_string_append_printf (words,
                          ngettext ("%u function differs significantly.",
                                    "%u functions differ significantly.", pairs->n_different),
                          pairs->n_different);
  return g_string_free (g_steal_pointer (&words), FALSE);
}
