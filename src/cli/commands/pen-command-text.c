/* pen-command-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-text.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return pen_query_write_text (query, arguments->target, arguments->length, arguments->at,
                               arguments->syntax, writer, error);
}

static gboolean
write_bytes (PenQuery *query, const PenArguments *arguments, GOutputStream *stream, GError **error)
{
  return pen_query_write_bytes (query, arguments->target, arguments->length, arguments->at, stream,
                                error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  if (arguments->is_raw)
    return pen_command_write_stream (arguments, write_bytes, error);
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_text = {
  "text",
  "CAPTURE ADDRESS|SYMBOL[+OFFSET]",
  "the kernel's code as it was at one moment",
  "Columns in csv and json: address, symbol, offset, kind, occupant, from, to, bytes, "
  "instruction,\n"
  "target, source, evidence. from and to tell since and until when these bytes were there. A "
  "table\n"
  "is a listing to read: ~ marks an instruction that was patched at some time.\n\n"
  "What happened at TIME itself is done by then; with a - behind TIME it is not yet. Without\n"
  "--length it is the whole function (from OFFSET on, where one is given).\n\n"
  "Examples:\n"
  "  pentimento-cli text perf.data vfs_read --at=start\n"
  "  pentimento-cli text perf.data vfs_read --at=5.844816145- --length=16\n"
  "  pentimento-cli text perf.data 0xffffffff8134cc50 --at=50% --format=json\n"
  "  pentimento-cli text perf.data vfs_read --at=end --raw -o vfs_read.bin\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_SYNTAX | PEN_COMMAND_TARGET | PEN_COMMAND_TEXT,
  run,
};
