/* pen-fleet-columns.c: the columns of the tables of a fleet
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-fleet.h"

static const PenFleetColumn capture_columns[] = {
  { "capture", PEN_FLEET_ID, TRUE },       { "host", PEN_FLEET_WORD, FALSE },
  { "boot", PEN_FLEET_DATE, FALSE },       { "started", PEN_FLEET_DATE, FALSE },
  { "seconds", PEN_FLEET_SECONDS, FALSE }, { "kernel", PEN_FLEET_WORD, FALSE },
  { "build", PEN_FLEET_WORD, FALSE },      { "arch", PEN_FLEET_WORD, FALSE },
  { "cpu", PEN_FLEET_WORD, FALSE },        { "cpus", PEN_FLEET_SMALL, FALSE },
  { "events", PEN_FLEET_WORD, FALSE },     { "samples", PEN_FLEET_COUNT, FALSE },
  { "changes", PEN_FLEET_COUNT, FALSE },   { "text_pokes", PEN_FLEET_FLAG, FALSE },
  { "ksymbols", PEN_FLEET_FLAG, FALSE },   { "bpf_events", PEN_FLEET_FLAG, FALSE },
  { "callchains", PEN_FLEET_FLAG, FALSE }, { "witness", PEN_FLEET_COUNT, FALSE },
  { "lost", PEN_FLEET_COUNT, FALSE },      { "unwanted", PEN_FLEET_COUNT, FALSE },
  { "problems", PEN_FLEET_COUNT, FALSE },  { "writer", PEN_FLEET_WORD, FALSE },
};

static const PenFleetColumn bucket_columns[] = {
  { "build", PEN_FLEET_WORD, TRUE },   { "kind", PEN_FLEET_WORD, TRUE },
  { "symbol", PEN_FLEET_WORD, TRUE },  { "offset", PEN_FLEET_OFFSET, TRUE },
  { "version", PEN_FLEET_TEXT, TRUE }, { "cause", PEN_FLEET_WORD, TRUE },
  { "event", PEN_FLEET_WORD, TRUE },   { "occupant", PEN_FLEET_WORD, TRUE },
  { "capture", PEN_FLEET_ID, TRUE },   { "samples", PEN_FLEET_COUNT, FALSE },
  { "period", PEN_FLEET_SUM, FALSE },  { "seconds", PEN_FLEET_SECONDS, FALSE },
};

static const PenFleetColumn change_columns[] = {
  { "build", PEN_FLEET_WORD, TRUE },       { "kind", PEN_FLEET_WORD, TRUE },
  { "symbol", PEN_FLEET_WORD, TRUE },      { "offset", PEN_FLEET_OFFSET, TRUE },
  { "version", PEN_FLEET_TEXT, TRUE },     { "cause", PEN_FLEET_WORD, TRUE },
  { "occupant", PEN_FLEET_WORD, TRUE },    { "capture", PEN_FLEET_ID, TRUE },
  { "change", PEN_FLEET_WORD, FALSE },     { "at_start", PEN_FLEET_FLAG, FALSE },
  { "effect", PEN_FLEET_WORD, FALSE },     { "key", PEN_FLEET_WORD, FALSE },
  { "before", PEN_FLEET_TEXT, FALSE },     { "became", PEN_FLEET_WORD, FALSE },
  { "comm", PEN_FLEET_WORD, FALSE },       { "changes", PEN_FLEET_COUNT, FALSE },
  { "seconds", PEN_FLEET_SECONDS, FALSE },
};

static const PenFleetColumn occupant_columns[] = {
  { "build", PEN_FLEET_WORD, TRUE },     { "kind", PEN_FLEET_WORD, TRUE },
  { "occupant", PEN_FLEET_WORD, TRUE },  { "capture", PEN_FLEET_ID, TRUE },
  { "bpf_id", PEN_FLEET_SMALL, FALSE },  { "bpf_name", PEN_FLEET_WORD, FALSE },
  { "began", PEN_FLEET_SECONDS, FALSE }, { "seconds", PEN_FLEET_SECONDS, FALSE },
  { "tenures", PEN_FLEET_COUNT, FALSE }, { "samples", PEN_FLEET_COUNT, FALSE },
  { "changes", PEN_FLEET_COUNT, FALSE },
};

static const PenFleetColumn cause_columns[] = {
  { "cause", PEN_FLEET_WORD, TRUE },
  { "name", PEN_FLEET_WORD, TRUE },
  { "capture", PEN_FLEET_ID, TRUE },
  { "purpose", PEN_FLEET_WORD, FALSE },
  { "flips", PEN_FLEET_COUNT, FALSE },
  { "sites", PEN_FLEET_SMALL, FALSE },
  { "on_seconds", PEN_FLEET_SECONDS, FALSE },
  { "off_seconds", PEN_FLEET_SECONDS, FALSE },
  { "unknown_seconds", PEN_FLEET_SECONDS, FALSE },
  { "on_samples", PEN_FLEET_COUNT, FALSE },
  { "on_recorded", PEN_FLEET_SECONDS, FALSE },
  { "off_samples", PEN_FLEET_COUNT, FALSE },
  { "off_recorded", PEN_FLEET_SECONDS, FALSE },
  { "cost", PEN_FLEET_COUNT_IF_KNOWN, FALSE },
};

static const struct {
  const char *name;
  const PenFleetColumn *columns;
  guint n_columns;
} tables[PEN_FLEET_TABLES] = {
  [PEN_FLEET_CAPTURE] = { "capture", capture_columns, G_N_ELEMENTS (capture_columns) },
  [PEN_FLEET_BUCKETS] = { "buckets", bucket_columns, G_N_ELEMENTS (bucket_columns) },
  [PEN_FLEET_CHANGES] = { "changes", change_columns, G_N_ELEMENTS (change_columns) },
  [PEN_FLEET_OCCUPANTS] = { "occupants", occupant_columns, G_N_ELEMENTS (occupant_columns) },
  [PEN_FLEET_CAUSES] = { "causes", cause_columns, G_N_ELEMENTS (cause_columns) },
};

const char *
pen_fleet_table_to_string (PenFleetTable table)
{
  return tables[table].name;
}

const PenFleetColumn *
pen_fleet_table_get_columns (PenFleetTable table, guint *n)
{
  *n = tables[table].n_columns;
  return tables[table].columns;
}
