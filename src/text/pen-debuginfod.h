/* pen-debuginfod.h: files by build-id, from the servers that DEBUGINFOD_URLS names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenDebuginfod: requests reveal to a server which programs ran on a machine: one is made only if
 * the user allowed it. libdebuginfod is loaded with the first request.
 */
typedef struct _PenDebuginfod PenDebuginfod;

typedef enum {
  PEN_DEBUGINFOD_EXECUTABLE,
  PEN_DEBUGINFOD_DEBUGINFO,
} PenDebuginfodKind;

/* @cancellable: (nullable): ends a transfer at once */
PenDebuginfod *pen_debuginfod_new (GCancellable *cancellable);
void pen_debuginfod_free (PenDebuginfod *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDebuginfod, pen_debuginfod_free)

/*
 * pen_debuginfod_find:
 *
 * Blocks: run it in a thread, or in several, which then wait for one another. A file takes five
 * minutes at most and 2 GiB; all of them together fifteen minutes. When no server answers, none is
 * asked again.
 *
 * Returns: (nullable) (transfer full): the path of a file in libdebuginfod's own cache, whose
 *   content is still to be checked; NULL: see pen_debuginfod_get_problem()
 */
char *pen_debuginfod_find (PenDebuginfod *self, const guint8 *build_id, guint length,
                           PenDebuginfodKind kind);

/* Returns: (nullable): why nothing is found (see pen-reason.h), other than that the servers have no
 * such file; owned by @self. Call it when no thread asks any more */
const char *pen_debuginfod_get_problem (PenDebuginfod *self);

G_END_DECLS
