/* pen-capture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-capture.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pen-output.h"
#include "pen-problem-count.h"
#include "pen-progress-line.h"
#include "pen-snapshot-file.h"
#include "pen-store-records.h"

#include "pen-reason.h"

#define STANDARD_INPUT "/dev/stdin"

static gboolean
is_standard_input (const char *capture)
{
  return g_str_equal (capture, "-");
}

static char *
get_name (const char *capture)
{
  return is_standard_input (capture) ? g_strdup (_ ("standard input"))
                                     : g_filename_display_name (capture);
}

char *
pen_capture_display_name (const char *capture)
{
  g_autofree char *name = get_name (capture);

  return pen_display_text (name);
}

static gboolean
is_about_output (const PenArguments *arguments, GError **error)
{
  g_autofree char *output = NULL;
  g_autofree char *path = NULL;
  g_autofree char *quoted = NULL;

  if (!arguments->output || !error || !*error)
    return FALSE;
  output = g_filename_display_name (arguments->output);
  path = g_canonicalize_filename (arguments->output, NULL);
  quoted = g_strdup_printf ("“%s”", path);
  return g_str_has_prefix ((*error)->message, output) || strstr ((*error)->message, quoted);
}

void
pen_capture_name_in_error (const PenArguments *arguments, GError **error)
{
  g_autofree char *name = get_name (arguments->capture);

  if (is_about_output (arguments, error))
    return;
  if (error && *error && !strstr ((*error)->message, name)
      && (is_standard_input (arguments->capture)
          || !strstr ((*error)->message, arguments->capture)))
    g_prefix_error (error, "%s: ", name);
}

gboolean
pen_capture_check_output (const PenArguments *arguments, GError **error)
{
  const char *const inputs[] = {
    is_standard_input (arguments->capture) ? STANDARD_INPUT : arguments->capture,
    arguments->vmlinux,
  };
  char **const snapshots[] = { arguments->kallsyms, arguments->kcore, arguments->modules };

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++) {
    if (!pen_output_check_distinct (arguments->output, inputs[i], error))
      return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (snapshots); i++)
    for (char **word = snapshots[i]; word && *word; word++) {
      g_autoptr (PenSnapshotFile) file = pen_snapshot_file_parse (*word, error);

      if (!file || !pen_output_check_distinct (arguments->output, file->path, error))
        return FALSE;
    }
  return TRUE;
}

PenSources
pen_capture_get_sources (const PenArguments *arguments)
{
  return (PenSources){
    .kallsyms = (const char *const *) arguments->kallsyms,
    .kcore = (const char *const *) arguments->kcore,
    .modules = (const char *const *) arguments->modules,
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
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  PenProgressLine progress;
  PenStore *store;

  if (!pen_capture_check_output (arguments, error))
    return NULL;
  pen_progress_line_begin (&progress, name);
  store = pen_import_open_store (arguments->capture, &sources, pen_progress_line_show, &progress,
                                 arguments->cancellable, error);
  pen_progress_line_end (&progress);
  if (!store) {
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
  g_autofree char *sentence = pen_reason_describe (problem->reason);
  g_autofree char *reason = pen_display_text (sentence);

  fprintf (stderr,
           /* Translators: file, file inside of it and a blank, or nothing, offset, reason */
           _ ("pentimento-cli: %s: %s%sends at offset 0x%" PRIx64 ": %s; %" PRId64
              " records and %" PRId64 " samples are kept\n"),
           capture, is_named ? "" : file, is_named ? "" : " ", problem->offset, reason,
           pen_store_get_fact_int (store, "records", 0),
           pen_store_get_fact_int (store, "samples", 0));
}

/* The first row of a file has the reason; the others are about records that the end cut. */
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
  PenProblemCount count = { 0 };

  if (!problems)
    return FALSE;
  warn_of_ends (name, problems, store);
  pen_problem_count_add (&count, problems);
  if (count.set_aside > 0)
    fprintf (stderr,
             _ ("pentimento-cli: %s: %" PRIu64
                " set aside; “pentimento-cli info” shows what and where\n"),
             name, count.set_aside);
  return TRUE;
}
