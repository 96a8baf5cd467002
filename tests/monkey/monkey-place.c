/* monkey-place.c: a directory of its own, outside of which nothing is written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-place.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* For each capture. */
#define DAMAGED 3
#define FLIPS_MAX 40

static char *
make_directory (const char *place, const char *name)
{
  char *path = g_build_filename (place, name, NULL);

  g_mkdir_with_parents (path, 0700);
  return path;
}

static void
set_directory (const char *place, const char *variable, const char *name)
{
  g_autofree char *path = make_directory (place, name);

  g_setenv (variable, path, TRUE);
}

/* Icons, schemas, fonts and types of files, without applications. */
static void
link_shared (const char *place)
{
  static const char *const names[] = { "icons", "glib-2.0", "fonts", "themes", "mime", "X11" };
  g_autofree char *shared = make_directory (place, "shared");

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *from = g_build_filename ("/usr/share", names[i], NULL);
    g_autofree char *to = g_build_filename (shared, names[i], NULL);

    if (symlink (from, to) != 0)
      g_error ("%s: %s", to, g_strerror (errno));
  }
  g_setenv ("XDG_DATA_DIRS", shared, TRUE);
}

/* Our helpers, but no recorder: it would record this machine, or run as a command what is typed. */
static void
link_helpers (const char *place)
{
  static const char source_lines[] = "pentimento-source-lines";
  const char *given = g_getenv ("PENTIMENTO_LIBEXEC");
  g_autofree char *helpers = make_directory (place, "libexec");

  if (given) {
    g_autofree char *from = g_build_filename (given, source_lines, NULL);
    g_autofree char *to = g_build_filename (helpers, source_lines, NULL);

    if (symlink (from, to) != 0)
      g_error ("%s: %s", to, g_strerror (errno));
  }
  g_setenv ("PENTIMENTO_LIBEXEC", helpers, TRUE);
}

char *
monkey_place_make (void)
{
  g_autoptr (GError) error = NULL;
  char *place = g_dir_make_tmp ("pentimento-monkey-XXXXXX", &error);

  if (!place)
    g_error ("%s", error->message);
  set_directory (place, "HOME", "home");
  set_directory (place, "TMPDIR", "tmp");
  set_directory (place, "XDG_CACHE_HOME", "cache");
  set_directory (place, "XDG_STATE_HOME", "state");
  set_directory (place, "XDG_DATA_HOME", "data");
  set_directory (place, "XDG_CONFIG_HOME", "config");
  set_directory (place, "XDG_RUNTIME_DIR", "run");
  link_shared (place);
  link_helpers (place);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  g_setenv ("GIO_USE_VFS", "local", TRUE);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("GDK_BACKEND", "x11", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  g_setenv ("GTK_A11Y", "test", FALSE);
  g_setenv ("ADW_DISABLE_PORTAL", "1", TRUE);
  if (chdir (g_getenv ("HOME")) != 0)
    g_error ("%s: %s", place, g_strerror (errno));
  return place;
}

/* Links are removed, and never followed. */
void
monkey_place_remove (const char *place)
{
  g_autoptr (GDir) dir
      = g_file_test (place, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (place, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *child = g_build_filename (place, name, NULL);

    monkey_place_remove (child);
  }
  g_remove (place);
}

static void
write_damaged (const char *from, const char *to, GRand *rand)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize size;

  if (!g_file_get_contents (from, &bytes, &size, &error))
    g_error ("%s", error->message);
  if (g_rand_boolean (rand))
    size = (gsize) (g_rand_double (rand) * (double) size);
  for (int n = g_rand_int_range (rand, 0, FLIPS_MAX); n > 0 && size > 0; n--)
    bytes[(gsize) (g_rand_double (rand) * (double) size)] ^= (char) g_rand_int_range (rand, 1, 255);
  if (!g_file_set_contents_full (to, bytes, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                 &error))
    g_error ("%s", error->message);
}

/* A capture is a file, or a folder of a file and what was copied from the kernel. */
static char *
write_capture (const char *place, const char *capture, guint number, GRand *rand)
{
  g_autofree char *name = g_strdup_printf ("damaged-%u.data", number);
  g_autofree char *data = g_build_filename (capture, "data", NULL);
  g_autofree char *kernel = g_build_filename (capture, "kcore_dir", NULL);
  char *to = g_build_filename (place, name, NULL);

  if (g_file_test (capture, G_FILE_TEST_IS_DIR)) {
    g_autofree char *to_data = g_build_filename (to, "data", NULL);
    g_autofree char *to_kernel = g_build_filename (to, "kcore_dir", NULL);

    g_mkdir_with_parents (to, 0700);
    write_damaged (data, to_data, rand);
    if (symlink (kernel, to_kernel) != 0)
      g_error ("%s: %s", to_kernel, g_strerror (errno));
  } else {
    write_damaged (capture, to, rand);
  }
  return to;
}

GPtrArray *
monkey_place_write_captures (const char *place, char **captures, GRand *rand)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  char *none = g_build_filename (place, "none.data", NULL);

  for (char **capture = captures; *capture; capture++)
    g_ptr_array_add (paths, g_strdup (*capture));
  for (char **capture = captures; *capture; capture++) {
    for (guint i = 0; i < DAMAGED; i++)
      g_ptr_array_add (paths, write_capture (place, *capture, paths->len, rand));
  }
  g_ptr_array_add (paths, g_strdup (place)); /* a folder that is no capture */
  g_ptr_array_add (paths, g_build_filename (place, "missing.data", NULL));
  g_file_set_contents (none, "not a capture", -1, NULL);
  g_ptr_array_add (paths, none);
  return paths;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

char *
monkey_place_dup_store (const char *place, guint32 choice)
{
  g_autofree char *cache = g_build_filename (place, "cache", "pentimento", NULL);
  g_autofree char *damaged = g_build_filename (place, "damaged.pentimento", NULL);
  g_autoptr (GPtrArray) stores = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  const char *name, *store;

  while (dir && (name = g_dir_read_name (dir))) {
    if (g_str_has_suffix (name, ".pentimento"))
      g_ptr_array_add (stores, g_build_filename (cache, name, NULL));
  }
  if (stores->len == 0)
    return NULL;
  g_ptr_array_sort (stores, compare_names);
  store = stores->pdata[choice / 2 % stores->len];
  if (choice % 2 == 0) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (choice);

    write_damaged (store, damaged, rand);
    return g_steal_pointer (&damaged);
  }
  return g_strdup (store);
}
