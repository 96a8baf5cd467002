/* pen-command-answers.c: what each command asks of the store, by its arguments
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-answers.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

#include "pen-capture.h"
#include "pen-command-run.h"
#include "pen-display.h"
#include "pen-notes-place.h"
#include "pen-profile-writer.h"
#include "pen-query-annotation.h"
#include "pen-query-buckets.h"
#include "pen-query-causes.h"
#include "pen-query-cost.h"
#include "pen-query-changes.h"
#include "pen-query-find.h"
#include "pen-query-flame-diff.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-info.h"
#include "pen-query-instants.h"
#include "pen-query-occupants.h"
#include "pen-query-resolve.h"
#include "pen-query-text.h"
#include "pen-query-compare.h"
#include "pen-query-verdict.h"
#include "pen-query-misattribution.h"
#include "pen-query-notes.h"
#include "pen-query-witness.h"
#include "pen-work-line.h"

gboolean
pen_answer_info (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED,
                 const PenArguments *arguments G_GNUC_UNUSED, PenTableWriter *writer,
                 GError **error)
{
  return pen_query_write_info (query, writer, error);
}

gboolean
pen_answer_samples (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                    PenTableWriter *writer, GError **error)
{
  return pen_query_write_wide_samples (query, filter, arguments->more, writer, error);
}

gboolean
pen_answer_witness (PenQuery *query, const PenFilter *filter,
                    const PenArguments *arguments G_GNUC_UNUSED, PenTableWriter *writer,
                    GError **error)
{
  return pen_query_write_witness (query, filter, writer, error);
}

gboolean
pen_answer_changes (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                    PenTableWriter *writer, GError **error)
{
  return arguments->has_batches ? pen_query_write_batched_changes (query, filter, writer, error)
                                : pen_query_write_changes (query, filter, writer, error);
}

gboolean
pen_answer_causes (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                   PenTableWriter *writer, GError **error)
{
  const PenCauseOrder order = { .grouping = arguments->by };

  return pen_query_write_causes (query, filter, &order, writer, error);
}

gboolean
pen_answer_cost (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                 PenTableWriter *writer, GError **error)
{
  return pen_query_write_cost (query, filter, arguments->cost_by, writer, error);
}

gboolean
pen_answer_occupants (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                      PenTableWriter *writer, GError **error)
{
  return arguments->has_programs ? pen_query_write_programs (query, filter, writer, error)
                                 : pen_query_write_occupants (query, filter, writer, error);
}

gboolean
pen_answer_functions (PenQuery *query, const PenFilter *filter,
                      const PenArguments *arguments G_GNUC_UNUSED, PenTableWriter *writer,
                      GError **error)
{
  return pen_query_write_functions (query, filter, writer, error);
}

gboolean
pen_answer_buckets (PenQuery *query, const PenFilter *filter,
                    const PenArguments *arguments G_GNUC_UNUSED, PenTableWriter *writer,
                    GError **error)
{
  return pen_query_write_buckets (query, filter, writer, error);
}

gboolean
pen_answer_annotation (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                       PenTableWriter *writer, GError **error)
{
  return pen_query_write_annotation_at (query, filter, arguments->target,
                                        arguments->at ? arguments->at[0] : NULL,
                                        arguments->all_loads, arguments->syntax, writer, error);
}

gboolean
pen_answer_history (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                    PenTableWriter *writer, GError **error)
{
  return pen_query_write_history_with_band (query, filter, arguments->target, arguments->syntax,
                                            arguments->band, writer, error);
}

static gboolean
write_text (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
            PenTableWriter *writer, GError **error)
{
  if (arguments->at[1])
    return pen_query_write_instants (query, filter, arguments->target, arguments->length,
                                     arguments->at, arguments->syntax, arguments->all_lines, writer,
                                     error);
  return pen_query_write_text (query, arguments->target, arguments->length, arguments->at[0],
                               arguments->syntax, writer, error);
}

static gboolean
write_bytes (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED, const PenArguments *arguments,
             GOutputStream *stream, GError **error)
{
  return pen_query_write_bytes (query, arguments->target, arguments->length, arguments->at[0],
                                stream, error);
}

int
pen_answer_text (const PenArguments *arguments, GError **error)
{
  if (arguments->is_raw)
    return pen_command_write_bytes (arguments, write_bytes, error);
  return pen_command_write_table (arguments, write_text, error);
}

/* Call paths before and after a batch, or of two time ranges. */
static gboolean
write_compared_stacks (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                       PenTableWriter *writer, GError **error)
{
  const PenFlameOptions options
      = { .grouping = arguments->grouping, .least_share = arguments->least };
  PenFlameWindow windows[2];

  if (!pen_command_find_windows (arguments, query, windows, error))
    return FALSE;
  return pen_query_write_flame_diff (query, filter, &options, windows, writer, error);
}

static gboolean
write_stacks (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
              PenTableWriter *writer, GError **error)
{
  if (arguments->batch > 0 || arguments->before)
    return write_compared_stacks (query, filter, arguments, writer, error);
  return pen_query_write_stacks (query, filter, arguments->grouping, arguments->measure,
                                 arguments->suffixes, writer, error);
}

