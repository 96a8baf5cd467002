/* pen-memory.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((uintptr_t) 2 << 20)
/* Only touched pages take memory. Less than HEAP_LIMIT, so that it is on the heap. */
#define HEAP_LENGTH (30u << 20)
#define HEAP_LIMIT (32 << 20)
/* Longer blocks are mapped apart, and given back when they are freed. */
#define MAPPED_LENGTH (1 << 20)
#define NEVER_GIVEN_BACK (512 << 20)

void
pen_memory_prepare_for_import (void)
{
#ifdef __GLIBC__
  uintptr_t start = (uintptr_t) sbrk (0);
  uintptr_t end;
  void *volatile memory;

  mallopt (M_ARENA_MAX, 1);
  mallopt (M_TRIM_THRESHOLD, NEVER_GIVEN_BACK);
  mallopt (M_MMAP_THRESHOLD, HEAP_LIMIT);
  memory = malloc (HEAP_LENGTH);
  end = (uintptr_t) sbrk (0);
  start = (start + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
  if (memory && start < end)
    madvise ((void *) start, end - start, MADV_HUGEPAGE); /* advice only */
  free (memory);
  mallopt (M_MMAP_THRESHOLD, MAPPED_LENGTH);
#endif
}
