/* pen-neighbours-view.c: the callers and the callees of one function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-neighbours-view.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-column.h"
#include "pen-display.h"
#include "pen-flame.h"
#include "pen-format.h"
#include "pen-growing-list.h"
#include "pen-name-label.h"
#include "pen-neighbour-item.h"
#include "pen-phrases.h"
#include "pen-row-facts.h"
#include "pen-row-hover.h"
#include "pen-row-item.h"
#include "pen-row-menu.h"
#include "pen-table-hash.h"

/* They fill a list in most windows, or nearly so: the others come right afterwards. */
#define FIRST_ROWS 10

typedef struct {
  GListStore *store;
  GtkColumnView *view;
} Side;

struct _PenNeighboursView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  Side sides[2];

  PenNameLabel *name;
  GtkLabel *detail;
  GtkToggleButton *shows_callees;
  GtkWidget *callers_pane;
  GtkWidget *callees_pane;
  GtkStack *stack;
  GtkLabel *empty;
  GtkColumnView *callers;
  GtkColumnView *callees;
  GtkSingleSelection *callers_selection;
  GtkSingleSelection *callees_selection;
};

G_DEFINE_FINAL_TYPE (PenNeighboursView, pen_neighbours_view, PEN_TYPE_PANE)

static const PenNeighbourAnswer *
get_answer (PenNeighboursView *self)
{
  return pen_session_get_answers (self->session)->neighbours;
}

/* ---- what is listed ---- */

static char *
dup_name (const PenNeighbourAnswer *answer)
{
  const PenStackGroup *group = answer->group < answer->sides[0]->n_groups
                                   ? &answer->sides[0]->groups[answer->group]
                                   : NULL;

  return group ? pen_flame_dup_group_name (group) : g_strdup (_ ("(unknown)"));
}

/* "1 234 samples · 12.3 % of all · own 34" */
static char *
dup_detail (const PenNeighbourAnswer *answer)
{
  const PenStackNeighbours *callers = answer->sides[PEN_STACK_CALLERS];
  guint64 through = pen_stack_count_get (callers->through, answer->measure);
  guint64 all = pen_stack_count_get (callers->total, answer->measure);
  g_autofree char *samples = answer->measure == PEN_STACK_SAMPLES
                                 ? pen_phrase_samples (through, FALSE)
                                 : pen_flame_format_number (answer->measure, callers->through);
  g_autofree char *share = pen_format_share ((double) through / (double) MAX (all, 1));
  g_autofree char *own = pen_flame_format_number (answer->measure, callers->own);

  /* Translators: number of samples through a function, their share, and those in it alone */
  return g_strdup_printf (_ ("%s · %s · own %s"), samples, share, own);
}

/* Whether a row has another text than the only one of its function. */
static gboolean
has_texts (const PenStackNeighbours *neighbours)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; i < neighbours->rows->len; i++) {
    const PenStackNeighbour *row = &g_array_index (neighbours->rows, PenStackNeighbour, i);

    if (row->poke != 0
        || (row->what == PEN_NEIGHBOUR_FRAME
            && !g_hash_table_add (groups, GUINT_TO_POINTER (row->group))))
      return TRUE;
  }
  return FALSE;
}

static void
fill (Side *side, const PenNeighbourAnswer *answer, PenStackSide which)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; answer && i < answer->sides[which]->rows->len; i++)
    g_ptr_array_add (items, pen_neighbour_item_new (answer, which, i));
  g_list_store_splice (side->store, 0, g_list_model_get_n_items (G_LIST_MODEL (side->store)),
                       items->pdata, items->len);
}

static void
show_empty (PenNeighboursView *self, const char *text)
{
  gtk_label_set_text (self->empty, text);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
on_neighbours (PenNeighboursView *self)
{
  const PenNeighbourAnswer *answer = get_answer (self);
  const GError *error = pen_session_get_error (self->session, PEN_JOB_NEIGHBOURS);
  g_autofree char *name = answer ? dup_name (answer) : g_strdup ("");
  g_autofree char *detail = answer ? dup_detail (answer) : g_strdup ("");
  g_autofree char *message = error ? pen_format_error (error) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    fill (&self->sides[i], answer, i);
  pen_name_label_set_name (self->name, name);
  gtk_label_set_text (self->detail, detail);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->detail), detail);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "neighbours.show-code",
                                 answer && answer->function < answer->n_functions);
  for (guint i = 0; answer && i < G_N_ELEMENTS (self->sides); i++) {
    pen_column_set_left_out (self->sides[i].view, "Text", !has_texts (answer->sides[i]));
    pen_column_name_counts (self->sides[i].view, answer->measure == PEN_STACK_OFF_CPU);
  }
  if (message)
    show_empty (self, message);
  else if (!answer)
    show_empty (self, _ ("No function is selected."));
  else if (answer->sides[PEN_STACK_CALLERS]->through.samples == 0)
    show_empty (self, _ ("No stacks through this function match the filters."));
  else
    gtk_stack_set_visible_child_name (self->stack, "lists");
}

/* ---- going on ---- */

static void
go_to (PenNeighboursView *self, PenNeighbourItem *item)
{
  const PenFunction *function = pen_neighbour_item_get_function (item);
  g_autoptr (PenFlameState) flame = NULL;

  if (!function)
    return;
  flame = pen_session_dup_flame (self->session);
  flame->subject = function->id;
  pen_session_set_flame (self->session, flame);
}

