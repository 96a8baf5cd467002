/* pen-witnessed-lines.h: instructions where a witness alone knows the bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-decoder.h"
#include "pen-store.h"

G_BEGIN_DECLS

/*
 * pen_witnessed_lines_tell:
 * @lines: (element-type PenAnnotationLine): of the kernel's space, without bytes, each of one
 *   address, where samples show that an instruction begins
 *
 * A line gets the instruction that was read there while its samples were taken, if each reading
 * then had the same; otherwise it says that there were several.
 *
 * Cost: each reading is looked at for the lines of its place, at most 32 for a tenure and revision.
 */
gboolean pen_witnessed_lines_tell (PenStore *store, PenDecoder *decoder, GPtrArray *lines,
                                   GError **error);

G_END_DECLS
