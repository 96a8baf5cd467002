/* pen-command-sanitize.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>

#include "pen-capture-mode.h"
#include "pen-capture.h"
#include "pen-command-run.h"
#include "pen-work-line.h"

static gboolean
check_output (const PenArguments *arguments, GError **error)
{
  if (!arguments->output || g_str_equal (arguments->output, "-")) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         _ ("missing output: name the store with -o STORE"));
    return FALSE;
  }
  return pen_output_check_distinct (arguments->output, arguments->capture, error)
         && pen_capture_check_output (arguments, error);
}

static void
report (const PenArguments *arguments, const PenSanitized *result)
{
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_autoptr (GString) list = g_string_new (NULL);

  fprintf (stderr,
           /* Translators: a file name, and how many of each */
           _ ("%s: replaced names: %u tasks, %u files, %u functions, %u source files, %u programs, "
              "%u events\n"),
           name, result->names[PEN_CLEAN_TASK], result->names[PEN_CLEAN_FILE],
           result->names[PEN_CLEAN_SYMBOL], result->names[PEN_CLEAN_SOURCE],
           result->names[PEN_CLEAN_PROGRAM], result->names[PEN_CLEAN_EVENT]);
  for (guint i = 0; i < result->lost->len; i++) {
    const PenCleanLoss *loss = &g_array_index (result->lost, PenCleanLoss, i);

    g_string_append_printf (list, "%s%s %" PRIu64, i > 0 ? ", " : "", loss->name, loss->rows);
  }
  if (list->len > 0)
    /* Translators: a file name, then names of tables, each with a number of rows */
    fprintf (stderr, _ ("%s: rows left out: %s\n"), name, list->str);
  if (result->unsound > 0)
    /* Translators: a file name, and a number */
    fprintf (stderr,
             _ ("%s: bytes of code left out, as it is not known where instructions begin: %" PRIu64
                "\n"),
             name, result->unsound);
}

static void
show_progress (guint64 done, guint64 total, gpointer user_data)
{
  pen_work_line_set (user_data, done, total);
}

static gboolean
sanitize (const PenArguments *arguments, PenStore *store, PenSanitized *result, GError **error)
{
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_auto (PenWorkLine) line = { 0 };

  pen_work_line_begin (&line, name, FALSE);
  return pen_sanitize (store, arguments->output, pen_capture_mode (arguments->capture),
                       arguments->kept, show_progress, &line, arguments->cancellable, result,
                       error);
}

int
pen_command_sanitize (const PenArguments *arguments, GError **error)
{
  g_auto (PenSanitized) result = { 0 };
  g_autoptr (PenStore) store = NULL;

  if (!check_output (arguments, error))
    return g_error_matches (*error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE) ? PEN_EXIT_USAGE
                                                                                : PEN_EXIT_FAILED;
  store = pen_capture_open (arguments, error);
  if (!store || !pen_capture_warn (arguments, store, error))
    return PEN_EXIT_FAILED;
  if (!sanitize (arguments, store, &result, error)) {
    pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  report (arguments, &result);
  return pen_command_judge (arguments, store, error);
}
