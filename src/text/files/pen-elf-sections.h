/* pen-elf-sections.h: whether a file's sections are as a linker makes them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <libelf.h>

G_BEGIN_DECLS

/*
 * pen_elf_sections_fit:
 * @size: bytes of the file, or of what it was unpacked to
 *
 * Returns: FALSE: they lie over each other, so that together they have more than twice what is
 *   there: each that is read would take as much time and memory as the file
 */
gboolean pen_elf_sections_fit (Elf *elf, guint64 size);

G_END_DECLS
