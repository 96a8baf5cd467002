/* pen-causes-view.c: the tree of causes, and below it the changes of the selected row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-causes-private.h"

#include <glib/gi18n-lib.h>

#include "pen-cause-columns.h"
#include "pen-column.h"
#include "pen-format.h"
#include "pen-gone-rows.h"
#include "pen-row-hover.h"
#include "pen-row-item.h"

/* Below this width there is no room for the number of flips. */
#define COUNT_MIN_WIDTH 480
/* The first cause opens by itself, unless it has more rows than that. */
#define OPEN_MAX 200
/* What is selected stays so in another order, unless more rows than that stand before it. */
#define LIST_AGAIN_MAX 200
/* They fill the list in most windows. */
#define FIRST_ROWS 24

G_DEFINE_FINAL_TYPE (PenCausesView, pen_causes_view, PEN_TYPE_PANE)

/* ---- rows, from one answer to the next ---- */

const PenCauseTree *
pen_causes_get_tree (PenCausesView *self)
{
  return self->show ? self->show->table->tree : NULL;
}

/* (transfer full) (nullable) */
static PenCauseItem *
get_selected_item (PenCausesView *self)
{
  GtkTreeListRow *row
      = self->late ? self->late : gtk_single_selection_get_selected_item (self->selection);

  return row ? gtk_tree_list_row_get_item (row) : NULL;
}

/* The row that stands for those not listed counts as the row above them. */
static gboolean
get_selected (PenCausesView *self, guint *index)
{
  g_autoptr (PenCauseItem) item = get_selected_item (self);

  if (!item)
    return FALSE;
  *index = pen_cause_item_is_more (item) ? pen_cause_item_get_row (item)->parent
                                         : pen_cause_item_get_index (item);
  return *index != PEN_CAUSE_NO_ROW;
}

const PenCauseRow *
pen_causes_view_get_selected (PenCausesView *self)
{
  guint index;

  return get_selected (self, &index) ? pen_cause_tree_get (pen_causes_get_tree (self), index)
                                     : NULL;
}

static GListModel *
create_children (gpointer item, gpointer user_data)
{
  const PenCauseRow *row = pen_cause_item_get_row (item);

  if (row->n_children == 0 || pen_cause_item_is_more (item))
    return NULL;
  return G_LIST_MODEL (pen_cause_list_new ((PenCauseShow *) pen_cause_item_get_show (item),
                                           row->first_child, row->n_children));
}

/* (transfer full) (nullable): a row above it is closed, or has so many that it is not listed */
GtkTreeListRow *
pen_causes_find_tree_row (PenCausesView *self, guint index)
{
  const PenCauseRow *row = pen_cause_tree_get (pen_causes_get_tree (self), index);
  g_autoptr (GtkTreeListRow) parent = NULL;
  g_autoptr (GtkTreeListRow) found = NULL;
  g_autoptr (PenCauseItem) item = NULL;

  if (row->level == 0)
    return gtk_tree_list_model_get_child_row (self->model, index);
  parent = pen_causes_find_tree_row (self, row->parent);
  if (!parent)
    return NULL;
  found = gtk_tree_list_row_get_child_row (
      parent, index - pen_cause_tree_get (pen_causes_get_tree (self), row->parent)->first_child);
  item = found ? gtk_tree_list_row_get_item (found) : NULL;
  return item && !pen_cause_item_is_more (item) ? g_steal_pointer (&found) : NULL;
}

void
pen_causes_select_row (PenCausesView *self, GtkTreeListRow *row)
{
  guint position = row ? gtk_tree_list_row_get_position (row) : GTK_INVALID_LIST_POSITION;

  g_clear_object (&self->late);
  if (row)
    pen_growing_list_ensure (self->listed, position);
  gtk_single_selection_set_selected (self->selection, position);
}

static void
on_listed (PenCausesView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->listed));
  g_autoptr (GtkTreeListRow) row = NULL;

  if (!self->late || gtk_tree_list_row_get_position (self->late) >= n)
    return;
  row = g_steal_pointer (&self->late);
  self->is_filling = TRUE;
  pen_causes_select_row (self, row);
  self->is_filling = FALSE;
}

/* Out of sight, once the list has grown that far: hundreds of rows take a tenth of a second. */
static void
select_when_listed (PenCausesView *self, GtkTreeListRow *row)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->listed));

  if (!row || gtk_tree_list_row_get_position (row) < n)
    pen_causes_select_row (self, row);
  else
    g_set_object (&self->late, row);
}

