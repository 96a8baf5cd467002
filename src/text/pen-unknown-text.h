/* pen-unknown-text.h: what stands in place of an instruction whose bytes are unknown
 *
 * Tables, CSV and JSON have these words as they are; the window and pictures have them in the
 * reader's language.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PEN_UNKNOWN_TEXT_NOT_RECORDED "(bytes not recorded)"
#define PEN_UNKNOWN_TEXT_NOTHING "(nothing known here)"
#define PEN_UNKNOWN_TEXT_SEVERAL "(several texts)"

typedef enum {
  PEN_GAP_NOT_RECORDED,
  PEN_GAP_NOTHING,  /* nor an occupant */
  PEN_GAP_IN_CACHE, /* of the import, not in this store */
} PenGap;

/* "(12 bytes not recorded)" */
char *pen_unknown_text_of_gap (PenGap gap, guint64 n_bytes);

/* The words above in the reader's language; an instruction, or %NULL, as it is. */
char *pen_unknown_text_translate (const char *instruction);

G_END_DECLS
