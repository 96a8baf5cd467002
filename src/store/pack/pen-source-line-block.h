/* pen-source-line-block.h: the lines of one function as a row of `source_lines` has them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-source-line.h"

G_BEGIN_DECLS

/* Returns: the pack, valid until the packer is used again */
const guint8 *pen_source_line_block_pack (const PenFunctionLines *lines, PenPacker *packer,
                                          gsize *length);

/* Returns: (transfer full) (nullable): NULL with @reason */
PenFunctionLines *pen_source_line_block_unpack (guint32 tenure, gint64 n, gint64 n_calls,
                                                const guint8 *bytes, gsize length,
                                                const char **reason);

G_END_DECLS
