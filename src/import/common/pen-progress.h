/* pen-progress.h: how far an import is, and whether to go on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"

G_BEGIN_DECLS

typedef struct {
  PenImportFunc func; /* or NULL */
  gpointer user_data;
  GCancellable *cancellable; /* or NULL */
  PenImportProgress state;
  gint64 last; /* monotonic µs of the last call */
} PenProgress;

void pen_progress_init (PenProgress *self, PenImportFunc func, gpointer user_data,
                        GCancellable *cancellable);

/* A new stage: always told. @total: 0: not known */
gboolean pen_progress_start (PenProgress *self, PenImportStage stage, guint64 total,
                             GError **error);

/* Told at most every 50 ms. Returns: FALSE with G_IO_ERROR_CANCELLED. Cheap enough for every few
 * hundred records. */
gboolean pen_progress_step (PenProgress *self, guint64 done, GError **error);

/* The same, as a PenHistoryFunc: @data is a PenProgress. */
gboolean pen_progress_may_go_on (gpointer data);

G_END_DECLS
