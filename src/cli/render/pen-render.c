/* pen-render.c: the command render, in pentimento-render
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>

#include "pen-capture.h"
#include "pen-command-run.h"
#include "pen-format.h"
#include "pen-output.h"
#include "pen-picture.h"
#include "pen-query-resolve.h"

#define BUFFER (64u << 10)

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, message);
  return FALSE;
}

static gboolean
check (const PenArguments *arguments, PenPictureFormat *format, GError **error)
{
  g_autoptr (GError) wrong = NULL;

  if (!arguments->output || g_str_equal (arguments->output, "-"))
    return refuse (error, _ ("missing output: -o FILE.png, -o FILE.svg or -o FILE.pdf"));
  if (!pen_picture_format_from_name (arguments->output, format, &wrong)) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, "-o %s: %s", arguments->output,
                 wrong->message);
    return FALSE;
  }
  if (arguments->target && arguments->render.view != PEN_VIEW_ANNOTATION
      && arguments->render.view != PEN_VIEW_FLAME)
    return refuse (
        error, _ ("a symbol or address needs --view=annotation or --view=flame; to narrow other "
                  "pictures, use --symbol or --address"));
  if ((arguments->batch > 0 || arguments->before) && arguments->render.view != PEN_VIEW_FLAME)
    return refuse (error, _ ("--batch, --before and --after need --view=flame"));
  return TRUE;
}

static gboolean
find_function (PenQuery *query, const PenArguments *arguments, guint32 *function, GError **error)
{
  g_autoptr (GArray) found = NULL;

  *function = G_MAXUINT32;
  if (!arguments->target || arguments->render.view != PEN_VIEW_ANNOTATION)
    return TRUE;
  found = pen_query_find_functions (query, arguments->target, error);
  if (!found)
    return FALSE;
  *function = g_array_index (found, guint32, 0);
  return TRUE;
}

static gboolean
fill_flame (PenQuery *query, const PenArguments *arguments, PenFlameOptions *flame, GError **error)
{
  gboolean inverted = arguments->render.inverted;

  flame->grouping = arguments->grouping;
  flame->measure = arguments->measure;
  flame->order = inverted ? PEN_FLAME_INNERMOST : PEN_FLAME_OUTERMOST;
  if (!arguments->target || arguments->render.view != PEN_VIEW_FLAME)
    return TRUE;
  flame->order = inverted ? PEN_FLAME_CALLERS : PEN_FLAME_CALLEES;
  return pen_query_find_stack_place (query, arguments->target, &flame->place, error);
}

/* The same options as of the command stacks. */
static gboolean
find_stretches (PenQuery *query, const PenArguments *arguments, PenPictureOptions *options,
                GError **error)
{
  if (arguments->batch == 0 && !arguments->before)
    return TRUE;
  options->compares = TRUE;
  options->batch = arguments->batch;
  options->flame.least_share = arguments->least;
  return pen_command_find_windows (arguments, query, options->windows, error);
}

/* Cairo writes a PDF by words. */
static gboolean
write_picture (PenQuery *query, const PenPictureOptions *options, PenOutput *output,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (GOutputStream) stream
      = g_buffered_output_stream_new_sized (pen_output_get_stream (output), BUFFER);

  g_filter_output_stream_set_close_base_stream (G_FILTER_OUTPUT_STREAM (stream), FALSE);
  return pen_picture_write (query, options, stream, cancellable, error)
         && g_output_stream_flush (stream, cancellable, error);
}

static gboolean
render (const PenArguments *arguments, PenStore *store, PenPictureFormat format, GError **error)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (PenFilter) filter = pen_filter_copy (arguments->filter);
  g_autofree char *name = pen_format_capture (arguments->capture);
  g_autoptr (PenOutput) output = NULL;
  PenPictureOptions options = { .view = arguments->render.view,
                                .format = format,
                                .width = arguments->render.width,
                                .height = arguments->render.height,
                                .scale = arguments->render.scale,
                                .dark = arguments->render.dark,
                                .cpus = arguments->render.cpus,
                                .processes = arguments->render.processes,
                                .upwards = !arguments->render.icicle,
                                .syntax = arguments->syntax,
                                .capture = name,
                                .filter = filter };

  if (!pen_command_set_time (arguments, query, filter, error)
      || !pen_command_warn_of_filter (arguments, query, error)
      || !find_function (query, arguments, &options.function, error)
      || !fill_flame (query, arguments, &options.flame, error)
      || !find_stretches (query, arguments, &options, error))
    return FALSE;
  output = pen_output_new (arguments->output, arguments->capture, error);
  return output && write_picture (query, &options, output, arguments->cancellable, error)
         && pen_output_commit (output, error);
}

int
pen_render_run (const PenArguments *arguments, GError **error)
{
  PenPictureFormat format;
  g_autoptr (PenStore) store = NULL;

  if (!check (arguments, &format, error))
    return PEN_EXIT_USAGE;
  store = pen_capture_open (arguments, error);
  if (!store || !pen_capture_warn (arguments, store, error))
    return PEN_EXIT_FAILED;
  if (!pen_command_choose_population (arguments, &store, error)) {
    pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  if (!render (arguments, store, format, error)) {
    gboolean is_usage = error
                        && (g_error_matches (*error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE)
                            || g_error_matches (*error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_SIZE)
                            || g_error_matches (*error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE));

    if (!is_usage)
      pen_capture_name_in_error (arguments, error);
    return is_usage ? PEN_EXIT_USAGE : PEN_EXIT_FAILED;
  }
  return pen_command_judge (arguments, store, error);
}
