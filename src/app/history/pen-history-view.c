/* pen-history-view.c: the patch history of the clicked line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-view.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-phrases.h"
#include "pen-history-card.h"
#include "pen-history-heading.h"
#include "pen-history-item.h"
#include "pen-name-label.h"
#include "pen-row-facts.h"
#include "pen-row-hover.h"
#include "pen-row-item.h"
#include "pen-row-menu.h"
#include "pen-tooltip.h"

/* So many cards at a time. */
#define CARDS 10
/* How long one waits for more of the same. */
#define EXTEND_MS 60
#define SCROLL_MS 120

struct _PenHistoryView {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GListStore *store;
  GtkSliceListModel *part; /* of them: cards are large, and there may be thousands */
  GtkSingleSelection *selection;
  GHashTable *unfolded; /* versions that show their details */
  GPtrArray *spare;     /* cards that no row has now: it takes long to make one */
  gboolean updating;
  guint extend_id;
  guint scroll_id;
  guint follow_id;
  guint text_id;

  GtkLabel *title;
  PenNameLabel *detail;
  GtkStack *stack;
  GtkLabel *empty;
  GtkListView *list;
};

G_DEFINE_FINAL_TYPE (PenHistoryView, pen_history_view, ADW_TYPE_BIN)

/* It is the row that has the focus: it says what the card says. */
static void
name_row (GtkWidget *card)
{
  GtkWidget *row = gtk_widget_get_parent (card);
  g_autofree char *text = pen_history_card_dup_text (PEN_HISTORY_CARD (card));

  if (!row)
    return;
  g_strchomp (text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
on_bind (PenHistoryView *self, GtkListItem *list_item)
{
  g_autoptr (GtkWidget) spare = NULL;
  GtkWidget *card;

  if (self->spare->len > 0)
    spare = g_ptr_array_steal_index (self->spare, self->spare->len - 1);
  card = spare ? spare : pen_history_card_new ();
  gtk_list_item_set_child (list_item, card);
  pen_history_card_set_item (PEN_HISTORY_CARD (card), gtk_list_item_get_item (list_item));
  pen_row_item_set (card, gtk_list_item_get_item (list_item));
  name_row (card);
}

static void
on_unbind (PenHistoryView *self, GtkListItem *list_item)
{
  g_autoptr (GtkWidget) card = g_object_ref (gtk_list_item_get_child (list_item));

  pen_row_hover_forget (card);
  pen_row_item_set (card, NULL);
  pen_history_card_set_item (PEN_HISTORY_CARD (card), NULL);
  gtk_list_item_set_child (list_item, NULL);
  if (self->spare && self->spare->len < CARDS)
    g_ptr_array_add (self->spare, g_steal_pointer (&card));
}

/* A card's parts are the cells. */
static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  PenHistoryView *self = owner;
  const PenHistoryTable *table = pen_session_get_answers (self->session)->history;
  g_autoptr (GtkWidget) card = g_object_ref_sink (pen_history_card_new ());
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;
  g_autoptr (GPtrArray) notes = NULL;

  pen_history_card_set_item (PEN_HISTORY_CARD (card), item);
  text = pen_history_card_dup_text (PEN_HISTORY_CARD (card));
  parts = g_strsplit (text, "\n", -1);
  for (guint i = 0; parts[i]; i++) {
    if (parts[i][0] != '\0')
      pen_row_add_cell (row, parts[i]);
  }
  if (table)
    pen_row_tell_history (row, pen_history_item_get_row (item), table->address);
  notes = pen_history_item_list_notes (item);
  for (guint i = 0; i < notes->len; i++)
    pen_row_add_note (row, notes->pdata[i]);
}

/* ---- what is pointed at ---- */

static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  PenHistoryView *self = owner;
  const PenHistoryRow *row = item ? pen_history_item_get_row (item) : NULL;
  PenHover hover = { 0 };

  if (row) {
    hover.has_address = TRUE;
    hover.address_from = pen_history_item_get_address (item);
    hover.address_to = hover.address_from + MAX (row->n_bytes, 1);
    hover.has_time = row->from_bound == PEN_BOUND_RECORDED;
    hover.time = row->from.time;
  }
  pen_session_set_hover (self->session, &hover);
}

static gboolean
is_pointed_at (gpointer item, gpointer owner)
{
  PenHistoryView *self = owner;
  const PenHover *hover = pen_session_get_hover (self->session);
  guint64 address = pen_history_item_get_address (item);

  return hover->has_time && pen_history_item_has_time (item, hover->time)
         && (!hover->has_address
             || (hover->address_from <= address && address < hover->address_to));
}

