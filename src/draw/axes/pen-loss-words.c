/* pen-loss-words.c: losses as a person reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loss-words.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"

#define MICROSECOND 1000

static const char *const titles[PEN_LOSSES] = {
  [PEN_LOSS_RECORDS] = N_ ("Lost records"),
  [PEN_LOSS_SAMPLES] = N_ ("Lost samples"),
  [PEN_LOSS_UNWANTED] = N_ ("Dropped by a BPF filter"),
  [PEN_LOSS_THROTTLED] = N_ ("Throttled"),
  [PEN_LOSS_SET_ASIDE] = N_ ("Records set aside"),
  [PEN_LOSS_TRUNCATED] = N_ ("File cut off"),
};

gboolean
pen_loss_is_repeated (const PenLoss *loss)
{
  return loss->count > 0 && loss->repeated >= loss->count;
}

char *
pen_loss_describe_amount (PenLossKind kind, guint32 cpu, guint64 count)
{
  g_autoptr (GString) text = g_string_new (_ (titles[kind]));

  if (cpu != G_MAXUINT32)
    /* Translators: follows "Lost samples" and the like */
    g_string_append_printf (text, _ (" on CPU %u"), cpu);
  if (count > 0) {
    g_autofree char *amount = pen_format_count (count);

    g_string_append_printf (text, ": %s", amount);
  }
  return g_strdup (text->str);
}

char *
pen_loss_describe_span (guint64 from, guint64 to, const PenClock *clock)
{
  guint64 last = MIN (to, clock->span.to);
  g_autofree char *start = NULL;
  g_autofree char *first = NULL;
  g_autofree char *length = NULL;

  if (from < clock->span.from && to >= clock->span.to)
    return g_strdup (_ ("entire recording"));
  start = pen_clock_format_all (clock, from, MICROSECOND);
  if (last <= from)
    return g_strdup_printf (C_ ("time", "at %s"), start);
  first = pen_clock_format_all (clock, MAX (from, clock->span.from), MICROSECOND);
  length = pen_format_duration (last - MAX (from, clock->span.from));
  /* Translators: a time and a duration */
  return g_strdup_printf (_ ("%s, for %s"), first, length);
}

char *
pen_loss_describe (const PenLoss *loss, const PenClock *clock)
{
  g_autofree char *amount = pen_loss_describe_amount (loss->kind, loss->cpu, loss->count);
  g_autofree char *span = pen_loss_describe_span (loss->from, loss->to, clock);

  return g_strdup_printf ("%s\n%s", amount, span);
}
