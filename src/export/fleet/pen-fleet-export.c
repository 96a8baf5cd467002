/* pen-fleet-export.c: one recording, as files for a database
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fleet-export.h"

#include "pen-new-file-stream.h"
#include "pen-zstd-stream.h"

static gboolean
write_rows (PenQuery *query, PenFleetTable table, const char *id, GOutputStream *stream,
            GError **error)
{
  GCancellable *cancellable = pen_store_get_cancellable (pen_query_get_store (query));
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);

  pen_table_writer_set_cancellable (writer, cancellable);
  pen_table_writer_set_bare (writer);
  return pen_query_write_fleet (query, table, id, writer, error)
         && g_output_stream_close (stream, cancellable, error);
}

static gboolean
write_file (PenQuery *query, PenFleetTable table, const char *id, const char *path, mode_t mode,
            GError **error)
{
  g_autoptr (PenNewFile) file = pen_new_file_create (path, mode, error);
  g_autoptr (GOutputStream) plain = NULL;
  g_autoptr (GOutputStream) packed = NULL;

  if (!file)
    return FALSE;
  plain = pen_new_file_stream_new (file);
  packed = pen_zstd_stream_new (plain);
  if (!write_rows (query, table, id, packed, error))
    return FALSE;
  pen_new_file_begin_sync (file, NULL);
  return pen_new_file_finish (file, error);
}

gboolean
pen_fleet_export (PenQuery *query, const char *id, const char *directory, mode_t mode,
                  guint *n_made, GError **error)
{
  *n_made = 0;
  for (guint i = 0; i < PEN_FLEET_TABLES; i++) {
    PenFleetTable table = (PenFleetTable) i;
    g_autofree char *name
        = g_strdup_printf ("%s-%s.csv.zst", pen_fleet_table_to_string (table), id);
    g_autofree char *path = g_build_filename (directory, name, NULL);

    /* One that was killed cannot clean up; nor can one whose machine stopped, also where another
     * has made the file since. */
    pen_new_file_remove_left (directory, name);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      continue;
    if (!write_file (query, table, id, path, mode, error))
      return FALSE;
    (*n_made)++;
  }
  return TRUE;
}
