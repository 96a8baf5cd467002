/* pen-functions-view.c: the list of functions: search it, narrow it, choose one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-functions-view.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-column.h"
#include "pen-compare.h"
#include "pen-format.h"
#include "pen-function-item.h"
#include "pen-kept-rows.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-row-facts.h"
#include "pen-row-hover.h"
#include "pen-row-menu.h"
#include "pen-tooltip.h"

struct _PenFunctionsView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  GListStore *store;
  GtkFilterListModel *filtered;
  GtkSingleSelection *selection;
  gboolean updating;
  gboolean is_part; /* the functions that come next are of the next part */

  GtkSearchEntry *search;
  GtkToggleButton *changed;
  GtkStack *stack;
  GtkLabel *empty;
  GtkColumnView *view;
};

G_DEFINE_FINAL_TYPE (PenFunctionsView, pen_functions_view, PEN_TYPE_PANE)

/* ---- cells ---- */

/* Addresses of processes are none of the map's. */
static gboolean
is_in_kernel (const PenFunction *function)
{
  return pen_query_is_kernel_text (function);
}

/* A function that is pointed at lights up in the other views. */
static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  PenFunctionsView *self = owner;
  const PenFunction *function = item ? &pen_function_item_get_row (item)->function : NULL;
  PenHover hover = { 0 };

  if (function && is_in_kernel (function)) {
    hover.has_address = TRUE;
    hover.address_from = function->start;
    hover.address_to = function->start + function->length;
  }
  pen_session_set_hover (self->session, &hover);
}

static gboolean
is_pointed_at (gpointer item, gpointer owner)
{
  const PenHover *hover = pen_session_get_hover (((PenFunctionsView *) owner)->session);
  const PenFunction *function = &pen_function_item_get_row (item)->function;

  return hover->has_address && is_in_kernel (function)
         && hover->address_from < function->start + function->length
         && function->start < hover->address_to;
}

static void
on_hover (PenFunctionsView *self)
{
  pen_row_hover_light (GTK_WIDGET (self->view), is_pointed_at, self);
}

/* The kind's colour, and the name; the tooltip says the kind in words. */
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
  const PenFunction *function = &pen_function_item_get_row (item)->function;
  g_autofree char *name = pen_function_item_dup_name (item);
  g_autofree char *occupant = pen_display_text (function->occupant ? function->occupant : "");
  g_autofree char *linkage
      = function->linkage_name ? pen_display_text (function->linkage_name) : NULL;
  g_autofree char *length = g_strdup_printf ("%" G_GUINT64_FORMAT, function->length);
  g_autofree char *bytes
      = g_strdup_printf (ngettext ("%s byte", "%s bytes", function->length), length);
  g_autofree char *tooltip
      = g_strdup_printf ("%s\n%s%s%s %s\n0x%" G_GINT64_MODIFIER "x, %s", name,
                         linkage ? linkage : "", linkage ? "\n" : "",
                         pen_palette_kind_title (function->kind), occupant, function->start, bytes);
  g_autofree char *square = pen_format_square (pen_palette_kind (function->kind, dark));
  GtkWidget *kind = gtk_widget_get_first_child (cell);

  gtk_label_set_markup (GTK_LABEL (kind), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (kind), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (function->kind), -1);
  pen_name_label_set_name (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), name);
  pen_tooltip_set (cell, tooltip);
}

/* "vfs_read, kernel, 34 samples, 0.7 %, 4 changes" */
static char *
speak (gpointer item)
{
  const PenFunctionRow *row = pen_function_item_get_row (item);
  const PenFunction *function = &row->function;
  g_autofree char *name = pen_function_item_dup_name (item);
  g_autofree char *share = pen_format_share (row->share);
  g_autofree char *samples = pen_amount_phrase (pen_function_item_get_amount (item), TRUE);
  g_autofree char *changes = pen_phrase_changes (function->changes, TRUE);
  GString *words = g_string_new (name);

  g_string_append_printf (words, ", %s, %s, %s", pen_palette_kind_title (function->kind), samples,
                          share);
  if (function->changes > 0)
    g_string_append_printf (words, ", %s", changes);
  return g_string_free (words, FALSE);
}

