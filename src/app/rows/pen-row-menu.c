/* pen-row-menu.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row-menu.h"

#include <glib/gi18n-lib.h>

#include "pen-column-widths.h"
#include "pen-column.h"
#include "pen-context-menu.h"
#include "pen-display.h"
#include "pen-numbers.h"
#include "pen-row-item.h"

#define MENU_KEY "pen-row-menu"
#define SORTING "row-menu"

/* Letters of a note that its menu item tells. */
#define NOTE_MAX 24

typedef struct {
  GtkWidget *list;
  PenRowFunc describe;
  gpointer owner;
  guint sorted_by; /* 1 + the column that was chosen in the menu last */
  gboolean is_descending;
  GActionGroup *sorting; /* of the list; NULL: it has no columns */
} RowMenu;

/* ---- which row ---- */

/* (nullable): @list, or the titles over the list in it */
static GtkColumnView *
find_columns (GtkWidget *list)
{
  GtkWidget *titles = GTK_IS_COLUMN_VIEW (list) ? list : gtk_widget_get_last_child (list);

  return titles && GTK_IS_COLUMN_VIEW (titles) ? GTK_COLUMN_VIEW (titles) : NULL;
}

/* (transfer full) (nullable) */
static GObject *
dup_selected_item (GtkWidget *list)
{
  GtkWidget *inner = pen_row_item_find_list (list);
  GtkSelectionModel *model = inner ? gtk_list_view_get_model (GTK_LIST_VIEW (inner)) : NULL;
  g_autoptr (GtkBitset) selected = model ? gtk_selection_model_get_selection (model) : NULL;
  g_autoptr (GObject) item = NULL;

  if (!selected || gtk_bitset_is_empty (selected))
    return NULL;
  item = g_list_model_get_item (G_LIST_MODEL (model), gtk_bitset_get_minimum (selected));
  /* Neither a tree's row nor a model that makes its items when it is asked keeps them. */
  return GTK_IS_TREE_LIST_ROW (item) ? gtk_tree_list_row_get_item (GTK_TREE_LIST_ROW (item))
                                     : g_steal_pointer (&item);
}

/* The row that the keyboard means. (transfer full) (nullable) */
static GObject *
dup_current_item (GtkWidget *list)
{
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  GObject *item
      = focus && gtk_widget_is_ancestor (focus, list) ? pen_row_item_find (list, focus) : NULL;

  return item ? g_object_ref (item) : dup_selected_item (list);
}

static PenRow *
describe_row (GtkWidget *list, gpointer item)
{
  RowMenu *menu = g_object_get_data (G_OBJECT (list), MENU_KEY);
  PenRow *row = pen_row_new ();
  /* A view may select the row, and make its rows anew for that. */
  g_autoptr (GObject) kept = g_object_ref (item);
  /* What is copied goes to programs. */
  PenNumbers numbers = pen_numbers_begin_plain ();

  menu->describe (item, row, menu->owner);
  if (row->cells->len == 0 && GTK_IS_COLUMN_VIEW (list)) {
    g_auto (GStrv) texts = pen_column_dup_texts (GTK_COLUMN_VIEW (list), item);

    for (guint i = 0; texts[i]; i++)
      pen_row_add_cell (row, texts[i]);
  }
  pen_numbers_end_plain (numbers);
  return row;
}

/* ---- the menu ---- */

/* Values are bytes as they were recorded, which a string of a GVariant could not be. */
static GVariant *
target_of (const PenFilterTerm *term, gboolean excluded)
{
  PenFilterTerm marked = { term->part, excluded, term->value };
  g_autofree char *text = pen_filter_term_to_text (&marked);

  return g_variant_new_bytestring (text);
}

static char *
label_of (const PenFilterTerm *term)
{
  g_autofree char *value = pen_display_text (term->value);
  g_autofree char *text = g_strdup_printf ("%s: %s", pen_filter_part_to_string (term->part), value);
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);

  /* No letter of a name is a mnemonic. */
  return g_strjoinv ("__", parts);
}

static void
append_terms (GMenu *menu, PenRow *row, gboolean excluded)
{
  g_autoptr (GMenu) terms = g_menu_new ();

  for (guint i = 0; i < row->terms->len; i++) {
    const PenFilterTerm *term = row->terms->pdata[i];
    g_autofree char *label = label_of (term);
    g_autoptr (GMenuItem) item = NULL;

    if (excluded && term->part >= PEN_FILTER_LISTS)
      continue;
    item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target_value (item, "win.add-filter", target_of (term, excluded));
    g_menu_append_item (terms, item);
  }
  g_menu_append_submenu (menu, excluded ? _ ("_Not This") : _ ("_Only This"), G_MENU_MODEL (terms));
}

