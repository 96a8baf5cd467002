/* pen-jump-target.h: where the line of an annotation leads: to another line, or to another function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-slot.h"

G_BEGIN_DECLS

typedef enum {
  PEN_JUMP_TARGET_NONE,     /* nowhere that is known */
  PEN_JUMP_TARGET_LINE,     /* within the function */
  PEN_JUMP_TARGET_FUNCTION, /* to a function that can be annotated */
  PEN_JUMP_TARGET_OUTSIDE,  /* to text of the kernel without samples and changes */
} PenJumpTargetKind;

/*
 * PenJumpTarget:
 * @address: where it leads
 * @function: with PEN_JUMP_TARGET_FUNCTION
 */
typedef struct {
  PenJumpTargetKind kind;
  guint64 address;
  guint32 function;
} PenJumpTarget;

/* The target as of the version that @slot shows. Cost: O(log n) in the lines. */
PenJumpTarget pen_jump_target_find (PenSlot *slot);
/* (transfer full) (nullable): a sentence on it, for a tooltip: "Leads to ftrace_caller
 * (Ctrl+Return)" */
char *pen_jump_target_dup_text (const PenJumpTarget *jump, const PenAnnotationLine *line);

G_END_DECLS
