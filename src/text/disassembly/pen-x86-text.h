/* pen-x86-text.h: instructions of x86 as objdump prints them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"

G_BEGIN_DECLS

/* PenX86Text: the disassembler of objdump, libopcodes */
typedef struct _PenX86Text PenX86Text;

/* Returns: (nullable): NULL: the library that this was built with does not know x86 */
PenX86Text *pen_x86_text_new (gboolean is_64bit, PenSyntax syntax);
void pen_x86_text_free (PenX86Text *self);

/*
 * pen_x86_text_write:
 * @bytes: of the instruction at @address, at most @length of them
 * @text: (out): of @size bytes
 *
 * Returns: how long the instruction is; 0: there is none, or it is cut off
 */
gsize pen_x86_text_write (PenX86Text *self, const guint8 *bytes, gsize length, guint64 address,
                          char *text, gsize size);

G_END_DECLS
