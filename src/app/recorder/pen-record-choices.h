/* pen-record-choices.h: what one can choose of a recording, and the command that makes it elsewhere
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-recorder-talk.h"

G_BEGIN_DECLS

/* (transfer full): in their order; the first duration is none */
GListModel *pen_record_choices_list_durations (void);
GListModel *pen_record_choices_list_rates (void);
/* @position: of one of these; seconds, samples per second */
guint pen_record_choices_get_duration (guint position);
guint pen_record_choices_get_rate (guint position);
/* The position of that one, or of the first. */
guint pen_record_choices_find_duration (guint seconds);
guint pen_record_choices_find_rate (guint rate);
/* perf's own rate */
#define PEN_RECORD_CHOICES_RATE 2u

/*
 * pen_record_choices_make_command:
 * @command: (array zero-terminated=1) (nullable): of PEN_RECORDER_COMMAND
 * @path: of the recording
 *
 * Returns: (transfer full): for a shell: perf, without what only this program adds; the recording
 * is the user's afterwards
 */
char *pen_record_choices_make_command (const PenRecorderRequest *request, char **command,
                                       const char *path);

/*
 * pen_record_choices_make_remote_command:
 * @command: as above
 * @viewer: that shows standard input
 *
 * Returns: (transfer full): for a shell: the stream of another machine, whose name is left out
 */
char *pen_record_choices_make_remote_command (const PenRecorderRequest *request, char **command,
                                              const char *viewer);

G_END_DECLS
