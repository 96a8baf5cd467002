/* pen-rewritten-text.h: the places that a kernel lists as rewritten when it starts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-file.h"
#include "pen-text-sites.h"

G_BEGIN_DECLS

/* Why a place is rewritten. */
typedef enum {
  PEN_REWRITE_OTHER, /* alternatives, paravirt calls, control flow checks */
  PEN_REWRITE_RETPOLINE,
  PEN_REWRITE_RETURN,
  PEN_REWRITE_CALL,
  PEN_REWRITE_SEAL,
  PEN_REWRITE_LOCK,
  PEN_REWRITE_JUMP_LABEL,
  PEN_REWRITE_STATIC_CALL,
  PEN_REWRITE_FTRACE,
} PenRewriteKind;

typedef struct {
  guint64 start;
  guint8 length;
  PenRewriteKind kind;
} PenRewrite;

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

/* Returns: (transfer none): the tables that it has read */
PenTextSites *pen_rewritten_text_get_sites (PenRewrittenText *self);

/* Those that touch [@address, @address + @length), by address. */
typedef void (*PenRewriteFunc) (const PenRewrite *rewrite, gpointer user_data);
void pen_rewritten_text_foreach (PenRewrittenText *self, guint64 address, gsize length,
                                 PenRewriteFunc func, gpointer user_data);

G_END_DECLS
