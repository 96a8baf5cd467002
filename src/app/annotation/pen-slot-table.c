/* pen-slot-table.c: the rows of an annotation under the titles of their columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-table.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <string.h>

#include "pen-column-order.h"
#include "pen-column.h"
#include "pen-direction.h"
#include "pen-slot-row.h"
#include "pen-slot-table-private.h"
#include "pen-slot-words.h"

/* Of a strip of time. */
#define TIME_MIN_WIDTH 84

enum {
  PROP_0,
  PROP_MODEL,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

G_DEFINE_FINAL_TYPE_WITH_CODE (PenSlotTable, pen_slot_table, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* ---- columns ---- */

/* Which one is at @position: titles can be dragged to other places. PEN_SLOT_COLUMNS: none is */
static PenSlotColumn
find_column (PenSlotTable *self, guint position)
{
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (self->titles), position);
  PenSlotColumn found = 0;

  while (found < PEN_SLOT_COLUMNS && self->columns[found] != column)
    found++;
  return found;
}

void
pen_slot_table_add_columns (PenSlotTable *self)
{
  static const PenColumnSpec specs[PEN_SLOT_COLUMNS] = {
    [PEN_SLOT_OFFSET] = { .title = N_ ("Offset"),
                          .tooltip = N_ ("Offset of the instruction in the function"),
                          .width = 124 },
    [PEN_SLOT_SAMPLES] = { .title = N_ ("Samples"),
                           .tooltip = N_ ("Samples on the instruction, under the filters"),
                           .width = 67,
                           .align_end = TRUE },
    [PEN_SLOT_BYTES]
    = { .title = N_ ("Bytes"), .tooltip = N_ ("Bytes of the instruction"), .width = 114 },
    [PEN_SLOT_INSTRUCTION]
    = { .title = N_ ("Instruction"), .tooltip = N_ ("Instruction at the playhead") },
    [PEN_SLOT_SOURCE] = { .title = N_ ("Source"),
                          .tooltip = N_ ("Source line, from debug information"),
                          .width = 132 },
    [PEN_SLOT_TIME] = { .title = N_ ("Over Time"),
                        .tooltip = N_ ("Samples and versions in the time of the overview"),
                        .expand = TRUE },
  };
  GtkWidget *title
      = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (self->titles)));

  pen_column_add_all (self->titles, specs, G_N_ELEMENTS (specs));
  for (PenSlotColumn i = 0; i < PEN_SLOT_COLUMNS; i++)
    self->columns[i] = g_object_ref (pen_column_order_get_made (self->titles, i));
  for (guint i = 0; title; i++, title = gtk_widget_get_next_sibling (title)) {
    if (find_column (self, i) == PEN_SLOT_TIME)
      gtk_widget_set_size_request (title, TIME_MIN_WIDTH + 2 * PEN_SLOT_PADDING, -1);
  }
}

GtkColumnViewColumn *
pen_slot_table_get_column (PenSlotTable *self, PenSlotColumn column)
{
  return self->columns[column];
}

void
pen_slot_table_name_counts (PenSlotTable *self, gboolean is_off_cpu)
{
  pen_column_name_counts (self->titles, is_off_cpu);
}

GtkListView *
pen_slot_table_get_list (PenSlotTable *self)
{
  return self->list;
}

GStrv
pen_slot_table_dup_texts (PenSlotTable *self, PenSlot *slot)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < PEN_SLOT_COLUMNS; i++) {
    PenSlotColumn column = find_column (self, i);
    g_autofree char *text = NULL;

    if (column == PEN_SLOT_COLUMNS || !gtk_column_view_column_get_visible (self->columns[column]))
      continue;
    text = pen_slot_cells_dup_text (slot, column);
    g_strv_builder_add (builder, text);
  }
  return g_strv_builder_end (builder);
}

/* All cells are drawn anew. */
static void
forget_cells (PenSlotTable *self)
{
  self->serial++;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Columns are where their titles are. */
static void
find_boxes (PenSlotTable *self)
{
  GtkWidget *title
      = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (self->titles)));
  PenSlotBox boxes[PEN_SLOT_COLUMNS] = { 0 };

  for (guint i = 0; title; i++, title = gtk_widget_get_next_sibling (title)) {
    PenSlotColumn column = find_column (self, i);
    graphene_rect_t bounds;

    if (column < PEN_SLOT_COLUMNS && gtk_widget_get_visible (title)
        && gtk_widget_compute_bounds (title, GTK_WIDGET (self->titles), &bounds))
      boxes[column] = (PenSlotBox){ (int) bounds.origin.x, (int) bounds.size.width };
  }
  if (memcmp (boxes, self->boxes, sizeof boxes) == 0)
    return;
  memcpy (self->boxes, boxes, sizeof boxes);
  forget_cells (self);
}

