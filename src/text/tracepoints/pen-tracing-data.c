/* pen-tracing-data.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tracing-data.h"

#include <string.h>

/* No kernel has as many; a format is a few kilobytes. */
#define MAX_SYSTEMS 4096u
#define MAX_FORMATS 65536u
#define MAX_FORMAT 65536u

typedef struct {
  const guint8 *at;
  gsize left;
  gboolean big_endian;
  gboolean failed;
} Cursor;

static const guint8 *
take (Cursor *cursor, guint64 n)
{
  const guint8 *bytes = cursor->at;

  if (cursor->failed || n > cursor->left) {
    cursor->failed = TRUE;
    return NULL;
  }

  cursor->at += n;
  cursor->left -= (gsize) n;
  return bytes;
}

static guint64
take_number (Cursor *cursor, guint size)
{
  const guint8 *bytes = take (cursor, size);
  guint64 value = 0;

  for (guint i = 0; bytes && i < size; i++)
    value = value << 8 | bytes[cursor->big_endian ? i : size - 1 - i];
  return value;
}

/* Up to and with its NUL; NULL where there is none. */
static const char *
take_string (Cursor *cursor)
{
  const guint8 *nul = cursor->left > 0 ? memchr (cursor->at, 0, cursor->left) : NULL;

  if (cursor->failed || !nul) {
    cursor->failed = TRUE;
    return NULL;
  }
  return (const char *) take (cursor, (guint64) (nul - cursor->at) + 1);
}

static void
skip_section (Cursor *cursor, const char *name)
{
  const char *found = take_string (cursor);

  if (!found || strcmp (found, name) != 0)
    cursor->failed = TRUE;
  take (cursor, take_number (cursor, 8));
}

static void
format_free (gpointer data)
{
  PenTracepointFormat *format = data;

  g_free (format->system);
  g_free (format->text);
  g_free (format);
}

static gboolean
find_id (const char *text, guint64 *id)
{
  const char *line = strstr (text, "\nID: ");
  char *end;

  if (!line)
    return FALSE;
  *id = g_ascii_strtoull (line + 5, &end, 10);
  return *end == '\n';
}

static void
take_format (Cursor *cursor, const char *system, GPtrArray *formats)
{
  guint64 length = take_number (cursor, 8);
  const guint8 *bytes = take (cursor, length);
  PenTracepointFormat *format;

  /* One that is too long is left out, not those after it. */
  if (!bytes || length > MAX_FORMAT || formats->len >= MAX_FORMATS)
    return;

  format = g_new0 (PenTracepointFormat, 1);
  format->text = g_strndup ((const char *) bytes, (gsize) length);
  format->system = g_strdup (system);
  if (find_id (format->text, &format->id))
    g_ptr_array_add (formats, format);
  else
    format_free (format);
}

static void
take_systems (Cursor *cursor, GPtrArray *formats)
{
  guint64 n_systems = take_number (cursor, 4);

  for (guint64 i = 0; i < MIN (n_systems, MAX_SYSTEMS) && !cursor->failed; i++) {
    const char *system = take_string (cursor);
    guint64 n = take_number (cursor, 4);

    for (guint64 k = 0; k < n && !cursor->failed; k++)
      take_format (cursor, system, formats);
  }
}

PenTracingData *
pen_tracing_data_parse (GBytes *blob)
{
  g_autoptr (PenTracingData) self = g_new0 (PenTracingData, 1);
  Cursor cursor = { 0 };
  const guint8 *bytes;
  guint64 n;

  cursor.at = g_bytes_get_data (blob, &cursor.left);
  bytes = take (&cursor, 10);
  if (!bytes || memcmp (bytes, "\x17\x08\x44tracing", 10) != 0)
    return NULL;

  take_string (&cursor); /* version */
  self->big_endian = cursor.big_endian = take_number (&cursor, 1) != 0;
  self->long_size = (guint) take_number (&cursor, 1);
  take (&cursor, 4); /* page size */
  skip_section (&cursor, "header_page");
  skip_section (&cursor, "header_event");

  /* The tracer's own events, which perf does not record. */
  n = take_number (&cursor, 4);
  for (guint64 i = 0; i < n && !cursor.failed; i++)
    take (&cursor, take_number (&cursor, 8));
  if (cursor.failed || (self->long_size != 4 && self->long_size != 8))
    return NULL;

  self->formats = g_ptr_array_new_with_free_func (format_free);
  take_systems (&cursor, self->formats);
  return g_steal_pointer (&self);
}

void
pen_tracing_data_free (PenTracingData *self)
{
  if (!self)
    return;

  g_clear_pointer (&self->formats, g_ptr_array_unref);
  g_free (self);
}

const PenTracepointFormat *
pen_tracing_data_find (PenTracingData *self, guint64 id)
{
  for (guint i = 0; i < self->formats->len; i++) {
    const PenTracepointFormat *format = g_ptr_array_index (self->formats, i);

    if (format->id == id)
      return format;
  }
  return NULL;
}
