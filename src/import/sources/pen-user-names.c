/* pen-user-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-user-names.h"

#include <string.h>

#include "pen-compare.h"
#include "pen-demangle.h"
#include "pen-found-file.h"
#include "pen-hash.h"
#include "pen-names.h"
#include "pen-perf-map.h"
#include "pen-record.h"
#include "pen-table-hash.h"

/* The source of a tenure's names. */
typedef struct {
  const PenFoundSymbols *found; /* or */
  PenPerfMap *map;              /* both NULL: nowhere */
  guint64 bias;                 /* from an address in the tenure to one in the file */
  guint32 file;
} Place;

/* A file that names came from; several paths may have led to it. */
typedef struct {
  const PenFoundSymbols *found; /* or */
  PenPerfMap *map;
  char *occupant;
} File;

/* Functions of samples and frames come again and again. */
#define RECENT 4096u

typedef struct {
  const char *name; /* NULL: none */
  const char *shown;
} Shown;

struct _PenUserNames {
  PenSymbolFinder *finder;
  gboolean is_finder_kept; /* by another, from import to import */
  GCancellable *cancellable;
  GHashTable *build_ids; /* name → PenBuildId, or NULL where several differ */
  GPtrArray *places;     /* Place by tenure's id; NULL: not asked for */
  GArray *named;         /* guint32: tenures that have a file, and were not written */
  guint n_written;       /* files */
  GHashTable *file_ids;  /* PenFoundSymbols or PenPerfMap → index in files, plus 1 */
  GHashTable *maps;      /* pid → PenPerfMap, or NULL */
  char *map_path;        /* as given, or NULL */
  char *map_directory;   /* below symfs, or NULL */
  const PenSpace *spaces;
  guint n_spaces;
  GArray *files;         /* File */
  GHashTable *demangled; /* name → what is shown, or NULL */
  GHashTable *shown;     /* a name in a file's table, by where it is → the same */
  Shown *recent;         /* of these, by their slots */
  PenNames *strings;
};

static void
clear_file (gpointer data)
{
  g_free (((File *) data)->occupant);
}

static void
free_map (gpointer data)
{
  pen_perf_map_free (data);
}

PenUserNames *
pen_user_names_new (const char *symfs, const char *perf_map, PenDebuginfod *debuginfod,
                    PenKeptNames *kept, GCancellable *cancellable)
{
  PenUserNames *self = g_new0 (PenUserNames, 1);

  /* Servers are asked for one import. */
  self->is_finder_kept = kept && !debuginfod;
  self->finder = self->is_finder_kept ? pen_kept_names_get_finder (kept, symfs, cancellable)
                                      : pen_symbol_finder_new (symfs, debuginfod, cancellable);
  g_set_object (&self->cancellable, cancellable);
  self->maps = g_hash_table_new_full (pen_direct_hash, NULL, NULL, free_map);
  self->map_path = g_strdup (perf_map);
  if (symfs)
    self->map_directory = g_build_filename (symfs, "tmp", NULL);
  self->build_ids = g_hash_table_new (pen_str_hash, g_str_equal);
  self->places = g_ptr_array_new_with_free_func (g_free);
  self->named = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->file_ids = g_hash_table_new (pen_direct_hash, NULL);
  self->files = g_array_new (FALSE, FALSE, sizeof (File));
  g_array_set_clear_func (self->files, clear_file);
  self->demangled = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, g_free);
  self->shown = g_hash_table_new (pen_direct_hash, NULL);
  self->recent = g_new0 (Shown, RECENT);
  self->strings = pen_names_new ();
  return self;
}

void
pen_user_names_free (PenUserNames *self)
{
  g_free (self->recent);
  g_hash_table_unref (self->shown);
  g_hash_table_unref (self->demangled);
  pen_names_free (self->strings);
  g_array_unref (self->files);
  g_hash_table_unref (self->file_ids);
  g_ptr_array_unref (self->places);
  g_array_unref (self->named);
  g_hash_table_unref (self->build_ids);
  g_hash_table_unref (self->maps);
  g_free (self->map_path);
  g_free (self->map_directory);
  if (!self->is_finder_kept)
    pen_symbol_finder_free (self->finder);
  g_clear_object (&self->cancellable);
  g_free (self);
}

