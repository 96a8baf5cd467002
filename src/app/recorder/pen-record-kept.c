/* pen-record-kept.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-kept.h"

#include "pen-layout.h"

static void
keep (const char *key, guint number)
{
  g_autofree char *text = g_strdup_printf ("%u", number);

  pen_layout_set (pen_layout_get_default (), key, text);
}

/* @before: where none below @end was kept */
static guint
get (const char *key, guint end, guint before)
{
  const char *text = pen_layout_get (pen_layout_get_default (), key);
  guint64 number;

  if (!text || !g_ascii_string_to_unsigned (text, 10, 0, end - 1, &number, NULL))
    return before;
  return (guint) number;
}

void
pen_record_kept_set (const PenRecorderRequest *request, gboolean as_administrator)
{
  keep ("record.target", request->target);
  keep ("record.event", request->event);
  keep ("record.chains", request->chains);
  keep ("record.witness", request->has_witness);
  keep ("record.rate", request->rate);
  keep ("record.seconds", request->seconds);
  keep ("record.administrator", as_administrator ? 1 : 0);
}

void
pen_record_kept_get (PenRecorderRequest *request, gboolean *as_administrator)
{
  guint rate = get ("record.rate", G_MAXUINT, request->rate);
  guint seconds = get ("record.seconds", G_MAXUINT, request->seconds);

  request->target = get ("record.target", PEN_RECORDER_TARGETS, request->target);
  request->event = get ("record.event", PEN_RECORDER_EVENTS, request->event);
  request->chains = get ("record.chains", PEN_RECORDER_CHAINS, request->chains);
  request->has_witness = get ("record.witness", 2, request->has_witness);
  if (pen_record_choices_get_rate (pen_record_choices_find_rate (rate)) == rate)
    request->rate = rate;
  if (pen_record_choices_get_duration (pen_record_choices_find_duration (seconds)) == seconds)
    request->seconds = seconds;
  *as_administrator = get ("record.administrator", 2, *as_administrator) != 0;
}
