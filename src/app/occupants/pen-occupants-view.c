/* pen-occupants-view.c: programs, modules, stubs and files: when they were there, and what they
 * cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-occupants-view.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <inttypes.h>

#include "pen-amount-words.h"
#include "pen-column.h"
#include "pen-growing-list.h"
#include "pen-kept-rows.h"
#include "pen-compare.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-life-strip.h"
#include "pen-occupant-item.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-row-facts.h"
#include "pen-row-hover.h"
#include "pen-row-menu.h"
#include "pen-tooltip.h"

struct _PenOccupantsView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GListStore *store;
  GtkFilterListModel *filtered;
  GtkSingleSelection *selection;
  char *wanted;     /* what is searched for, its case folded */
  gboolean is_part; /* the occupants that come next are of the next part */

  GtkSearchEntry *search;
  GtkLabel *count;
  GtkStack *stack;
  AdwStatusPage *empty;
  GtkColumnView *view;
};

/* They fill most windows. */
#define FIRST_ROWS 40

G_DEFINE_FINAL_TYPE (PenOccupantsView, pen_occupants_view, PEN_TYPE_PANE)

/* ---- cells ---- */

static GtkWidget *
make_name (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *kind = gtk_label_new (NULL);
  GtkWidget *name = pen_name_label_new ();
  GtkWidget *detail = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (detail), 0);
  gtk_widget_add_css_class (detail, "dim-label");
  gtk_widget_set_hexpand (detail, TRUE);
  gtk_box_append (GTK_BOX (box), kind);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), detail);
  return box;
}

static void
show_name (GtkWidget *cell, gpointer item)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (item);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkWidget *kind = gtk_widget_get_first_child (cell);
  GtkWidget *label = gtk_widget_get_next_sibling (kind);
  g_autofree char *name = pen_occupant_item_dup_name (item);
  g_autofree char *detail = pen_occupant_item_dup_detail (item);
  g_autofree char *square = pen_format_square (pen_palette_kind (row->kind, dark));
  g_autofree char *tooltip = g_strdup_printf (
      "%s\n%s%s%s", name, pen_palette_kind_title (row->kind), detail[0] ? ", " : "", detail);

  gtk_label_set_markup (GTK_LABEL (kind), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (kind), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (row->kind), -1);
  pen_name_label_set_name (PEN_NAME_LABEL (label), name);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (cell)), detail);
  pen_tooltip_set (cell, tooltip);
}

static void
show_strip (GtkWidget *cell, gpointer item)
{
  pen_life_strip_set_item (PEN_ROW_STRIP (cell), item);
}

static void
show_life (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_occupant_item_dup_life (item);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_next (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_occupant_item_dup_next (item);
  g_autofree char *name = pen_occupant_item_dup_next_name (item);

  pen_name_label_set_name_in (PEN_NAME_LABEL (cell), text, name);
  pen_tooltip_set (cell, text[0] ? text : NULL);
}

static void
show_samples (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_amount_format (pen_occupant_item_get_amount (item));

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_share (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_format_share (pen_occupant_item_get_row (item)->share);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_changes (GtkWidget *cell, gpointer item)
{
  guint64 changes = pen_occupant_item_get_row (item)->changes;
  g_autofree char *text = changes > 0 ? pen_format_count (changes) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
}

static void
show_address (GtkWidget *cell, gpointer item)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (item);
  g_autofree char *text
      = row->end > 0 ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->start) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
}

static void
show_evidence (GtkWidget *cell, gpointer item)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (item);
  g_autofree char *text = pen_occupant_item_dup_evidence (item);
  g_autofree char *tooltip = NULL;

  /* Translators: a grade of evidence, an address, and why */
  if (row->inferred_from != 0)
    tooltip = g_strdup_printf (_ ("%s, inferred from 0x%" PRIx64 ": %s"),
                               pen_phrase_evidence (row->evidence), row->inferred_from,
                               pen_phrase_doubt (PEN_SOURCE_BEYOND_CODE));
  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_tooltip_set (cell, tooltip);
}

