/* pen-info-build-ids.c: which files can be told by their contents
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-store-occupants.h"
#include "pen-store-sources.h"
#include "pen-table-hash.h"

#include <glib/gi18n-lib.h>

/*
 * Build-ids come from the recorder's list, and with maps.
 * @told: "NAME ID" of those that have a row
 * @listed: names in the recorder's list
 * @with, @without: names of mapped files
 */
typedef struct {
  PenInfoSheet *sheet;
  GHashTable *told;
  GHashTable *listed;
  GHashTable *with;
  GHashTable *without;
} BuildIds;

static void
tell_build_id (BuildIds *ids, const char *name, const guint8 *id, gsize length)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char *both;

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", id[i]);
  both = g_strdup_printf ("%s %s", name, text->str);
  if (g_hash_table_add (ids->told, both))
    pen_info_sheet_tell_data (ids->sheet, name, text->str);
}

static gboolean
has_file (PenKind kind)
{
  return kind == PEN_KIND_KERNEL || kind == PEN_KIND_MODULE || kind == PEN_KIND_DSO;
}

static gboolean
look_at_tenure (const PenTenure *tenure, gpointer user_data)
{
  BuildIds *ids = user_data;
  gpointer name = (gpointer) tenure->occupant;
  gboolean is_known = tenure->build_id_length > 0 || g_hash_table_contains (ids->listed, name);

  if (!has_file (tenure->kind))
    return TRUE;
  g_hash_table_add (is_known ? ids->with : ids->without, name);
  if (tenure->build_id_length > 0)
    tell_build_id (ids, tenure->occupant, tenure->build_id, tenure->build_id_length);
  return TRUE;
}

static gboolean
tell_list (BuildIds *ids, GError **error)
{
  g_autoptr (GArray) list = pen_store_load_build_ids (ids->sheet->query->store, error);

  for (guint i = 0; list && i < list->len; i++) {
    const PenStoredBuildId *row = &g_array_index (list, PenStoredBuildId, i);

    g_hash_table_add (ids->listed, (gpointer) row->name);
    tell_build_id (ids, row->name, row->id, row->id_length);
  }
  return list != NULL;
}

void
pen_info_tell_build_ids (PenInfoSheet *sheet)
{
  g_autoptr (GHashTable) told = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new (pen_str_hash, g_str_equal);
  g_autoptr (GHashTable) with = g_hash_table_new (pen_str_hash, g_str_equal);
  g_autoptr (GHashTable) without = g_hash_table_new (pen_str_hash, g_str_equal);
  BuildIds ids = { sheet, told, listed, with, without };

  pen_info_sheet_begin_group (sheet, N_ ("Build-ids"), "build-id");
  if (sheet->error || !tell_list (&ids, &sheet->error)
      || !pen_store_foreach_tenure (sheet->query->store, TRUE, look_at_tenure, &ids, &sheet->error))
    return;
  pen_info_sheet_begin_group (sheet, N_ ("Maps of files"), "mapped files");
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "with a build-id"), g_hash_table_size (with));
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "without"), g_hash_table_size (without));
}
