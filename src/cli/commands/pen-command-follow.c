/* pen-command-follow.c: --follow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pen-capture.h"
#include "pen-follow.h"
#include "pen-progress-line.h"

/* Of terminals that do not say. */
#define DEFAULT_HEIGHT 24u
/* ECMA-48: to the first line, and all below it is erased; lines that are too long end at the
 * margin, or go on in the next one. */
#define TO_START "\033[H\033[J"
#define CUT_LINES "\033[?7l"
#define WRAP_LINES "\033[?7h"
#define NS_PER_SECOND 1e9

static guint
get_height (void)
{
  struct winsize size;

  return ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2 ? size.ws_row
                                                                          : DEFAULT_HEIGHT;
}

static void
print_state (const PenArguments *arguments, PenQuery *query)
{
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  gint64 samples = pen_store_get_fact_int (pen_query_get_store (query), "samples", 0);
  guint64 first = 0;
  guint64 last = 0;

  pen_query_get_time_range (query, &first, &last);
  printf (ngettext ("%s: recording, %.1f s, %" PRId64 " sample; Ctrl-C ends this view\n",
                    "%s: recording, %.1f s, %" PRId64 " samples; Ctrl-C ends this view\n", samples),
          name, (double) (last - first) / NS_PER_SECOND, samples);
}

/* As many lines as there is room for. */
static void
print_lines (const char *text, guint n)
{
  for (; *text && n > 0; n--) {
    const char *end = strchrnul (text, '\n');

    fwrite (text, 1, (gsize) (end - text), stdout);
    if (*end && n > 1)
      putchar ('\n');
    text = *end ? end + 1 : end;
  }
}

/* A part may not have yet what is asked for: that is shown in place of the table. */
static char *
make_table (const PenArguments *arguments, PenQuery *query, PenCommandTableFunc func,
            GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (arguments->filter);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_command_new_writer (arguments, stream, TRUE);

  pen_table_writer_set_colour (writer, pen_command_wants_colour ());
  if (!pen_command_set_time (arguments, query, filter, error)
      || !func (query, filter, arguments, writer, error)
      || !g_output_stream_write_all (stream, "", 1, NULL, NULL, error)
      || !g_output_stream_close (stream, NULL, error))
    return NULL;
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
show (const PenArguments *arguments, PenStore *samples, PenCommandTableFunc func)
{
  PenStore *store = g_object_ref (samples);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenQuery) query = NULL;
  g_autofree char *table = NULL;

  pen_store_set_cancellable (store, arguments->cancellable);
  if (pen_command_choose_population (arguments, &store, &error)) {
    query = pen_query_new (store);
    table = make_table (arguments, query, func, &error);
  }
  g_clear_object (&store);
  if (g_cancellable_is_cancelled (arguments->cancellable))
    return;

  fputs (TO_START CUT_LINES, stdout);
  if (query)
    print_state (arguments, query);
  if (table) {
    print_lines (table, get_height () - 2);
  } else {
    g_autofree char *shown = pen_display_text (error->message);

    puts (shown);
  }
  fputs (WRAP_LINES, stdout);
  fflush (stdout);
}

/* The whole table comes after it, as if nothing had been shown. */
static void
end_screen (void)
{
  fputs (TO_START, stdout);
  fflush (stdout);
}

static PenStore *
follow (const PenArguments *arguments, PenFollow *parts, PenCommandTableFunc func,
        PenProgressLine *progress, GError **error)
{
  gboolean has_shown = FALSE;
  gboolean is_last = FALSE;
  PenStore *store;

  while ((store = pen_follow_next (parts, pen_progress_line_show, progress, &is_last,
                                   arguments->cancellable, error))
         && !is_last) {
    if (func) {
      show (arguments, store, func);
      has_shown = TRUE;
    }
    g_object_unref (store);
  }
  if (store && has_shown)
    end_screen ();
  if (!store && has_shown && g_cancellable_is_cancelled (arguments->cancellable)) {
    putchar ('\n');
    g_clear_error (error);
  }
  return store;
}

PenStore *
pen_command_follow (const PenArguments *arguments, PenCommandTableFunc func, GError **error)
{
  const PenSources sources = pen_capture_get_sources (arguments);
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  gboolean has_screen
      = !arguments->output && arguments->format == PEN_FORMAT_TABLE && isatty (STDOUT_FILENO) == 1;
  g_autoptr (PenFollow) parts = NULL;
  PenProgressLine progress;
  PenStore *store = NULL;

  if (!pen_capture_check_output (arguments, error))
    return NULL;
  pen_progress_line_begin (&progress, name);
  parts = pen_follow_new (arguments->capture, &sources, error);
  if (parts)
    store = follow (arguments, parts, has_screen ? func : NULL, &progress, error);
  pen_progress_line_end (&progress);
  if (store)
    pen_store_set_cancellable (store, arguments->cancellable);
  else if (error && *error)
    pen_capture_name_in_error (arguments, error);
  return store;
}