/* Lists the row if it is not far from the first of its kind. */
static void
list_row (PenCausesView *self, guint index)
{
  const PenCauseRow *row = pen_cause_tree_get (pen_causes_get_tree (self), index);
  g_autoptr (GtkTreeListRow) parent
      = row->level > 0 ? pen_causes_find_tree_row (self, row->parent) : NULL;
  GListModel *list = parent ? gtk_tree_list_row_get_children (parent) : NULL;
  guint position;

  if (!list)
    return;
  position = index - pen_cause_tree_get (pen_causes_get_tree (self), row->parent)->first_child;
  while (position < LIST_AGAIN_MAX && !pen_cause_list_has (PEN_CAUSE_LIST (list), position))
    pen_cause_list_extend (PEN_CAUSE_LIST (list));
}

/* The same, or the nearest row above that is listed. */
static GtkTreeListRow *
find_listed_row (PenCausesView *self, guint index)
{
  GtkTreeListRow *row = NULL;

  for (; !row && index != PEN_CAUSE_NO_ROW;
       index = pen_cause_tree_get (pen_causes_get_tree (self), index)->parent)
    row = pen_causes_find_tree_row (self, index);
  return row;
}

static void
forget_open (PenCausesView *self, const PenCauseRow *row)
{
  for (guint i = self->open->len; i-- > 0;) {
    const PenCauseKey *key = self->open->pdata[i];

    if (key->level == row->level && pen_cause_key_is_row (row, key) && key->cause == row->cause)
      g_ptr_array_remove_index (self->open, i);
  }
}

/* A row was opened or closed: those below it came or went. */
static void
on_items_changed (PenCausesView *self, guint position)
{
  g_autoptr (GtkTreeListRow) row
      = position > 0 ? gtk_tree_list_model_get_row (self->model, position - 1) : NULL;
  g_autoptr (PenCauseItem) item = row ? gtk_tree_list_row_get_item (row) : NULL;

  if (!item || self->is_filling)
    return;
  forget_open (self, pen_cause_item_get_row (item));
  if (gtk_tree_list_row_get_expanded (row))
    g_ptr_array_add (self->open, pen_cause_key_new (pen_cause_item_get_row (item)));
}

/* Opens what was open before: causes, then the rows below them. */
static void
open_rows (PenCausesView *self)
{
  for (guint level = 0; level < 2; level++) {
    for (guint i = 0; i < self->open->len; i++) {
      const PenCauseKey *key = self->open->pdata[i];
      g_autoptr (GtkTreeListRow) row = NULL;
      guint index;

      if (key->level == level && pen_cause_key_find (pen_causes_get_tree (self), key, &index))
        row = pen_causes_find_tree_row (self, index);
      if (row)
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
  }
}

/* ---- the changes of what is selected ---- */

static void
update_actions (PenCausesView *self)
{
  const PenCauseRow *row = pen_causes_view_get_selected (self);
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "causes.show-code", row && row->has_function);
  gtk_widget_action_set_enabled (widget, "causes.show-map", row && row->n_changes > 0);
  gtk_widget_action_set_enabled (widget, "causes.zoom", row && row->flips > 0 && row->first > 0);
}

static void
show_changes (PenCausesView *self)
{
  guint index;

  update_actions (self);
  if (get_selected (self, &index))
    pen_changes_view_set_cause (self->changes, self->show->table, index);
  else
    pen_changes_view_set_cause (self->changes, NULL, 0);
}

static void
on_selected (PenCausesView *self)
{
  const PenCauseRow *row;

  if (self->is_filling)
    return;
  g_clear_object (&self->late);
  row = pen_causes_view_get_selected (self);
  g_clear_pointer (&self->selected, pen_cause_key_free);
  self->is_chosen = TRUE;
  if (row)
    self->selected = pen_cause_key_new (row);
  show_changes (self);
}

/* ---- what is listed ---- */

static void
show_empty (PenCausesView *self, const char *title, const char *description)
{
  adw_status_page_set_title (self->empty, title);
  adw_status_page_set_description (self->empty, description);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
show_count (PenCausesView *self)
{
  const PenCauseTree *tree = pen_causes_get_tree (self);
  guint64 flips = 0;
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; tree && i < tree->n_causes; i++)
    flips += pen_cause_tree_get (tree, i)->flips;
  count = pen_format_count (flips);
  text = g_strdup_printf (ngettext ("%s flip", "%s flips", (gulong) flips), count);
  gtk_label_set_text (self->count, tree ? text : "");
}

