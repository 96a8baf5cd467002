/* pen-import-history.h: spaces, tenures, parts and losses, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-progress.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* Rows that a store has of an earlier part of the same recording: (element-type guint64): see
 * pen-digests.h. */
typedef struct {
  GArray *spaces;
  GArray *tenures;
} PenHistoryRows;

/* @rows: (nullable): these are not written again, but where they have changed
 * @samples: by tenure's id. Needs no names: may be written while kallsyms is still being read. */
gboolean pen_import_history_write (PenHistory *history, const guint64 *samples,
                                   PenHistoryRows *rows, PenStoreWriter *writer,
                                   PenProgress *progress, GError **error);

G_END_DECLS
