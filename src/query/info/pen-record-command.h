/* pen-record-command.h: what a recorded command line says about how to record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenRecordCommand: a command line of perf record, which anyone may have written
 * @options: (element-type utf8): those that are known, each with its value, if it may have that:
 *   an event is no program to be loaded, a value has no character that does something
 * @buffers: index of the option for the size of buffers, or -1
 * @has_file: it names a file for the recording
 * @program: what is recorded: NULL: nothing is said; "sleep 1"; "COMMAND" for anything else
 * @has_tasks: single ones are recorded
 * @is_pipe: the recording goes to standard output
 * @is_ours: pentimento-cli record ran it, which adds some of the options by itself
 */
typedef struct {
  GPtrArray *options;
  int buffers;
  gboolean has_file;
  char *program;
  gboolean has_all_cpus;
  gboolean has_kcore;
  gboolean has_tasks;
  gboolean has_times;
  gboolean is_pipe;
  gboolean is_ours;
} PenRecordCommand;

/*
 * pen_record_command_parse:
 * @command_line: (nullable): quoted for a shell
 *
 * Returns: (transfer full): NULL: that is no command of perf record
 */
PenRecordCommand *pen_record_command_parse (const char *command_line);
void pen_record_command_free (PenRecordCommand *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecordCommand, pen_record_command_free)

/* Appends the options, but for that of buffers @without_buffers, and placeholders; of ours, what
 * was given to it. */
void pen_record_command_append (const PenRecordCommand *self, gboolean without_buffers,
                                GString *command);

G_END_DECLS
