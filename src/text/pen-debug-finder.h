/* pen-debug-finder.h: which file has the debug information of another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-debuginfod.h"

G_BEGIN_DECLS

typedef struct _PenDebugFinder PenDebugFinder;

/*
 * PenDebugWanted:
 * @name: as recorded: a path, or "[module]"
 * @release: (nullable): of the kernel, where it is the kernel's own that is wanted
 * @known: (nullable): path of a file of it that is at hand, with debug information or not
 * @build_id, @length: 0: not recorded; then @known, and what it names, is all that counts
 */
typedef struct {
  const char *name;
  const char *release;
  const char *known;
  const guint8 *build_id;
  guint length;
} PenDebugWanted;

/* @symfs, @debuginfod: (nullable): as for pen_symbol_finder_new() */
PenDebugFinder *pen_debug_finder_new (const char *symfs, PenDebuginfod *debuginfod,
                                      GCancellable *cancellable);
void pen_debug_finder_free (PenDebugFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDebugFinder, pen_debug_finder_free)

/*
 * pen_debug_finder_find:
 * @found: (out): how: "given", "perf's cache", "debug directory", "path", "debug link",
 * "debuginfod"
 * @is_fetched: (out): whether it is the last of these
 *
 * Looks into @known itself; into perf's cache and /usr/lib/debug by build-id; at the names that
 * distributions give to debug files of kernels and modules; where .gnu_debuglink of @known points;
 * and asks debuginfod. A file counts if it has the build-id, or is named by @known with its
 * checksum.
 *
 * Returns: (transfer full) (nullable): the path of an ELF file with lines
 */
char *pen_debug_finder_find (PenDebugFinder *self, const PenDebugWanted *wanted, const char **found,
                             gboolean *is_fetched);

/* Where nothing was, of all that was not found: (element-type utf8), owned by @self. A file that
 * is put there later may be wanted. */
GPtrArray *pen_debug_finder_get_absent (PenDebugFinder *self);

G_END_DECLS
