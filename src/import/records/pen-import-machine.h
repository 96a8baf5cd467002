/* pen-import-machine.h: writes what the recorder said of its machine and BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-features.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* A number among the facts; one that is unknown is not written. */
typedef struct {
  const char *key;
  guint64 value;
  gboolean is_known;
} PenNumberFact;

gboolean pen_import_write_numbers (PenStoreWriter *writer, const PenNumberFact *numbers, guint n,
                                   GError **error);
gboolean pen_import_machine_write (PenStoreWriter *writer, const PenFeatures *features,
                                   GError **error);

/* @tenures: guint32: tenure's id or 0, for each function of each program in turn */
gboolean pen_import_programs_write (PenStoreWriter *writer, const PenFeatures *features,
                                    GArray *tenures, GError **error);

G_END_DECLS
