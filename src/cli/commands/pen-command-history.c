/* pen-command-history.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-history.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return pen_query_write_history_with_band (query, filter, arguments->target, arguments->syntax,
                                            arguments->band, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_history = {
  "history",
  "CAPTURE ADDRESS|SYMBOL+OFFSET",
  "who held one address, when it was patched, why, and by whom",
  "As a table a listing to read: each version, and above it what was patched, why and by whom.\n"
  "near: near_from|near_to.\n\n"
  "Columns in csv and json: from, to, kind, occupant, symbol, offset, revision, bytes,\n"
  "instruction, before_bytes, before_instruction, cause, reason, confidence, key, batch, sites,\n"
  "cpu, pid, tid, comm, samples, period, near_from, near_to, share, rate, evidence, program.\n"
  "One row for each tenure of the byte and each version of it. from and to are empty where the\n"
  "capture does not bound them. near_from and near_to are those of the samples that landed\n"
  "within a millisecond (--band-width) of them.\n\n"
  "Examples:\n"
  "  pentimento-cli history perf.data vfs_read\n"
  "  pentimento-cli history perf.data vfs_read+0x5\n"
  "  pentimento-cli history perf.data 0xffffffff8134cc50 --format=json\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_TARGET
      | PEN_COMMAND_BAND,
  run,
};
