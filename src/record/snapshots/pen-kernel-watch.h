/* pen-kernel-watch.h: what comes and goes in the kernel while it is recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record-lack.h"

G_BEGIN_DECLS

/*
 * PenKernelWatch: at each module that is loaded, adds its sections (pen_snapshots_add_module());
 * then and ten times a second, the lists of users (pen-list-book.h). It can keep the patches, too
 * (pen-patch-file.h).
 */
typedef struct _PenKernelWatch PenKernelWatch;

/*
 * pen_kernel_watch_new:
 * @directory: of the recording
 * @cpus: (element-type guint): of which patches are seen
 * @keeps_patches: perf does not
 * @lacks: (element-type PenRecordLack): one more, if these cannot be seen
 */
PenKernelWatch *pen_kernel_watch_new (const char *directory, const GArray *cpus,
                                      gboolean keeps_patches, GPtrArray *lacks);
/* Nothing is recorded any more. @self: (nullable) */
void pen_kernel_watch_close (PenKernelWatch *self, GPtrArray *lacks);

/* Can be read when pen_kernel_watch_take() has something to do; -1: never. @self: (nullable) */
int pen_kernel_watch_get_descriptor (PenKernelWatch *self);
void pen_kernel_watch_take (PenKernelWatch *self);

G_END_DECLS
