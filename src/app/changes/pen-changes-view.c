/* pen-changes-view.c: every map, register, unregister and poke: search, sort, go there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-changes-view.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-change-columns.h"
#include "pen-change-model.h"
#include "pen-column.h"
#include "pen-growing-list.h"
#include "pen-format.h"
#include "pen-phrases.h"
#include "pen-row-facts.h"
#include "pen-row-hover.h"
#include "pen-row-item.h"
#include "pen-row-menu.h"

/* Below this width there is no room for the number of rows. */
#define COUNT_MIN_WIDTH 480
/* Nor below this one for buttons, of which the menus have one, and grouping is the default. */
#define BUTTONS_MIN_WIDTH 330
/* The item of the list of scopes that has all. */
#define ALL_CHANGES 2
/* How much is seen around a change that is zoomed in on, ns. */
#define AROUND (50 * G_GUINT64_CONSTANT (1000000))

struct _PenChangesView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenChangeModel *model;
  PenGrowingList *listed; /* of it */
  GtkSingleSelection *selection;
  gboolean awaits_row;   /* of what is selected */
  PenCauseTable *causes; /* (nullable): row @cause of it is what changes are asked for of */
  guint cause;

  GtkButton *fold;
  GtkSearchEntry *search;
  GtkDropDown *scope;
  GtkToggleButton *grouped;
  GtkLabel *count;
  GtkWidget *export;
  GtkStack *stack;
  AdwStatusPage *empty;
  GtkColumnView *view;
};

/* They fill the pane in most windows. */
#define FIRST_ROWS 20

G_DEFINE_FINAL_TYPE (PenChangesView, pen_changes_view, PEN_TYPE_PANE)

/* ---- what is listed ---- */

static void
show_empty (PenChangesView *self, const char *title, const char *description)
{
  adw_status_page_set_title (self->empty, title);
  adw_status_page_set_description (self->empty, description);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
show_count (PenChangesView *self, const PenChangeTable *table)
{
  guint64 n = table ? table->list->ids->len : 0;
  g_autofree char *shown = pen_format_count (n);
  g_autofree char *total = pen_phrase_changes (table ? table->list->total : 0, FALSE);
  g_autofree char *text = NULL;

  if (table && n != table->list->total)
    text = g_strdup_printf (C_ ("count", "%s of %s"), shown, total);
  else if (table)
    text = g_steal_pointer (&total);
  gtk_label_set_text (self->count, text ? text : "");
}

static void on_search_changed (PenChangesView *self);

/* Clears the view's own search and scope. FALSE: there was none */
static gboolean
list_all (PenChangesView *self)
{
  const PenChangeOrder *order = pen_session_get_change_order (self->session);

  if (order->scope == PEN_CHANGE_SCOPE_ALL && (!order->search || order->search[0] == '\0'))
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_drop_down_set_selected (self->scope, ALL_CHANGES);
  on_search_changed (self);
  return TRUE;
}

/* To the change that another view has asked for, once there is a list. */
static void
show_change (PenChangesView *self)
{
  GtkWidget *list = pen_row_item_find_list (GTK_WIDGET (self->view));
  guint position;
  guint32 id;

  if (!pen_session_get_answers (self->session)->changes
      || pen_session_is_busy (self->session, PEN_JOB_CHANGES)
      || !pen_session_get_change (self->session, &id))
    return;
  if (pen_change_model_find (self->model, id, &position)) {
    pen_session_take_change (self->session);
    pen_growing_list_ensure (self->listed, position);
    gtk_single_selection_set_selected (self->selection, position);
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
  } else if (!list_all (self)) {
    pen_session_take_change (self->session);
    gtk_widget_activate_action (GTK_WIDGET (self), "win.tell", "s",
                                _ ("The filter excludes that change"));
  }
}

/* What leaves out all that there is: the choice above the list, filters, or both. */
static void
show_no_match (PenChangesView *self)
{
  gboolean has_scope = pen_session_get_change_order (self->session)->scope != PEN_CHANGE_SCOPE_ALL;
  gboolean has_filter = !pen_filter_is_empty (pen_session_get_view (self->session)->filter);

  show_empty (self, _ ("No Matching Changes"),
              has_scope && has_filter ? _ ("Select All Changes or remove a filter.")
              : has_filter            ? _ ("Remove a filter to list more changes.")
                                      : _ ("Select All Changes to list other changes."));
}

static void
on_changes (PenChangesView *self)
{
  const PenChangeTable *table = pen_session_get_answers (self->session)->changes;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_CHANGES);
  const char *search = pen_session_get_change_order (self->session)->search;

  show_count (self, table);
  if (error) {
    g_autofree char *message = pen_format_error (error);
    g_autofree char *escaped = g_markup_escape_text (message, -1);

    show_empty (self, _ ("Cannot Read Changes"), escaped);
  } else if (!table || table->list->ids->len > 0) {
    gtk_stack_set_visible_child_name (self->stack, "list");
  } else if (table->list->total == 0) {
    show_empty (self, _ ("No Changes"),
                _ ("No maps, programs or patches were recorded. See Recording for details."));
  } else if (search && search[0] != '\0') {
    show_empty (self, _ ("No Results Found"), _ ("No changes match the search."));
  } else {
    show_no_match (self);
  }
  show_change (self);
}

