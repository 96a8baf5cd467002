/* pen-json-stream.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-json-stream.h"

#include <inttypes.h>

#include "pen-display.h"

#define PIECE 65536u

void
pen_json_stream_init (PenJsonStream *self, GOutputStream *stream, GCancellable *cancellable)
{
  *self = (PenJsonStream){ stream, cancellable, g_string_sized_new (PIECE + 4096), TRUE, NULL };
}

void
pen_json_stream_clear (PenJsonStream *self)
{
  if (self->text)
    g_string_free (self->text, TRUE);
  self->text = NULL;
  g_clear_error (&self->error);
}

static void
flush (PenJsonStream *self)
{
  if (!self->error && !g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    g_output_stream_write_all (self->stream, self->text->str, self->text->len, NULL, NULL,
                               &self->error);
  g_string_truncate (self->text, 0);
}

/* Control characters are visible already. */
static void
append_quoted (GString *text, const char *bytes)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  pen_display_append (shown, bytes);
  g_string_append_c (text, '"');
  for (gsize i = 0; i < shown->len; i++) {
    if (shown->str[i] == '"' || shown->str[i] == '\\')
      g_string_append_c (text, '\\');
    g_string_append_c (text, shown->str[i]);
  }
  g_string_append_c (text, '"');
}

static void
begin_value (PenJsonStream *self, const char *key)
{
  if (self->text->len >= PIECE)
    flush (self);
  if (!self->is_first)
    g_string_append_c (self->text, ',');
  self->is_first = FALSE;
  if (key)
    g_string_append_printf (self->text, "\"%s\":", key);
}

void
pen_json_stream_begin (PenJsonStream *self, const char *key, char bracket)
{
  begin_value (self, key);
  g_string_append_c (self->text, bracket);
  self->is_first = TRUE;
}

void
pen_json_stream_end (PenJsonStream *self, char bracket)
{
  g_string_append_c (self->text, bracket);
  self->is_first = FALSE;
}

void
pen_json_stream_text (PenJsonStream *self, const char *key, const char *text)
{
  begin_value (self, key);
  append_quoted (self->text, text ? text : "");
}

void
pen_json_stream_number (PenJsonStream *self, const char *key, gint64 value)
{
  begin_value (self, key);
  g_string_append_printf (self->text, "%" PRId64, value);
}

void
pen_json_stream_unsigned (PenJsonStream *self, const char *key, guint64 value)
{
  begin_value (self, key);
  g_string_append_printf (self->text, "%" PRIu64, value);
}

void
pen_json_stream_milliseconds (PenJsonStream *self, const char *key, guint64 ns)
{
  begin_value (self, key);
  g_string_append_printf (self->text, "%" PRIu64 ".%06u", ns / 1000000, (guint) (ns % 1000000));
}

void
pen_json_stream_boolean (PenJsonStream *self, const char *key, gboolean value)
{
  begin_value (self, key);
  g_string_append (self->text, value ? "true" : "false");
}

void
pen_json_stream_null (PenJsonStream *self, const char *key)
{
  begin_value (self, key);
  g_string_append (self->text, "null");
}

void
pen_json_stream_repeat (PenJsonStream *self, const char *key, const char *literal, guint64 n)
{
  pen_json_stream_begin (self, key, '[');
  for (guint64 i = 0; i < n && !self->error; i++) {
    begin_value (self, NULL);
    g_string_append (self->text, literal);
  }
  pen_json_stream_end (self, ']');
}

gboolean
pen_json_stream_goes_on (PenJsonStream *self, GError **error)
{
  if (!self->error)
    return TRUE;
  if (error)
    *error = g_error_copy (self->error);
  return FALSE;
}

gboolean
pen_json_stream_finish (PenJsonStream *self, GError **error)
{
  flush (self);
  return pen_json_stream_goes_on (self, error);
}
