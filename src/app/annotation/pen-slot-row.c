/* pen-slot-row.c: the widget of an annotation row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-row.h"

#include "pen-row-hover.h"
#include "pen-row-item.h"
#include "pen-slot-table-private.h"
#include "pen-slot-words.h"
#include "pen-strip.h"

struct _PenSlotRow {
  GtkWidget parent_instance;

  PenSlotTable *table;
  GtkTreeListRow *row;
  PenSlot *slot; /* a tree's row forgets its item when it collapses, before it is unbound */
  gulong changed;
  gulong expanded;
  gboolean is_named;
  gboolean is_described;
  GskRenderNode *cells;
  guint serial; /* of the table, when they were drawn */
  PenStrip strip;
};

G_DEFINE_FINAL_TYPE (PenSlotRow, pen_slot_row, GTK_TYPE_WIDGET)

static void
show_light (PenSlotRow *self)
{
  GtkWidget *row = gtk_widget_get_parent (GTK_WIDGET (self));

  if (row && pen_slot_is_lit (self->slot))
    gtk_widget_add_css_class (row, "lit");
  else if (row)
    gtk_widget_remove_css_class (row, "lit");
}

static void
on_changed (PenSlotRow *self)
{
  self->is_named = self->is_described = FALSE;
  g_clear_pointer (&self->cells, gsk_render_node_unref);
  pen_strip_clear (&self->strip);
  show_light (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pen_slot_row_set (PenSlotRow *self, GtkTreeListRow *row)
{
  if (self->slot) {
    pen_row_hover_forget (GTK_WIDGET (self));
    g_clear_signal_handler (&self->changed, self->slot);
    g_clear_signal_handler (&self->expanded, self->row);
    g_clear_object (&self->slot);
    g_clear_object (&self->row);
  }
  if (row) {
    self->row = g_object_ref (row);
    self->slot = gtk_tree_list_row_get_item (row);
    self->changed = g_signal_connect_swapped (self->slot, "changed", G_CALLBACK (on_changed), self);
    self->expanded
        = g_signal_connect_swapped (row, "notify::expanded", G_CALLBACK (on_changed), self);
    on_changed (self);
  }
  pen_row_item_set (GTK_WIDGET (self), self->slot);
}

PenSlot *
pen_slot_row_get_slot (PenSlotRow *self)
{
  return self->slot;
}

GtkTreeListRow *
pen_slot_row_get_row (PenSlotRow *self)
{
  return self->row;
}

/* ---- for those who hear it ---- */

/* The texts of the cells, one after the other. */
static char *
dup_cells (PenSlotRow *self)
{
  g_auto (GStrv) texts = pen_slot_table_dup_texts (self->table, self->slot);
  GString *cells = g_string_new (NULL);

  for (guint i = 0; texts[i]; i++)
    if (texts[i][0])
      g_string_append_printf (cells, "%s%s", cells->len > 0 ? " " : "", texts[i]);
  return g_string_free (cells, FALSE);
}

/* A slot that has versions. GTK would have them made to know. */
static gboolean
is_expandable (PenSlotRow *self)
{
  return !pen_slot_is_version (self->slot) && pen_slot_get_n_lines (self->slot) > 1;
}

void
pen_slot_row_name (PenSlotRow *self)
{
  GtkWidget *row = gtk_widget_get_parent (GTK_WIDGET (self));
  g_autofree char *spoken = NULL;

  if (!self->slot || self->is_named)
    return;
  self->is_named = TRUE;
  spoken = pen_slot_dup_spoken (self->slot);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

/* For who looks at what is on the screen. */
static void
describe (PenSlotRow *self)
{
  g_autofree char *segments = pen_slot_dup_segments (self->slot);
  g_autofree char *cells = dup_cells (self);

  self->is_described = TRUE;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, cells,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, segments ? segments : "",
                                  -1);
  if (is_expandable (self))
    gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 gtk_tree_list_row_get_expanded (self->row), -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED);
}

static void
toggle_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSlotRow *self = PEN_SLOT_ROW (widget);

  if (self->slot && is_expandable (self))
    gtk_tree_list_row_set_expanded (self->row, !gtk_tree_list_row_get_expanded (self->row));
}

static gboolean
pen_slot_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  PenSlotRow *self = PEN_SLOT_ROW (widget);
  GdkRectangle area = { 0, 0, 0, gtk_widget_get_height (widget) };
  g_autofree char *text
      = self->slot ? pen_slot_table_dup_tooltip (self->table, self->slot, x, &area) : NULL;

  if (!text)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

/* ---- drawing ---- */

static void
draw_strip (PenSlotRow *self, GtkSnapshot *snapshot, int height)
{
  PenSlotTable *table = self->table;
  const PenSlotBox *box = &table->boxes[PEN_SLOT_TIME];
  const PenTheme *theme = pen_slot_painter_get_theme (table->painter);
  PenSpan span = pen_slot_table_get_span (table, self->slot);
  int width = box->width - 2 * PEN_SLOT_PADDING;

  if (width < 1)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float) (box->x + PEN_SLOT_PADDING),
                                                (float) ((height - PEN_STRIP_HEIGHT) / 2)));
  pen_strip_draw (&self->strip, self->slot, span, width, PEN_STRIP_HEIGHT,
                  gtk_widget_get_scale_factor (GTK_WIDGET (self)), theme, table->words, snapshot);
  pen_strip_draw_times (&table->times, span, width, PEN_STRIP_HEIGHT, theme,
                        pen_snapshot_painter_begin (table->words, snapshot));
  gtk_snapshot_restore (snapshot);
}

void
pen_slot_row_draw (PenSlotRow *self, GtkSnapshot *snapshot)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!self->slot)
    return;
  if (!self->cells || self->serial != self->table->serial) {
    g_clear_pointer (&self->cells, gsk_render_node_unref);
    self->cells = pen_slot_painter_new_node (self->table->painter, self->slot, self->row,
                                             self->table->boxes, height);
    self->serial = self->table->serial;
  }
  if (!self->is_described)
    describe (self);
  if (self->cells)
    gtk_snapshot_append_node (snapshot, self->cells);
  draw_strip (self, snapshot, height);
}

static void
pen_slot_row_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL
                            ? pen_slot_painter_get_height (PEN_SLOT_ROW (widget)->table->painter)
                            : 0;
}

/* ---- object ---- */

static void
pen_slot_row_dispose (GObject *object)
{
  PenSlotRow *self = PEN_SLOT_ROW (object);

  pen_slot_row_set (self, NULL);
  g_clear_pointer (&self->cells, gsk_render_node_unref);
  pen_strip_clear (&self->strip);

  G_OBJECT_CLASS (pen_slot_row_parent_class)->dispose (object);
}

static void
pen_slot_row_class_init (PenSlotRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_slot_row_dispose;
  widget_class->measure = pen_slot_row_measure;
  widget_class->query_tooltip = pen_slot_row_query_tooltip;
  gtk_widget_class_install_action (widget_class, "line.toggle-versions", NULL, toggle_action);
  gtk_widget_class_set_css_name (widget_class, "slot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
pen_slot_row_init (PenSlotRow *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

GtkWidget *
pen_slot_row_new (PenSlotTable *table)
{
  PenSlotRow *self = g_object_new (PEN_TYPE_SLOT_ROW, NULL);

  self->table = table;
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  return GTK_WIDGET (self);
}
