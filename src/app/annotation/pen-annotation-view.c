/* pen-annotation-view.c: a function's instructions, and how they changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-private.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-row-facts.h"
#include "pen-row-hover.h"
#include "pen-row-item.h"
#include "pen-row-menu.h"
#include "pen-slot-row.h"
#include "pen-table-hash.h"

/* Below this width the arrows of jumps give way to the instructions. */
#define ARROWS_MIN_WIDTH 440
/* Once it is shown, a list wants some turns to lay out its rows. */
#define SCROLL_AFTER_MS 150
/* The versions of an opened line that are shown at once. */
#define VERSIONS_IN_SIGHT 6

G_DEFINE_FINAL_TYPE (PenAnnotationView, pen_annotation_view, PEN_TYPE_PANE)

static GListModel *
dup_children (gpointer item, gpointer user_data)
{
  return pen_slot_dup_versions (item);
}

/* ---- selection ---- */

/* A list that was never shown has no rows yet to scroll by. */
static gboolean
scroll_to_pending (gpointer data)
{
  PenAnnotationView *self = data;

  self->scroll_id = 0;
  if (gtk_widget_get_height (GTK_WIDGET (self->view)) > 0
      && self->pending < g_list_model_get_n_items (G_LIST_MODEL (self->tree)))
    pen_annotation_scroll_to (self, self->pending);
  return G_SOURCE_REMOVE;
}

static void
on_map (PenAnnotationView *self)
{
  if (self->pending != GTK_INVALID_LIST_POSITION && self->scroll_id == 0)
    self->scroll_id = g_timeout_add (SCROLL_AFTER_MS, scroll_to_pending, self);
}

void
pen_annotation_scroll_to (PenAnnotationView *self, guint position)
{
  GtkWidget *list = pen_row_item_find_list (GTK_WIDGET (self->view));
  gboolean is_shown = list && gtk_widget_get_mapped (list) && gtk_widget_get_height (list) > 0;

  self->pending = is_shown ? GTK_INVALID_LIST_POSITION : position;
  if (is_shown)
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
  else if (list && gtk_widget_get_mapped (list))
    on_map (self);
}

/* The position of the slot that holds @address, among the rows that are shown;
 * GTK_INVALID_LIST_POSITION */
static guint
find_position (PenAnnotationView *self, guint64 address)
{
  g_autoptr (GtkTreeListRow) row = NULL;
  guint slot;

  if (pen_slot_list_find (self->slots, address, &slot))
    row = gtk_tree_list_model_get_child_row (self->tree, slot);
  return row ? gtk_tree_list_row_get_position (row) : GTK_INVALID_LIST_POSITION;
}

static void
select_line (PenAnnotationView *self)
{
  guint position = GTK_INVALID_LIST_POSITION;
  guint64 address = 0;

  pen_session_get_line (self->session, &address);
  pen_slot_list_set_line (self->slots, address);
  if (pen_session_get_line (self->session, &address)) {
    GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);
    g_autoptr (PenSlot) current = row ? gtk_tree_list_row_get_item (row) : NULL;

    /* A version of that very line stays selected. */
    if (current && pen_slot_get_address (current) == address)
      return;
    position = find_position (self, address);
  }
  self->updating = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->updating = FALSE;
  if (position != GTK_INVALID_LIST_POSITION)
    pen_annotation_scroll_to (self, position);
}

static void
on_selected (PenAnnotationView *self)
{
  g_autoptr (PenSlot) slot = pen_annotation_dup_selected (self);
  guint64 address;

  pen_annotation_update_follow (self);
  if (self->updating || !slot)
    return;
  address = pen_slot_get_address (slot);
  pen_session_set_line (self->session, &address);
}

/* Double click and Enter open a slot, or close it; one that has nothing to open leads on. */
static void
on_activate (PenAnnotationView *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), position);

  if (!row)
    return;
  if (gtk_single_selection_get_selected (self->selection) != position)
    gtk_single_selection_set_selected (self->selection, position);
  if (gtk_tree_list_row_is_expandable (row)) {
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
  } else {
    g_autoptr (PenSlot) slot = gtk_tree_list_row_get_item (row);

    pen_annotation_follow (self, slot);
  }
}

