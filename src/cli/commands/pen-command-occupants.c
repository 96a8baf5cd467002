/* pen-command-occupants.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include "pen-query-occupants.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  return arguments->has_programs ? pen_query_write_programs (query, filter, writer, error)
                                 : pen_query_write_occupants (query, filter, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_occupants = {
  "occupants",
  "CAPTURE",
  "every occupant's hold of a range of addresses",
  "Columns: from, to, space, start, end, kind, occupant, samples, changes, evidence. space is\n"
  "“kernel”, or a pid; where a pid had several images, with a number that counts them (126/2).\n"
  "--programs adds bpf_id, bpf_type, bpf_name, bpf_tag of BPF programs; a program that was gone\n"
  "before the recorder asked has no type and no name.\n\n"
  "Examples:\n"
  "  pentimento-cli occupants perf.data --kind bpf,stub\n"
  "  pentimento-cli occupants perf.data --address 0xffffffffc020e000-0xffffffffc0219fff\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_PROGRAMS,
  run,
};
