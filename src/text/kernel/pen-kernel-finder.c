/* pen-kernel-finder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-finder.h"

#include <string.h>

#include "pen-build-id.h"
#include "pen-file-roots.h"
#include "pen-kernel-places.h"
#include "pen-map-name.h"
#include "pen-perf-cache.h"
#include "pen-reason.h"
#include "pen-regular-file.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"
#define MAX_REFUSED 64u
#define MAX_SNAPSHOTS 64u
/* /lib/modules/RELEASE/modules.dep has a line for each module. */
#define MAX_LINES 65536u

struct _PenKernelFinder {
  char **roots;
  char **caches;
  char *release;
  gboolean has_symfs;
  PenDebuginfod *debuginfod;
  GPtrArray *refused;
};

/* The file to find. */
typedef struct {
  const guint8 *build_id;
  guint length;
  char *digits; /* of the build-id; NULL where it is too short to be found by */
  gboolean is_module;
} Wanted;

static void
wanted_init (Wanted *wanted, const guint8 *build_id, guint length, gboolean is_module)
{
  *wanted = (Wanted){ .build_id = build_id, .length = length, .is_module = is_module };
  wanted->digits = length >= 2 ? pen_build_id_to_string (build_id, length) : NULL;
}

static void
wanted_clear (Wanted *wanted)
{
  g_free (wanted->digits);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wanted, wanted_clear)

static void
refused_free (gpointer data)
{
  PenRefusedFile *refused = data;

  g_free (refused->path);
  g_free (refused->reason);
  g_free (refused);
}

PenKernelFinder *
pen_kernel_finder_new (const char *symfs, const char *release, PenDebuginfod *debuginfod)
{
  PenKernelFinder *self = g_new0 (PenKernelFinder, 1);

  self->roots = pen_file_roots_new (symfs);
  self->caches = pen_perf_cache_get_directories ();
  /* It becomes part of paths. */
  if (release && pen_kernel_places_is_release (release))
    self->release = g_strdup (release);
  self->has_symfs = symfs != NULL;
  self->debuginfod = debuginfod;
  self->refused = g_ptr_array_new_with_free_func (refused_free);
  return self;
}

void
pen_kernel_finder_free (PenKernelFinder *self)
{
  if (!self)
    return;

  g_ptr_array_unref (self->refused);
  g_strfreev (self->roots);
  g_strfreev (self->caches);
  g_free (self->release);
  g_free (self);
}

/* Takes @reason. */
static void
keep_refused (PenKernelFinder *self, const char *path, char *reason)
{
  PenRefusedFile *refused = g_new0 (PenRefusedFile, 1);

  refused->path = g_strdup (path);
  refused->reason = reason;
  if (self->refused->len < MAX_REFUSED)
    g_ptr_array_add (self->refused, refused);
  else
    refused_free (refused);
}

static void
refuse (PenKernelFinder *self, const Wanted *wanted, PenKernelFile *file)
{
  g_autofree char *digits = NULL;
  const guint8 *own;
  guint length;

  own = pen_kernel_file_get_build_id (file, &length);
  digits = pen_build_id_to_string (own, length);
  keep_refused (self, pen_kernel_file_get_path (file),
                length > 0
                    ? pen_reason_new (PEN_REASON_OTHER_BUILD_ID, digits, wanted->digits, NULL)
                    : pen_reason_new (PEN_REASON_NO_BUILD_ID, wanted->digits, NULL));
}

/* Returns: (nullable): only a file that was recorded */
static PenKernelFile *
open_checked (PenKernelFinder *self, const Wanted *wanted, const char *path)
{
  g_autoptr (PenKernelFile) file = pen_kernel_file_open (path, NULL);
  const guint8 *own;
  guint length;

  if (!file || pen_kernel_file_is_module (file) != wanted->is_module)
    return NULL;
  if (wanted->length == 0)
    return g_steal_pointer (&file);

  own = pen_kernel_file_get_build_id (file, &length);
  if (pen_build_id_is_same (own, length, wanted->build_id, wanted->length))
    return g_steal_pointer (&file);
  refuse (self, wanted, file);
  return NULL;
}

static PenKernelFile *
find_in_caches (PenKernelFinder *self, const Wanted *wanted)
{
  static const char *const names[] = { "elf", "vmlinux", "debug", "" };
  PenKernelFile *file = NULL;

  for (guint i = 0; wanted->digits && self->caches[i] && !file; i++)
    for (guint k = 0; k < G_N_ELEMENTS (names) && !file; k++) {
      g_autofree char *path = pen_perf_cache_get_file (self->caches[i], wanted->digits, names[k]);

      file = open_checked (self, wanted, path);
    }
  return file;
}

