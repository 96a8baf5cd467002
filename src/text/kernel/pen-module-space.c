/* pen-module-space.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-space.h"

/* Documentation/arch/x86/x86_64/mm.rst: kernel text has 512 MiB or 1 GiB from the first address on;
 * then come modules. arm64 puts them within 2 GiB below its text, or 128 MiB (Documentation/arch/
 * arm64/memory.rst). */
#define X86_MODULES_START G_GUINT64_CONSTANT (0xffffffffa0000000)
#define X86_MODULES_END G_GUINT64_CONSTANT (0xffffffffff000000)
#define X86_TEXT_START G_GUINT64_CONSTANT (0xffffffff80000000)
#define ARM_MODULES_LENGTH (G_GUINT64_CONSTANT (2) << 30)

gboolean
pen_module_space_holds (guint64 text_start, guint64 text_end, guint64 address)
{
  if (text_start == text_end)
    return address >= X86_MODULES_START && address < X86_MODULES_END;
  if (text_start >= X86_TEXT_START)
    return address >= MAX (X86_MODULES_START, text_end) && address < X86_MODULES_END;
  return address < text_start && text_start - address <= ARM_MODULES_LENGTH;
}
