/* pen-command-samples.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return pen_query_write_wide_samples (query, filter, arguments->more, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_samples = {
  "samples",
  "CAPTURE",
  "each sample, and who held its address when it landed",
  "Columns: time, event, cpu, pid, tid, comm, address, kind, occupant, revision, symbol, offset,\n"
  "period. Rows are in time order. In csv and json times are nanoseconds as recorded.\n"
  "--callchain adds callchain: places as of the sample's time, its own first, then its callers.\n"
  "--payload adds payload: fields of a tracepoint, or bytes.\n"
  "--band adds since and until: nanoseconds to the nearest changes of the byte at the address.\n\n"
  "Examples:\n"
  "  pentimento-cli samples perf.data --format=csv -o samples.csv\n"
  "  pentimento-cli samples perf.data --time 5.8,7 --kind bpf,stub\n"
  "  pentimento-cli samples perf.data --symbol vfs_read --changed\n"
  "  pentimento-cli samples perf.data --symbol vfs_read --callchain --format=json\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_WIDE,
  run,
};
