/* pen-command-info.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-info.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED,
            const PenArguments *arguments G_GNUC_UNUSED, PenTableWriter *writer, GError **error)
{
  return pen_query_write_info (query, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_info = {
  "info",
  "CAPTURE",
  "what was recorded, on what and when, and what could not be",
  "Columns: fact, value.\n\n"
  "Examples:\n"
  "  pentimento-cli info perf.data\n"
  "  pentimento-cli info perf.data --strict && echo complete\n",
  PEN_COMMAND_TABLE,
  run,
};
