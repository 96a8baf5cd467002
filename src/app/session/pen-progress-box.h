/* pen-progress-box.h: how far an import is: told by its thread, read by the main loop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"

G_BEGIN_DECLS

typedef struct _PenProgressBox PenProgressBox;

/* µs before the first sketch of an import is made */
#define PEN_PROGRESS_BOX_PATIENCE (100 * G_TIME_SPAN_MILLISECOND)

/* @told: called in the main loop with @owner, until it is disowned */
PenProgressBox *pen_progress_box_new (GSourceFunc told, gpointer owner);
PenProgressBox *pen_progress_box_ref (PenProgressBox *self);
void pen_progress_box_unref (PenProgressBox *self);
/* In the main thread: nothing is called any more. */
void pen_progress_box_disown (PenProgressBox *self);

/* PenImportProgressFunc: @user_data is the box */
void pen_progress_box_put (const PenImportProgress *progress, gpointer user_data);
/* To be told with the next progress. */
void pen_progress_box_add_note (PenProgressBox *self, PenImportNote note);

void pen_progress_box_get_newest (PenProgressBox *self, PenImportProgress *progress);
/* All that were told: bit per PenImportNote */
guint32 pen_progress_box_get_notes (PenProgressBox *self);
/* Returns: (transfer full) (nullable) */
PenSketch *pen_progress_box_dup_sketch (PenProgressBox *self);

G_END_DECLS
