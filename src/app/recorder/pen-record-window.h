/* pen-record-window.h: makes recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-recorder-client.h"

G_BEGIN_DECLS

#define PEN_TYPE_RECORD_WINDOW (pen_record_window_get_type ())
/* PenRecordWindow: signal "recorded" (path): there is a recording, which may still grow; once more
 * when it is complete. A window that is closed while it records ends the recording, and closes when
 * that is made. */
G_DECLARE_FINAL_TYPE (PenRecordWindow, pen_record_window, PEN, RECORD_WINDOW, AdwWindow)

/* @is_sandboxed: nothing can be recorded here: shows the command to run, and waits for what it
 * makes
 */
PenRecordWindow *pen_record_window_new (GtkApplication *application, gboolean is_sandboxed);

/* Returns: (nullable): the recording that is made, or was */
PenRecorderClient *pen_record_window_get_client (PenRecordWindow *self);

G_END_DECLS
