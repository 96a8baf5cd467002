/* pen-own-kernel.h: the kernel that runs on this machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kcore.h"

G_BEGIN_DECLS

#define PEN_OWN_KALLSYMS "/proc/kallsyms"
#define PEN_OWN_KCORE "/proc/kcore"

/* Is it the kernel that was recorded, by the notes in /sys/kernel/notes? */
gboolean pen_own_kernel_has_build_id (const guint8 *build_id, guint length);

/*
 * pen_own_kernel_open_kcore:
 * @symbol, @address: (nullable): where the recorded kernel had it: another boot puts it elsewhere
 * @refused: (out): why not
 */
PenKcore *pen_own_kernel_open_kcore (const char *symbol, guint64 address, GCancellable *cancellable,
                                     char **refused);

G_END_DECLS
