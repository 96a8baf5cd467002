/* pen-text-pass.h: which bytes the store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-table.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * pen_text_pass_write:
 * @buckets: (element-type PenBucket), with their functions
 * @findings: one per poke
 *
 * Writes the bytes of each function of the kernel space that has samples or pokes, with a margin,
 * and of each BPF program whose image is known.
 */
gboolean pen_text_pass_write (PenHistory *history, PenFunctionTable *functions, GArray *buckets,
                              const PenPokeFinding *findings, PenLoadedSources *sources,
                              PenStoreWriter *writer, PenProgress *progress, GError **error);

G_END_DECLS
