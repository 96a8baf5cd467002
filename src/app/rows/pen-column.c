/* pen-column.c: columns of tables: a cell widget per row that shows one item
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-column.h"

#include <glib/gi18n-lib.h>

#include "pen-column-widths.h"
#include "pen-direction.h"
#include "pen-name-label.h"
#include "pen-numbers.h"
#include "pen-row-hover.h"
#include "pen-row-item.h"

#define SPEC_KEY "pen-spec"
/* Pixels left and right of a cell's label, as the theme has them. */
#define CELL_PADDING 14

static GtkWidget *
make_label (const PenColumnSpec *spec)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), spec->align_end ? 1 : 0);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (spec->ellipsize)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, const PenColumnSpec *spec)
{
  GtkWidget *cell = spec->make ? spec->make () : make_label (spec);

  pen_direction_keep_left_to_right (cell);
  if (spec->css)
    gtk_widget_add_css_class (cell, spec->css);
  if (spec->expander) {
    GtkWidget *expander = gtk_tree_expander_new ();

    gtk_widget_set_direction (expander, GTK_TEXT_DIR_LTR);
    gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), cell);
    gtk_list_item_set_child (list_item, expander);
  } else {
    gtk_list_item_set_child (list_item, cell);
  }
}

static GtkWidget *
get_cell (const PenColumnSpec *spec, GtkListItem *list_item)
{
  GtkWidget *child = gtk_list_item_get_child (list_item);

  return spec->expander ? gtk_tree_expander_get_child (GTK_TREE_EXPANDER (child)) : child;
}

/* (transfer full) */
static gpointer
get_item (const PenColumnSpec *spec, GtkListItem *list_item)
{
  gpointer item = gtk_list_item_get_item (list_item);

  return spec->tree ? gtk_tree_list_row_get_item (item) : g_object_ref (item);
}

GtkWidget *
pen_column_find_row (GtkWidget *cell)
{
  GtkWidget *widget = cell;

  while (widget && !g_str_equal (gtk_widget_get_css_name (widget), "row"))
    widget = gtk_widget_get_parent (widget);
  return widget;
}

static void
name_row (const PenColumnSpec *spec, GtkListItem *list_item, gpointer item)
{
  GtkWidget *row = spec->speak ? pen_column_find_row (gtk_list_item_get_child (list_item)) : NULL;
  g_autofree char *words = NULL;

  if (!row)
    return;
  words = spec->speak (item);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

typedef struct {
  const PenColumnSpec *spec;
  GtkListItem *list_item;
  GObject *item;
  gulong handler;
} PenBinding;

#define BINDING_KEY "pen-binding"

static void
on_item_changed (gpointer item, PenBinding *binding)
{
  binding->spec->show (get_cell (binding->spec, binding->list_item), item);
  name_row (binding->spec, binding->list_item, item);
}

static void
free_binding (PenBinding *binding)
{
  g_clear_signal_handler (&binding->handler, binding->item);
  g_object_unref (binding->item);
  g_free (binding);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, const PenColumnSpec *spec)
{
  PenBinding *binding = g_new0 (PenBinding, 1);

  /* A tree's row forgets its item when it collapses, before it is unbound: keep our own. */
  *binding = (PenBinding){ spec, list_item, get_item (spec, list_item), 0 };
  g_object_set_data_full (G_OBJECT (list_item), BINDING_KEY, binding,
                          (GDestroyNotify) free_binding);
  if (spec->expander)
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)),
                                    gtk_list_item_get_item (list_item));
  /* The arrow is made then. */
  if (spec->expander && gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL)
    pen_direction_keep_left_to_right (gtk_list_item_get_child (list_item));
  if (g_signal_lookup ("changed", G_OBJECT_TYPE (binding->item)))
    binding->handler
        = g_signal_connect (binding->item, "changed", G_CALLBACK (on_item_changed), binding);
  pen_row_item_set (gtk_list_item_get_child (list_item), binding->item);
  spec->show (get_cell (spec, list_item), binding->item);
  name_row (spec, list_item, binding->item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item, const PenColumnSpec *spec)
{
  g_object_set_data (G_OBJECT (list_item), BINDING_KEY, NULL);
  pen_row_hover_forget (gtk_list_item_get_child (list_item));
  pen_row_item_set (gtk_list_item_get_child (list_item), NULL);
  if (spec->expander)
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)), NULL);
}

