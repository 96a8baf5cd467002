/* pen-cache-row.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cache-row.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-table.h"

struct _PenCacheRow {
  AdwActionRow parent_instance;

  GtkLabel *size;
  GtkWidget *remove;
};

G_DEFINE_FINAL_TYPE (PenCacheRow, pen_cache_row, ADW_TYPE_ACTION_ROW)

static const char *
state_in_words (const PenCacheEntry *entry)
{
  static const char *const words[PEN_CACHE_STATES] = {
    [PEN_CACHE_COMPLETE] = N_ ("Complete"),
    [PEN_CACHE_IMPORTING] = N_ ("Importing"),
    [PEN_CACHE_LEFT] = N_ ("Incomplete: the import was killed"),
    [PEN_CACHE_OTHER_VERSION] = N_ ("Made by another version of Pentimento"),
    [PEN_CACHE_DAMAGED] = N_ ("Damaged"),
    [PEN_CACHE_KERNEL_TEXT] = N_ ("Text of a kernel"),
  };

  return entry->state == PEN_CACHE_COMPLETE && entry->is_in_use ? _ ("In use")
                                                                : _ (words[entry->state]);
}

static char *
use_in_words (gint64 used)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (used / G_USEC_PER_SEC);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (!time)
    return g_strdup (_ ("last use unknown"));
  if (g_date_time_get_year (time) == g_date_time_get_year (now)
      && g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (now))
    return g_date_time_format (time, _ ("used today at %H:%M"));
  return g_date_time_format (time, _ ("used on %-d %B %Y"));
}

/* Captures have the same name as often as not: the folder tells them apart. */
static char *
place_in_words (const PenCacheEntry *entry)
{
  g_autofree char *folder = g_path_get_dirname (entry->capture ? entry->capture : entry->path);
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);
  gboolean is_below = length > 1 && g_str_has_prefix (folder, home) && folder[length] == '/';
  g_autofree char *place = is_below ? g_strconcat ("~", folder + length, NULL) : g_strdup (folder);

  return pen_display_text (place);
}

GtkWidget *
pen_cache_row_new (const PenCacheEntry *entry)
{
  PenCacheRow *self = g_object_new (PEN_TYPE_CACHE_ROW, NULL);
  g_autofree char *name = pen_format_capture (entry->capture ? entry->capture : entry->path);
  g_autofree char *place = place_in_words (entry);
  g_autofree char *use = use_in_words (entry->used);
  g_autofree char *about = g_strdup_printf ("%s\n%s, %s", place, state_in_words (entry), use);
  g_autofree char *size = g_format_size (entry->size);
  g_autofree char *spoken = g_strdup_printf (_ ("%s, %s, %s, %s, in %s"), name, size,
                                             state_in_words (entry), use, place);
  g_autofree char *path = pen_display_text (entry->path);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), about);
  gtk_label_set_text (self->size, size);
  gtk_widget_set_sensitive (self->remove, !entry->is_in_use);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->remove),
                                          g_variant_new_bytestring (entry->path));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), path);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return GTK_WIDGET (self);
}

static void
pen_cache_row_class_init (PenCacheRowClass *klass)
{
}

static void
pen_cache_row_init (PenCacheRow *self)
{
  self->size = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->size), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->size), "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->size));
  self->remove = gtk_button_new_from_icon_name ("user-trash-symbolic");
  gtk_widget_set_valign (self->remove, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->remove, "flat");
  gtk_widget_set_tooltip_text (self->remove, _ ("Remove this import"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remove), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Remove this import"), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->remove), "preferences.remove-one");
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->remove);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
}
