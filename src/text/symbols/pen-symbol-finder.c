/* pen-symbol-finder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-symbol-finder.h"

#include <string.h>

#include "pen-debug-link.h"
#include "pen-elf-symbols.h"
#include "pen-file-roots.h"
#include "pen-perf-cache.h"
#include "pen-table-hash.h"

#define MAX_FILES 4096
#define MAX_REFUSED 64u
#define DEBUG_DIRECTORY "/usr/lib/debug"
/* A limit for all files together: names take memory. */
#define MAX_SYMBOLS (4 * PEN_ELF_SYMBOLS_MAX)

struct _PenSymbolFinder {
  char *symfs;
  char **caches;  /* perf's */
  char *roots[2]; /* put before paths of files */
  PenDebuginfod *debuginfod;
  GCancellable *cancellable;
  GHashTable *found; /* Key's text → PenFoundSymbols, or NULL */
  guint64 n_symbols;
  GPtrArray *refused; /* paths */
};

/* The file to find. */
typedef struct {
  const char *path;
  const guint8 *build_id;
  guint length;
  char *directory; /* the build-id as "12", and */
  char *rest;      /* "3456…"; both NULL where it is too short to be found by */
} Wanted;

static void
free_found (gpointer data)
{
  PenFoundSymbols *found = data;

  if (!found)
    return;

  if (found->names != found->image)
    pen_elf_file_free (found->names);
  pen_elf_file_free (found->image);
  g_free (found);
}

PenSymbolFinder *
pen_symbol_finder_new (const char *symfs, PenDebuginfod *debuginfod, GCancellable *cancellable)
{
  PenSymbolFinder *self = g_new0 (PenSymbolFinder, 1);

  self->symfs = g_strdup (symfs);
  self->debuginfod = debuginfod;
  g_set_object (&self->cancellable, cancellable);
  self->caches = pen_perf_cache_get_directories ();
  self->refused = g_ptr_array_new_with_free_func (g_free);
  self->found = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, free_found);
  if (symfs)
    self->roots[0] = g_strdup (symfs);
  else if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS)) {
    self->roots[0] = g_strdup ("/run/host");
    self->roots[1] = g_strdup ("");
  } else
    self->roots[0] = g_strdup ("");
  return self;
}

