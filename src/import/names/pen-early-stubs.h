/* pen-early-stubs.h: memory out of line that was there before the recording began
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-kernel-sources.h"

G_BEGIN_DECLS

/*
 * pen_early_stubs_list:
 * @history: sealed
 *
 * A recorder tells of ftrace's trampolines and of memory for probes when the kernel registers them;
 * what was registered before is in kallsyms only. The contract has no tenure for that: samples
 * there are unknown. What calls it, and what is patched in it, can be told all the same, as long as
 * no ksymbol record says that the memory was anything else at any time.
 *
 * Cost: O((n + m) log m) for n tenures and m stubs; 65,536 stubs at most.
 *
 * Returns: (transfer full) (element-type PenSymbol): by address; names belong to @kernel
 */
GArray *pen_early_stubs_list (PenHistory *history, PenKernelSources *kernel);

/* @tenure: (nullable): who is recorded to hold an address. Recorders let a module's map reach to
 * the next module's. */
gboolean pen_early_stubs_may_hold (const PenTenure *tenure);
/* Returns: (nullable): the one of @stubs that holds @address */
const PenSymbol *pen_early_stubs_find (const GArray *stubs, guint64 address);

G_END_DECLS
