/* pen-command-import.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include <stdio.h>
#include <string.h>

#include "pen-capture.h"
#include "pen-lost-count.h"
#include "pen-memory.h"
#include "pen-notes-place.h"
#include "pen-problem-count.h"
#include "pen-progress-line.h"

static gboolean
count_records (PenStore *store, guint64 *records, guint64 *samples, GError **error)
{
  g_autoptr (GPtrArray) counts = pen_store_load_record_counts (store, error);
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (store, &n_blocks);

  if (counts == NULL)
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
  g_autofree char *shown = pen_display_text (name);

  if (!pen_problem_count_load (store, &problems, error)
      || !pen_lost_count_load (store, &losses, error)
      || !count_records (store, &records, &samples, error))
    return FALSE;
  fprintf (stderr,
           "%s: %" G_GUINT64_FORMAT " samples, %" G_GUINT64_FORMAT " records in %.2f s; repaired "
           "%" G_GUINT64_FORMAT ", set aside %" G_GUINT64_FORMAT ", lost %" G_GUINT64_FORMAT "\n",
           shown, samples, records, seconds, problems.repaired, problems.set_aside, losses.lost);
  if (losses.unwanted > 0)
    fprintf (stderr, "%s: %" G_GUINT64_FORMAT " samples were dropped by a filter, as was wanted\n",
             shown, losses.unwanted);
  return pen_capture_warn (arguments, store, error);
}

static gboolean
check_paths (const PenArguments *arguments, GError **error)
{
  /* Even to look into a stream is to take from it. */
  gboolean is_store
      = !pen_import_is_stream (arguments->capture) && pen_store_is_store (arguments->capture);

  if (is_store) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 "%s: is a store already; copy it, if it is to be elsewhere", arguments->capture);
    return FALSE;
  }
  if (g_file_test (arguments->output, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 "%s: is a directory; name a file for the store", arguments->output);
    return FALSE;
  }
  return pen_capture_check_output (arguments, error);
}

static int
run (const PenArguments *arguments, GError **error)
{
  const PenSources sources = pen_capture_get_sources (arguments);
  g_autoptr (PenStore) store = NULL;
  PenProgressLine progress;
  gboolean is_done;

  if (arguments->verifies)
    return pen_command_verify (arguments, error);
  if (arguments->output == NULL) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         "where to? Name the store with -o STORE");
    return PEN_EXIT_USAGE;
  }
  if (!check_paths (arguments, error))
    return PEN_EXIT_FAILED;

  pen_memory_prepare_for_import ();
  pen_progress_line_begin (&progress, arguments->capture);
  is_done = pen_import (arguments->capture, arguments->output, &sources, pen_progress_line_show,
                        &progress, arguments->cancellable, error);
  pen_progress_line_end (&progress);
  if (is_done)
    store = pen_store_open (arguments->output, error);
  if (store == NULL) {
    if (error != NULL && *error != NULL && strstr ((*error)->message, arguments->output) == NULL)
      pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  if (!summarise (arguments, store,
                  (double) (g_get_monotonic_time () - progress.begun) / G_USEC_PER_SEC, error))
    return PEN_EXIT_FAILED;
  /* What was written about the capture goes with it. */
  if (!pen_notes_copy (store, arguments->capture, arguments->output, error))
    return PEN_EXIT_FAILED;
  return pen_command_judge (arguments, store, error);
}

const PenCommand pen_command_import = {
  "import",
  "CAPTURE -o STORE | --verify STORE",
  "a capture into a store that opens at once",
  "The store is one SQLite file; its tables are described in docs/store.md. What was repaired, "
  "set\n"
  "aside or lost is told on stderr.\n"
  "--verify reads all of a store and compares checksums: exit status 1 where it is damaged.\n\n"
  "Examples:\n"
  "  pentimento-cli import perf.data -o mine.pentimento\n"
  "  pentimento-cli import perf.data -o mine.pentimento --kallsyms=perf.data/kcore_dir/kallsyms\n"
  "  pentimento-cli import --verify mine.pentimento\n",
  PEN_COMMAND_IMPORT,
  run,
};
