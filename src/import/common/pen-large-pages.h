/* pen-large-pages.h: memory in pages of 2 MiB
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/mman.h>

G_BEGIN_DECLS

#define PEN_LARGE_PAGE ((gsize) 2 << 20)

/*
 * pen_large_pages_advise: asks the kernel for large pages for what lies in whole ones of @size
 * bytes from @memory on. Looks into a large table, each at another place, then hardly wait for the
 * page's address. To be called before the memory is touched. Advice only.
 */
static inline void
pen_large_pages_advise (gpointer memory, gsize size)
{
  guintptr start = ((guintptr) memory + PEN_LARGE_PAGE - 1) & ~(guintptr) (PEN_LARGE_PAGE - 1);
  guintptr end = ((guintptr) memory + size) & ~(guintptr) (PEN_LARGE_PAGE - 1);

  if (start < end)
    madvise ((gpointer) start, end - start, MADV_HUGEPAGE);
}

/* The same of what may stay all but empty: not of its beginning, for which small pages do. */
static inline void
pen_large_pages_advise_rest (gpointer memory, gsize size)
{
  if (size > PEN_LARGE_PAGE)
    pen_large_pages_advise ((guint8 *) memory + PEN_LARGE_PAGE, size - PEN_LARGE_PAGE);
}

G_END_DECLS