void
pen_user_names_set_features (PenUserNames *self, const PenFeatures *features)
{
  g_hash_table_remove_all (self->build_ids);
  for (guint i = 0; features->build_ids && i < features->build_ids->len; i++) {
    PenBuildId *build_id = g_ptr_array_index (features->build_ids, i);
    gpointer known = NULL;

    if ((build_id->misc & PEN_MISC_CPUMODE_MASK) != PEN_CPUMODE_USER || build_id->length == 0)
      continue;
    if (!g_hash_table_lookup_extended (self->build_ids, build_id->name, NULL, &known))
      known = build_id;
    else if (known
             && (((PenBuildId *) known)->length != build_id->length
                 || memcmp (((PenBuildId *) known)->id, build_id->id, build_id->length) != 0))
      known = NULL;
    g_hash_table_insert (self->build_ids, build_id->name, known);
  }
}

static const PenFoundSymbols *
find_symbols (PenUserNames *self, const PenTenure *tenure)
{
  const guint8 *id = tenure->build_id;
  guint length = tenure->build_id_length;
  const PenBuildId *known;

  if (length == 0) {
    known = g_hash_table_lookup (self->build_ids, tenure->name);
    if (known) {
      id = known->id;
      length = MIN (known->length, (guint) sizeof known->id);
    }
  }
  return pen_symbol_finder_find (self->finder, tenure->name, id, length);
}

void
pen_user_names_set_spaces (PenUserNames *self, const PenSpace *spaces, guint n)
{
  self->spaces = spaces;
  self->n_spaces = n;
}

/* Returns: (transfer full) (nullable) */
static PenPerfMap *
load_map (PenUserNames *self, gint32 pid)
{
  g_autofree char *name = g_strdup_printf ("perf-%d.map", pid);
  const char *directories[] = { self->map_path, self->map_directory };
  PenPerfMap *map = NULL;
  gint32 own;

  if (self->map_path && pen_perf_map_is_name (self->map_path, &own)) {
    directories[0] = NULL;
    if (own == pid)
      map = pen_perf_map_load (self->map_path, self->cancellable);
  }
  for (guint i = 0; i < G_N_ELEMENTS (directories) && !map; i++)
    if (directories[i]) {
      g_autofree char *path = g_build_filename (directories[i], name, NULL);

      map = pen_perf_map_load (path, self->cancellable);
    }
  return map;
}

static PenPerfMap *
get_map (PenUserNames *self, const PenTenure *tenure)
{
  gpointer map;
  gint32 pid;

  if (tenure->space >= self->n_spaces || (!self->map_path && !self->map_directory))
    return NULL;

  pid = self->spaces[tenure->space].pid;
  if (!g_hash_table_lookup_extended (self->maps, GINT_TO_POINTER (pid), NULL, &map)) {
    map = load_map (self, pid);
    g_hash_table_insert (self->maps, GINT_TO_POINTER (pid), map);
  }
  return map;
}

/* @found: NULL: it is @map */
static guint32
get_file (PenUserNames *self, const PenFoundSymbols *found, PenPerfMap *map, const char *occupant)
{
  gpointer key = found ? (gpointer) found : map;
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (self->file_ids, key));
  File file = { .found = found, .map = map };

  if (id != 0)
    return id;

  file.occupant = g_strdup (occupant);
  g_array_append_val (self->files, file);
  g_hash_table_insert (self->file_ids, key, GUINT_TO_POINTER (self->files->len));
  return self->files->len;
}

static Place *
find_place (PenUserNames *self, const PenTenure *tenure)
{
  Place *place = g_new0 (Place, 1);
  guint64 bias;

  if (tenure->space != PEN_SPACE_KERNEL && tenure->kind == PEN_KIND_ANON
      && tenure->layer == PEN_LAYER_MAP) {
    place->map = get_map (self, tenure);
    if (place->map)
      place->file = get_file (self, NULL, place->map, tenure->occupant);
    return place;
  }
  if (tenure->space == PEN_SPACE_KERNEL
      || (tenure->kind != PEN_KIND_DSO && tenure->kind != PEN_KIND_VDSO))
    return place;

  place->found = find_symbols (self, tenure);
  if (place->found
      && !pen_elf_file_find_bias (place->found->image, tenure->file_offset,
                                  tenure->end - tenure->start, &bias))
    place->found = NULL;
  if (place->found) {
    place->bias = bias + tenure->file_offset - tenure->start;
    place->file = get_file (self, place->found, NULL, tenure->occupant);
  }
  return place;
}

