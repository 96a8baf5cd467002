/* pen-pasted-place.h: one place as kernels and tools print it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slice.h"

G_BEGIN_DECLS

/*
 * PenPastedPlace:
 * @text: as written, without what a log puts before it
 * @symbol: (nullable)
 * @owner: (nullable): what stands after it in brackets, without them: a module, program or file;
 *   NULL: nothing does, or the core kernel
 * @offset: with @has_offset
 * @size: of the function, as the kernel states it (symbol+0x1c/0x310), with @has_size
 * @address: with @has_address
 * @is_user: in user space, as far as the text says so
 * @is_unreliable: with a question mark: found on the stack, perhaps not a frame
 * @line: from 1
 */
typedef struct {
  char *text;
  char *symbol;
  char *owner;
  gboolean has_offset;
  guint64 offset;
  gboolean has_size;
  guint64 size;
  gboolean has_address;
  guint64 address;
  gboolean is_user;
  gboolean is_unreliable;
  guint line;
} PenPastedPlace;

/* @line: without what a log puts before it. @is_frame: a name alone is a place. Returns: (transfer
 * full) (nullable): NULL: there is none in it */
PenPastedPlace *pen_pasted_place_read (PenSlice line, gboolean is_frame);
/* Whether all of @word is a symbol's name. */
gboolean pen_pasted_place_is_name (PenSlice word);
void pen_pasted_place_free (PenPastedPlace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPastedPlace, pen_pasted_place_free)

G_END_DECLS
