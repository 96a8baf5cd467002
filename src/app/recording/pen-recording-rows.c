/* pen-recording-rows.c: the rows that the page of a recording is made of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recording-rows.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-sandbox.h"
#include "pen-text-size.h"

/* The longest title that stays in one line. */
#define TITLE_CHARS 12

AdwPreferencesGroup *
pen_recording_add_group (AdwPreferencesPage *page, const char *title, const char *description)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_set_title (group, title);
  if (description)
    adw_preferences_group_set_description (group, description);
  adw_preferences_page_add (page, group);
  return group;
}

/* Titles and subtitles of rows are markup. */
static void
set_texts (AdwActionRow *row, const char *title, const char *subtitle)
{
  g_autofree char *title_markup = g_markup_escape_text (title, -1);
  g_autofree char *subtitle_markup = g_markup_escape_text (subtitle ? subtitle : "", -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title_markup);
  adw_action_row_set_subtitle (row, subtitle_markup);
}

GtkWidget *
pen_recording_new_row (const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  set_texts (ADW_ACTION_ROW (row), title, subtitle);
  return row;
}

/* Not an action row: in that of libadwaita 1.2 a long value takes the title's room, which GTK then
 * breaks in the middle of a word. */
GtkWidget *
pen_recording_new_property (const char *title, const char *value)
{
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (title);
  GtkWidget *label = gtk_label_new (value);
  g_autofree char *markup = g_markup_escape_text (title, -1);
  double scale = pen_text_size_get_scale ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), markup);
  gtk_widget_add_css_class (box, "header");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);

  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (name), (int) MIN (g_utf8_strlen (title, -1), TITLE_CHARS));
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_add_css_class (name, "title");
  gtk_box_append (GTK_BOX (box), name);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
  gtk_label_set_width_chars (GTK_LABEL (label),
                             (int) CLAMP (g_utf8_strlen (value, -1), 8, 20 / scale));
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_top (label, 6);
  gtk_widget_set_margin_bottom (label, 6);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, value, -1);
  return row;
}

typedef struct {
  PenRecordingFill fill;
  guint first;
  guint n;
  gpointer owner; /* NULL: it was filled */
} Folded;

static void
on_expanded (AdwExpanderRow *list, GParamSpec *pspec G_GNUC_UNUSED, Folded *folded)
{
  gpointer owner = g_steal_pointer (&folded->owner);

  if (owner)
    folded->fill (owner, list, folded->first, folded->n);
}

static void
free_folded (gpointer folded, GClosure *closure G_GNUC_UNUSED)
{
  g_free (folded);
}

void
pen_recording_add_list (AdwPreferencesGroup *group, const char *title, const char *subtitle,
                        PenRecordingFill fill, guint first, guint n, gpointer owner)
{
  GtkWidget *list = adw_expander_row_new ();
  Folded *folded = g_new (Folded, 1);
  GClosure *closure = g_cclosure_new (G_CALLBACK (on_expanded), folded, free_folded);
  g_autofree char *title_markup = g_markup_escape_text (title, -1);
  g_autofree char *subtitle_markup = g_markup_escape_text (subtitle ? subtitle : "", -1);

  *folded = (Folded){ fill, first, n, owner };
  g_object_watch_closure (owner, closure);
  g_signal_connect_closure (list, "notify::expanded", closure, FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (list), title_markup);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (list), subtitle_markup);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_preferences_group_add (group, list);
}

void
pen_recording_add_check (AdwPreferencesGroup *group, gboolean is_good, const char *title,
                         const char *good, const char *bad)
{
  GtkWidget *row = pen_recording_new_row (title, is_good ? good : bad);
  GtkWidget *sign = gtk_image_new_from_icon_name (is_good ? "object-select-symbolic"
                                                          : "dialog-warning-symbolic");

  gtk_widget_add_css_class (sign, is_good ? "success" : "warning");
  gtk_accessible_update_property (GTK_ACCESSIBLE (sign), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_good ? _ ("Good") : _ ("Warning"), -1);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), sign);
  adw_preferences_group_add (group, row);
}

GtkWidget *
pen_recording_add_command (AdwPreferencesGroup *group, const char *title, const char *command)
{
  /* It has the words of the recorded one. */
  g_autofree char *shown = pen_display_text (command);
  GtkWidget *row = pen_recording_new_row (title, shown);
  GtkWidget *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (copy, _ ("Copy the command"));
  gtk_widget_add_css_class (copy, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Copy the command"), -1);
  gtk_widget_add_css_class (row, "command-row");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), copy);
  adw_preferences_group_add (group, row);
  return copy;
}

void
pen_recording_add_hidden (AdwPreferencesPage *page, const GPtrArray *hidden)
{
  AdwPreferencesGroup *group;

  if (hidden->len == 0)
    return;
  group = pen_recording_add_group (
      page, _ ("Hidden by the Sandbox"),
      _ ("Names and code in these files are not used. After the command, start Pentimento again, "
         "and import the recording again."));
  for (guint i = 0; i < hidden->len; i++) {
    const PenHiddenPlace *place = g_ptr_array_index (hidden, i);
    GtkWidget *copy = pen_recording_add_command (group, place->what, place->command);

    /* An action with a name and no target is a warning. */
    gtk_actionable_set_action_target (GTK_ACTIONABLE (copy), "s", place->command);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (copy), "win.copy-text");
  }
}
