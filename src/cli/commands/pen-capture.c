/* pen-capture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-capture.h"

#include <stdio.h>
#include <string.h>

#include "pen-output.h"
#include "pen-problem-count.h"
#include "pen-progress-line.h"

#define STANDARD_INPUT "/dev/stdin"

static gboolean
is_standard_input (const char *capture)
{
  return g_str_equal (capture, "-");
}

char *
pen_capture_display_name (const char *capture)
{
  return is_standard_input (capture) ? g_strdup ("standard input")
                                     : g_filename_display_name (capture);
}

static gboolean
is_about_output (const PenArguments *arguments, GError **error)
{
  g_autofree char *output
      = arguments->output != NULL ? g_filename_display_name (arguments->output) : NULL;

  return output != NULL && error != NULL && *error != NULL
         && g_str_has_prefix ((*error)->message, output);
}

void
pen_capture_name_in_error (const PenArguments *arguments, GError **error)
{
  g_autofree char *name = pen_capture_display_name (arguments->capture);

  if (is_about_output (arguments, error))
    return;
  if (error != NULL && *error != NULL && strstr ((*error)->message, name) == NULL
      && (is_standard_input (arguments->capture)
          || strstr ((*error)->message, arguments->capture) == NULL))
    g_prefix_error (error, "%s: ", name);
}

gboolean
pen_capture_check_output (const PenArguments *arguments, GError **error)
{
  const char *const inputs[] = {
    is_standard_input (arguments->capture) ? STANDARD_INPUT : arguments->capture,
    arguments->kallsyms,
    arguments->kcore,
    arguments->modules,
    arguments->vmlinux,
  };

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++) {
    if (!pen_output_check_distinct (arguments->output, inputs[i], error))
      return FALSE;
  }
  return TRUE;
}

PenSources
pen_capture_get_sources (const PenArguments *arguments)
{
  return (PenSources){
    .kallsyms = arguments->kallsyms,
    .kcore = arguments->kcore,
    .modules = arguments->modules,
    .vmlinux = arguments->vmlinux,
    .symfs = arguments->symfs,
    .perf_map = arguments->perf_map,
    .source_lines = arguments->wants_source_lines,
    .debuginfod = arguments->asks_debuginfod,
  };
}

PenStore *
pen_capture_open (const PenArguments *arguments, GError **error)
{
  const PenSources sources = pen_capture_get_sources (arguments);
  PenProgressLine progress;
  PenStore *store;

  if (!pen_capture_check_output (arguments, error))
    return NULL;
  pen_progress_line_begin (&progress, arguments->capture);
  store = pen_import_open_store (arguments->capture, &sources, pen_progress_line_show, &progress,
                                 arguments->cancellable, error);
  pen_progress_line_end (&progress);
  if (store == NULL) {
    pen_capture_name_in_error (arguments, error);
    return NULL;
  }
  pen_store_set_cancellable (store, arguments->cancellable);
  return store;
}

/* ---- warnings ---- */

/* @capture: as it is shown */
static void
warn_of_end (const char *capture, const PenStoreProblem *problem, PenStore *store)
{
  g_autofree char *file = pen_display_text (problem->file);
  gboolean is_named = *file == '\0' || g_str_has_suffix (capture, file);
  g_autofree char *reason = pen_display_text (problem->reason);

  fprintf (stderr,
           "pentimento-cli: %s: %s%sends at offset 0x%" G_GINT64_MODIFIER "x: %s; %" G_GINT64_FORMAT
           " records and %" G_GINT64_FORMAT " samples are kept\n",
           capture, is_named ? "" : file, is_named ? "" : " ", problem->offset, reason,
           pen_store_get_fact_int (store, "records", 0),
           pen_store_get_fact_int (store, "samples", 0));
}

/* The first row of a file tells why; others tell of what the end cut in two. */
static void
warn_of_ends (const char *capture, GPtrArray *problems, PenStore *store)
{
  const char *file = NULL;

  for (guint i = 0; i < problems->len; i++) {
    const PenStoreProblem *problem = problems->pdata[i];

    if (!g_str_equal (problem->action, "ended") || g_strcmp0 (problem->file, file) == 0)
      continue;
    file = problem->file;
    warn_of_end (capture, problem, store);
  }
}

gboolean
pen_capture_warn (const PenArguments *arguments, PenStore *store, GError **error)
{
  g_autoptr (GPtrArray) problems = pen_store_load_problems (store, error);
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_autofree char *shown = pen_display_text (name);
  PenProblemCount count = { 0 };

  if (problems == NULL)
    return FALSE;
  warn_of_ends (shown, problems, store);
  pen_problem_count_add (&count, problems);
  if (count.set_aside > 0)
    fprintf (stderr,
             "pentimento-cli: %s: %" G_GUINT64_FORMAT
             " set aside; “pentimento-cli info” says what and where\n",
             shown, count.set_aside);
  return TRUE;
}
