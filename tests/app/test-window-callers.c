/* test-window-callers.c: the page of callers, used as a person would
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-callers-private.h"
#include "pen-format.h"
#include "pen-neighbour-item.h"

#define CAPTURE "f-everything-z.data"

static PenWindow *
open_callers (const char *name)
{
  PenWindow *window = window_support_open_window (name);

  pen_session_set_page (window->session, PEN_PAGE_CALLERS);
  app_support_run (50);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
  return window;
}

static PenFlameView *
get_flame (PenWindow *window)
{
  return window->callers->flame;
}

static const PenFlameTree *
get_tree (PenWindow *window)
{
  const PenFlameAnswer *answer = pen_flame_view_get_answer (get_flame (window));

  g_assert_nonnull (answer);
  g_assert_true (answer == pen_session_get_answers (window->session)->flame);
  return answer->tree;
}

static const PenFlameState *
get_state (PenWindow *window)
{
  return pen_session_get_view (window->session)->flame;
}

static const char *
get_count (PenWindow *window)
{
  return gtk_label_get_text (window->callers->count);
}

static void
activate (PenWindow *window, const char *action)
{
  g_action_group_activate_action (G_ACTION_GROUP (window->callers->actions), action, NULL);
  app_support_settle (window->session);
  app_support_run (30);
}

/* A frame of that function, as low as there is one. */
static guint
find_frame (PenWindow *window, const char *symbol)
{
  const PenFlameTree *tree = get_tree (window);

  for (guint i = 1; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);

    if (g_strcmp0 (tree->groups[node->group].symbol, symbol) == 0)
      return i;
  }
  g_error ("no frame of %s", symbol);
}

/* Where the pointer would be. */
static void
get_place (PenWindow *window, guint node, double *x, double *y)
{
  GdkRectangle box;

  pen_flame_view_select (get_flame (window), node);
  g_assert_true (pen_flame_view_get_selected_box (get_flame (window), &box));
  *x = box.x + box.width / 2.0;
  *y = box.y + box.height / 2.0;
}

static void
click (PenWindow *window, guint node)
{
  GtkEventController *gesture
      = window_support_find_controller (GTK_WIDGET (get_flame (window)), GTK_TYPE_GESTURE_CLICK);
  double x, y;

  get_place (window, node, &x, &y);
  g_signal_emit_by_name (gesture, "released", 1, x, y);
  app_support_settle (window->session);
  app_support_run (30);
}

/* ---- the picture ---- */

/* It is asked ahead, for a picture of some size; where it is drawn it has what the command line
 * has. */
static void
test_shown (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (PenQuery) query = NULL;
  g_autoptr (PenFlameTree) tree = NULL;
  guint64 samples = pen_session_get_answers (window->session)->counts->total.n;

  g_assert_nonnull (pen_session_get_answers (window->session)->flame);
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), 0)->total.samples, ==, samples);
  window_support_close_window (window);

  window = open_callers (CAPTURE);
  query = app_support_open_query (window->session);
  tree = pen_query_flame (query, pen_session_get_view (window->session)->filter,
                          &(PenFlameOptions){ 0 }, NULL);
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), 0)->total.samples, ==, samples);
  g_assert_cmpuint (pen_flame_tree_get (tree, 0)->total.samples, ==, samples);
  g_assert_cmpuint (get_tree (window)->nodes->len, >, 100);
  /* Not more than has a pixel. */
  g_assert_cmpuint (get_tree (window)->nodes->len, <=, tree->nodes->len);
  g_assert_nonnull (strstr (get_count (window), "samples"));
  window_support_close_window (window);
}

/* The selected time is that of the stacks. */
static void
test_filter (void)
{
  PenWindow *window = open_callers (CAPTURE);
  PenSpan span = pen_session_get_span (window->session);
  PenSpan part = { span.from + pen_span_length (span) / 4, span.from + pen_span_length (span) / 2 };

  pen_session_set_selected (window->session, &part);
  app_support_settle (window->session);
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), 0)->total.samples, ==,
                    pen_session_get_answers (window->session)->counts->matching.n);
  pen_session_add_filter_text (window->session, "comm:nobody", NULL);
  app_support_settle (window->session);
  app_support_run (30);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->callers->stack), ==, "empty");
  g_assert_cmpstr (adw_status_page_get_title (window->callers->empty), ==, "No Matching Samples");
  pen_session_clear_filter (window->session);
  app_support_settle (window->session);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->callers->stack), ==, "picture");
  window_support_close_window (window);
}

