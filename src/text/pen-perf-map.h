/* pen-perf-map.h: names of code that a runtime made, without times: perf-PID.map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-kallsyms.h"

G_BEGIN_DECLS

/* Later lines are left out. */
#define PEN_PERF_MAP_MAX_LINES (4u << 20)

typedef struct _PenPerfMap PenPerfMap;

/* Is @path such a file's, by its name ("perf-4711.map")? @pid: (out): whose */
gboolean pen_perf_map_is_name (const char *path, gint32 *pid);

/*
 * pen_perf_map_load:
 * @path: opened only if it is a regular file
 * @cancellable: (nullable): where it is cancelled, the rest is left out
 *
 * Lines of start, length (hexadecimal) and name (tools/perf/Documentation/jit-interface.txt).
 * Others are passed over. The later of two lines for one place counts: runtimes append.
 *
 * Returns: (nullable): NULL where there is nothing to read
 */
PenPerfMap *pen_perf_map_load (const char *path, GCancellable *cancellable);
void pen_perf_map_free (PenPerfMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPerfMap, pen_perf_map_free)

const char *pen_perf_map_get_path (PenPerfMap *self);
/* @symbol: (out): its name is owned by @self */
gboolean pen_perf_map_find (PenPerfMap *self, guint64 address, PenSymbol *symbol);

G_END_DECLS