static PenKernelFile *
find_in_debug_directories (PenKernelFinder *self, const Wanted *wanted)
{
  PenKernelFile *file = NULL;

  for (guint i = 0; wanted->digits && self->roots[i] && !file; i++) {
    g_autofree char *path = g_strdup_printf ("%s" DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug",
                                             self->roots[i], wanted->digits, wanted->digits + 2);

    file = open_checked (self, wanted, path);
  }
  return file;
}

static PenKernelFile *
find_at_usual_places (PenKernelFinder *self, const Wanted *wanted)
{
  PenKernelFile *file = NULL;

  for (guint i = 0; self->roots[i] && !file; i++) {
    g_auto (GStrv) paths = pen_kernel_places_list (self->roots[i], self->release);

    for (guint k = 0; paths[k] && !file; k++)
      file = open_checked (self, wanted, paths[k]);
  }
  return file;
}

static PenKernelFile *
ask_debuginfod (PenKernelFinder *self, const Wanted *wanted)
{
  static const PenDebuginfodKind kinds[] = { PEN_DEBUGINFOD_DEBUGINFO, PEN_DEBUGINFOD_EXECUTABLE };
  PenKernelFile *file = NULL;

  for (guint i = 0; self->debuginfod && wanted->length > 0 && i < G_N_ELEMENTS (kinds) && !file;
       i++) {
    g_autofree char *path
        = pen_debuginfod_find (self->debuginfod, wanted->build_id, wanted->length, kinds[i]);

    file = path ? open_checked (self, wanted, path) : NULL;
  }
  return file;
}

PenKernelFile *
pen_kernel_finder_find_kernel (PenKernelFinder *self, const guint8 *build_id, guint length,
                               const char **found)
{
  g_auto (Wanted) wanted = { 0 };
  PenKernelFile *file;

  /* A file of this machine is used only if it can be compared. */
  if (length == 0)
    return NULL;

  wanted_init (&wanted, build_id, length, FALSE);
  *found = "perf's cache";
  file = find_in_caches (self, &wanted);
  if (!file) {
    *found = "debug directory";
    file = find_in_debug_directories (self, &wanted);
  }
  if (!file) {
    *found = "path";
    file = find_at_usual_places (self, &wanted);
  }
  if (!file) {
    *found = "debuginfod";
    file = ask_debuginfod (self, &wanted);
  }
  return file;
}

/* ---- modules ---- */

/* With debug information or without, compressed or not. */
static PenKernelFile *
open_with_suffixes (PenKernelFinder *self, const Wanted *wanted, const char *path)
{
  static const char *const suffixes[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };
  const char *base = strrchr (path, '/');
  const char *end = base ? strstr (base, ".ko") : NULL;
  g_autofree char *stem = end ? g_strndup (path, (gsize) (end - path)) : g_strdup (path);
  PenKernelFile *file = NULL;

  for (guint i = 0; self->roots[i] && !file; i++) {
    static const char *const before[] = { "", DEBUG_DIRECTORY };

    for (guint k = 0; k < G_N_ELEMENTS (before) && !file; k++)
      for (guint s = 0; s < G_N_ELEMENTS (suffixes) && !file; s++) {
        g_autofree char *full = g_strconcat (self->roots[i], before[k], stem, suffixes[s], NULL);

        file = open_checked (self, wanted, full);
      }
  }
  return file;
}

/* Is "kernel/drivers/block/virtio-blk.ko.xz" the file of "[virtio_blk]"? */
static gboolean
is_file_of (const char *path, const char *occupant)
{
  const char *base = strrchr (path, '/');
  const char *end;
  gsize n = strlen (occupant);

  base = base ? base + 1 : path;
  end = strstr (base, ".ko");
  if (!end || n < 2 || (gsize) (end - base) != n - 2)
    return FALSE;

  for (gsize i = 0; i < n - 2; i++)
    if ((base[i] == '-' ? '_' : base[i]) != (occupant[i + 1] == '-' ? '_' : occupant[i + 1]))
      return FALSE;
  return TRUE;
}

/* "kernel/fs/ext4/ext4.ko: kernel/lib/crc16.ko …". Returns: (nullable) (transfer full) */
static char *
find_in_list (PenKernelFinder *self, const char *root, const char *occupant)
{
  g_autofree char *directory = g_strconcat (root, "/lib/modules/", self->release, NULL);
  g_autofree char *path = g_build_filename (directory, "modules.dep", NULL);
  g_autoptr (PenLineReader) reader = pen_line_reader_new (path, NULL);
  char *line;

  for (guint i = 0; reader && i < MAX_LINES && pen_line_reader_next (reader, &line, NULL); i++) {
    char *colon = line ? strchr (line, ':') : NULL;

    if (!colon)
      continue;
    *colon = '\0';
    if (is_file_of (line, occupant) && !strstr (line, ".."))
      return *line == '/' ? g_strdup (line)
                          : g_strconcat ("/lib/modules/", self->release, "/", line, NULL);
  }
  return NULL;
}