/* A click looks into a frame; back and forward, and keys, lead out and in again. */
static void
test_zoom (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GtkWidget *flame = GTK_WIDGET (get_flame (window));
  guint node = find_frame (window, "vfs_read");
  guint64 samples = pen_flame_tree_get (get_tree (window), node)->total.samples;
  GdkRectangle box;

  click (window, node);
  g_assert_cmpuint (get_state (window)->zoom->len, >, 1);
  g_assert_cmpuint (
      pen_flame_tree_get (get_tree (window), get_tree (window)->zoomed)->total.samples, ==,
      samples);
  /* It is selected still, and has the whole width. */
  g_assert_true (pen_flame_view_get_selected (get_flame (window), &node));
  g_assert_cmpuint (node, ==, get_tree (window)->zoomed);
  g_assert_true (pen_flame_view_get_selected_box (get_flame (window), &box));
  g_assert_cmpint (box.width, ==, gtk_widget_get_width (flame));

  g_assert_nonnull (strstr (pen_session_get_place_name (window->session, 0), "vfs_read"));
  pen_session_go (window->session, -1);
  app_support_settle (window->session);
  g_assert_cmpuint (get_tree (window)->zoomed, ==, 0);
  pen_session_go (window->session, 1);
  app_support_settle (window->session);
  g_assert_cmpuint (get_tree (window)->zoomed, !=, 0);

  window_support_press (flame, "Escape");
  app_support_settle (window->session);
  g_assert_cmpuint (get_tree (window)->zoomed, ==, 0);
  g_assert_cmpuint (get_state (window)->zoom->len, ==, 0);
  window_support_close_window (window);
}

static void
test_keys (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GtkWidget *flame = GTK_WIDGET (get_flame (window));
  guint node;

  /* Upwards are the frames that were called. */
  window_support_press (flame, "Up");
  g_assert_true (pen_flame_view_get_selected (get_flame (window), &node));
  g_assert_cmpuint (node, ==, 0);
  window_support_press (flame, "Up");
  pen_flame_view_get_selected (get_flame (window), &node);
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), node)->depth, ==, 1);
  window_support_press (flame, "Right");
  window_support_press (flame, "Left");
  g_assert_true (pen_flame_view_get_selected (get_flame (window), &node));
  window_support_press (flame, "Return");
  app_support_settle (window->session);
  g_assert_cmpuint (get_state (window)->zoom->len, ==, 1);
  window_support_press (flame, "BackSpace");
  app_support_settle (window->session);
  g_assert_cmpuint (get_state (window)->zoom->len, ==, 0);
  window_support_press (flame, "i");
  app_support_settle (window->session);
  g_assert_cmpint (get_tree (window)->order, ==, PEN_FLAME_INNERMOST);
  window_support_close_window (window);
}

/* Turned round, or grouped otherwise, there is nothing to be zoomed into. */
static void
test_switches (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GActionGroup *actions = G_ACTION_GROUP (window->callers->actions);
  guint64 samples = pen_flame_tree_get (get_tree (window), 0)->total.samples;

  click (window, find_frame (window, "vfs_read"));
  g_action_group_change_action_state (actions, "by-occupant", g_variant_new_boolean (TRUE));
  app_support_settle (window->session);
  g_assert_cmpint (get_tree (window)->grouping, ==, PEN_STACK_BY_OCCUPANT);
  g_assert_cmpuint (get_state (window)->zoom->len, ==, 0);
  g_assert_cmpuint (gtk_drop_down_get_selected (window->callers->grouping), ==, 1);
  gtk_drop_down_set_selected (window->callers->grouping, 2);
  app_support_settle (window->session);
  g_assert_cmpint (get_tree (window)->grouping, ==, PEN_STACK_BY_FILE);
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), 0)->total.samples, ==, samples);
  gtk_drop_down_set_selected (window->callers->grouping, 0);
  app_support_settle (window->session);
  g_assert_cmpint (get_tree (window)->grouping, ==, PEN_STACK_BY_FUNCTION);
  g_action_group_change_action_state (actions, "recursion", g_variant_new_boolean (TRUE));
  g_action_group_change_action_state (actions, "inverted", g_variant_new_boolean (TRUE));
  g_action_group_change_action_state (actions, "order", g_variant_new_string ("name"));
  app_support_settle (window->session);
  g_assert_cmpint (get_tree (window)->order, ==, PEN_FLAME_INNERMOST);
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), 0)->total.samples, ==, samples);
  g_action_group_change_action_state (actions, "by-period", g_variant_new_boolean (TRUE));
  app_support_settle (window->session);
  g_assert_null (strstr (get_count (window), "samples"));
  activate (window, "reset");
  g_assert_cmpint (get_tree (window)->order, ==, PEN_FLAME_OUTERMOST);
  g_assert_cmpint (get_tree (window)->grouping, ==, PEN_STACK_BY_FUNCTION);
  window_support_close_window (window);
}

