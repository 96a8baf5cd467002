/* pen-pair-view.c: the open recording and another one, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-column.h"
#include "pen-css-class.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-pair-bars.h"
#include "pen-pair-item.h"
#include "pen-pair-line-item.h"
#include "pen-pair-words.h"
#include "pen-palette.h"
#include "pen-tooltip.h"

/* Narrower, the text stands below the list. */
#define NARROW 760

struct _PenPairView {
  PenPane parent_instance;

  PenSession *session;
  PenPairSession *pair;
  GListStore *rows;
  GListStore *lines;
  gboolean updating;
  gboolean is_narrow;
  gboolean is_arranged;
  guint turn_id;

  GtkLabel *first;
  GtkLabel *second;
  GtkLabel *basis;
  GtkWidget *close;
  GtkWidget *cancel;
  GtkStack *stack;
  GtkLabel *stage;
  GtkProgressBar *bar;
  GtkLabel *failure;
  GtkPaned *paned;
  GtkColumnView *view;
  GtkSingleSelection *selection;
  GtkLabel *name;
  GtkLabel *texts;
  GtkToggleButton *all;
  GtkStack *lines_stack;
  GtkLabel *lines_empty;
  GtkColumnView *lines_view;
  GtkSingleSelection *lines_selection;
};

G_DEFINE_FINAL_TYPE (PenPairView, pen_pair_view, PEN_TYPE_PANE)

/* ---- cells of functions ---- */

static GtkWidget *
make_name (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = pen_name_label_new ();

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_box_append (GTK_BOX (box), name);
  return box;
}

static void
show_name (GtkWidget *cell, gpointer item)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const PenPairRow *row = pen_pair_item_get_row (item);
  g_autofree char *name = pen_pair_item_dup_name (item);
  g_autofree char *occupant = pen_display_text (row->occupant);
  g_autofree char *tooltip
      = g_strdup_printf ("%s\n%s %s%s%s", name, pen_palette_kind_title (row->kind), occupant,
                         row->is_renamed ? "\n" : "", row->is_renamed ? _ ("Renamed") : "");
  g_autofree char *square = g_strdup_printf ("<span foreground=\"#%06x\">■</span>",
                                             pen_palette_kind (row->kind, dark) & 0xffffff);
  GtkWidget *kind = gtk_widget_get_first_child (cell);

  gtk_label_set_markup (GTK_LABEL (kind), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (kind), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (row->kind), -1);
  pen_name_label_set_name (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), name);
  pen_tooltip_set (cell, tooltip);
}

