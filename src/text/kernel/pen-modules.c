/* pen-modules.c: a copy of /proc/modules
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-modules.h"

#include <string.h>

#include "pen-regular-file.h"

#define MAX_MODULES 65536u

void
pen_module_clear (PenModule *module)
{
  g_clear_pointer (&module->name, g_free);
}

/* "virtio_blk 28672 1 - Live 0xffffffffc0237000 (E)": name, length, users, by whom, state, address
 */
static gboolean
parse_line (char *line, PenModule *module)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 7);
  guint64 length;
  guint64 start;

  if (g_strv_length (words) < 6 || words[0][0] == '\0' || !g_str_has_prefix (words[5], "0x"))
    return FALSE;
  if (!g_ascii_string_to_unsigned (words[1], 10, 1, G_MAXUINT32, &length, NULL)
      || !g_ascii_string_to_unsigned (words[5] + 2, 16, 1, G_MAXUINT64 - length, &start, NULL))
    return FALSE;

  module->name = g_strdup_printf ("[%s]", words[0]);
  g_strdelimit (module->name, "-", '_');
  module->start = start;
  module->length = length;
  return TRUE;
}

GArray *
pen_modules_load (const char *path, GError **error)
{
  g_autoptr (PenLineReader) reader = pen_line_reader_new (path, error);
  g_autoptr (GArray) modules = g_array_new (FALSE, FALSE, sizeof (PenModule));
  GError *local_error = NULL;
  char *line;

  if (!reader)
    return NULL;

  g_array_set_clear_func (modules, (GDestroyNotify) pen_module_clear);
  while (modules->len < MAX_MODULES && pen_line_reader_next (reader, &line, &local_error)) {
    PenModule module = { 0 };

    if (line && parse_line (line, &module))
      g_array_append_val (modules, module);
  }

  if (local_error) {
    g_propagate_error (error, local_error);
    return NULL;
  }
  return g_steal_pointer (&modules);
}
