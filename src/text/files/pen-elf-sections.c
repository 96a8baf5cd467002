/* pen-elf-sections.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-elf-sections.h"

#include <gelf.h>

gboolean
pen_elf_sections_fit (Elf *elf, guint64 size)
{
  Elf_Scn *section = NULL;
  guint64 left = MIN (size, G_MAXINT64) * 2;

  while ((section = elf_nextscn (elf, section))) {
    GElf_Shdr header;

    if (!gelf_getshdr (section, &header) || header.sh_type == SHT_NULL
        || header.sh_type == SHT_NOBITS)
      continue;
    if (header.sh_size > left)
      return FALSE;
    left -= header.sh_size;
  }
  return TRUE;
}
