/* pen-module-sections.c: files of /sys/module as lines of a file (docs/recording.md)
 *
 * A line has a path, a blank, and what the file there holds: of a section its address, of notes
 * their bytes in hexadecimal. The paths are names here: nothing is opened.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-modules.h"

#include <string.h>

#include "pen-build-id.h"
#include "pen-module-text.h"
#include "pen-regular-file.h"
#include "pen-table-hash.h"

#define ROOT "/sys/module/"
#define SECTIONS "/sections/"
#define BUILD_ID "/notes/.note.gnu.build-id"
#define LOAD "load "
/* A kernel has some hundred modules; each has some sixty sections. */
#define MAX_MODULES 65536u
#define MAX_LINES (1u << 22)
#define MAX_NOTE 1024u

/* @first, @last: addresses of sections with text; 0: none yet
 * @time: of the load that the lines are of; 0: they are of a list */
typedef struct {
  char *name;
  guint64 first;
  guint64 last;
  guint64 time;
  guint8 build_id[20];
  guint8 build_id_length;
} Found;

/* @by_name: name → index in @found, from 1. A load begins anew */
typedef struct {
  GArray *found;
  GHashTable *by_name;
  char *loaded; /* NULL: lines of all modules are wanted */
  guint64 time;
} Listing;

static void
found_clear (gpointer data)
{
  g_free (((Found *) data)->name);
}

/* Returns: (nullable): one more than there may be */
static Found *
get_found (Listing *self, const char *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));
  Found found = { .time = self->time };

  if (index == 0 && self->found->len < MAX_MODULES) {
    found.name = g_strdup (name);
    g_array_append_val (self->found, found);
    index = self->found->len;
    g_hash_table_insert (self->by_name, g_strdup (name), GUINT_TO_POINTER (index));
  }
  return index > 0 ? &g_array_index (self->found, Found, index - 1) : NULL;
}

static void
take_section (Found *found, const char *name, const char *value)
{
  guint64 address;

  if (!pen_module_text_is_section (name) || !pen_module_text_parse_address (value, &address))
    return;
  found->first = found->first == 0 ? address : MIN (found->first, address);
  found->last = MAX (found->last, address);
}

static void
take_notes (Found *found, const char *digits)
{
  guint8 notes[MAX_NOTE];
  gsize n = strlen (digits) / 2;
  const guint8 *id;
  guint length = 0;

  if (n > sizeof notes)
    return;
  for (gsize i = 0; i < n; i++) {
    int high = g_ascii_xdigit_value (digits[2 * i]);
    int low = g_ascii_xdigit_value (digits[2 * i + 1]);

    if (high < 0 || low < 0)
      return;
    notes[i] = (guint8) (high << 4 | low);
  }
  id = pen_build_id_find_in_notes (notes, n, &length);
  if (!id || length > sizeof found->build_id)
    return;
  memcpy (found->build_id, id, length);
  found->build_id_length = (guint8) length;
}

/* "/sys/module/NAME/sections/.text 0xffffffffc0201000" */
static void
take_file (Listing *self, char *line)
{
  char *value = strchr (line, ' ');
  char *name = line + strlen (ROOT);
  char *rest = strchr (name, '/');
  gboolean is_section = rest && g_str_has_prefix (rest, SECTIONS);
  g_autofree char *module = NULL;
  Found *found;

  if (!value || !rest || rest == name || rest > value)
    return;
  *value++ = '\0';
  if ((!is_section && !g_str_equal (rest, BUILD_ID))
      || (gsize) (rest - name) > PEN_MODULE_TEXT_NAME_MAX)
    return;
  module = g_strndup (name, (gsize) (rest - name));
  found = !self->loaded || g_str_equal (module, self->loaded) ? get_found (self, module) : NULL;
  if (found && is_section)
    take_section (found, rest + strlen (SECTIONS), value);
  else if (found)
    take_notes (found, value);
}

/* "load 2806802261370 NAME" */
static void
take_load (Listing *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 3);

  g_clear_pointer (&self->loaded, g_free);
  self->time = 0;
  g_hash_table_remove_all (self->by_name);
  if (g_strv_length (words) == 3
      && g_ascii_string_to_unsigned (words[1], 10, 1, G_MAXUINT64, &self->time, NULL))
    self->loaded = g_strdup (words[2]);
  else
    self->loaded = g_strdup ("");
}

static gboolean
read_lines (Listing *self, const char *path, GError **error)
{
  g_autoptr (PenLineReader) reader = pen_line_reader_new (path, error);
  GError *local_error = NULL;
  char *line;

  if (!reader)
    return FALSE;
  for (guint i = 0; i < MAX_LINES && pen_line_reader_next (reader, &line, &local_error); i++) {
    if (line && g_str_has_prefix (line, ROOT))
      take_file (self, line);
    else if (line && g_str_has_prefix (line, LOAD))
      take_load (self, line);
  }
  if (!local_error)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static GArray *
make_modules (const Listing *self)
{
  GArray *modules = g_array_new (FALSE, FALSE, sizeof (PenModule));

  g_array_set_clear_func (modules, (GDestroyNotify) pen_module_clear);
  for (guint i = 0; i < self->found->len; i++) {
    const Found *found = &g_array_index (self->found, Found, i);
    PenModule module = { .time = found->time, .build_id_length = found->build_id_length };

    if (!pen_module_text_place (found->first, found->last, &module))
      continue;
    module.name = g_strdup_printf ("[%s]", found->name);
    g_strdelimit (module.name, "-", '_');
    memcpy (module.build_id, found->build_id, sizeof module.build_id);
    g_array_append_val (modules, module);
  }
  return modules;
}

GArray *
pen_module_sections_load (const char *path, const char *notes, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  Listing listing = { .found = found, .by_name = by_name };
  gboolean is_ok;

  g_array_set_clear_func (found, found_clear);
  /* Without notes, places are known all the same. */
  is_ok = read_lines (&listing, path, error);
  if (is_ok && notes)
    read_lines (&listing, notes, NULL);
  g_free (listing.loaded);
  return is_ok ? make_modules (&listing) : NULL;
}
