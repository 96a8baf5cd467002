/* pen-code-ends.h: where the code of modules ends, whose maps count other memory, too
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-kernel-sources.h"

G_BEGIN_DECLS

/*
 * pen_code_ends_find:
 * @release: (nullable): the kernel's
 * @samples: of each tenure, by its id
 *
 * Tells @history where the code of modules ends (M8): by names, and by the file of a module that
 * has none, but has samples. Since Linux 6.4 the length of a module in /proc/modules, and with it
 * the recorder's map, is that of its data, too, which is elsewhere (kernel/module/procfs.c:
 * module_total_size). Before that all of a module is in one place. @sources are settled.
 */
void pen_code_ends_find (PenHistory *history, PenKernelSources *sources, const char *release,
                         const guint64 *samples);

G_END_DECLS
