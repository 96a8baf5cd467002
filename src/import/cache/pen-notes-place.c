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

typedef const char *(*GetFact) (gpointer from, const char *key);

static char *
sum_origin (GetFact get_fact, gpointer from)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (gsize i = 0; i < G_N_ELEMENTS (origin); i++) {
    const char *value = get_fact (from, origin[i]);

    /* With the NUL at its end. */
    value = value ? value : "";
    g_checksum_update (sum, (const guchar *) value, (gssize) strlen (value) + 1);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static char *
find_by_origin (GetFact get_fact, gpointer from)
{
  g_autofree char *sum = sum_origin (get_fact, from);
  g_autofree char *name = g_strconcat (sum, ".notes", NULL);

  return g_build_filename (g_get_user_data_dir (), "pentimento", "notes", name, NULL);
}

static const char *
get_of_store (gpointer store, const char *key)
{
  return pen_store_get_fact (store, key);
}

static const char *
get_of_writer (gpointer writer, const char *key)
{
  return pen_store_writer_get_fact (writer, key);
}

char *
pen_notes_sum_origin (PenStore *store)
{
  return sum_origin (get_of_store, store);
}

char *
pen_notes_find_place (PenStore *store, const char *opened)
{
  if (!pen_import_is_stream (opened) && pen_store_is_store (opened))
    return g_canonicalize_filename (opened, NULL);
  return find_by_origin (get_of_store, store);
}

gboolean
pen_notes_copy (PenStoreWriter *writer, GError **error)
{
  g_autofree char *place = find_by_origin (get_of_writer, writer);
  g_autoptr (GPtrArray) notes = pen_notes_load (place, error);

  for (guint i = 0; notes && i < notes->len; i++) {
    if (!pen_store_writer_add_note (writer, notes->pdata[i], error))
      return FALSE;
  }
  return notes != NULL;
}
