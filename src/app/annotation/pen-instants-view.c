/* pen-instants-view.c: the text at the playhead and at the second instant, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-instants-view.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-column.h"
#include "pen-css-class.h"
#include "pen-format.h"
#include "pen-instant-item.h"
#include "pen-row-hover.h"

struct _PenInstantsView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GListStore *items;
  GtkSingleSelection *selection;
  gboolean updating;

  GtkLabel *first;
  GtkLabel *second;
  GtkToggleButton *all;
  GtkStack *stack;
  GtkLabel *empty;
  GtkColumnView *view;
};

G_DEFINE_FINAL_TYPE (PenInstantsView, pen_instants_view, PEN_TYPE_PANE)

/* ---- cells ---- */

static void
show_offset (GtkWidget *cell, gpointer item)
{
  const char *mark = pen_instant_item_get_mark (item);
  g_autofree char *offset = pen_instant_item_dup_offset (item);
  g_autofree char *difference = pen_instant_item_dup_difference (item);
  g_autofree char *text = g_strdup_printf ("%s%s%s", mark, mark[0] ? " " : "", offset);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_css_class_set (cell, "dim-label", mark[0] == '\0');
  gtk_widget_set_tooltip_text (cell, difference);
}

static void
show_code (GtkWidget *cell, gpointer item, guint side)
{
  const PenInstantRow *row = pen_instant_item_get_row (item);
  g_autofree char *code = pen_instant_item_dup_code (item, side);
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();

  /* Beside the mark in front, so that it is found without colours, too. */
  if (row->difference != PEN_INSTANT_SAME)
    pango_attr_list_insert (marks, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_text (GTK_LABEL (cell), code[0] ? code : "—");
  gtk_label_set_attributes (GTK_LABEL (cell), marks);
  pen_css_class_set (cell, "dim-label", !row->lines[side]);
  gtk_widget_set_tooltip_text (cell, code[0] ? code : _ ("No instruction begins here."));
}

static void
show_samples (GtkWidget *cell, gpointer item, guint side)
{
  PenAmount amount = pen_instant_item_get_amount (item, side);
  g_autofree char *text = amount.n > 0 ? pen_amount_format (amount) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
}

static void
show_first_code (GtkWidget *cell, gpointer item)
{
  show_code (cell, item, 0);
}

static void
show_second_code (GtkWidget *cell, gpointer item)
{
  show_code (cell, item, 1);
}

static void
show_first_samples (GtkWidget *cell, gpointer item)
{
  show_samples (cell, item, 0);
}

static void
show_second_samples (GtkWidget *cell, gpointer item)
{
  show_samples (cell, item, 1);
}

static char *
speak (gpointer item)
{
  return pen_instant_item_dup_spoken (item);
}

static const PenColumnSpec columns[] = {
  { .title = N_ ("Offset"),
    .tooltip = N_ ("Offset of the instruction in the function"),
    .width = 76,
    .css = "monospace",
    .ellipsize = TRUE,
    .show = show_offset,
    .speak = speak },
  { .title = N_ ("Samples A"),
    .tooltip = N_ ("Samples on the text at the playhead (A)"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_first_samples,
    .min_width = 520 },
  { .title = N_ ("Instruction A"),
    .tooltip = N_ ("Instruction at the playhead (A)"),
    .css = "monospace",
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_first_code },
  { .title = N_ ("Samples B"),
    .tooltip = N_ ("Samples on the text at the second instant (B)"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_second_samples,
    .min_width = 520 },
  { .title = N_ ("Instruction B"),
    .tooltip = N_ ("Instruction at the second instant (B)"),
    .css = "monospace",
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_second_code },
};

/* ---- the two instants ---- */

static void
append_occupants (GString *text, const PenInstants *instants, guint side)
{
  GArray *mine = instants->sides[side].text->stretches;
  GArray *others = instants->sides[1 - side].text->stretches;
  const PenTextStretch *first = mine->len > 0 ? &g_array_index (mine, PenTextStretch, 0) : NULL;
  const PenTextStretch *other = others->len > 0 ? &g_array_index (others, PenTextStretch, 0) : NULL;
  g_autofree char *name = NULL;

  if (!first || (other && first->tenure.id == other->tenure.id))
    return;
  if (first->tenure.id == 0)
    name = g_strdup (_ ("unknown occupant"));
  else
    name = pen_display_text (first->tenure.occupant);
  g_string_append_printf (text, " · %s", name);
}

/* "A 6.2000 s · 3 samples (2.7/s) · 5.845–6.957 s unchanged", or "1.2 s off CPU · 3 waits (2.7/s)"
 */
static void
show_side (PenInstantsView *self, GtkLabel *label, const PenInstants *instants, guint i)
{
  const PenInstantSide *side = &instants->sides[i];
  PenClock clock = pen_session_get_clock (self->session);
  guint64 resolution = MAX (pen_span_length (clock.span) / 100000, 1000);
  guint64 from = MAX (side->from.time, clock.span.from);
  guint64 to = MIN (side->to.time, clock.span.to);
  g_autofree char *at = pen_clock_format_long (&clock, side->text->moment.time, resolution);
  g_autofree char *when = pen_clock_format_tenancy (&clock, side->from, side->to);
  PenAmount amount = pen_instants_get_amount (instants, i);
  g_autofree char *phrase = pen_amount_phrase (amount, FALSE);
  g_autofree char *number = pen_amount_phrase_number (amount, FALSE);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "%s %s", i == 0 ? C_ ("instant", "A") : C_ ("instant", "B"), at);
  append_occupants (text, instants, i);
  g_string_append_printf (text, " · %s", phrase);
  if (amount.population == PEN_POPULATION_WAITS)
    g_string_append_printf (text, " · %s", number);
  if (to > from) {
    g_autofree char *rate = pen_format_rate ((double) side->samples * 1e9 / (double) (to - from));

    g_string_append_printf (text, " (%s)", rate);
  }
  g_string_append (text, " · ");
  g_string_append_printf (text, _ ("%s unchanged"), when);
  gtk_label_set_text (label, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text->str);
}

static void
show_times (PenInstantsView *self)
{
  const PenInstantTable *table = pen_session_get_answers (self->session)->instants;

  if (!table) {
    gtk_label_set_text (self->first, C_ ("instant", "A"));
    gtk_label_set_text (self->second, C_ ("instant", "B"));
    return;
  }
  show_side (self, self->first, table->instants, 0);
  show_side (self, self->second, table->instants, 1);
}

static void
show_rows (PenInstantsView *self)
{
  const PenInstantTable *table = pen_session_get_answers (self->session)->instants;
  gboolean all = pen_session_get_view (self->session)->mark_all;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; table && i < table->instants->rows->len; i++) {
    const PenInstantRow *row = &g_array_index (table->instants->rows, PenInstantRow, i);

    if (all || row->difference != PEN_INSTANT_SAME)
      g_ptr_array_add (items, pen_instant_item_new (table, i));
  }
  self->updating = TRUE;
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)),
                       items->pdata, items->len);
  self->updating = FALSE;
}

