/* pen-import-history.h: spaces, tenures, parts and losses, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-progress.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* @samples: by tenure's id. Needs no names: may be written while kallsyms is still being read. */
gboolean pen_import_history_write (PenHistory *history, const guint64 *samples,
                                   PenStoreWriter *writer, PenProgress *progress, GError **error);

G_END_DECLS