/* Focus, lens and hidden frames: each has a chip that undoes it. */
static void
test_choices (void)
{
  static const struct {
    const char *action;
    const char *chip;
    const char *undo;
  } cases[] = { { "focus", "Stacks from vfs_read", "no-focus" },
                { "focus-callers", "Callers of vfs_read", "no-focus" },
                { "through", "Through vfs_read", "no-lens" },
                { "without", "Without vfs_read", "no-lens" },
                { "hide", "vfs_read hidden", "no-hidden" } };
  PenWindow *window = open_callers (CAPTURE);
  guint64 all = pen_flame_tree_get (get_tree (window), 0)->total.samples;
  guint64 through = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *labels = NULL;
    guint64 samples;

    pen_flame_view_select (get_flame (window), find_frame (window, "vfs_read"));
    activate (window, cases[i].action);
    labels = window_support_dup_labels (window->callers->choices);
    g_assert_nonnull (strstr (labels, cases[i].chip));
    samples = pen_flame_tree_get (get_tree (window), 0)->total.samples;
    if (i == 0)
      through = samples;
    g_assert_cmpuint (samples, ==, i < 3 ? through : i == 3 ? all - through : all);
    activate (window, cases[i].undo);
    g_assert_false (gtk_widget_get_visible (window->callers->choices));
    if (i == 1)
      activate (window, "reset");
  }
  g_assert_cmpuint (through, >, 0);
  g_assert_cmpuint (through, <, all);
  window_support_close_window (window);
}

/* Through one text of a function alone: the texts have all its stacks between them. */
static void
test_one_text (void)
{
  PenWindow *window = open_callers (CAPTURE);
  guint node, n;
  guint64 through, all = 0;

  pen_flame_view_select (get_flame (window), find_frame (window, "vfs_read"));
  activate (window, "focus");
  node = find_frame (window, "vfs_read");
  through = pen_flame_tree_get (get_tree (window), node)->total.samples;
  n = pen_flame_tree_get (get_tree (window), node)->n_versions;
  g_assert_cmpuint (n, >, 1);
  for (guint i = 0; i < n; i++) {
    g_autofree char *labels = NULL;
    PenFlameVersion version;
    guint index;

    node = find_frame (window, "vfs_read");
    index = pen_flame_tree_get (get_tree (window), node)->first_version + i;
    version = g_array_index (get_tree (window)->versions, PenFlameVersion, index);
    pen_flame_view_select (get_flame (window), node);
    g_action_group_activate_action (G_ACTION_GROUP (window->callers->actions), "text",
                                    g_variant_new_uint32 (index));
    app_support_settle (window->session);
    app_support_run (30);
    /* A stack may have the function twice, in two texts. */
    g_assert_cmpuint (pen_flame_tree_get (get_tree (window), 0)->total.samples, >=,
                      version.count.samples);
    all += pen_flame_tree_get (get_tree (window), 0)->total.samples;
    labels = window_support_dup_labels (window->callers->choices);
    g_assert_nonnull (
        strstr (labels, version.poke == 0 ? "Through vfs_read (original)" : "Through vfs_read ("));
    activate (window, "no-lens");
  }
  g_assert_cmpuint (all, >=, through);
  g_assert_cmpuint (all, <, through + through / 2);
  window_support_close_window (window);
}