static GtkColumnViewColumn *
new_column (const PenColumnSpec *spec)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) spec);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) spec);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), (gpointer) spec);
  column = gtk_column_view_column_new (_ (spec->title), factory);
  gtk_column_view_column_set_resizable (column, TRUE);
  g_object_set_data (G_OBJECT (column), SPEC_KEY, (gpointer) spec);
  pen_column_widths_init (column, spec->title, spec->width);
  return column;
}

/* Tables of code go from left to right. The cells do already. */
static void
keep_left_to_right (GtkColumnView *view)
{
  gtk_widget_set_direction (GTK_WIDGET (view), GTK_TEXT_DIR_LTR);
  pen_direction_keep_left_to_right (gtk_widget_get_first_child (GTK_WIDGET (view)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (GTK_WIDGET (view))),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Column titles"), -1);
}

/* GTK 4.8 keeps the widget of a title to itself, in the first row of the view. */
GtkWidget *
pen_column_get_title (GtkColumnView *view, guint i)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = gtk_widget_get_first_child (header);

  while (i-- > 0 && title)
    title = gtk_widget_get_next_sibling (title);
  return title;
}

/* Over numbers that stand at the end of their cells: the arrow of the order is before the words. */
static void
dress_title (GtkWidget *title, const PenColumnSpec *spec)
{
  GtkWidget *box = gtk_widget_get_first_child (title);

  gtk_widget_set_tooltip_text (title, _ (spec->tooltip));
  if (!spec->align_end || !GTK_IS_BOX (box))
    return;
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_box_reorder_child_after (GTK_BOX (box), gtk_widget_get_last_child (box), NULL);
}

/* 0: the column has no fixed words */
static int
measure_words (const PenColumnSpec *spec)
{
  g_autoptr (GtkWidget) label = NULL;
  const char *word;
  int widest = 0;

  if (!spec->get_word)
    return 0;
  label = g_object_ref_sink (make_label (spec));
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  if (spec->css)
    gtk_widget_add_css_class (label, spec->css);
  for (guint i = 0; (word = spec->get_word (i)); i++) {
    int width;

    gtk_label_set_text (GTK_LABEL (label), word);
    gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
    widest = MAX (widest, width);
  }
  return widest + CELL_PADDING;
}

/* Columns were given their widths by English titles and words. */
static void
make_room (GtkColumnViewColumn *column, GtkWidget *title)
{
  const PenColumnSpec *spec = g_object_get_data (G_OBJECT (column), SPEC_KEY);
  int width = measure_words (spec);
  int title_width = 0;

  if (g_str_equal (gtk_column_view_column_get_title (column), spec->title) && width == 0)
    return;
  /* GTK takes a fixed width for the title's own. */
  gtk_column_view_column_set_fixed_width (column, -1);
  gtk_widget_measure (title, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &title_width, NULL, NULL);
  pen_column_widths_set_least (column, MAX (width, title_width));
}

/* ---- order ---- */

/* GTK 4.8 does not say which column is sorted by. It asks the sorter of that one first. */
static int probed_key;

typedef struct {
  const PenColumnSpec *spec;
  gboolean is_inverted; /* when it was last the first to be sorted by */
} Order;

static gboolean is_probing;
static Order *probed_order;

static int
compare_filled (gconstpointer a, gconstpointer b, gpointer data)
{
  Order *order = data;
  gboolean (*is_empty) (gpointer) = order->spec->is_empty;

  if (is_probing) {
    probed_order = order;
    return GTK_ORDERING_SMALLER;
  }
  if (is_empty && is_empty ((gpointer) a) != is_empty ((gpointer) b))
    return is_empty ((gpointer) a) != order->is_inverted ? GTK_ORDERING_LARGER
                                                         : GTK_ORDERING_SMALLER;
  return order->spec->compare (a, b, NULL);
}

