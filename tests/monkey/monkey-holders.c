/* monkey-holders.c: what points to an object
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-holders.h"

#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

/* Below it is ASan's own memory, on x86-64. */
#define HEAP_FROM G_GUINT64_CONSTANT (0x10007fff8000)
#define HOLDERS_MAX 60
#define LINE_MAX_BYTES 512

static void
add_types (GHashTable *types, GType type)
{
  guint n;
  g_autofree GType *children = g_type_children (type, &n);

  g_hash_table_add (types, GSIZE_TO_POINTER (type));
  for (guint i = 0; i < n; i++)
    add_types (types, children[i]);
}

static gboolean
is_heap (guint64 address)
{
  char name[LINE_MAX_BYTES];
  void *start;
  gsize size;

  return address >= HEAP_FROM
         && strcmp (__asan_locate_address ((void *) address, name, sizeof name, &start, &size),
                    "heap")
                == 0
         && !__asan_address_is_poisoned ((void *) address);
}

/* The object's first word is its class; what is private to it comes before it.
 *
 * Returns: FALSE: there is none in that memory */
static gboolean
print_object (GHashTable *types, guint64 address)
{
  gsize size;
  void *start;
  char name[LINE_MAX_BYTES];

  __asan_locate_address ((void *) address, name, sizeof name, &start, &size);
  for (gsize i = 0; i + sizeof (GObject) / sizeof (gpointer) <= size / sizeof (gpointer); i++) {
    gpointer word = ((gpointer *) start)[i];
    GObject *object = (GObject *) ((gpointer *) start + i);

    if (GPOINTER_TO_SIZE (word) % sizeof (gpointer) != 0 || !is_heap (GPOINTER_TO_SIZE (word))
        || !g_hash_table_contains (types, GSIZE_TO_POINTER (*(const GType *) word)))
      continue;
    g_print ("  held by %s, %u references", G_OBJECT_TYPE_NAME (object), object->ref_count);
    for (GtkWidget *parent = GTK_IS_WIDGET (object) ? GTK_WIDGET (object) : NULL; parent;
         parent = gtk_widget_get_parent (parent))
      g_print (" < %s", G_OBJECT_TYPE_NAME (parent));
    g_print ("\n");
    return TRUE;
  }
  return FALSE;
}

/* It reads all memory, also what was freed and not used again. */
__attribute__ ((no_sanitize_address)) static guint
look_through (guint64 from, guint64 to, guint64 wanted, GHashTable *types, guint n)
{
  for (guint64 at = from; at < to && n < HOLDERS_MAX; at += sizeof (gpointer)) {
    if (*(const guint64 *) at != wanted || !is_heap (at))
      continue;
    n += print_object (types, at);
  }
  return n;
}

void
monkey_holders_print (gpointer object)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GHashTable) types = g_hash_table_new (NULL, NULL);
  guint64 from = 0, to = 0;
  guint n = 0;

  add_types (types, G_TYPE_OBJECT);
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
      n = look_through (from, to, GPOINTER_TO_SIZE (object), types, n);
    }
  }
}
#else
void
monkey_holders_print (gpointer object G_GNUC_UNUSED)
{
}
#endif
