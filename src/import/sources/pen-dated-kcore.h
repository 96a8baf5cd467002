/* pen-dated-kcore.h: a copy of the kernel's memory made while the recording ran, or at its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-kcore.h"
#include "pen-text.h"

G_BEGIN_DECLS

/*
 * PenDatedKcore: such a copy shows those who held the memory at its moment, however late they came.
 * Bytes of theirs that no poke ever touched are the same from their beginning to their end; all
 * others the pokes state themselves.
 *
 * Dispatchers of BPF are left out: the kernel rewrites them without a record
 * (kernel/bpf/dispatcher.c).
 */
typedef struct _PenDatedKcore PenDatedKcore;

/* @kcore, @history: outlive it; @history is sealed. @time: ns. Cost: O(n log n) in the history */
PenDatedKcore *pen_dated_kcore_new (PenKcore *kcore, guint64 time, PenHistory *history);
void pen_dated_kcore_free (PenDatedKcore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDatedKcore, pen_dated_kcore_free)

/* How many of the places that were patched have the bytes that the last poke before it left there,
 * or the first one after it found. */
void pen_dated_kcore_compare (PenDatedKcore *self, guint *agreed, guint *asked);

/*
 * pen_dated_kcore_read:
 * @bytes: (out): @length bytes from @start on
 * @known: (out): 1 for each that @tenure had from its beginning
 *
 * Returns: FALSE: none
 */
gboolean pen_dated_kcore_read (PenDatedKcore *self, const PenTenure *tenure, guint64 start,
                               gsize length, guint8 *bytes, guint8 *known);

G_END_DECLS
