/* pen-cache-report.h: what the cache holds, and what became of a change to it, for the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cache.h"

G_BEGIN_DECLS

/*
 * PenCacheRequest: what to do before looking
 * @limit: bytes, or PEN_CACHE_NO_LIMIT: with @sets_limit, from now on and for what is there
 * @clears: removes all that is not in use
 */
typedef struct {
  gboolean sets_limit;
  guint64 limit;
  gboolean clears;
  char *removes; /* (nullable): the path of one import */
} PenCacheRequest;

/*
 * PenCacheReport:
 * @request: what was asked for
 * @entries: (element-type PenCacheEntry): used last comes first
 * @total: bytes, of all
 * @has_limit: @limit could be read
 * @trimmed: what was removed
 * @error: (nullable): the first thing that went wrong; what else is here holds all the same
 */
typedef struct {
  PenCacheRequest request;
  GPtrArray *entries;
  guint64 total;
  gboolean has_limit;
  guint64 limit;
  PenCacheTrimmed trimmed;
  GError *error;
} PenCacheReport;

void pen_cache_report_free (PenCacheReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCacheReport, pen_cache_report_free)

/* Works in a thread of its own. The default application lives until it is done: a limit that was
 * chosen just before the last window went is kept. The thread may let go of its task last, so the
 * task refers to nobody: a widget that waits is @user_data. */
void pen_cache_report_async (const PenCacheRequest *request, GAsyncReadyCallback callback,
                             gpointer user_data);
/* Returns: (transfer full): never NULL; errors are in it */
PenCacheReport *pen_cache_report_finish (GAsyncResult *result);

G_END_DECLS
