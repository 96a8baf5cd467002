/* pen-import-batches.h: pokes that belong together, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-batches.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* @batches: finished */
gboolean pen_import_batches_write (PenPokeBatches *batches, PenStoreWriter *writer, GError **error);

G_END_DECLS
