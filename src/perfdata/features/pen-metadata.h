/* pen-metadata.h: what the recorder says of events and of the machine in records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-event-table.h"
#include "pen-features.h"

G_BEGIN_DECLS

/*
 * pen_metadata_apply:
 * @type: of the record; nothing happens for types that say nothing of events or the machine
 * @is_pipe: HEADER_ATTR and HEADER_FEATURE count in pipe form only: elsewhere the header has it all
 *
 * Returns: NULL, or why the record must be set aside: (transfer none)
 */
const char *pen_metadata_apply (PenEventTable *events, PenFeatures *features, guint32 type,
                                const guint8 *record, guint32 size, gboolean big_endian,
                                gboolean is_pipe);

G_END_DECLS