/* "ftrace_trampoline, Stub, 8 samples, 0.2 %, 2 changes, 5.826 – end" */
static char *
speak (gpointer item)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (item);
  g_autofree char *name = pen_occupant_item_dup_name (item);
  g_autofree char *detail = pen_occupant_item_dup_detail (item);
  g_autofree char *share = pen_format_share (row->share);
  g_autofree char *life = pen_occupant_item_dup_life (item);
  g_autofree char *samples = pen_amount_phrase (pen_occupant_item_get_amount (item), TRUE);
  g_autofree char *changes = pen_phrase_changes (row->changes, TRUE);
  GString *words = g_string_new (name);

  g_string_append_printf (words, ", %s%s%s, %s, %s", pen_palette_kind_title (row->kind),
                          detail[0] ? ", " : "", detail, samples, share);
  if (row->changes > 0)
    g_string_append_printf (words, ", %s", changes);
  g_string_append_printf (words, ", %s", life);
  return g_string_free (words, FALSE);
}

/* ---- order: numbers begin with the largest ---- */

#define ROW(item) (pen_occupant_item_get_row ((PenOccupantItem *) (item)))

static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  int kinds = PEN_COMPARE (ROW (a)->kind, ROW (b)->kind);

  return kinds != 0 ? kinds : g_strcmp0 (ROW (a)->occupant, ROW (b)->occupant);
}

static int
compare_samples (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (pen_amount_get (pen_occupant_item_get_amount ((PenOccupantItem *) b)),
                      pen_amount_get (pen_occupant_item_get_amount ((PenOccupantItem *) a)));
}

static int
compare_changes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (ROW (b)->changes, ROW (a)->changes);
}

static int
compare_lives (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (g_array_index (ROW (a)->lives, PenLife, 0).from,
                      g_array_index (ROW (b)->lives, PenLife, 0).from);
}

static int
compare_addresses (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (ROW (a)->start, ROW (b)->start);
}

static gboolean
has_no_changes (gpointer item)
{
  return ROW (item)->changes == 0;
}

static gboolean
has_no_address (gpointer item)
{
  return ROW (item)->end == 0;
}

static const PenColumnSpec columns[] = {
  { .title = N_ ("Occupant"),
    .tooltip = N_ ("What held the addresses: kernel, module, BPF program, stub or file"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .make = make_name,
    .show = show_name,
    .speak = speak,
    .compare = compare_names },
  { .title = N_ ("Over Time"),
    .tooltip = N_ ("When it held them"),
    .width = 170,
    .make = pen_life_strip_new,
    .show = show_strip,
    .compare = compare_lives,
    .min_width = 560 },
  { .title = N_ ("Samples"),
    .tooltip = N_ ("Samples in it, under the filters"),
    .width = 74,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_samples,
    .compare = compare_samples },
  { .title = N_ ("Share"),
    .tooltip = N_ ("Share of all samples under the filters"),
    .width = 70,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_share,
    .compare = compare_samples,
    .min_width = 420 },
  { .title = "↯",
    .tooltip = N_ ("Changes of its text"),
    .width = 56,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_changes,
    .compare = compare_changes,
    .is_empty = has_no_changes,
    .min_width = 400 },
  { .title = N_ ("Present"),
    .tooltip = N_ ("Time range in which it held the addresses"),
    .width = 130,
    .get_word = pen_occupant_item_get_life,
    .css = "numeric",
    .show = show_life,
    .compare = compare_lives,
    .min_width = 760 },
  { .title = N_ ("Replaced by"),
    .tooltip = N_ ("The next occupant of the addresses"),
    .width = 220,
    .make = pen_name_label_new,
    .show = show_next,
    .min_width = 980 },
  { .title = N_ ("Address"),
    .tooltip = N_ ("First address"),
    .width = 150,
    .css = "monospace",
    .show = show_address,
    .compare = compare_addresses,
    .is_empty = has_no_address,
    .min_width = 1140 },
  { .title = N_ ("Evidence"),
    .tooltip = N_ ("How its presence is known"),
    .width = 130,
    .show = show_evidence,
    .min_width = 1280 },
};

/* ---- what is listed ---- */

static gboolean
is_listed (gpointer item, gpointer user_data)
{
  PenOccupantsView *self = user_data;

  return pen_occupant_item_matches (item, self->wanted);
}

/* Records of switches alone do not say where tasks began to wait. */
static char *
describe_elsewhere (const PenOccupantTable *table)
{
  g_autofree char *amount = NULL;

  if (table->elsewhere.population != PEN_POPULATION_WAITS || table->elsewhere.n == 0)
    return g_strdup ("");
  amount = pen_amount_phrase (table->elsewhere, FALSE);
  /* Translators: after a number of occupants; %s is “65.3 s off CPU” */
  return g_strdup_printf (_ (" · %s at unknown places"), amount);
}

static void
show_what_is_listed (PenOccupantsView *self)
{
  const PenOccupantTable *table = pen_session_get_answers (self->session)->occupants;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_OCCUPANTS);
  guint n_all = g_list_model_get_n_items (G_LIST_MODEL (self->store));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->filtered));
  g_autofree char *text
      = n != n_all ? g_strdup_printf (ngettext ("%u of %u occupant", "%u of %u occupants", n_all),
                                      n, n_all)
                   : g_strdup_printf (ngettext ("%u occupant", "%u occupants", n_all), n_all);
  g_autofree char *elsewhere = table ? describe_elsewhere (table) : NULL;
  g_autofree char *shown = table ? g_strconcat (text, elsewhere, NULL) : g_strdup ("");
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  g_autofree char *escaped = message ? g_markup_escape_text (message, -1) : NULL;

  gtk_label_set_text (self->count, shown);
  pen_tooltip_set (GTK_WIDGET (self->count), elsewhere && elsewhere[0] ? shown : NULL);
  adw_status_page_set_title (self->empty, error       ? _ ("Cannot Read Occupants")
                                          : n_all > 0 ? _ ("No Results Found")
                                                      : _ ("No Matching Occupants"));
  adw_status_page_set_description (self->empty, error ? escaped
                                                : n_all > 0
                                                    ? _ ("No occupants match the search.")
                                                    : _ ("No occupants match the filters."));
  gtk_stack_set_visible_child_name (self->stack, error || (n == 0 && table) ? "empty" : "list");
}

