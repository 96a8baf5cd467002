/* read-debug.c: reads the debug information of a program as pentimento-source-lines does
 *
 * Usage: read-debug FILE N
 *
 * Asks for N stretches of the file's code one after the other, as an import does for functions, and
 * prints how many lines there were. That program itself is killed once it is done with, before its
 * steps are known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "pen-debug-image.h"
#include "pen-dwarf-lines.h"
#include "steep-elf.h"

static void
count (G_GNUC_UNUSED guint64 address, const PenCodePlace *place, gpointer user_data)
{
  *(guint *) user_data += place->line > 0;
}

/* Returns: (nullable): in memory to the end */
static PenDwarfLines *
open_lines (const char *bytes, gsize length)
{
  PenDebugInput input = { .elf = elf_memory ((char *) bytes, length),
                          .fd = -1,
                          .bytes = (const guint8 *) bytes,
                          .size = length };
  PenDebugImage *image = pen_debug_image_new (&input, NULL, NULL, NULL, NULL);
  struct stat status;
  gpointer mapped;

  if (!image || fstat (pen_debug_image_get_fd (image), &status) != 0)
    return NULL;
  mapped = mmap (NULL, (gsize) status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
                 pen_debug_image_get_fd (image), 0);
  return mapped != MAP_FAILED ? pen_dwarf_lines_new (mapped, (gsize) status.st_size) : NULL;
}

int
main (int argc, char **argv)
{
  guint n = argc == 3 ? (guint) strtoul (argv[2], NULL, 10) : 0;
  guint64 step = STEEP_ELF_CODE / MAX (n, 1);
  PenDwarfLines *lines;
  guint n_lines = 0;
  gsize length;
  char *bytes;

  if (n == 0 || !g_file_get_contents (argv[1], &bytes, &length, NULL))
    return 2;
  elf_version (EV_CURRENT);
  lines = open_lines (bytes, length);
  if (!lines)
    return 1;
  for (guint i = 0; i < n; i++)
    pen_dwarf_lines_foreach (lines, STEEP_ELF_START + i * step, STEEP_ELF_START + (i + 1) * step,
                             count, &n_lines);
  printf ("%u\n", n_lines);
  return 0;
}
