/* pen-recording-view.h: what was recorded, how well, and what would do better
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* Needs the action win.show-code of its window. */
#define PEN_TYPE_RECORDING_VIEW (pen_recording_view_get_type ())
G_DECLARE_FINAL_TYPE (PenRecordingView, pen_recording_view, PEN, RECORDING_VIEW, AdwBin)

void pen_recording_view_set_session (PenRecordingView *self, PenSession *session);

G_END_DECLS
