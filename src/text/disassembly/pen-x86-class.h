/* pen-x86-class.h: the class of an instruction of x86-64, for those that kernels patch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"

G_BEGIN_DECLS

/*
 * pen_x86_classify: what kernels write over their text, and what the trampolines are made of that
 * they write: jumps, calls, returns, nops, and moves, additions and the like with one REX prefix at
 * most. (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and
 * appendix A)
 *
 * Returns: FALSE: it is none of these, or not all of it is there: Capstone has to be asked
 */
gboolean pen_x86_classify (const guint8 *bytes, gsize length, guint64 address,
                           PenInstruction *instruction);

G_END_DECLS
