/* pen-command.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include <stdio.h>
#include <string.h>

#include "pen-lost-count.h"
#include "pen-output.h"
#include "pen-progress-line.h"

/* Every message names the file that it is about, once. */
static void
name_file (const char *path, GError **error)
{
  if (error != NULL && *error != NULL && strstr ((*error)->message, path) == NULL) {
    g_autofree char *name = g_filename_display_name (path);

    g_prefix_error (error, "%s: ", name);
  }
}

PenStore *
pen_command_open (const PenArguments *arguments, GError **error)
{
  const PenSources sources = { arguments->kallsyms, arguments->kcore, arguments->modules };
  g_autofree char *path = NULL;
  PenStore *store = NULL;
  PenProgressLine progress;

  if (!pen_output_check_distinct (arguments->output, arguments->capture, error)
      || !pen_output_check_distinct (arguments->output, arguments->kallsyms, error)
      || !pen_output_check_distinct (arguments->output, arguments->kcore, error)
      || !pen_output_check_distinct (arguments->output, arguments->modules, error))
    return NULL;

  pen_progress_line_begin (&progress);
  path = pen_import_open (arguments->capture, &sources, pen_progress_line_show, &progress,
                          arguments->cancellable, error);
  pen_progress_line_end (&progress);
  if (path != NULL)
    store = pen_store_open (path, error);
  if (store == NULL) {
    name_file (arguments->capture, error);
    return NULL;
  }
  pen_store_set_cancellable (store, arguments->cancellable);
  return store;
}

static gboolean
set_time (const PenArguments *arguments, PenQuery *query, PenFilter *filter, GError **error)
{
  guint64 first = 0;
  guint64 last = 0;
  g_autoptr (GError) wrong = NULL;

  if (arguments->time == NULL)
    return TRUE;
  pen_query_get_time_range (query, &first, &last);
  if (pen_filter_set_time_from_string (filter, arguments->time, first, last, &wrong))
    return TRUE;
  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, "--time %s", wrong->message);
  return FALSE;
}

static gboolean
wants_colour (PenOutput *output)
{
  const char *no_colour = g_getenv ("NO_COLOR");
  const char *terminal = g_getenv ("TERM");

  return pen_output_is_terminal (output) && (no_colour == NULL || *no_colour == '\0')
         && g_strcmp0 (terminal, "dumb") != 0;
}

static gboolean
write_table (const PenArguments *arguments, PenStore *store, PenCommandTableFunc func,
             GError **error)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (PenFilter) filter = pen_filter_copy (arguments->filter);
  g_autoptr (PenOutput) output = NULL;
  g_autoptr (PenTableWriter) writer = NULL;

  if (!set_time (arguments, query, filter, error))
    return FALSE;
  output = pen_output_new (arguments->output, error);
  if (output == NULL)
    return FALSE;
  writer = pen_table_writer_new_open (pen_output_get_stream (output), arguments->format);
  pen_table_writer_set_cancellable (writer, arguments->cancellable);
  pen_table_writer_set_colour (writer, wants_colour (output));
  return func (query, filter, arguments, writer, error) && pen_output_commit (output, error);
}

int
pen_command_write_table (const PenArguments *arguments, PenCommandTableFunc func, GError **error)
{
  g_autoptr (PenStore) store = pen_command_open (arguments, error);

  if (store == NULL)
    return PEN_EXIT_FAILED;
  if (!write_table (arguments, store, func, error)) {
    gboolean is_usage = error != NULL
                        && (g_error_matches (*error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE)
                            || g_error_matches (*error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE));

    if (!is_usage)
      name_file (arguments->capture, error);
    return is_usage ? PEN_EXIT_USAGE : PEN_EXIT_FAILED;
  }
  return pen_command_judge (arguments, store, error);
}

/* ---- --strict ---- */

static guint64
count_problems (PenStore *store, GError **error)
{
  g_autoptr (GPtrArray) problems = pen_store_load_problems (store, error);
  guint64 count = 0;

  for (guint i = 0; problems != NULL && i < problems->len; i++)
    count += MAX (((PenStoreProblem *) problems->pdata[i])->count, 1);
  return count;
}

int
pen_command_judge (const PenArguments *arguments, PenStore *store, GError **error)
{
  GError *failure = NULL;
  guint64 n_problems;
  PenLostCount count = { 0 };

  if (!arguments->is_strict)
    return PEN_EXIT_DONE;
  n_problems = count_problems (store, &failure);
  if (failure != NULL || !pen_lost_count_load (store, &count, &failure)) {
    g_propagate_error (error, failure);
    return PEN_EXIT_FAILED;
  }
  if (n_problems == 0 && count.lost == 0)
    return PEN_EXIT_DONE;

  g_autofree char *name = g_filename_display_name (arguments->capture);

  fprintf (stderr,
           "pentimento-cli: %s: %" G_GUINT64_FORMAT
           " records repaired or set aside, %" G_GUINT64_FORMAT
           " lost; “pentimento-cli info” says where\n",
           name, n_problems, count.lost);
  return PEN_EXIT_STRICT;
}
