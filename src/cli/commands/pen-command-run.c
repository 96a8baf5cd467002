/* pen-command-run.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>

#include "pen-capture.h"
#include "pen-filter-doubts.h"
#include "pen-lost-count.h"
#include "pen-problem-count.h"

gboolean
pen_command_set_time (const PenArguments *arguments, PenQuery *query, PenFilter *filter,
                      GError **error)
{
  guint64 first = 0;
  guint64 last = 0;
  g_autoptr (GError) wrong = NULL;

  if (!arguments->time)
    return TRUE;
  pen_query_get_time_range (query, &first, &last);
  if (pen_filter_set_time_from_string (filter, arguments->time, first, last, &wrong))
    return TRUE;
  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, "--time %s", wrong->message);
  return FALSE;
}

static gboolean
find_window (PenQuery *query, const char *option, const char *text, PenFlameWindow *window,
             GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  guint64 first = 0;
  guint64 last = 0;

  pen_query_get_time_range (query, &first, &last);
  if (!pen_filter_set_time_from_string (filter, text, first, last, error)) {
    g_prefix_error (error, "--%s: ", option);
    return FALSE;
  }
  *window = (PenFlameWindow){ filter->from, filter->to };
  return TRUE;
}

gboolean
pen_command_find_windows (const PenArguments *arguments, PenQuery *query, PenFlameWindow windows[2],
                          GError **error)
{
  const PenWindowRules rules = { .crosses = arguments->crosses };

  if (!arguments->before)
    return pen_query_find_windows (query, arguments->batch, &rules, windows, error);
  return find_window (query, "before", arguments->before, &windows[0], error)
         && find_window (query, "after", arguments->after, &windows[1], error);
}

gboolean
pen_command_wants_colour (void)
{
  const char *no_colour = g_getenv ("NO_COLOR");

  return (!no_colour || !*no_colour) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

PenTableWriter *
pen_command_new_writer (const PenArguments *arguments, GOutputStream *stream, gboolean is_terminal)
{
  PenTableWriter *writer = pen_table_writer_new_open (stream, arguments->format);

  pen_table_writer_set_cancellable (writer, arguments->cancellable);
  pen_table_writer_set_shown (writer, is_terminal);
  if (arguments->measure == PEN_STACK_OFF_CPU) {
    pen_table_writer_rename (writer, "samples", "waits");
    pen_table_writer_rename (writer, "period", "off_cpu");
  }
  return writer;
}

PenTableWriter *
pen_command_open_writer (const PenArguments *arguments, PenOutput *output)
{
  gboolean is_terminal = pen_output_is_terminal (output);
  PenTableWriter *writer
      = pen_command_new_writer (arguments, pen_output_get_stream (output), is_terminal);

  pen_table_writer_set_colour (writer, is_terminal && pen_command_wants_colour ());
  return writer;
}

gboolean
pen_command_is_usage (GError **error)
{
  return error
         && (g_error_matches (*error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE)
             || g_error_matches (*error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE));
}

gboolean
pen_command_warn_of_filter (const PenArguments *arguments, PenQuery *query, GError **error)
{
  g_autoptr (GPtrArray) doubts = pen_filter_list_doubts (arguments->filter, query, error);
  g_autofree char *name = pen_capture_display_name (arguments->capture);

  if (!doubts)
    return FALSE;
  for (guint i = 0; i < doubts->len; i++) {
    g_autofree char *sentence = pen_display_text (doubts->pdata[i]);

    /* Translators: a file name, then such as “no symbol is “x”” */
    fprintf (stderr, _ ("pentimento-cli: %s: in this recording %s\n"), name, sentence);
  }
  return TRUE;
}

static gboolean
write_table (const PenArguments *arguments, PenStore *store, PenCommandTableFunc func,
             GError **error)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (PenFilter) filter = pen_filter_copy (arguments->filter);
  g_autoptr (PenOutput) output = NULL;
  g_autoptr (PenTableWriter) writer = NULL;

  if (!pen_command_set_time (arguments, query, filter, error)
      || !pen_command_warn_of_filter (arguments, query, error))
    return FALSE;
  output = pen_output_new (arguments->output, arguments->capture, error);
  if (!output)
    return FALSE;
  writer = pen_command_open_writer (arguments, output);
  return func (query, filter, arguments, writer, error) && pen_output_commit (output, error);
}

