/* pen-command-import.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pen-capture.h"
#include "pen-lost-count.h"
#include "pen-problem-count.h"
#include "pen-progress-line.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"

static gboolean
count_records (PenStore *store, guint64 *records, guint64 *samples, GError **error)
{
  g_autoptr (GPtrArray) counts = pen_store_load_record_counts (store, error);
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (store, &n_blocks);

  if (!counts)
    return FALSE;
  *records = *samples = 0;
  for (guint i = 0; i < counts->len; i++)
    *records += ((const PenRecordCount *) counts->pdata[i])->records;
  for (guint i = 0; i < n_blocks; i++)
    *samples += blocks[i].n;
  return TRUE;
}

static gboolean
summarise (const PenArguments *arguments, PenStore *store, double seconds, GError **error)
{
  PenProblemCount problems;
  PenLostCount losses;
  guint64 records;
  guint64 samples;
  g_autofree char *name = pen_capture_display_name (arguments->capture);

  if (!pen_problem_count_load (store, &problems, error)
      || !pen_lost_count_load (store, &losses, error)
      || !count_records (store, &records, &samples, error))
    return FALSE;
  fprintf (stderr,
           _ ("%s: %" PRIu64 " samples, %" PRIu64 " records in %.2f s; repaired %" PRIu64
              ", set aside %" PRIu64 ", lost %" PRIu64 "\n"),
           name, samples, records, seconds, problems.repaired, problems.set_aside, losses.lost);
  if (losses.unwanted > 0)
    fprintf (stderr,
             ngettext ("%s: %" PRIu64 " sample was dropped by a BPF filter\n",
                       "%s: %" PRIu64 " samples were dropped by a BPF filter\n", losses.unwanted),
             name, losses.unwanted);
  return pen_capture_warn (arguments, store, error);
}

static gboolean
check_paths (const PenArguments *arguments, GError **error)
{
  /* A stream cannot be peeked at without consuming it. */
  gboolean is_store
      = !pen_import_is_stream (arguments->capture) && pen_store_is_store (arguments->capture);

  if (is_store) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 _ ("%s: is a store already; to move it, copy the file"), arguments->capture);
    return FALSE;
  }
  if (g_file_test (arguments->output, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 _ ("%s: is a directory; the store needs a file name"), arguments->output);
    return FALSE;
  }
  return pen_capture_check_output (arguments, error);
}

int
pen_command_import (const PenArguments *arguments, GError **error)
{
  const PenSources sources = pen_capture_get_sources (arguments);
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_autoptr (PenStore) store = NULL;
  PenProgressLine progress;
  gboolean is_done;

  if (arguments->verifies)
    return pen_command_verify (arguments, error);
  if (!arguments->output) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         _ ("missing output: name the store with -o STORE"));
    return PEN_EXIT_USAGE;
  }
  if (!check_paths (arguments, error))
    return PEN_EXIT_FAILED;

  pen_progress_line_begin (&progress, name);
  is_done = pen_import (arguments->capture, arguments->output, &sources, pen_progress_line_show,
                        &progress, arguments->cancellable, error);
  pen_progress_line_end (&progress);
  if (is_done)
    store = pen_store_open (arguments->output, error);
  if (!store) {
    if (error && *error && !strstr ((*error)->message, arguments->output))
      pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  if (!summarise (arguments, store,
                  (double) (g_get_monotonic_time () - progress.begun) / G_USEC_PER_SEC, error))
    return PEN_EXIT_FAILED;
  return pen_command_judge (arguments, store, error);
}