static void
list_file (const char *root, const char *release, const char *line, GPtrArray *paths)
{
  if (strstr (line, "..") || !strstr (line, ".ko"))
    return;
  g_ptr_array_add (paths, *line == '/'
                              ? g_strconcat (root, line, NULL)
                              : g_strconcat (root, "/lib/modules/", release, "/", line, NULL));
}

static char *
get_list (PenKernelFinder *self, const char *root)
{
  return self->release ? g_strconcat (root, "/lib/modules/", self->release, "/modules.dep", NULL)
                       : NULL;
}

/* Returns: (nullable): the first that has one */
static const char *
find_root_of_list (PenKernelFinder *self)
{
  for (guint i = 0; self->release && self->roots[i]; i++) {
    g_autofree char *path = get_list (self, self->roots[i]);

    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return self->roots[i];
  }
  return NULL;
}

char *
pen_kernel_finder_get_module_list (PenKernelFinder *self)
{
  const char *root = find_root_of_list (self);

  return root ? get_list (self, root) : NULL;
}

GPtrArray *
pen_kernel_finder_list_modules (PenKernelFinder *self)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *root = find_root_of_list (self);
  g_autofree char *path = root ? get_list (self, root) : NULL;
  g_autoptr (PenLineReader) reader = path ? pen_line_reader_new (path, NULL) : NULL;
  char *line;

  for (guint i = 0; reader && i < MAX_LINES && pen_line_reader_next (reader, &line, NULL); i++) {
    char *colon = line ? strchr (line, ':') : NULL;

    if (!colon)
      continue;
    *colon = '\0';
    list_file (root, self->release, line, paths);
  }
  return paths;
}

static PenKernelFile *
find_by_list (PenKernelFinder *self, const Wanted *wanted, const char *occupant)
{
  PenKernelFile *file = NULL;

  for (guint i = 0; self->release && self->roots[i] && !file; i++) {
    g_autofree char *path = find_in_list (self, self->roots[i], occupant);

    file = path ? open_with_suffixes (self, wanted, path) : NULL;
  }
  return file;
}

PenKernelFile *
pen_kernel_finder_find_module (PenKernelFinder *self, const char *name, const guint8 *build_id,
                               guint length, const char **found)
{
  g_auto (Wanted) wanted = { 0 };
  PenKernelFile *file;

  if (length == 0 && !self->has_symfs)
    return NULL;

  wanted_init (&wanted, build_id, length, TRUE);
  *found = "perf's cache";
  file = find_in_caches (self, &wanted);
  if (!file) {
    *found = "debug directory";
    file = find_in_debug_directories (self, &wanted);
  }
  if (!file) {
    *found = "path";
    if (pen_file_roots_may_follow (name, self->has_symfs))
      file = open_with_suffixes (self, &wanted, name);
    else if (pen_file_roots_is_refused (name))
      keep_refused (self, name, g_strdup (PEN_REASON_PLACE_REFUSED));
    else if (*name == '[')
      file = find_by_list (self, &wanted, name);
  }
  if (!file) {
    *found = "debuginfod";
    file = ask_debuginfod (self, &wanted);
  }
  return file;
}

/* ---- copies of /proc ---- */

char *
pen_kernel_finder_find_kallsyms (PenKernelFinder *self, const guint8 *build_id, guint length)
{
  g_autofree char *digits = length >= 2 ? pen_build_id_to_string (build_id, length) : NULL;

  for (guint i = 0; digits && self->caches[i]; i++) {
    g_autofree char *path = pen_perf_cache_get_file (self->caches[i], digits, "kallsyms");
    g_autofree char *named
        = g_build_filename (self->caches[i], PEN_CORE_KERNEL, digits, "kallsyms", NULL);

    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&path);
    if (g_file_test (named, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&named);
  }
  return NULL;
}

/* Their names are times: the greatest is the newest. */
static int
compare_names_down (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) b, *(const char *const *) a);
}

char **
pen_kernel_finder_find_kcores (PenKernelFinder *self, const guint8 *build_id, guint length)
{
  g_autofree char *digits = length >= 2 ? pen_build_id_to_string (build_id, length) : NULL;
  GPtrArray *paths = g_ptr_array_new ();

  for (guint i = 0; digits && self->caches[i]; i++) {
    g_autofree char *directory = g_build_filename (self->caches[i], "[kernel.kcore]", digits, NULL);
    g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
    const char *name;

    while (dir && paths->len < MAX_SNAPSHOTS && (name = g_dir_read_name (dir)))
      g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  }
  g_ptr_array_sort (paths, compare_names_down);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

GPtrArray *
pen_kernel_finder_get_refused (PenKernelFinder *self)
{
  return self->refused;
}