static void
on_sort (PenChangesView *self)
{
  PenChangeOrder order = *pen_session_get_change_order (self->session);
  int sort = pen_column_get_sort (self->view, &order.is_descending);

  order.sort = sort > 0 ? (PenChangeSort) (sort - 1) : PEN_CHANGE_SORT_TIME;
  pen_session_set_change_order (self->session, &order);
}

static void
on_grouped (PenChangesView *self)
{
  PenChangeOrder order = *pen_session_get_change_order (self->session);

  order.is_grouped = gtk_toggle_button_get_active (self->grouped);
  pen_session_set_change_order (self->session, &order);
}

/* Left and Right close and open the group that is selected. */
static gboolean
on_key (PenChangesView *self, guint key)
{
  guint position = gtk_single_selection_get_selected (self->selection);

  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return FALSE;
  return position != GTK_INVALID_LIST_POSITION
         && pen_change_model_set_open (self->model, position, key == GDK_KEY_Right);
}

/* First the changes of the selected cause, then the scopes of PenChangeScope. */
static const PenChangeScope scopes[]
    = { PEN_CHANGE_SCOPE_TEXT,  PEN_CHANGE_SCOPE_TEXT,    PEN_CHANGE_SCOPE_ALL,
        PEN_CHANGE_SCOPE_TIMED, PEN_CHANGE_SCOPE_PATCHES, PEN_CHANGE_SCOPE_PROGRAMS,
        PEN_CHANGE_SCOPE_MAPS };

static void
on_scope (PenChangesView *self)
{
  PenChangeOrder order = *pen_session_get_change_order (self->session);

  guint selected = gtk_drop_down_get_selected (self->scope);

  if (selected >= G_N_ELEMENTS (scopes))
    return;
  order.scope = scopes[selected];
  pen_session_set_change_order (self->session, &order);
  pen_session_set_changes_of (self->session, selected == 0 ? self->causes : NULL, self->cause);
}

void
pen_changes_view_set_cause (PenChangesView *self, const PenCauseTable *causes, guint row)
{
  g_clear_pointer (&self->causes, pen_cause_table_unref);
  self->causes = causes ? g_atomic_rc_box_acquire ((PenCauseTable *) causes) : NULL;
  self->cause = row;
  on_scope (self);
}

static void
on_search_changed (PenChangesView *self)
{
  PenChangeOrder order = *pen_session_get_change_order (self->session);

  order.search = gtk_editable_get_text (GTK_EDITABLE (self->search));
  pen_session_set_change_order (self->session, &order);
}

static void
on_search_stopped (PenChangesView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* ---- the selected row ---- */

static const PenChangeRow *
get_selected (PenChangesView *self)
{
  PenChangeItem *item = gtk_single_selection_get_selected_item (self->selection);

  return item ? pen_change_item_get_row (item) : NULL;
}

static void
update_actions (PenChangesView *self)
{
  const PenChangeRow *row = get_selected (self);
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "changes.show-code", row && row->has_function);
  gtk_widget_action_set_enabled (widget, "changes.zoom",
                                 row && !pen_change_is_initial (&row->change));
}

/* Keeps the change in sight of the overview. */
static void
on_selected (PenChangesView *self)
{
  const PenChangeRow *row = get_selected (self);

  self->awaits_row = !row;
  update_actions (self);
  if (row && !pen_change_is_initial (&row->change)) {
    pen_session_set_playhead (self->session, row->change.time);
    pen_session_show_time (self->session, row->change.time);
  }
}

static void
on_rows (PenChangesView *self)
{
  if (self->awaits_row)
    on_selected (self);
}

static void
show_code_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenChangesView *self = PEN_CHANGES_VIEW (widget);
  const PenChangeRow *row = get_selected (self);
  guint64 address;

  if (!row || !row->has_function)
    return;
  address = row->change.address;
  pen_session_set_function (self->session, row->function);
  if (row->change.poke != 0)
    pen_session_set_line (self->session, &address);
  gtk_widget_activate_action (widget, "win.show-code", NULL);
}

/* A group opens or closes; a change is shown. */
static void
on_activate (PenChangesView *self, guint position)
{
  if (pen_change_model_set_open (self->model, position, TRUE)
      || pen_change_model_set_open (self->model, position, FALSE))
    return;
  gtk_single_selection_set_selected (self->selection, position);
  show_code_action (GTK_WIDGET (self), NULL, NULL);
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenChangesView *self = PEN_CHANGES_VIEW (widget);
  const PenChangeRow *row = get_selected (self);

  if (row && !pen_change_is_initial (&row->change))
    pen_session_set_visible (
        self->session,
        (PenSpan){ row->change.time - MIN (row->change.time, AROUND), row->change.time + AROUND });
}

