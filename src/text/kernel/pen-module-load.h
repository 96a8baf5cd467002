/* pen-module-load.h: the text that the kernel made of a module's when it loaded it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-file-private.h"

G_BEGIN_DECLS

/*
 * pen_module_load_settle:
 * @buffer: (inout): @length bytes of @section from @offset on, with relocations done
 * @states: (inout): PenFileByte of each
 *
 * Places that loading rewrites get the bytes that @load proves, as REWRITTEN; others are UNKNOWN.
 */
void pen_module_load_settle (PenKernelFile *file, const PenKernelSection *section, guint64 offset,
                             gsize length, guint8 *buffer, guint8 *states,
                             const PenModuleLoad *load);

G_END_DECLS
