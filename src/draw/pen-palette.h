/* pen-palette.h: the colours of kinds and causes, and the letters that say the same
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-words.h"

G_BEGIN_DECLS

/* 0xffRRGGBB. Every colour of a kind has a contrast of at least 3:1 against the ground (WCAG 2.1,
 * 1.4.11), that of a cause 4.5:1, because its letter is written in it (1.4.3). */
guint32 pen_palette_ground (gboolean dark);
guint32 pen_palette_kind (PenKind kind, gboolean dark);
/* The ground of a bar with a name on it; @is_other: the next holder of the same addresses */
guint32 pen_palette_bar (PenKind kind, gboolean is_other, gboolean dark);
guint32 pen_palette_cause (PenCause cause, gboolean dark);
/* The colour of an empty lane, and of lines between lanes. */
guint32 pen_palette_lane (gboolean dark);
guint32 pen_palette_loss (gboolean dark);

/* One letter, different for each cause; and the words as a person reads them ("Static key"). */
const char *pen_palette_cause_letter (PenCause cause);
const char *pen_palette_cause_title (PenCause cause);
const char *pen_palette_kind_title (PenKind kind);

/* From the bottom of a stack up: kinds that change most on top. PEN_KINDS elements. */
const guint8 *pen_palette_stack_order (void);

G_END_DECLS
