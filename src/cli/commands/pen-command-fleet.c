/* pen-command-fleet.c: tables of many recordings, for a database
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "pen-capture-mode.h"
#include "pen-capture.h"
#include "pen-fleet-export.h"
#include "pen-notes-place.h"
#include "pen-work-line.h"

/* Of the 64 digits of a recording's sum: enough for all recordings that will ever be in one table.
 */
#define ID_DIGITS 16

static gboolean
write_sql (const PenArguments *arguments, GError **error)
{
  g_autofree char *directory
      = arguments->prints_duckdb ? g_canonicalize_filename (arguments->fleet, NULL) : NULL;
  g_autofree char *sql = NULL;
  g_autoptr (PenOutput) output = NULL;

  if (directory && !g_utf8_validate (directory, -1, NULL)) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 _ ("%s: is not UTF-8, as names in SQL have to be"), arguments->fleet);
    return FALSE;
  }
  sql = directory ? pen_fleet_make_duckdb (directory) : pen_fleet_make_clickhouse ();
  output = pen_output_new (arguments->output, NULL, error);
  return output
         && g_output_stream_write_all (pen_output_get_stream (output), sql, strlen (sql), NULL,
                                       arguments->cancellable, error)
         && pen_output_commit (output, error);
}

static PenStore *
open_capture (const PenArguments *arguments, GError **error)
{
  if (!pen_output_check_distinct (arguments->fleet, arguments->capture, error))
    return NULL;
  return pen_capture_open (arguments, error);
}

static gboolean
export_files (const PenArguments *arguments, PenQuery *query, const char *name, const char *id,
              guint *n_made, GError **error)
{
  g_auto (PenWorkLine) line = { 0 };

  pen_work_line_begin (&line, name, FALSE);
  return pen_fleet_export (query, id, arguments->fleet, pen_capture_mode (arguments->capture),
                           n_made, error);
}

/* @status: (out): of --strict */
static gboolean
export_capture (const PenArguments *arguments, int *status, GError **error)
{
  g_autoptr (PenStore) store = open_capture (arguments, error);
  g_autoptr (PenQuery) query = NULL;
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_autofree char *id = NULL;
  guint n_made;

  if (!store || !pen_capture_warn (arguments, store, error))
    return FALSE;
  query = pen_query_new (store);
  id = pen_notes_sum_origin (store);
  id[ID_DIGITS] = '\0';
  if (!export_files (arguments, query, name, id, &n_made, error))
    return FALSE;
  /* Translators: a file name, the number of a recording, how many files */
  fprintf (stderr, ngettext ("%s: %s: %u new file\n", "%s: %s: %u new files\n", n_made), name, id,
           n_made);
  *status = pen_command_judge (arguments, store, error);
  return *status != PEN_EXIT_FAILED;
}

static gboolean
make_directory (const char *path, GError **error)
{
  g_autofree char *name = NULL;
  int code;

  if (g_mkdir_with_parents (path, 0777) == 0)
    return TRUE;
  code = errno;
  name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", name, g_strerror (code));
  return FALSE;
}

/* One that cannot be read does not stop the others. */
static int
export_captures (const PenArguments *arguments, GError **error)
{
  guint n = g_strv_length (arguments->captures);
  int status = PEN_EXIT_DONE;
  guint n_failed = 0;

  if (!make_directory (arguments->fleet, error))
    return PEN_EXIT_FAILED;
  for (guint i = 0; i < n; i++) {
    PenArguments one = *arguments;
    g_autoptr (GError) wrong = NULL;
    int own = PEN_EXIT_DONE;

    one.capture = arguments->captures[i];
    if (export_capture (&one, &own, &wrong)) {
      status = MAX (status, own);
      continue;
    }
    pen_capture_name_in_error (&one, &wrong);
    if (n == 1 || g_cancellable_is_cancelled (arguments->cancellable)) {
      g_propagate_error (error, g_steal_pointer (&wrong));
      return PEN_EXIT_FAILED;
    }
    pen_command_print_error (wrong);
    n_failed++;
  }
  if (n_failed == 0)
    return status;
  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
               /* Translators: the second number is that of all recordings */
               ngettext ("%u of %u recordings was not exported",
                         "%u of %u recordings were not exported", n_failed),
               n_failed, n);
  return PEN_EXIT_FAILED;
}

int
pen_command_fleet (const PenArguments *arguments, GError **error)
{
  if (!arguments->prints_clickhouse && !arguments->prints_duckdb)
    return export_captures (arguments, error);
  return write_sql (arguments, error) ? PEN_EXIT_DONE : PEN_EXIT_FAILED;
}
