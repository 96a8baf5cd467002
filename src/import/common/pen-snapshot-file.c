/* pen-snapshot-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-snapshot-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)
/* A percentage is kept in millionths. */
#define WHOLE G_GUINT64_CONSTANT (100000000)

void
pen_snapshot_file_free (PenSnapshotFile *self)
{
  g_free (self->path);
  g_free (self);
}

/* Decimal, with up to @places digits after the point. Returns: what follows, or NULL */
static const char *
parse_number (const char *text, guint64 scale, guint64 *number)
{
  const char *p = text;
  guint64 value = 0;

  if (!g_ascii_isdigit (*p))
    return NULL;
  for (; g_ascii_isdigit (*p); p++)
    if (!g_uint64_checked_mul (&value, value, 10)
        || !g_uint64_checked_add (&value, value, (guint64) (*p - '0')))
      return NULL;
  if (!g_uint64_checked_mul (&value, value, scale))
    return NULL;
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p); p++) {
      scale /= 10;
      if (!g_uint64_checked_add (&value, value, scale * (guint64) (*p - '0')))
        return NULL;
    }
  *number = value;
  return p;
}

static gboolean
parse_date (PenSnapshotFile *self, const char *word)
{
  const char *end;

  if (g_str_equal (word, "start") || g_str_equal (word, "end")) {
    self->date = *word == 's' ? PEN_SNAPSHOT_START : PEN_SNAPSHOT_END;
    return TRUE;
  }
  end = parse_number (word, WHOLE / 100, &self->time);
  if (end && g_str_equal (end, "%") && self->time <= WHOLE) {
    self->date = PEN_SNAPSHOT_PORTION;
    return TRUE;
  }
  end = parse_number (word, NS_PER_SECOND, &self->time);
  self->date = PEN_SNAPSHOT_TIME;
  return end && (*end == '\0' || g_str_equal (end, "s"));
}

PenSnapshotFile *
pen_snapshot_file_parse (const char *word, GError **error)
{
  g_autoptr (PenSnapshotFile) self = g_new0 (PenSnapshotFile, 1);
  const char *at = strrchr (word, '@');

  if (!at || at == word || g_file_test (word, G_FILE_TEST_EXISTS)) {
    self->path = g_strdup (word);
    return g_steal_pointer (&self);
  }

  self->path = g_strndup (word, (gsize) (at - word));
  if (parse_date (self, at + 1))
    return g_steal_pointer (&self);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("“%s”: “%s” is not a time. Use FILE@TIME with seconds (4.81), a percentage "
                  "(50%%), start or end."),
               word, at + 1);
  return NULL;
}

guint64
pen_snapshot_file_get_time (const PenSnapshotFile *self, guint64 first, guint64 last)
{
  guint64 length = MAX (first, last) - first;

  switch (self->date) {
  case PEN_SNAPSHOT_START:
    return first;
  case PEN_SNAPSHOT_TIME:
    return CLAMP (self->time, first, first + length);
  case PEN_SNAPSHOT_PORTION:
    return first + length / WHOLE * self->time + length % WHOLE * self->time / WHOLE;
  case PEN_SNAPSHOT_UNDATED:
  case PEN_SNAPSHOT_END:
  default:
    return first + length;
  }
}
