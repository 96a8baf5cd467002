/* pen-pair-detail.c: what two recordings have of a function, and what is compared of all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-detail.h"

#include <glib/gi18n-lib.h>

#include "pen-column.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-growing-list.h"
#include "pen-pair-cause-item.h"
#include "pen-pair-columns.h"
#include "pen-pair-line-item.h"
#include "pen-pair-path-item.h"
#include "pen-pair-source-item.h"
#include "pen-pair-words.h"

/* Narrower, what is known of the function is in the tooltip of its name. */
#define NARROW 480
/* They fill the list of call paths in most windows. */
#define FIRST_PATHS 32

/* What is shown, as the choice has them. */
typedef enum {
  DETAIL_INSTRUCTIONS,
  DETAIL_SOURCES,
  DETAIL_CALLERS,
  DETAIL_PATHS, /* of all functions */
  DETAIL_CAUSES,
} Detail;

enum { SIGNAL_ROW_WANTED, SIGNALS };

struct _PenPairDetail {
  PenPane parent_instance;

  PenPairSession *pair;
  PenPairItem *item; /* (nullable): the row of the list that is chosen */
  GListStore *lines;
  GListStore *sources;
  GListStore *causes;
  gboolean is_narrow;

  GtkLabel *name;
  GtkLabel *facts;
  GtkToggleButton *all;
  GtkDropDown *choice;
  GtkStack *stack;
  GtkLabel *empty;
  GtkColumnView *lines_view;
  GtkSingleSelection *lines_selection;
  GtkColumnView *sources_view;
  GtkSingleSelection *sources_selection;
  GtkColumnView *paths_view;
  GtkSingleSelection *paths_selection;
  GtkColumnView *causes_view;
  GtkSingleSelection *causes_selection;
};

G_DEFINE_FINAL_TYPE (PenPairDetail, pen_pair_detail, PEN_TYPE_PANE)

static guint signals[SIGNALS];

static Detail
get_detail (PenPairDetail *self)
{
  return gtk_drop_down_get_selected (self->choice);
}

/* ---- the header ---- */

static char *
dup_name (PenPairDetail *self, const PenPairLines *lines)
{
  if (!lines || !lines->row->symbol || get_detail (self) >= DETAIL_PATHS)
    return g_strdup ("");
  return pen_display_text (lines->row->symbol);
}

static char *
dup_facts (PenPairDetail *self, const PenPairLines *lines)
{
  const PenPairCauseList *list = pen_pair_session_get_causes (self->pair);
  char *facts;

  if (get_detail (self) == DETAIL_CAUSES)
    return list ? pen_pair_words_of_causes (list->causes) : g_strdup ("");
  if (get_detail (self) == DETAIL_PATHS || !lines)
    return g_strdup ("");
  facts = pen_pair_words_of_texts (lines->row);
  return g_strdelimit (facts, "\n", ' ');
}

static void
show_facts (PenPairDetail *self)
{
  gboolean has_name = gtk_label_get_text (self->name)[0] != '\0';

  pen_pane_set_visible_later (GTK_WIDGET (self->facts), !self->is_narrow || !has_name);
}

static void
show_header (PenPairDetail *self, const PenPairLines *lines)
{
  g_autofree char *name = dup_name (self, lines);
  g_autofree char *facts = dup_facts (self, lines);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", name, facts);

  gtk_label_set_text (self->name, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name), tooltip);
  gtk_widget_set_visible (GTK_WIDGET (self->name), name[0] != '\0');
  gtk_label_set_text (self->facts, facts);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->facts), facts);
  show_facts (self);
  gtk_widget_set_visible (GTK_WIDGET (self->all), get_detail (self) == DETAIL_INSTRUCTIONS);
}

/* ---- the tables ---- */

static void
fill (GListStore *store, GtkSingleSelection *selection, GPtrArray *items)
{
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), items->pdata,
                       items->len);
  gtk_single_selection_set_selected (selection, GTK_INVALID_LIST_POSITION);
}

static gboolean
is_shown (PenPairDetail *self, const PenPairLine *line)
{
  return gtk_toggle_button_get_active (self->all) || line->difference != PEN_PAIR_LINE_SAME
         || line->rates[0].samples + line->rates[1].samples > 0;
}

static guint
fill_instructions (PenPairDetail *self, const PenPairLines *lines)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; lines && i < lines->annotation->functions->len; i++) {
    const PenPairFunction *function = lines->annotation->functions->pdata[i];

    for (guint k = 0; k < function->lines->len; k++)
      if (is_shown (self, function->lines->pdata[k]))
        g_ptr_array_add (items, pen_pair_line_item_new (lines, function->lines->pdata[k]));
  }
  fill (self->lines, self->lines_selection, items);
  return items->len;
}

