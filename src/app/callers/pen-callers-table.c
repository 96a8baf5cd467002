/* pen-callers-table.c: the stacks as rows, for who prefers a tree to a picture, or hears it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-callers-private.h"

#include "pen-row-item.h"

/* They fill the list in most windows. */
#define FIRST_ROWS 32
/* The way down is opened while a frame has at least this of the one above it. */
#define OPEN_SHARE 0.8
#define OPEN_MAX 24

static GListModel *
create_children (gpointer item, gpointer user_data)
{
  const PenFlameAnswer *answer = pen_flame_item_get_answer (item);
  const PenFlameNode *node = pen_flame_tree_get (answer->tree, pen_flame_item_get_node (item));

  return node->n_children > 0 ? pen_flame_list_new (answer, node->first_child, node->n_children)
                              : NULL;
}

/* Down to where stacks part. */
static void
open_way (PenCallersView *self)
{
  g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->model, 0);
  const PenFlameTree *tree = self->listed->tree;

  for (guint i = 0; row && i < OPEN_MAX; i++) {
    g_autoptr (PenFlameItem) item = gtk_tree_list_row_get_item (row);
    const PenFlameNode *node = pen_flame_tree_get (tree, pen_flame_item_get_node (item));
    GtkTreeListRow *child = NULL;
    guint64 total = pen_stack_count_get (node->total, tree->measure);
    gboolean is_above = pen_flame_item_get_node (item) != tree->zoomed
                        && node->depth < pen_flame_tree_get (tree, tree->zoomed)->depth;

    gtk_tree_list_row_set_expanded (row, TRUE);
    if (node->n_children > 0
        && (is_above
            || (double) pen_stack_count_get (pen_flame_tree_get (tree, node->first_child)->total,
                                             tree->measure)
                   >= OPEN_SHARE * (double) total))
      child = gtk_tree_list_row_get_child_row (row, 0);
    g_set_object (&row, child);
    g_clear_object (&child);
  }
}

static void
clear (PenCallersView *self)
{
  gtk_single_selection_set_model (self->selection, NULL);
  g_clear_object (&self->rows);
  g_clear_object (&self->model);
  g_clear_pointer (&self->listed, pen_flame_answer_unref);
}

/* Made only while it is looked at: it takes a widget for each cell. */
void
pen_callers_fill_table (PenCallersView *self)
{
  const PenFlameState *state = pen_session_get_view (self->session)->flame;
  PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;

  if (!state || !state->is_table || !answer) {
    clear (self);
    return;
  }
  if (answer == self->listed)
    return;
  self->is_updating = TRUE;
  clear (self);
  self->listed = g_atomic_rc_box_acquire (answer);
  self->model = gtk_tree_list_model_new (pen_flame_list_new (answer, 0, 1), FALSE, FALSE,
                                         create_children, NULL, NULL);
  open_way (self);
  self->rows = pen_growing_list_new (G_LIST_MODEL (self->model), FALSE, FIRST_ROWS);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  self->is_updating = FALSE;
}

void
pen_callers_on_selected (PenCallersView *self)
{
  GtkTreeListRow *row
      = self->selection ? gtk_single_selection_get_selected_item (self->selection) : NULL;
  g_autoptr (PenFlameItem) item = row ? gtk_tree_list_row_get_item (row) : NULL;

  if (item && !self->is_updating
      && pen_flame_item_get_answer (item) == pen_flame_view_get_answer (self->flame))
    pen_flame_view_select (self->flame, pen_flame_item_get_node (item));
}

/* Opens a row, or closes it. */
void
pen_callers_on_activate (PenCallersView *self, guint position)
{
  g_autoptr (GtkTreeListRow) row
      = self->model ? gtk_tree_list_model_get_row (self->model, position) : NULL;

  if (row && gtk_tree_list_row_is_expandable (row))
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
}

/* Right opens a row, Left closes it, or goes to the one above it. */
static gboolean
on_key (PenCallersView *self, guint key)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  g_autoptr (GtkTreeListRow) row = NULL;
  g_autoptr (GtkTreeListRow) parent = NULL;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || !self->model
      || position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  row = gtk_tree_list_model_get_row (self->model, position);
  if (key == GDK_KEY_Right || (row && gtk_tree_list_row_get_expanded (row))) {
    if (row)
      gtk_tree_list_row_set_expanded (row, key == GDK_KEY_Right);
    return TRUE;
  }
  parent = row ? gtk_tree_list_row_get_parent (row) : NULL;
  if (!parent)
    return FALSE;
  position = gtk_tree_list_row_get_position (parent);
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (pen_row_item_find_list (GTK_WIDGET (self->view)),
                              "list.scroll-to-item", "u", position);
  return TRUE;
}

void
pen_callers_init_table (PenCallersView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  pen_flame_columns_add (self->view);
  /* Before the list, which would move its focus between cells. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
}
