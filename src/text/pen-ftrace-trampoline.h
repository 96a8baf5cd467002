/* pen-ftrace-trampoline.h: for whom a trampoline of ftrace was made, by its text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"

G_BEGIN_DECLS

/* Those of x86-64 have some 360 bytes. */
#define PEN_FTRACE_TRAMPOLINE_MAX 1024u

/*
 * PenFtraceTrampoline: create_trampoline() in arch/x86/kernel/ftrace.c copies ftrace_caller or
 * ftrace_regs_caller, lets its call lead to one function, and adds the address of the user's struct
 * ftrace_ops
 * @call: address of the direct call, and @target, where it leads; 0: there is none
 * @ops: that address; 0: not known
 * @wants_registers: the copy is of ftrace_regs_caller
 */
typedef struct {
  guint64 call;
  guint64 target;
  guint64 ops;
  gboolean wants_registers;
} PenFtraceTrampoline;

/* @bytes: as from @address; of a part of a trampoline, only the call is to be believed. Cost: 1,024
 * bytes are decoded at most */
PenFtraceTrampoline pen_ftrace_trampoline_read (PenDecoder *decoder, const guint8 *bytes,
                                                gsize length, guint64 address);

/* Does that function stand for any user? Until Linux 5.10, it does for most. */
gboolean pen_ftrace_trampoline_is_for_any (const char *called);

/*
 * pen_ftrace_trampoline_find_user:
 * @called: the function at @target
 * @ops: (nullable): the name of what stands at @self's struct
 * @release: (nullable): of the kernel
 * @is_inferred: (out): nothing but the form shows it
 *
 * Returns: @called, or the user that it stands for, as "klp_ftrace_handler"; no new string
 */
const char *pen_ftrace_trampoline_find_user (const PenFtraceTrampoline *self, const char *called,
                                             const char *ops, const char *release,
                                             gboolean *is_inferred);

G_END_DECLS
