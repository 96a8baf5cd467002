/* pen-pasted-owner.h: what stands in brackets after a place: a module, a program, a file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pasted-place.h"

G_BEGIN_DECLS

/* " [xfs 12ab…]", " (/usr/bin/cat)", " ([kernel.kallsyms])". Other brackets are passed over. */
void pen_pasted_owner_read (PenPastedPlace *place, PenSlice rest);
/* Without brackets. A module's file: its name without directories and what comes after ".ko". */
void pen_pasted_owner_set (PenPastedPlace *place, PenSlice owner);
/* "fs/read_write.c:468", "include/linux/fs.h:12 fs/read_write.c:468:6", "??:?" */
gboolean pen_pasted_owner_is_location (PenSlice slice);

G_END_DECLS