static const Place *
get_place (PenUserNames *self, const PenTenure *tenure)
{
  Place *place;

  if (tenure->id >= self->places->len)
    g_ptr_array_set_size (self->places, (gint) MAX (tenure->id + 1, 2 * self->places->len));
  if (self->places->pdata[tenure->id])
    return self->places->pdata[tenure->id];

  self->places->pdata[tenure->id] = place = find_place (self, tenure);
  if (place->file != 0)
    g_array_append_val (self->named, tenure->id);
  return place;
}

gboolean
pen_user_names_has (PenUserNames *self, const PenTenure *tenure)
{
  return get_place (self, tenure)->file != 0;
}

static const char *
find_demangled (PenUserNames *self, const char *name)
{
  gpointer shown;

  if (g_hash_table_lookup_extended (self->shown, name, NULL, &shown))
    return shown;

  if (!g_hash_table_lookup_extended (self->demangled, name, NULL, &shown)) {
    shown = pen_demangle (name);
    g_hash_table_insert (self->demangled, (gpointer) pen_names_add (self->strings, name), shown);
  }
  g_hash_table_insert (self->shown, (gpointer) name, shown);
  return shown;
}

/* @name: of a file's table, which stays */
static const char *
get_demangled (PenUserNames *self, const char *name)
{
  Shown *recent = &self->recent[pen_hash_mix (0, (guintptr) name) >> 32 & (RECENT - 1)];

  if (recent->name != name)
    *recent = (Shown){ name, find_demangled (self, name) };
  return recent->shown;
}

static gboolean
find_symbol (const Place *place, guint64 address, PenSymbol *found)
{
  if (place->map)
    return pen_perf_map_find (place->map, address, found);
  return place->found
         && (pen_elf_file_find_symbol (place->found->names, address + place->bias, found)
             || pen_elf_file_find_stub (place->found->image, address + place->bias, found));
}

gboolean
pen_user_names_find (PenUserNames *self, const PenTenure *tenure, guint64 address,
                     PenUserSymbol *symbol)
{
  const Place *place = get_place (self, tenure);
  const char *shown;
  PenSymbol found;

  if (!find_symbol (place, address, &found))
    return FALSE;

  shown = get_demangled (self, found.name);
  *symbol = (PenUserSymbol){
    .name = shown ? shown : found.name,
    .linkage_name = shown ? found.name : NULL,
    .start = found.start,
    .length = found.end - found.start,
    .file = place->file,
  };
  return TRUE;
}

const PenFoundSymbols *
pen_user_names_get_file (PenUserNames *self, guint32 id)
{
  return g_array_index (self->files, File, id - 1).found;
}

const char *
pen_user_names_get_occupant (PenUserNames *self, guint32 id)
{
  return g_array_index (self->files, File, id - 1).occupant;
}

GPtrArray *
pen_user_names_get_refused (PenUserNames *self)
{
  return pen_symbol_finder_get_refused (self->finder);
}

static PenStoreNameFile
describe_file (const File *file)
{
  PenStoreNameFile row = { .occupant = file->occupant };

  if (file->map) {
    row.path = pen_perf_map_get_path (file->map);
    row.source = "perf map";
    row.evidence = PEN_EVIDENCE_FILE_UNCHECKED;
    return row;
  }

  row.path = file->found->path;
  row.source = file->found->table;
  row.evidence = file->found->evidence;
  row.build_id_length = file->found->build_id_length;
  memcpy (row.build_id, file->found->build_id, row.build_id_length);
  return row;
}

static gboolean
write_files (PenUserNames *self, PenStoreWriter *writer, GError **error)
{
  for (guint i = self->n_written; i < self->files->len; i++) {
    PenStoreNameFile row = describe_file (&g_array_index (self->files, File, i));

    row.id = i + 1;
    if (!pen_store_writer_add_name_file (writer, &row, error)
        || !pen_found_file_write (row.path, writer, error))
      return FALSE;
  }
  self->n_written = self->files->len;
  return TRUE;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return PEN_COMPARE (*(const guint32 *) a, *(const guint32 *) b);
}

gboolean
pen_user_names_write (PenUserNames *self, PenStoreWriter *writer, GError **error)
{
  if (!write_files (self, writer, error))
    return FALSE;

  g_array_sort (self->named, compare_numbers);
  for (guint i = 0; i < self->named->len; i++) {
    guint32 tenure = g_array_index (self->named, guint32, i);
    const Place *place = self->places->pdata[tenure];

    if (!pen_store_writer_add_named_tenure (writer, tenure, place->file, place->bias, error))
      return FALSE;
  }
  g_array_set_size (self->named, 0);
  return TRUE;
}
