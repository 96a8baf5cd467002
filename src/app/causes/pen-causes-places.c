/* pen-causes-places.c: places that a row of causes leads to; its menu, light and lane
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-causes-private.h"

#include <glib/gi18n-lib.h>

#include "pen-row-hover.h"
#include "pen-row-strip.h"
#include "pen-store-pokes.h"

static void
show_code_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenCausesView *self = PEN_CAUSES_VIEW (widget);
  const PenCauseRow *row = pen_causes_view_get_selected (self);
  guint64 address;

  if (!row || !row->has_function)
    return;
  address = row->address;
  pen_session_set_function (self->session, row->function);
  if (row->level == 2 && !row->is_program)
    pen_session_set_line (self->session, &address);
  gtk_widget_activate_action (widget, "win.show-code", NULL);
}

/* The row itself, or its first site. */
static guint64
find_address (PenCausesView *self, const PenCauseRow *row)
{
  while (row->level < 2 && row->n_children > 0)
    row = pen_cause_tree_get (pen_causes_get_tree (self), row->first_child);
  return row->address;
}

static void
show_map_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenCausesView *self = PEN_CAUSES_VIEW (widget);
  const PenCauseRow *row = pen_causes_view_get_selected (self);
  guint64 address;

  if (!row)
    return;
  address = find_address (self, row);
  pen_session_show_addresses (self->session, address, address + 1);
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenCausesView *self = PEN_CAUSES_VIEW (widget);
  const PenCauseRow *row = pen_causes_view_get_selected (self);
  guint64 margin;

  if (!row || row->flips == 0)
    return;
  margin = MAX ((row->last - row->first) / 20, 1000000);
  pen_session_set_visible (self->session,
                           (PenSpan){ row->first - MIN (row->first, margin), row->last + margin });
}

/* ---- stacks before and after ---- */

/* The batch of a flip of the row at @time; 0: none is known. */
static guint32
find_batch (PenCausesView *self, const PenCauseRow *row, guint64 time)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  const GArray *ticks = opened && opened->outline ? opened->outline->ticks : NULL;
  guint first = 0, end = ticks ? ticks->len : 0;

  while (first < end) {
    guint middle = first + (end - first) / 2;

    if (g_array_index (ticks, PenPokeTick, middle).time < time)
      first = middle + 1;
    else
      end = middle;
  }
  for (guint i = first; ticks && i < ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (ticks, PenPokeTick, i);

    if (tick->time != time)
      break;
    if (tick->cause == row->cause && (row->level < 2 || tick->address == row->address))
      return tick->batch;
  }
  return 0;
}

static void
compare_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenCausesView *self = PEN_CAUSES_VIEW (widget);
  const PenCauseRow *row = pen_causes_view_get_selected (self);
  guint32 batch = 0;

  if (row)
    batch = find_batch (self, row, g_str_has_suffix (name, "last") ? row->last : row->first);
  if (batch != 0)
    pen_session_compare_batch (self->session, batch);
}

/* Before and after a program was loaded: as long as it was there, if there is as much time before.
 * FALSE: it was there from the start. */
static gboolean
find_load_windows (PenCausesView *self, const PenCauseRow *row, PenFlameWindow windows[2])
{
  const PenCauseTree *tree = pen_causes_get_tree (self);
  PenSpan span = pen_session_get_span (self->session);
  const PenCauseStretch *stretch;
  guint64 length;

  if (row->n_stretches == 0)
    return FALSE;
  stretch = &g_array_index (tree->stretches, PenCauseStretch, row->first_stretch);
  if (stretch->from <= span.from || stretch->from >= MIN (stretch->to, span.to))
    return FALSE;
  length = MIN (stretch->from - span.from, MIN (stretch->to, span.to) - stretch->from);
  windows[0] = (PenFlameWindow){ stretch->from - length, stretch->from - 1 };
  windows[1] = (PenFlameWindow){ stretch->from, stretch->from + length - 1 };
  return TRUE;
}

static void
compare_load_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenCausesView *self = PEN_CAUSES_VIEW (widget);
  const PenCauseRow *row = pen_causes_view_get_selected (self);
  g_autoptr (PenFlameState) state = NULL;
  PenFlameWindow windows[2];

  if (!row || !find_load_windows (self, row, windows))
    return;
  state = pen_session_dup_flame (self->session);
  pen_flame_state_compare (state, windows);
  pen_session_set_flame (self->session, state);
  pen_session_set_page (self->session, PEN_PAGE_CALLERS);
}

