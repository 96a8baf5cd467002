/* pen-text-span.c: how long text stood as it was at one moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-text.h"

#include "pen-store-occupants.h"

typedef struct {
  PenMoment from;
  PenMoment to;
} Span;

static void
narrow (Span *span, PenMoment from, PenMoment to)
{
  if (pen_moment_compare (span->from, from) < 0)
    span->from = from;
  if (pen_moment_compare (to, span->to) < 0)
    span->to = to;
}

/* Would it be found at bytes of the stretch while it is there? (K3) */
static gboolean
takes_bytes (const PenTenure *tenure, const PenTextStretch *stretch)
{
  if (tenure->id == stretch->tenure.id || tenure->start >= stretch->end
      || tenure->end <= stretch->start)
    return FALSE;
  if (stretch->tenure.id == 0)
    return TRUE;
  return tenure->layer == PEN_LAYER_KSYMBOL
         && (stretch->tenure.layer != PEN_LAYER_KSYMBOL || tenure->start > stretch->tenure.start);
}

/* Until another one came, and since one went. */
static void
narrow_to_others (Span *span, PenMoment moment, const GArray *tenures,
                  const PenTextStretch *stretch)
{
  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    if (!takes_bytes (tenure, stretch))
      continue;
    if (pen_moment_compare (tenure->to, moment) < 0)
      narrow (span, tenure->to, PEN_MOMENT_END);
    else if (pen_moment_compare (moment, tenure->from) <= 0)
      narrow (span, PEN_MOMENT_START, tenure->from);
  }
}

gboolean
pen_text_at_find_span (const PenTextAt *text, PenStore *store, PenMoment *from, PenMoment *to,
                       GError **error)
{
  g_autoptr (GArray) tenures
      = pen_store_load_tenures (store, PEN_SPACE_KERNEL, text->start, text->end, error);
  Span span = { PEN_MOMENT_START, PEN_MOMENT_END };

  if (!tenures)
    return FALSE;
  for (guint i = 0; i < text->stretches->len; i++) {
    const PenTextStretch *stretch = &g_array_index (text->stretches, PenTextStretch, i);

    if (stretch->tenure.id != 0)
      narrow (&span, stretch->tenure.from, stretch->tenure.to);
    narrow_to_others (&span, text->moment, tenures, stretch);
  }
  /* All lines were there all of the time that is left. */
  for (guint i = 0; i < text->lines->len; i++) {
    const PenAnnotationLine *line = text->lines->pdata[i];

    narrow (&span, line->from, line->to);
  }
  *from = span.from;
  *to = span.to;
  return TRUE;
}