/* Returns: how many have a place: without one, there is nothing to see. */
static guint
fill_sources (PenPairDetail *self, const PenPairLines *lines)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = 0;

  for (guint i = 0; lines && i < lines->annotation->functions->len; i++) {
    const PenPairFunction *function = lines->annotation->functions->pdata[i];

    for (guint k = 0; k < function->sources->len; k++) {
      const PenPairSourceLine *line = function->sources->pdata[k];

      n += line->files[0] || line->files[1];
      g_ptr_array_add (items, pen_pair_source_item_new (lines, line));
    }
  }
  fill (self->sources, self->sources_selection, items);
  return n;
}

/* Made only while it is looked at. */
static guint
fill_paths (PenPairDetail *self)
{
  const PenPairTree *tree = pen_pair_session_get_tree (self->pair);
  g_autoptr (GtkTreeListModel) model = tree ? pen_pair_path_model_new (tree) : NULL;
  g_autoptr (PenGrowingList) rows
      = model ? pen_growing_list_new (G_LIST_MODEL (model), FALSE, FIRST_PATHS) : NULL;

  gtk_single_selection_set_model (self->paths_selection, rows ? G_LIST_MODEL (rows) : NULL);
  return model ? g_list_model_get_n_items (G_LIST_MODEL (model)) : 0;
}

static guint
fill_causes (PenPairDetail *self)
{
  const PenPairCauseList *list = pen_pair_session_get_causes (self->pair);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; list && i < list->causes->rows->len; i++)
    g_ptr_array_add (items, pen_pair_cause_item_new (list, list->causes->rows->pdata[i]));
  fill (self->causes, self->causes_selection, items);
  return items->len;
}

static const char *
get_nothing (PenPairDetail *self, const PenPairLines *lines)
{
  switch (get_detail (self)) {
  case DETAIL_CALLERS:
  case DETAIL_PATHS:
    return _ ("Comparing…");
  case DETAIL_CAUSES:
    return pen_pair_session_get_causes (self->pair)
               ? _ ("No patches or BPF programs match the filters.")
               : _ ("Comparing…");
  case DETAIL_SOURCES:
    return lines ? _ ("No source lines are known. Import with source lines to see them.") : "";
  case DETAIL_INSTRUCTIONS:
  default:
    return lines ? _ ("No instructions are known.") : "";
  }
}

static guint
fill_shown (PenPairDetail *self, const PenPairLines *lines)
{
  switch (get_detail (self)) {
  case DETAIL_SOURCES:
    return fill_sources (self, lines);
  case DETAIL_CALLERS:
  case DETAIL_PATHS:
    return fill_paths (self);
  case DETAIL_CAUSES:
    return fill_causes (self);
  case DETAIL_INSTRUCTIONS:
  default:
    return fill_instructions (self, lines);
  }
}

static void
show (PenPairDetail *self)
{
  static const char *const pages[] = {
    [DETAIL_INSTRUCTIONS] = "text", [DETAIL_SOURCES] = "sources", [DETAIL_CALLERS] = "paths",
    [DETAIL_PATHS] = "paths",       [DETAIL_CAUSES] = "causes",
  };
  const PenPairLines *lines = pen_pair_session_get_lines (self->pair);
  const GError *error = pen_pair_session_get_error (self->pair);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  guint n = fill_shown (self, lines);

  show_header (self, lines);
  gtk_label_set_text (self->empty, message ? message : get_nothing (self, lines));
  gtk_stack_set_visible_child_name (self->stack, n > 0 ? pages[get_detail (self)] : "empty");
}

/* ---- keeping up with the comparison ---- */

/* What takes long is asked for when it is to be seen. */
static void
ask (PenPairDetail *self)
{
  const PenPairTree *tree = pen_pair_session_get_tree (self->pair);
  Detail detail = get_detail (self);

  if (!pen_pair_session_get_list (self->pair))
    return;
  if (detail == DETAIL_CAUSES && !pen_pair_session_get_causes (self->pair))
    pen_pair_session_ask_causes (self->pair);
  else if (detail == DETAIL_PATHS && (!tree || tree->row))
    pen_pair_session_ask_tree (self->pair, G_MAXUINT);
  else if (detail == DETAIL_CALLERS && self->item
           && (!tree || tree->row != pen_pair_item_get_row (self->item)))
    pen_pair_session_ask_tree (self->pair, pen_pair_item_get_index (self->item));
}

/* Rows hold what they are of, and with it both recordings. */
static void
on_list (PenPairDetail *self)
{
  g_list_store_remove_all (self->lines);
  g_list_store_remove_all (self->sources);
  g_list_store_remove_all (self->causes);
  gtk_single_selection_set_model (self->paths_selection, NULL);
}

static void
on_choice (PenPairDetail *self)
{
  if (!self->pair)
    return;
  ask (self);
  show (self);
}

static void
on_all (PenPairDetail *self)
{
  if (self->pair)
    show (self);
}

/* What is of all functions stays as it is. */
static void
on_lines (PenPairDetail *self)
{
  if (get_detail (self) < DETAIL_PATHS || !pen_pair_session_get_list (self->pair))
    show (self);
}

static void
on_tree (PenPairDetail *self)
{
  if (get_detail (self) == DETAIL_CALLERS || get_detail (self) == DETAIL_PATHS)
    show (self);
}

