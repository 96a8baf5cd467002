/* pen-annotation-change.c: the last change before the playhead, and what it did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-private.h"

#include <glib/gi18n-lib.h>

#include "pen-comparison-words.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-tooltip.h"

/* The last one that was done by @time. */
static const PenComparison *
find_last (const PenComparisons *compared, guint64 time)
{
  const PenComparison *found = NULL;

  for (guint i = 0; compared && i < compared->rows->len; i++) {
    const PenComparison *row = &g_array_index (compared->rows, PenComparison, i);

    if (row->from > time)
      break;
    found = row;
  }
  return found;
}

static const PenComparison *
find_same (const PenComparisons *compared, const PenComparison *change)
{
  for (guint i = 0; compared && i < compared->rows->len; i++) {
    const PenComparison *row = &g_array_index (compared->rows, PenComparison, i);

    if (row->from <= change->to && row->to >= change->from)
      return row;
  }
  return NULL;
}

static char *
make_heading (PenAnnotationView *self, const PenComparisons *compared, const PenComparison *change)
{
  PenClock clock = pen_session_get_clock (self->session);
  guint64 resolution = MAX (pen_span_length (clock.span) / 100000, 1000);
  g_autofree char *time = pen_clock_format_long (&clock, change->from, resolution);
  g_autofree char *cause = g_utf8_strdown (pen_palette_cause_title (change->cause), -1);

  return g_strdup_printf (_ ("Change %u of %u, %s at %s"), change->number, compared->rows->len,
                          cause, time);
}

static void
add_sentence (GString *text, const char *format, const PenComparison *comparison,
              gboolean intervals)
{
  g_autofree char *sentence = NULL;

  if (!comparison)
    return;
  sentence = pen_format_comparison_sentence (comparison, intervals);
  g_string_append (text, " · ");
  g_string_append_printf (text, format, sentence);
}

/* Their rates have no tests. */
static gboolean
is_of_waits (const PenSides *sides)
{
  return sides->text->annotated->population == PEN_POPULATION_WAITS;
}

static char *
make_text (PenAnnotationView *self, const PenSides *sides, gboolean intervals)
{
  const PenComparison *change
      = find_last (sides->compared, pen_session_get_view (self->session)->playhead);
  const PenHistoryTable *history = pen_session_get_answers (self->session)->history;
  const PenAnnotated *annotated = sides->text->annotated;
  g_autofree char *heading = NULL;
  GString *text;

  if (!change)
    return NULL;
  heading = make_heading (self, sides->compared, change);
  text = g_string_new (heading);
  if (is_of_waits (sides)) {
    g_string_append_printf (text, " · %s", _ ("not compared"));
    return g_string_free (text, FALSE);
  }
  add_sentence (text, _ ("whole function: %s"), change, intervals);
  if (history && history->address >= annotated->start && history->address < annotated->end)
    add_sentence (text, _ ("this instruction: %s"), find_same (history->compared, change),
                  intervals);
  return g_string_free (text, FALSE);
}

void
pen_annotation_show_change (PenAnnotationView *self)
{
  const PenSides *sides = pen_session_get_answers (self->session)->sides;
  gboolean has_change = sides && sides->compared;
  /* Without room for arrows there is none for intervals: the tooltip shows them. */
  g_autofree char *text = has_change ? make_text (self, sides, self->has_arrows) : NULL;
  g_autofree char *whole = text ? make_text (self, sides, TRUE) : NULL;

  if (text) {
    const char *format = is_of_waits (sides)
                             ? _ ("%s.\nWaits do not come at random: only rates of samples before "
                                  "and after a change are compared.")
                             : _ ("%s.\nSamples per second of recorded time, from the previous "
                                  "change to this one and from this one to the next, with 95 %% "
                                  "confidence intervals. Times with lost records or samples are "
                                  "excluded.");
    g_autofree char *tooltip = g_strdup_printf (format, whole);

    gtk_label_set_text (self->change, text);
    pen_tooltip_set (GTK_WIDGET (self->change), tooltip);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->change), text != NULL);
}