static void
on_hover (PenHistoryView *self)
{
  pen_row_hover_light (GTK_WIDGET (self->list), is_pointed_at, self);
}

/* ---- a part of the cards at a time ---- */

/* Adds cards at that end of those that are there. GTK says that the selected one is another where
 * only its place is, and that card may be the one before the playhead was moved. */
static void
extend (PenHistoryView *self, gboolean at_end)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->store));
  guint first = gtk_slice_list_model_get_offset (self->part);
  guint size = gtk_slice_list_model_get_size (self->part);
  guint before = at_end ? 0 : MIN (first, CARDS);

  if (at_end ? first + size >= n : first == 0)
    return;
  self->updating = TRUE;
  gtk_slice_list_model_set_size (self->part, size + (at_end ? CARDS : before));
  gtk_slice_list_model_set_offset (self->part, first - before);
  self->updating = FALSE;
}

static gboolean
extend_where_needed (gpointer data)
{
  PenHistoryView *self = data;
  GtkAdjustment *across = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  double value = gtk_adjustment_get_value (across);
  double page = gtk_adjustment_get_page_size (across);

  self->extend_id = 0;
  if (value + 2 * page > gtk_adjustment_get_upper (across))
    extend (self, TRUE);
  else if (value < page / 2)
    extend (self, FALSE);
  return G_SOURCE_REMOVE;
}

/* Not while the list gives out sizes. */
static void
on_scrolled (PenHistoryView *self)
{
  if (self->extend_id == 0)
    self->extend_id = g_timeout_add (EXTEND_MS, extend_where_needed, self);
}

/* Fewer cards than fill the view: then there is nothing to scroll by. */
static void
on_resized (PenHistoryView *self)
{
  GtkAdjustment *across = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  guint shown
      = gtk_slice_list_model_get_offset (self->part) + gtk_slice_list_model_get_size (self->part);

  if (gtk_adjustment_get_upper (across) <= gtk_adjustment_get_page_size (across)
      && shown < g_list_model_get_n_items (G_LIST_MODEL (self->store)))
    on_scrolled (self);
}

/* Returns: the first of the cards to be made, for that at @position of @n */
static guint
find_first (guint position, guint n)
{
  guint first = position < CARDS ? 0 : position - CARDS / 2;

  return MIN (first, n - MIN (n, CARDS));
}

/* Has the card at @position of all of them in the list. Returns: where */
static guint
include (PenHistoryView *self, guint position)
{
  guint first = gtk_slice_list_model_get_offset (self->part);
  guint size = gtk_slice_list_model_get_size (self->part);

  if (position < first || position >= first + size) {
    first = find_first (position, g_list_model_get_n_items (G_LIST_MODEL (self->store)));
    self->updating = TRUE;
    gtk_slice_list_model_set_size (self->part, CARDS);
    gtk_slice_list_model_set_offset (self->part, first);
    self->updating = FALSE;
  }
  return position - first;
}

/* ---- heading ---- */

static void
show_heading (PenHistoryView *self)
{
  const PenAnswers *answers = pen_session_get_answers (self->session);
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  gboolean is_at_start = playhead <= pen_session_get_clock (self->session).span.from;
  const PenHistoryRow *holder = answers->history ? pen_history_heading_find_holder (
                                    answers->history, answers->annotation, playhead, is_at_start)
                                                 : NULL;
  g_autofree char *name = NULL;
  g_autofree char *detail = NULL;
  guint64 address;

  if (!pen_session_get_line (self->session, &address))
    detail = g_strdup ("");
  else if (holder && holder->symbol)
    detail = pen_history_heading_describe (answers->history, holder, &name);
  else
    detail = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
  pen_name_label_set_name_in (self->detail, detail, name ? name : detail);
  pen_tooltip_set (GTK_WIDGET (self->detail), name ? detail : NULL);
}

/* ---- the version of the playhead ---- */

/* Steps may follow each other fast. */
static gboolean
scroll_to_selected (gpointer data)
{
  PenHistoryView *self = data;
  guint position = gtk_single_selection_get_selected (self->selection);

  self->scroll_id = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->list)))
    return G_SOURCE_REMOVE;
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
  return G_SOURCE_REMOVE;
}

/* A view that is not shown does not scroll. */
static void
on_map (PenHistoryView *self)
{
  if (self->scroll_id == 0)
    self->scroll_id = g_timeout_add (SCROLL_MS, scroll_to_selected, self);
}

