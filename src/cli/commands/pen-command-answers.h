/* pen-command-answers.h: what each command asks of the store, by its arguments
 *
 * Each writes the table of its command: QUERY is the opened capture, FILTER holds for all rows.
 * Each returns FALSE with ERROR set, of the query's or the writer's domain, or of
 * PEN_COMMAND_ERROR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command-run.h"

gboolean pen_answer_info (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                          PenTableWriter *writer, GError **error);
gboolean pen_answer_samples (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
gboolean pen_answer_witness (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
gboolean pen_answer_changes (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
gboolean pen_answer_causes (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                            PenTableWriter *writer, GError **error);
gboolean pen_answer_cost (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                          PenTableWriter *writer, GError **error);
gboolean pen_answer_occupants (PenQuery *query, const PenFilter *filter,
                               const PenArguments *arguments, PenTableWriter *writer,
                               GError **error);
gboolean pen_answer_functions (PenQuery *query, const PenFilter *filter,
                               const PenArguments *arguments, PenTableWriter *writer,
                               GError **error);
gboolean pen_answer_buckets (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
gboolean pen_answer_annotation (PenQuery *query, const PenFilter *filter,
                                const PenArguments *arguments, PenTableWriter *writer,
                                GError **error);
gboolean pen_answer_history (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
/* Writes a table, or the form that the arguments ask for; returns an exit status. */
int pen_answer_text (const PenArguments *arguments, GError **error);
/* Writes a table, or the form that the arguments ask for; returns an exit status. */
int pen_answer_stacks (const PenArguments *arguments, GError **error);
/* Writes a file of another program; returns an exit status. */
int pen_answer_export (const PenArguments *arguments, GError **error);
gboolean pen_answer_callers (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
gboolean pen_answer_callees (PenQuery *query, const PenFilter *filter,
                             const PenArguments *arguments, PenTableWriter *writer, GError **error);
gboolean pen_answer_found (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                           PenTableWriter *writer, GError **error);
gboolean pen_answer_comparison (PenQuery *query, const PenFilter *filter,
                                const PenArguments *arguments, PenTableWriter *writer,
                                GError **error);
gboolean pen_answer_misattribution (PenQuery *query, const PenFilter *filter,
                                    const PenArguments *arguments, PenTableWriter *writer,
                                    GError **error);
gboolean pen_answer_notes (PenQuery *query, const PenFilter *filter, const PenArguments *arguments,
                           PenTableWriter *writer, GError **error);
