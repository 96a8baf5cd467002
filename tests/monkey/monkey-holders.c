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
#include <sanitizer/common_interface_defs.h>
#include <sys/uio.h>
#include <unistd.h>

/* Below it is ASan's own memory, on x86-64. */
#define HEAP_FROM G_GUINT64_CONSTANT (0x10007fff8000)
#define HOLDERS_MAX 60
#define NAME_BYTES 512
#define WORDS 8192
/* Of where a piece of memory was made: allocators come first. */
#define FRAMES_MAX 12

typedef struct {
  GHashTable *types; /* GTypes of objects */
  GHashTable *roots; /* widgets without a parent that hold it, or hold what does */
  gpointer held;
  guint n;
} Search;

static void
add_types (GHashTable *types, GType type)
{
  guint n;
  g_autofree GType *children = g_type_children (type, &n);

  g_hash_table_add (types, GSIZE_TO_POINTER (type));
  for (guint i = 0; i < n; i++)
    add_types (types, children[i]);
}

/* Returns: FALSE: it is not in a piece of memory that is used */
static gboolean
find_piece (guint64 address, guint64 *start, gsize *size)
{
  char name[NAME_BYTES];
  void *found;

  if (address < HEAP_FROM
      || strcmp (__asan_locate_address ((void *) address, name, sizeof name, &found, size), "heap")
             != 0
      || __asan_address_is_poisoned ((void *) address))
    return FALSE;
  *start = GPOINTER_TO_SIZE (found);
  return TRUE;
}

/* The object's first word is its class; what is private to it comes before it. */
static GObject *
find_object (const Search *self, guint64 start, gsize size)
{
  for (gsize at = 0; at + sizeof (GObject) <= size; at += sizeof (gpointer)) {
    guint64 word = *(const guint64 *) (start + at);
    guint64 class_start;
    gsize class_size;

    if (word % sizeof (gpointer) == 0 && find_piece (word, &class_start, &class_size)
        && word + sizeof (GType) <= class_start + class_size
        && g_hash_table_contains (self->types, GSIZE_TO_POINTER (*(const GType *) word)))
      return (GObject *) (start + at);
  }
  return NULL;
}

/* Who made a piece of memory says more than its bytes. */
static void
print_maker (guint64 start)
{
  void *frames[FRAMES_MAX];
  int thread;
  gsize n = __asan_get_alloc_stack ((void *) start, frames, FRAMES_MAX, &thread);

  for (gsize i = 0; i < n; i++) {
    char frame[NAME_BYTES] = "";

    __sanitizer_symbolize_pc (frames[i], "%f %s:%l", frame, sizeof frame);
    g_print ("    made in %s\n", frame);
  }
}

static void
print_piece (Search *self, guint64 address)
{
  GtkWidget *root = NULL;
  GObject *object;
  guint64 start;
  gsize size;

  if (!find_piece (address, &start, &size))
    return;
  object = find_object (self, start, size);
  if (!object) {
    g_print ("  held at %" G_GUINT64_FORMAT " of %" G_GSIZE_FORMAT " bytes\n", address - start,
             size);
    print_maker (start);
    self->n++;
    return;
  }
  /* Children point to their parent, and do not hold it. */
  if (GTK_IS_WIDGET (object) && gtk_widget_get_parent (GTK_WIDGET (object)) == self->held)
    return;
  g_print ("  held by %s, %u references", G_OBJECT_TYPE_NAME (object), object->ref_count);
  for (root = GTK_IS_WIDGET (object) ? GTK_WIDGET (object) : NULL;
       root && gtk_widget_get_parent (root); root = gtk_widget_get_parent (root))
    g_print (" < %s", G_OBJECT_TYPE_NAME (gtk_widget_get_parent (root)));
  g_print ("\n");
  if (root && !GTK_IS_ROOT (root))
    g_hash_table_add (self->roots, root);
  self->n++;
}

/* Memory that is gone meanwhile is left out. */
static void
look_through (Search *self, guint64 from, guint64 to)
{
  static guint64 words[WORDS];

  for (guint64 at = from; at < to && self->n < HOLDERS_MAX; at += sizeof words) {
    struct iovec own = { words, MIN (sizeof words, to - at) };
    struct iovec other = { (void *) at, own.iov_len };
    gssize got = process_vm_readv (getpid (), &own, 1, &other, 1, 0);

    for (gsize i = 0; got > 0 && i < (gsize) got / sizeof *words; i++) {
      if (words[i] == GPOINTER_TO_SIZE (self->held))
        print_piece (self, at + i * sizeof *words);
    }
  }
}

static void
look_everywhere (Search *self)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 from = 0, to = 0;

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
      look_through (self, from, to);
    }
  }
}

void
monkey_holders_print (gpointer object)
{
  g_autoptr (GHashTable) types = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) roots = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) more_roots = g_hash_table_new (NULL, NULL);
  Search search = { .types = types, .roots = roots, .held = object };
  GHashTableIter iter;
  gpointer root;

  add_types (types, G_TYPE_OBJECT);
  look_everywhere (&search);
  g_hash_table_iter_init (&iter, roots);
  while (g_hash_table_iter_next (&iter, &root, NULL)) {
    Search of_root = { .types = types, .roots = more_roots, .held = root };

    g_print (" and that %s:\n", G_OBJECT_TYPE_NAME (root));
    look_everywhere (&of_root);
  }
}
#else
void
monkey_holders_print (gpointer object G_GNUC_UNUSED)
{
}
#endif