/* The share that the whole tree has, in which nothing is left out. */
static void
assert_matched (PenWindow *window, const char *search, const char *folded)
{
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (PenFlameTree) tree = pen_query_flame (query, NULL, NULL, NULL);
  g_autofree gboolean *is_below = g_new0 (gboolean, tree->nodes->len);
  PenStackCount count = { 0 };
  g_autofree char *share = NULL;
  g_autofree char *text = NULL;

  for (guint i = 1; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);
    g_autofree char *name = pen_flame_dup_name (tree, node->group);

    is_below[i] = is_below[node->parent] || strstr (name, folded);
    if (is_below[i] && !is_below[node->parent])
      count.samples += node->total.samples;
  }
  g_assert_cmpuint (tree->n_left_out, ==, 0);
  g_assert_cmpuint (count.samples, >, 0);
  share = pen_format_share (pen_flame_get_share (tree, count));
  text = g_strdup_printf (", %s matched", share);
  app_support_wait_for (strstr (get_count (window), text));
  g_assert_null (strstr (get_count (window), "at least"));
  g_assert_cmpuint (pen_session_get_answers (window->session)->matches->found.count.samples, ==,
                    count.samples);
  g_assert_cmpstr (pen_session_get_answers (window->session)->matches->search, ==, search);
}

static void
test_search (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GtkEditable *search = GTK_EDITABLE (window->callers->search);

  window_support_activate (window, "win.search");
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), GTK_WIDGET (search)));
  gtk_editable_set_text (search, "VFS_read");
  app_support_wait_for (strstr (get_count (window), "matched"));
  /* Also in frames too narrow to be drawn: no share is "at least" so much. */
  g_assert_cmpuint (get_tree (window)->n_left_out, >, 0);
  assert_matched (window, "VFS_read", "vfs_read");
  gtk_editable_set_text (search, "copy");
  assert_matched (window, "copy", "copy");
  gtk_editable_set_text (search, "no such name");
  app_support_wait_for (strstr (get_count (window), "no match"));
  gtk_editable_set_text (search, "");
  app_support_wait_for (!strstr (get_count (window), "match"));
  window_support_close_window (window);
}

static void
test_tooltip (void)
{
  PenWindow *window = open_callers (CAPTURE);
  g_autofree char *text = NULL;
  double x, y;

  get_place (window, find_frame (window, "vfs_read"), &x, &y);
  text = pen_flame_view_describe_point (get_flame (window), x, y);
  g_assert_true (g_str_has_prefix (text, "vfs_read\nKernel [kernel.kallsyms]\nTotal "));
  g_assert_nonnull (strstr (text, "\nOwn "));
  g_assert_nonnull (strstr (text, "/s"));
  window_support_close_window (window);
}

/* ---- the menu ---- */

static void
test_menu (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GtkWidget *flame = GTK_WIDGET (get_flame (window));
  guint32 function;
  double x, y;

  get_place (window, find_frame (window, "vfs_read"), &x, &y);
  window_support_press (flame, "Menu");
  app_support_run (50);
  g_assert_nonnull (window_support_find_menu (flame));
  gtk_popover_popdown (window_support_find_menu (flame));
  app_support_run (50);
  activate (window, "show-code");
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpstr (
      pen_answers_find_function (pen_session_get_answers (window->session), function)->symbol, ==,
      "vfs_read");
  window_support_close_window (window);
}

/* ---- the table ---- */

/* The same tree as rows, for who hears it. */
static void
test_table (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GListModel *rows;
  g_autoptr (GtkTreeListRow) row = NULL;
  g_autoptr (PenFlameItem) item = NULL;
  guint node;

  g_action_group_change_action_state (G_ACTION_GROUP (window->callers->actions), "table",
                                      g_variant_new_boolean (TRUE));
  app_support_run (50);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->callers->stack), ==, "table");
  rows = G_LIST_MODEL (window->callers->selection);
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, 2);
  gtk_single_selection_set_selected (window->callers->selection, 1);
  g_assert_true (pen_flame_view_get_selected (get_flame (window), &node));
  row = g_list_model_get_item (rows, 1);
  item = gtk_tree_list_row_get_item (row);
  g_assert_cmpuint (node, ==, pen_flame_item_get_node (item));
  g_assert_cmpuint (pen_flame_tree_get (get_tree (window), node)->depth, ==, 1);
  window_support_close_window (window);
}

/* ---- callers and callees ---- */