/* ---- time ---- */

PenSpan
pen_slot_table_get_span (PenSlotTable *self, PenSlot *slot)
{
  PenSpan visible = { 0, 0 };

  if (self->session && pen_session_get_opened (self->session))
    visible = pen_session_get_view (self->session)->visible;
  return pen_span_length (visible) > 0 ? visible : pen_slot_get_strips (slot)->span;
}

gboolean
pen_slot_table_get_strip (PenSlotTable *self, int *x, int *width)
{
  const PenSlotBox *box = &self->boxes[PEN_SLOT_TIME];

  *x = box->x + PEN_SLOT_PADDING;
  *width = box->width - 2 * PEN_SLOT_PADDING;
  return *width > 0;
}

gboolean
pen_slot_table_find_time (PenSlotTable *self, PenSlot *slot, double x, guint64 *time)
{
  int start, width;

  if (!pen_slot_table_get_strip (self, &start, &width) || x < start || x >= start + width)
    return FALSE;
  *time = pen_span_time_at (pen_slot_table_get_span (self, slot), (x - start) / width);
  return TRUE;
}

const PenAnnotationLine *
pen_slot_table_find_version (PenSlotTable *self, PenSlot *slot, double x, guint64 *time)
{
  PenStripSheet sheet;
  int start, width;
  guint found;

  if (!pen_slot_table_find_time (self, slot, x, time))
    return NULL;
  pen_slot_table_get_strip (self, &start, &width);
  sheet = pen_slot_make_sheet (slot, pen_slot_table_get_span (self, slot));
  found = pen_strip_sheet_find (&sheet, width, x - start, pen_slot_get_first (slot),
                                pen_slot_get_n_lines (slot), time);
  return found != G_MAXUINT ? g_ptr_array_index (sheet.annotated->lines, found) : NULL;
}

/* The version at the pointer, and its samples. */
static char *
dup_time_tooltip (PenSlotTable *self, PenSlot *slot, double x)
{
  guint64 time;
  const PenAnnotationLine *line = pen_slot_table_find_version (self, slot, x, &time);
  g_autofree char *samples = pen_slot_cells_dup_tooltip (slot, PEN_SLOT_TIME);
  g_autofree char *segment = NULL;

  for (guint i = 0; line && !segment && i < pen_slot_get_n_lines (slot); i++)
    if (pen_slot_get_nth_line (slot, i) == line)
      segment = pen_slot_dup_segment (slot, i);
  if (segment && samples)
    return g_strdup_printf ("%s\n%s", segment, samples);
  return segment ? g_steal_pointer (&segment) : g_steal_pointer (&samples);
}

char *
pen_slot_table_dup_tooltip (PenSlotTable *self, PenSlot *slot, double x, GdkRectangle *area)
{
  for (PenSlotColumn i = 0; i < PEN_SLOT_COLUMNS; i++) {
    const PenSlotBox *box = &self->boxes[i];

    if (x < box->x || x >= box->x + box->width)
      continue;
    area->x = box->x;
    area->width = box->width;
    return i == PEN_SLOT_TIME ? dup_time_tooltip (self, slot, x)
                              : pen_slot_cells_dup_tooltip (slot, i);
  }
  return NULL;
}

/* As they are in the frame to be drawn. */
static void
find_times (PenSlotTable *self)
{
  const PenViewState *view;
  const PenHover *hover;

  self->times = (PenStripTimes){ 0 };
  if (!self->session)
    return;
  view = pen_session_get_view (self->session);
  hover = pen_session_get_hover (self->session);
  if (self->brushing)
    self->times.selected = self->brush;
  else
    pen_session_get_selected (self->session, &self->times.selected);
  self->times.has_hover = hover->has_time;
  self->times.hover = hover->time;
  self->times.has_mark = view->has_mark;
  self->times.mark = view->mark;
  self->times.playhead = view->playhead;
}

void
pen_slot_table_set_session (PenSlotTable *self, PenSession *session)
{
  if (g_set_object (&self->session, session))
    g_signal_group_set_target (self->signals, session);
}

/* ---- sizes ---- */

static void
pen_slot_table_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenSlotTable *self = PEN_SLOT_TABLE (widget);
  int least, usual;

  gtk_widget_measure (GTK_WIDGET (self->titles), orientation, for_size, minimum, natural, NULL,
                      NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  gtk_widget_measure (GTK_WIDGET (self->list), orientation, for_size, &least, &usual, NULL, NULL);
  *minimum += least;
  *natural += usual;
}

