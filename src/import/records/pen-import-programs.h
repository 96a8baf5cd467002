/* pen-import-programs.h: the BPF programs of the capture, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-features.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* @tenures: guint32: tenure's id or 0, for each function of each program in turn */
gboolean pen_import_programs_write (PenStoreWriter *writer, const PenFeatures *features,
                                    GArray *tenures, GError **error);

G_END_DECLS