static void
show_samples (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_amount_format (pen_function_item_get_amount (item));

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_changes (GtkWidget *cell, gpointer item)
{
  guint64 changes = pen_function_item_get_row (item)->function.changes;
  g_autofree char *text = changes > 0 ? pen_format_count (changes) : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_share (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_format_share (pen_function_item_get_row (item)->share);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

/* ---- order ---- */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  g_autofree char *name_a = pen_function_item_dup_name ((PenFunctionItem *) a);
  g_autofree char *name_b = pen_function_item_dup_name ((PenFunctionItem *) b);

  return g_ascii_strcasecmp (name_a, name_b);
}

/* Numbers begin with the largest at the first click: what a person looks for. */
static int
compare_samples (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (pen_amount_get (pen_function_item_get_amount ((PenFunctionItem *) b)),
                      pen_amount_get (pen_function_item_get_amount ((PenFunctionItem *) a)));
}

static int
compare_changes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (pen_function_item_get_row ((PenFunctionItem *) b)->function.changes,
                      pen_function_item_get_row ((PenFunctionItem *) a)->function.changes);
}

static gboolean
has_no_changes (gpointer item)
{
  return pen_function_item_get_row (item)->function.changes == 0;
}

static const PenColumnSpec columns[] = {
  { .title = N_ ("Function"),
    .tooltip = N_ ("Function, with its kind of code"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .make = make_name,
    .show = show_name,
    .speak = speak,
    .compare = compare_names },
  { .title = N_ ("Samples"),
    .tooltip = N_ ("Samples in the function, under the filters"),
    .width = 76,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_samples,
    .compare = compare_samples },
  { .title = "↯",
    .tooltip
    = N_ ("Changes of the function’s text: patches, and programs and modules that came or went"),
    .width = 36,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_changes,
    .compare = compare_changes,
    .is_empty = has_no_changes },
  { .title = N_ ("Share"),
    .tooltip = N_ ("Share of all samples under the filters"),
    .width = 64,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_share,
    .compare = compare_samples,
    .min_width = 300 },
};

/* ---- keeping up with the session ---- */

static gboolean
matches (gpointer item, gpointer user_data)
{
  PenFunctionsView *self = user_data;

  return pen_session_matches_search (self->session, &pen_function_item_get_row (item)->function);
}

static void
show_what_is_listed (PenFunctionsView *self)
{
  const GError *error = pen_session_get_error (self->session, PEN_JOB_FUNCTIONS);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  const char *text = NULL;

  if (error)
    text = message;
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->store)) == 0
           && pen_session_get_answers (self->session)->functions)
    text = _ ("No functions match the filters.");
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->filtered)) == 0
           && pen_session_get_answers (self->session)->functions)
    text = _ ("No functions match. Return searches everything.");

  gtk_label_set_text (self->empty, text ? text : "");
  gtk_stack_set_visible_child_name (self->stack, text ? "empty" : "list");
}

static void
select_function (PenFunctionsView *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint position = GTK_INVALID_LIST_POSITION;
  guint32 function;

  if (pen_session_get_function (self->session, &function)) {
    for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
      g_autoptr (PenFunctionItem) item = g_list_model_get_item (model, i);

      if (pen_function_item_get_row (item)->function.id == function) {
        position = i;
        break;
      }
    }
  }
  self->updating = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->updating = FALSE;
}

/* Where nothing changed, nothing points to changes. */
static void
on_state (PenFunctionsView *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  gboolean has_changes = !opened || pen_opened_has_changes (opened);

  pen_column_set_left_out (self->view, "↯", !has_changes);
  gtk_widget_set_visible (GTK_WIDGET (self->changed), has_changes);
}

/* More of a recording that is being made: the list stays where it is. */
static void
on_part (PenFunctionsView *self)
{
  self->is_part = TRUE;
  on_state (self);
}

static const PenKeptRows kept_rows = {
  .hash = pen_function_item_hash,
  .equal = pen_function_item_equal,
  .take = pen_function_item_take,
};

static void
on_functions (PenFunctionsView *self)
{
  const PenFunctionList *table = pen_session_get_answers (self->session)->functions;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; table && i < table->rows->len; i++)
    g_ptr_array_add (items, pen_function_item_new (table, i));

  self->updating = TRUE;
  if (self->is_part)
    pen_kept_rows_splice (self->view, self->store, items, &kept_rows);
  else
    g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                         items->pdata, items->len);
  self->is_part = FALSE;
  self->updating = FALSE;
  if (table)
    pen_column_name_counts (self->view, pen_query_is_of_waits (table->query));
  select_function (self);
  show_what_is_listed (self);
}

