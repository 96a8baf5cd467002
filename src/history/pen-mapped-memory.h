/* pen-mapped-memory.h: memory of which only what is touched is taken
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/mman.h>

G_BEGIN_DECLS

/*
 * For large tables that small recordings leave all but empty. What malloc() gives may be filled,
 * and may lie on a heap in large pages, each of which is cleared as a whole.
 *
 * Returns: @size bytes, all 0, for pen_mapped_memory_free(); as g_malloc(), ends the program if
 *   there is no such memory
 */
static inline gpointer
pen_mapped_memory_new (gsize size)
{
  gpointer memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    g_error ("%s: cannot have %" G_GSIZE_FORMAT " bytes of memory", G_STRLOC, size);
  return memory;
}

/* @memory: (nullable); @size: as it was asked for */
static inline void
pen_mapped_memory_free (gpointer memory, gsize size)
{
  if (memory)
    munmap (memory, size);
}

G_END_DECLS