static void
show_what_is_listed (PenCausesView *self)
{
  const GError *error = pen_session_get_error (self->session, PEN_JOB_CAUSES);
  const char *search = pen_session_get_cause_order (self->session)->search;
  const PenCauseTree *tree = pen_causes_get_tree (self);

  show_count (self);
  if (error) {
    g_autofree char *message = pen_format_error (error);
    g_autofree char *escaped = g_markup_escape_text (message, -1);

    show_empty (self, _ ("Cannot Read Causes"), escaped);
  } else if (!tree || pen_cause_tree_count_heads (tree) > 0) {
    gtk_stack_set_visible_child_name (self->stack, "list");
  } else if (search && search[0] != '\0') {
    show_empty (self, _ ("No Results Found"), _ ("No causes match the search."));
  } else if (!pen_filter_is_empty (pen_session_get_view (self->session)->filter)) {
    show_empty (self, _ ("No Matching Patches"), _ ("No patches match the filters."));
  } else {
    g_autofree char *reason = pen_causes_explain_none (pen_session_get_opened (self->session));

    show_empty (self, _ ("No Patches"), reason);
  }
}

/* Opens on an answer: what flips most is selected, and open. @is_known: it is only in another order
 */
static void
choose_first (PenCausesView *self, gboolean is_known)
{
  const PenCauseTree *tree = pen_causes_get_tree (self);
  guint index;

  if (self->is_chosen || tree->n_causes == 0
      || (is_known && pen_cause_key_find (tree, self->selected, &index)))
    return;
  g_clear_pointer (&self->selected, pen_cause_key_free);
  self->selected = pen_cause_key_new (pen_cause_tree_get (tree, 0));
  if (self->open->len == 0 && pen_cause_tree_get (tree, 0)->n_children <= OPEN_MAX)
    g_ptr_array_add (self->open, pen_cause_key_new (pen_cause_tree_get (tree, 0)));
}

/* Then what is in sight stays so. */
static gboolean
is_scrolled (PenCausesView *self)
{
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));

  return gtk_adjustment_get_value (down) > gtk_adjustment_get_lower (down);
}

static void
fill (PenCausesView *self, const PenCauseTable *table)
{
  gboolean is_known = self->show && self->show->table->tree->found == table->tree->found;
  g_autoptr (GtkTreeListRow) row = NULL;
  guint index;

  g_clear_pointer (&self->show, pen_cause_show_unref);
  self->show = pen_cause_show_new (table, pen_session_get_clock (self->session),
                                   pen_session_get_view (self->session)->visible);
  g_clear_object (&self->listed);
  g_clear_object (&self->model);
  self->model = gtk_tree_list_model_new (
      G_LIST_MODEL (pen_cause_list_new (self->show, 0, pen_cause_tree_count_heads (table->tree))),
      FALSE, FALSE, create_children, NULL, NULL);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  pen_column_name_counts (self->view, pen_query_is_of_waits (table->query));
  pen_column_set_left_out (self->view, "Cost", self->show->most_cost == 0);
  choose_first (self, is_known);
  open_rows (self);
  self->listed = pen_growing_list_new (G_LIST_MODEL (self->model), FALSE, FIRST_ROWS);
  pen_growing_list_set_view (self->listed, GTK_WIDGET (self->view));
  if (is_scrolled (self))
    pen_growing_list_ensure (self->listed, G_MAXUINT);
  pen_gone_rows_keep (GTK_WIDGET (self->view));
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->listed));
  g_signal_connect_object (self->listed, "items-changed", G_CALLBACK (on_listed), self,
                           G_CONNECT_SWAPPED);
  if (pen_cause_key_find (table->tree, self->selected, &index)) {
    list_row (self, index);
    row = find_listed_row (self, index);
  }
  select_when_listed (self, row);
}

static void
stop_listing (PenCausesView *self)
{
  if (self->more_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->more_id);
  self->more_id = 0;
}

/* The changes follow the selection once all is there. */
static void
on_causes (PenCausesView *self)
{
  const PenCauseTable *table = pen_session_get_answers (self->session)->causes;

  stop_listing (self);
  g_clear_object (&self->late);
  self->is_filling = TRUE;
  if (table) {
    fill (self, table);
  } else {
    gtk_single_selection_set_model (self->selection, NULL);
    g_clear_object (&self->listed);
    g_clear_object (&self->model);
    g_clear_pointer (&self->show, pen_cause_show_unref);
  }
  self->is_filling = FALSE;
  show_what_is_listed (self);
  show_changes (self);
}

