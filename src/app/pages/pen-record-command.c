/* pen-record-command.c: the command that records, as it is shown and copied
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-command.h"

#include "pen-sandbox.h"

const char *
pen_record_command_choose (const char *cli, gboolean is_sandboxed)
{
  /* A terminal is outside of the sandbox, and sudo looks for programs in places of the system. */
  return cli && !is_sandboxed && g_str_has_prefix (cli, "/usr/") ? PEN_RECORD_COMMAND
                                                                 : PEN_RECORD_COMMAND_OF_PERF;
}

const char *
pen_record_command_get (void)
{
  g_autofree char *cli = g_find_program_in_path ("pentimento-cli");

  return pen_record_command_choose (cli, pen_sandbox_is_inside ());
}
