/* pen-found-row.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-found-row.h"

#include <adwaita.h>

#include "pen-css-class.h"
#include "pen-format.h"
#include "pen-found-item.h"
#include "pen-palette.h"
#include "pen-query-find.h"
#include "pen-tooltip.h"

static GtkWidget *
new_label (const char *css, PangoEllipsizeMode ellipsize)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  if (css)
    gtk_widget_add_css_class (label, css);
  return label;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = new_label (NULL, PANGO_ELLIPSIZE_MIDDLE);
  GtkWidget *when = new_label ("numeric", PANGO_ELLIPSIZE_END);

  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (line), new_label (NULL, PANGO_ELLIPSIZE_NONE));
  gtk_box_append (GTK_BOX (line), title);
  gtk_box_append (GTK_BOX (line), when);
  gtk_box_append (GTK_BOX (row), line);
  gtk_box_append (GTK_BOX (row), new_label ("find-detail", PANGO_ELLIPSIZE_END));
  gtk_list_item_set_child (item, row);
}

/* The kind's colour; the words say the same. */
static void
show_kind (GtkWidget *label, const PenFoundRow *row)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  gboolean has_kind = row && (row->tenure != 0 || row->function != G_MAXUINT32);
  g_autofree char *square
      = has_kind ? pen_format_square (pen_palette_kind (row->kind, dark)) : NULL;

  gtk_label_set_markup (GTK_LABEL (label), square ? square : "");
  gtk_widget_set_visible (label, has_kind);
  if (has_kind)
    gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    pen_palette_kind_title (row->kind), -1);
}

static void
show_text (GtkWidget *label, const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

/* "vfs_read+0x1c, 5.007–5.129 s, [kernel.kallsyms] · 0x…" */
static char *
speak (PenFoundItem *item)
{
  const char *when = pen_found_item_get_when (item);
  const char *detail = pen_found_item_get_detail (item);

  return g_strdup_printf ("%s%s%s%s%s", pen_found_item_get_title (item), when ? ", " : "",
                          when ? when : "", detail ? ", " : "", detail ? detail : "");
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  PenFoundItem *item = gtk_list_item_get_item (list_item);
  const PenFoundRow *row = pen_found_item_get_row (item);
  GtkWidget *box = gtk_list_item_get_child (list_item);
  GtkWidget *line = gtk_widget_get_first_child (box);
  GtkWidget *kind = gtk_widget_get_first_child (line);
  GtkWidget *title = gtk_widget_get_next_sibling (kind);
  gboolean is_heading = pen_found_item_is_heading (item);
  gboolean is_active = pen_found_item_is_active (item);
  g_autofree char *words = speak (item);

  show_kind (kind, row);
  show_text (title, pen_found_item_get_title (item));
  show_text (gtk_widget_get_last_child (line), pen_found_item_get_when (item));
  show_text (gtk_widget_get_last_child (box), pen_found_item_get_detail (item));
  pen_tooltip_set (box, row || pen_found_item_is_place (item) ? words : NULL);
  pen_css_class_set (box, "find-heading", is_heading);
  pen_css_class_set (title, "monospace", pen_found_item_is_place (item));
  pen_css_class_set (box, "find-other",
                     row && (row->when == PEN_FOUND_BEFORE || row->when == PEN_FOUND_AFTER));
  pen_css_class_set (box, "find-unknown", row && !is_active);
  gtk_list_item_set_selectable (list_item, is_active);
  gtk_list_item_set_activatable (list_item, is_active);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

GtkListItemFactory *
pen_found_row_new_factory (void)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  return factory;
}