/* GTK reverses the result of a sorter afterwards: the sorter has to know. */
static void
on_order (GtkSorter *sorter, GtkSorterChange change, gpointer data)
{
  g_autoptr (GObject) one = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GObject) other = g_object_new (G_TYPE_OBJECT, NULL);
  GtkOrdering ordering;

  probed_order = NULL;
  is_probing = TRUE;
  ordering = gtk_sorter_compare (sorter, one, other);
  is_probing = FALSE;
  if (probed_order)
    probed_order->is_inverted = ordering == GTK_ORDERING_LARGER;
}

static GtkSorter *
new_sorter (const PenColumnSpec *spec)
{
  Order *order = g_new (Order, 1);

  *order = (Order){ spec, FALSE };
  return GTK_SORTER (gtk_custom_sorter_new (compare_filled, order, g_free));
}

static int
probe (gconstpointer a, gconstpointer b, gpointer key)
{
  if (probed_key == 0)
    probed_key = GPOINTER_TO_INT (key);
  return GTK_ORDERING_SMALLER;
}

void
pen_column_add_all (GtkColumnView *view, const PenColumnSpec *specs, gsize n_specs)
{
  for (gsize i = 0; i < n_specs; i++) {
    g_autoptr (GtkColumnViewColumn) column = new_column (&specs[i]);
    g_autoptr (GtkSorter) sorter = NULL;

    if (specs[i].compare)
      sorter = new_sorter (&specs[i]);
    else if (specs[i].sort > 0)
      sorter = GTK_SORTER (gtk_custom_sorter_new (probe, GINT_TO_POINTER (specs[i].sort), NULL));
    gtk_column_view_column_set_sorter (column, sorter);
    gtk_column_view_column_set_expand (column, specs[i].expand);
    gtk_column_view_append_column (view, column);
    dress_title (pen_column_get_title (view, (guint) i), &specs[i]);
    make_room (column, pen_column_get_title (view, (guint) i));
  }
  if (n_specs > 0 && specs[0].sort == 0)
    g_signal_connect (gtk_column_view_get_sorter (view), "changed", G_CALLBACK (on_order), NULL);
  keep_left_to_right (view);
  pen_column_widths_keep (view);
}

int
pen_column_get_sort (GtkColumnView *view, gboolean *is_descending)
{
  g_autoptr (GObject) one = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GObject) other = g_object_new (G_TYPE_OBJECT, NULL);
  GtkOrdering ordering;

  probed_key = 0;
  ordering = gtk_sorter_compare (gtk_column_view_get_sorter (view), one, other);
  *is_descending = ordering == GTK_ORDERING_LARGER;
  return probed_key;
}

/* ---- cells as text ---- */

static void
add_text (GtkWidget *widget, GString *text)
{
  const char *label = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget))
                      : PEN_IS_NAME_LABEL (widget)
                          ? pen_name_label_get_name (PEN_NAME_LABEL (widget))
                          : "";

  /* Marks of a kind are no text. */
  if (label[0] != '\0' && !g_str_equal (label, "■"))
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", label);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    add_text (child, text);
}

GStrv
pen_column_dup_texts (GtkColumnView *view, gpointer item)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const PenColumnSpec *spec = g_object_get_data (G_OBJECT (column), SPEC_KEY);
    g_autoptr (GtkWidget) cell = NULL;
    g_autoptr (GString) text = g_string_new (NULL);

    if (!spec || !gtk_column_view_column_get_visible (column))
      continue;
    /* The row may be out of sight: a cell is filled for it. */
    cell = g_object_ref_sink (spec->make ? spec->make () : make_label (spec));
    spec->show (cell, item);
    add_text (cell, text);
    /* Groups of digits are for the eye: what is pasted is to be counted with. */
    g_string_replace (text, pen_numbers_get_group (), "", 0);
    g_strv_builder_add (builder, text->str);
  }
  return g_strv_builder_end (builder);
}