static gboolean
write_folded (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
              GOutputStream *stream, GError **error)
{
  return pen_query_write_folded (query, filter, arguments->grouping, arguments->measure,
                                 arguments->suffixes, stream, error);
}

int
pen_answer_stacks (const PenArguments *arguments, GError **error)
{
  return arguments->is_folded ? pen_command_write_text (arguments, write_folded, error)
                              : pen_command_write_table (arguments, write_stacks, error);
}

static gboolean
write_profile (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
               GOutputStream *stream, GError **error)
{
  const PenProfileOptions options = {
    .format = arguments->profile,
    .filter = filter,
    .grouping = arguments->grouping,
    .measure = arguments->measure,
    .suffixes = arguments->has_suffixes ? (guint) arguments->suffixes
                                        : pen_profile_format_get_suffixes (arguments->profile),
  };
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_auto (PenWorkLine) line = { 0 };

  pen_work_line_begin (&line, name, !arguments->output && isatty (STDOUT_FILENO) == 1);
  return pen_profile_write (query, &options, stream, NULL, error);
}

int
pen_answer_export (const PenArguments *arguments, GError **error)
{
  if (arguments->fleet || arguments->prints_clickhouse)
    return pen_command_fleet (arguments, error);

  gboolean is_text
      = arguments->profile == PEN_PROFILE_FOLDED || arguments->profile == PEN_PROFILE_SPEEDSCOPE;

  return is_text ? pen_command_write_text (arguments, write_profile, error)
                 : pen_command_write_bytes (arguments, write_profile, error);
}

static gboolean
write_neighbours (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                  PenStackSide side, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenFilter) narrowed = pen_filter_copy (filter);
  PenStackPlace place;
  PenMoment moment;
  guint64 from, to;

  if (!pen_query_find_stack_place (query, arguments->target, &place, error))
    return FALSE;
  if (arguments->at
      && (!pen_query_parse_moment (query, arguments->at[0], &moment, error)
          || !pen_query_select_stack_text (query, &place, moment, narrowed, &from, &to, error)))
    return FALSE;
  if (arguments->revision >= 0) {
    place.parts |= PEN_STACK_PLACE_REVISION;
    place.revision = (guint32) arguments->revision;
  }
  return pen_query_write_neighbours_of (query, narrowed, &place, side, arguments->grouping,
                                        arguments->measure, arguments->has_versions, writer, error);
}

gboolean
pen_answer_callers (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                    PenTableWriter *writer, GError **error)
{
  return write_neighbours (query, filter, arguments, PEN_STACK_CALLERS, writer, error);
}

gboolean
pen_answer_callees (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                    PenTableWriter *writer, GError **error)
{
  return write_neighbours (query, filter, arguments, PEN_STACK_CALLEES, writer, error);
}

/* The pasted trace. A longer one is cut where it is read. */
static char *
read_standard_input (GError **error)
{
  GString *text = g_string_new (NULL);
  char piece[4096];
  gsize n;

  while (text->len < PEN_FIND_TEXT_MAX && (n = fread (piece, 1, sizeof piece, stdin)) > 0)
    g_string_append_len (text, piece, (gssize) n);
  if (ferror (stdin)) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                         _ ("standard input cannot be read"));
    g_string_free (text, TRUE);
    return NULL;
  }
  return g_string_free (text, FALSE);
}

gboolean
pen_answer_found (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED,
                  const PenArguments *arguments, PenTableWriter *writer, GError **error)
{
  gboolean is_piped = !arguments->target || g_str_equal (arguments->target, "-");
  g_autofree char *text = is_piped ? read_standard_input (error) : g_strdup (arguments->target);

  return text
         && pen_query_write_found (query, text, arguments->at ? arguments->at[0] : NULL, writer,
                                   error);
}

gboolean
pen_answer_comparison (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                       PenTableWriter *writer, GError **error)
{
  if (arguments->has_phases)
    return pen_query_write_phases (query, filter, arguments->target, writer, error);
  return pen_query_write_comparison (query, filter, arguments->target, arguments->change, writer,
                                     error);
}

gboolean
pen_answer_misattribution (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                           PenTableWriter *writer, GError **error)
{
  if (!pen_query_knows_patches (query)) {
    g_autofree char *name = pen_capture_display_name (arguments->capture);

    /* Translators: %s is a file name; “pentimento-cli info” is a command and stays as it is. */
    fprintf (stderr,
             _ ("pentimento-cli: %s: text pokes were not recorded, so patched functions are "
                "unknown; “pentimento-cli info” shows how to record them\n"),
             name);
  }
  return pen_query_write_misattribution (query, filter, writer, error);
}

gboolean
pen_answer_notes (PenQuery *query, const PenFilter *filter G_GNUC_UNUSED,
                  const PenArguments *arguments, PenTableWriter *writer, GError **error)
{
  g_autofree char *place = pen_notes_find_place (pen_query_get_store (query), arguments->capture);

  return pen_query_write_notes (query, place, writer, error);
}