void
pen_annotation_view_open_line (PenAnnotationView *self, guint64 address)
{
  GListModel *model = G_LIST_MODEL (self->tree);
  guint position = find_position (self, address);
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, position);
  g_autoptr (PenSlot) slot = row ? gtk_tree_list_row_get_item (row) : NULL;

  if (!slot)
    return;
  gtk_tree_list_row_set_expanded (row, TRUE);
  /* The first versions come into sight with it; near the top they are in sight already. */
  pen_annotation_scroll_to (
      self, position <= VERSIONS_IN_SIGHT
                ? 0
                : MIN (position + MIN (pen_slot_get_n_lines (slot), VERSIONS_IN_SIGHT),
                       g_list_model_get_n_items (model) - 1));
}

/* ---- keeping up with the session ---- */

/* The row of the slot at @position, if it has versions. Lists make slots and rows when they are
 * asked for them, and there may be very many. */
static GtkTreeListRow *
dup_row_to_open (PenAnnotationView *self, guint position)
{
  return pen_slot_list_count_versions (self->slots, position) > 1
             ? gtk_tree_list_model_get_child_row (self->tree, position)
             : NULL;
}

static void
remember_opened (PenAnnotationView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->slots));

  g_hash_table_remove_all (self->opened);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GtkTreeListRow) row = dup_row_to_open (self, i);

    if (row && gtk_tree_list_row_get_expanded (row)) {
      g_autoptr (PenSlot) slot = gtk_tree_list_row_get_item (row);
      guint64 address = pen_slot_get_address (slot);

      g_hash_table_add (self->opened, g_memdup2 (&address, sizeof address));
    }
  }
}

static void
reopen (PenAnnotationView *self)
{
  guint n = g_hash_table_size (self->opened) > 0
                ? g_list_model_get_n_items (G_LIST_MODEL (self->slots))
                : 0;

  for (guint i = 0; i < n; i++) {
    g_autoptr (GtkTreeListRow) row = dup_row_to_open (self, i);
    g_autoptr (PenSlot) slot = row ? gtk_tree_list_row_get_item (row) : NULL;
    guint64 address = slot ? pen_slot_get_address (slot) : 0;

    if (slot && g_hash_table_contains (self->opened, &address))
      gtk_tree_list_row_set_expanded (row, TRUE);
  }
}

static void
show_page (PenAnnotationView *self, const PenStrips *strips)
{
  const GError *error = pen_session_get_error (self->session, PEN_JOB_ANNOTATION);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  const char *text = NULL;
  guint32 function;

  if (error)
    text = message;
  else if (!strips && !pen_session_get_function (self->session, &function))
    text = _ ("Select a function to see its instructions.");
  else if (strips && strips->text->annotated->lines->len == 0)
    text = strips->text->function == PEN_NO_FUNCTION
               ? _ ("The bytes of this text are unknown: nothing near it was sampled or patched.")
               : _ ("The instructions of this text are unknown.");
  gtk_label_set_text (self->empty, text ? text : "");
  gtk_stack_set_visible_child_name (self->stack, text ? "empty"
                                                 : pen_session_get_view (self->session)->has_mark
                                                     ? "instants"
                                                     : "text");
}

static void
on_mark (PenAnnotationView *self)
{
  show_page (self, pen_session_get_answers (self->session)->annotation);
}

static void
plant_tree (PenAnnotationView *self)
{
  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (g_object_ref (self->slots)), FALSE, FALSE,
                                        dup_children, NULL, NULL);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->tree));
}

/* Another function has a tree of its own. GTK takes the rows out of a tree one by one, and looks
 * for those that were in sight among all that come in their place, each of which is made for that;
 * so they stay in sight if the function is the same. */
static void
replace_rows (PenAnnotationView *self, const PenStrips *strips)
{
  if (pen_slot_list_is_of (self->slots, strips)) {
    remember_opened (self);
    pen_slot_list_replace (self->slots, strips);
    reopen (self);
  } else {
    gtk_single_selection_set_model (self->selection, NULL);
    g_clear_object (&self->tree);
    pen_slot_list_replace (self->slots, strips);
    plant_tree (self);
  }
}