static void
append_action (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

static GVariant *
command_of (PenRow *row)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aay"));
  for (guint i = 0; i < row->command->len; i++)
    g_variant_builder_add_value (&builder, g_variant_new_bytestring (row->command->pdata[i]));
  return g_variant_builder_end (&builder);
}

static void
append_places (GMenu *menu, PenRow *row)
{
  g_autoptr (GMenu) places = g_menu_new ();

  for (guint i = 0; i + 1 < row->actions->len; i += 2)
    append_action (places, row->actions->pdata[i], row->actions->pdata[i + 1], NULL);
  if (row->has_time)
    append_action (places, _ ("Move _Playhead Here"), "win.go-to-time",
                   g_variant_new_uint64 (row->time));
  if (row->life_to > row->life_from)
    append_action (places, _ ("_Zoom to Lifetime"), "win.zoom-to",
                   g_variant_new ("(tt)", row->life_from, row->life_to));
  if (row->range_to > row->range_from) {
    GVariant *range = g_variant_new ("(tt)", row->range_from, row->range_to);

    append_action (places, _ ("Show in Text _Map"), "win.show-in-map", range);
    append_action (places, _ ("_Who Else Held This"), "win.show-holders", range);
  }
  if (row->function != G_MAXUINT32)
    append_action (places, _ ("Show _in Callers"), "win.show-callers",
                   g_variant_new_uint32 (row->function));
  if (row->batch != 0)
    append_action (places, _ ("Compare Stacks _Before and After"), "win.compare-stacks",
                   g_variant_new_uint32 (row->batch));
  if (row->has_change)
    append_action (places, _ ("Show in C_auses"), "win.show-change",
                   g_variant_new ("(tt)", row->change.time, row->change.position));
  if (g_menu_model_get_n_items (G_MENU_MODEL (places)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (places));
}

/* "Edit “what is this?”…": its beginning, to distinguish it. */
static char *
label_of_note (const char *format, const PenNote *note)
{
  g_autofree char *shown = pen_display_text (note->text);
  g_autofree char *start = g_utf8_strlen (shown, -1) > NOTE_MAX
                               ? g_utf8_substring (shown, 0, NOTE_MAX)
                               : g_strdup (shown);
  g_autofree char *cut
      = strlen (start) < strlen (shown) ? g_strconcat (start, "…", NULL) : g_strdup (start);
  g_autofree char *text = g_strdup_printf (format, cut);
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("__", parts);
}

static void
append_notes (GMenu *menu, PenRow *row)
{
  g_autoptr (GMenu) notes = g_menu_new ();

  for (guint i = 0; i < row->notes->len; i++) {
    const PenNote *note = row->notes->pdata[i];
    g_autofree char *change = label_of_note (_ ("Edit “%s”…"), note);
    g_autofree char *remove = label_of_note (_ ("Remove “%s”"), note);

    append_action (notes, change, "win.edit-note", g_variant_new_int64 (note->id));
    append_action (notes, remove, "win.remove-note", g_variant_new_int64 (note->id));
  }
  if (row->has_address || row->has_time)
    append_action (
        notes, _ ("Add No_te…"), "win.add-note-at",
        g_variant_new ("(btbt)", row->has_address, row->address, row->has_time, row->time));
  if (g_menu_model_get_n_items (G_MENU_MODEL (notes)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (notes));
}

GMenuModel *
pen_row_menu_new_model (PenRow *row)
{
  g_autoptr (GMenu) filters = g_menu_new ();
  g_autoptr (GMenu) copies = g_menu_new ();
  GMenu *menu = g_menu_new ();

  if (row->terms->len > 0) {
    append_terms (filters, row, FALSE);
    append_terms (filters, row, TRUE);
    g_menu_append_section (menu, NULL, G_MENU_MODEL (filters));
  }
  if (row->cells->len > 0) {
    g_autofree char *text = pen_row_dup_text (row);

    append_action (copies, _ ("_Copy Row"), "win.copy-text", g_variant_new_string (text));
  }
  if (row->line)
    append_action (copies, _ ("Copy Line in ob_jdump Format"), "win.copy-text",
                   g_variant_new_string (row->line));
  if (row->command->len > 0)
    append_action (copies, _ ("Copy as C_LI Command"), "win.copy-command", command_of (row));
  if (g_menu_model_get_n_items (G_MENU_MODEL (copies)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (copies));
  append_places (menu, row);
  append_notes (menu, row);
  return G_MENU_MODEL (menu);
}

/* Clicks a title by key: titles of GTK 4.8 do not take the focus. */
static void
append_orders (GMenu *menu, GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GMenu) orders = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    const char *title = gtk_column_view_column_get_title (column);

    if (gtk_column_view_column_get_sorter (column) && gtk_column_view_column_get_visible (column))
      append_action (orders, g_str_equal (title, "↯") ? _ ("Changes") : title, SORTING ".sort-by",
                     g_variant_new_uint32 (i));
  }
  if (g_menu_model_get_n_items (G_MENU_MODEL (orders)) > 0)
    g_menu_append_submenu (section, _ ("_Sort by"), G_MENU_MODEL (orders));
  if (pen_column_widths_get_action (view))
    g_menu_append (section, _ ("_Reset Columns"), SORTING ".reset");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* By the same column once more: the other way round. */
static void
on_sort_by (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  RowMenu *menu = data;
  GtkColumnView *view = find_columns (menu->list);
  guint position = g_variant_get_uint32 (parameter);
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), position);

  if (!column)
    return;
  menu->is_descending = menu->sorted_by == position + 1 && !menu->is_descending;
  menu->sorted_by = position + 1;
  gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (view, column,
                                  menu->is_descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

static void
add_sorting (RowMenu *menu)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("sort-by", G_VARIANT_TYPE_UINT32);

  g_signal_connect (action, "activate", G_CALLBACK (on_sort_by), menu);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  if (pen_column_widths_get_action (find_columns (menu->list)))
    g_action_map_add_action (G_ACTION_MAP (group),
                             pen_column_widths_get_action (find_columns (menu->list)));
  menu->sorting = G_ACTION_GROUP (group);
  gtk_widget_insert_action_group (menu->list, SORTING, menu->sorting);
}

static void
popup (RowMenu *menu, gpointer item, double x, double y)
{
  g_autoptr (PenRow) row = describe_row (menu->list, item);
  g_autoptr (GMenuModel) model = pen_row_menu_new_model (row);
  GdkRectangle place = { (int) x, (int) y, 1, 1 };

  if (find_columns (menu->list))
    append_orders (G_MENU (model), find_columns (menu->list));
  if (g_menu_model_get_n_items (model) > 0)
    pen_context_menu_popup (menu->list, model, SORTING, menu->sorting, &place);
}

/* ---- opening it ---- */

static void
on_pressed (RowMenu *menu, int n_press, double x, double y, GtkGesture *gesture)
{
  GtkWidget *widget = gtk_widget_pick (menu->list, x, y, GTK_PICK_DEFAULT);
  GObject *found = pen_row_item_find (menu->list, widget);
  g_autoptr (GObject) item = NULL;

  if (!found)
    return;
  /* The claim breaks other gestures off, and the row may be of another item then. */
  item = g_object_ref (found);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  popup (menu, item, x, y);
}

static void
on_long_press (RowMenu *menu, double x, double y, GtkGesture *gesture)
{
  on_pressed (menu, 1, x, y, gesture);
}

static gboolean
on_menu_key (GtkWidget *list, GVariant *arguments, gpointer data)
{
  g_autoptr (GObject) item = dup_current_item (list);
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  double x = 24, y = 24;

  if (!item)
    return FALSE;
  if (focus && gtk_widget_is_ancestor (focus, list))
    gtk_widget_translate_coordinates (focus, list, 24, gtk_widget_get_height (focus) / 2.0, &x, &y);
  popup (data, item, x, y);
  return TRUE;
}

static gboolean
on_copy_key (GtkWidget *list, GVariant *arguments, gpointer data)
{
  g_autoptr (GObject) item = dup_current_item (list);
  g_autoptr (PenRow) row = item ? describe_row (list, item) : NULL;
  g_autofree char *text = row ? pen_row_dup_text (row) : NULL;

  return row && gtk_widget_activate_action (list, "win.copy-text", "s", text);
}

static void
add_keys (RowMenu *menu)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  const struct {
    const char *trigger;
    GtkShortcutFunc func;
  } shortcuts[] = { { "Menu|<Shift>F10", on_menu_key }, { "<Control>c", on_copy_key } };

  for (gsize i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (shortcuts[i].trigger),
                          gtk_callback_action_new (shortcuts[i].func, menu, NULL)));
  gtk_widget_add_controller (menu->list, keys);
}

void
pen_row_menu_add (GtkWidget *list, PenRowFunc describe, gpointer owner)
{
  RowMenu *menu = g_new0 (RowMenu, 1);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  *menu = (RowMenu){ .list = list, .describe = describe, .owner = owner };
  g_object_set_data_full (G_OBJECT (list), MENU_KEY, menu, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), menu);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (on_long_press), menu);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (press));
  add_keys (menu);
  if (find_columns (list))
    add_sorting (menu);
}
