/* pen-command-compare.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"
#include "pen-query-compare.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return pen_query_write_comparison (query, filter, arguments->target, arguments->change, writer,
                                     error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_compare = {
  "compare",
  "CAPTURE SYMBOL[+OFFSET]|ADDRESS",
  "samples per second before and after each patch, and whether they differ",
  "Columns in csv and json: change, time, cause, pokes, before, before_seconds, before_rate, "
  "before_low,\n"
  "before_high, before_share, after, … (the same), lost_seconds, ratio, ratio_low, ratio_high, p,\n"
  "verdict. SYMBOL is about the samples of the whole function, SYMBOL+OFFSET about those on the\n"
  "bytes that were patched there. before reaches back to the change before, after to the next.\n"
  "low and high hold the true rate with 95 %. verdict: more, less, alike (no difference is\n"
  "shown), unknown (nothing recorded on one side).\n\n"
  "Examples:\n"
  "  pentimento-cli compare perf.data vfs_read\n"
  "  pentimento-cli compare perf.data vfs_read+0x0 --change 2\n"
  "  pentimento-cli compare perf.data vfs_read --comm hot --format=csv\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_TARGET | PEN_COMMAND_CHANGE,
  run,
};
