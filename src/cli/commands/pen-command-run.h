/* pen-command-run.h: a command from its parsed arguments to its output
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"
#include "pen-output.h"
#include "pen-query-flame-diff.h"

G_BEGIN_DECLS

/* Writes output that is no table. */
typedef gboolean (*PenCommandStreamFunc) (PenQuery *query, const PenFilter *filter,
                                          const PenArguments *arguments, GOutputStream *stream,
                                          GError **error);

/* Opens the recording, gives its query to @func, and writes the output.
 * Returns: an exit status */
int pen_command_write_table (const PenArguments *arguments, PenCommandTableFunc func,
                             GError **error);
/* Raw bytes: not to a terminal. */
int pen_command_write_bytes (const PenArguments *arguments, PenCommandStreamFunc func,
                             GError **error);
/* Text that is fit for a terminal. */
int pen_command_write_text (const PenArguments *arguments, PenCommandStreamFunc func,
                            GError **error);

/* Tables for a database, of several recordings, or the SQL that makes them.
 * Returns: an exit status */
int pen_command_fleet (const PenArguments *arguments, GError **error);

/* A writer in the format of @arguments, without columns; one for a terminal does nothing to it. */
PenTableWriter *pen_command_new_writer (const PenArguments *arguments, GOutputStream *stream,
                                        gboolean is_terminal);
/* The same for @output, in colours where it is a terminal that wants them. */
PenTableWriter *pen_command_open_writer (const PenArguments *arguments, PenOutput *output);
/* Whether a terminal may be written to in colours. */
gboolean pen_command_wants_colour (void);

/*
 * pen_command_follow:
 * @func: (nullable): writes the table; NULL: nothing is shown meanwhile
 *
 * Shows the table of a recording that is being made on the terminal, if standard output is one, as
 * far as it has room; waits for the end.
 *
 * Returns: (transfer full): the store of all; NULL with @error, or without: it was interrupted by
 *   whoever looked at the terminal
 */
PenStore *pen_command_follow (const PenArguments *arguments, PenCommandTableFunc func,
                              GError **error);

/* @store: (inout): of samples: of waits afterwards, where the command line asks for these */
gboolean pen_command_choose_population (const PenArguments *arguments, PenStore **store,
                                        GError **error);

/* Sets the filter's time, which needs the recording's time range. */
gboolean pen_command_set_time (const PenArguments *arguments, PenQuery *query, PenFilter *filter,
                               GError **error);

/* The time ranges that --batch, or --before and --after, compare. */
gboolean pen_command_find_windows (const PenArguments *arguments, PenQuery *query,
                                   PenFlameWindow windows[2], GError **error);

/* Whether the command line is why it failed: the exit status is then PEN_EXIT_USAGE. */
gboolean pen_command_is_usage (GError **error);

/* Prints on stderr which values of the filter do not occur in the recording: they make the output
 * shorter or empty. */
gboolean pen_command_warn_of_filter (const PenArguments *arguments, PenQuery *query,
                                     GError **error);

/* --strict: PEN_EXIT_STRICT, with a message on stderr, if records were repaired, set aside or
 * lost. */
int pen_command_judge (const PenArguments *arguments, PenStore *store, GError **error);

/* The commands that have a file of their own. */
int pen_command_cache (const PenArguments *arguments, GError **error);
int pen_command_compare (const PenArguments *arguments, GError **error);
int pen_command_import (const PenArguments *arguments, GError **error);
int pen_command_verify (const PenArguments *arguments, GError **error);
int pen_command_record (const PenArguments *arguments, GError **error);
int pen_command_watch (const PenArguments *arguments, GError **error);
int pen_command_sanitize (const PenArguments *arguments, GError **error);
int pen_command_sql (const PenArguments *arguments, GError **error);

G_END_DECLS
