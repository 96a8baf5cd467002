/* pen-command-compare.c: the command compare: changes of one recording, or two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include "pen-capture.h"
#include "pen-command-answers.h"
#include "pen-query-pair-causes.h"
#include "pen-query-pair-paths.h"
#include "pen-query-pair-text.h"

/* @arguments: the command line, as if it were about this recording alone */
typedef struct {
  PenArguments arguments;
  PenStore *store;
  PenQuery *query;
  PenFilter *filter;
  char *name;
} Side;

static void
side_clear (Side *side)
{
  g_clear_object (&side->store);
  g_clear_object (&side->query);
  g_clear_pointer (&side->filter, pen_filter_free);
  g_clear_pointer (&side->name, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static gboolean
open_side (Side *side, const PenArguments *arguments, char *capture, char *time, GError **error)
{
  side->arguments = *arguments;
  side->arguments.capture = capture;
  side->arguments.time = time;
  side->store = pen_capture_open (&side->arguments, error);
  if (!side->store || !pen_capture_warn (&side->arguments, side->store, error))
    return FALSE;
  side->query = pen_query_new (side->store);
  side->filter = pen_filter_copy (arguments->filter);
  side->name = pen_capture_display_name (capture);
  return pen_command_set_time (&side->arguments, side->query, side->filter, error)
         && pen_command_warn_of_filter (&side->arguments, side->query, error);
}

static gboolean
write_rows (const PenArguments *arguments, const PenPairSource sources[2], PenTableWriter *writer,
            GError **error)
{
  if (arguments->pair_by == PEN_PAIR_ROWS_PATH)
    return pen_query_write_pair_paths (sources, arguments->target, arguments->least, writer, error);
  if (arguments->pair_by == PEN_PAIR_ROWS_STACK)
    return pen_query_write_pair_stacks (sources, arguments->least, writer, error);
  if (arguments->pair_by == PEN_PAIR_ROWS_CAUSE)
    return pen_query_write_pair_causes (sources, writer, error);
  if (!arguments->target && arguments->pair_by != PEN_PAIR_ROWS_LINE)
    return pen_query_write_pair (sources, writer, error);
  return pen_query_write_pair_text (
      sources, arguments->target,
      arguments->pair_by == PEN_PAIR_ROWS_LINE ? PEN_PAIR_BY_SOURCE_LINE : PEN_PAIR_BY_INSTRUCTION,
      arguments->syntax, writer, error);
}

static gboolean
write_pair (const PenArguments *arguments, const Side *a, const Side *b, GError **error)
{
  const PenPairSource sources[]
      = { { a->query, a->filter, a->name }, { b->query, b->filter, b->name } };
  g_autoptr (PenOutput) output = pen_output_new (arguments->output, arguments->capture, error);
  g_autoptr (PenTableWriter) writer = NULL;

  if (!output)
    return FALSE;
  writer = pen_command_open_writer (arguments, output);
  if (!write_rows (arguments, sources, writer, error))
    return FALSE;
  return pen_output_commit (output, error);
}

static int
compare_recordings (const PenArguments *arguments, GError **error)
{
  g_auto (Side) a = { 0 };
  g_auto (Side) b = { 0 };
  int statuses[2];

  if (!open_side (&a, arguments, arguments->capture, arguments->time, error)
      || !open_side (&b, arguments, arguments->other, arguments->other_time, error)
      || !write_pair (arguments, &a, &b, error))
    return pen_command_is_usage (error) ? PEN_EXIT_USAGE : PEN_EXIT_FAILED;
  statuses[0] = pen_command_judge (&a.arguments, a.store, error);
  if (statuses[0] == PEN_EXIT_FAILED)
    return statuses[0];
  statuses[1] = pen_command_judge (&b.arguments, b.store, error);
  return statuses[1] == PEN_EXIT_DONE ? statuses[0] : statuses[1];
}

int
pen_command_compare (const PenArguments *arguments, GError **error)
{
  return arguments->other ? compare_recordings (arguments, error)
                          : pen_command_write_table (arguments, pen_answer_comparison, error);
}
