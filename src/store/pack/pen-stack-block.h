/* pen-stack-block.h: stacks, and the samples that they are counted by, as packed columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-stacks.h"

G_BEGIN_DECLS

/* @first: id of the first of @n. Columns: how many ids before it the parent is (0: none), and the
 * function, plus one (0: callers that were not recorded).
 * Returns: (transfer none): owned by @packer, until it is used again */
const guint8 *pen_stack_block_pack (guint32 first, const PenStoredStack *stacks, guint n,
                                    PenPacker *packer, gsize *length);

/* Fills @n of @stacks. @reason: (out): static text, on failure */
gboolean pen_stack_block_unpack (guint32 first, PenStoredStack *stacks, guint n,
                                 const guint8 *bytes, gsize length, PenUnpacker *unpacker,
                                 const char **reason);

/* @stacks: of the cells. Columns: stack; function, plus one (0: the stack's own); event; samples;
 * a varint p; and the period less p times the samples, zigzag. */
const guint8 *pen_stack_cells_pack (const PenStackCell *cells, guint n,
                                    const PenStoredStack *stacks, PenPacker *packer, gsize *length);

/* @cells: set to @n of them. Every stack is at most @n_stacks. */
gboolean pen_stack_cells_unpack (GArray *cells, guint n, const PenStoredStack *stacks,
                                 guint32 n_stacks, const guint8 *bytes, gsize length,
                                 PenUnpacker *unpacker, const char **reason);

G_END_DECLS
