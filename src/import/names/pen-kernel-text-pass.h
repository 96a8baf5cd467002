/* pen-kernel-text-pass.h: keeps the core kernel's text beside a store, once for all of one boot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-kernel-sources.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/*
 * PenKernelTextPass: in a thread of its own.
 *
 * A store keeps the functions with samples or pokes. The rest of the kernel's text is the same for
 * all recordings of one boot, but for what static keys and probes changed between them: it is in
 * one file (see pen-kernel-text.h), and each store keeps the bytes that were different when it was
 * recorded.
 */
typedef struct _PenKernelTextPass PenKernelTextPass;

/* @directory: of the store. Returns: (nullable): there is no copy of the kernel's text */
PenKernelTextPass *pen_kernel_text_pass_start (const char *directory, PenKernelSources *sources,
                                               PenHistory *history);
void pen_kernel_text_pass_free (PenKernelTextPass *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKernelTextPass, pen_kernel_text_pass_free)

/* @self: (nullable). Waits for it. A file that cannot be written is none: the store is good. */
gboolean pen_kernel_text_pass_finish (PenKernelTextPass *self, PenStoreWriter *writer,
                                      GError **error);

G_END_DECLS
