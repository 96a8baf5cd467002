/* pen-evex-text.h: AVX-512 instructions as objdump prints them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_evex_text_format:
 * @bytes: begin with 62, of 64-bit mode
 * @length: (out): of the instruction
 *
 * Those of AVX-512 that kernels use for ciphers and checksums are told by name, in AT&T syntax; of
 * others only the length is known: they are "(AVX-512)". The encoding is that of Intel's manual,
 * volume 2, 2.7.
 *
 * Returns: FALSE: it is no such instruction, or is cut off
 */
gboolean pen_evex_text_format (const guint8 *bytes, gsize n, gsize *length, char *mnemonic,
                               gsize mnemonic_size, char *operands, gsize operands_size);

G_END_DECLS