static gboolean
follow_playhead (gpointer data)
{
  PenHistoryView *self = data;
  GListModel *model = G_LIST_MODEL (self->store);
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  guint position = GTK_INVALID_LIST_POSITION;

  self->follow_id = 0;
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenHistoryItem) item = g_list_model_get_item (model, i);

    if (pen_history_item_has_time (item, playhead))
      position = i;
  }
  if (position != GTK_INVALID_LIST_POSITION)
    position = include (self, position);
  if (gtk_single_selection_get_selected (self->selection) == position)
    return G_SOURCE_REMOVE;
  self->updating = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->updating = FALSE;
  g_clear_handle_id (&self->scroll_id, g_source_remove);
  self->scroll_id = g_timeout_add (SCROLL_MS, scroll_to_selected, self);
  return G_SOURCE_REMOVE;
}

/* The selected card is that of the playhead, wherever that was moved; of many moves, that of the
 * last. */
static void
on_playhead (PenHistoryView *self)
{
  gboolean few = g_list_model_get_n_items (G_LIST_MODEL (self->store)) <= CARDS;

  show_heading (self);
  if (few && self->follow_id == 0)
    follow_playhead (self);
  else if (!few && self->follow_id == 0)
    self->follow_id = g_timeout_add (SCROLL_MS, follow_playhead, self);
}

/* Choosing a card moves the playhead to where its version begins. */
static void
on_selected (PenHistoryView *self)
{
  PenHistoryItem *item = gtk_single_selection_get_selected_item (self->selection);
  const PenHistoryRow *row = item ? pen_history_item_get_row (item) : NULL;

  if (self->updating || !row
      || pen_history_item_has_time (item, pen_session_get_view (self->session)->playhead))
    return;
  if (row->from.time > 0)
    pen_session_show_time (self->session, row->from.time);
  pen_session_set_playhead (self->session, row->from.time);
}

/* Return, or a double click: the change that brought it, among all. */
static void
on_activate (PenHistoryView *self, guint position)
{
  g_autoptr (PenHistoryItem) item = g_list_model_get_item (G_LIST_MODEL (self->part), position);
  const PenHistoryRow *row = item ? pen_history_item_get_row (item) : NULL;

  if (row && row->from_bound == PEN_BOUND_RECORDED)
    pen_session_show_change (self->session, row->from);
}

/* ---- details ---- */

/* Right shows the details of the selected card, Left hides them. */
static gboolean
on_key (PenHistoryView *self, guint key, guint code, GdkModifierType state)
{
  PenHistoryItem *item = gtk_single_selection_get_selected_item (self->selection);
  gboolean unfolds = key == GDK_KEY_Right || key == GDK_KEY_KP_Right;

  if (!item || (state & gtk_accelerator_get_default_mod_mask ()) != 0
      || (!unfolds && key != GDK_KEY_Left && key != GDK_KEY_KP_Left)
      || pen_history_item_is_unfolded (item) == unfolds)
    return GDK_EVENT_PROPAGATE;
  pen_history_item_set_unfolded (item, unfolds);
  return GDK_EVENT_STOP;
}

/* Another capture has other versions. */
static void
on_state (PenHistoryView *self)
{
  g_hash_table_remove_all (self->unfolded);
}

/* Returns: the first card that is to be there: that of the playhead is near */
static guint
find_first_shown (PenHistoryView *self, const PenHistoryTable *table)
{
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  guint n = table ? table->rows->len : 0;
  guint position = 0;

  for (guint i = 0; i < n; i++) {
    if (pen_history_row_has_time (table->rows->pdata[i], playhead))
      position = i;
  }
  return find_first (position, n);
}

/* A list view makes new widgets for new items: the cards that are there show other rows instead, as
 * far as they go, and those of the playhead at once. */
static void
fill (PenHistoryView *self, const PenHistoryTable *table)
{
  const PenAnswers *answers = pen_session_get_answers (self->session);
  PenClock clock = pen_session_get_clock (self->session);
  guint n = table ? table->rows->len : 0;
  guint first = find_first_shown (self, table);
  guint n_kept = MIN (MIN (n - first, g_list_model_get_n_items (G_LIST_MODEL (self->part))), CARDS);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (n, g_object_unref);
  g_autoptr (GListStore) store = g_list_store_new (PEN_TYPE_HISTORY_ITEM);

  for (guint i = 0; i < n; i++) {
    if (i < first || i >= first + n_kept) {
      g_ptr_array_add (items, pen_history_item_new (table, i, clock, answers->sides, answers->notes,
                                                    self->unfolded));
    } else {
      g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (self->part), i - first));
      pen_history_item_reuse (items->pdata[i], table, i, clock, answers->sides, answers->notes);
    }
  }
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
  g_set_object (&self->store, store);
  g_clear_object (&self->part);
  self->part = gtk_slice_list_model_new (G_LIST_MODEL (g_steal_pointer (&store)), first, CARDS);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->part));
}

