/* pen-fuzz-memory.c: SQLite's memory, past AddressSanitizer
 *
 * SQLite is not instrumented: that its blocks are watched finds nothing in it, and takes a third of
 * the time of an execution. What our own code reads of a value beyond its end is found by the
 * target `pack`, and by the replay of known inputs, which has no such memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib.h>
#include <sqlite3.h>

/* In front of each block: its size. */
#define HEAD 16

/* Of the C library, by the names that no sanitizer takes. */
void *__libc_malloc (size_t size);
void *__libc_realloc (void *block, size_t size);
void __libc_free (void *block);

static void *
give (void *head, int size)
{
  if (!head)
    return NULL;
  *(int *) head = size;
  return (char *) head + HEAD;
}

static void *
get_head (void *block)
{
  return (char *) block - HEAD;
}

static void *
allocate (int size)
{
  return give (__libc_malloc ((size_t) size + HEAD), size);
}

static void *
reallocate (void *block, int size)
{
  return give (__libc_realloc (get_head (block), (size_t) size + HEAD), size);
}

static void
release (void *block)
{
  if (block)
    __libc_free (get_head (block));
}

static int
get_size (void *block)
{
  return block ? *(int *) get_head (block) : 0;
}

static int
round_up (int size)
{
  return (size + 7) & ~7;
}

static int
begin (G_GNUC_UNUSED void *data)
{
  return SQLITE_OK;
}

static void
end (G_GNUC_UNUSED void *data)
{
}

/* Before anything of SQLite is used. */
__attribute__ ((constructor)) static void
use_memory (void)
{
  static const sqlite3_mem_methods methods
      = { allocate, release, reallocate, get_size, round_up, begin, end, NULL };

  g_assert_cmpint (sqlite3_config (SQLITE_CONFIG_MALLOC, &methods), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0), ==, SQLITE_OK);
}
