/* recorder-support.h: a person at the recorder, and a stand-in for pentimento-recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "window-support.h"

#include "pen-record-choices.h"
#include "pen-record-window.h"

G_BEGIN_DECLS

/* As window_support_main(), with the stand-in in place of the recorder. */
int recorder_support_main (int argc, char **argv, void (*add_tests) (void));

/* Of this run: the home folder, and what the stand-in needs. */
const char *recorder_support_get_directory (void);

/* What the stand-in does: see fake-recorder.py. Returns: TRUE */
gboolean recorder_support_set_role (const char *role);

/* From the menu, as for the first recording, or with what was chosen before. */
PenRecordWindow *recorder_support_open (PenWindow *window);
PenRecordWindow *recorder_support_open_next (PenWindow *window);

/* Waits until it is gone. */
void recorder_support_close (PenRecordWindow *recorder);

/* @id: in its template */
gpointer recorder_support_child (PenRecordWindow *recorder, const char *id);
void recorder_support_choose (PenRecordWindow *recorder, const char *id, guint position);
void recorder_support_type (PenRecordWindow *recorder, const char *id, const char *text);
const char *recorder_support_get_status (PenRecordWindow *recorder);

/* The button that begins, stops and cancels. */
const char *recorder_support_get_button (PenRecordWindow *recorder);
gboolean recorder_support_can_press (PenRecordWindow *recorder);
void recorder_support_press (PenRecordWindow *recorder);

gboolean recorder_support_is_at (PenRecordWindow *recorder, PenRecordingStage stage);

G_END_DECLS