static void
on_annotation (PenAnnotationView *self)
{
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;

  self->updating = TRUE;
  if (!strips || !pen_slot_list_update (self->slots, strips))
    replace_rows (self, strips);
  self->updating = FALSE;
  select_line (self);
  pen_annotation_update_follow (self);
  if (strips)
    pen_slot_table_name_counts (self->view,
                                strips->text->annotated->population == PEN_POPULATION_WAITS);
  pen_annotation_fit_columns (self);
  pen_annotation_show_matches (self);
  pen_annotation_show_heading (self);
  pen_annotation_show_loads (self);
  show_page (self, strips);
}

static void
on_playhead (PenAnnotationView *self)
{
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  PenClock clock = pen_session_get_clock (self->session);
  guint64 resolution = MAX (pen_span_length (clock.span) / 100000, 1000);
  g_autofree char *time = pen_clock_format_long (&clock, playhead, resolution);
  g_autofree char *label = g_strdup_printf (_ ("As of %s"), time);
  gboolean at_start = playhead <= clock.span.from;

  pen_slot_list_set_playhead (self->slots, playhead);
  pen_annotation_update_follow (self);
  gtk_label_set_text (self->as_of_label, at_start ? _ ("At start of recording") : label);
  gtk_widget_set_visible (self->leave_mark, !at_start);
  if (at_start)
    gtk_widget_remove_css_class (GTK_WIDGET (self->as_of), "as-of");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->as_of), "as-of");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->as_of), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_text (self->as_of_label), -1);
  pen_annotation_show_change (self);
}

static void
on_clock (PenAnnotationView *self)
{
  PenClock clock = pen_session_get_clock (self->session);

  pen_slot_list_set_clock (self->slots, &clock);
  on_playhead (self);
}

static void
on_sides (PenAnnotationView *self)
{
  pen_slot_list_set_sides (self->slots, pen_session_get_answers (self->session)->sides);
  pen_annotation_show_change (self);
}

static void
on_notes (PenAnnotationView *self)
{
  pen_slot_list_set_notes (self->slots, pen_session_get_answers (self->session)->notes);
}

static void
on_hover (PenAnnotationView *self)
{
  const PenHover *hover = pen_session_get_hover (self->session);

  pen_slot_list_set_lit (self->slots, hover->has_address ? hover->address_from : 0,
                         hover->has_address ? hover->address_to : 0);
}

/* A line that is pointed at lights up in the other views, with the time at the pointer on its
 * strip. */
static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  PenAnnotationView *self = owner;
  const PenAnnotationLine *line = item ? pen_slot_get_line (item) : NULL;
  PenHover hover = { 0 };

  if (line && pen_query_is_kernel_kind (pen_slot_get_strips (item)->text->annotated->kind)) {
    hover.has_address = TRUE;
    hover.address_from = line->address;
    hover.address_to = line->address + MAX (line->n_bytes, 1);
  }
  if (line && PEN_IS_SLOT_ROW (under)
      && pen_slot_table_find_time (self->view, item, x, &hover.time)) {
    const PenAnnotationLine *version
        = pen_slot_table_find_version (self->view, item, x, &hover.time);
    const PenPoke *poke = version ? pen_slot_find_poke (item, version) : NULL;

    pen_slot_table_find_time (self->view, item, x, &hover.time);
    hover.has_time = TRUE;
    hover.batch = poke ? poke->batch : 0;
  }
  pen_session_set_hover (self->session, &hover);
}

void
pen_annotation_view_set_session (PenAnnotationView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  pen_slot_table_set_session (self->view, session);
  pen_instants_view_set_session (self->instants, session);
  pen_verdict_bar_set_session (self->verdict, session);
  g_signal_group_set_target (self->signals, session);
  on_clock (self);
  on_annotation (self);
  on_sides (self);
  on_notes (self);
}

/* ---- object ---- */

static gboolean
show_arrows (gpointer user_data)
{
  PenAnnotationView *self = user_data;

  /* The view may be gone by now. */
  if (self->slots)
    pen_slot_list_set_has_arrows (self->slots, self->has_arrows);
  if (self->slots)
    pen_annotation_show_change (self);
  return G_SOURCE_REMOVE;
}

