/* pen-command-notes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-notes-place.h"
#include "pen-query-notes.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  g_autofree char *place = pen_notes_find_place (pen_query_get_store (query), arguments->capture);

  return pen_query_write_notes (query, place, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_notes = {
  "notes",
  "CAPTURE",
  "what was written about lines and times",
  "Columns: id, time, address, symbol, offset, text, written. Notes are written in the window\n"
  "(Ctrl+D). Those about a store are in it; those about a capture are below\n"
  "$XDG_DATA_HOME/pentimento/notes, and are copied into a store that import makes of it.\n\n"
  "Examples:\n"
  "  pentimento-cli notes perf.data\n"
  "  pentimento-cli notes mine.pentimento --format=json\n",
  PEN_COMMAND_TABLE,
  run,
};