static void
pen_slot_table_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenSlotTable *self = PEN_SLOT_TABLE (widget);
  int least, usual, full, x;

  gtk_widget_measure (GTK_WIDGET (self->titles), GTK_ORIENTATION_HORIZONTAL, -1, &least, &usual,
                      NULL, NULL);
  full = MAX (width, self->policies[0] == GTK_SCROLL_MINIMUM ? least : usual);
  gtk_widget_measure (GTK_WIDGET (self->titles), GTK_ORIENTATION_VERTICAL, full, &least, NULL, NULL,
                      NULL);
  self->titles_height = least;
  gtk_adjustment_configure (self->across, gtk_adjustment_get_value (self->across), 0, full,
                            width * 0.1, width * 0.9, width);
  x = -(int) gtk_adjustment_get_value (self->across);
  gtk_widget_size_allocate (GTK_WIDGET (self->titles), &(GtkAllocation){ x, 0, full, least }, -1);
  height = MAX (height - least, 0);
  gtk_widget_size_allocate (GTK_WIDGET (self->list), &(GtkAllocation){ x, least, full, height },
                            -1);
  find_boxes (self);
}

/* ---- drawing ---- */

static PenSlotRow *
get_row (GtkWidget *list_item)
{
  GtkWidget *child = gtk_widget_get_first_child (list_item);

  return child && PEN_IS_SLOT_ROW (child) ? PEN_SLOT_ROW (child) : NULL;
}

static void
draw_row (PenSlotTable *self, PenSlotRow *row, GtkSnapshot *snapshot)
{
  graphene_rect_t bounds;

  if (!gtk_widget_get_mapped (GTK_WIDGET (row))
      || !gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self), &bounds)
      || bounds.origin.y + bounds.size.height <= (float) self->titles_height
      || bounds.origin.y >= (float) gtk_widget_get_height (GTK_WIDGET (self)))
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &bounds.origin);
  pen_slot_row_draw (row, snapshot);
  gtk_snapshot_restore (snapshot);
}

/* Grounds, frames and titles are drawn by their widgets; the cells of the rows that are in sight
 * come over them. */
static void
pen_slot_table_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenSlotTable *self = PEN_SLOT_TABLE (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget) - self->titles_height;

  find_times (self);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->list), snapshot);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, (float) self->titles_height,
                                                         (float) width, (float) height));
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item;
       item = gtk_widget_get_next_sibling (item)) {
    PenSlotRow *row = get_row (item);

    if (!row)
      continue;
    pen_slot_row_name (row);
    draw_row (self, row, snapshot);
  }
  gtk_snapshot_pop (snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->titles), snapshot);
}

/* ---- fonts and colours ---- */

static void
on_look (PenSlotTable *self)
{
  int height;

  if (!self->list)
    return;
  height = pen_slot_painter_get_height (self->painter);
  pen_slot_painter_forget (self->painter);
  forget_cells (self);
  if (pen_slot_painter_get_height (self->painter) == height)
    return;
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item;
       item = gtk_widget_get_next_sibling (item))
    if (get_row (item))
      gtk_widget_queue_resize (GTK_WIDGET (get_row (item)));
}

static void
pen_slot_table_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (pen_slot_table_parent_class)->css_changed (widget, change);
  on_look (PEN_SLOT_TABLE (widget));
}

static void
pen_slot_table_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (pen_slot_table_parent_class)->system_setting_changed (widget, setting);
  on_look (PEN_SLOT_TABLE (widget));
}

/* ---- rows ---- */

static void
on_setup (PenSlotTable *self, GtkListItem *item)
{
  gtk_list_item_set_child (item, pen_slot_row_new (self));
}

static void
on_bind (PenSlotTable *self, GtkListItem *item)
{
  pen_slot_row_set (PEN_SLOT_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_item (item));
}

static void
on_unbind (PenSlotTable *self, GtkListItem *item)
{
  pen_slot_row_set (PEN_SLOT_ROW (gtk_list_item_get_child (item)), NULL);
}

static gboolean
pen_slot_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (PEN_SLOT_TABLE (widget)->list));
}

/* ---- object ---- */

static void
set_across (PenSlotTable *self, GtkAdjustment *adjustment)
{
  if (adjustment == self->across && adjustment)
    return;
  if (self->across)
    g_signal_handlers_disconnect_by_data (self->across, self);
  g_clear_object (&self->across);
  self->across
      = g_object_ref_sink (adjustment ? adjustment : gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  g_signal_connect_swapped (self->across, "value-changed", G_CALLBACK (gtk_widget_queue_allocate),
                            self);
}

static void
pen_slot_table_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PenSlotTable *self = PEN_SLOT_TABLE (object);

  switch (id) {
  case PROP_MODEL:
    g_value_set_object (value, gtk_list_view_get_model (self->list));
    break;
  case PROP_HADJUSTMENT:
    g_value_set_object (value, self->across);
    break;
  case PROP_VADJUSTMENT:
    g_value_set_object (value, gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list)));
    break;
  case PROP_HSCROLL_POLICY:
  case PROP_VSCROLL_POLICY:
    g_value_set_enum (value, self->policies[id - PROP_HSCROLL_POLICY]);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
