/* pen-lead.h: where the line of an annotation leads: to another line, or to another function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-slot.h"

G_BEGIN_DECLS

typedef enum {
  PEN_LEAD_NONE,     /* nowhere that is known */
  PEN_LEAD_LINE,     /* within the function */
  PEN_LEAD_FUNCTION, /* to a function that can be annotated */
  PEN_LEAD_OUTSIDE,  /* to text of the kernel without samples and changes */
} PenLeadKind;

/*
 * PenLead:
 * @address: where it leads
 * @function: with PEN_LEAD_FUNCTION
 */
typedef struct {
  PenLeadKind kind;
  guint64 address;
  guint32 function;
} PenLead;

/* Of the version that @slot shows: as of then. Cost: O(log n) in the lines. */
PenLead pen_lead_of (PenSlot *slot);
/* (transfer full) (nullable): a sentence on it, for a tooltip: "Leads to ftrace_caller
 * (Ctrl+Return)" */
char *pen_lead_dup_text (const PenLead *lead, const PenAnnotationLine *line);

G_END_DECLS
