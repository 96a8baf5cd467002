/* pen-rewritten-text.h: the places that a kernel lists as rewritten when it starts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-file.h"

G_BEGIN_DECLS

typedef struct _PenRewrittenText PenRewrittenText;

/*
 * pen_rewritten_text_new:
 * @file: placed
 *
 * Reads the tables of alternatives, paravirt calls, retpolines, returns, calls, endbr, lock
 * prefixes, jump labels, static calls and ftrace's sites (arch/x86/include/asm/alternative.h and
 * paravirt_types.h, arch/arm64/include/asm/alternative.h, tools/objtool of the kernel).
 */
PenRewrittenText *pen_rewritten_text_new (PenKernelFile *file);
void pen_rewritten_text_free (PenRewrittenText *self);

/* @states: (inout): PenFileByte of the @length bytes from @address on: SAME becomes REWRITTEN */
void pen_rewritten_text_mark (PenRewrittenText *self, guint64 address, gsize length,
                              guint8 *states);

G_END_DECLS
