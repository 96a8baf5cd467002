/* pen-kernel-finder.h: which file is the recorded kernel's, or a module's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-debuginfod.h"
#include "pen-kernel-file.h"

G_BEGIN_DECLS

/* A file that was looked at and is another one's. */
typedef struct {
  char *path;
  char *reason; /* for pen_reason_describe() */
} PenRefusedFile;

typedef struct _PenKernelFinder PenKernelFinder;

/*
 * pen_kernel_finder_new:
 * @symfs: (nullable): see pen_file_roots_new()
 * @release: (nullable): of the recorded kernel ("6.1.0-56-cloud-amd64")
 * @debuginfod: (nullable): asked when nothing is found; outlives the finder
 *
 * Only files whose build-id is the recorded one are found: in perf's cache, by build-id in
 * /usr/lib/debug, and under the names that kernels and modules of @release have.
 */
PenKernelFinder *pen_kernel_finder_new (const char *symfs, const char *release,
                                        PenDebuginfod *debuginfod);
void pen_kernel_finder_free (PenKernelFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKernelFinder, pen_kernel_finder_free)

/*
 * pen_kernel_finder_find_kernel:
 * @found: (out): how: "perf's cache", "debug directory", "path", "debuginfod"
 *
 * Returns: (nullable) (transfer full): a vmlinux, not yet placed
 */
PenKernelFile *pen_kernel_finder_find_kernel (PenKernelFinder *self, const guint8 *build_id,
                                              guint length, const char **found);

/*
 * pen_kernel_finder_find_module:
 * @name: as recorded: the path of its file, or "[name]"
 * @length: 0: no build-id was recorded: then only a file below symfs will do
 *
 * Compressed files are found, too.
 */
PenKernelFile *pen_kernel_finder_find_module (PenKernelFinder *self, const char *name,
                                              const guint8 *build_id, guint length,
                                              const char **found);

/* Returns: (transfer full) (element-type filename): the modules of @release that its modules.dep
 * names, of the first place that has one */
GPtrArray *pen_kernel_finder_list_modules (PenKernelFinder *self);
/* The path of that modules.dep. Returns: (transfer full) (nullable): there is none */
char *pen_kernel_finder_get_module_list (PenKernelFinder *self);

/* Returns: (nullable) (transfer full): the copy of kallsyms that perf's cache has of that kernel */
char *pen_kernel_finder_find_kallsyms (PenKernelFinder *self, const guint8 *build_id, guint length);

/* Returns: (transfer full): directories with kcore, kallsyms and modules that perf's cache has of
 * that kernel, of this boot or of others; the newest first */
char **pen_kernel_finder_find_kcores (PenKernelFinder *self, const guint8 *build_id, guint length);

/* (element-type PenRefusedFile) */
GPtrArray *pen_kernel_finder_get_refused (PenKernelFinder *self);

G_END_DECLS
