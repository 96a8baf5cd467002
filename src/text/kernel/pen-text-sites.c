/* pen-text-sites.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-sites.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-kernel-file-private.h"
#include "pen-number-table.h"
#include "pen-table-hash.h"

#define MAX_SITES (4u << 20)
#define KEY_PREFIX "__SCK__"
#define TRAMPOLINE_PREFIX "__SCT__"
/* Two bits of a pointer to a key are flags. */
#define KEY_FLAGS G_GUINT64_CONSTANT (3)
/* jump_entry_is_branch(): a jump is there while the key is off, a nop while it is on. */
#define KEY_IS_LIKELY G_GUINT64_CONSTANT (1)

typedef struct {
  guint64 address;
  guint64 target;
  guint64 key;      /* address of the variable, or 0 */
  const char *name; /* of a trampoline */
  PenSiteKind kind;
  gboolean jumps_when_off;
} Site;

struct _PenTextSites {
  PenKernelFile *file;
  GArray *sites; /* Site; by address, one for each */
  GHashTable *names;
};

static void
add (PenTextSites *self, const Site *site)
{
  if (self->sites->len < MAX_SITES && pen_kernel_file_has_code (self->file, site->address))
    g_array_append_val (self->sites, *site);
}

/* struct jump_entry: where the instruction is, where it jumps to, and its key: each relative to
 * itself. */
static void
add_jump_labels (PenTextSites *self)
{
  g_autoptr (PenNumberTable) table = pen_number_table_load (
      self->file, "__jump_table", "__start___jump_table", "__stop___jump_table");

  for (gsize at = 0; pen_number_table_has (table, at, 16); at += 16) {
    guint64 key = pen_number_table_get_relative_64 (table, at + 8);
    Site site = {
      .address = pen_number_table_get_relative (table, at),
      .target = pen_number_table_get_relative (table, at + 4),
      .key = key & ~KEY_FLAGS,
      .kind = PEN_SITE_JUMP_LABEL,
      .jumps_when_off = (key & KEY_IS_LIKELY) != 0,
    };

    add (self, &site);
  }
}

/* struct static_call_site */
static void
add_static_calls (PenTextSites *self)
{
  g_autoptr (PenNumberTable) table = pen_number_table_load (
      self->file, ".static_call_sites", "__start_static_call_sites", "__stop_static_call_sites");

  for (gsize at = 0; pen_number_table_has (table, at, 8); at += 8) {
    Site site = {
      .address = pen_number_table_get_relative (table, at),
      .key = pen_number_table_get_relative (table, at + 4) & ~KEY_FLAGS,
      .kind = PEN_SITE_STATIC_CALL,
    };

    add (self, &site);
  }
}

/* Where a call goes through its trampoline, the trampoline is patched. */
static void
add_trampolines (PenTextSites *self)
{
  GElf_Sym symbol;
  const char *name;

  for (gsize i = 1; i < self->file->n_symbols; i++) {
    Site site = { .kind = PEN_SITE_STATIC_CALL };

    if (!pen_kernel_file_get_symbol (self->file, i, &symbol, &name)
        || strncmp (name, TRAMPOLINE_PREFIX, strlen (TRAMPOLINE_PREFIX)) != 0
        || symbol.st_shndx == SHN_UNDEF
        || !pen_kernel_file_place_symbol (self->file, i, &symbol, &site.address))
      continue;
    site.name = name + strlen (TRAMPOLINE_PREFIX);
    add (self, &site);
  }
}

static void
add_ftrace (PenTextSites *self)
{
  g_autoptr (PenNumberTable) table = pen_number_table_load (
      self->file, "__mcount_loc", "__start_mcount_loc", "__stop_mcount_loc");

  for (gsize at = 0; pen_number_table_has (table, at, 8); at += 8) {
    Site site = {
      .address = pen_number_table_get_64 (table, at) + pen_kernel_file_get_bias (self->file),
      .kind = PEN_SITE_FTRACE,
    };

    add (self, &site);
  }
}

static int
compare_sites (gconstpointer a, gconstpointer b)
{
  const Site *x = a;
  const Site *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return (int) x->kind - (int) y->kind;
}

static void
sort_sites (PenTextSites *self)
{
  guint n = 0;

  g_array_sort (self->sites, compare_sites);
  for (guint i = 0; i < self->sites->len; i++) {
    const Site *site = &g_array_index (self->sites, Site, i);

    if (n > 0 && g_array_index (self->sites, Site, n - 1).address == site->address)
      continue;
    g_array_index (self->sites, Site, n++) = *site;
  }
  g_array_set_size (self->sites, n);
}

PenTextSites *
pen_text_sites_new (PenKernelFile *file)
{
  PenTextSites *self = g_new0 (PenTextSites, 1);

  self->file = file;
  self->sites = g_array_new (FALSE, FALSE, sizeof (Site));
  self->names = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, g_free);
  add_jump_labels (self);
  add_static_calls (self);
  add_trampolines (self);
  add_ftrace (self);
  sort_sites (self);
  return self;
}

void
pen_text_sites_free (PenTextSites *self)
{
  if (!self)
    return;

  g_hash_table_unref (self->names);
  g_array_unref (self->sites);
  g_free (self);
}

static char *
make_name (PenTextSites *self, guint64 key)
{
  guint64 offset = 0;
  const char *name = key != 0 ? pen_kernel_file_find_object (self->file, key, &offset) : NULL;

  if (!name)
    return NULL;
  /* A module that may not see the key refers to the trampoline. */
  if (offset == 0
      && (g_str_has_prefix (name, KEY_PREFIX) || g_str_has_prefix (name, TRAMPOLINE_PREFIX)))
    return g_strdup (name + strlen (KEY_PREFIX));
  return offset != 0 ? g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", name, offset)
                     : g_strdup (name);
}

static const char *
get_name (PenTextSites *self, guint64 key)
{
  gpointer name;

  if (!g_hash_table_lookup_extended (self->names, &key, NULL, &name)) {
    name = make_name (self, key);
    g_hash_table_insert (self->names, g_memdup2 (&key, sizeof key), name);
  }
  return name;
}

static gboolean
is_own (const PenKernelFile *file, guint64 key)
{
  return file->type != ET_REL || key < file->extern_start
         || key - file->extern_start >= file->n_extern * PEN_KERNEL_FILE_PAGE;
}

gboolean
pen_text_sites_find (PenTextSites *self, guint64 address, PenTextSite *found)
{
  guint n = PEN_BINARY_SEARCH (i, 0, self->sites->len,
                               g_array_index (self->sites, Site, i).address < address);
  const Site *site;

  if (n == self->sites->len)
    return FALSE;
  site = &g_array_index (self->sites, Site, n);
  if (site->address != address)
    return FALSE;

  *found = (PenTextSite){
    .address = address,
    .target = site->target,
    .name = site->name ? site->name : get_name (self, site->key),
    .kind = site->kind,
    .jumps_when_off = site->jumps_when_off,
    .is_own = is_own (self->file, site->key),
  };

  return TRUE;
}

void
pen_text_sites_foreach (PenTextSites *self, PenTextSiteFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->sites->len; i++) {
    const Site *site = &g_array_index (self->sites, Site, i);
    const PenTextSite given
        = { .address = site->address, .target = site->target, .kind = site->kind };

    func (&given, user_data);
  }
}
