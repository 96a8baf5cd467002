/* pen-debug-finder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-debug-finder.h"

#include <string.h>

#include "pen-build-id.h"
#include "pen-debug-link.h"
#include "pen-file-roots.h"
#include "pen-kernel-file.h"
#include "pen-kernel-places.h"
#include "pen-perf-cache.h"
#include "pen-source-lines.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"
#define MAX_ABSENT 1024u

struct _PenDebugFinder {
  char **roots;
  char **caches;
  PenDebuginfod *debuginfod;
  GCancellable *cancellable;
  gboolean has_symfs;
  GPtrArray *absent;
};

/* The file to find, and the results. */
typedef struct {
  PenDebugFinder *finder;
  const PenDebugWanted *wanted;
  char *digits;      /* of the build-id; NULL where it is too short to be found by */
  GPtrArray *absent; /* so far */
  char *found;
  const char *how;
} Search;

PenDebugFinder *
pen_debug_finder_new (const char *symfs, PenDebuginfod *debuginfod, GCancellable *cancellable)
{
  PenDebugFinder *self = g_new0 (PenDebugFinder, 1);

  self->roots = pen_file_roots_new (symfs);
  self->caches = pen_perf_cache_get_directories ();
  self->debuginfod = debuginfod;
  self->has_symfs = symfs != NULL;
  self->cancellable = cancellable;
  self->absent = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
pen_debug_finder_free (PenDebugFinder *self)
{
  if (!self)
    return;

  g_strfreev (self->roots);
  g_strfreev (self->caches);
  g_ptr_array_unref (self->absent);
  g_free (self);
}

GPtrArray *
pen_debug_finder_get_absent (PenDebugFinder *self)
{
  return self->absent;
}

/* ---- is it one? ---- */

static gboolean
is_wanted (const Search *search, PenKernelFile *file)
{
  const PenDebugWanted *wanted = search->wanted;
  guint length;
  const guint8 *own = pen_kernel_file_get_build_id (file, &length);

  return wanted->length == 0
         || pen_build_id_is_same (own, length, wanted->build_id, wanted->length);
}

/* Takes @path. */
static void
try_path (Search *search, char *path, const char *how)
{
  g_autofree char *tried = path;
  g_autoptr (PenKernelFile) file = NULL;

  if (search->found || g_cancellable_is_cancelled (search->finder->cancellable))
    return;
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_ptr_array_add (search->absent, g_steal_pointer (&tried));
    return;
  }

  file = pen_kernel_file_open (path, NULL);
  if (file && is_wanted (search, file) && pen_source_lines_measure_kernel (file) > 0) {
    search->found = g_steal_pointer (&tried);
    search->how = how;
  }
}