/* ---- what is pointed at ---- */

static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  PenChangesView *self = owner;
  const PenChangeRow *row = item ? pen_change_item_get_row (item) : NULL;
  PenHover hover = { 0 };

  if (row && pen_query_is_kernel_kind (row->change.kind)) {
    hover.has_address = TRUE;
    hover.address_from = row->change.address;
    hover.address_to = row->change.address + MAX (row->change.length, 1);
    hover.batch = row->change.batch;
  }
  if (row && !pen_change_is_initial (&row->change)) {
    hover.has_time = TRUE;
    hover.time = row->change.time;
  }
  pen_session_set_hover (self->session, &hover);
}

static gboolean
is_pointed_at (gpointer item, gpointer owner)
{
  const PenHover *hover = pen_session_get_hover (((PenChangesView *) owner)->session);
  const PenChangeRow *row = pen_change_item_get_row (item);

  if (!row || !pen_query_is_kernel_kind (row->change.kind))
    return FALSE;
  return (hover->batch != 0 && row->change.batch == hover->batch)
         || pen_hover_has_range (hover, row->change.address,
                                 row->change.address + MAX (row->change.length, 1));
}

static void
on_hover (PenChangesView *self)
{
  pen_row_hover_light (GTK_WIDGET (self->view), is_pointed_at, self);
}

static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  if (pen_change_item_get_row (item))
    pen_row_tell_change (row, &pen_change_item_get_row (item)->change);
}

/* ---- object ---- */

void
pen_changes_view_start_search (PenChangesView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

void
pen_changes_view_set_folded (PenChangesView *self, gboolean folded)
{
  gtk_button_set_icon_name (self->fold, folded ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->fold), GTK_ACCESSIBLE_STATE_EXPANDED, !folded,
                               -1);
  gtk_widget_set_visible (GTK_WIDGET (self->stack), !folded);
}

/* Without callchains, nobody is known to have asked for a patch. */
static void
on_state (PenChangesView *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);

  pen_column_set_left_out (self->view, "Called From", opened && opened->callchains == 0);
}

void
pen_changes_view_set_session (PenChangesView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_clear_object (&self->model);
  self->model = pen_change_model_new (session);
  g_clear_object (&self->listed);
  self->listed = pen_growing_list_new (G_LIST_MODEL (self->model), FALSE, FIRST_ROWS);
  pen_growing_list_set_view (self->listed, GTK_WIDGET (self->view));
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->listed));
  g_signal_group_set_target (self->signals, session);
  on_state (self);
  on_scope (self);
  on_grouped (self);
  on_changes (self);
}

static void
pen_changes_view_resized (PenPane *pane, int width)
{
  PenChangesView *self = PEN_CHANGES_VIEW (pane);

  pen_column_fit (self->view, width);
  pen_pane_set_visible_later (GTK_WIDGET (self->count), width >= COUNT_MIN_WIDTH);
  pen_pane_set_visible_later (GTK_WIDGET (self->grouped), width >= BUTTONS_MIN_WIDTH);
  pen_pane_set_visible_later (self->export, width >= BUTTONS_MIN_WIDTH);
}

static void
pen_changes_view_dispose (GObject *object)
{
  PenChangesView *self = PEN_CHANGES_VIEW (object);

  g_clear_object (&self->signals);
  /* Columns that go change the order. */
  if (self->view)
    g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (self->view), self);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_CHANGES_VIEW);
  g_clear_object (&self->listed);
  g_clear_object (&self->model);
  g_clear_pointer (&self->causes, pen_cause_table_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_changes_view_parent_class)->dispose (object);
}

static void
pen_changes_view_class_init (PenChangesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_changes_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_changes_view_resized;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/changes/pen-changes-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, fold);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, search);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, count);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, export);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, scope);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, grouped);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, view);
  gtk_widget_class_bind_template_child (widget_class, PenChangesView, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_scope);
  gtk_widget_class_bind_template_callback (widget_class, on_grouped);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stopped);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  gtk_widget_class_install_action (widget_class, "changes.show-code", NULL, show_code_action);
  gtk_widget_class_install_action (widget_class, "changes.zoom", NULL, zoom_action);
}

static void
pen_changes_view_init (PenChangesView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  /* Before the list, which would move its focus between cells. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  pen_change_columns_add (self->view);
  pen_row_menu_add (GTK_WIDGET (self->view), describe_row, self);
  pen_row_hover_add (GTK_WIDGET (self->view), point_at, self);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed", G_CALLBACK (on_sort),
                           self, G_CONNECT_SWAPPED);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::changes", G_CALLBACK (on_changes),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::change", G_CALLBACK (show_change),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_hover), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "answered::change-rows", G_CALLBACK (on_rows),
                                  self);
  update_actions (self);
}