/* Where nothing changed, nothing points to changes. */
static void
on_state (PenOccupantsView *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);

  pen_column_set_left_out (self->view, "↯", opened && !pen_opened_has_changes (opened));
}

/* More of a recording that is being made: the list stays where it is. */
static void
on_part (PenOccupantsView *self)
{
  self->is_part = TRUE;
  on_state (self);
}

static const PenKeptRows kept_rows = {
  .hash = pen_occupant_item_hash,
  .equal = pen_occupant_item_equal,
  .take = pen_occupant_item_take,
};

static void
on_occupants (PenOccupantsView *self)
{
  const PenOccupantTable *table = pen_session_get_answers (self->session)->occupants;
  PenClock clock = pen_session_get_clock (self->session);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; table && i < table->rows->len; i++)
    g_ptr_array_add (items, pen_occupant_item_new (table, i, clock));
  if (self->is_part)
    pen_kept_rows_splice (self->view, self->store, items, &kept_rows);
  else
    g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                         items->pdata, items->len);
  self->is_part = FALSE;
  if (table)
    pen_column_name_counts (self->view, pen_query_is_of_waits (table->query));
  show_what_is_listed (self);
}

static void
on_search_changed (PenOccupantsView *self)
{
  g_free (self->wanted);
  self->wanted = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->filtered),
                      GTK_FILTER_CHANGE_DIFFERENT);
  show_what_is_listed (self);
}

