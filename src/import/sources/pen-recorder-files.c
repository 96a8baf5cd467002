/* pen-recorder-files.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorder-files.h"

#include <string.h>
#include <time.h>

#include "pen-regular-file.h"

#define ENDED "ended "
/* It has two. */
#define MAX_LINES 16u

static gboolean
has_monotonic_clock (PenReader *reader)
{
  const GPtrArray *attrs = pen_reader_get_attrs (reader);

  for (guint i = 0; i < attrs->len; i++) {
    const PenAttr *attr = g_ptr_array_index (attrs, i);

    if ((attr->flags & PEN_ATTR_USE_CLOCKID) != 0 && attr->clockid == CLOCK_MONOTONIC)
      return TRUE;
  }
  return FALSE;
}

static guint64
read_ended (const PenRecorderFiles *self)
{
  g_autofree char *path = pen_recorder_files_find (self, "end", "times");
  g_autoptr (PenLineReader) reader = path ? pen_line_reader_new (path, NULL) : NULL;
  guint64 time = 0;
  char *line;

  for (guint i = 0; reader && i < MAX_LINES && pen_line_reader_next (reader, &line, NULL); i++)
    if (line && g_str_has_prefix (line, ENDED)
        && !g_ascii_string_to_unsigned (line + strlen (ENDED), 10, 1, G_MAXUINT64, &time, NULL))
      time = 0;
  return time;
}

PenRecorderFiles *
pen_recorder_files_new (PenReader *reader)
{
  PenRecorderFiles *self = g_new0 (PenRecorderFiles, 1);

  self->directory = g_strdup (pen_reader_get_record_dir (reader));
  self->is_dated = has_monotonic_clock (reader);
  self->ended = read_ended (self);
  return self;
}

void
pen_recorder_files_free (PenRecorderFiles *self)
{
  if (!self)
    return;
  g_free (self->directory);
  g_free (self);
}

char *
pen_recorder_files_find (const PenRecorderFiles *self, const char *moment, const char *name)
{
  g_autofree char *path = NULL;

  if (!self || !self->directory)
    return NULL;
  path = moment ? g_build_filename (self->directory, moment, name, NULL)
                : g_build_filename (self->directory, name, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

PenSnapshotDate
pen_recorder_files_date (const PenRecorderFiles *self, gboolean is_end, guint64 *time)
{
  *time = 0;
  if (!is_end)
    return PEN_SNAPSHOT_START;
  if (!self->is_dated || self->ended == 0)
    return PEN_SNAPSHOT_END;
  *time = self->ended;
  return PEN_SNAPSHOT_TIME;
}