static gboolean
write_stream (const PenArguments *arguments, PenStore *store, PenCommandStreamFunc func,
              gboolean is_text, GError **error)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (PenFilter) filter = pen_filter_copy (arguments->filter);
  g_autoptr (PenOutput) output = NULL;

  if (!pen_command_set_time (arguments, query, filter, error)
      || !pen_command_warn_of_filter (arguments, query, error))
    return FALSE;
  output = pen_output_new (arguments->output, arguments->capture, error);
  if (!output)
    return FALSE;
  if (!is_text && pen_output_is_terminal (output)) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         _ ("raw bytes are not written to a terminal; use -o FILE or a pipe"));
    return FALSE;
  }
  return func (query, filter, arguments, pen_output_get_stream (output), error)
         && pen_output_commit (output, error);
}

gboolean
pen_command_choose_population (const PenArguments *arguments, PenStore **store, GError **error)
{
  g_autoptr (PenStore) samples = NULL;

  if (arguments->measure != PEN_STACK_OFF_CPU)
    return TRUE;
  if (!pen_store_has_waits (*store)) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                         _ ("The recording has no time off CPU. Record with --switch-events, or -e "
                            "sched:sched_switch."));
    return FALSE;
  }
  samples = g_steal_pointer (store);
  *store = pen_store_open_waits (samples, error);
  return *store != NULL;
}

/* @table, @stream: one of them */
static int
open_and_write (const PenArguments *arguments, PenCommandTableFunc table,
                PenCommandStreamFunc stream, gboolean is_text, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  g_autoptr (PenStore) store = arguments->follows ? pen_command_follow (arguments, table, &wrong)
                                                  : pen_capture_open (arguments, &wrong);
  gboolean is_written;

  if (!store && !wrong)
    return PEN_EXIT_DONE;
  if (!store) {
    g_propagate_error (error, g_steal_pointer (&wrong));
    return PEN_EXIT_FAILED;
  }
  if (!pen_capture_warn (arguments, store, error))
    return PEN_EXIT_FAILED;
  if (!pen_command_choose_population (arguments, &store, error)) {
    pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  is_written = table ? write_table (arguments, store, table, error)
                     : write_stream (arguments, store, stream, is_text, error);
  if (!is_written) {
    gboolean is_usage = pen_command_is_usage (error);

    if (!is_usage)
      pen_capture_name_in_error (arguments, error);
    return is_usage ? PEN_EXIT_USAGE : PEN_EXIT_FAILED;
  }
  return pen_command_judge (arguments, store, error);
}

int
pen_command_write_table (const PenArguments *arguments, PenCommandTableFunc func, GError **error)
{
  return open_and_write (arguments, func, NULL, TRUE, error);
}

int
pen_command_run (const PenCommand *command, const PenArguments *arguments, GError **error)
{
  return command->write ? pen_command_write_table (arguments, command->write, error)
                        : command->run (arguments, error);
}

void
pen_command_print_error (const GError *error)
{
  g_autofree char *shown = pen_display_text (error->message);

  fprintf (stderr, "pentimento-cli: %s\n", shown);
}

int
pen_command_write_bytes (const PenArguments *arguments, PenCommandStreamFunc func, GError **error)
{
  return open_and_write (arguments, NULL, func, FALSE, error);
}

int
pen_command_write_text (const PenArguments *arguments, PenCommandStreamFunc func, GError **error)
{
  return open_and_write (arguments, NULL, func, TRUE, error);
}

/* ---- --strict ---- */

int
pen_command_judge (const PenArguments *arguments, PenStore *store, GError **error)
{
  PenProblemCount problems;
  PenLostCount losses;

  if (!arguments->is_strict)
    return PEN_EXIT_DONE;
  if (!pen_problem_count_load (store, &problems, error)
      || !pen_lost_count_load (store, &losses, error))
    return PEN_EXIT_FAILED;
  if (problems.repaired + problems.set_aside + problems.ended == 0 && losses.lost == 0)
    return PEN_EXIT_DONE;

  g_autofree char *name = pen_capture_display_name (arguments->capture);

  if (problems.ended > 0)
    fprintf (stderr,
             _ ("pentimento-cli: %s: %" PRIu64 " repaired, %" PRIu64 " set aside, %" PRIu64
                " lost, and the file is cut off; "
                "“pentimento-cli info” shows where\n"),
             name, problems.repaired, problems.set_aside, losses.lost);
  else
    fprintf (stderr,
             _ ("pentimento-cli: %s: %" PRIu64 " repaired, %" PRIu64 " set aside, %" PRIu64
                " lost; “pentimento-cli info” shows where\n"),
             name, problems.repaired, problems.set_aside, losses.lost);
  return PEN_EXIT_STRICT;
}
