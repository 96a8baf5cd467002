/* pen-command-changes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-changes.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return arguments->has_batches ? pen_query_write_batched_changes (query, filter, writer, error)
                                : pen_query_write_changes (query, filter, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_changes = {
  "changes",
  "CAPTURE",
  "every map, register, unregister and poke",
  "Columns: time, change, address, length, kind, occupant, symbol, offset, cause, old, new, cpu,\n"
  "pid, tid, comm, evidence. cpu, pid, tid and comm are those of who made the change.\n"
  "--batches adds confidence (certain, likely, guess), key (name of the static key or call), "
  "batch\n"
  "(a number), sites (how many were patched together), sentence (what that did).\n\n"
  "Examples:\n"
  "  pentimento-cli changes perf.data --cause ftrace\n"
  "  pentimento-cli changes perf.data --symbol vfs_read\n"
  "  pentimento-cli changes perf.data --kind stub --format=json\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_BATCHES,
  run,
};
