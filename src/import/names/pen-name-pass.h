/* pen-name-pass.h: which names the store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-history.h"
#include "pen-sources.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

typedef struct _PenNamePass PenNamePass;

/*
 * pen_name_pass_start:
 * @history: sealed; its maps of the kernel space say which names are wanted
 * @sources: outlives the pass, which waits for its kallsyms
 *
 * Packing the names of a kernel takes as long as placing tens of thousands of samples, and nothing
 * waits for it: it is done in a thread of its own. The result does not depend on when it ends.
 */
PenNamePass *pen_name_pass_start (PenHistory *history, PenLoadedSources *sources,
                                  GCancellable *cancellable);

/* Waits for the thread, and writes what it packed, and the names of files that names were taken
 * from: when no more are. */
gboolean pen_name_pass_finish (PenNamePass *self, PenStoreWriter *writer, GError **error);

/* Waits for the thread if it still runs; it answers @cancellable. */
void pen_name_pass_free (PenNamePass *self);

G_END_DECLS
