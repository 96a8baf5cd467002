/* pen-jump-target.c: where the line of an annotation leads: to another line, or to another function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-jump-target.h"

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

PenJumpTarget
pen_jump_target_find (PenSlot *slot)
{
  const PenAnnotated *annotated = pen_slot_get_strips (slot)->text->annotated;
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  const PenAnnotatedCall *call = find_call (annotated, pen_slot_get_line_index (slot));
  PenJumpTarget jump = { PEN_JUMP_TARGET_NONE, line->target_address, 0 };

  if (!line->has_target)
    return jump;
  if (call) {
    /* The address of a call in a process does not say which process. */
    if (call->function == G_MAXUINT32 && !pen_query_is_kernel_kind (annotated->kind))
      return jump;
    jump.kind = call->function == G_MAXUINT32 ? PEN_JUMP_TARGET_OUTSIDE : PEN_JUMP_TARGET_FUNCTION;
    jump.function = call->function;
  } else if (line->target_address >= annotated->start && line->target_address < annotated->end) {
    jump.kind = PEN_JUMP_TARGET_LINE;
  }
  return jump;
}

char *
pen_jump_target_dup_text (const PenJumpTarget *jump, const PenAnnotationLine *line)
{
  g_autofree char *target = line->target
                                ? pen_display_text (line->target)
                                : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", jump->address);

  switch (jump->kind) {
  case PEN_JUMP_TARGET_LINE:
  case PEN_JUMP_TARGET_FUNCTION:
    return g_strdup_printf (_ ("Leads to %s (Ctrl+Return)"), target);
  case PEN_JUMP_TARGET_OUTSIDE:
    return g_strdup_printf (_ ("Leads to %s (Ctrl+Return): no samples, no changes"), target);
  case PEN_JUMP_TARGET_NONE:
  default:
    return NULL;
  }
}