/* What was asked for last, until it is done; none: nothing waits. */
#define REQUEST_KEY "pen-column-request"
#define HIDE 1
#define SHOW 2

/* GTK 4.8 keeps room for a column of fixed width even while it is hidden. Its width is changed
 * while it is out of sight: cells cannot be drawn into nothing. */
static gboolean
fulfil (gpointer column)
{
  int request = GPOINTER_TO_INT (g_object_steal_data (column, REQUEST_KEY));

  if (request == SHOW)
    gtk_column_view_column_set_fixed_width (column, pen_column_widths_get (column));
  gtk_column_view_column_set_visible (column, request == SHOW);
  if (request == HIDE)
    gtk_column_view_column_set_fixed_width (column, 0);
  return G_SOURCE_REMOVE;
}

void
pen_column_set_visible_later (GtkColumnViewColumn *column, gboolean visible)
{
  gboolean waits = g_object_get_data (G_OBJECT (column), REQUEST_KEY) != NULL;

  if (!waits && gtk_column_view_column_get_visible (column) == visible)
    return;
  g_object_set_data (G_OBJECT (column), REQUEST_KEY, GINT_TO_POINTER (visible ? SHOW : HIDE));
  if (!waits)
    g_idle_add_full (G_PRIORITY_DEFAULT, fulfil, g_object_ref (column), g_object_unref);
}

#define LEFT_OUT_KEY "pen-left-out"
#define FIT_KEY "pen-fit"

void
pen_column_fit (GtkColumnView *view, int width)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  g_object_set_data (G_OBJECT (view), FIT_KEY, GINT_TO_POINTER (width));
  width -= pen_column_widths_count_more (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const PenColumnSpec *spec = g_object_get_data (G_OBJECT (column), SPEC_KEY);

    pen_column_set_visible_later (
        column, width >= spec->min_width && !g_object_get_data (G_OBJECT (column), LEFT_OUT_KEY));
  }
}

void
pen_column_name_counts (GtkColumnView *view, gboolean is_off_cpu)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  const struct {
    const char *titles[2];
    const char *tooltip; /* of the second */
  } counts[] = {
    { { _ ("Samples"), _ ("Off CPU") }, _ ("Time off CPU in waits that began here") },
    { { _ ("Samples A"), _ ("Off CPU A") }, _ ("Time off CPU in waits that began here in A") },
    { { _ ("Samples B"), _ ("Off CPU B") }, _ ("Time off CPU in waits that began here in B") },
    { { _ ("Samples On"), _ ("Off CPU, On") },
      _ ("Time off CPU in waits that began in the patched functions while on") },
    { { _ ("Samples Off"), _ ("Off CPU, Off") },
      _ ("Time off CPU in waits that began in the patched functions while off") },
  };

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const PenColumnSpec *spec = g_object_get_data (G_OBJECT (column), SPEC_KEY);

    for (guint k = 0; k < G_N_ELEMENTS (counts); k++) {
      if (g_strcmp0 (gtk_column_view_column_get_title (column), counts[k].titles[!is_off_cpu]) != 0)
        continue;
      gtk_column_view_column_set_title (column, counts[k].titles[is_off_cpu]);
      gtk_widget_set_tooltip_text (pen_column_get_title (view, i),
                                   is_off_cpu ? counts[k].tooltip : _ (spec->tooltip));
      make_room (column, pen_column_get_title (view, i));
    }
  }
}

void
pen_column_set_left_out (GtkColumnView *view, const char *title, gboolean left_out)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const PenColumnSpec *spec = g_object_get_data (G_OBJECT (column), SPEC_KEY);

    if (g_str_equal (spec->title, title))
      g_object_set_data (G_OBJECT (column), LEFT_OUT_KEY, GINT_TO_POINTER (left_out));
  }
  pen_column_fit (view, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (view), FIT_KEY)));
}
