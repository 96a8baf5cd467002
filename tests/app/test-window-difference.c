/* test-window-difference.c: stacks before and after a patch, compared as a person would
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-callers-private.h"
#include "pen-causes-private.h"
#include "pen-outline.h"
#include "pen-row-facts.h"

#define CAPTURE "f-everything-z.data"
#define BATCH 1

static void
settle (PenWindow *window)
{
  app_support_run (50);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

static PenWindow *
open_compared (guint32 batch)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.compare-stacks", "u", batch);
  settle (window);
  return window;
}

static const PenFlameAnswer *
get_answer (PenWindow *window)
{
  return pen_session_get_answers (window->session)->flame;
}

static const PenFlamePair *
get_pair (PenWindow *window)
{
  return &pen_session_get_view (window->session)->flame->pair;
}

static void
activate (PenWindow *window, const char *action)
{
  g_action_group_activate_action (G_ACTION_GROUP (window->callers->actions), action, NULL);
  settle (window);
}

static guint
count_parted (const PenFlameDiff *diff)
{
  guint n = 0;

  for (guint i = 0; i < diff->tree->nodes->len; i++)
    n += diff->nodes[i].verdict == PEN_VERDICT_MORE || diff->nodes[i].verdict == PEN_VERDICT_LESS;
  return n;
}

/* As the command line asks for it. */
static PenFlameDiff *
ask (PenWindow *window, guint32 batch, gboolean crosses)
{
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (PenFilter) filter = pen_filter_new ();
  const PenWindowRules rules = { .crosses = crosses };
  const PenFlameOptions options = { .least_share = PEN_FLAME_DIFF_LEAST };
  PenFlameWindow windows[2];
  g_autoptr (GError) error = NULL;
  PenFlameDiff *diff;

  pen_query_find_windows (query, batch, &rules, windows, &error);
  g_assert_no_error (error);
  diff = pen_query_flame_diff (query, filter, &options, windows, &error);
  g_assert_no_error (error);
  return diff;
}

/* ---- a patch ---- */

static void
test_batch (void)
{
  PenWindow *window = open_compared (BATCH);
  g_autoptr (PenFlameDiff) expected = ask (window, BATCH, FALSE);
  const PenFlameDiff *diff = get_answer (window)->diff;
  const char *words = gtk_label_get_text (window->callers->compared);

  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
  g_assert_nonnull (diff);
  g_assert_cmpuint (diff->tree->nodes->len, ==, expected->tree->nodes->len);
  g_assert_cmpuint (diff->windows[1].to, ==, expected->windows[1].to);
  for (guint i = 0; i < diff->tree->nodes->len; i++)
    g_assert_cmpint (diff->nodes[i].verdict, ==, expected->nodes[i].verdict);
  g_assert_cmpuint (count_parted (diff), >, 0);
  g_assert_true (gtk_widget_get_mapped (window->callers->difference));
  g_assert_true (g_str_has_prefix (words, "Before 4.329–5.739"));
  g_assert_nonnull (strstr (words, ": Static key"));
  g_assert_nonnull (strstr (words, "by sh ["));
  g_assert_true (pen_flame_view_get_answer (window->callers->flame) == get_answer (window));
  window_support_close_window (window);
}

/* Rows of changes and of a patch history lead there. */
static void
test_from_rows (void)
{
  g_autoptr (PenRow) row = pen_row_new ();
  g_autoptr (PenRow) other = pen_row_new ();
  PenChange change = { .id = 1, .poke = 7, .batch = 3, .address = 0x1000, .length = 5 };
  PenChange map = { .id = 2, .address = 0x1000, .length = 5 };

  pen_row_tell_change (row, &change);
  g_assert_cmpuint (row->batch, ==, 3);
  pen_row_tell_change (other, &map);
  g_assert_cmpuint (other->batch, ==, 0);
}

