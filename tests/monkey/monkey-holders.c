/* monkey-holders.c: where the memory that points to an object was allocated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-holders.h"

#include <stdio.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/* Below it is ASan's own memory, on x86-64. */
#define HEAP_FROM G_GUINT64_CONSTANT (0x10007fff8000)
#define FRAMES 24
#define HOLDERS_MAX 40
#define LINE_MAX_BYTES 512

static void
print_stack (guint64 address)
{
  void *frames[FRAMES];
  int thread;
  gsize n = __asan_get_alloc_stack ((void *) address, frames, FRAMES, &thread);

  if (n == 0)
    return;
  g_print ("  held by what was allocated by:");
  for (gsize i = 0; i < n; i++) {
    char line[LINE_MAX_BYTES];

    __sanitizer_symbolize_pc (frames[i], "%f", line, sizeof line);
    if (!strstr (line, "asan") && !g_str_has_prefix (line, "g_") && !strstr (line, "alloc"))
      g_print (" < %s", line);
  }
  g_print ("\n");
}

/* It reads all memory, also what was freed and not used again. */
__attribute__ ((no_sanitize_address)) static guint
look_through (guint64 from, guint64 to, guint64 wanted, guint n)
{
  for (guint64 at = from; at < to && n < HOLDERS_MAX; at += sizeof (gpointer)) {
    char name[LINE_MAX_BYTES];
    void *start;
    gsize size;

    if (*(const guint64 *) at != wanted
        || strcmp (__asan_locate_address ((void *) at, name, sizeof name, &start, &size), "heap")
               != 0
        || __asan_address_is_poisoned ((void *) at))
      continue;
    print_stack (at);
    n++;
  }
  return n;
}

void
monkey_holders_print (gpointer object)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 from = 0, to = 0;
  guint n = 0;

  if (!g_file_get_contents ("/proc/self/smaps", &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++) {
    guint64 begin, end;
    char access[5];

    if (sscanf (*line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %4s", &begin, &end, access)
        == 3) {
      from = strcmp (access, "rw-p") == 0 && begin >= HEAP_FROM ? begin : 0;
      to = end;
    } else if (from > 0 && g_str_has_prefix (*line, "Rss:")
               && g_ascii_strtoull (*line + strlen ("Rss:"), NULL, 10) > 0) {
      n = look_through (from, to, GPOINTER_TO_SIZE (object), n);
    }
  }
}
#else
void
monkey_holders_print (gpointer object G_GNUC_UNUSED)
{
}
#endif
