/* pen-pair-cells.c: cells of tables about two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-cells.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-query-cells.h"

void
pen_pair_write_rate (PenTableWriter *writer, const PenRate *rate)
{
  pen_query_write_real_or_empty (writer, rate->rate, 3);
  pen_query_write_real_or_empty (writer, rate->low, 3);
  pen_query_write_real_or_empty (writer, rate->high, 3);
}

void
pen_pair_write_test (PenTableWriter *writer, const PenPairTest *test)
{
  pen_query_write_real_or_empty (writer, test->test.ratio, 3);
  pen_query_write_real_or_empty (writer, test->test.low, 3);
  pen_query_write_real_or_empty (writer, test->test.high, 3);
  if (isfinite (test->test.p))
    pen_table_writer_double (writer, test->test.p);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (test->verdict));
}

static void
describe_side (GString *words, char letter, const char *name, const PenPairSide *side)
{
  g_string_append_printf (words, "%c  %s", letter, name ? name : "");
  if (side->release)
    g_string_append_printf (words, " · %s", side->release);
  /* Translators: · between facts about a recording */
  g_string_append_printf (words, _ (" · %.3f s"), side->seconds);
  if (side->n_cpus > 0)
    g_string_append_printf (words, ngettext (" · %u CPU", " · %u CPUs", side->n_cpus),
                            side->n_cpus);
  g_string_append_printf (words, " · %s", side->sampling);
  g_string_append_printf (
      words, ngettext (" · %" PRIu64 " sample", " · %" PRIu64 " samples", (gulong) side->samples),
      side->samples);
  if (side->lost > 0)
    g_string_append_printf (words, _ (" · %" PRIu64 " lost"), side->lost);
  g_string_append_c (words, '\n');
}

static void
describe_factor (GString *words, const PenPairs *pairs)
{
  const char *obstacle = pen_pair_obstacle_describe (pairs->obstacle);

  if (obstacle)
    g_string_append (words, obstacle);
  else if (pairs->factor_of_rate != 1 && pairs->factor_of_cpus != 1)
    g_string_append_printf (words,
                            _ ("Samples per second, those of B divided by %.4g: %.4g for its "
                               "sampling rate, %.4g for its CPUs."),
                            pairs->factor, pairs->factor_of_rate, pairs->factor_of_cpus);
  else if (pairs->factor_of_rate != 1)
    g_string_append_printf (
        words, _ ("Samples per second, those of B divided by %.4g for its sampling rate."),
        pairs->factor);
  else if (pairs->factor_of_cpus != 1)
    g_string_append_printf (
        words, _ ("Samples per second, those of B divided by %.4g for its CPUs."), pairs->factor);
  else
    g_string_append (words, _ ("Samples per second."));
}

void
pen_pair_write_sides (PenTableWriter *writer, const PenPairs *pairs, const PenPairSource sources[2])
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  for (guint i = 0; i < 2; i++)
    describe_side (words, i == 0 ? 'A' : 'B', sources[i].name, &pairs->sides[i]);
  describe_factor (words, pairs);
  lines = g_strsplit (words->str, "\n", -1);
  for (char **line = lines; *line; line++)
    pen_table_writer_heading (writer, *line);
}
