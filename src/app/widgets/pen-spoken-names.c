/* pen-spoken-names.c: names for assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-spoken-names.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

/* The button inside of a widget that has no name for it. */
static const char *
find_name_around (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  GtkWidget *grandparent = parent ? gtk_widget_get_parent (parent) : NULL;

  if (GTK_IS_MENU_BUTTON (widget) && grandparent && ADW_IS_SPLIT_BUTTON (grandparent))
    return adw_split_button_get_dropdown_tooltip (ADW_SPLIT_BUTTON (grandparent));
  if (GTK_IS_MENU_BUTTON (widget) && parent && ADW_IS_SPLIT_BUTTON (parent))
    return adw_split_button_get_dropdown_tooltip (ADW_SPLIT_BUTTON (parent));
  if (GTK_IS_TOGGLE_BUTTON (widget) && parent && GTK_IS_DROP_DOWN (parent))
    return gtk_widget_get_tooltip_text (parent);
  return NULL;
}

static void
set_name (gpointer accessible, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (accessible), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
}

/* The pages of a stack, which a screen reader comes through on the way to what is in them. */
static void
silence_pages (GtkStack *stack)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (stack);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++) {
    g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

    set_name (page, "");
  }
}

/* Whose name is that of its list. */
static gboolean
is_in_table (GtkWidget *list)
{
  GtkWidget *parent = gtk_widget_get_parent (list);

  return GTK_IS_COLUMN_VIEW (parent)
         || (parent
             && gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (parent))
                    == GTK_ACCESSIBLE_ROLE_TREE_GRID);
}

/* What GTK would call by the name of its type. */
static void
mend_container (GtkWidget *widget)
{
  if (GTK_IS_STACK (widget))
    silence_pages (GTK_STACK (widget));
  else if (GTK_IS_PANED (widget))
    set_name (widget, _ ("Panes"));
  else if (GTK_IS_LIST_VIEW (widget) && is_in_table (widget))
    set_name (widget, "");
}

void
pen_spoken_names_mend (GtkWidget *widget)
{
  const char *name = find_name_around (widget);

  mend_container (widget);
  if (name && name[0] != '\0')
    set_name (widget, name);
  /* Not of those that have a name of their own beside an icon. */
  if (GTK_IS_BUTTON (widget) && gtk_button_get_use_underline (GTK_BUTTON (widget))
      && gtk_button_get_label (GTK_BUTTON (widget)))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    pen_spoken_names_mend (child);
}
