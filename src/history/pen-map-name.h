/* pen-map-name.h: what a map's name says about its occupant
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-words.h"

G_BEGIN_DECLS

/* The occupant of the core kernel's text, as perf names it. */
#define PEN_CORE_KERNEL "[kernel.kallsyms]"

/* Rule M4: the occupant that a kernel map's recorded @name stands for. Returns: (transfer full) */
char *pen_map_name_get_kernel_occupant (const char *name);

/* The kind of a kernel map's recorded @name: kernel or module. */
PenKind pen_map_name_get_kernel_kind (const char *name);

/* The kind of a process map's recorded @name: dso, vdso or anon. */
PenKind pen_map_name_get_process_kind (const char *name);

/* A recorder's map of a guest's kernel: no address space that this history knows. */
gboolean pen_map_name_is_guest_kernel (const char *name);

G_END_DECLS