void
pen_symbol_finder_set_cancellable (PenSymbolFinder *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

void
pen_symbol_finder_free (PenSymbolFinder *self)
{
  if (!self)
    return;

  g_hash_table_unref (self->found);
  g_ptr_array_unref (self->refused);
  g_clear_object (&self->cancellable);
  g_free (self->symfs);
  g_strfreev (self->caches);
  for (guint i = 0; i < G_N_ELEMENTS (self->roots); i++)
    g_free (self->roots[i]);
  g_free (self);
}

static gboolean
has_build_id (PenElfFile *file, const guint8 *build_id, guint length)
{
  guint own_length;
  const guint8 *own = pen_elf_file_get_build_id (file, &own_length);

  return own && own_length == length && memcmp (own, build_id, length) == 0;
}

/* Some recorders fill an id that is shorter up with zeros. */
static gboolean
is_same_build_id (PenElfFile *file, const Wanted *wanted)
{
  guint length = wanted->length;
  guint own_length;

  if (!pen_elf_file_get_build_id (file, &own_length))
    return FALSE;
  while (length > own_length && wanted->build_id[length - 1] == 0)
    length--;
  return has_build_id (file, wanted->build_id, length);
}

/* Returns: (nullable): only a file that was recorded */
static PenElfFile *
open_checked (const Wanted *wanted, const char *path)
{
  g_autoptr (PenElfFile) file = pen_elf_file_open (path);

  return file && (wanted->length == 0 || is_same_build_id (file, wanted)) ? g_steal_pointer (&file)
                                                                          : NULL;
}

static PenElfFile *
open_in_cache (PenSymbolFinder *self, const Wanted *wanted, const char *name)
{
  PenElfFile *file = NULL;

  for (guint i = 0; wanted->rest && self->caches[i] && !file; i++) {
    g_autofree char *path = g_build_filename (self->caches[i], ".build-id", wanted->directory,
                                              wanted->rest, name, NULL);

    file = open_checked (wanted, path);
  }
  return file;
}

static PenElfFile *
open_in_debug_directory (PenSymbolFinder *self, const Wanted *wanted, const char *suffix)
{
  PenElfFile *file = NULL;

  for (guint i = 0; wanted->rest && i < G_N_ELEMENTS (self->roots) && !file; i++)
    if (self->roots[i]) {
      g_autofree char *path = g_strconcat (self->roots[i], DEBUG_DIRECTORY "/.build-id/",
                                           wanted->directory, "/", wanted->rest, suffix, NULL);

      file = open_checked (wanted, path);
    }
  return file;
}

static void
keep_refused (PenSymbolFinder *self, const char *path)
{
  if (!self->symfs && pen_file_roots_is_refused (path) && self->refused->len < MAX_REFUSED)
    g_ptr_array_add (self->refused, g_strdup (path));
}

static PenElfFile *
open_mapped (PenSymbolFinder *self, const Wanted *wanted)
{
  PenElfFile *file = NULL;

  /* A file of this machine proves nothing if nothing was recorded to compare it with. */
  if (wanted->length == 0 && !self->symfs)
    return NULL;
  if (!pen_file_roots_may_follow (wanted->path, self->symfs != NULL)) {
    keep_refused (self, wanted->path);
    return NULL;
  }

  for (guint i = 0; i < G_N_ELEMENTS (self->roots) && !file; i++)
    if (self->roots[i]) {
      g_autofree char *path = g_strconcat (self->roots[i], wanted->path, NULL);

      file = open_checked (wanted, path);
    }
  return file;
}

static PenElfFile *
ask_debuginfod (PenSymbolFinder *self, const Wanted *wanted, PenDebuginfodKind kind)
{
  g_autofree char *path = NULL;

  if (!self->debuginfod || !wanted->rest)
    return NULL;

  path = pen_debuginfod_find (self->debuginfod, wanted->build_id, wanted->length, kind);
  return path ? open_checked (wanted, path) : NULL;
}

static PenElfFile *
find_image (PenSymbolFinder *self, const Wanted *wanted)
{
  PenElfFile *file = open_in_cache (self, wanted, "elf");

  if (!file)
    file = open_in_cache (self, wanted, "vdso");
  if (!file)
    file = open_in_cache (self, wanted, ""); /* as old perf did */
  if (!file)
    file = open_in_debug_directory (self, wanted, "");
  if (!file)
    file = open_mapped (self, wanted);
  if (!file)
    file = ask_debuginfod (self, wanted, PEN_DEBUGINFOD_EXECUTABLE);
  return file;
}

/* A file that has the image's build-id, or none and the checksum that the image gives. */
static PenElfFile *
open_linked (PenElfFile *image, const char *path, guint32 crc)
{
  g_autoptr (PenElfFile) file = pen_elf_file_open (path);
  guint length;
  const guint8 *build_id;
  gboolean fits;

  if (!file)
    return NULL;

  build_id = pen_elf_file_get_build_id (file, &length);
  fits = build_id ? has_build_id (image, build_id, length)
                  : pen_debug_link_has_crc (path, crc, NULL);
  return fits ? g_steal_pointer (&file) : NULL;
}

static PenElfFile *
find_linked (PenSymbolFinder *self, const Wanted *wanted, PenElfFile *image)
{
  static const char *const places[][2]
      = { { "", "/" }, { "", "/.debug/" }, { DEBUG_DIRECTORY, "/" } };
  guint32 crc;
  const char *link = pen_elf_file_get_debug_link (image, &crc);
  g_autofree char *directory = g_path_get_dirname (wanted->path);
  PenElfFile *file = NULL;

  if (!link || !pen_file_roots_may_follow (wanted->path, self->symfs != NULL))
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (self->roots); i++)
    for (guint k = 0; self->roots[i] && k < G_N_ELEMENTS (places) && !file; k++) {
      g_autofree char *path
          = g_strconcat (self->roots[i], places[k][0], directory, places[k][1], link, NULL);

      file = open_linked (image, path, crc);
    }
  return file;
}

