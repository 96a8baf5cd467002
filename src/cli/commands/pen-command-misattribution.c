/* pen-command-misattribution.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>

#include "pen-capture.h"
#include "pen-command.h"
#include "pen-display.h"
#include "pen-query-misattribution.h"

static gboolean
write_rows (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  if (!pen_query_knows_patches (query)) {
    g_autofree char *name = pen_capture_display_name (arguments->capture);
    g_autofree char *shown = pen_display_text (name);

    fprintf (
        stderr,
        "pentimento-cli: %s: text pokes were not recorded, so patched functions are not known; "
        "“pentimento-cli info” says how to record them\n",
        shown);
  }
  return pen_query_write_misattribution (query, filter, writer, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  return pen_command_write_table (arguments, write_rows, error);
}

const PenCommand pen_command_misattribution = {
  "misattribution",
  "CAPTURE",
  "functions whose samples perf annotate shows on text that was not there",
  "Columns: symbol, kind, occupant, start, length, samples, misattributed, on_changed, share,\n"
  "stretches, reason. misattributed: samples that landed while the function's text was another\n"
  "one than perf annotate shows; on_changed: those whose own instruction was. share: of all\n"
  "samples in the kernel that the filter leaves. reason: patched, other part (a BPF program's\n"
  "further functions are shown with the first one's text), no text (perf has none to show).\n\n"
  "Examples:\n"
  "  pentimento-cli misattribution perf.data\n"
  "  pentimento-cli misattribution perf.data --time 10%,20% --format=csv\n",
  PEN_COMMAND_TABLE | PEN_COMMAND_FILTER,
  run,
};