static void
on_search (PenFunctionsView *self)
{
  GtkFilter *filter = gtk_filter_list_model_get_filter (self->filtered);

  self->updating = TRUE;
  gtk_filter_changed (filter, GTK_FILTER_CHANGE_DIFFERENT);
  self->updating = FALSE;
  select_function (self);
  show_what_is_listed (self);
  if (pen_session_get_search (self->session)[0] == '\0'
      && gtk_editable_get_text (GTK_EDITABLE (self->search))[0] != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
}

static void
on_filter (PenFunctionsView *self)
{
  gtk_toggle_button_set_active (self->changed,
                                pen_session_get_view (self->session)->filter->changed);
}

static void
on_selected (PenFunctionsView *self)
{
  /* It goes with the template: a sorted table is put in order once more as it does. */
  PenFunctionItem *item
      = self->selection ? gtk_single_selection_get_selected_item (self->selection) : NULL;

  if (!self->updating && item)
    pen_session_set_function (self->session, pen_function_item_get_row (item)->function.id);
}

/* The first of the list; what is in none may be found elsewhere. */
static void
on_search_activate (PenFunctionsView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  GListModel *model = G_LIST_MODEL (self->selection);

  /* Entries wait for more to be typed. */
  pen_session_set_search (self->session, text);
  if (text[0] == '\0')
    return;
  if (g_list_model_get_n_items (model) > 0) {
    gtk_single_selection_set_selected (self->selection, 0);
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
    return;
  }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.find-text", "s", text);
}

static void
on_search_changed (PenFunctionsView *self)
{
  pen_session_set_search (self->session, gtk_editable_get_text (GTK_EDITABLE (self->search)));
}

static void
on_search_stopped (PenFunctionsView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
on_changed_toggled (PenFunctionsView *self)
{
  pen_session_set_changed_only (self->session, gtk_toggle_button_get_active (self->changed));
}

/* Kinds are drawn in colours of the light or the dark palette: have the rows bound anew. */
static void
on_dark (PenFunctionsView *self)
{
  on_functions (self);
}

void
pen_functions_view_start_search (PenFunctionsView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

void
pen_functions_view_set_session (PenFunctionsView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
  on_filter (self);
  on_functions (self);
}

static void
pen_functions_view_resized (PenPane *pane, int width)
{
  pen_column_fit (PEN_FUNCTIONS_VIEW (pane)->view, width);
}

static void
pen_functions_view_dispose (GObject *object)
{
  PenFunctionsView *self = PEN_FUNCTIONS_VIEW (object);

  g_clear_object (&self->signals);
  /* Columns that go change the order of a sorted list, and with it what is selected. */
  if (self->selection)
    gtk_single_selection_set_model (self->selection, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_FUNCTIONS_VIEW);
  g_clear_object (&self->filtered);
  g_clear_object (&self->store);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_functions_view_parent_class)->dispose (object);
}

static void
pen_functions_view_class_init (PenFunctionsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_functions_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_functions_view_resized;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/functions/pen-functions-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenFunctionsView, search);
  gtk_widget_class_bind_template_child (widget_class, PenFunctionsView, changed);
  gtk_widget_class_bind_template_child (widget_class, PenFunctionsView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenFunctionsView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenFunctionsView, view);
  gtk_widget_class_bind_template_child (widget_class, PenFunctionsView, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stopped);
  gtk_widget_class_bind_template_callback (widget_class, on_changed_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  const PenFunctionRow *function = pen_function_item_get_row (item);

  if (function->bpf_id != 0)
    pen_row_add_number (row, PEN_FILTER_BPF, (gint32) function->bpf_id);
  pen_row_tell_function (row, &function->function);
}

static void
pen_functions_view_init (PenFunctionsView *self)
{
  g_autoptr (GtkSortListModel) sorted = NULL;
  GtkFilter *filter;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  pen_column_add_all (self->view, columns, G_N_ELEMENTS (columns));
  pen_row_menu_add (GTK_WIDGET (self->view), describe_row, self);
  pen_row_hover_add (GTK_WIDGET (self->view), point_at, self);

  filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  self->store = g_list_store_new (PEN_TYPE_FUNCTION_ITEM);
  self->filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->store)), filter);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->filtered)),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (sorted));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark),
                           self, G_CONNECT_SWAPPED);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::functions", G_CALLBACK (on_functions),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (on_part), self);
  g_signal_group_connect_swapped (self->signals, "notify::function", G_CALLBACK (select_function),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_hover), self);
  g_signal_group_connect_swapped (self->signals, "notify::search", G_CALLBACK (on_search), self);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (on_filter), self);
}