/* It is there again when the recording is opened again: a batch by its time, or two stretches. */
static void
test_reopened (void)
{
  PenWindow *window = open_compared (BATCH);
  g_autoptr (PenFlameState) state = pen_session_dup_flame (window->session);
  PenFlameWindow windows[2];

  pen_flame_state_compare_batch (state, BATCH, (PenWindowRules){ TRUE, 100000000 });
  pen_session_set_flame (window->session, state);
  settle (window);
  windows[0] = get_answer (window)->diff->windows[0];
  windows[1] = get_answer (window)->diff->windows[1];
  window_support_close_window (window);
  pen_last_view_wait_all ();

  window = window_support_open_again (CAPTURE);
  settle (window);
  g_assert_true (get_pair (window)->is_set);
  g_assert_cmpuint (get_pair (window)->batch, ==, BATCH);
  g_assert_true (get_pair (window)->rules.crosses);
  g_assert_cmpuint (get_pair (window)->rules.most, ==, 100000000);
  g_assert_cmpuint (get_answer (window)->diff->windows[1].to, ==, windows[1].to);
  g_assert_true (gtk_widget_get_mapped (window->callers->difference));

  g_clear_pointer (&state, pen_flame_state_unref);
  state = pen_session_dup_flame (window->session);
  pen_flame_state_compare (state, windows);
  pen_session_set_flame (window->session, state);
  settle (window);
  window_support_close_window (window);
  pen_last_view_wait_all ();

  window = window_support_open_again (CAPTURE);
  settle (window);
  g_assert_cmpuint (get_pair (window)->batch, ==, 0);
  g_assert_cmpmem (get_pair (window)->windows, sizeof windows, windows, sizeof windows);
  activate (window, "no-difference");
  window_support_close_window (window);
  pen_last_view_wait_all ();

  window = window_support_open_again (CAPTURE);
  g_assert_false (get_pair (window)->is_set);
  window_support_activate (window, "win.start-afresh");
  settle (window);
  window_support_close_window (window);
  pen_last_view_wait_all ();
}

static gboolean
has_action (const PenRow *row, const char *name)
{
  for (guint i = 1; i < row->actions->len; i += 2) {
    if (g_str_equal (row->actions->pdata[i], name))
      return TRUE;
  }
  return FALSE;
}

/* What the menu of a row of causes has; the row is selected then. */
static PenRow *
describe (PenWindow *window, guint index)
{
  g_autoptr (PenCauseItem) item = pen_cause_item_new (window->causes->show, index);
  PenRow *row = pen_row_new ();

  pen_causes_describe_row (item, row, window->causes);
  settle (window);
  return row;
}

static const PenCauseTree *
open_causes (PenWindow *window)
{
  pen_session_set_page (window->session, PEN_PAGE_CAUSES);
  settle (window);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (window->causes->model)); i++) {
    g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (window->causes->model, i);

    gtk_tree_list_row_set_expanded (row, TRUE);
  }
  settle (window);
  return pen_session_get_answers (window->session)->causes->tree;
}

/* From a cause to the stacks around its first and its last flip. */
static void
test_from_causes (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenCauseTree *tree = open_causes (window);
  const PenCauseRow *cause = pen_cause_tree_get (tree, 0);
  guint64 times[] = { cause->first, cause->last };
  static const char *const actions[] = { "causes.compare-first", "causes.compare-last" };

  g_assert_cmpuint (cause->flips, >, 1);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    g_autoptr (PenRow) row = NULL;
    const PenBatch *batch;

    pen_session_set_page (window->session, PEN_PAGE_CAUSES);
    settle (window);
    row = describe (window, 0);
    g_assert_true (has_action (row, actions[i]));
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window->causes), actions[i], NULL));
    settle (window);
    g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
    batch = pen_outline_get_batch (pen_session_get_opened (window->session)->outline,
                                   get_pair (window)->batch);
    g_assert_nonnull (batch);
    g_assert_cmpuint (batch->from, <=, times[i]);
    g_assert_cmpuint (batch->to, >=, times[i]);
  }
  window_support_close_window (window);
}

