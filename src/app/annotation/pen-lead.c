/* pen-lead.c: where the line of an annotation leads: to another line, or to another function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lead.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"

/* Calls are by line. */
static const PenAnnotatedCall *
find_call (const PenAnnotated *annotated, guint line)
{
  guint low = 0, high = annotated->calls->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;
    const PenAnnotatedCall *call = &g_array_index (annotated->calls, PenAnnotatedCall, middle);

    if (call->line == line)
      return call;
    if (call->line < line)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

PenLead
pen_lead_of (PenSlot *slot)
{
  const PenAnnotated *annotated = pen_slot_get_strips (slot)->text->annotated;
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  const PenAnnotatedCall *call = find_call (annotated, pen_slot_get_line_index (slot));
  PenLead lead = { PEN_LEAD_NONE, line->target_address, 0 };

  if (!line->has_target)
    return lead;
  if (call) {
    /* Of a process, an address alone does not say whose. */
    if (call->function == G_MAXUINT32 && !pen_query_is_kernel_kind (annotated->kind))
      return lead;
    lead.kind = call->function == G_MAXUINT32 ? PEN_LEAD_OUTSIDE : PEN_LEAD_FUNCTION;
    lead.function = call->function;
  } else if (line->target_address >= annotated->start && line->target_address < annotated->end) {
    lead.kind = PEN_LEAD_LINE;
  }
  return lead;
}

char *
pen_lead_dup_text (const PenLead *lead, const PenAnnotationLine *line)
{
  g_autofree char *target = line->target
                                ? pen_display_text (line->target)
                                : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", lead->address);

  switch (lead->kind) {
  case PEN_LEAD_LINE:
  case PEN_LEAD_FUNCTION:
    return g_strdup_printf (_ ("Leads to %s (Ctrl+Return)"), target);
  case PEN_LEAD_OUTSIDE:
    return g_strdup_printf (_ ("Leads to %s (Ctrl+Return): no samples, no changes"), target);
  case PEN_LEAD_NONE:
  default:
    return NULL;
  }
}
