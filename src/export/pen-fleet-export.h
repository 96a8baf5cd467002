/* pen-fleet-export.h: recordings of many machines, for a database
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <sys/types.h>

#include "pen-query-fleet.h"

G_BEGIN_DECLS

/*
 * pen_fleet_export:
 * @id: of the recording: letters and digits
 * @directory: exists
 * @mode: of the files, of which the umask takes away
 * @n_made: (out): files that were not there
 *
 * One file for each table, "TABLE-ID.csv.zst": CSV (RFC 4180) with a header, in a zstd frame. A
 * file gets its name when all of it is on the disk: one that is there is whole, and is left alone.
 */
gboolean pen_fleet_export (PenQuery *query, const char *id, const char *directory, mode_t mode,
                           guint *n_made, GError **error);

/* Makes tables of ClickHouse. Returns: (transfer full): SQL */
char *pen_fleet_make_clickhouse (void);

/* Views of DuckDB of all files in @directory, which is valid UTF-8. Returns: (transfer full): SQL
 */
char *pen_fleet_make_duckdb (const char *directory);

G_END_DECLS