/* From a load of a BPF program to its code, and to the stacks before and after it came. */
static void
test_from_programs (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenCauseTree *tree = open_causes (window);
  PenSpan span = pen_session_get_span (window->session);
  guint n_compared = 0, n_shown = 0;

  for (guint i = 0; i < tree->rows->len; i++) {
    const PenCauseRow *program = pen_cause_tree_get (tree, i);
    g_autoptr (PenRow) row = NULL;
    guint64 from;
    guint32 function;

    if (!program->is_program || program->level < 2 || program->n_stretches == 0)
      continue;
    from = g_array_index (tree->stretches, PenCauseStretch, program->first_stretch).from;
    row = describe (window, i);
    g_assert_cmpint (has_action (row, "causes.compare-load"), ==, from > span.from);
    g_assert_cmpint (has_action (row, "causes.show-code"), ==, program->has_function);
    if (pen_causes_view_get_selected (window->causes) != program)
      continue;
    if (program->has_function && n_shown++ == 0) {
      guint32 wanted = program->function;

      gtk_widget_activate_action (GTK_WIDGET (window->causes), "causes.show-code", NULL);
      settle (window);
      g_assert_true (pen_session_get_function (window->session, &function));
      g_assert_cmpuint (function, ==, wanted);
      pen_session_set_page (window->session, PEN_PAGE_CAUSES);
      settle (window);
    }
    if (from > span.from && n_compared++ == 0) {
      gtk_widget_activate_action (GTK_WIDGET (window->causes), "causes.compare-load", NULL);
      settle (window);
      g_assert_cmpuint (get_pair (window)->windows[1].from, ==, from);
      g_assert_cmpuint (get_pair (window)->windows[0].to, ==, from - 1);
      break;
    }
  }
  g_assert_cmpuint (n_shown, >, 0);
  g_assert_cmpuint (n_compared, >, 0);
  window_support_close_window (window);
}

/* Back and forward, and the button that closes it. */
static void
test_left (void)
{
  PenWindow *window = open_compared (BATCH);

  window_support_activate (window, "win.back");
  settle (window);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  window_support_activate (window, "win.forward");
  settle (window);
  g_assert_true (get_pair (window)->is_set);
  g_assert_nonnull (get_answer (window)->diff);
  activate (window, "no-difference");
  g_assert_false (get_pair (window)->is_set);
  g_assert_null (get_answer (window)->diff);
  g_assert_false (gtk_widget_get_visible (window->callers->difference));
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
  window_support_close_window (window);
}

/* One test for all frames: zooming in asks nothing anew, and changes no verdict. */
static void
test_zoom (void)
{
  PenWindow *window = open_compared (BATCH);
  const PenFlameAnswer *answer = get_answer (window);

  pen_flame_view_zoom (window->callers->flame, 1);
  settle (window);
  g_assert_cmpuint (pen_session_get_view (window->session)->flame->zoom->len, ==, 1);
  g_assert_true (get_answer (window) == answer);
  window_support_close_window (window);
}

static void
test_rules (void)
{
  PenWindow *window = open_compared (BATCH + 1);
  GActionGroup *actions = G_ACTION_GROUP (window->callers->actions);
  guint64 narrow
      = get_answer (window)->diff->windows[0].to - get_answer (window)->diff->windows[0].from;
  g_autoptr (PenFlameDiff) expected = ask (window, BATCH + 1, TRUE);
  const PenFlameDiff *diff;

  g_action_group_change_action_state (actions, "across", g_variant_new_boolean (TRUE));
  settle (window);
  diff = get_answer (window)->diff;
  g_assert_cmpuint (diff->windows[0].to - diff->windows[0].from, >, narrow);
  g_assert_cmpuint (diff->windows[0].from, ==, expected->windows[0].from);
  g_action_group_activate_action (actions, "window-length", g_variant_new_uint64 (10000000));
  settle (window);
  diff = get_answer (window)->diff;
  g_assert_cmpuint (diff->windows[1].to - diff->windows[1].from + 1, ==, 10000000);
  window_support_close_window (window);
}