static void
pen_annotation_view_resized (PenPane *pane, int width)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (pane);
  gboolean has_arrows = width >= ARROWS_MIN_WIDTH;

  if (self->width != width) {
    self->width = width;
    pen_annotation_fit_columns (self);
  }
  if (self->has_arrows == has_arrows)
    return;
  self->has_arrows = has_arrows;
  /* Not while sizes are being given out. */
  g_idle_add_full (G_PRIORITY_DEFAULT, show_arrows, g_object_ref (self), g_object_unref);
}

static void
pen_annotation_view_dispose (GObject *object)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (object);

  g_clear_object (&self->signals);
  g_clear_handle_id (&self->scroll_id, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_ANNOTATION_VIEW);
  g_clear_object (&self->tree);
  g_clear_object (&self->slots);
  g_clear_pointer (&self->measured, pen_annotated_text_unref);
  g_clear_object (&self->session);
  g_clear_pointer (&self->opened, g_hash_table_unref);

  G_OBJECT_CLASS (pen_annotation_view_parent_class)->dispose (object);
}

static void
pen_annotation_view_class_init (PenAnnotationViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (PEN_TYPE_LINE_FIND);
  g_type_ensure (PEN_TYPE_NAME_LABEL);
  g_type_ensure (PEN_TYPE_SLOT_TABLE);
  g_type_ensure (PEN_TYPE_INSTANTS_VIEW);
  g_type_ensure (PEN_TYPE_VERDICT_BAR);
  G_OBJECT_CLASS (klass)->dispose = pen_annotation_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_annotation_view_resized;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/annotation/pen-annotation-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, name);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, detail);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, as_of);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, as_of_label);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, leave_mark);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, verdict);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, change);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, find);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, loads);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, instants);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, view);
  gtk_widget_class_bind_template_child (widget_class, PenAnnotationView, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  gtk_widget_class_bind_template_callback (widget_class, pen_annotation_choose_load);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_period, 0, "win.next-change", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_comma, 0, "win.previous-change", NULL);
  pen_annotation_install_actions (widget_class);
}

static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  PenAnnotationView *self = owner;
  PenSlot *slot = item;
  GPtrArray *notes = pen_slot_get_notes (slot);
  g_auto (GStrv) texts = pen_slot_table_dup_texts (self->view, slot);

  for (guint i = 0; texts[i]; i++)
    pen_row_add_cell (row, texts[i]);
  pen_row_tell_line (row, pen_slot_get_strips (slot)->text->annotated, pen_slot_get_line (slot));
  for (guint i = 0; notes && i < notes->len; i++)
    pen_row_add_note (row, ((const PenNoteRow *) notes->pdata[i])->note);
}

static void
pen_annotation_view_init (PenAnnotationView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  pen_slot_table_add_columns (self->view);
  pen_row_menu_add (GTK_WIDGET (self->view), describe_row, self);
  pen_row_hover_add (GTK_WIDGET (self->view), point_at, self);
  self->session = pen_session_new ();
  self->opened = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  g_signal_connect_swapped (pen_slot_table_get_list (self->view), "activate",
                            G_CALLBACK (on_activate), self);

  self->slots = pen_slot_list_new ();
  self->has_arrows = TRUE;
  plant_tree (self);

  self->pending = GTK_INVALID_LIST_POSITION;
  g_signal_connect_swapped (self->view, "map", G_CALLBACK (on_map), self);
  pen_annotation_connect_find (self);
  pen_annotation_connect_keys (self);
  pen_annotation_connect_loads (self);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::annotation", G_CALLBACK (on_annotation),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::functions",
                                  G_CALLBACK (pen_annotation_show_heading), self);
  g_signal_group_connect_swapped (self->signals, "answered::history",
                                  G_CALLBACK (pen_annotation_show_change), self);
  g_signal_group_connect_swapped (self->signals, "answered::sides", G_CALLBACK (on_sides), self);
  g_signal_group_connect_swapped (self->signals, "answered::notes", G_CALLBACK (on_notes), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_hover), self);
  g_signal_group_connect_swapped (self->signals, "notify::mark", G_CALLBACK (on_mark), self);
  g_signal_group_connect_swapped (self->signals, "notify::line", G_CALLBACK (select_line), self);
  g_signal_group_connect_swapped (self->signals, "notify::playhead", G_CALLBACK (on_playhead),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_clock), self);
}
