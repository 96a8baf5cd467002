/* pen-pair-view.c: the open recording and another one, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-view.h"

#include <glib/gi18n-lib.h>

#include "pen-column.h"
#include "pen-format.h"
#include "pen-pair-columns.h"
#include "pen-pair-detail.h"
#include "pen-pair-item.h"
#include "pen-pair-stretch.h"
#include "pen-pair-timeline.h"
#include "pen-pair-words.h"

/* Narrower, the text stands below the list. */
#define NARROW 760
/* Lower, there are no timelines: list and text come first; where one is below the other, they take
 * more. */
#define LOW 380
#define LOW_NARROW 620

struct _PenPairView {
  PenPane parent_instance;

  PenSession *session;
  PenPairSession *pair;
  GListStore *rows;
  PenPairItem *chosen; /* (nullable): the row that was chosen last, maybe of an earlier list */
  gboolean updating;
  gboolean is_narrow;
  gboolean is_arranged;
  guint turn_id;

  GtkLabel *first;
  GtkLabel *second;
  PenPairStretch *first_stretch;
  PenPairStretch *second_stretch;
  GtkLabel *basis;
  GtkWidget *close;
  GtkToggleButton *differing;
  GtkToggleButton *timelines_shown;
  GtkWidget *timelines;
  PenPairTimeline *first_timeline;
  PenPairTimeline *second_timeline;
  GtkWidget *cancel;
  GtkStack *stack;
  GtkLabel *stage;
  GtkProgressBar *bar;
  GtkLabel *failure;
  GtkPaned *paned;
  GtkColumnView *view;
  GtkSingleSelection *selection;
  PenPairDetail *detail;
};

G_DEFINE_FINAL_TYPE (PenPairView, pen_pair_view, PEN_TYPE_PANE)

/* ---- keeping up with the comparison ---- */

static void
fill (GListStore *store, GPtrArray *items)
{
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), items->pdata,
                       items->len);
}

static void
show_stage (PenPairView *self)
{
  PenImportProgress progress;

  pen_pair_session_get_progress (self->pair, &progress);
  gtk_label_set_text (self->stage, progress.total > 0 && progress.done < progress.total
                                       ? _ ("Importing the other recording…")
                                       : _ ("Comparing…"));
  if (progress.total > 0)
    gtk_progress_bar_set_fraction (self->bar, (double) progress.done / (double) progress.total);
}

static void
on_state (PenPairView *self)
{
  PenPairState state = pen_pair_session_get_state (self->pair);
  const GError *error = pen_pair_session_get_error (self->pair);

  if (state == PEN_PAIR_CLOSED)
    g_clear_object (&self->chosen);
  if (state == PEN_PAIR_OPENING)
    show_stage (self);
  if (state == PEN_PAIR_FAILED && error) {
    g_autofree char *message = pen_format_error (error);

    gtk_label_set_text (self->failure, message);
  }
  gtk_stack_set_visible_child_name (self->stack, state == PEN_PAIR_READY    ? "list"
                                                 : state == PEN_PAIR_FAILED ? "error"
                                                                            : "busy");
}

static void
show_recordings (PenPairView *self, const PenPairList *list)
{
  GtkLabel *const labels[] = { self->first, self->second };
  PenPairStretch *const stretches[] = { self->first_stretch, self->second_stretch };
  PenTimes times = pen_session_get_view (self->session)->times;
  g_autofree char *basis = list ? pen_pair_words_of_basis (list->pairs) : g_strdup ("");

  for (guint side = 0; side < 2; side++) {
    g_autofree char *facts = list ? pen_pair_words_of_recording (list, side) : NULL;
    g_autofree char *text = g_strdup_printf (
        "%s  %s", side == 0 ? C_ ("recording", "A") : C_ ("recording", "B"), facts ? facts : "");

    gtk_label_set_text (labels[side], text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (labels[side]), text);
    pen_pair_stretch_show (stretches[side], list, side, times);
  }
  gtk_label_set_text (self->basis, basis);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->basis), basis);
}

static void
show_timelines (PenPairView *self)
{
  PenPairTimeline *const timelines[] = { self->first_timeline, self->second_timeline };

  for (guint side = 0; side < 2; side++)
    pen_pair_timeline_show (timelines[side], pen_pair_session_get_list (self->pair),
                            pen_pair_session_get_lines (self->pair), side,
                            pen_session_get_view (self->session)->times);
}

static void
on_clock (PenPairView *self)
{
  show_recordings (self, pen_pair_session_get_list (self->pair));
  show_timelines (self);
}

