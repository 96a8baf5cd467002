/* pen-record-kept.h: what was chosen for the last recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record-choices.h"

G_BEGIN_DECLS

/*
 * Kept are choices that mean the same the next time: keys record.target, record.event,
 * record.chains, record.witness, record.rate (Hz), record.seconds and record.administrator of
 * PenLayout, as numbers. A process and a command are chosen anew.
 */

/* Main thread. */
void pen_record_kept_set (const PenRecorderRequest *request, gboolean as_administrator);

/*
 * pen_record_kept_get:
 * @request: (inout): what was not kept, or cannot be chosen, stays as it is
 * @as_administrator: (inout): the same
 *
 * Main thread. Nothing is known before PenLayout is "loaded".
 */
void pen_record_kept_get (PenRecorderRequest *request, gboolean *as_administrator);

G_END_DECLS