/* A debug file without a build-id is recognised by its checksum. */
static void
try_linked (Search *search, char *path, guint32 crc)
{
  g_autofree char *tried = path;
  g_autoptr (PenKernelFile) file = NULL;
  guint length;

  if (search->found || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return;

  file = pen_kernel_file_open (path, NULL);
  if (!file || pen_source_lines_measure_kernel (file) == 0)
    return;
  if (search->wanted->length > 0 && pen_kernel_file_get_build_id (file, &length)
          ? is_wanted (search, file)
          : pen_debug_link_has_crc (path, crc, search->finder->cancellable)) {
    search->found = g_steal_pointer (&tried);
    search->how = "debug link";
  }
}

/* ---- where ---- */

static void
try_build_id (Search *search)
{
  static const char *const names[] = { "debug", "vmlinux", "elf" };
  PenDebugFinder *self = search->finder;

  if (!search->digits)
    return;

  for (guint i = 0; self->caches[i]; i++)
    for (guint k = 0; k < G_N_ELEMENTS (names); k++)
      try_path (search, pen_perf_cache_get_file (self->caches[i], search->digits, names[k]),
                "perf's cache");
  for (guint i = 0; self->roots[i]; i++)
    try_path (search,
              g_strdup_printf ("%s" DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug", self->roots[i],
                               search->digits, search->digits + 2),
              "debug directory");
}

/* Debian keeps "…/virtio_blk.ko" there, Fedora "…/virtio_blk.ko.debug"; what was recorded may be
 * the path of a compressed file. Without a build-id, the recorded machine's files are the user's
 * word. */
static void
try_module_names (Search *search)
{
  const char *name = search->wanted->name;
  const char *slash = strrchr (name, '/');
  const char *end = slash ? strstr (slash, ".ko") : NULL;
  PenDebugFinder *self = search->finder;

  if ((!search->digits && !self->has_symfs) || !end
      || !pen_file_roots_may_follow (name, self->has_symfs))
    return;

  for (guint i = 0; self->roots[i]; i++) {
    g_autofree char *plain = g_strdup_printf ("%s" DEBUG_DIRECTORY "%.*s", self->roots[i],
                                              (int) (end - name) + 3, name);

    try_path (search, g_strconcat (plain, ".debug", NULL), "debug directory");
    try_path (search, g_steal_pointer (&plain), "debug directory");
    /* A module that was not stripped contains it. */
    if (end[strlen (".ko")] == '\0')
      try_path (search, g_strconcat (self->roots[i], name, NULL), "path");
  }
}

static void
try_kernel_names (Search *search)
{
  const char *release = search->wanted->release;
  PenDebugFinder *self = search->finder;

  if (!search->digits || !release || !pen_kernel_places_is_release (release))
    return;

  for (guint i = 0; self->roots[i]; i++) {
    g_auto (GStrv) paths = pen_kernel_places_list (self->roots[i], release);

    for (guint k = 0; paths[k]; k++)
      try_path (search, g_strdup (paths[k]), "path");
  }
}

static void
try_link_in (Search *search, const char *root, const char *directory, const char *link, guint32 crc)
{
  try_linked (search, g_strconcat (root, directory, "/", link, NULL), crc);
  try_linked (search, g_strconcat (root, directory, "/.debug/", link, NULL), crc);
  try_linked (search, g_strconcat (root, DEBUG_DIRECTORY, directory, "/", link, NULL), crc);
}

static void
try_link (Search *search)
{
  const PenDebugWanted *wanted = search->wanted;
  PenDebugFinder *self = search->finder;
  g_autoptr (PenKernelFile) file
      = wanted->known ? pen_kernel_file_open (wanted->known, NULL) : NULL;
  g_autofree char *directory = NULL;
  guint32 crc;
  g_autofree char *link = file ? pen_kernel_file_read_debug_link (file, &crc) : NULL;

  if (!link)
    return;

  directory = g_path_get_dirname (wanted->known);
  try_link_in (search, "", directory, link, crc);
  if (!pen_file_roots_may_follow (wanted->name, self->has_symfs))
    return;

  g_free (directory);
  directory = g_path_get_dirname (wanted->name);
  for (guint i = 0; self->roots[i]; i++)
    try_link_in (search, self->roots[i], directory, link, crc);
}

static void
ask_debuginfod (Search *search, gboolean *is_fetched)
{
  const PenDebugWanted *wanted = search->wanted;
  PenDebugFinder *self = search->finder;
  char *path;

  if (search->found || !self->debuginfod || !search->digits
      || g_cancellable_is_cancelled (self->cancellable))
    return;

  path = pen_debuginfod_find (self->debuginfod, wanted->build_id, wanted->length,
                              PEN_DEBUGINFOD_DEBUGINFO);
  if (path)
    try_path (search, path, "debuginfod");
  *is_fetched = search->found != NULL;
}

char *
pen_debug_finder_find (PenDebugFinder *self, const PenDebugWanted *wanted, const char **found,
                       gboolean *is_fetched)
{
  Search search = { .finder = self, .wanted = wanted };

  *is_fetched = FALSE;
  search.absent = g_ptr_array_new_with_free_func (g_free);
  if (wanted->length >= 2)
    search.digits = pen_build_id_to_string (wanted->build_id, wanted->length);

  if (wanted->known)
    try_path (&search, g_strdup (wanted->known), "given");
  try_build_id (&search);
  try_module_names (&search);
  try_kernel_names (&search);
  if (!search.found)
    try_link (&search);
  ask_debuginfod (&search, is_fetched);

  for (guint i = 0; !search.found && i < search.absent->len; i++)
    if (self->absent->len < MAX_ABSENT)
      g_ptr_array_add (self->absent, g_strdup (g_ptr_array_index (search.absent, i)));
  g_ptr_array_unref (search.absent);
  g_free (search.digits);
  *found = search.how;
  return search.found;
}
