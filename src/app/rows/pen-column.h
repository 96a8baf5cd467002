/* pen-column.h: columns of tables: a cell widget per row that shows one item
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenColumnSpec: static; lives as long as the program
 * @tooltip: of the title: one line that says what the cells have
 * @css: style class of the cells, or NULL
 * @make: the cell; NULL: a label
 * @show: fills the cell for an item; called again whenever the item emits "changed", if it has such
 * a signal
 * @width: fixed, in pixels at the usual size of text; 0: as wide as the cells
 * @get_word: (nullable): the @i-th of the fixed words that cells have, translated; NULL after the
 * last: the column is at least as wide as each of them
 * @speak: what the whole row is called, for those who hear it: of one column of a table. A row of
 * GTK's has the focus, and has no name but that
 * @expand: gets the width that is left over
 * @min_width: of the table, for pen_column_fit(): below it the column gives way to the others
 * @compare: items, for tables that GTK sorts; or @sort: 1 and up, for models that sort themselves:
 * pen_column_get_sort(). The title is a button to sort by
 * @is_empty: (nullable): whether the cell of an item is: these come last, whatever the direction;
 * with @compare
 * @expander: the cell stands in a GtkTreeExpander, items come out of a GtkTreeListModel
 */
typedef struct {
  const char *title;
  const char *tooltip;
  const char *css;
  gboolean align_end;
  gboolean ellipsize;
  int width;
  const char *(*get_word) (guint i);
  gboolean expand;
  int min_width;
  GCompareDataFunc compare;
  gboolean (*is_empty) (gpointer item);
  int sort;
  gboolean expander;
  gboolean tree;
  GtkWidget *(*make) (void);
  void (*show) (GtkWidget *cell, gpointer item);
  char *(*speak) (gpointer item);
} PenColumnSpec;

/* Adds all columns of a table, from left to right, whatever the language of the desktop. */
void pen_column_add_all (GtkColumnView *view, const PenColumnSpec *specs, gsize n_specs);
/* Shows those that have room in a table of @width pixels. For use while sizes are given out. */
void pen_column_fit (GtkColumnView *view, int width);

/* Leaves the column of that title (not translated) out, whatever room there is, or no longer. For
 * use at any time. */
void pen_column_set_left_out (GtkColumnView *view, const char *title, gboolean left_out);

/* Columns of samples are called what they have: samples, or time off CPU. */
void pen_column_name_counts (GtkColumnView *view, gboolean is_off_cpu);

/* The row that a cell is in, once it is in one; NULL. */
GtkWidget *pen_column_find_row (GtkWidget *cell);

/* (transfer none) (nullable): the widget of the title of the @i-th column, hidden ones counted */
GtkWidget *pen_column_get_title (GtkColumnView *view, guint i);

/* The texts of @item in the visible columns, without groups of digits. */
GStrv pen_column_dup_texts (GtkColumnView *view, gpointer item);

/* Returns: PenColumnSpec.sort of the column whose title was clicked, of which the sorter of the
 * view tells; 0: none was */
int pen_column_get_sort (GtkColumnView *view, gboolean *is_descending);

/* For use while sizes are being given out: a column that changes then would not be laid out. */
void pen_column_set_visible_later (GtkColumnViewColumn *column, gboolean visible);

G_END_DECLS