static void
add_comparisons (PenCausesView *self, const PenCauseRow *cause, PenRow *row)
{
  guint32 first = cause->flips > 0 ? find_batch (self, cause, cause->first) : 0;
  guint32 last = cause->flips > 0 ? find_batch (self, cause, cause->last) : 0;

  if (first != 0 && first == last) {
    pen_row_set_batch (row, first);
    return;
  }
  if (first != 0)
    pen_row_add_action (row, _ ("Compare Stacks Around _First Flip"), "causes.compare-first");
  if (last != 0)
    pen_row_add_action (row, _ ("Compare Stacks Around _Last Flip"), "causes.compare-last");
}

/* ---- the menu ---- */

static void
describe_program (PenCausesView *self, const PenCauseRow *program, PenRow *row)
{
  PenFlameWindow windows[2];

  pen_row_set_command (row, "cost", "--by=program");
  if (program->level < 2)
    return;
  if (program->has_function)
    pen_row_add_action (row, _ ("Show in _Code"), "causes.show-code");
  if (find_load_windows (self, program, windows))
    pen_row_add_action (row, _ ("Compare Stacks _Before and After Load"), "causes.compare-load");
}

/* The menu is that of the row that is selected then. */
static void
select_item (PenCausesView *self, PenCauseItem *wanted)
{
  g_autoptr (GtkTreeListRow) row = NULL;

  if (pen_cause_item_get_show (wanted) != self->show)
    return;
  row = pen_causes_find_tree_row (self, pen_cause_item_get_index (wanted));
  if (row)
    pen_causes_select_row (self, row);
}

void
pen_causes_describe_row (gpointer item, PenRow *row, gpointer owner)
{
  PenCausesView *self = owner;
  const PenCauseRow *cause = pen_cause_item_get_row (item);
  const PenCauseGrouping grouping = self->show->table->grouping;
  g_autofree char *by = g_strdup_printf ("--by=%s", pen_cause_grouping_to_string (grouping));

  if (pen_cause_item_is_more (item))
    return;
  select_item (self, item);
  if (cause->is_program) {
    describe_program (self, cause, row);
    return;
  }
  pen_row_add_term (row, PEN_FILTER_CAUSE, pen_cause_to_string (cause->cause));
  pen_row_add_term (row, PEN_FILTER_SYMBOL, cause->symbol);
  if (cause->has_task && cause->n_tasks == 1) {
    pen_row_add_term (row, PEN_FILTER_COMM, cause->comm);
    pen_row_add_number (row, PEN_FILTER_PID, cause->pid);
  }
  pen_row_add_term (row, PEN_FILTER_OCCUPANT, cause->occupant);
  pen_row_set_command (row, "causes", by);
  if (cause->has_function)
    pen_row_add_action (row, _ ("Show in _Code"), "causes.show-code");
  pen_row_add_action (row, _ ("Show in Text _Map"), "causes.show-map");
  if (cause->flips > 0 && cause->first > 0)
    pen_row_add_action (row, _ ("_Zoom to Flips"), "causes.zoom");
  add_comparisons (self, cause, row);
  if (cause->level == 2)
    pen_row_set_address (row, cause->address);
}

void
pen_causes_point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  const PenCauseRow *row
      = item && !pen_cause_item_is_more (item) ? pen_cause_item_get_row (item) : NULL;
  PenHover hover = { 0 };

  if (row && row->level == 2 && !row->is_program) {
    hover.has_address = TRUE;
    hover.address_from = row->address;
    hover.address_to = row->address + 1;
  }
  pen_session_set_hover (((PenCausesView *) owner)->session, &hover);
}

static gboolean
is_pointed_at (gpointer item, gpointer owner)
{
  const PenHover *hover = pen_session_get_hover (((PenCausesView *) owner)->session);
  const PenCauseRow *row = pen_cause_item_get_row (item);

  return row->level == 2 && !row->is_program && !pen_cause_item_is_more (item)
         && pen_hover_has_range (hover, row->address, row->address + 1);
}

void
pen_causes_light (PenCausesView *self)
{
  pen_row_hover_light (GTK_WIDGET (self->view), is_pointed_at, self);
}

static void
redraw_lanes (GtkWidget *widget)
{
  if (PEN_IS_ROW_STRIP (widget)) {
    gtk_widget_queue_draw (widget);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    redraw_lanes (child);
}

/* The lanes in sight, and of the few rows around that GTK keeps. */
void
pen_causes_redraw_lanes (PenCausesView *self)
{
  if (!self->show)
    return;
  self->show->visible = pen_session_get_view (self->session)->visible;
  redraw_lanes (GTK_WIDGET (self->view));
}

void
pen_causes_install_places (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "causes.show-code", NULL, show_code_action);
  gtk_widget_class_install_action (widget_class, "causes.show-map", NULL, show_map_action);
  gtk_widget_class_install_action (widget_class, "causes.zoom", NULL, zoom_action);
  gtk_widget_class_install_action (widget_class, "causes.compare-first", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "causes.compare-last", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "causes.compare-load", NULL, compare_load_action);
}
