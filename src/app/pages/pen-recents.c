/* pen-recents.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recents.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-display.h"
#include "pen-format.h"

#define APPLICATION "Pentimento"
/* GTK's dialogs add what was written, too, under our name: the type is that of recordings, not
 * exports.
 */
#define RECORDING_TYPE "application/x-perf-data"

static void
free_recent (PenRecent *recent)
{
  g_free (recent->uri);
  g_free (recent->name);
  g_free (recent->folder);
  g_free (recent);
}

static gint
compare_visited (gconstpointer a, gconstpointer b)
{
  GtkRecentInfo *x = (GtkRecentInfo *) a, *y = (GtkRecentInfo *) b;

  return g_date_time_compare (gtk_recent_info_get_modified (y), gtk_recent_info_get_modified (x));
}

/* "perf.data" is what they are all called: the folder tells them apart. */
static char *
name_file (const char *path)
{
  g_autofree char *base = pen_format_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *folder_base = pen_format_basename (folder);

  if (!g_str_has_prefix (base, "perf.data") || folder_base[0] == '/')
    return g_steal_pointer (&base);
  return g_build_filename (folder_base, base, NULL);
}

static char *
shorten_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *home = g_get_home_dir ();
  g_autofree char *shown = NULL;

  /* The folder itself is named: GTK 4.8 complains about a label that is narrower than an ellipsis.
   */
  if (home && g_str_has_prefix (folder, home) && folder[strlen (home)] == '/')
    shown = g_strconcat ("~", folder + strlen (home), NULL);
  return pen_display_text (shown ? shown : folder);
}

GPtrArray *
pen_recents_list (guint max)
{
  g_autolist (GtkRecentInfo) items
      = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  GPtrArray *recents = g_ptr_array_new_with_free_func ((GDestroyNotify) free_recent);

  items = g_list_sort (items, compare_visited);
  for (GList *l = items; l && recents->len < max; l = l->next) {
    const char *uri = gtk_recent_info_get_uri (l->data);
    g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
    PenRecent *recent;

    if (!path || !gtk_recent_info_has_application (l->data, APPLICATION)
        || g_strcmp0 (gtk_recent_info_get_mime_type (l->data), RECORDING_TYPE) != 0)
      continue;
    recent = g_new0 (PenRecent, 1);
    recent->uri = g_strdup (uri);
    recent->name = name_file (path);
    recent->folder = shorten_folder (path);
    g_ptr_array_add (recents, recent);
  }
  return recents;
}

static char *
get_uri (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  return g_filename_to_uri (absolute, NULL, NULL);
}

void
pen_recents_add (const char *path)
{
  g_autofree char *uri = get_uri (path);
  GtkRecentData data = {
    .mime_type = (char *) RECORDING_TYPE,
    .app_name = (char *) APPLICATION,
    .app_exec = (char *) "pentimento %f",
    .is_private = FALSE,
  };

  if (uri)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

void
pen_recents_remove (const char *path)
{
  g_autofree char *uri = get_uri (path);

  if (uri)
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
}

void
pen_recents_clear (void)
{
  g_autoptr (GPtrArray) recents = pen_recents_list (G_MAXUINT);

  for (guint i = 0; i < recents->len; i++)
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (),
                                    ((PenRecent *) recents->pdata[i])->uri, NULL);
}

void
pen_recents_fill_menu (GMenu *menu, guint max)
{
  g_autoptr (GPtrArray) recents = pen_recents_list (max);
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_remove_all (menu);
  for (guint i = 0; i < recents->len; i++) {
    const PenRecent *recent = recents->pdata[i];
    g_auto (GStrv) parts = g_strsplit (recent->name, "_", -1);
    /* No letter of a name is a mnemonic. */
    g_autofree char *label = g_strjoinv ("__", parts);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, "win.open-recent", "s", recent->uri);
    g_menu_append_item (menu, item);
  }
  if (recents->len > 0) {
    g_menu_append (section, _ ("_Clear List"), "win.clear-recents");
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  }
}

void
pen_recents_watch (GObject *owner, GCallback func)
{
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", func, owner,
                           G_CONNECT_SWAPPED);
}
