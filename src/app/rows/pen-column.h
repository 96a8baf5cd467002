/* pen-column.h: columns of tables: a cell widget per row that shows one item
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenColumnSpec: static; lives as long as the program
 * @css: style class of the cells, or NULL
 * @make: the cell; NULL: a label
 * @show: fills the cell for an item; called again whenever the item emits "changed", if it has such
 * a signal
 * @width: fixed, in pixels at the usual size of text; 0: as wide as the cells
 * @speak: what the whole row is called, for those who hear it: of one column of a table. A row of
 * GTK's has the focus, and has no name but that
 * @expander: the cell stands in a GtkTreeExpander, items come out of a GtkTreeListModel
 */
typedef struct {
  const char *title;
  const char *css;
  gboolean align_end;
  gboolean ellipsize;
  int width;
  gboolean expander;
  gboolean tree;
  GtkWidget *(*make) (void);
  void (*show) (GtkWidget *cell, gpointer item);
  char *(*speak) (gpointer item);
} PenColumnSpec;

GtkColumnViewColumn *pen_column_new (const PenColumnSpec *spec);

/* The row that a cell is in, once it is in one; NULL. */
GtkWidget *pen_column_find_row (GtkWidget *cell);

/* To be called when @view has all its columns: tables of code go from left to right, whatever the
 * language of the desktop. The cells do already. */
void pen_column_keep_left_to_right (GtkColumnView *view);

/* Puts the title of the column at @position over numbers that stand at the end of their cells. */
void pen_column_align_title_end (GtkColumnView *view, guint position);

/* The texts of @item in the visible columns. */
GStrv pen_column_dup_texts (GtkColumnView *view, gpointer item);

/* Makes the title of @column a button to sort by; @key (0 and up) says what by. For models that
 * sort themselves: the sorter of the view tells when that changes. */
void pen_column_set_sort_key (GtkColumnViewColumn *column, int key);
/* FALSE: no title was clicked. */
gboolean pen_column_get_sort (GtkColumnView *view, int *key, gboolean *is_descending);

/* For use while sizes are being given out: a column that changes then would not be laid out. */
void pen_column_set_visible_later (GtkColumnViewColumn *column, gboolean visible);

G_END_DECLS
