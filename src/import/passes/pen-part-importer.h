/* pen-part-importer.h: stores of a recording while it is made, each with what is new
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"
#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenPartImporter: each store has all samples so far, of which only the new ones were read
 * (pen-part-records.h), and is what an import of the records before its end would be, but that some
 * things wait for that import: readings of a witness and other output of BPF programs, payloads of
 * tracepoints, sums of callchains, lines of source, and problems of records.
 */
typedef struct _PenPartImporter PenPartImporter;

/* @path: of the recording; @directory: for the store; @sources: (nullable): outlive the result */
PenPartImporter *pen_part_importer_new (const char *path, const char *directory,
                                        const PenSources *sources);
void pen_part_importer_free (PenPartImporter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPartImporter, pen_part_importer_free)

/*
 * pen_part_importer_next:
 * @is_fit: (out): FALSE: this recording has to be imported as a whole (pen_part_records_look())
 *
 * Cost: the new records, who is there, and all records of the kernel's text; but neither old
 * samples nor processes that have ended.
 *
 * Returns: (transfer full): a store; NULL without @error: nothing is new
 */
PenStore *pen_part_importer_next (PenPartImporter *self, gboolean *is_fit,
                                  GCancellable *cancellable, GError **error);

G_END_DECLS
