/* pen-module-relocation.h: what the kernel writes into a module's sections when it loads it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-file-private.h"

G_BEGIN_DECLS

/*
 * pen_module_relocation_apply:
 * @buffer: @length bytes of @section from @offset on
 * @states: (nullable): PenFileByte of each. NULL: it is a table; every reference gets the place of
 *   what it refers to. Else it is code: a reference to code of the module itself, or to what
 *   @resolve knows, is calculated; the bytes of all others become UNKNOWN
 *
 * Does nothing unless the file is a module. Relocations of x86-64 and arm64 are known (their
 * psABIs); unknown ones make their bytes UNKNOWN, or are not done in a table.
 */
void pen_module_relocation_apply (PenKernelFile *file, const PenKernelSection *section,
                                  guint64 offset, gsize length, guint8 *buffer, guint8 *states,
                                  PenResolveFunc resolve, gpointer user_data);

/*
 * pen_module_relocation_apply_debug:
 * @section: of debug information
 * @bytes: all @length of it
 *
 * The same for sections that the kernel never loads: code is at the module's places, and sections
 * without a place begin at 0.
 *
 * Returns: FALSE: of no machine whose relocations are known
 */
gboolean pen_module_relocation_apply_debug (PenKernelFile *file, Elf_Scn *section, guint8 *bytes,
                                            gsize length);

G_END_DECLS