static void
show_page (PenInstantsView *self)
{
  const PenInstantTable *table = pen_session_get_answers (self->session)->instants;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_INSTANTS);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));

  gtk_label_set_text (self->empty, error    ? message
                                   : !table ? ""
                                            : _ ("The text is the same at both instants."));
  gtk_stack_set_visible_child_name (self->stack, error || n == 0 ? "empty" : "text");
}

static void
select_line (PenInstantsView *self)
{
  GListModel *model = G_LIST_MODEL (self->items);
  guint position = GTK_INVALID_LIST_POSITION;
  guint64 address;

  if (!pen_session_get_line (self->session, &address))
    address = G_MAXUINT64;
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenInstantItem) item = g_list_model_get_item (model, i);

    if (pen_instant_item_get_row (item)->address == address)
      position = i;
  }
  self->updating = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->updating = FALSE;
}

static void
on_instants (PenInstantsView *self)
{
  const PenInstantTable *table = pen_session_get_answers (self->session)->instants;

  if (table)
    pen_column_name_counts (self->view, table->instants->population == PEN_POPULATION_WAITS);
  show_times (self);
  show_rows (self);
  show_page (self);
  select_line (self);
}

static void
on_mark (PenInstantsView *self)
{
  self->updating = TRUE;
  gtk_toggle_button_set_active (self->all, pen_session_get_view (self->session)->mark_all);
  self->updating = FALSE;
  on_instants (self);
}

/* ---- what is done with it ---- */

static void
on_all (PenInstantsView *self)
{
  if (!self->updating)
    pen_session_set_mark_all (self->session, gtk_toggle_button_get_active (self->all));
}

static void
on_clear (PenInstantsView *self)
{
  pen_session_set_mark (self->session, NULL);
}

static void
on_selected (PenInstantsView *self)
{
  PenInstantItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (!self->updating && item)
    pen_session_set_line (self->session, &pen_instant_item_get_row (item)->address);
}

static guint
get_length (const PenInstantRow *row)
{
  guint length = 1;

  for (guint i = 0; i < 2; i++)
    if (row->lines[i])
      length = MAX (length, row->lines[i]->n_bytes);
  return length;
}

static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  PenInstantsView *self = owner;
  PenHover hover = { 0 };

  if (item) {
    const PenInstantRow *row = pen_instant_item_get_row (item);

    hover.has_address = TRUE;
    hover.address_from = row->address;
    hover.address_to = row->address + get_length (row);
  }
  pen_session_set_hover (self->session, &hover);
}

static gboolean
is_pointed_at (gpointer item, gpointer owner)
{
  const PenInstantRow *row = pen_instant_item_get_row (item);

  return pen_hover_has_range (pen_session_get_hover (PEN_INSTANTS_VIEW (owner)->session),
                              row->address, row->address + get_length (row));
}

static void
on_hover (PenInstantsView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    pen_row_hover_light (GTK_WIDGET (self->view), is_pointed_at, self);
}

/* ---- object ---- */

void
pen_instants_view_set_session (PenInstantsView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_mark (self);
}

static void
pen_instants_view_resized (PenPane *pane, int width)
{
  pen_column_fit (PEN_INSTANTS_VIEW (pane)->view, width);
}

static void
pen_instants_view_dispose (GObject *object)
{
  PenInstantsView *self = PEN_INSTANTS_VIEW (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_INSTANTS_VIEW);
  g_clear_object (&self->items);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_instants_view_parent_class)->dispose (object);
}

static void
pen_instants_view_class_init (PenInstantsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_instants_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_instants_view_resized;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/annotation/pen-instants-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, first);
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, second);
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, all);
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, view);
  gtk_widget_class_bind_template_child (widget_class, PenInstantsView, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_all);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
pen_instants_view_init (PenInstantsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  self->items = g_list_store_new (PEN_TYPE_INSTANT_ITEM);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->items));
  pen_column_add_all (self->view, columns, G_N_ELEMENTS (columns));
  pen_row_hover_add (GTK_WIDGET (self->view), point_at, self);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::instants", G_CALLBACK (on_instants),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::mark", G_CALLBACK (on_mark), self);
  g_signal_group_connect_swapped (self->signals, "notify::line", G_CALLBACK (select_line), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (show_times), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_hover), self);
}