/* Of the side that has more of it: how much the row matters. */
static void
show_share (GtkWidget *cell, gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  double a = row->rates[0].share, b = row->rates[1].share;
  g_autofree char *text = pen_format_share (isgreater (b, a) ? b : isfinite (a) ? a : 0);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_ratio (GtkWidget *cell, gpointer item)
{
  const PenPairTest *test = pen_pair_item_get_test (item);
  g_autofree char *text = pen_pair_words_of_ratio (test);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_css_class_set (cell, "dim-label", test->verdict == PEN_PAIR_UNSURE);
}

static void
show_verdict (GtkWidget *cell, gpointer item)
{
  PenPairVerdict verdict = pen_pair_item_get_test (item)->verdict;

  gtk_label_set_text (GTK_LABEL (cell), pen_pair_words_of_verdict (verdict));
  pen_tooltip_set (cell, verdict == PEN_PAIR_UNSURE
                             ? _ ("No significant difference; there may be a small one")
                             : NULL);
}

static void
show_text (GtkWidget *cell, gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  g_autofree char *tooltip = pen_pair_words_of_texts (row);

  gtk_label_set_text (GTK_LABEL (cell), pen_pair_words_of_text (row->text));
  pen_css_class_set (cell, "dim-label",
                     row->text != PEN_PAIR_TEXT_PATCHED && row->text != PEN_PAIR_TEXT_DIFFERS);
  pen_tooltip_set (cell, tooltip);
}

/* "vfs_read, slower, 2.5×, text differs. A: …" */
static char *
speak (gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  const PenPairTest *test = pen_pair_item_get_test (item);
  g_autofree char *name = pen_pair_item_dup_name (item);
  g_autofree char *sides = pen_pair_words_of_sides (item);
  g_autofree char *ratio = pen_pair_words_of_ratio (test);
  GString *words = g_string_new (name);

  g_string_append_printf (words, ", %s, %s",
                          test->verdict == PEN_PAIR_UNSURE
                              ? _ ("no significant difference")
                              : pen_pair_words_of_verdict (test->verdict),
                          ratio);
  if (row->text != PEN_PAIR_TEXT_NONE)
    g_string_append_printf (words, _ (", text: %s"), pen_pair_words_of_text (row->text));
  g_string_append_printf (words, ". %s", sides);
  return g_string_free (words, FALSE);
}

static const PenColumnSpec columns[] = {
  { .title = N_ ("Function"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .make = make_name,
    .show = show_name,
    .speak = speak },
  { .title = N_ ("A and B"), .width = 120, .make = pen_pair_bars_new, .show = pen_pair_bars_show },
  { .title = N_ ("Share"),
    .width = 64,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_share,
    .min_width = 480 },
  { .title = N_ ("Ratio"), .width = 62, .css = "numeric", .align_end = TRUE, .show = show_ratio },
  { .title = N_ ("Verdict"), .width = 70, .show = show_verdict },
  { .title = N_ ("Text"), .width = 70, .show = show_text, .min_width = 400 },
};

/* ---- cells of lines ---- */

static void
show_offset (GtkWidget *cell, gpointer item)
{
  const char *mark = pen_pair_line_item_get_mark (item);
  g_autofree char *offset = pen_pair_line_item_dup_offset (item);
  g_autofree char *difference = pen_pair_line_item_dup_difference (item);
  g_autofree char *text = g_strdup_printf ("%s%s%s", mark, mark[0] ? " " : "", offset);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_css_class_set (cell, "dim-label", mark[0] == '\0');
  gtk_widget_set_tooltip_text (cell, difference);
}

static void
show_code (GtkWidget *cell, gpointer item, guint side)
{
  const PenPairLine *line = pen_pair_line_item_get_line (item);
  g_autofree char *code = pen_pair_line_item_dup_code (item, side);
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();

  /* Beside the mark in front, so that it is found without colours, too. */
  if (line->difference != PEN_PAIR_LINE_SAME)
    pango_attr_list_insert (marks, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_text (GTK_LABEL (cell), code[0] ? code : "—");
  gtk_label_set_attributes (GTK_LABEL (cell), marks);
  pen_css_class_set (cell, "dim-label", !line->lines[side]);
  gtk_widget_set_tooltip_text (cell, code[0] ? code : NULL);
}

static void
show_samples (GtkWidget *cell, gpointer item, guint side)
{
  const PenPairLine *line = pen_pair_line_item_get_line (item);
  guint64 samples = line->rates[side].samples;
  g_autofree char *text = samples > 0 ? pen_format_count (samples) : NULL;

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

static void
show_line_verdict (GtkWidget *cell, gpointer item)
{
  const PenPairLine *line = pen_pair_line_item_get_line (item);
  g_autofree char *ratio = pen_pair_words_of_ratio (&line->test);

  gtk_label_set_text (GTK_LABEL (cell), line->test.verdict == PEN_PAIR_UNSURE ? "" : ratio);
  pen_tooltip_set (cell, line->test.verdict == PEN_PAIR_UNSURE
                             ? NULL
                             : pen_pair_words_of_verdict (line->test.verdict));
}

static char *
speak_line (gpointer item)
{
  return pen_pair_line_item_dup_spoken (item);
}

static const PenColumnSpec line_columns[] = {
  { .title = N_ ("Offset"),
    .width = 76,
    .css = "monospace",
    .ellipsize = TRUE,
    .show = show_offset,
    .speak = speak_line },
  { .title = N_ ("Samples A"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_first_samples,
    .min_width = 480 },
  { .title = N_ ("Instruction A"),
    .css = "monospace",
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_first_code },
  { .title = N_ ("Samples B"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_second_samples,
    .min_width = 480 },
  { .title = N_ ("Instruction B"),
    .css = "monospace",
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_second_code },
  { .title = N_ ("Ratio"),
    .width = 62,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_line_verdict,
    .min_width = 620 },
};

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
  g_autofree char *basis = list ? pen_pair_words_of_basis (list->pairs) : g_strdup ("");

  for (guint side = 0; side < 2; side++) {
    g_autofree char *facts = list ? pen_pair_words_of_recording (list, side) : NULL;
    g_autofree char *text = g_strdup_printf (
        "%s  %s", side == 0 ? C_ ("recording", "A") : C_ ("recording", "B"), facts ? facts : "");

    gtk_label_set_text (labels[side], text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (labels[side]), text);
  }
  gtk_label_set_text (self->basis, basis);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->basis), basis);
}

/* The first of the list, so that there is a text beside it. */
static void
on_list (PenPairView *self)
{
  const PenPairList *list = pen_pair_session_get_list (self->pair);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; list && i < list->pairs->rows->len; i++)
    g_ptr_array_add (items, pen_pair_item_new (list, i));
  self->updating = TRUE;
  fill (self->rows, items);
  gtk_single_selection_set_selected (self->selection,
                                     items->len > 0 ? 0 : GTK_INVALID_LIST_POSITION);
  self->updating = FALSE;
  show_recordings (self, list);
  if (items->len > 0)
    pen_pair_session_choose (self->pair, 0);
}

static void
show_text_of (PenPairView *self, const PenPairLines *lines)
{
  g_autofree char *name
      = lines && lines->row->symbol ? pen_display_text (lines->row->symbol) : NULL;
  g_autofree char *texts = lines ? pen_pair_words_of_texts (lines->row) : g_strdup ("");

  for (char *at = texts; *at != '\0'; at++)
    if (*at == '\n')
      *at = ' ';
  gtk_label_set_text (self->name, name ? name : "");
  gtk_label_set_text (self->texts, texts);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->texts), texts);
}