static gboolean
is_listed (PenPairView *self, const PenPairRow *row)
{
  return !gtk_toggle_button_get_active (self->differing) || row->text == PEN_PAIR_TEXT_PATCHED
         || row->text == PEN_PAIR_TEXT_DIFFERS;
}

static gboolean
has_function (const PenPairRow *row, guint32 function)
{
  for (guint i = 0; i < row->functions[0]->len; i++)
    if (g_array_index (row->functions[0], guint32, i) == function)
      return TRUE;
  return FALSE;
}

static gboolean
is_same_row (const PenPairRow *a, const PenPairRow *b)
{
  return a->kind == b->kind && g_strcmp0 (a->symbol, b->symbol) == 0
         && g_str_equal (a->occupant, b->occupant);
}

/* The row that was chosen stays selected, also in another list; where none was, as after a step
 * back, that of the window's function is. */
static gboolean
is_at_hand (PenPairView *self, const PenPairRow *row)
{
  guint32 function;

  if (pen_pair_session_is_new (self->pair))
    return FALSE;
  if (self->chosen)
    return is_same_row (pen_pair_item_get_row (self->chosen), row);
  return pen_session_get_function (self->session, &function) && has_function (row, function);
}

/* Else the first row is, so that there is a text beside the list. */
static void
fill_list (PenPairView *self)
{
  const PenPairList *list = pen_pair_session_get_list (self->pair);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  guint selected = 0;

  for (guint i = 0; list && i < list->pairs->rows->len; i++) {
    const PenPairRow *row = list->pairs->rows->pdata[i];

    if (is_at_hand (self, row))
      selected = items->len;
    if (is_listed (self, row))
      g_ptr_array_add (items, pen_pair_item_new (list, i));
  }
  self->updating = TRUE;
  fill (self->rows, items);
  gtk_single_selection_set_selected (
      self->selection, items->len > 0 ? MIN (selected, items->len - 1) : GTK_INVALID_LIST_POSITION);
  self->updating = FALSE;
}

static void
choose_selected (PenPairView *self)
{
  PenPairItem *item = gtk_single_selection_get_selected_item (self->selection);
  const PenPairLines *lines = pen_pair_session_get_lines (self->pair);

  if (item && !(lines && lines->row == pen_pair_item_get_row (item)))
    pen_pair_session_choose (self->pair, pen_pair_item_get_index (item));
  pen_pair_detail_set_item (self->detail, item);
}

static void
on_list (PenPairView *self)
{
  fill_list (self);
  show_recordings (self, pen_pair_session_get_list (self->pair));
  show_timelines (self);
  choose_selected (self);
}

static void
on_differing (PenPairView *self)
{
  if (!self->pair)
    return;
  fill_list (self);
  choose_selected (self);
}

/* ---- what is done with it ---- */

/* The rest of the window shows the function, too, if A has it. */
static void
on_selected (PenPairView *self)
{
  PenPairItem *item = gtk_single_selection_get_selected_item (self->selection);
  const PenPairRow *row = item ? pen_pair_item_get_row (item) : NULL;

  if (self->updating || !item)
    return;
  g_set_object (&self->chosen, item);
  pen_pair_session_choose (self->pair, pen_pair_item_get_index (item));
  pen_pair_detail_set_item (self->detail, item);
  if (row->functions[0]->len > 0)
    pen_session_set_function (self->session, g_array_index (row->functions[0], guint32, 0));
}

/* Something else in the comparison points at it. */
static void
on_row_wanted (PenPairView *self, const PenPairRow *row)
{
  GListModel *rows = G_LIST_MODEL (self->rows);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (rows, i);

    if (pen_pair_item_get_row (item) == row) {
      gtk_single_selection_set_selected (self->selection, i);
      return;
    }
  }
}

/* The window went to another function, or back to one: it is selected here, too. */
static void
on_function (PenPairView *self)
{
  GListModel *rows = G_LIST_MODEL (self->rows);
  PenPairItem *selected = gtk_single_selection_get_selected_item (self->selection);
  guint32 function;

  if (!pen_session_get_function (self->session, &function)
      || (selected && has_function (pen_pair_item_get_row (selected), function)))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (rows, i);

    if (has_function (pen_pair_item_get_row (item), function)) {
      gtk_single_selection_set_selected (self->selection, i);
      return;
    }
  }
}

static void
on_timelines_shown (PenPairView *self)
{
  gboolean has_room
      = gtk_widget_get_height (GTK_WIDGET (self)) >= (self->is_narrow ? LOW_NARROW : LOW);

  pen_pane_set_visible_later (GTK_WIDGET (self->timelines_shown), has_room);
  pen_pane_set_visible_later (GTK_WIDGET (self->differing), !self->is_narrow);
  pen_pane_set_visible_later (self->timelines,
                              has_room && gtk_toggle_button_get_active (self->timelines_shown));
}