static void
on_activate (GtkColumnView *view, guint position, PenNeighboursView *self)
{
  g_autoptr (PenNeighbourItem) item
      = g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (view)), position);

  if (item)
    go_to (self, item);
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, PenNeighboursView *self)
{
  GtkWidget *view = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  PenNeighbourItem *found
      = pen_row_item_find (view, gtk_widget_pick (view, x, y, GTK_PICK_DEFAULT));
  g_autoptr (PenNeighbourItem) item = found ? g_object_ref (found) : NULL;

  if (item && n_press == 1)
    go_to (self, item);
}

static void
show_code_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenNeighboursView *self = PEN_NEIGHBOURS_VIEW (widget);
  const PenNeighbourAnswer *answer = get_answer (self);

  if (!answer || answer->function >= answer->n_functions)
    return;
  pen_session_set_function (self->session, answer->function);
  gtk_widget_activate_action (widget, "win.show-code", NULL);
}

static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  const PenFunction *function = pen_neighbour_item_get_function (item);

  if (function)
    pen_row_tell_function (row, function);
}

/* A function that is pointed at lights up in the other views. */
static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  const PenFunction *function = item ? pen_neighbour_item_get_function (item) : NULL;
  PenHover hover = { 0 };

  if (function && pen_query_is_kernel_text (function)) {
    hover.has_address = TRUE;
    hover.address_from = function->start;
    hover.address_to = function->start + function->length;
  }
  pen_session_set_hover (PEN_NEIGHBOURS_VIEW (owner)->session, &hover);
}

/* ---- room ---- */

static void
on_side (PenNeighboursView *self)
{
  gboolean low = gtk_widget_get_visible (GTK_WIDGET (self->shows_callees));
  gboolean callees = gtk_toggle_button_get_active (self->shows_callees);

  gtk_widget_set_visible (self->callers_pane, !low || !callees);
  gtk_widget_set_visible (self->callees_pane, !low || callees);
}

void
pen_neighbours_view_set_low (PenNeighboursView *self, gboolean low)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->shows_callees)) == low)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->shows_callees), low);
  on_side (self);
}

/* ---- object ---- */

void
pen_neighbours_view_set_session (PenNeighboursView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_neighbours (self);
}

static void
pen_neighbours_view_resized (PenPane *pane, int width)
{
  PenNeighboursView *self = PEN_NEIGHBOURS_VIEW (pane);

  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    pen_column_fit (self->sides[i].view, width);
}

static void
pen_neighbours_view_dispose (GObject *object)
{
  PenNeighboursView *self = PEN_NEIGHBOURS_VIEW (object);

  g_clear_object (&self->signals);
  /* Columns that go change the order of a sorted list. */
  if (self->callers_selection)
    gtk_single_selection_set_model (self->callers_selection, NULL);
  if (self->callees_selection)
    gtk_single_selection_set_model (self->callees_selection, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_NEIGHBOURS_VIEW);
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    g_clear_object (&self->sides[i].store);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_neighbours_view_parent_class)->dispose (object);
}

static void
pen_neighbours_view_class_init (PenNeighboursViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_neighbours_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_neighbours_view_resized;
  g_type_ensure (PEN_TYPE_NAME_LABEL);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/callers/pen-neighbours-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, name);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, detail);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, shows_callees);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, callers_pane);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, callees_pane);
  gtk_widget_class_bind_template_callback (widget_class, on_side);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, callers);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, callees);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, callers_selection);
  gtk_widget_class_bind_template_child (widget_class, PenNeighboursView, callees_selection);
  gtk_widget_class_install_action (widget_class, "neighbours.show-code", NULL, show_code_action);
}

static void
add_side (PenNeighboursView *self, PenStackSide which, GtkColumnView *view,
          GtkSingleSelection *selection)
{
  g_autoptr (GtkSortListModel) sorted = NULL;
  g_autoptr (PenGrowingList) listed = NULL;
  GtkGesture *click = gtk_gesture_click_new ();
  Side *side = &self->sides[which];

  pen_neighbour_columns_add (view, which);
  pen_row_menu_add (GTK_WIDGET (view), describe_row, self);
  pen_row_hover_add (GTK_WIDGET (view), point_at, self);
  side->view = view;
  side->store = g_list_store_new (PEN_TYPE_NEIGHBOUR_ITEM);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (side->store)),
                                    g_object_ref (gtk_column_view_get_sorter (view)));
  listed = pen_growing_list_new (G_LIST_MODEL (sorted), TRUE, FIRST_ROWS);
  pen_growing_list_set_view (listed, GTK_WIDGET (view));
  gtk_single_selection_set_model (selection, G_LIST_MODEL (listed));
  g_signal_connect (view, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
}

static void
on_dark (PenNeighboursView *self)
{
  on_neighbours (self);
}

static void
pen_neighbours_view_init (PenNeighboursView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  add_side (self, PEN_STACK_CALLERS, self->callers, self->callers_selection);
  add_side (self, PEN_STACK_CALLEES, self->callees, self->callees_selection);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark),
                           self, G_CONNECT_SWAPPED);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::neighbours", G_CALLBACK (on_neighbours),
                                  self);
}