/* No batch of that number: the page says so, and can be left. */
static void
test_failed (void)
{
  PenWindow *window = open_compared (100000);

  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->callers->stack), ==, "empty");
  g_assert_cmpstr (adw_status_page_get_title (window->callers->empty), ==, "Cannot Compare Stacks");
  g_assert_true (gtk_widget_get_mapped (window->callers->difference));
  activate (window, "no-difference");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->callers->stack), ==, "picture");
  window_support_close_window (window);
}

/* ---- any two stretches ---- */

static void
test_stretches (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenSpan span = pen_session_get_span (window->session);
  guint64 quarter = pen_span_length (span) / 4;
  PenSpan part = { span.from + 2 * quarter, span.from + 3 * quarter };
  guint64 mark = span.from + quarter / 2;
  const PenFlameDiff *diff;

  g_assert_false (pen_session_can_compare_stretches (window->session));
  pen_session_set_selected (window->session, &part);
  g_assert_false (pen_session_can_compare_stretches (window->session));
  pen_session_set_mark (window->session, &mark);
  g_assert_true (pen_session_can_compare_stretches (window->session));
  window_support_activate (window, "win.compare-stretches");
  settle (window);
  diff = get_answer (window)->diff;
  g_assert_cmpuint (diff->windows[0].from, ==, mark);
  g_assert_cmpuint (diff->windows[0].to - diff->windows[0].from, ==,
                    diff->windows[1].to - diff->windows[1].from);
  g_assert_cmpuint (diff->windows[1].from, ==, part.from);
  /* Inside, the second instant parts the selection. */
  mark = part.from + quarter / 2;
  pen_session_set_mark (window->session, &mark);
  window_support_activate (window, "win.compare-stretches");
  settle (window);
  diff = get_answer (window)->diff;
  g_assert_cmpuint (diff->windows[0].from, ==, part.from);
  g_assert_cmpuint (diff->windows[0].to, ==, mark - 1);
  g_assert_cmpuint (diff->windows[1].from, ==, mark);
  window_support_close_window (window);
}

/* ---- words ---- */

static void
test_words (void)
{
  PenWindow *window = open_compared (BATCH);
  const PenFlameAnswer *answer = get_answer (window);
  g_autofree char *legend = NULL;
  g_autofree char *labels = NULL;
  g_autofree char *tooltip = NULL;
  GdkRectangle box;
  guint node = 1;

  while (answer->diff->nodes[node].verdict != PEN_VERDICT_MORE)
    node++;
  pen_flame_view_select (window->callers->flame, node);
  app_support_settle (window->session);
  g_assert_true (pen_flame_view_get_selected_box (window->callers->flame, &box));
  tooltip = pen_flame_view_describe_point (window->callers->flame, box.x, box.y + 2);
  g_assert_nonnull (strstr (tooltip, "More often after"));
  g_assert_nonnull (strstr (tooltip, " → "));
  legend = g_strdup (gtk_label_get_text (window->callers->meaning));
  g_assert_nonnull (strstr (legend, "5 % for all frames together"));
  /* As a table: counts of both, and their ratio. */
  g_action_group_change_action_state (G_ACTION_GROUP (window->callers->actions), "table",
                                      g_variant_new_boolean (TRUE));
  settle (window);
  labels = window_support_dup_labels (window->callers->view);
  g_assert_nonnull (strstr (labels, "Before"));
  g_assert_nonnull (strstr (labels, "Ratio"));
  g_assert_null (strstr (labels, "Versions"));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/difference/batch", test_batch);
  g_test_add_func ("/difference/from-rows", test_from_rows);
  g_test_add_func ("/difference/reopened", test_reopened);
  g_test_add_func ("/difference/from-causes", test_from_causes);
  g_test_add_func ("/difference/from-programs", test_from_programs);
  g_test_add_func ("/difference/left", test_left);
  g_test_add_func ("/difference/zoom", test_zoom);
  g_test_add_func ("/difference/rules", test_rules);
  g_test_add_func ("/difference/failed", test_failed);
  g_test_add_func ("/difference/stretches", test_stretches);
  g_test_add_func ("/difference/words", test_words);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
