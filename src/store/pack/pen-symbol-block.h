/* pen-symbol-block.h: names of kernel text, packed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* A kernel has tens of thousands of symbols: as rows of a table they would cost the import more
 * than all the samples. */
#define PEN_BLOCK_SYMBOLS 65536

/* Columns start, length, then the names, each with a NUL at its end. A name is cut at 4095 bytes.
 * Returns: (transfer none): owned by @packer, until it is used again */
const guint8 *pen_symbol_block_pack (const PenStoreSymbol *symbols, guint n, PenPacker *packer,
                                     gsize *length);

/* Appends to @symbols (element-type PenStoreSymbol); names are put into @names.
 * @reason: (out): static text, on failure */
gboolean pen_symbol_block_unpack (const guint8 *bytes, gsize length, guint n, GArray *symbols,
                                  GStringChunk *names, const char **reason);

G_END_DECLS
