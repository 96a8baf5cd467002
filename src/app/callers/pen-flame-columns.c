/* pen-flame-columns.c: the columns of a table of stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-item.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-column.h"
#include "pen-flame-difference.h"
#include "pen-flame.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-tooltip.h"

static const PenFlameTree *
get_tree (gpointer item)
{
  return pen_flame_item_get_answer (item)->tree;
}

static const PenFlameNode *
get_node (gpointer item)
{
  return pen_flame_tree_get (get_tree (item), pen_flame_item_get_node (item));
}

static GtkWidget *
make_name (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *kind = gtk_label_new (NULL);
  GtkWidget *name = pen_name_label_new ();

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), kind);
  gtk_box_append (GTK_BOX (box), name);
  return box;
}

static void
show_name (GtkWidget *cell, gpointer item)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const PenFlameTree *tree = get_tree (item);
  guint32 group = get_node (item)->group;
  PenKind kind = group != PEN_STACK_NO_GROUP ? tree->groups[group].kind : PEN_KIND_UNKNOWN;
  g_autofree char *name = pen_flame_dup_name (tree, group);
  g_autofree char *square = pen_format_square (pen_palette_kind (kind, dark));
  const PenFlameAnswer *answer = pen_flame_item_get_answer (item);
  guint node = pen_flame_item_get_node (item);
  g_autofree char *tooltip = answer->diff ? pen_flame_difference_describe (answer->diff, node)
                                          : pen_flame_describe (tree, node, answer->seconds);
  GtkWidget *mark = gtk_widget_get_first_child (cell);

  gtk_label_set_markup (GTK_LABEL (mark), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (mark), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (kind), -1);
  pen_name_label_set_name (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), name);
  pen_tooltip_set (cell, tooltip);
}

static char *
speak (gpointer item)
{
  const PenFlameDiff *diff = pen_flame_item_get_answer (item)->diff;
  guint node = pen_flame_item_get_node (item);

  return diff ? pen_flame_difference_speak (diff, node) : pen_flame_speak (get_tree (item), node);
}

static void
show_count (GtkWidget *cell, const PenFlameTree *tree, PenStackCount count)
{
  guint64 number = pen_stack_count_get (count, tree->measure);
  gboolean has_any = number > 0 || (tree->measure == PEN_STACK_OFF_CPU && count.samples > 0);
  g_autofree char *text = has_any ? pen_flame_format_number (tree->measure, count) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
}

static void
show_total (GtkWidget *cell, gpointer item)
{
  show_count (cell, get_tree (item), get_node (item)->total);
}

static void
show_own (GtkWidget *cell, gpointer item)
{
  show_count (cell, get_tree (item), get_node (item)->own);
}

static void
show_share (GtkWidget *cell, gpointer item)
{
  g_autofree char *text
      = pen_format_share (pen_flame_get_share (get_tree (item), get_node (item)->total));

  gtk_label_set_text (GTK_LABEL (cell), text);
}

/* "original, K, F": which texts, most samples first. */
static void
show_versions (GtkWidget *cell, gpointer item)
{
  const PenFlameTree *tree = get_tree (item);
  const PenFlameNode *node = get_node (item);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < node->n_versions; i++) {
    const PenFlameVersion *version
        = &g_array_index (tree->versions, PenFlameVersion, node->first_version + i);
    g_autofree char *share
        = pen_format_share ((double) pen_stack_count_get (version->count, tree->measure)
                            / (double) MAX (pen_stack_count_get (node->total, tree->measure), 1));

    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "",
                            version->poke == 0 ? C_ ("version", "original")
                                               : pen_palette_cause_title (version->cause),
                            share);
  }
  gtk_label_set_text (GTK_LABEL (cell), text->str);
  pen_tooltip_set (cell, text->len > 0 ? text->str : NULL);
}

/* ---- of two stretches ---- */

static void
show_number (GtkWidget *cell, guint64 number)
{
  g_autofree char *text = pen_format_count (number);

  gtk_label_set_text (GTK_LABEL (cell), number > 0 ? text : "");
}

static void
show_before (GtkWidget *cell, gpointer item)
{
  show_number (cell, get_node (item)->total.samples);
}

static void
show_after (GtkWidget *cell, gpointer item)
{
  show_number (cell, get_node (item)->total.after);
}

/* With the colour and sign of frames that parted. */
static void
show_ratio (GtkWidget *cell, gpointer item)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const PenFlameDiff *diff = pen_flame_item_get_answer (item)->diff;
  const PenFlameDifference *node = diff ? &diff->nodes[pen_flame_item_get_node (item)] : NULL;
  g_autofree char *ratio = node ? pen_flame_difference_format_ratio (node) : g_strdup ("");
  g_autofree char *square = NULL;
  g_autofree char *markup = NULL;

  if (!node || (node->verdict != PEN_VERDICT_MORE && node->verdict != PEN_VERDICT_LESS)) {
    gtk_label_set_text (GTK_LABEL (cell), ratio);
    return;
  }
  square = pen_format_square (pen_flame_difference_get_color (node->verdict, dark));
  markup = g_strdup_printf ("%s %s", square, ratio);
  gtk_label_set_markup (GTK_LABEL (cell), markup);
}

void
pen_flame_columns_add (GtkColumnView *view)
{
  static const PenColumnSpec columns[] = {
    { .title = N_ ("Frame"),
      .tooltip = N_ ("Function of the frame; its rows are what it called"),
      .width = 260,
      .ellipsize = TRUE,
      .expand = TRUE,
      .expander = TRUE,
      .tree = TRUE,
      .make = make_name,
      .show = show_name,
      .speak = speak },
    { .title = N_ ("Total"),
      .tooltip = N_ ("Amount through the frame, in the chosen measure"),
      .width = 84,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_total },
    { .title = N_ ("Share"),
      .tooltip = N_ ("Share of the whole graph"),
      .width = 70,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_share,
      .min_width = 380 },
    { .title = N_ ("Own"),
      .tooltip = N_ ("Amount in the function itself, in the chosen measure"),
      .width = 84,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_own,
      .min_width = 460 },
    { .title = N_ ("Versions"),
      .tooltip = N_ ("Texts that its samples were in"),
      .width = 180,
      .ellipsize = TRUE,
      .tree = TRUE,
      .show = show_versions,
      .min_width = 620 },
    { .title = N_ ("Before"),
      .tooltip = N_ ("Samples through the frame before"),
      .width = 62,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_before },
    { .title = N_ ("After"),
      .tooltip = N_ ("Samples through the frame after"),
      .width = 62,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_after },
    { .title = N_ ("Ratio"),
      .tooltip = N_ ("Rate after divided by rate before, if significant"),
      .width = 150,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_ratio,
      .min_width = 460 },
  };

  pen_column_add_all (view, columns, G_N_ELEMENTS (columns));
}
