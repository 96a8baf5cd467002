/* pen-dwarf-lines.h: from which lines of its source code was made: DWARF, by libdw
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-code-place.h"

G_BEGIN_DECLS

/*
 * PenDwarfLines: for pentimento-source-lines only, see PenSourceLines
 */
typedef struct _PenDwarfLines PenDwarfLines;

/*
 * pen_dwarf_lines_new:
 * @image: of a PenDebugImage, all @length bytes, in memory that may be written to, for as long as
 *   this lives
 *
 * Cost: each compilation unit's header and ranges.
 *
 * Returns: (nullable): NULL where there is nothing of use
 */
PenDwarfLines *pen_dwarf_lines_new (guint8 *image, gsize length);
void pen_dwarf_lines_free (PenDwarfLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDwarfLines, pen_dwarf_lines_free)

/* Calls @func for [@start, @end), addresses as in the file, by address. Cost: the lines and entries
 * of the compilation unit, the first time; ask by rising addresses. */
void pen_dwarf_lines_foreach (PenDwarfLines *self, guint64 start, guint64 end, PenLineFunc func,
                              gpointer user_data);

/* @call: (out): of a place that was reported */
void pen_dwarf_lines_get_call (PenDwarfLines *self, guint number, PenInlinedCall *call);

G_END_DECLS