static void
on_causes (PenPairDetail *self)
{
  if (get_detail (self) == DETAIL_CAUSES)
    show (self);
}

/* ---- what is done with it ---- */

/* Rows of call paths open and close. */
static void
on_path_activated (PenPairDetail *self, guint position)
{
  g_autoptr (GtkTreeListRow) row
      = g_list_model_get_item (G_LIST_MODEL (self->paths_selection), position);

  if (row && gtk_tree_list_row_is_expandable (row))
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
}

static void
on_cause_selected (PenPairDetail *self)
{
  PenPairCauseItem *item = gtk_single_selection_get_selected_item (self->causes_selection);
  const PenPairRow *row = item ? pen_pair_cause_item_get_cause (item)->function : NULL;

  if (row)
    g_signal_emit (self, signals[SIGNAL_ROW_WANTED], 0, row);
}

void
pen_pair_detail_set_pair (PenPairDetail *self, PenPairSession *pair)
{
  g_return_if_fail (!self->pair);

  self->pair = g_object_ref (pair);
  g_signal_connect_object (pair, "list", G_CALLBACK (on_list), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "lines", G_CALLBACK (on_lines), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "tree", G_CALLBACK (on_tree), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pair, "causes", G_CALLBACK (on_causes), self, G_CONNECT_SWAPPED);
}

void
pen_pair_detail_set_item (PenPairDetail *self, PenPairItem *item)
{
  g_set_object (&self->item, item);
  ask (self);
}

PenPairShown
pen_pair_detail_get_shown (PenPairDetail *self)
{
  static const PenPairShown shown[] = {
    [DETAIL_INSTRUCTIONS] = PEN_PAIR_SHOWN_INSTRUCTIONS,
    [DETAIL_SOURCES] = PEN_PAIR_SHOWN_SOURCES,
    [DETAIL_CALLERS] = PEN_PAIR_SHOWN_CALLERS,
    [DETAIL_PATHS] = PEN_PAIR_SHOWN_PATHS,
    [DETAIL_CAUSES] = PEN_PAIR_SHOWN_CAUSES,
  };

  return shown[get_detail (self)];
}

/* ---- object ---- */

static void
pen_pair_detail_resized (PenPane *pane, int width)
{
  PenPairDetail *self = PEN_PAIR_DETAIL (pane);

  pen_column_fit (self->lines_view, width);
  pen_column_fit (self->sources_view, width);
  pen_column_fit (self->paths_view, width);
  pen_column_fit (self->causes_view, width);
  if (self->is_narrow == (width < NARROW))
    return;
  self->is_narrow = width < NARROW;
  show_facts (self);
}

static void
pen_pair_detail_dispose (GObject *object)
{
  PenPairDetail *self = PEN_PAIR_DETAIL (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_PAIR_DETAIL);
  g_clear_object (&self->item);
  g_clear_object (&self->lines);
  g_clear_object (&self->sources);
  g_clear_object (&self->causes);
  g_clear_object (&self->pair);

  G_OBJECT_CLASS (pen_pair_detail_parent_class)->dispose (object);
}

static void
pen_pair_detail_class_init (PenPairDetailClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_pair_detail_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_pair_detail_resized;
  signals[SIGNAL_ROW_WANTED] = g_signal_new ("row-wanted", PEN_TYPE_PAIR_DETAIL, G_SIGNAL_RUN_LAST,
                                             0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pair/pen-pair-detail.ui");
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, name);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, facts);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, all);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, choice);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, stack);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, empty);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, lines_view);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, lines_selection);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, sources_view);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, sources_selection);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, paths_view);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, paths_selection);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, causes_view);
  gtk_widget_class_bind_template_child (widget_class, PenPairDetail, causes_selection);
  gtk_widget_class_bind_template_callback (widget_class, on_all);
  gtk_widget_class_bind_template_callback (widget_class, on_cause_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_choice);
  gtk_widget_class_bind_template_callback (widget_class, on_path_activated);
}

static void
pen_pair_detail_init (PenPairDetail *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->lines = g_list_store_new (PEN_TYPE_PAIR_LINE_ITEM);
  self->sources = g_list_store_new (PEN_TYPE_PAIR_SOURCE_ITEM);
  self->causes = g_list_store_new (PEN_TYPE_PAIR_CAUSE_ITEM);
  gtk_single_selection_set_model (self->lines_selection, G_LIST_MODEL (self->lines));
  gtk_single_selection_set_model (self->sources_selection, G_LIST_MODEL (self->sources));
  gtk_single_selection_set_model (self->causes_selection, G_LIST_MODEL (self->causes));
  pen_pair_columns_add (self->lines_view, PEN_PAIR_LINES);
  pen_pair_columns_add (self->sources_view, PEN_PAIR_SOURCES);
  pen_pair_columns_add (self->paths_view, PEN_PAIR_PATHS);
  pen_pair_columns_add (self->causes_view, PEN_PAIR_CAUSES);
}
