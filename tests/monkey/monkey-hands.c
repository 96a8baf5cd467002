/* monkey-hands.c: a real pointer and real keys, of an xdotool that reads commands
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-hands.h"

#include <gdk/gdk.h>

struct _MonkeyHands {
  GSubprocess *process;
  GDataInputStream *answers;
  GString *commands;
  GSourceFunc done;
  gpointer data;
};

MonkeyHands *
monkey_hands_new (GError **error)
{
  GSubprocess *process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, error, "xdotool", "-", NULL);
  MonkeyHands *self;

  if (!process)
    return NULL;
  self = g_new0 (MonkeyHands, 1);
  self->process = process;
  self->answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  self->commands = g_string_new (NULL);
  return self;
}

void
monkey_hands_add (MonkeyHands *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (self->commands, format, arguments);
  va_end (arguments);
  g_string_append_c (self->commands, '\n');
}

void
monkey_hands_add_text (MonkeyHands *self, const char *text)
{
  GString *keys = g_string_new ("key --delay 3");

  for (const char *at = text; *at; at = g_utf8_next_char (at))
    g_string_append_printf (keys, " %s",
                            gdk_keyval_name (gdk_unicode_to_keyval (g_utf8_get_char (at))));
  monkey_hands_add (self, "%s", keys->str);
  g_string_free (keys, TRUE);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  MonkeyHands *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *line
      = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, &error);

  if (!line)
    g_error ("xdotool ended: %s", error ? error->message : "no more answers");
  self->done (self->data);
}

/* The size of the screen is asked for last: with the answer, all before is done. It needs no
 * window, which might be gone by then. */
void
monkey_hands_do (MonkeyHands *self, GSourceFunc done, gpointer data)
{
  g_autoptr (GError) error = NULL;

  self->done = done;
  self->data = data;
  g_string_append (self->commands, "getdisplaygeometry\n");
  if (!g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), self->commands->str,
                                  self->commands->len, NULL, NULL, &error)
      || !g_output_stream_flush (g_subprocess_get_stdin_pipe (self->process), NULL, &error))
    g_error ("xdotool ended: %s", error->message);
  g_string_truncate (self->commands, 0);
  g_data_input_stream_read_line_async (self->answers, G_PRIORITY_DEFAULT, NULL, on_answer, self);
}
