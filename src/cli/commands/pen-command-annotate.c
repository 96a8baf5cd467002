/* pen-command-annotate.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-annotation.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return pen_query_write_annotation_at (query, filter, arguments->target, arguments->at,
                                        arguments->syntax, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_annotate = {
  "annotate",
  "CAPTURE SYMBOL|ADDRESS",
  "a function's text over time, with the samples of each version",
  "Columns in csv and json: address, offset, version, from, to, kind, occupant, revision, bytes,\n"
  "instruction, target, source, samples, period, first, last, evidence. A table is a listing to\n"
  "read: ~ marks an instruction that was patched, and each of its versions has a line. Where a "
  "name\n"
  "had several functions, all of them come, most samples first.\n\n"
  "Examples:\n"
  "  pentimento-cli annotate perf.data vfs_read\n"
  "  pentimento-cli annotate perf.data 0xffffffff8134cc50 --syntax=intel\n"
  "  pentimento-cli annotate perf.data vfs_read --at=6.2\n"
  "  pentimento-cli annotate perf.data vfs_read --time 5.8,7 --format=csv\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_TARGET | PEN_COMMAND_AT,
  run,
};
