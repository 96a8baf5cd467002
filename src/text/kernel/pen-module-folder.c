/* pen-module-folder.c: a copy of /sys/module
 *
 * Each module has a folder: sections/NAME has the address of one section, as "0xffffffffc0201000";
 * notes/.note.gnu.build-id is that section's content (kernel/module/sysfs.c). Built-in code has
 * a folder without sections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-modules.h"

#include <string.h>
#include <unistd.h>

#include "pen-build-id.h"
#include "pen-module-text.h"
#include "pen-regular-file.h"

#define MAX_FOLDERS 65536u
#define MAX_SECTIONS 4096u
#define MAX_NOTE 4096u
#define MAX_ADDRESS 32u

/* Returns: how many bytes of the file are in @buffer, 0 if it cannot be read */
static gsize
read_start (const char *path, char *buffer, gsize length)
{
  guint64 size;
  int fd = pen_regular_file_open (path, &size, NULL);
  gssize n = fd >= 0 ? read (fd, buffer, length) : 0;

  if (fd >= 0)
    close (fd);
  return n > 0 ? (gsize) n : 0;
}

/* Hidden addresses (kptr_restrict) are 0. */
static guint64
read_address (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  char text[MAX_ADDRESS + 1] = "";
  guint64 address = 0;

  text[read_start (path, text, MAX_ADDRESS)] = '\0';
  g_strchomp (text);
  return pen_module_text_parse_address (text, &address) ? address : 0;
}

static gboolean
read_sections (const char *folder, PenModule *module)
{
  g_autofree char *directory = g_build_filename (folder, "sections", NULL);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint64 first = G_MAXUINT64;
  guint64 last = 0;
  const char *name;

  for (guint i = 0; dir && i < MAX_SECTIONS && (name = g_dir_read_name (dir)); i++) {
    guint64 address = pen_module_text_is_section (name) ? read_address (directory, name) : 0;

    if (address == 0)
      continue;
    first = MIN (first, address);
    last = MAX (last, address);
  }
  return pen_module_text_place (first, last, module);
}

static void
read_build_id (const char *folder, PenModule *module)
{
  g_autofree char *path = g_build_filename (folder, "notes", ".note.gnu.build-id", NULL);
  g_autofree char *notes = g_malloc (MAX_NOTE);
  gsize n = read_start (path, notes, MAX_NOTE);
  guint length = 0;
  const guint8 *id = pen_build_id_find_in_notes ((const guint8 *) notes, n, &length);

  if (!id || length > sizeof module->build_id)
    return;
  memcpy (module->build_id, id, length);
  module->build_id_length = (guint8) length;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GArray *
pen_module_folder_load (const char *path, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GArray *modules;
  const char *name;

  if (!dir)
    return NULL;

  modules = g_array_new (FALSE, FALSE, sizeof (PenModule));
  g_array_set_clear_func (modules, (GDestroyNotify) pen_module_clear);
  while (names->len < MAX_FOLDERS && (name = g_dir_read_name (dir)))
    if (strlen (name) <= PEN_MODULE_TEXT_NAME_MAX)
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *folder = g_build_filename (path, g_ptr_array_index (names, i), NULL);
    PenModule module = { 0 };

    if (!read_sections (folder, &module))
      continue;
    module.name = g_strdup_printf ("[%s]", (const char *) g_ptr_array_index (names, i));
    g_strdelimit (module.name, "-", '_');
    read_build_id (folder, &module);
    g_array_append_val (modules, module);
  }
  return modules;
}