pen_slot_table_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PenSlotTable *self = PEN_SLOT_TABLE (object);

  switch (id) {
  case PROP_MODEL:
    gtk_list_view_set_model (self->list, g_value_get_object (value));
    break;
  case PROP_HADJUSTMENT:
    set_across (self, g_value_get_object (value));
    break;
  case PROP_VADJUSTMENT:
    gtk_scrollable_set_vadjustment (GTK_SCROLLABLE (self->list), g_value_get_object (value));
    break;
  case PROP_HSCROLL_POLICY:
  case PROP_VSCROLL_POLICY:
    self->policies[id - PROP_HSCROLL_POLICY] = g_value_get_enum (value);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
pen_slot_table_dispose (GObject *object)
{
  PenSlotTable *self = PEN_SLOT_TABLE (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);
  g_clear_object (&self->pressed);
  g_clear_object (&self->pressed_row);
  for (PenSlotColumn i = 0; i < PEN_SLOT_COLUMNS; i++)
    g_clear_object (&self->columns[i]);
  if (self->across)
    g_signal_handlers_disconnect_by_data (self->across, self);
  g_clear_object (&self->across);
  if (self->list) {
    gtk_widget_unparent (GTK_WIDGET (self->titles));
    gtk_widget_unparent (GTK_WIDGET (self->list));
    self->list = NULL;
  }

  G_OBJECT_CLASS (pen_slot_table_parent_class)->dispose (object);
}

static void
pen_slot_table_finalize (GObject *object)
{
  PenSlotTable *self = PEN_SLOT_TABLE (object);

  pen_slot_painter_free (self->painter);
  pen_snapshot_painter_free (self->words);

  G_OBJECT_CLASS (pen_slot_table_parent_class)->finalize (object);
}

static void
pen_slot_table_class_init (PenSlotTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = pen_slot_table_dispose;
  object_class->finalize = pen_slot_table_finalize;
  object_class->get_property = pen_slot_table_get_property;
  object_class->set_property = pen_slot_table_set_property;
  widget_class->measure = pen_slot_table_measure;
  widget_class->size_allocate = pen_slot_table_size_allocate;
  widget_class->snapshot = pen_slot_table_snapshot;
  widget_class->css_changed = pen_slot_table_css_changed;
  widget_class->system_setting_changed = pen_slot_table_system_setting_changed;
  widget_class->grab_focus = pen_slot_table_grab_focus;
  g_object_class_install_property (
      object_class, PROP_MODEL,
      g_param_spec_object ("model", NULL, NULL, GTK_TYPE_SELECTION_MODEL,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  gtk_widget_class_set_css_name (widget_class, "slottable");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TREE_GRID);
}

static void
add_list (PenSlotTable *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), self);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (on_unbind), self);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (NULL, NULL));
  gtk_list_view_set_factory (self->list, factory);
  gtk_widget_set_parent (GTK_WIDGET (self->list), GTK_WIDGET (self));
}

/* After the list, which is looked for first. They take no focus, as those of other tables. */
static void
add_titles (PenSlotTable *self)
{
  self->titles = g_object_new (GTK_TYPE_COLUMN_VIEW, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP,
                               "can-focus", FALSE, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->titles), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Column titles"), -1);
  gtk_widget_add_css_class (GTK_WIDGET (self->titles), "data-table");
  gtk_widget_set_parent (GTK_WIDGET (self->titles), GTK_WIDGET (self));
}

static void
pen_slot_table_init (PenSlotTable *self)
{
  static const char *const names[] = { "playhead", "hover", "visible", "filter", "mark" };

  self->painter = pen_slot_painter_new (GTK_WIDGET (self));
  self->words = pen_snapshot_painter_new (GTK_WIDGET (self));
  set_across (self, NULL);
  add_list (self);
  add_titles (self);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  pen_direction_keep_left_to_right (GTK_WIDGET (self));
  pen_slot_table_add_pointer (self);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *signal = g_strconcat ("notify::", names[i], NULL);

    g_signal_group_connect_swapped (self->signals, signal, G_CALLBACK (gtk_widget_queue_draw),
                                    self);
  }
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_look),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (on_look), NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (on_look), self, G_CONNECT_SWAPPED);
}