/* Takes @file if it names everything. */
static gboolean
take_if_full (PenSymbolFinder *self, PenFoundSymbols *found, PenElfFile *file)
{
  guint64 bias;

  if (!file)
    return FALSE;

  /* Without the image, segments have to be the debug file's, and must not be empty. */
  if ((found->image || pen_elf_file_find_bias (file, 0, G_MAXUINT64, &bias))
      && pen_elf_file_load_symbols (file, self->cancellable) == PEN_ELF_NAMES_FULL) {
    found->names = file;
    found->table = ".symtab";
    if (!found->image)
      found->image = file;
    return TRUE;
  }

  pen_elf_file_free (file);
  return FALSE;
}

static gboolean
find_debug_file (PenSymbolFinder *self, const Wanted *wanted, PenFoundSymbols *found)
{
  return take_if_full (self, found, open_in_cache (self, wanted, "debug"))
         || take_if_full (self, found, open_in_debug_directory (self, wanted, ".debug"))
         || (found->image && take_if_full (self, found, find_linked (self, wanted, found->image)))
         || take_if_full (self, found, ask_debuginfod (self, wanted, PEN_DEBUGINFOD_DEBUGINFO));
}

static const char *
get_table (PenElfNames names)
{
  switch (names) {
  case PEN_ELF_NAMES_FULL:
    return ".symtab";
  case PEN_ELF_NAMES_MINI:
    return ".gnu_debugdata";
  case PEN_ELF_NAMES_DYNAMIC:
    return ".dynsym";
  default:
    return NULL;
  }
}

static PenFoundSymbols *
look (PenSymbolFinder *self, const Wanted *wanted)
{
  PenFoundSymbols *found = g_new0 (PenFoundSymbols, 1);
  PenElfNames names = PEN_ELF_NAMES_NONE;
  const guint8 *build_id;

  found->image = find_image (self, wanted);
  if (found->image)
    names = pen_elf_file_load_symbols (found->image, self->cancellable);
  if (names == PEN_ELF_NAMES_FULL || !find_debug_file (self, wanted, found)) {
    found->names = found->image;
    found->table = get_table (names);
  }
  if (!found->names || !found->table) {
    free_found (found);
    return NULL;
  }

  found->path = pen_elf_file_get_path (found->names);
  found->evidence = wanted->length > 0 ? PEN_EVIDENCE_FILE : PEN_EVIDENCE_FILE_UNCHECKED;
  build_id = pen_elf_file_get_build_id (found->image, &found->build_id_length);
  if (build_id)
    memcpy (found->build_id, build_id, found->build_id_length);
  self->n_symbols += pen_elf_file_get_n_symbols (found->names);
  return found;
}

const PenFoundSymbols *
pen_symbol_finder_find (PenSymbolFinder *self, const char *path, const guint8 *build_id,
                        guint length)
{
  static const char digits[] = "0123456789abcdef";
  g_autoptr (GString) key = g_string_new (NULL);
  Wanted wanted = { .path = path, .build_id = build_id, .length = length };
  gpointer known;

  for (guint i = 0; i < length; i++) {
    g_string_append_c (key, digits[build_id[i] >> 4]);
    g_string_append_c (key, digits[build_id[i] & 0xf]);
  }
  g_string_append_c (key, ' ');
  g_string_append (key, path);

  if (!g_hash_table_lookup_extended (self->found, key->str, NULL, &known)) {
    if (length >= 2) {
      wanted.directory = g_strndup (key->str, 2);
      wanted.rest = g_strndup (key->str + 2, 2 * length - 2);
    }
    known = g_hash_table_size (self->found) < MAX_FILES && self->n_symbols < MAX_SYMBOLS
                ? look (self, &wanted)
                : NULL;
    if (g_hash_table_size (self->found) < MAX_FILES)
      g_hash_table_insert (self->found, g_strdup (key->str), known);
  }
  g_free (wanted.directory);
  g_free (wanted.rest);
  return known;
}

GPtrArray *
pen_symbol_finder_get_refused (PenSymbolFinder *self)
{
  return self->refused;
}