static void
on_history (PenHistoryView *self)
{
  const PenHistoryTable *table = pen_session_get_answers (self->session)->history;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_HISTORY);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  const char *text = NULL;
  guint64 address;

  /* The cards of the line before stay until those of this one are there, also while a text comes
   * whose line is still to be selected. */
  if (pen_session_get_line (self->session, &address)
          ? (table ? table->address != address
                   : pen_session_is_busy (self->session, PEN_JOB_HISTORY))
          : pen_session_is_busy (self->session, PEN_JOB_ANNOTATION)) {
    show_heading (self);
    return;
  }
  self->updating = TRUE;
  fill (self, table);
  self->updating = FALSE;

  if (!pen_session_get_line (self->session, &address))
    text = _ ("Select a line to see its patches.");
  else if (error)
    text = message;
  else if (table && table->rows->len == 0)
    text = _ ("The history of this address is unknown.");
  gtk_label_set_text (self->empty, text ? text : "");
  gtk_stack_set_visible_child_name (self->stack, text ? "empty" : "list");
  on_playhead (self);
}

/* A text whose line was still to be selected has none. */
static gboolean
take_text (gpointer data)
{
  PenHistoryView *self = data;
  guint64 address;

  self->text_id = 0;
  if (!pen_session_get_line (self->session, &address))
    on_history (self);
  else
    show_heading (self);
  return G_SOURCE_REMOVE;
}

/* Its line is selected when all views have it. */
static void
on_annotation (PenHistoryView *self)
{
  if (self->text_id == 0)
    self->text_id = g_idle_add_full (G_PRIORITY_DEFAULT, take_text, self, NULL);
}

/* More is known of the same cards. */
static void
on_more (PenHistoryView *self)
{
  GListModel *model = G_LIST_MODEL (self->store);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenHistoryItem) item = g_list_model_get_item (model, i);

    pen_history_item_update (item, pen_session_get_answers (self->session)->sides,
                             pen_session_get_answers (self->session)->notes);
  }
}

static void
on_dark (PenHistoryView *self)
{
  on_history (self);
}

void
pen_history_view_set_session (PenHistoryView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_history (self);
}

static void
pen_history_view_dispose (GObject *object)
{
  PenHistoryView *self = PEN_HISTORY_VIEW (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_HISTORY_VIEW);
  g_clear_handle_id (&self->extend_id, g_source_remove);
  g_clear_handle_id (&self->scroll_id, g_source_remove);
  g_clear_handle_id (&self->follow_id, g_source_remove);
  g_clear_handle_id (&self->text_id, g_source_remove);
  g_clear_pointer (&self->spare, g_ptr_array_unref);
  g_clear_object (&self->part);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  g_clear_pointer (&self->unfolded, g_hash_table_unref);

  G_OBJECT_CLASS (pen_history_view_parent_class)->dispose (object);
}

static void
pen_history_view_class_init (PenHistoryViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (PEN_TYPE_NAME_LABEL);
  G_OBJECT_CLASS (klass)->dispose = pen_history_view_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/history/pen-history-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenHistoryView, title);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryView, detail);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryView, list);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryView, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
pen_history_view_init (PenHistoryView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->unfolded = pen_history_item_new_unfolded ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  self->session = pen_session_new ();
  pen_row_menu_add (GTK_WIDGET (self->list), describe_row, self);
  self->store = g_list_store_new (PEN_TYPE_HISTORY_ITEM);
  self->spare = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, G_CONNECT_SWAPPED);
  self->part = gtk_slice_list_model_new (G_LIST_MODEL (g_object_ref (self->store)), 0, CARDS);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->part));
  g_signal_connect_swapped (self->list, "map", G_CALLBACK (on_map), self);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (on_activate), self);
  gtk_list_view_set_factory (self->list, factory);
  pen_row_hover_add (GTK_WIDGET (self->list), point_at, self);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list)),
                           "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list)), "changed",
                           G_CALLBACK (on_resized), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark),
                           self, G_CONNECT_SWAPPED);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::history", G_CALLBACK (on_history),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::annotation", G_CALLBACK (on_annotation),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::playhead", G_CALLBACK (on_playhead),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_hover), self);
  g_signal_group_connect_swapped (self->signals, "answered::notes", G_CALLBACK (on_more), self);
  g_signal_group_connect_swapped (self->signals, "answered::sides", G_CALLBACK (on_more), self);
  g_signal_group_connect_swapped (self->signals, "notify::line", G_CALLBACK (on_history), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_history), self);
}
