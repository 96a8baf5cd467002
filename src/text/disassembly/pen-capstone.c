/* pen-capstone.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-capstone.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

/* The version whose header this is compiled with: its layouts are those of that version. */
#define LIBRARY "libcapstone.so." G_STRINGIFY (CS_API_MAJOR)

typedef struct {
  PenCapstone functions;
  char *failure; /* NULL: it is there */
} Loaded;

static void *
find (void *library, const char *name, Loaded *loaded)
{
  void *function = library ? dlsym (library, name) : NULL;

  if (!function && !loaded->failure)
    loaded->failure = g_strdup (dlerror ());
  return function;
}

static gpointer
load (G_GNUC_UNUSED gpointer data)
{
  static Loaded loaded;
  PenCapstone *functions = &loaded.functions;
  void *library = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);

  *(void **) &functions->version = find (library, "cs_version", &loaded);
  *(void **) &functions->open = find (library, "cs_open", &loaded);
  *(void **) &functions->close = find (library, "cs_close", &loaded);
  *(void **) &functions->option = find (library, "cs_option", &loaded);
  *(void **) &functions->strerror = find (library, "cs_strerror", &loaded);
  *(void **) &functions->malloc = find (library, "cs_malloc", &loaded);
  *(void **) &functions->free = find (library, "cs_free", &loaded);
  *(void **) &functions->disasm_iter = find (library, "cs_disasm_iter", &loaded);
  return &loaded;
}

const PenCapstone *
pen_capstone_get (GError **error)
{
  static GOnce once = G_ONCE_INIT;
  const Loaded *loaded = g_once (&once, load, NULL);

  if (!loaded->failure)
    return &loaded->functions;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The decoder cannot be started: %s"),
               loaded->failure);
  return NULL;
}
