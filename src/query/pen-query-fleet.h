/* pen-query-fleet.h: one recording, as rows to add up over many machines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

typedef enum {
  PEN_FLEET_CAPTURE, /* one row: the recording itself */
  PEN_FLEET_BUCKETS,
  PEN_FLEET_CHANGES,
  PEN_FLEET_OCCUPANTS,
  PEN_FLEET_CAUSES,
  PEN_FLEET_TABLES,
} PenFleetTable;

/* What a column of it holds: databases have types of their own for each. */
typedef enum {
  PEN_FLEET_ID,             /* text that all rows of a recording have: its number */
  PEN_FLEET_WORD,           /* text of which there are few: words, names of machines and files */
  PEN_FLEET_TEXT,           /* other text */
  PEN_FLEET_COUNT,          /* up to 64 bits, no sign; never empty */
  PEN_FLEET_COUNT_IF_KNOWN, /* the same; empty: not known */
  PEN_FLEET_SUM,            /* as PEN_FLEET_COUNT: a sum of counts that are alike */
  PEN_FLEET_OFFSET,         /* the same: rises from row to row */
  PEN_FLEET_SMALL,          /* up to 32 bits, no sign; empty: not known */
  PEN_FLEET_FLAG,           /* 0 or 1 */
  PEN_FLEET_SECONDS,        /* to the millisecond; empty: not known */
  PEN_FLEET_DATE,           /* UTC, "2026-01-31 13:00:00.000"; empty: not known */
  PEN_FLEET_TYPES,
} PenFleetType;

/* @is_key: by which rows are found and sorted, in this order; never empty for not known */
typedef struct {
  const char *name;
  PenFleetType type;
  gboolean is_key;
} PenFleetColumn;

/* "capture", "buckets", … */
const char *pen_fleet_table_to_string (PenFleetTable table);
const PenFleetColumn *pen_fleet_table_get_columns (PenFleetTable table, guint *n);

/*
 * pen_query_write_fleet:
 * @id: of the recording, for the first column
 * @writer: without columns
 *
 * Writes a whole table. No address is in it, and times are rounded. The rows of a table add up to
 * those of the question of its name: samples of buckets and of occupants, number of changes, flips.
 *
 * Cost: as that of pen_query_name_buckets(), pen_query_causes(), or a pass over the changes.
 */
gboolean pen_query_write_fleet (PenQuery *self, PenFleetTable table, const char *id,
                                PenTableWriter *writer, GError **error);

G_END_DECLS