static void
on_search_stopped (PenOccupantsView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* To its busiest function. */
static void
on_activate (PenOccupantsView *self, guint position)
{
  g_autoptr (PenOccupantItem) item
      = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (!item || !ROW (item)->has_function)
    return;
  pen_session_set_function (self->session, ROW (item)->function);
  pen_session_set_load (self->session, ROW (item)->tenure, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-code", NULL);
}

static void
on_selected (PenOccupantsView *self)
{
  /* It goes with the template: a sorted table is put in order once more as it does. */
  PenOccupantItem *item
      = self->selection ? gtk_single_selection_get_selected_item (self->selection) : NULL;
  guint64 from = item ? g_array_index (ROW (item)->lives, PenLife, 0).from : 0;
  PenSpan span = pen_session_get_span (self->session);

  if (from < span.from || from > span.to)
    return;
  pen_session_set_playhead (self->session, from);
  pen_session_show_time (self->session, from);
}

static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  const PenOccupantRow *occupant = ROW (item);

  /* One load of several with that name. */
  if (occupant->bpf_id != 0)
    pen_row_add_number (row, PEN_FILTER_BPF, (gint32) occupant->bpf_id);
  pen_row_add_term (row, PEN_FILTER_OCCUPANT, occupant->occupant);
  if (occupant->tenure != 0)
    pen_row_add_number (row, PEN_FILTER_TENURE, (gint32) occupant->tenure);
  pen_row_add_term (row, PEN_FILTER_KIND, pen_kind_to_string (occupant->kind));
  pen_row_set_command (row, "occupants", NULL);
  pen_row_set_life (row, g_array_index (occupant->lives, PenLife, 0).from,
                    g_array_index (occupant->lives, PenLife, occupant->lives->len - 1).to);
  if (occupant->end == 0)
    return;
  pen_row_set_address (row, occupant->start);
  pen_row_set_range (row, occupant->kind, occupant->start, occupant->end);
}

static void
on_dark (PenOccupantsView *self)
{
  on_occupants (self);
}

/* ---- object ---- */

void
pen_occupants_view_start_search (PenOccupantsView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

void
pen_occupants_view_set_session (PenOccupantsView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
  on_occupants (self);
}

static void
pen_occupants_view_resized (PenPane *pane, int width)
{
  pen_column_fit (PEN_OCCUPANTS_VIEW (pane)->view, width);
}

static void
pen_occupants_view_dispose (GObject *object)
{
  PenOccupantsView *self = PEN_OCCUPANTS_VIEW (object);

  g_clear_object (&self->signals);
  /* Columns that go change the order of a sorted list, and with it what is selected. */
  if (self->selection)
    gtk_single_selection_set_model (self->selection, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_OCCUPANTS_VIEW);
  g_clear_object (&self->filtered);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  g_clear_pointer (&self->wanted, g_free);

  G_OBJECT_CLASS (pen_occupants_view_parent_class)->dispose (object);
}

static void
pen_occupants_view_class_init (PenOccupantsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_occupants_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_occupants_view_resized;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/occupants/pen-occupants-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenOccupantsView, search);
  gtk_widget_class_bind_template_child (widget_class, PenOccupantsView, count);
  gtk_widget_class_bind_template_child (widget_class, PenOccupantsView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenOccupantsView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenOccupantsView, view);
  gtk_widget_class_bind_template_child (widget_class, PenOccupantsView, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stopped);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

/* ---- light ---- */

/* Addresses of processes are none of the pictures'. */
static gboolean
is_in_kernel (const PenOccupantRow *row)
{
  return row->n_spaces == 0 && row->end > row->start;
}

static gboolean
is_lit (gpointer item, gpointer owner)
{
  const PenHover *hover = pen_session_get_hover (PEN_OCCUPANTS_VIEW (owner)->session);
  const PenOccupantRow *row = pen_occupant_item_get_row (item);

  return is_in_kernel (row) && pen_hover_has_range (hover, row->start, row->end);
}

static void
on_hover (PenOccupantsView *self)
{
  pen_row_hover_light (GTK_WIDGET (self->view), is_lit, self);
}

static void
point_at (gpointer item, GtkWidget *under, double x, gpointer owner)
{
  const PenOccupantRow *row = item ? pen_occupant_item_get_row (item) : NULL;
  PenHover hover = { 0 };

  if (row && is_in_kernel (row)) {
    hover.has_address = TRUE;
    hover.address_from = row->start;
    hover.address_to = row->end;
  }
  pen_session_set_hover (PEN_OCCUPANTS_VIEW (owner)->session, &hover);
}

static void
pen_occupants_view_init (PenOccupantsView *self)
{
  g_autoptr (GtkSortListModel) sorted = NULL;
  g_autoptr (PenGrowingList) listed = NULL;

  self->wanted = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  pen_column_add_all (self->view, columns, G_N_ELEMENTS (columns));
  pen_row_menu_add (GTK_WIDGET (self->view), describe_row, self);
  pen_row_hover_add (GTK_WIDGET (self->view), point_at, self);

  self->store = g_list_store_new (PEN_TYPE_OCCUPANT_ITEM);
  self->filtered
      = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->store)),
                                   GTK_FILTER (gtk_custom_filter_new (is_listed, self, NULL)));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->filtered)),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  listed = pen_growing_list_new (G_LIST_MODEL (sorted), TRUE, FIRST_ROWS);
  pen_growing_list_set_view (listed, GTK_WIDGET (self->view));
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (listed));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark),
                           self, G_CONNECT_SWAPPED);

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::occupants", G_CALLBACK (on_occupants),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (on_part), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_occupants), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_hover), self);
}
