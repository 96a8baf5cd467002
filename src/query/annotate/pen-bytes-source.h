/* pen-bytes-source.h: which kind of source gave an instruction's bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"

G_BEGIN_DECLS

/*
 * pen_bytes_source_tell:
 * @line: if its bytes were not recorded, bytes_source is set: a string of @pieces
 * @pieces: (element-type PenTextPiece)
 * @last: (inout): the piece that held the line before; 0 for the first
 *
 * Cost: nothing to speak of, where lines next to one another come from the same piece.
 */
void pen_bytes_source_tell (PenAnnotationLine *line, const GPtrArray *pieces, guint *last);

G_END_DECLS
