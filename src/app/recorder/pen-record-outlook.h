/* pen-record-outlook.h: what a recording would be without, before it is made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-recorder-talk.h"

G_BEGIN_DECLS

/* Looks at this machine in a thread: runs perf --version, reads /proc. */
void pen_record_outlook_probe_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
/* Returns: (transfer full): or NULL: cancelled */
PenRecordProbe *pen_record_outlook_probe_finish (GAsyncResult *result, GError **error);

/*
 * pen_record_outlook_list:
 * @probe: of this process
 * @as_administrator: what root may do is not missing, as far as it can be known
 *
 * Returns: (transfer full) (element-type PenRecordLack): or NULL with a PenRecordError: nothing can
 *   be recorded
 */
GPtrArray *pen_record_outlook_list (const PenRecordProbe *probe, const PenRecorderRequest *request,
                                    gboolean as_administrator, GError **error);

G_END_DECLS