static GListModel *
get_callers (PenWindow *window)
{
  return G_LIST_MODEL (window_support_child (window->callers->neighbours, "callers_selection"));
}

static PenNeighbourItem *
find_caller (PenWindow *window, const char *name)
{
  GListModel *model = get_callers (window);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenNeighbourItem) item = g_list_model_get_item (model, i);
    g_autofree char *shown = pen_neighbour_item_dup_name (item);

    if (g_str_equal (shown, name))
      return g_steal_pointer (&item);
  }
  return NULL;
}

static char *
get_subject (PenWindow *window)
{
  return window_support_dup_labels (window->callers->neighbours);
}

/* They follow the code's function, until another one is gone to; and a selected frame. */
static void
test_neighbours (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkColumnView *view;
  g_autoptr (PenNeighbourItem) item = NULL;
  guint32 function;

  window_support_select_function (window, "vfs_read");
  app_support_settle (window->session);
  pen_session_set_page (window->session, PEN_PAGE_CALLERS);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_true (app_support_find_function (window->session, "vfs_read", &function));
  g_assert_cmpuint (pen_session_get_answers (window->session)->neighbours->function, ==, function);
  item = find_caller (window, "ksys_read");
  g_assert_nonnull (item);

  /* A row leads on. */
  view = window_support_child (window->callers->neighbours, "callers");
  g_signal_emit_by_name (view, "activate", 0);
  app_support_settle (window->session);
  g_assert_null (find_caller (window, "ksys_read"));
  pen_session_go (window->session, -1);
  app_support_settle (window->session);
  {
    g_autoptr (PenNeighbourItem) again = find_caller (window, "ksys_read");

    g_assert_nonnull (again);
  }

  /* So does a frame. */
  pen_flame_view_select (get_flame (window), find_frame (window, "do_syscall_64"));
  app_support_settle (window->session);
  {
    g_autofree char *labels = get_subject (window);

    g_assert_nonnull (strstr (labels, "own"));
    g_assert_cmpuint (get_state (window)->subject, !=, function);
  }
  window_support_close_window (window);
}

/* From the code's function to its callers. */
static void
test_from_code (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  guint32 function;

  g_assert_true (app_support_find_function (window->session, "vfs_read", &function));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-callers", "u", function);
  app_support_settle (window->session);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
  g_assert_cmpuint (pen_session_get_answers (window->session)->neighbours->function, ==, function);

  /* By key, of the function that is annotated. */
  pen_session_set_page (window->session, PEN_PAGE_CODE);
  window_support_select_function (window, "vfs_write");
  app_support_settle (window->session);
  window_support_press (GTK_WIDGET (window->annotation), "c");
  app_support_settle (window->session);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
  g_assert_true (app_support_find_function (window->session, "vfs_write", &function));
  g_assert_cmpuint (pen_session_get_answers (window->session)->neighbours->function, ==, function);
  window_support_close_window (window);
}

/* ---- none ---- */

static void
test_without_callchains (void)
{
  PenWindow *window = open_callers ("b-ftrace.data");
  const PenFlameAnswer *answer = pen_session_get_answers (window->session)->flame;
  g_autofree char *labels = NULL;

  g_assert_nonnull (answer->command);
  g_assert_nonnull (strstr (answer->command, " -g"));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->callers->stack), ==, "empty");
  g_assert_cmpstr (adw_status_page_get_title (window->callers->empty), ==, "No Callers Recorded");
  labels = window_support_dup_labels (window->callers);
  g_assert_nonnull (strstr (labels, "perf record"));
  window_support_close_window (window);
}

/* What lasts comes back with the recording; numbers of one import do not. */
static void
test_reopened (void)
{
  PenWindow *window = open_callers (CAPTURE);

  click (window, find_frame (window, "vfs_read"));
  g_action_group_change_action_state (G_ACTION_GROUP (window->callers->actions), "downwards",
                                      g_variant_new_boolean (TRUE));
  app_support_settle (window->session);
  window_support_close_window (window);
  window = window_support_open_again (CAPTURE);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
  g_assert_true (get_state (window)->is_downwards);
  g_assert_cmpuint (get_state (window)->zoom->len, ==, 0);
  window_support_close_window (window);
}