/* The time of A is the filter's. */
static void
on_chosen (PenPairView *self, const PenSpan *time, gpointer source)
{
  if (source == self->first_stretch || source == self->first_timeline)
    pen_session_set_selected (self->session, time);
  else
    pen_pair_session_set_time (self->pair, time);
}

static void
on_close (PenPairView *self)
{
  pen_pair_session_close (self->pair);
}

PenPairShown
pen_pair_view_get_shown (PenPairView *self, const PenPairRow **row)
{
  PenPairItem *item = gtk_single_selection_get_selected_item (self->selection);

  *row = item ? pen_pair_item_get_row (item) : NULL;
  return pen_pair_detail_get_shown (self->detail);
}

GtkWidget *
pen_pair_view_get_detail (PenPairView *self)
{
  return GTK_WIDGET (self->detail);
}

/* ---- object ---- */

void
pen_pair_view_set_session (PenPairView *self, PenSession *session, PenPairSession *pair)
{
  g_return_if_fail (!self->pair);

  self->session = g_object_ref (session);
  self->pair = g_object_ref (pair);
  pen_pair_detail_set_pair (self->detail, pair);
  g_signal_connect_object (session, "notify::function", G_CALLBACK (on_function), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::clock", G_CALLBACK (on_clock), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "state", G_CALLBACK (on_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "list", G_CALLBACK (on_list), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "lines", G_CALLBACK (show_timelines), self, G_CONNECT_SWAPPED);
}

/* Not while sizes are being given out. */
static gboolean
turn (gpointer user_data)
{
  PenPairView *self = user_data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self->stack));

  self->turn_id = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), self->is_narrow
                                                                    ? GTK_ORIENTATION_VERTICAL
                                                                    : GTK_ORIENTATION_HORIZONTAL);
  /* Beside each other, they would keep a window from becoming narrow, where one is below the other.
   */
  gtk_paned_set_shrink_start_child (self->paned, !self->is_narrow);
  gtk_paned_set_shrink_end_child (self->paned, !self->is_narrow);
  gtk_paned_set_position (self->paned, self->is_narrow ? height / 2 : width * 3 / 7);
  return G_SOURCE_REMOVE;
}

static void
pen_pair_view_resized (PenPane *pane, int width)
{
  PenPairView *self = PEN_PAIR_VIEW (pane);
  gboolean is_narrow = width < NARROW;
  int list = is_narrow ? width : gtk_paned_get_position (self->paned);

  pen_column_fit (self->view, list);
  if (self->is_narrow == is_narrow && self->is_arranged) {
    on_timelines_shown (self);
    return;
  }
  self->is_narrow = is_narrow;
  on_timelines_shown (self);
  self->is_arranged = TRUE;
  if (self->turn_id == 0)
    self->turn_id = g_idle_add_full (G_PRIORITY_DEFAULT, turn, self, NULL);
}

static void
pen_pair_view_dispose (GObject *object)
{
  PenPairView *self = PEN_PAIR_VIEW (object);

  g_clear_handle_id (&self->turn_id, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_PAIR_VIEW);
  g_clear_object (&self->chosen);
  g_clear_object (&self->rows);
  g_clear_object (&self->pair);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_pair_view_parent_class)->dispose (object);
}

static void
pen_pair_view_class_init (PenPairViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_pair_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_pair_view_resized;
  g_type_ensure (PEN_TYPE_PAIR_DETAIL);
  g_type_ensure (PEN_TYPE_PAIR_STRETCH);
  g_type_ensure (PEN_TYPE_PAIR_TIMELINE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pair/pen-pair-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenPairView, first);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, second);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, basis);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, first_stretch);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, second_stretch);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, close);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, cancel);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, stage);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, bar);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, failure);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, paned);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, view);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, selection);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, detail);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, differing);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, timelines_shown);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, timelines);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, first_timeline);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, second_timeline);
  gtk_widget_class_bind_template_callback (widget_class, on_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_close);
  gtk_widget_class_bind_template_callback (widget_class, on_differing);
  gtk_widget_class_bind_template_callback (widget_class, on_row_wanted);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_timelines_shown);
}

static void
pen_pair_view_init (PenPairView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (PEN_TYPE_PAIR_ITEM);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  pen_pair_columns_add (self->view, PEN_PAIR_FUNCTIONS);
}
