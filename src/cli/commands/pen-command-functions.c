/* pen-command-functions.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-functions.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments G_GNUC_UNUSED,
            PenTableWriter *writer, GError **error)
{
  return pen_query_write_functions (query, filter, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_functions = {
  "functions",
  "CAPTURE",
  "functions by samples, with their changes and versions",
  "Columns: symbol, kind, occupant, start, length, samples, period, changes, versions. A row "
  "without\n"
  "a symbol is all that an occupant held without a name. versions: texts that stood there one "
  "after\n"
  "the other.\n\n"
  "Examples:\n"
  "  pentimento-cli functions perf.data --changed\n"
  "  pentimento-cli functions perf.data --kind kernel --time 10%,20%\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER,
  run,
};
