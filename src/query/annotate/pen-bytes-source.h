/* pen-bytes-source.h: which kind of source gave an instruction's bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"

G_BEGIN_DECLS

/*
 * pen_bytes_source_tell:
 * @lines: (element-type PenAnnotationLine): of each whose bytes were not recorded, bytes_source is
 *   set: strings of @pieces
 * @pieces: (element-type PenTextPiece)
 *
 * Cost: the lines, where those next to one another come from the same piece.
 */
void pen_bytes_source_tell (GPtrArray *lines, const GPtrArray *pieces);

G_END_DECLS