static gboolean
is_shown (PenPairView *self, const PenPairLine *line)
{
  return gtk_toggle_button_get_active (self->all) || line->difference != PEN_PAIR_LINE_SAME
         || line->rates[0].samples + line->rates[1].samples > 0;
}

static void
on_lines (PenPairView *self)
{
  const PenPairLines *lines = pen_pair_session_get_lines (self->pair);
  const GError *error = pen_pair_session_get_error (self->pair);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; lines && i < lines->annotation->functions->len; i++) {
    const PenPairFunction *function = lines->annotation->functions->pdata[i];

    for (guint k = 0; k < function->lines->len; k++)
      if (is_shown (self, function->lines->pdata[k]))
        g_ptr_array_add (items, pen_pair_line_item_new (lines, function->lines->pdata[k]));
  }
  fill (self->lines, items);
  gtk_single_selection_set_selected (self->lines_selection, GTK_INVALID_LIST_POSITION);
  show_text_of (self, lines);
  gtk_label_set_text (self->lines_empty, message ? message
                                         : lines ? _ ("No instructions are known.")
                                                 : "");
  gtk_stack_set_visible_child_name (self->lines_stack, items->len > 0 ? "text" : "empty");
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
  pen_pair_session_choose (self->pair, pen_pair_item_get_index (item));
  if (row->functions[0]->len > 0)
    pen_session_set_function (self->session, g_array_index (row->functions[0], guint32, 0));
}

static void
on_all (PenPairView *self)
{
  on_lines (self);
}

static void
on_close (PenPairView *self)
{
  pen_pair_session_close (self->pair);
}

/* ---- object ---- */

void
pen_pair_view_set_session (PenPairView *self, PenSession *session, PenPairSession *pair)
{
  g_return_if_fail (!self->pair);

  self->session = g_object_ref (session);
  self->pair = g_object_ref (pair);
  g_signal_connect_object (pair, "state", G_CALLBACK (on_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "list", G_CALLBACK (on_list), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "lines", G_CALLBACK (on_lines), self, G_CONNECT_SWAPPED);
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
  pen_column_fit (self->lines_view, is_narrow ? width : width - list);
  if (self->is_narrow == is_narrow && self->is_arranged)
    return;
  self->is_narrow = is_narrow;
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
  g_clear_object (&self->rows);
  g_clear_object (&self->lines);
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
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pair/pen-pair-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenPairView, first);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, second);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, basis);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, close);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, cancel);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, stage);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, bar);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, failure);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, paned);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, view);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, selection);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, name);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, texts);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, all);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, lines_stack);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, lines_empty);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, lines_view);
  gtk_widget_class_bind_template_child (widget_class, PenPairView, lines_selection);
  gtk_widget_class_bind_template_callback (widget_class, on_all);
  gtk_widget_class_bind_template_callback (widget_class, on_close);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
pen_pair_view_init (PenPairView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (PEN_TYPE_PAIR_ITEM);
  self->lines = g_list_store_new (PEN_TYPE_PAIR_LINE_ITEM);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  gtk_single_selection_set_model (self->lines_selection, G_LIST_MODEL (self->lines));
  pen_column_add_all (self->view, columns, G_N_ELEMENTS (columns));
  pen_column_add_all (self->lines_view, line_columns, G_N_ELEMENTS (line_columns));
}