/* Another recording: no selection of the one before holds. */
static void
on_state (PenCausesView *self)
{
  if (pen_session_get_state (self->session) == PEN_SESSION_READY)
    return;
  g_ptr_array_set_size (self->open, 0);
  g_clear_pointer (&self->selected, pen_cause_key_free);
  self->is_chosen = FALSE;
}

/* ---- order ---- */

static void
on_sort (PenCausesView *self)
{
  PenCauseOrder order = *pen_session_get_cause_order (self->session);
  gboolean is_descending;
  int sort = pen_column_get_sort (self->view, &is_descending);

  order.sort = sort > 0 ? (PenCauseSort) (sort - 1) : PEN_CAUSE_SORT_FLIPS;
  order.is_reversed = sort > 0 && is_descending;
  pen_session_set_cause_order (self->session, &order);
}

/* In the order of PenCauseGrouping. Rows of another grouping are others. */
static void
on_grouping (PenCausesView *self)
{
  PenCauseOrder order = *pen_session_get_cause_order (self->session);

  order.grouping = (PenCauseGrouping) gtk_drop_down_get_selected (self->grouping);
  if (order.grouping < PEN_CAUSE_GROUPINGS)
    pen_session_set_cause_order (self->session, &order);
}

static void
on_search_changed (PenCausesView *self)
{
  PenCauseOrder order = *pen_session_get_cause_order (self->session);

  order.search = gtk_editable_get_text (GTK_EDITABLE (self->search));
  pen_session_set_cause_order (self->session, &order);
}

static void
on_search_stopped (PenCausesView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* ---- keys ---- */

/* Right opens a row, Left closes it, or goes to the one above it. */
static gboolean
on_key (PenCausesView *self, guint key)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  g_autoptr (GtkTreeListRow) row = NULL;
  g_autoptr (GtkTreeListRow) parent = NULL;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || !self->model
      || position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  row = gtk_tree_list_model_get_row (self->model, position);
  if (key == GDK_KEY_Right || (row && gtk_tree_list_row_get_expanded (row))) {
    gtk_tree_list_row_set_expanded (row, key == GDK_KEY_Right);
    return TRUE;
  }
  parent = row ? gtk_tree_list_row_get_parent (row) : NULL;
  if (parent) {
    position = gtk_tree_list_row_get_position (parent);
    gtk_single_selection_set_selected (self->selection, position);
    gtk_widget_activate_action (pen_row_item_find_list (GTK_WIDGET (self->view)),
                                "list.scroll-to-item", "u", position);
  }
  return parent != NULL;
}

/* ---- rows not listed yet ---- */

/* If the row that stands for them was selected, the first of them is. */
static void
list_rest (PenCausesView *self, PenCauseItem *more)
{
  guint index = pen_cause_item_get_index (more);
  guint selected = gtk_single_selection_get_selected (self->selection);
  g_autoptr (PenCauseItem) item = get_selected_item (self);
  g_autoptr (GtkTreeListRow) parent = pen_causes_find_tree_row (
      self, pen_cause_tree_get (pen_causes_get_tree (self), index)->parent);

  if (!parent)
    return;
  pen_cause_list_extend (PEN_CAUSE_LIST (gtk_tree_list_row_get_children (parent)));
  if (item && pen_cause_item_is_more (item) && pen_cause_item_get_index (item) == index)
    gtk_single_selection_set_selected (self->selection, selected);
}

/* They are listed once the row that stands for them is in sight: a frame has to lay out the rows.
 */
static gboolean
list_more (GtkWidget *widget, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  PenCausesView *self = PEN_CAUSES_VIEW (widget);
  GtkWidget *list = pen_row_item_find_list (GTK_WIDGET (self->view));

  if (!self->is_laid_out) {
    self->is_laid_out = TRUE;
    return G_SOURCE_CONTINUE;
  }

  self->more_id = 0;
  for (GtkWidget *row = gtk_widget_get_first_child (list); row;
       row = gtk_widget_get_next_sibling (row)) {
    /* Rows that came since are not laid out yet, and change the length of the list when they are.
     */
    gboolean is_shown = gtk_widget_get_child_visible (row) && gtk_widget_get_height (row) > 0;
    PenCauseItem *item = is_shown ? pen_row_item_find (list, row) : NULL;

    if (item && pen_cause_item_is_more (item)) {
      list_rest (self, item);
      break;
    }
  }
  return G_SOURCE_REMOVE;
}