/* The same as the command line has it, at the playhead. */
static void
assert_as_of (PenWindow *window, guint32 function, gboolean follows)
{
  const PenNeighbourAnswer *answer = pen_session_get_answers (window->session)->neighbours;
  const PenViewState *view = pen_session_get_view (window->session);
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (PenFilter) filter = pen_filter_copy (view->filter);
  g_autoptr (GError) error = NULL;
  PenStackPlace place = { .parts = PEN_STACK_PLACE_GROUP };
  guint64 from, to;

  place.group = pen_query_get_stack_group (query, PEN_STACK_BY_FUNCTION, function, &error);
  g_assert_no_error (error);
  if (follows) {
    pen_query_select_stack_text (query, &place, pen_moment (view->playhead, G_MAXUINT64), filter,
                                 &from, &to, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (answer->from, ==, from);
    g_assert_cmpuint (answer->to, ==, to);
  }
  g_assert_true (answer->has_stretch == follows);
  for (guint side = 0; side < 2; side++) {
    const PenNeighbourQuestion question = { .place = place, .has_versions = TRUE };
    g_autoptr (PenStackNeighbours) same
        = pen_query_stack_neighbours (query, filter, &question, side, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (answer->sides[side]->through.samples, ==, same->through.samples);
    g_assert_cmpuint (answer->sides[side]->rows->len, ==, same->rows->len);
  }
}

static void
test_as_of (void)
{
  PenWindow *window = open_callers (CAPTURE);
  GActionGroup *actions = G_ACTION_GROUP (window->callers->actions);
  guint32 function;
  guint64 all, before;

  g_assert_true (app_support_find_function (window->session, "vfs_read", &function));
  pen_session_show_callers (window->session, function);
  app_support_settle (window->session);
  assert_as_of (window, function, FALSE);
  all = pen_session_get_answers (window->session)->neighbours->sides[0]->through.samples;

  /* From patch to patch with the playhead. */
  pen_session_set_playhead (window->session, 9500000000);
  g_action_group_change_action_state (actions, "as-of", g_variant_new_boolean (TRUE));
  app_support_settle (window->session);
  assert_as_of (window, function, TRUE);
  before = pen_session_get_answers (window->session)->neighbours->from;
  pen_session_set_playhead (window->session, 11000000000);
  app_support_settle (window->session);
  assert_as_of (window, function, TRUE);
  g_assert_cmpuint (pen_session_get_answers (window->session)->neighbours->from, >, before);
  g_assert_cmpuint (
      pen_session_get_answers (window->session)->neighbours->sides[0]->through.samples, <, all);

  /* The chip has the stretch, also beside stacks in time order, and ends it. */
  {
    GtkWidget *chip = gtk_widget_get_first_child (window->callers->choices);
    g_autofree char *labels = window_support_dup_labels (chip);

    g_assert_true (gtk_widget_get_mapped (chip));
    g_assert_nonnull (strstr (labels, "Callers as of the playhead: 10.833"));
    g_signal_emit_by_name (chip, "clicked");
  }
  app_support_settle (window->session);
  g_assert_false (get_state (window)->is_as_of);
  g_assert_false (gtk_widget_get_visible (window->callers->choices));
  assert_as_of (window, function, FALSE);

  /* All that an occupant held has no text of its own. */
  g_action_group_change_action_state (actions, "by-occupant", g_variant_new_boolean (TRUE));
  app_support_settle (window->session);
  g_assert_false (g_action_group_get_action_enabled (actions, "as-of"));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/callers/shown", test_shown);
  g_test_add_func ("/callers/filter", test_filter);
  g_test_add_func ("/callers/zoom", test_zoom);
  g_test_add_func ("/callers/keys", test_keys);
  g_test_add_func ("/callers/switches", test_switches);
  g_test_add_func ("/callers/choices", test_choices);
  g_test_add_func ("/callers/one-text", test_one_text);
  g_test_add_func ("/callers/search", test_search);
  g_test_add_func ("/callers/tooltip", test_tooltip);
  g_test_add_func ("/callers/menu", test_menu);
  g_test_add_func ("/callers/table", test_table);
  g_test_add_func ("/callers/neighbours", test_neighbours);
  g_test_add_func ("/callers/as-of", test_as_of);
  g_test_add_func ("/callers/from-code", test_from_code);
  g_test_add_func ("/callers/without-callchains", test_without_callchains);
  g_test_add_func ("/callers/reopened", test_reopened);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
