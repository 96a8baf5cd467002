/* pen-column-widths.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-column-widths.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-column-order.h"
#include "pen-layout.h"
#include "pen-text-size.h"

/* Wider than any screen: the file was not written by us. */
#define WIDTH_MAX 4000

#define KEY "pen-column-width"
#define ACTION_KEY "pen-column-reset"

/* At the usual size of text: what the table was made with, the least that this may be, and what a
 * person chose; 0: nothing */
typedef struct {
  const char *title;
  int made;
  int least;
  int chosen;
  int given; /* pixels: another width is a person's */
} Width;

static Width *
get (gpointer column)
{
  return g_object_get_data (column, KEY);
}

int
pen_column_widths_get (GtkColumnViewColumn *column)
{
  const Width *self = get (column);
  int width = self->chosen > 0 ? self->chosen : self->made > 0 ? MAX (self->made, self->least) : 0;

  return width > 0 ? (int) (width * pen_text_size_get_scale ()) : -1;
}

/* A hidden column gets it when it is shown. */
static void
give (GtkColumnViewColumn *column)
{
  get (column)->given = pen_column_widths_get (column);
  if (gtk_column_view_column_get_visible (column))
    gtk_column_view_column_set_fixed_width (column, get (column)->given);
}

void
pen_column_widths_init (GtkColumnViewColumn *column, const char *title, int width)
{
  Width *self = g_new0 (Width, 1);

  *self = (Width){ .title = title, .made = width };
  g_object_set_data_full (G_OBJECT (column), KEY, self, g_free);
  give (column);
  pen_text_size_watch (column, G_CALLBACK (give));
}

void
pen_column_widths_set_least (GtkColumnViewColumn *column, int width)
{
  Width *self = get (column);

  self->least = (int) ceil (width / pen_text_size_get_scale ());
  give (column);
}

int
pen_column_widths_count_more (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  int more = 0;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const Width *self = get (column);

    if (self->made > 0)
      more += MAX (self->least - self->made, 0);
  }
  return (int) (more * pen_text_size_get_scale ());
}

static gboolean
give_once (gpointer column)
{
  give (column);
  return G_SOURCE_REMOVE;
}

void
pen_column_widths_set_later (GtkColumnViewColumn *column, int width)
{
  Width *self = get (column);

  if (self->made == width)
    return;
  self->made = width;
  if (self->chosen == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, give_once, g_object_ref (column), g_object_unref);
}

/* ---- what is kept ---- */

/* "PenFunctionsView": of the template; a second table of one has its id, too. A widget
 * around the columns may stand for the table. */
static char *
name_table (GtkColumnView *view)
{
  const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (view));
  GtkWidget *owner = gtk_widget_get_parent (GTK_WIDGET (view));

  while (owner
         && (!g_str_has_prefix (G_OBJECT_TYPE_NAME (owner), "Pen")
             || g_strcmp0 (gtk_buildable_get_buildable_id (GTK_BUILDABLE (owner)), "view") == 0))
    owner = gtk_widget_get_parent (owner);
  return g_strdup_printf ("%s%s%s", owner ? G_OBJECT_TYPE_NAME (owner) : "table",
                          id && !g_str_equal (id, "view") ? "." : "",
                          id && !g_str_equal (id, "view") ? id : "");
}

static char *
name_key (GtkColumnView *view)
{
  g_autofree char *table = name_table (view);

  return g_strconcat ("columns.", table, NULL);
}

static void
update_action (GtkColumnView *view)
{
  g_autofree char *key = name_key (view);

  g_simple_action_set_enabled (g_object_get_data (G_OBJECT (view), ACTION_KEY),
                               pen_layout_get (pen_layout_get_default (), key) != NULL
                                   || pen_column_order_is_chosen (view));
}

/* "Samples=80;Share=70" */
static void
save (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autofree char *key = name_key (view);
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const Width *width = get (column);

    if (width->chosen > 0)
      g_string_append_printf (words, "%s%s=%d", words->len > 0 ? ";" : "", width->title,
                              width->chosen);
  }
  pen_layout_set (pen_layout_get_default (), key, words->len > 0 ? words->str : NULL);
  update_action (view);
}

static int
find_width (char **words, const char *title)
{
  gsize length = strlen (title);
  guint64 width;

  for (guint i = 0; words[i]; i++) {
    if (g_str_has_prefix (words[i], title) && words[i][length] == '='
        && g_ascii_string_to_unsigned (words[i] + length + 1, 10, 1, WIDTH_MAX, &width, NULL))
      return (int) width;
  }
  return 0;
}

static void
restore (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autofree char *key = name_key (view);
  const char *kept = pen_layout_get (pen_layout_get_default (), key);
  g_auto (GStrv) words = g_strsplit (kept ? kept : "", ";", -1);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    get (column)->chosen = find_width (words, get (column)->title);
    give (column);
  }
  update_action (view);
}

static void
on_width (GtkColumnViewColumn *column, GParamSpec *pspec, GtkColumnView *view)
{
  int width = gtk_column_view_column_get_fixed_width (column);
  Width *self = get (column);

  if (!gtk_column_view_column_get_visible (column) || width == self->given || width <= 0)
    return;
  self->given = width;
  self->chosen = CLAMP ((int) (width / pen_text_size_get_scale () + 0.5), 1, WIDTH_MAX);
  save (view);
}

static void
on_loaded (GtkColumnView *view)
{
  pen_column_order_restore (view);
  restore (view);
}

/* ---- reset ---- */

static void
on_reset (GtkColumnView *view)
{
  g_autofree char *key = name_key (view);

  pen_layout_set (pen_layout_get_default (), key, NULL);
  pen_column_order_reset (view);
  restore (view);
}

GAction *
pen_column_widths_get_action (GtkColumnView *view)
{
  return g_object_get_data (G_OBJECT (view), ACTION_KEY);
}

void
pen_column_widths_keep (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("reset", NULL);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autofree char *table = name_table (view);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();

  g_signal_connect_object (action, "activate", G_CALLBACK (on_reset), view, G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (GTK_WIDGET (view), "columns", G_ACTION_GROUP (group));
  g_object_set_data_full (G_OBJECT (view), ACTION_KEY, g_steal_pointer (&action), g_object_unref);

  g_menu_append (menu, _ ("_Reset Columns"), "columns.reset");
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    g_ptr_array_add (titles, (gpointer) get (column)->title);
    gtk_column_view_column_set_header_menu (column, G_MENU_MODEL (menu));
    g_signal_connect_object (column, "notify::fixed-width", G_CALLBACK (on_width), view, 0);
  }
  pen_column_order_keep (view, table, (const char *const *) titles->pdata, titles->len,
                         update_action);
  g_signal_connect_object (pen_layout_get_default (), "loaded", G_CALLBACK (on_loaded), view,
                           G_CONNECT_SWAPPED);
  restore (view);
}
