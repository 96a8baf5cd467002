/* pen-bucket-cells.h: cells that tables of a fleet have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-table.h"

G_BEGIN_DECLS

/* The digest of a text, as 16 hexadecimal digits. */
void pen_query_write_version (PenTableWriter *writer, gboolean has_version, guint64 version);
/* Seconds, to the millisecond. */
void pen_query_write_stood (PenTableWriter *writer, gboolean is_known, double seconds);

G_END_DECLS