/* Also after rows came or went; at last with the page. */
static void
on_scrolled (PenCausesView *self)
{
  if (self->more_id != 0 || self->is_filling)
    return;
  self->is_laid_out = FALSE;
  self->more_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), list_more, NULL, NULL);
}

/* A row with others below it opens or closes; a site shows its code. */
static void
on_activate (PenCausesView *self, guint position)
{
  g_autoptr (GtkTreeListRow) row
      = self->model ? gtk_tree_list_model_get_row (self->model, position) : NULL;
  g_autoptr (PenCauseItem) item = row ? gtk_tree_list_row_get_item (row) : NULL;

  if (!item)
    return;
  if (pen_cause_item_is_more (item)) {
    list_rest (self, item);
    return;
  }
  if (gtk_tree_list_row_is_expandable (row)) {
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
    return;
  }
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self), "causes.show-code", NULL);
}

/* ---- changes ---- */

static void
fold_changes_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_changes_fold_toggle (PEN_CAUSES_VIEW (widget)->fold);
}

/* One that another view leads to. */
static void
on_change (PenCausesView *self)
{
  guint32 id;

  if (pen_session_get_change (self->session, &id))
    pen_changes_fold_unfold (self->fold);
}

/* ---- object ---- */

void
pen_causes_view_start_search (PenCausesView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  if (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->changes)))
    pen_changes_view_start_search (self->changes);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

PenChangesView *
pen_causes_view_get_changes (PenCausesView *self)
{
  return self->changes;
}

void
pen_causes_view_set_session (PenCausesView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  /* Before the changes, which take the one that they are led to. */
  g_signal_group_set_target (self->signals, session);
  pen_changes_view_set_session (self->changes, session);
  on_grouping (self);
  on_causes (self);
}

static void
pen_causes_view_resized (PenPane *pane, int width)
{
  PenCausesView *self = PEN_CAUSES_VIEW (pane);

  pen_column_fit (self->view, width);
  pen_pane_set_visible_later (GTK_WIDGET (self->count), width >= COUNT_MIN_WIDTH);
}

static void
pen_causes_view_dispose (GObject *object)
{
  PenCausesView *self = PEN_CAUSES_VIEW (object);

  self->is_filling = TRUE;
  stop_listing (self);
  g_clear_object (&self->signals);
  g_clear_object (&self->fold);
  /* Columns that go change the order. */
  if (self->view)
    g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (self->view), self);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_CAUSES_VIEW);
  g_clear_object (&self->late);
  g_clear_object (&self->listed);
  g_clear_object (&self->model);
  g_clear_pointer (&self->show, pen_cause_show_unref);
  g_clear_pointer (&self->open, g_ptr_array_unref);
  g_clear_pointer (&self->selected, pen_cause_key_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_causes_view_parent_class)->dispose (object);
}

static void
pen_causes_view_class_init (PenCausesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_causes_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_causes_view_resized;
  g_type_ensure (PEN_TYPE_CHANGES_VIEW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/causes/pen-causes-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, search);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, grouping);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, count);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, view);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, selection);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, paned);
  gtk_widget_class_bind_template_child (widget_class, PenCausesView, changes);
  gtk_widget_class_bind_template_callback (widget_class, on_grouping);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stopped);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  pen_causes_install_places (widget_class);
  gtk_widget_class_install_action (widget_class, "causes.fold-changes", NULL, fold_changes_action);
}

static void
pen_causes_view_init (PenCausesView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkAdjustment *down;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  self->open = g_ptr_array_new_with_free_func (pen_cause_key_free);
  /* Before the list, which would move its focus between cells. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  self->fold = pen_changes_fold_new (self->paned, self->changes);
  pen_cause_columns_add (self->view);
  pen_row_menu_add (GTK_WIDGET (self->view), pen_causes_describe_row, self);
  pen_row_hover_add (GTK_WIDGET (self->view), pen_causes_point_at, self);
  down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));
  g_signal_connect_object (down, "changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (down, "value-changed", G_CALLBACK (on_scrolled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed", G_CALLBACK (on_sort),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_causes),
                           self, G_CONNECT_SWAPPED);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::causes", G_CALLBACK (on_causes), self);
  g_signal_group_connect_swapped (self->signals, "answered::change", G_CALLBACK (on_change), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_causes), self);
  g_signal_group_connect_swapped (self->signals, "notify::visible",
                                  G_CALLBACK (pen_causes_redraw_lanes), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (pen_causes_light),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  update_actions (self);
}
