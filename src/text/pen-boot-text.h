/* pen-boot-text.h: how a kernel rewrote its text when it started, as its own bytes show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kallsyms.h"

G_BEGIN_DECLS

typedef enum {
  PEN_BOOT_UNKNOWN,
  PEN_BOOT_KEPT,     /* as linked */
  PEN_BOOT_REPLACED, /* by the kernel's other form */
} PenBootWay;

/*
 * PenBootText: what x86-64 kernels do alike to their own text when they start and to each module
 * when they load it (arch/x86/kernel/alternative.c: apply_returns(), apply_retpolines(),
 * apply_seal_endbr(), alternatives_smp_module_add(); callthunks.c; arch/x86/kernel/ftrace.c).
 * @returns: jumps to __x86_return_thunk. REPLACED: by a jump to @return_thunk, or, where that is 0,
 *   by a return and breakpoints
 * @retpolines: calls and jumps to __x86_indirect_thunk_*. Their replacements have more forms than
 *   can be shown here: REPLACED is not used
 * @locks: lock prefixes. REPLACED: by a DS prefix, on one CPU
 * @seals: ENDBR of functions that nothing calls indirectly. REPLACED: by @seal
 * @thunks: calls, and the padding before functions. Not replaced means that nothing counts calls
 * @nop: of five bytes, with @has_nop
 * @zero: "result is 0" in the place of a call, with @has_zero
 */
typedef struct {
  PenBootWay returns;
  guint64 return_thunk;
  PenBootWay retpolines;
  PenBootWay locks;
  PenBootWay seals;
  guint8 seal[4];
  PenBootWay thunks;
  gboolean has_nop;
  guint8 nop[5];
  gboolean has_zero;
  guint8 zero[5];
} PenBootText;

/*
 * pen_boot_text_read:
 * @bytes: @length bytes of the core kernel's text from @start on, as they were in memory
 * @symbols: (element-type PenSymbol): of the core kernel, in any order
 *
 * Something is proved where the text has one form many times and the other not at all. Cost: one
 * look at each byte.
 */
void pen_boot_text_read (PenBootText *boot, guint64 start, const guint8 *bytes, gsize length,
                         const GArray *symbols);

G_END_DECLS
