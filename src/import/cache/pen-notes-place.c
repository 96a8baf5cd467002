/* pen-notes-place.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-notes-place.h"

#include <string.h>

#include "pen-import.h"
#include "pen-notes.h"

/* Facts that depend neither on the program nor on the file's place. */
static const char *const origin[]
    = { "hostname", "osrelease", "arch", "command_line", "size", "first_time", "last_time" };

char *
pen_notes_find_place (PenStore *store, const char *opened)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *name = NULL;

  if (!pen_import_is_stream (opened) && pen_store_is_store (opened))
    return g_canonicalize_filename (opened, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (origin); i++) {
    const char *value = pen_store_get_fact (store, origin[i]);

    /* With the NUL at its end. */
    value = value ? value : "";
    g_checksum_update (sum, (const guchar *) value, (gssize) strlen (value) + 1);
  }
  name = g_strconcat (g_checksum_get_string (sum), ".notes", NULL);
  return g_build_filename (g_get_user_data_dir (), "pentimento", "notes", name, NULL);
}

gboolean
pen_notes_copy (PenStore *store, const char *capture, const char *target, GError **error)
{
  g_autofree char *place = pen_notes_find_place (store, capture);
  g_autoptr (GPtrArray) notes = pen_notes_load (place, error);

  for (guint i = 0; notes && i < notes->len; i++) {
    if (!pen_notes_put (target, notes->pdata[i], error))
      return FALSE;
  }
  return notes != NULL;
}
