/* pen-opmask-text.h: instructions on the mask registers of AVX-512
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_opmask_text_format:
 * @bytes: begin with a VEX prefix (c4, c5); at most @length of them are looked at
 * @operands: AT&T
 *
 * Those between registers, by Intel's manual; those with memory are not known.
 */
gboolean pen_opmask_text_format (const guint8 *bytes, gsize length, gsize *instruction_length,
                                 char *mnemonic, gsize mnemonic_size, char *operands,
                                 gsize operands_size);

G_END_DECLS
